"""Tests of where content stands on a page, with numbers by hand."""

from dataclasses import replace
from pathlib import Path

import pytest

from decklab.board.templates.margins import (
    clear_of_drawings,
    drawn_area,
    holds,
    inside,
    on_ground,
    within_margins,
)
from decklab.board.templates.places import DeckTemplate, LayoutPlace, PlaceKind, TemplateLayout
from decklab.board.templates.reading import read_template
from decklab.core.geometry import Box

SIZE = (960.0, 540.0)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> TemplateLayout:
    """A layout with nothing on it."""
    from tests.board.templates.conftest import made

    template = read_template(made(tmp_path_factory.mktemp("margins") / "plain.pptx"))
    look = next(one for one in template.layouts if one.name == "Title and Content")
    return replace(look, size=SIZE, fixed=(), places=(), ground="#FFFFFF")


def place(kind: PlaceKind, box: Box, layout: TemplateLayout, **other: object) -> LayoutPlace:
    return LayoutPlace(kind, kind, (("type", "body"),), box, Box(0, 0, 0, 0), (),
                       ground="#FFFFFF", **other)  # type: ignore[arg-type]  # fmt: skip


def settled(*layouts: TemplateLayout) -> tuple[TemplateLayout, ...]:
    return within_margins(DeckTemplate(Path("a.pptx"), SIZE, layouts, ("m",), 0)).layouts


def test_text_ends_above_a_drawing_in_a_corner(plain: TemplateLayout) -> None:
    wedge = replace(plain, fixed=(Box(-2, 456, 267, 541),))
    assert clear_of_drawings(Box(54, 123, 666, 516), wedge) == Box(54, 123, 666, 456 - 8.1)


@pytest.mark.parametrize(
    "drawn",
    [
        pytest.param(Box(0, 0, 960, 540), id="ground"),
        pytest.param(Box(300, 100, 340, 516), id="divider"),
        pytest.param(Box(700, 0, 960, 540), id="beside"),
    ],
)
def test_grounds_and_drawings_in_the_middle_leave_a_text_as_it_is(
    drawn: Box, plain: TemplateLayout
) -> None:
    box = Box(54, 123, 666, 516)
    assert clear_of_drawings(box, replace(plain, fixed=(drawn,))) == box


def test_a_narrow_text_is_as_wide_as_the_margins_if_nothing_stands_beside_it(
    plain: TemplateLayout,
) -> None:
    title = place("title", Box(346, 75, 886, 126), plain)
    text = place("text", Box(346, 162, 886, 496), plain)
    alone, beside = (
        replace(plain, places=(title, text), fixed=fixed)
        for fixed in ((), (Box(80, 170, 200, 400),))
    )
    widened, kept = settled(alone, beside)
    assert widened.places[1].box == Box(74, 162, 886, 496) and widened.places[1].moved
    assert kept.places[1] is text and kept.places[0].box == Box(74, 75, 886, 126)


def test_texts_of_an_example_stand_within_the_margins_of_its_deck(plain: TemplateLayout) -> None:
    layout = replace(plain, places=(place("title", Box(48, 22, 912, 112), plain),))
    body = place("text", Box(0, 126, 900, 463), plain)
    page = replace(layout, slide=14, role="body", places=(*layout.places, body))
    assert settled(layout, page)[1].places[1].box == Box(48, 126, 900, 463)


def test_footers_over_the_edge_of_the_slide_stand_on_it(plain: TemplateLayout) -> None:
    number = place("number", Box(34, 517, 202, 546), plain)
    (layout,) = settled(replace(plain, places=(number,)))
    assert layout.places[0].box == Box(34, 511, 202, 540)


@pytest.mark.parametrize(
    ("box", "moved"),
    [
        pytest.param(Box(-1, 508, 167, 546), Box(19.2, 502, 187.2, 540), id="corner"),
        pytest.param(Box(850, 500, 960, 530), Box(830.8, 500, 940.8, 530), id="right"),
        pytest.param(Box(100, 500, 200, 530), Box(100, 500, 200, 530), id="within"),
    ],
)
def test_feet_stand_on_the_slide(box: Box, moved: Box) -> None:
    assert inside(box, SIZE) == pytest.approx(moved)


def test_free_content_ends_above_the_lower_margin(plain: TemplateLayout) -> None:
    assert on_ground(Box(48, 126, 912, 540), plain) == Box(48, 126, 912, 513)


def test_a_line_within_free_content_goes_with_it(plain: TemplateLayout) -> None:
    line, area = Box(200, 300, 500, 300), Box(48, 126, 912, 500)
    assert holds(area, line)
    shapes = replace(plain.shapes, blocks=((7, line),))
    assert drawn_area(area, replace(plain, fixed=(line,), shapes=shapes)) == area
