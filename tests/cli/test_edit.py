"""``decklab edit``: what it prints and writes, and its exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pptx import Presentation
from typer.testing import CliRunner, Result

from decklab.cli import decks
from decklab.cli.edit import app


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    deck = Presentation()
    for number in (1, 2):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Topic {number}"
    path = tmp_path / "talk.pptx"
    deck.save(str(path))
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.mark.office
def test_it_tells_the_changes_and_where_the_deck_is(talk: Path) -> None:
    done = run(talk, "replace 'Topic' with 'Theme' on slide 2")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "Slide 2: in the title “Topic 2” (id 2), “Topic” became “Theme”."
    assert lines[-1] == f"Wrote {talk.with_name('talk.edited.pptx')}"


@pytest.mark.long
@pytest.mark.office
def test_the_report_shows_the_request_and_both_pictures(talk: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run(talk, "make the titles red; sing", "--dry-run", "--report", page)
    assert done.exit_code == 3
    text = page.read_text()
    assert "make the titles red; sing" in text and "Partly done" in text
    assert text.count("<image ") == 4
    assert not talk.with_name("talk.edited.pptx").exists()


def test_what_is_refused_writes_nothing(talk: Path) -> None:
    done = run(talk, "make the titles pop")
    assert done.exit_code == 4
    assert "“pop” is no word of these requests" in done.output
    assert "“make the titles bold and 32 pt”" in done.output
    assert [path.name for path in talk.parent.iterdir()] == ["talk.pptx"]


def test_a_page_of_what_is_refused_shows_no_edited_deck(talk: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run(talk, "make it pop", "--report", page)
    assert done.exit_code == 4
    assert done.stdout.splitlines()[-2:] == [f"Wrote {page}", "No deck was written."]
    text = page.read_text()
    assert "Not done" in text and "The deck is as it was." in text
    assert "talk.edited.pptx" not in text


def test_a_page_of_what_is_asked_back_says_so(talk: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run(talk, "move slide 1 to slide 2", "--report", page)
    assert done.exit_code == 4
    text = page.read_text()
    assert "Asked back" in text and "The deck is as it was." in text


def test_a_page_shows_hostile_words_as_words(talk: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run(talk, '<script>alert(1)</script> & "x"', "--report", page)
    text = page.read_text()
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in text


@pytest.mark.parametrize("words", ["", "   ", "; ;"])
def test_an_empty_instruction_is_told(talk: Path, words: str) -> None:
    done = run(talk, words)
    assert done.exit_code == 4
    assert "The instruction is empty" in done.stderr


def test_a_deck_that_is_not_there_is_told(tmp_path: Path) -> None:
    ended = run(tmp_path / "none.pptx", "hide slide 1")
    assert ended.exit_code == 2
    assert "none.pptx: cannot be opened" in ended.stderr


@pytest.mark.office
def test_out_may_be_in_folders_that_are_not_there(talk: Path) -> None:
    new = talk.parent / "new" / "folder" / "out.pptx"
    assert run(talk, "hide slide 1", "--out", new).exit_code == 0
    assert Presentation(str(new)).slides[0]._element.get("show") == "0"
    assert Presentation(str(talk)).slides[0]._element.get("show") is None


@pytest.mark.office
@pytest.mark.parametrize("words", [["--in-place"], ["--force", "--out"]])
def test_the_input_is_replaced_only_when_that_is_said(
    talk: Path, words: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    before = talk.read_bytes()
    refused = run(talk, "delete slide 1", "--out", talk)
    assert refused.exit_code == 2 and talk.read_bytes() == before
    assert refused.stderr == (
        f"decklab: {talk} exists already. Choose another name, such as "
        f"{talk.with_name('talk-2.pptx')}, or add --force.\n"
    )
    more = [*words, talk] if words[-1] == "--out" else words
    assert run(talk, "delete slide 1", *more).exit_code == 0
    assert len(Presentation(str(talk)).slides) == 1
    kept = talk.with_name("talk.pptx.bak")
    told = [f"{talk} is replaced; the earlier file is kept as {kept}"]
    assert caplog.messages == (told if words[-1] == "--out" else [])
    if words[-1] != "--out":
        assert CliRunner().invoke(decks.app, ["undo", str(talk)]).exit_code == 0
        kept = talk
    assert kept.read_bytes() == before


def test_in_place_needs_no_name(talk: Path) -> None:
    refused = run(talk, "hide slide 1", "--in-place", "--out", "out.pptx")
    assert refused.exit_code == 2 and "leave out --out" in refused.stderr


def test_report_and_deck_have_two_names(talk: Path) -> None:
    out = talk.with_name("out.pptx")
    refused = run(talk, "hide slide 1", "--out", out, "--report", out)
    assert refused.exit_code == 2 and "named for two outputs" in refused.stderr
    assert not out.exists()


@pytest.mark.long
def test_four_edits_at_once_write_four_decks(talk: Path) -> None:
    words = [sys.executable, "-m", "decklab", "edit", str(talk)]
    undrawn = {**os.environ, "PATH": ""}
    running = [
        subprocess.Popen(
            [*words, f"set the title of slide 1 to 'Edit {number}'"],
            stdout=subprocess.PIPE, text=True, env=undrawn,
        ) for number in range(4)
    ]  # fmt: skip
    told = [one.communicate(timeout=500)[0].splitlines()[-1] for one in running]
    assert [one.returncode for one in running] == [0] * 4
    names = [Path(line.removeprefix("Wrote ")) for line in told]
    assert {name.name for name in names} == {
        "talk.edited.pptx", "talk.edited-2.pptx", "talk.edited-3.pptx", "talk.edited-4.pptx"
    }  # fmt: skip
    titles = [Presentation(str(name)).slides[0].shapes.title.text for name in names]
    assert titles == [f"Edit {number}" for number in range(4)]


@pytest.mark.office
def test_json_is_all_that_is_printed(talk: Path) -> None:
    done = run(talk, "hide slide 1", "--json", "--out", talk.with_name("out.pptx"))
    told = json.loads(done.stdout)
    assert (told["outcome"], told["sentences"]) == ("done", ["Slide 1: the slide is hidden now."])
    assert Path(told["output"]).exists()


@pytest.mark.office
def test_slides_limit_what_is_edited(talk: Path) -> None:
    done = run(talk, "make the titles bold", "--slides", "2", "--dry-run")
    assert "Slide 2" in done.stdout and "Slide 1" not in done.stdout


@pytest.mark.parametrize("slides", ["2-1", "x"])
def test_slides_that_mean_nothing_are_told(talk: Path, slides: str) -> None:
    assert run(talk, "hide slide 1", "--slides", slides).exit_code == 2


def test_a_deck_is_not_written_under_the_name_of_another_kind(talk: Path, tmp_path: Path) -> None:
    show = tmp_path / "show.ppsx"
    assert run(talk, "hide slide 1", "--out", str(show)).exit_code == 2
    assert not show.exists()


def test_the_forms_of_requests_are_listed_without_a_deck() -> None:
    listed = run("--forms")
    assert listed.exit_code == 0
    assert "such as: delete slides 2 and 4-5" in listed.stdout
    assert all(word in listed.stdout for word in ("slides:", "tables:", "design:", "show:"))
