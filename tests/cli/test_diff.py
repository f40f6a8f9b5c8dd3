"""``decklab diff``: what it prints, and its exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches
from typer.testing import CliRunner, Result

from decklab.cli.decks import app

KEYS = {"slide", "element", "kind", "property", "old", "new", "noise"}


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["diff", *map(str, words)])


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    deck = Presentation()
    for number in (1, 2):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Topic {number}"
    path = tmp_path_factory.mktemp("decks") / "before.pptx"
    deck.save(str(path))
    return path


@pytest.fixture
def after(before: Path, tmp_path: Path) -> Path:
    def edit(deck: Any) -> None:
        title = deck.slides[1].shapes.title
        place = title.top, title.width, title.height
        title.text, title.left = "Theme 2", Inches(2)
        title.top, title.width, title.height = place
        deck.core_properties.revision = 9

    return edited(before, tmp_path / "after.pptx", edit)


def edited(before: Path, after: Path, edit: Any) -> Path:
    deck = Presentation(str(before))
    edit(deck)
    deck.save(str(after))
    return after


def test_changes_are_sentences_by_slide_and_exit_with_1(before: Path, after: Path) -> None:
    done = run(before, after)
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "Slide 2"
    assert "  in the title “Topic 2” (id 2), “Topic” became “Theme”" in lines
    assert any(
        line.startswith("  position of the title “Topic 2” (id 2) changed") for line in lines
    )
    assert lines[-1] == "1 more that programs write anew when they save (--noise shows them)."


def test_noise_is_told_when_asked_for(before: Path, after: Path) -> None:
    assert "revision" not in run(before, after).stdout
    assert "property revision changed" in run(before, after, "--noise").stdout


def test_a_deck_compared_with_itself_exits_with_0(before: Path) -> None:
    done = run(before, before)
    assert (done.exit_code, done.stdout) == (0, "Nothing changed.\n")


def test_noise_alone_exits_with_0(before: Path, tmp_path: Path) -> None:
    def save(deck: Any) -> None:
        deck.core_properties.revision = 9

    done = run(before, edited(before, tmp_path / "saved.pptx", save))
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "Nothing changed.", "1 more that programs write anew when they save (--noise shows them).",
    ]  # fmt: skip


def test_json_has_exactly_the_promised_keys(before: Path, after: Path) -> None:
    done = run(before, after, "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 1
    assert set(found) == {"changes", "slides"}
    assert set(found["slides"]) == {"added", "removed", "moved"}
    assert all(set(change) == KEYS for change in found["changes"])
    assert [change["property"] for change in found["changes"] if change["noise"]] == ["revision"]


@pytest.mark.parametrize("content", [None, b"no deck at all"])
def test_what_cannot_be_read_is_one_line_and_exits_with_2(
    content: bytes | None, before: Path, tmp_path: Path
) -> None:
    path = tmp_path / "broken.pptx"
    if content is not None:
        path.write_bytes(content)
    for words in ((before, path), (path, before), (path, before, "--html", tmp_path / "x.html")):
        done = run(*words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("decklab: ") and "broken.pptx" in done.stderr
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "x.html").exists()


def test_a_page_that_cannot_be_written_exits_with_2(
    before: Path, after: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # without LibreOffice
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    done = run(before, after, "--html", before / "page.html")
    assert done.exit_code == 2
    assert done.stderr.startswith("decklab: ")
