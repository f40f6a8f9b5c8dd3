"""Titles that autofit shrinks, as LibreOffice draws them."""

from pathlib import Path

import pytest
from pptx import Presentation
from pptx.oxml.ns import qn

from decklab.editor.command_editor import edit_with_commands
from decklab.linting.lint import lint
from decklab.rendering.renderer import Renderer

LONG = " ".join(["What we learned this year from our customers and suppliers"] * 12)
"""700 characters."""


@pytest.mark.parametrize(
    ("size", "drawn", "autofit", "found"),
    [
        (40.0, 15.6, "shrink", ["title.shrunk"]),
        (40.0, 18.0, "shrink", []),
        (40.0, 40.0, "shrink", []),
        (16.0, 13.0, "shrink", []),  # it was small before
        (40.0, 15.6, "none", []),
    ],
)
def test_a_title_shrinks_under_the_least_size(build, size, drawn, autofit, found):
    title = build.text("A long title", size=size, autofit=autofit, placeholder="title")
    spans = [build.span("A long title", 107, 105, 250, 125, size_pt=drawn)]
    assert [one for one in build.rules(build.slide(title), spans) if "title." in one] == found


def test_a_slide_without_a_title_or_words_in_it_has_none(build):
    assert build.rules(build.slide(), []) == []
    empty = build.text("", placeholder="title", autofit="shrink")
    assert "title.shrunk" not in build.rules(build.slide(empty), [])


@pytest.fixture
def long_title(tmp_path: Path) -> Path:
    """Three slides: two long titles, of which LibreOffice shrinks the one with its own autofit as
    it draws it, and a short one."""
    deck = Presentation()
    for text in (LONG, LONG, "Short"):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = text
    body = deck.slides[0].shapes.title._element.txBody.bodyPr
    body.append(body.makeelement(qn("a:normAutofit")))
    deck.save(str(tmp_path / "long.pptx"))
    return tmp_path / "long.pptx"


@pytest.mark.office
def test_what_would_fit_is_what_libreoffice_makes_of_it(long_title: Path, tmp_path: Path) -> None:
    with Renderer().started() as renderer:
        found = lint(long_title, rules={"title.shrunk"}, renderer=renderer).findings
        edited = edit_with_commands(
            long_title, f"set the title of slide 3 to '{LONG}!'", out=tmp_path / "out.pptx",
            renderer=renderer,
        )  # fmt: skip
    assert [one.slide for one in found] == [1, 2]
    drawn, reckoned = (one.measured for one in found)
    assert drawn is not None and reckoned == pytest.approx(drawn, rel=0.2)
    assert any("shrinks from 44 pt" in one and "slide 3" in one for one in edited.warnings)
