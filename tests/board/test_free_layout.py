from pathlib import Path

import pytest
from pptx import Presentation
from pptx.util import Emu

from decklab.board.blueprint import (
    ChartPlan,
    Column,
    DeckPlan,
    GridBox,
    Point,
    SeriesPlan,
    SlidePlan,
    TablePlan,
)
from decklab.board.boxes import ChartBox, TextBox
from decklab.board.compose import Composed, compose
from decklab.board.free_layout import content_names, place_problems
from decklab.board.pptx_deck import write_pptx
from decklab.ooxml.validity.validating import validate_deck

POINTS = (Point(text="Ships called more often"), Point(text="They stayed shorter"))
CHART = ChartPlan(
    kind="column", categories=("Q1", "Q2"), source="Report", unit="Ships",
    series=(SeriesPlan(name="Ships", values=(210.0, 262.0)),),
)  # fmt: skip


def box(content: str, column: int, columns: int, row: int, rows: int) -> GridBox:
    return GridBox(content=content, column=column, columns=columns, row=row, rows=rows)


GOOD = (box("chart", 1, 8, 16, 40), box("text", 9, 4, 16, 40))


def slide(*boxes: GridBox, points: tuple[Point, ...] = POINTS) -> SlidePlan:
    return SlidePlan(
        layout="chart_takeaways", title="Traffic grew", chart=CHART, body=points, boxes=boxes
    )


def made(*slides: SlidePlan, language: str = "en") -> Composed:
    return compose(DeckPlan(title="T", language=language, slides=slides), "light")


def places(composed: Composed) -> dict[str, tuple[float, ...]]:
    return {
        item.name: tuple(item.box)
        for item in composed.slides[0].items
        if isinstance(item, TextBox | ChartBox)
    }


def test_contents_stand_where_the_grid_says() -> None:
    composed = made(slide(*GOOD))
    assert composed.told == ()
    found = places(composed)
    # Columns are 50 wide with gutters of 24 between margins of 48; rows are 8 high.
    assert found["Text"] == (48.0 + 8 * 74, 128.0, 912.0, 448.0)
    assert found["Chart"][0] == 48 and found["Chart"][2] == 48 + 8 * 74 - 24
    assert found["Title"] == places(made(slide()))["Title"]


def test_they_are_mirrored_where_text_runs_from_right_to_left() -> None:
    found = places(made(slide(*GOOD), language="ar"))
    assert found["Text"][0] == 48 and found["Chart"][2] == 912


def test_the_deck_has_native_parts_in_these_places(tmp_path: Path) -> None:
    deck = write_pptx(made(slide(*GOOD)), tmp_path / "deck.pptx")
    assert [one for one in validate_deck(deck) if one.severity == "error"] == []
    (only,) = Presentation(str(deck)).slides
    (chart,) = [shape for shape in only.shapes if shape.has_chart]
    assert list(chart.chart.plots[0].series[0].values) == [210, 262]
    (text,) = [shape for shape in only.placeholders if shape.name == "Text"]
    assert (text.left, text.top) == (Emu(640 * 12700), Emu(128 * 12700))


def test_points_of_a_table_with_places_of_its_own_stand_there_once() -> None:
    table = TablePlan(header=("Quarter", "Ships"), rows=(("Q1", "210"), ("Q2", "262")))
    boxes = (box("table", 1, 8, 16, 30), box("text", 9, 4, 16, 30))
    plan = SlidePlan(layout="table", title="Traffic", table=table, body=POINTS, boxes=boxes)
    composed = made(plan)
    assert composed.told == ()
    texts = [item for item in composed.slides[0].items if isinstance(item, TextBox)]
    shown = [item for item in texts if item.paragraphs[0].text == POINTS[0].text]
    assert [tuple(item.box) for item in shown] == [(48.0 + 8 * 74, 128.0, 912.0, 368.0)]


LONG = (Point(text="Ships called at the harbour more often than before " * 3),) * 12


@pytest.mark.parametrize(
    ("boxes", "said"),
    [
        ((GOOD[0],), "text: it has no place"),
        ((*GOOD, box("picture", 1, 4, 16, 20)), "the slide has only text, chart"),
        ((*GOOD, box("text", 1, 4, 16, 20)), "text: it has 2 places"),
        ((box("chart", 6, 8, 16, 40), box("text", 1, 4, 16, 40)), "beyond column 12"),
        ((box("chart", 1, 8, 8, 40), box("text", 9, 4, 16, 40)), "rows 14 to 57"),
        ((box("chart", 1, 8, 16, 42), box("text", 9, 4, 16, 40)), "rows 14 to 57"),
        ((box("chart", 1, 9, 16, 40), box("text", 9, 4, 16, 40)), "cover each other"),
        ((box("chart", 1, 2, 16, 40), box("text", 9, 4, 16, 40)), "needs 5 columns"),
    ],
)  # fmt: skip
def test_places_that_do_not_hold_give_way_to_the_layout(
    boxes: tuple[GridBox, ...], said: str
) -> None:
    composed = made(slide(*boxes))
    assert said in composed.told[0]
    assert composed.told[0].startswith("slide 1: its own places are not used: ")
    assert places(composed) == places(made(slide()))


def test_text_that_does_not_fit_at_12_points_gives_way_to_the_layout() -> None:
    plan = SlidePlan(layout="body", title="T", body=LONG, boxes=(box("text", 9, 4, 16, 40),))
    composed = made(plan)
    assert "text: Text: the text does not fit at 12 pt" in composed.told[0]
    assert len(composed.slides) > 1


def test_places_keep_a_source_and_a_subtitle_free() -> None:
    plan = SlidePlan(
        layout="two_columns", title="T", subtitle="S", source="Report",
        columns=(Column(heading="A", points=POINTS), Column(heading="B", points=POINTS)),
    )  # fmt: skip
    assert content_names(plan) == ("column 1", "column 2")
    low = plan.model_copy(
        update={"boxes": (box("column 1", 1, 6, 14, 20), box("column 2", 7, 6, 40, 20))}
    )
    assert list(place_problems(low)) == [
        "column 1: it has to stand in the rows 17 to 57",
        "column 2: it has to stand in the rows 17 to 57",
    ]


@pytest.mark.parametrize(
    "plan",
    [
        SlidePlan(layout="title", title="T"),
        SlidePlan(layout="section", title="T"),
        SlidePlan(layout="closing", title="T"),
    ],
)
def test_slides_without_contents_are_laid_out_as_a_whole(plan: SlidePlan) -> None:
    assert content_names(plan) == ()


def test_text_of_a_bounded_size_is_no_larger() -> None:
    plan = SlidePlan(layout="body", title="T", body=POINTS)
    sizes = [
        next(item.style.size for item in made(one).slides[0].items
             if isinstance(item, TextBox) and item.name == "Text")
        for one in (plan, plan.model_copy(update={"text_size": "small"}))
    ]  # fmt: skip
    assert sizes[0] > sizes[1] == 16


def test_each_slide_says_which_of_the_plan_it_is() -> None:
    many = SlidePlan(layout="body", title="T", body=LONG[:8])
    composed = made(slide(*GOOD), many, slide())
    parts = len(composed.slides) - 2
    assert parts > 1
    assert composed.places == (0, *[1] * parts, 2)
