"""Titles that autofit shrinks, as LibreOffice draws them."""

from pathlib import Path

import pytest
from pptx import Presentation
from pptx.oxml.ns import qn

from decklab.editor.edit import edit_with_commands
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


@pytest.mark.long
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


WORDS = "one two three four five six seven eight nine ten eleven twelve"


def in_full_size(build, box, lines, *, right=390.0, size=40.0, words=WORDS):
    """A title drawn in the size it has, which may leave its box: sizes that would fit, by rule."""
    width, height = box
    title = build.text(
        words, 100, 100, width, height, size=size, autofit="shrink", placeholder="title"
    )
    drawn = words.split() if isinstance(lines, int) else lines
    count = lines if isinstance(lines, int) else len(lines)
    per = -(-len(drawn) // count)
    spans = [
        build.span(
            " ".join(drawn[n * per : (n + 1) * per]), 100, 105 + 48 * n, right, 140 + 48 * n,
            size_pt=size, line=n,
        )
        for n in range(count)
    ]  # fmt: skip
    found = build.lint(build.slide(title), spans)
    return [item.measured for item in found if item.rule == "title.shrunk"]


def test_a_title_drawn_past_its_box_has_the_size_at_which_its_area_fits(build):
    # six lines of 290 px, each 1.2 * 40 = 48 px high, in 300 x 50 px:
    # 40 * sqrt(300 * 50 / (6 * 290 * 48)) = 16.95
    assert in_full_size(build, (300, 50), 6) == [17.0]
    # in 300 x 57 px: 18.1
    assert in_full_size(build, (300, 57), 6) == []


def test_a_title_that_has_room_for_its_lines_but_runs_out_at_the_side_keeps_its_size(build):
    # one line of 48 px in 25 px and half a line; by its area it would be 16.7 pt
    assert in_full_size(build, (100, 25), 1, right=400.0) == []
    # in 23 px and half a line: 40 * sqrt(100 * 23 / (300 * 48)) = 15.99
    assert in_full_size(build, (100, 23), 1, right=400.0) == [16.0]


def test_a_title_of_which_hardly_a_word_is_drawn_or_without_a_box_is_not_reckoned(build):
    assert in_full_size(build, (300, 0), 6) == []
    assert in_full_size(build, (300, 50), ["one", "two", "three"]) == []


def test_only_the_title_is_looked_at(build):
    body = build.text("Body of text", 100, 300, 300, 40, size=40.0, autofit="shrink")
    title = build.text("A long title", size=40.0, autofit="shrink", placeholder="title")
    spans = [
        build.span("Body of text", 107, 305, 250, 325, size_pt=40.0),
        build.span("A long title", 107, 105, 250, 125, size_pt=15.6, line=1),
    ]
    (found,) = [
        item for item in build.lint(build.slide(body, title), spans) if "title." in item.rule
    ]
    assert found.shape == "Shape 2 (id 2)" and found.measured == 15.6
    turned = [spans[0].__class__("Body of text", spans[0].box, 15.6), spans[1]]
    full = [turned[0], spans[1].__class__("A long title", spans[1].box, 40.0, line=1)]
    assert "title.shrunk" not in build.rules(build.slide(body, title), full)
