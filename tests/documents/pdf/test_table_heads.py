"""Heads of two rows: each column is named by what stands over it, and nothing is guessed."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from decklab.core.geometry import Box
from decklab.documents.model import DocumentTable
from decklab.documents.pdf.table_heads import HeadCell, HeadRow, joined_head
from decklab.documents.reading import read_document

COLUMNS = [(0.0, 40.0), (100.0, 140.0), (200.0, 240.0), (300.0, 340.0), (400.0, 440.0)]
LOWER = HeadRow(
    tuple(
        HeadCell(text, left, left + 40)
        for text, left in [("Region", 0), ("Sales", 100), ("Costs", 200), ("Sales", 300),
                           ("Costs", 400)]
    ),
    20,
    30,
)  # fmt: skip
YEARS = HeadRow((HeadCell("2023", 160, 180), HeadCell("2024", 360, 380)), 0, 10)
JOINED = ["Region", "2023 / Sales", "2023 / Costs", "2024 / Sales", "2024 / Costs"]


def test_headings_in_the_middle_of_their_columns() -> None:
    assert joined_head([YEARS, LOWER], COLUMNS, [], []) == JOINED


def test_rules_below_headings_say_which_columns_are_theirs() -> None:
    left = HeadRow((HeadCell("2023", 101, 121), HeadCell("2024", 301, 321)), 0, 10)
    rules = [Box(98, 15, 242, 15.5), Box(298, 15, 442, 15.5)]
    assert joined_head([left, LOWER], COLUMNS, rules, []) == JOINED
    uneven = [Box(98, 15, 142, 15.5), Box(198, 15, 442, 15.5)]
    apart = HeadRow((HeadCell("2023", 110, 130), HeadCell("2024", 300, 340)), 0, 10)
    assert joined_head([apart, LOWER], COLUMNS, uneven[1:], []) == [
        "Region", "2023 / Sales", "2024 / Costs", "2024 / Sales", "2024 / Costs",
    ]  # fmt: skip


def test_what_is_not_certain_is_not_joined() -> None:
    between = HeadRow((HeadCell("2023", 130, 150), HeadCell("2024", 330, 350)), 0, 10)
    assert joined_head([between, LOWER], COLUMNS, [], []) is None
    assert joined_head([YEARS, YEARS], COLUMNS, [], []) is None


def table_of(path: Path, draw: Callable[[Canvas], None]) -> DocumentTable:
    content = BytesIO()
    canvas = Canvas(content, pagesize=A4)
    canvas.setFont("Times-Roman", 10)
    draw(canvas)
    canvas.save()
    path.write_bytes(content.getvalue())
    [table] = read_document(path).tables
    return table


ROWS = [("North", "1.9", "1.1", "2.3", "1.2"), ("South", "1.3", "0.9", "1.5", "1.0"),
        ("East", "0.7", "0.4", "0.9", "0.5")]  # fmt: skip


def cells(canvas: Canvas, y: float, texts: tuple[str, ...]) -> None:
    for number, text in enumerate(texts):
        canvas.drawString(100 + 80 * number, y, text)


def printed(canvas: Canvas, *, groups: bool) -> None:
    """A table as books print it, with rules above, below the head and at the end."""
    canvas.drawString(100, 740, "Table 1: Sales and costs by region, in million dollars.")
    canvas.line(95, 725, 470, 725)
    canvas.drawCentredString(232, 710, "2023")
    canvas.drawCentredString(392, 710, "2024")
    if groups:
        canvas.line(175, 705, 290, 705)
        canvas.line(335, 705, 450, 705)
    cells(canvas, 692, ("Region", "Sales", "Costs", "Sales", "Costs"))
    canvas.line(95, 685, 470, 685)
    for number, row in enumerate(ROWS):
        cells(canvas, 670 - 14 * number, row)
    canvas.line(95, 632, 470, 632)


def ruled(canvas: Canvas) -> None:
    """A grid whose upper head cells reach over two columns."""
    for number in range(6):
        y = 725 - 20 * number
        canvas.line(175 if number == 1 else 95, y, 495, y)
    for x in (95, 175, 335, 495):
        canvas.line(x, 725, x, 625)
    for x in (255, 415):
        canvas.line(x, 705, x, 625)
    canvas.drawCentredString(255, 710, "2023")
    canvas.drawCentredString(415, 710, "2024")
    cells(canvas, 690, ("Region", "Sales", "Costs", "Sales", "Costs"))
    for number, row in enumerate(ROWS):
        cells(canvas, 670 - 20 * number, row)


@pytest.mark.parametrize(
    "draw",
    [
        lambda canvas: printed(canvas, groups=True),
        lambda canvas: printed(canvas, groups=False),
        ruled,
    ],
    ids=["short rules", "no short rules", "grid"],
)
def test_tables_of_pages_have_one_head_and_are_native(tmp_path, draw) -> None:
    table = table_of(tmp_path / "a.pdf", draw)
    assert table.rows == (tuple(JOINED), *ROWS)
    assert (table.header_rows, table.native, table.why_not) == (1, True, "")


def ruled_rows(lines: list[list[tuple[str, ...]]]) -> Callable[[Canvas], None]:
    """A table with a rule above, below and between its rows, each of one line or more."""

    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 760, "Table 1. Samples")
        canvas.line(60, 748, 460, 748)
        level = 748
        for row in lines:
            for line in row:
                level -= 14
                for left, text in zip((64, 250, 320), line, strict=True):
                    canvas.drawString(left, level, text)
            level -= 6
            canvas.line(60, level, 460, level)

    return draw


def test_lines_of_cells_between_two_rules_are_one_row(tmp_path: Path) -> None:
    draw = ruled_rows([
        [("Sample", "Taken", "Where they were"), ("type", "", "positive")],
        [("Retained and leftover", "14", "A frozen portion;"), ("food", "", "potato salad")],
        [("Kitchen swabs", "32", "Stick blender")],
        [("Eggs (60, in 10 pools of", "10", "Tray of eggs"), ("6)", "", "")],
    ])  # fmt: skip
    table = table_of(tmp_path / "a.pdf", draw)
    assert table.rows == (
        ("Sample type", "Taken", "Where they were positive"),
        ("Retained and leftover food", "14", "A frozen portion; potato salad"),
        ("Kitchen swabs", "32", "Stick blender"),
        ("Eggs (60, in 10 pools of 6)", "10", "Tray of eggs"),
    )
    assert (table.header_rows, table.native) == (1, True)


def test_rules_around_groups_of_rows_leave_the_rows_apart(tmp_path: Path) -> None:
    draw = ruled_rows([
        [("Region", "Sales", "Costs")],
        [("North", "10", "7"), ("South", "12", "9")],
        [("East", "11", "6"), ("West", "14", "8")],
    ])  # fmt: skip
    rows = table_of(tmp_path / "a.pdf", draw).rows
    assert [row[0] for row in rows] == ["Region", "North", "South", "East", "West"]
