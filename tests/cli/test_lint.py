"""``decklab lint`` on the command line: what it prints and how it exits."""

import json
import shutil

import pytest
from PIL import Image
from pptx import Presentation
from typer.testing import CliRunner

from decklab.cli.lint import app
from decklab.deck.deck import write_samples


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decks")
    write_samples(folder)
    return folder


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_findings_exit_with_1_and_none_with_0(folder):
    bad = run(folder / "bad.pptx", "--rules", "accessibility")
    assert bad.exit_code == 1 and "accessibility.missing-alt-text" in bad.stdout
    plain = run(folder / "plain.pptx", "--rules", "accessibility")
    assert plain.exit_code == 0 and "nothing found" in plain.stdout


def test_the_least_severity_counts_for_the_exit_too(folder):
    notes = ("--rules", "placeholder.empty")
    assert run(folder / "bad.pptx", *notes, "--min-severity", "info").exit_code == 1
    plain = run(folder / "bad.pptx", *notes)
    assert plain.exit_code == 0 and "1 milder one not shown (--min-severity info)" in plain.stdout


def test_a_deck_that_cannot_be_read_exits_with_2(folder):
    done = run(folder / "none.pptx", folder / "bad.pptx", "--rules", "accessibility", "--json")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1 and "none.pptx" in done.stderr
    first, second = json.loads(done.stdout)["decks"]
    assert first["error"] and second["error"] is None and second["findings"]


def test_sarif_is_one_log_over_all_decks(folder):
    done = run(
        folder / "bad.pptx", folder / "plain.pptx", "--rules", "accessibility",
        "--format", "sarif",
    )  # fmt: skip
    (made,) = json.loads(done.stdout)["runs"]
    assert len(made["artifacts"]) == 2 and len(made["results"]) > 1


def test_unknown_rules_are_named(folder):
    done = run(folder / "plain.pptx", "--ignore", "text.smal")
    assert done.exit_code == 2 and "did you mean" in done.stderr


def test_a_name_that_would_steer_the_terminal_is_shown_harmless(tmp_path):
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_picture(_png(tmp_path), 0, 0).name = "[red]Picture _x001B_[2J"
    deck.save(tmp_path / "deck.pptx")
    done = run(tmp_path / "deck.pptx", "--rules", "accessibility.poor-alt-text")
    assert "[red]Picture" in done.stdout and "\x1b" not in done.stdout


def _png(folder):
    path = folder / "a.png"
    Image.new("RGB", (20, 20), "blue").save(path)
    return str(path)


@pytest.fixture
def project(folder, tmp_path):
    """A folder of decks below another, with what lint leaves out of folders."""
    (tmp_path / "talks" / ".old").mkdir(parents=True)
    for place in ("a.pptx", "talks/b.pptx", "talks/.old/c.pptx", "talks/~$b.pptx"):
        shutil.copy(folder / "bad.pptx", tmp_path / place)
    (tmp_path / "notes.txt").write_text("no deck")
    return tmp_path


QUICK = ("--rules", "accessibility")


def test_folders_are_searched_without_hidden_and_lock_files(project):
    done = run(project, *QUICK, "--json")
    decks = [item["deck"] for item in json.loads(done.stdout)["decks"]]
    assert decks == [str(project / "a.pptx"), str(project / "talks" / "b.pptx")]
    bare = run(project / "notes.txt", *QUICK)
    assert bare.exit_code == 2 and "notes.txt" in bare.stderr
    (project / "empty").mkdir()
    none = run(project / "empty", *QUICK)
    assert none.exit_code == 2 and "no PowerPoint deck in this folder" in none.stderr


@pytest.mark.long
def test_a_bad_deck_is_a_line_and_the_rest_goes_on_in_processes_too(project):
    (project / "broken.pptx").write_bytes(b"PK\x03\x04 and no more")
    alone = run(project, *QUICK, "--jobs", "1")
    assert alone.exit_code == 2 and alone.stderr.count("\n") == 1
    assert alone.stdout.count("accessibility.missing-alt-text") == 2
    both = run(project, *QUICK, "--jobs", "2")
    assert (both.stdout, both.stderr) == (alone.stdout, alone.stderr)


@pytest.mark.parametrize(
    ("fail_on", "code"), [("error", 1), ("warning", 1), ("info", 1), ("never", 0)]
)
def test_the_severity_that_fails_can_be_chosen(folder, fail_on, code):
    assert run(folder / "bad.pptx", *QUICK, "--fail-on", fail_on).exit_code == code


def test_only_worse_findings_than_asked_for_fail(folder):
    rule = ("--rules", "placeholder.empty")
    assert run(folder / "bad.pptx", *rule, "--fail-on", "error").exit_code == 0
    shown = run(folder / "bad.pptx", *rule, "--fail-on", "info")
    assert shown.exit_code == 1 and "placeholder.empty" in shown.stdout


def test_statistics_count_rules_over_decks(project):
    done = run(project, *QUICK, "--statistics")
    (line,) = [line for line in done.stdout.splitlines() if "missing-slide-title  " in line]
    assert "2 decks" in line
    counts = json.loads(run(project, *QUICK, "--statistics", "--json").stdout)["statistics"]
    findings = json.loads(run(project, *QUICK, "--json").stdout)["decks"]
    assert sum(item["findings"] for item in counts) == sum(len(d["findings"]) for d in findings)


def test_github_gets_a_line_a_finding_and_counts_apart(folder):
    done = run(folder / "bad.pptx", *QUICK, "--format", "github", "--statistics")
    lines = done.stdout.splitlines()
    assert lines and all(line.startswith("::") for line in lines)
    assert "findings in 1 deck" in done.stderr


def test_settings_beside_a_deck_are_used_and_shown(project):
    (project / "talks" / "decklab.toml").write_text('[lint]\nignore = ["accessibility"]\n')
    done = json.loads(run(project, *QUICK, "--json").stdout)["decks"]
    assert [bool(item["findings"]) for item in done] == [True, False]
    shown = run(project, "--show-config").stdout
    assert f"settings of {project / 'talks' / 'decklab.toml'}" in shown and "no file" in shown
    assert 'ignore = ["accessibility"]' in shown
    without = json.loads(run(project, *QUICK, "--json", "--no-config").stdout)["decks"]
    assert all(item["findings"] for item in without)


def test_wrong_settings_end_the_run_before_it_begins(project):
    (project / "decklab.toml").write_text('[lint]\nselekt = ["text"]\n')
    done = run(project, *QUICK)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "lint.selekt" in done.stderr
    assert run(project, *QUICK, "--config", project / "none.toml").exit_code == 2


def test_a_baseline_keeps_known_findings_quiet(project):
    known = project / "known.json"
    wrote = run(project, *QUICK, "--write-baseline", known)
    assert wrote.exit_code == 0 and known.exists()
    quiet = run(project, *QUICK, "--baseline", known)
    assert quiet.exit_code == 0 and "ignored" in quiet.stdout
    assert run(project / "a.pptx", *QUICK, "--baseline", project / "none.json").exit_code == 2
    assert run(project, "--baseline", known, "--write-baseline", known).exit_code == 2


@pytest.fixture
def untitled(tmp_path):
    """A folder with a deck below it that has a slide without a title."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 4_000_000, 900_000).text_frame.text = "Harvest"
    (tmp_path / "talks").mkdir()
    deck.save(tmp_path / "talks" / "deck.pptx")
    return tmp_path


TITLES = ("--rules", "accessibility.missing-slide-title", "--min-severity", "info")


@pytest.mark.long
@pytest.mark.office
def test_fixes_are_shown_then_written_to_a_copy_then_in_place(untitled):
    deck = untitled / "talks" / "deck.pptx"
    before = deck.read_bytes()
    shown = run(untitled, *TITLES, "--diff")
    assert shown.exit_code == 1 and '"Harvest"' in shown.stdout and "would change" in shown.stdout
    copied = run(untitled, *TITLES, "--fix", "--out", untitled / "fixed")
    assert copied.exit_code == 0 and deck.read_bytes() == before
    copy = untitled / "fixed" / "talks" / "deck.pptx"
    assert Presentation(copy).slides[0].shapes.title.text_frame.text == "Harvest"
    done = json.loads(run(deck, *TITLES, "--fix", "--in-place", "--json").stdout)["decks"]
    assert [item["out"] for item in done] == [str(deck)] and len(done[0]["fixed"]) == 1
    assert Presentation(deck).slides[0].shapes.title.text_frame.text == "Harvest"
    assert run(deck, *TITLES).exit_code == 0
    again = run(deck, *TITLES, "--diff")
    assert again.exit_code == 0 and "nothing to fix" in again.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("--fix",),
        ("--fix", "--diff"),
        ("--out", "x"),
        ("--in-place",),
        ("--diff", "--in-place"),
        ("--fix", "--in-place", "--out", "x"),
    ],
)
def test_fixes_need_a_place_and_are_never_written_by_accident(untitled, words):
    deck = untitled / "talks" / "deck.pptx"
    before = deck.read_bytes()
    assert run(deck, *TITLES, *words).exit_code == 2
    assert deck.read_bytes() == before


def test_a_copy_never_takes_the_place_of_a_deck(untitled):
    deck = untitled / "talks" / "deck.pptx"
    before = deck.read_bytes()
    done = run(deck, *TITLES, "--fix", "--out", deck)
    assert done.exit_code == 2 and "changes no input" in done.stderr
    assert deck.read_bytes() == before


def test_a_rule_is_explained_without_decks():
    done = run("--explain", "contrast.low")
    assert done.exit_code == 0 and done.stdout.startswith("# contrast.low\n")
    assert "## Why" in done.stdout and "contrast.low.text = 4.5" in done.stdout
    group = run("--explain", "title")
    assert [line for line in group.stdout.splitlines() if line.startswith("# ")] == [
        "# title.position", "# title.size", "# title.font", "# title.shrunk",
    ]  # fmt: skip


def test_a_rule_that_there_is_not_is_not_explained():
    done = run("--explain", "contrast.lwo")
    assert done.exit_code == 2 and "contrast.low" in done.stderr and not done.stdout
