"""Which figure or table a page shows, and whether a chart has the numbers of its table."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable
from decklab.documents.reading import read_documents
from decklab.writer.figures import (
    OfferedVisual,
    chart_problem,
    chart_ref,
    offered_visuals,
    shown_chart,
    small_picture,
)
from decklab.writer.forms import AskedChart
from decklab.writer.outline import Outline, OutlinePage, OutlinePoint, VisualRef
from decklab.writer.slides import deck_plan

REPORT = """# Report

## Traffic

Ships called often in summer.

| Quarter | Ships | Tons |
|---|---|---|
| Q1 | 210 | 300 |
| Q2 | 262 | 310 |
| Q3 | 301 | 350 |
| Q4 | 244 | 320 |

## Staff

The staff trained on the new crane.

![The crane lifts a container](crane.png)

## Weather

| Month | Days of rain |
|---|---|
| June | 9 |
| July | 4 |
| August | 6 |
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("figures")
    Image.new("RGB", (2000, 1000), "#336699").save(folder / "crane.png")
    (folder / "report.md").write_text(REPORT)
    return read_documents([folder / "report.md"])


def page(title: str, *points: str) -> OutlinePage:
    return OutlinePage(title=title, points=tuple(OutlinePoint(text=text) for text in points))


def test_all_that_slides_can_show_is_offered_by_name_with_its_words(sources: KnowledgeBase) -> None:
    offered = {visual.name: visual for visual in offered_visuals(sources)}
    assert list(offered) == ["F1", "T1", "T2"]
    assert offered["F1"].words == (
        "F1: a figure of report.md under 'Staff', 2.0 times as wide as high: "
        "The crane lifts a container"
    )
    assert "Ships called often in summer." in offered["T1"].words
    assert "Q3\t301\t350" in offered["T1"].words and "more rows" not in offered["T1"].words
    assert offered["T2"].ref == VisualRef(kind="table", document="report.md", number=2)
    assert offered_visuals(KnowledgeBase()) == ()


def test_sixty_are_offered_at_most(tmp_path: Path) -> None:
    table = "| Year | Ships |\n|---|---|\n| 2001 | 5 |\n| 2002 | 6 |\n| 2003 | 7 |\n\n"
    (tmp_path / "many.md").write_text(
        "# Many\n\n" + "".join(f"## Part {n}\n\nWords.\n\n{table}" for n in range(70))
    )
    many = offered_visuals(read_documents([tmp_path / "many.md"]))
    assert [visual.name for visual in (many[0], many[-1])] == ["T1", "T60"]


def test_of_a_long_table_the_first_rows_are_offered() -> None:
    rows = (("Year", "Ships"), *((str(year), "5") for year in range(2001, 2031)))
    words = OfferedVisual("T1", DocumentTable("d", 1, rows, header_rows=1)).words
    assert "2015\t5" in words and "2016" not in words and words.endswith("(15 more rows)")


def test_a_table_of_long_cells_is_cut_between_rows_and_words() -> None:
    rows = (("Topic", "What was said"), *((f"Item {n}", "many words " * 30) for n in range(9)))
    *lines, left = OfferedVisual(
        "T1", DocumentTable("d", 1, rows, header_rows=1)
    ).words.splitlines()
    assert left == f"({len(rows) - len(lines) + 1} more rows)" and len(lines) < len(rows)
    assert all(line.endswith(("words …", "many …")) for line in lines[2:])


def test_a_figure_is_shown_small_and_a_table_not(sources: KnowledgeBase) -> None:
    figure, table, _ = (visual.shown for visual in offered_visuals(sources))
    assert small_picture(table) is None
    with Image.open(io.BytesIO(small_picture(figure) or b"")) as picture:
        assert picture.size == (640, 320)


def test_a_chart_of_a_part_of_a_table_has_the_numbers_of_its_cells(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    rows = ("Q1", "Q3", "Q4")
    asked = AskedChart(kind="bar", rows=rows, columns=("Ships",), accent="Q1")
    ref = chart_ref(asked, sources.tables[0])
    shown = page("Ships called in all quarters", "Ships in Q3")
    outline = Outline(title="T", pages=(shown.model_copy(update={"visual": ref}),))
    (slide,) = [s for s in deck_plan(outline, sources, tmp_path).slides if s.chart]
    assert slide.chart is not None
    assert slide.chart.kind == "bar" and slide.chart.categories == rows
    assert slide.chart.accent_category == 0
    assert [(one.name, one.values) for one in slide.chart.series] == [("Ships", (210, 301, 244))]


def test_figures_stand_in_turn_at_the_right_and_the_left_of_the_words(
    sources: KnowledgeBase, tmp_path: Path
) -> None:
    shown = VisualRef(kind="figure", document="report.md", number=1)
    with_words = page("The crane", "It lifts a container").model_copy(update={"visual": shown})
    bare = page("The crane alone").model_copy(update={"visual": shown})
    outline = Outline(title="T", pages=(with_words, with_words, bare))
    slides = [one for one in deck_plan(outline, sources, tmp_path).slides if one.picture]
    assert [one.layout for one in slides] == ["picture_right", "picture_left", "picture_full"]
    [drawn] = tmp_path.iterdir()
    assert drawn.name == "report.md-figure-1.png"
    for one in slides:
        assert one.picture is not None and one.picture.path == str(drawn)
        assert one.picture.alt == "The crane lifts a container"
    with Image.open(drawn) as picture:
        assert picture.width == 2 * picture.height  # as the file beside the report
        assert picture.convert("RGB").getpixel((5, 5)) == (0x33, 0x66, 0x99)


def test_a_pie_of_what_is_no_whole_is_no_chart() -> None:
    table = DocumentTable("d", 1, (("A", "B"), ("x", "-1"), ("y", "2"), ("z", "3")), 1)
    pie = VisualRef(kind="table", document="d", number=1, chart="pie")
    assert shown_chart(table, pie, "S") is None


YEARS = DocumentTable(
    "d", 1, (("Place", "2023", "2025"), ("Home", "58", "44"), ("Café", "4", "29")), 1
)


def asked(
    kind: str, rows: tuple[str, ...], columns: tuple[str, ...], accent: str = ""
) -> AskedChart:
    return AskedChart.model_validate(
        {"kind": kind, "rows": rows, "columns": columns, "accent": accent}, strict=False
    )


def test_a_chart_has_the_rows_and_columns_in_the_order_in_which_they_are_asked_for() -> None:
    wanted = asked("bar", ("Café", "Home"), ("2025", "2023"), "2023")
    assert chart_problem(wanted, YEARS) is None
    chart = shown_chart(YEARS, chart_ref(wanted, YEARS), "S")
    assert chart is not None and chart.categories == ("Café", "Home") and chart.accent == 1
    assert [(one.name, one.values) for one in chart.series] == [
        ("2025", (29, 44)),
        ("2023", (4, 58)),
    ]


def test_a_line_joins_times_wherever_they_stand() -> None:
    wanted = asked("line", ("Home", "Café"), ("2023", "2025"), "Café")
    chart = shown_chart(YEARS, chart_ref(wanted, YEARS), "S")
    assert chart is not None and chart.categories == ("2023", "2025") and chart.accent == 1
    named = replace(YEARS, rows=(("Place", "Plan", "Real"), *YEARS.rows[1:]))
    problem = chart_problem(asked("line", ("Home", "Café"), ("Plan",)), named)
    assert problem == "chart.kind: a line joins dates only; take column, bar or table"


def test_two_bars_and_columns_of_one_unit_are_a_chart_and_words_are_none() -> None:
    two = asked("column", ("Home", "Café"), ("2025",))
    assert chart_problem(two, YEARS) is None
    money = replace(YEARS, rows=(("Item (EUR m)", "Plan", "Real"), *YEARS.rows[1:]))
    chart = shown_chart(
        money, chart_ref(asked("bar", ("Home", "Café"), ("Plan", "Real")), money), "S"
    )
    assert chart is not None and chart.unit == "EUR m" and len(chart.series) == 2
    pie = asked("pie", ("Home", "Café"), ("Plan", "Real"))
    assert "a pie shows one series" in str(chart_problem(pie, money))
    words = replace(YEARS, rows=(("Place", "Who"), ("Home", "Ann"), ("Café", "Bo")))
    assert "not all numbers" in str(chart_problem(asked("bar", ("Home", "Café"), ("Who",)), words))
    assert chart_problem(asked("table", ("Home", "Café"), ("Who",)), words) is None
