"""The point that a model names stands out in whatever layout the page has."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from decklab.board.blueprint import ChartPlan, SeriesPlan, SlidePlan, TablePlan
from decklab.board.library import LayoutName
from decklab.documents.knowledge import KnowledgeBase
from decklab.writer.layout_slides import layout_lines, slide_in_layout
from decklab.writer.outline import Evidence, OutlinePage, OutlinePoint, VisualRef
from decklab.writer.slides import slide_of_page

TABLE = TablePlan(header=("Item", "Cost"), rows=(("Guard", "5"), ("Heat", "3")))
CHART = ChartPlan(
    kind="column", categories=("a", "b"), source="S",
    series=(SeriesPlan(name="n", values=(1.0, 2.0)),),
)  # fmt: skip


def made(layout: LayoutName, accent: int, *points: dict[str, Any], **changes: Any) -> SlidePlan:
    own = tuple(OutlinePoint(**point) for point in points)
    page = OutlinePage(title="T", layout=layout, points=own, accent=accent)
    return slide_in_layout(page, layout, {"title": "T", **changes}, {})


LABELLED = tuple({"text": f"text {name}", "label": name} for name in "abcd")
GROUPED = (
    {"text": "a", "group": "one"}, {"text": "b", "group": "two"}, {"text": "c", "group": "one"},
    {"text": "d", "group": "two"},
)  # fmt: skip


@pytest.mark.parametrize(
    "layout",
    ["body", "statement", "checklist", "call_to_action", "big_numbers", "timeline", "process",
     "cards", "faq", "two_by_two", "cycle", "funnel", "pyramid", "next_steps", "decisions",
     "team"],
)  # fmt: skip
def test_the_second_of_four_points(layout: LayoutName) -> None:
    slide = made(layout, 2, *LABELLED)
    assert slide.top is slide.items[1] and "b" in str(slide.top)
    assert made(layout, 0, *LABELLED).top is None


@pytest.mark.parametrize("layout", ["two_columns", "comparison", "before_after", "swimlanes"])
def test_points_in_groups_are_found_where_their_group_puts_them(layout: LayoutName) -> None:
    slide = made(layout, 3, *GROUPED)
    assert slide.key == 1 and getattr(slide.top, "text", "") == "c"


def test_of_a_formula_one_of_its_parts_stands_out() -> None:
    slide = made("formula", 3, *LABELLED)
    assert slide.top is slide.steps[1]
    assert made("formula", 1, *LABELLED).top is None


def test_a_row_of_a_table_stands_out_where_no_points_stand_beside_it() -> None:
    visual = VisualRef(kind="table", document="d", number=1, rows=("Heat",), accent="Heat")
    page = OutlinePage(title="T", layout="table", visual=visual)
    slide = slide_in_layout(page, "table", {"title": "T"}, {"table": TABLE})
    assert slide.top == ("Heat", "3")
    point = OutlinePoint(text="a")
    beside = page.model_copy(update={"points": (point, point), "accent": 1})
    assert slide_in_layout(beside, "table", {"title": "T"}, {"table": TABLE}).key == 0


def test_a_layout_without_items_has_none_that_stands_out() -> None:
    said = {"text": "we sleep", "label": "Ann"}
    assert made("quote", 1, said).key is None


def test_a_free_page_shows_its_chart_where_its_html_has_a_place() -> None:
    page = OutlinePage(title="T", layout="free", html="<figure></figure><p>a</p>")
    slide = slide_in_layout(page, "free", {"title": "T"}, {"chart": CHART})
    assert slide.chart is not None
    bare = page.model_copy(update={"html": "<p>a</p>"})
    assert slide_in_layout(bare, "free", {"title": "T"}, {"chart": CHART}).chart is None
    assert "figure" in layout_lines(["chart"], free=True).splitlines()[-1]
    assert "<figure" not in layout_lines([], free=True).splitlines()[-1]


def test_points_with_numbers_of_one_unit_are_bars() -> None:
    rows = tuple(
        {"text": name, "label": label}
        for name, label in (("East", "$1,250 million"), ("West", "$ 40.5 million"))
    )
    chart = made("chart", 2, *rows, source="S").chart
    assert chart is not None and chart.source == "S" and chart.unit == "$ million"
    assert chart.series[0].values == (1250.0, 40.5) and chart.categories == ("East", "West")
    assert chart.accent_category == 1
    mixed = ({**rows[0], "label": "12 %"}, rows[1])
    for bad in (mixed, ({**rows[0], "label": "few"}, rows[1])):
        with pytest.raises(ValidationError, match="chart"):
            made("chart", 0, *bad, source="S")


def test_points_in_rows_and_columns_are_a_table() -> None:
    points = tuple(
        {"text": text, "label": row, "group": column}
        for row, column, text in (("a", "x", "1"), ("a", "y", "2"), ("b", "y", "3"))
    )
    slide = made("table", 3, *points)
    assert slide.table == TablePlan(header=("", "x", "y"), rows=(("a", "1", "2"), ("b", "", "3")))
    assert slide.top == ("b", "", "3")
    assert made("table", 0, *points).key is None


def test_points_with_periods_are_a_schedule() -> None:
    points = (
        {"text": "May; June; July"},
        {"text": "Dig", "label": "May", "group": "June"},
        {"text": "Fill", "label": "July", "group": "July"},
    )
    slide = made("gantt", 3, *points)
    assert slide.schedule is not None and slide.schedule.periods == ("May", "June", "July")
    assert [(task.first, task.last) for task in slide.schedule.tasks] == [(1, 2), (3, 3)]
    assert slide.top is slide.schedule.tasks[1]
    with pytest.raises(ValidationError):
        made("gantt", 0, points[0], {"text": "Dig", "label": "March", "group": "June"})


def test_charts_of_points_are_offered_where_the_page_has_no_table() -> None:
    for shown in ([], ["picture"]):
        assert "chart: numbers that are compared" in layout_lines(shown)
    assert "chart: numbers that are compared" not in layout_lines(["chart", "table"])
    assert "gantt:" in layout_lines([])


def test_bars_of_points_name_the_documents_of_their_quotes(tmp_path: Path) -> None:
    points = tuple(
        OutlinePoint(text=name, label="5 %", evidence=(Evidence(document=name, quote="5 %"),))
        for name in ("a.md", "b.md")
    )
    page = OutlinePage(title="T", layout="chart", points=points)
    slide = slide_of_page(page, KnowledgeBase(), tmp_path, "de")
    assert slide.chart is not None and slide.chart.source == "Quelle: a.md, b.md"
    assert slide.source is None
