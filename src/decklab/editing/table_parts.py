"""Rows, columns and cells of tables: moved, sized, filled, divided; rows of sums."""

import re
from typing import Any

from pptx.presentation import Presentation
from pptx.table import Table

from decklab.editing.finding import EditError
from decklab.editing.phrasing import table_phrase
from decklab.editing.placing import put_fill
from decklab.editing.tables import (
    add_row,
    grow_frame,
    number_in,
    refuse_merged_cell,
    table_of,
    table_texts,
)
from decklab.ooxml.xml import qn


@table_phrase("move {row} {spot:spot} [of {table}]",
              "move {row} {way=up|down} [by one]",
              example="move row 'South' of the table on slide 6 to the start")  # fmt: skip
def move_row(
    prs: Presentation, slide: int, row: int, place: int, *, shape: str | int | None = None
) -> bool:
    """Move a row of a table to another place, both from 1; return whether it stood elsewhere.

    Raises EditError where merged cells cross rows.

    Example: move_row(prs, 4, 3, 2)
    """
    table = table_of(prs, slide, shape)
    rows = table.findall(qn("a:tr"))
    for cell in table.iter(qn("a:tc")):
        refuse_merged_cell(cell, ("vMerge", "rowSpan"), slide)
    return _moved(rows, row, place, "row", slide)


@table_phrase("move {column} {spot:spot} [of {table}]",
              "move {column} {way=left|right} [by one]",
              "swap ({column}|columns {column:sort column}) (and|with) {other:sort column}",
              example="move column 3 of the table on slide 6 before column 2")  # fmt: skip
def move_column(
    prs: Presentation, slide: int, column: int, place: int, *, shape: str | int | None = None
) -> bool:
    """Move a column of a table to another place, both from 1, its width with it; return whether
    it stood elsewhere. Raises EditError where merged cells cross columns.

    Example: move_column(prs, 4, 3, 2)
    """
    table = table_of(prs, slide, shape)
    for cell in table.iter(qn("a:tc")):
        refuse_merged_cell(cell, ("hMerge", "gridSpan"), slide)
    for row in table.findall(qn("a:tr")):
        _moved(row.findall(qn("a:tc")), column, place, "column", slide)
    grid = table.find(qn("a:tblGrid"))
    return _moved(grid.findall(qn("a:gridCol")), column, place, "column", slide)


def _moved(items: list[Any], old: int, new: int, what: str, slide: int) -> bool:
    for place in (old, new):
        _check_place(place, items, what, slide)
    if new > old:
        items[new - 1].addnext(items[old - 1])
    elif new < old:
        items[new - 1].addprevious(items[old - 1])
    return new != old


@table_phrase(
    "(set <width of {column}> to|make {column}) {width:length} [wide]",
    "(set column widths [of {table}] to|make all columns [of {table}]) {width:length} [wide]",
    "make {column} ({by:length} {sign=wider|narrower}|{sign=wider|narrower} by {by:length})",
    example="set the width of column 1 of the table on slide 6 to 4 cm", changes="table geometry",
    follows="table geometry style")  # fmt: skip
def set_column_width(
    prs: Presentation, slide: int, column: int, width: float, *, shape: str | int | None = None
) -> bool:
    """Give a column of a table a width in EMU; the table becomes as wide as its columns are.

    Return whether the width is another. Raises EditError for a width below one point.

    Example: set_column_width(prs, 4, 1, 1_440_000)
    """
    table = table_of(prs, slide, shape)
    columns = table.find(qn("a:tblGrid")).findall(qn("a:gridCol"))
    _check_place(column, columns, "column", slide)
    return _sized(columns[column - 1], "w", width, table)


@table_phrase("(set <height of {row}> to|make {row}) {height:length} [tall]",
              "(set row heights [of {table}] to|make all rows [of {table}]) {height:length} [tall]",
              "make {row} ({by:length} {sign=taller|shorter}|{sign=taller|shorter} by {by:length})",
              example="set the height of row 1 of the table on slide 6 to 2 cm",
              changes="table geometry", follows="table geometry style")  # fmt: skip
def set_row_height(
    prs: Presentation, slide: int, row: int, height: float, *, shape: str | int | None = None
) -> bool:
    """Give a row of a table a least height in EMU; its text may need more.

    Return whether the height is another. Raises EditError for a height below one point.

    Example: set_row_height(prs, 4, 1, 720_000)
    """
    table = table_of(prs, slide, shape)
    rows = table.findall(qn("a:tr"))
    _check_place(row, rows, "row", slide)
    return _sized(rows[row - 1], "h", height, table)


def _check_place(place: int, items: list[Any], what: str, slide: int) -> None:
    if not 1 <= place <= len(items):
        raise EditError(f"the table on slide {slide} has {len(items)} {what}s, no {place}")


def _sized(item: Any, side: str, size: float, table: Any) -> bool:
    """Give a row its height or a column its width, and let the frame grow with it."""
    if not 12_700 <= size <= 2**31:
        raise EditError("a row or column is one point high or wide at least")
    before = int(item.get(side) or 0)
    item.set(side, str(round(size)))
    grow_frame(table, {"w": "cx", "h": "cy"}[side], round(size) - before)
    return round(size) != before


@table_phrase("(fill|color|make|turn) {cells} [(with|in)] {color}",
              "set <(fill|background|background color|fill color) of {cells}> to {color}",
              "give {cells} {color} (background|fill)",
              example="fill the header row of the table on slide 6 with accent2",
              changes="table style")  # fmt: skip
@table_phrase("delete <(fill|background) of {cells}>",
              example="remove the fill of row 2 of the table on slide 6", changes="table style",
              color=None)  # fmt: skip
def fill_cells(
    prs: Presentation,
    slide: int,
    cells: list[tuple[int, int]],
    color: str | None,
    *,
    shape: str | int | None = None,
) -> bool:
    """Fill cells of a table, each (row, column) from 1, with a colour (as in ``format_text``).

    None takes their fill away. Return whether any looks otherwise.

    Example: fill_cells(prs, 4, [(1, 1), (1, 2)], "accent2")
    """
    rows = [row.findall(qn("a:tc")) for row in table_of(prs, slide, shape).findall(qn("a:tr"))]
    changed = False
    for row, column in cells:
        if not (1 <= row <= len(rows) and 1 <= column <= len(rows[row - 1])):
            raise EditError(f"the table on slide {slide} has no cell {row}, {column}")
        changed |= put_fill(rows[row - 1][column - 1].get_or_add_tcPr(), color)
    return changed


@table_phrase("(split|unmerge) {cell}", example="split cell A1 of the table on slide 6")
def split_cell(
    prs: Presentation, slide: int, row: int, column: int, *, shape: str | int | None = None
) -> None:
    """Divide a merged cell into the cells that it was made of; its text stays in the first.

    Raises EditError for a cell that is not merged.

    Example: split_cell(prs, 4, 1, 1)
    """
    table: Any = Table(table_of(prs, slide, shape), None)  # type: ignore[arg-type]
    if not (1 <= row <= len(table.rows) and 1 <= column <= len(table.columns)):
        raise EditError(f"the table on slide {slide} has no cell {row}, {column}")
    cell = table.cell(row - 1, column - 1)
    if not cell.is_merge_origin:
        raise EditError(f"cell {row}, {column} of the table on slide {slide} is not merged")
    cell.split()


@table_phrase(
    "add (total row|row of (sums|totals)|sum row) [(to|of) {shape:table}] [titled {label:single}]",
    example="add a total row to the table on slide 6", follows="style table:height width",
)  # fmt: skip
def add_total_row(
    prs: Presentation, slide: int, *, label: str = "Total", shape: str | int | None = None
) -> None:
    """Add a last row with the sums of the columns whose cells below the header are all numbers.

    A sum has as many decimals as the numbers have, and their thousands' commas. Raises EditError
    where the last row holds sums already, or no column holds numbers only.

    Example: add_total_row(prs, 4)
    """
    texts = table_texts(prs, slide, shape)
    columns = [list(column) for column in zip(*texts[1:], strict=True)]
    sums = [_sum(column) for column in columns[1:]]
    if not any(sums):
        raise EditError(f"no column of the table on slide {slide} holds numbers only")
    last = texts[-1]
    if last[0].strip().casefold() in (label.casefold(), "total", "sum"):
        raise EditError(f"the table on slide {slide} has a row “{last[0]}” already")
    add_row(prs, slide, [label, *sums], shape=shape)


def _sum(texts: list[str]) -> str:
    """The sum of numbers as they are written; empty if one is none or has a unit."""
    if not texts or not all(re.fullmatch(r"\s*[-+\u2212]?[\d,]+(\.\d+)?\s*", one) for one in texts):
        return ""
    decimals = max(len(text.strip().partition(".")[2]) for text in texts)
    comma = "," if any("," in text for text in texts) else ""
    return f"{sum(number_in(text) or 0 for text in texts):{comma}.{decimals}f}"
