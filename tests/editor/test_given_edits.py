"""Edits that their caller wrote, as a program or as patches."""

from pathlib import Path

import pytest
from pptx import Presentation

from decklab.core.errors import DeckError
from decklab.deck.deck import write_samples
from decklab.editor.result import EditResult
from decklab.editor.steps import PRINTED, edit_with_patches, edit_with_program
from decklab.ooxml.patch_parts import Patch

TITLE = "//p:sp[p:nvSpPr/p:nvPr/p:ph[@type='title' or @type='ctrTitle']]//a:t"


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_samples(tmp_path_factory.mktemp("given"))[0]


def run(deck: Path, code: str, out: Path) -> EditResult:
    return edit_with_program(deck, code, out=out, draw=False)


@pytest.mark.long
def test_a_program_changes_a_copy_and_its_words_are_kept(
    deck: Path, tmp_path: Path, caged: None
) -> None:
    before, out = deck.read_bytes(), tmp_path / "new.pptx"
    code = "def edit(prs):\n    set_title(prs, 2, 'Found')\n    print(len(prs.slides))"
    result = run(deck, code, out)
    assert (result.outcome, result.output, len(result.sentences)) == ("done", out, 1)
    assert result.best is not None and result.best.record[PRINTED] == "7\n"
    title = Presentation(str(out)).slides[1].shapes.title
    assert title is not None and title.text == "Found"
    assert deck.read_bytes() == before


@pytest.mark.by_day(2)
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print(1)", "has to define edit(prs)"),
        ("def edit(prs):\n    boom()", "NameError: name 'boom' is not defined\n  at line 2"),
        ("def edit(prs): pass", "a program changed nothing"),
        ("def edit(prs):\n    set_title(prs, 99, 'x')", "there is no slide 99"),
        ("def edit(prs)\n", "SyntaxError"),
    ],
)
def test_a_program_that_does_nothing_of_use_writes_nothing(
    deck: Path, tmp_path: Path, caged: None, code: str, said: str
) -> None:
    result = run(deck, code, tmp_path / "new.pptx")
    assert (result.outcome, result.output) == ("refused", None)
    assert said in "\n".join(result.undone) and not [*tmp_path.iterdir()]


def test_a_program_may_not_leave_a_deck_that_powerpoint_would_repair(
    deck: Path, tmp_path: Path, caged: None
) -> None:
    code = (
        "def edit(prs):\n    one = prs.slides[0].shapes.title._element\n"
        "    one.append(one.makeelement('{http://example.org}wrong', {}))\n"
        "    one.getparent().append(one.makeelement(one.tag, {}))"
    )
    result = run(deck, code, tmp_path / "new.pptx")
    assert result.outcome == "refused" and result.undone and not [*tmp_path.iterdir()]


def test_patches_are_made_all_or_none(deck: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.pptx"
    good = Patch("ppt/slides/slide1.xml", "text", TITLE, value="Patched")
    result = edit_with_patches(deck, [good], out=out, draw=False)
    assert (result.outcome, result.output) == ("done", out)
    title = Presentation(str(out)).slides[0].shapes.title
    assert title is not None and title.text == "Patched"
    bad = Patch("ppt/slides/slide99.xml", "text", TITLE, value="x")
    refused = edit_with_patches(deck, [good, bad], out=tmp_path / "b.pptx", draw=False)
    assert refused.outcome == "refused" and refused.undone[0].startswith("Patch 2 ")
    assert [*tmp_path.iterdir()] == [out]


def test_a_deck_that_cannot_be_read_is_raised(tmp_path: Path) -> None:
    (tmp_path / "cut.pptx").write_bytes(b"PK\x03\x04")
    with pytest.raises(DeckError):
        edit_with_patches(tmp_path / "cut.pptx", [Patch("a", "remove", "//a:t")])
    with pytest.raises(DeckError):
        edit_with_program(tmp_path / "cut.pptx", "def edit(prs): pass")
