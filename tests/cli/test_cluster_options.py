"""Options of commands with ``--cluster``: heeded or refused, never passed over in silence."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from decklab.cli.decks import app as decks_app
from decklab.cli.lint import app as lint_app
from decklab.cli.score import app as score_app
from decklab.deck.deck import write_samples


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_samples(tmp_path_factory.mktemp("decks"))[0]


APPS = {"score": score_app, "lint": lint_app, "extract": decks_app, "diff": decks_app}


def run(command: str, *words: object) -> tuple[int, str]:
    """The exit code of a command, and all it says in one line without frames."""
    named = [command] if APPS[command] is decks_app else []
    done = CliRunner().invoke(APPS[command], [*named, *map(str, words)])
    return done.exit_code, " ".join(re.sub("[│╭╮╰╯─]", " ", done.output).split())


REFUSED = [
    ("score", ["--format", "csv"]), ("score", ["--format", "table"]), ("score", ["--save", "md"]),
    ("score", ["--fail-under", "quality=60"]), ("score", ["--against", "earlier"]),
    ("lint", ["--format", "sarif"]), ("lint", ["--json"]), ("lint", ["--fail-on", "error"]),
    ("lint", ["--baseline", "known.json"]), ("lint", ["--fix"]), ("lint", ["--no-config"]),
    ("lint", ["--min-severity", "info"]), ("extract", ["--slides", "2"]), ("extract", ["--plain"]),
    ("extract", ["--json"]), ("diff", ["--json"]), ("diff", ["--html", "page.html"]),
    ("diff", ["--noise"]),
]  # fmt: skip


@pytest.mark.parametrize(("command", "given"), REFUSED)
def test_what_has_no_effect_with_cluster_is_refused_before_anything_is_written(
    command: str, given: list[str], deck: Path, tmp_path: Path
) -> None:
    decks = [deck, deck] if command == "diff" else [deck]
    out = tmp_path / "out"
    code, said = run(command, *decks, "--cluster", "local:0", "--out", out, *given)
    assert code == 2
    assert f"{given[0]}: has no effect with --cluster" in said
    assert not out.exists()


@pytest.mark.parametrize(
    ("command", "given"),
    [("score", ["--deck-memory", "500"]), ("extract", ["--out", "x"]), ("diff", ["--out", "x"])],
)
def test_what_only_cluster_heeds_is_refused_without_it(
    command: str, given: list[str], deck: Path
) -> None:
    decks = [deck, deck] if command == "diff" else [deck]
    code, said = run(command, *decks, *given)
    assert code == 2
    assert f"{given[0]}: needs --cluster" in said


@pytest.mark.long
@pytest.mark.office
def test_cache_and_resume_are_heeded(deck: Path, tmp_path: Path) -> None:
    here = [deck, "--cluster", "local:0", "--jobs", 1, "--cache", tmp_path / "kept"]
    assert run("lint", *here, "--out", tmp_path / "findings")[0] == 0
    kept = {path for path in (tmp_path / "kept").rglob("*") if path.is_file()}
    assert kept
    for said in ("1 done", "1 were finished before"):
        code, line = run("score", *here, "--resume", "--out", tmp_path / "scores")
        assert (code, said in line) == (0, True), line


def test_a_folder_and_no_cache_exclude_each_other(deck: Path, tmp_path: Path) -> None:
    given = ["--cluster", "local:0", "--out", tmp_path / "x", "--no-cache", "--cache", "kept"]
    assert run("score", deck, *given)[0] == 2
    assert not (tmp_path / "x").exists()
