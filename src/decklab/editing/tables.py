"""Tables added; their rows, columns and cells, new ones in the looks of their neighbours."""

import re
from calendar import day_abbr, day_name, month_abbr, month_name
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from pptx.presentation import Presentation
from pptx.table import Table

from decklab.editing.finding import EditError, GivenShape, find_graphic, slide_at
from decklab.editing.phrasing import new_phrase, table_phrase
from decklab.editing.placing import PxBox, emu_lengths, put_fill
from decklab.editing.table_looks import fitting_size, readable_style
from decklab.editing.texts import SIZE_WITHOUT_ANY, fill_cell, resize_text
from decklab.ooxml.xml import qn

_ROW_ID = "{http://schemas.microsoft.com/office/drawing/2014/main}rowId"
_COLUMN_ID = "{http://schemas.microsoft.com/office/drawing/2014/main}colId"

_IN_ORDER: tuple[tuple[str, ...], ...] = tuple(
    tuple(name.casefold() for name in names[start:])
    for names, start in ((month_name, 1), (month_abbr, 1), (day_name, 0), (day_abbr, 0))
)
"""Names that have an order of their own."""


def table_of(prs: Presentation, slide: int, shape: GivenShape = None) -> Any:
    """The table element of a slide; raises EditError if there is none, or which is not said."""
    return find_graphic(prs, slide, shape, qn("a:tbl"), "table")


@new_phrase(
    "add table with {row_count:number} rows and {column_count:number} columns {on} [{box}]",
    "add {row_count:number} (by|x) {column_count:number} table {on} [{box}]",
    example="add a table with 3 rows and 2 columns to slide 1 at 60, 300, 400 by 120")  # fmt: skip
@new_phrase(
    "add table with (columns|headings) {texts:list} [and {row_count:number} rows] {on} [{box}]",
    example="add a table with the headings 'Region' and 'Sales' to slide 1 at 60, 300, 400 by 90",
)
def add_table(
    prs: Presentation, slide: int, box: PxBox, rows: Sequence[Sequence[str]], *, header: bool = True
) -> int:
    """Add a table in the colours of the theme; return its id.

    ``rows`` are its texts, the first row its header with ``header``; short rows end with empty
    cells. ``box`` is left, top, width and height in pixels of the 960x540 frame; columns share
    its width. The header has the first accent on which it can be read; the text is 18 pt, or
    smaller where the rows would not fit the box.

    Example: add_table(prs, 2, (60, 130, 840, 200), [["Region", "2025"], ["North", "3.5"]])
    """
    if not (columns := max((len(row) for row in rows), default=0)):
        raise EditError("a table has one row and one column at least")
    sides = emu_lengths(prs, box)
    held = slide_at(prs, slide)
    native: Any = held.shapes.add_table(len(rows), columns, *sides)
    native.table.first_row = header
    next(native._element.iter(qn("a:tableStyleId"))).text = readable_style(held)
    for row, texts in zip(native._element.iter(qn("a:tr")), rows, strict=True):
        for cell, text in zip(row.iter(qn("a:tc")), texts, strict=False):
            fill_cell(cell, str(text))
    if (size := fitting_size(rows, sides[2] / columns, sides[3])) != SIZE_WITHOUT_ANY:
        points = size - SIZE_WITHOUT_ANY
        resize_text(prs, slide, native._element.iter(qn("a:p")), points=points)
    return int(native.shape_id)


@table_phrase("merge {first:cell} (with|and|to) {last:cell} {on} [of {table}]",
              "merge cells {first:grid cell} (with|and|to|through) {last:grid cell} [of {table}]",
              "merge first {count:number} cells of {row}",
              example="merge cell A1 and cell B1 on slide 6")  # fmt: skip
def merge_cells(
    prs: Presentation,
    slide: int,
    first: tuple[int, int],
    last: tuple[int, int],
    *,
    shape: GivenShape = None,
) -> None:
    """Make the cells from ``first`` to ``last``, each (row, column) from 1, one cell.

    Their texts become its paragraphs. Raises EditError where they touch merged cells.

    Example: merge_cells(prs, 4, (1, 2), (1, 3))
    """
    table: Any = Table(table_of(prs, slide, shape), None)  # type: ignore[arg-type]
    rows, columns = len(table.rows), len(table.columns)
    for row, column in (first, last):
        if not (1 <= row <= rows and 1 <= column <= columns):
            size = f"{rows} rows and {columns} columns"
            raise EditError(f"the table on slide {slide} has {size}, no cell {row}, {column}")
    if first == last:
        raise EditError("one cell cannot be merged; name two")
    try:
        table.cell(first[0] - 1, first[1] - 1).merge(table.cell(last[0] - 1, last[1] - 1))
    except ValueError as error:
        raise EditError(f"the cells cannot be merged: {error}") from None


def table_texts(prs: Presentation, slide: int, shape: GivenShape = None) -> list[list[str]]:
    """The texts of a table, row by row.

    Example: table_texts(prs, 4)
    """
    rows = table_of(prs, slide, shape).findall(qn("a:tr"))
    return [[_text(cell) for cell in row.findall(qn("a:tc"))] for row in rows]


@table_phrase(
    "add [new] row [(to|of) {table} {on}] [((with|saying) {texts:list}|{texts:names})] "
    "[{spot:spot}]",
    "add [new] row (with|saying) {texts:list} (to|of) {table}",
    "add [new] row [{spot:spot}] [(to|of) {table} {on}] [(with|saying|:) {texts:list}]",
    "add [new] row (for|titled) {label:single} with {texts:list} [{spot:spot}] [(to|of) {table}]",
    example="add a row to the table on slide 6 with A, B, C", follows="style table:height width",
)  # fmt: skip
def add_row(
    prs: Presentation,
    slide: int,
    texts: Sequence[str],
    *,
    after: int | None = None,
    shape: GivenShape = None,
) -> None:
    """Add a row after a row (1-based; 0 puts it first), at the end where nothing is said.

    It looks as the row it stands below, or above for the first. Cells beyond ``texts`` are empty.
    Raises EditError for more texts than cells, or where merged cells cross the place.

    Example: add_row(prs, 4, ["Total", "17 %"])
    """
    table = table_of(prs, slide, shape)
    rows = table.findall(qn("a:tr"))
    at = _new_place(after, len(rows), "row", slide)
    model = rows[max(at - 1, 0)]
    if at < len(rows):
        _refuse_merged(rows[at], ("vMerge",), slide)
    fresh = deepcopy(model)
    cells = fresh.findall(qn("a:tc"))
    _check_texts(texts, len(cells), "row", "columns")
    _forget_ids(fresh, _ROW_ID)
    for number, cell in enumerate(cells):
        for name in ("rowSpan", "vMerge"):
            cell.attrib.pop(name, None)
        fill_cell(cell, texts[number] if number < len(texts) else "")
    (model.addnext if at else model.addprevious)(fresh)
    grow_frame(table, "cy", int(fresh.get("h") or 0))


@table_phrase(
    "delete {row}",
    example="delete the last row of the table on slide 6", follows="style:height width",
)  # fmt: skip
def delete_row(prs: Presentation, slide: int, row: int, *, shape: GivenShape = None) -> None:
    """Take out a row, counted from 1. Raises EditError where merged cells cross it.

    Example: delete_row(prs, 4, 2)
    """
    table = table_of(prs, slide, shape)
    rows = table.findall(qn("a:tr"))
    _check(row, len(rows), "row", slide)
    _refuse_merged(rows[row - 1], ("vMerge", "rowSpan"), slide)
    table.remove(rows[row - 1])
    grow_frame(table, "cy", -int(rows[row - 1].get("h") or 0))


@table_phrase("add [new] columns [(to|of) {table} {on}] [(with|saying) {texts:list}] [{spot:spot}]",
              "add [new] columns (with|saying) {texts:list} (to|of) {table}",
              "add [new] columns [{spot:spot}] [(to|of) {table} {on}] [(with|saying) {texts:list}]",
              "add [new] columns [(to|of) {table} {on}] titled {label:words} [{spot:spot}]",
              example="add a column to the table on slide 6 after column 1",
              follows="style table:height width")  # fmt: skip
def add_column(
    prs: Presentation,
    slide: int,
    texts: Sequence[str],
    *,
    after: int | None = None,
    shape: GivenShape = None,
) -> None:
    """Add a column after a column (1-based; 0 puts it first), at the end where nothing is said.

    It looks as the column to its left, or to its right for the first. The others become narrower,
    so that the table stays as wide as it is.

    Example: add_column(prs, 4, ["2025", "3", "4"], after=1)
    """
    table = table_of(prs, slide, shape)
    grid = table.find(qn("a:tblGrid"))
    columns = grid.findall(qn("a:gridCol"))
    at = _new_place(after, len(columns), "column", slide)
    rows = table.findall(qn("a:tr"))
    _check_texts(texts, len(rows), "column", "rows")
    model = max(at - 1, 0)
    for number, row in enumerate(rows):
        cells = row.findall(qn("a:tc"))
        if 0 < at < len(cells):
            refuse_merged_cell(cells[at], ("hMerge",), slide)
        fresh = deepcopy(cells[model])
        for name in ("gridSpan", "hMerge"):
            fresh.attrib.pop(name, None)
        fill_cell(fresh, texts[number] if number < len(texts) else "")
        cells[model].addnext(fresh) if at else cells[model].addprevious(fresh)
    fresh = deepcopy(columns[model])
    _forget_ids(fresh, _COLUMN_ID)
    columns[model].addnext(fresh) if at else columns[model].addprevious(fresh)
    _share_width(grid, sum(int(column.get("w")) for column in columns))


@table_phrase(
    "delete {column}",
    example="delete column 2 of the table on slide 6", follows="style:height width")  # fmt: skip
def delete_column(prs: Presentation, slide: int, column: int, *, shape: GivenShape = None) -> None:
    """Take out a column, counted from 1; the others keep their width.

    Example: delete_column(prs, 4, 3)
    """
    table = table_of(prs, slide, shape)
    grid = table.find(qn("a:tblGrid"))
    columns = grid.findall(qn("a:gridCol"))
    _check(column, len(columns), "column", slide)
    rows = table.findall(qn("a:tr"))
    for row in rows:
        cell = row.findall(qn("a:tc"))[column - 1]
        refuse_merged_cell(cell, ("hMerge", "gridSpan"), slide)
    for row in rows:
        row.remove(row.findall(qn("a:tc"))[column - 1])
    grid.remove(columns[column - 1])
    grow_frame(table, "cx", -int(columns[column - 1].get("w") or 0))


def _new_place(after: int | None, count: int, what: str, slide: int) -> int:
    """Behind how many of its kind a new row or column comes."""
    at = count if after is None else after
    if not count or not 0 <= at <= count:
        raise EditError(f"the table on slide {slide} has {count} {what}s, no {what} {at}")
    return at


def _check_texts(texts: Sequence[str], cells: int, what: str, across: str) -> None:
    if len(texts) > cells:
        raise EditError(f"the {what} has {len(texts)} texts; the table has {cells} {across}")


def _text(cell: Any) -> str:
    return "\n".join(
        "".join(item.text or "" for item in paragraph.iter(qn("a:t")))
        for paragraph in cell.iter(qn("a:p"))
    )


def _check(number: int, count: int, what: str, slide: int) -> None:
    if not 1 <= number <= count:
        raise EditError(f"the table on slide {slide} has {count} {what}s, no {what} {number}")
    if count == 1:
        raise EditError(f"it is the only {what} of the table; delete the table")


def _refuse_merged(row: Any, names: tuple[str, ...], slide: int) -> None:
    for cell in row.findall(qn("a:tc")):
        refuse_merged_cell(cell, names, slide)


def refuse_merged_cell(cell: Any, names: tuple[str, ...], slide: int) -> None:
    """Raise EditError for a cell that is merged, as some of its attributes say."""
    for name in names:
        if cell.get(name) not in (None, "0", "false", "1" if "Span" in name else "0"):
            raise EditError(f"merged cells of the table on slide {slide} cross that place")


def _forget_ids(item: Any, tag: str) -> None:
    """A copy may not have the id of its model."""
    for held in list(item.iter(tag)):
        extension = held.getparent()
        listed = extension.getparent()
        listed.remove(extension)
        if not len(listed):
            listed.getparent().remove(listed)


def _share_width(grid: Any, total: int) -> None:
    columns = grid.findall(qn("a:gridCol"))
    wide = sum(int(column.get("w")) for column in columns)
    for column in columns:
        column.set("w", str(int(column.get("w")) * total // wide))


def grow_frame(table: Any, name: str, by: int) -> None:
    """The frame of a table says how large it is."""
    frame = next((item for item in table.iterancestors(qn("p:graphicFrame"))), None)
    extent = None if frame is None else frame.find(f"{qn('p:xfrm')}/{qn('a:ext')}")
    if extent is not None:
        extent.set(name, str(max(0, int(extent.get(name)) + by)))


@table_phrase("sort {shape:table} by {column:sort column} {on} [[,] {descending:order}]",
              "sort [rows] {on} by {column:sort column} [[,] {descending:order}]",
              "sort <rows of {shape:table}> by {column:sort column} [[,] {descending:order}]",
              example="sort the table on slide 6 by column 3 descending")  # fmt: skip
def sort_rows(
    prs: Presentation,
    slide: int,
    column: int,
    *,
    descending: bool | str = False,
    shape: GivenShape = None,
) -> bool:
    """Sort the rows of a table below its header by a column; return whether any moved.

    A last row that the table shows as its total stays the last.

    If all texts of the column hold a number, such as ``€ 1,200`` or ``17 %``, numbers count; months
    and days of the week stand in their own order; else letters count, without their case. Rows
    that are equal keep their order, empty cells come last.
    Raises EditError where merged cells cross rows.

    Example: sort_rows(prs, 4, 2, descending=True)
    """
    table = table_of(prs, slide, shape)
    rows = table.findall(qn("a:tr"))
    _check_place(column, rows[0].findall(qn("a:tc")), "column", slide)
    for row in rows:
        _refuse_merged(row, ("vMerge", "rowSpan"), slide)
    is_last = has_total(prs, slide, shape)
    body = rows[_shows(table, "firstRow") : len(rows) - is_last]
    texts = [_text(row.findall(qn("a:tc"))[column - 1]).strip() for row in body]
    numbers = [number_in(text) for text in texts]
    keys: list[Any] = [text.casefold() for text in texts]
    if all(number is not None for number, text in zip(numbers, texts, strict=True) if text):
        keys = numbers
    elif names := next((names for names in _IN_ORDER if set(keys) <= set(names)), ()):
        keys = [names.index(key) for key in keys]
    full = [index for index, text in enumerate(texts) if text]
    order = sorted(full, key=keys.__getitem__, reverse=bool(descending))
    order += [index for index, text in enumerate(texts) if not text]
    table.extend([body[index] for index in order])
    table.extend([*rows[len(rows) - is_last :], *table.findall(qn("a:extLst"))])
    return order != list(range(len(body)))


def has_total(prs: Presentation, slide: int, shape: GivenShape = None) -> bool:
    """Whether a table shows its last row as its total."""
    return _shows(table_of(prs, slide, shape), "lastRow")


def _shows(table: Any, part: str) -> bool:
    look = table.find(qn("a:tblPr"))
    return look is not None and look.get(part) in ("1", "true")


def number_in(text: str) -> float | None:
    """The number in a text with at most one, thousands divided by commas or blanks."""
    plain = re.sub(r"(?<=\d)[,\u00a0\u202f ](?=\d{3}\b)", "", text)
    held = re.findall(r"[-+\u2212]?\d+(?:\.\d+)?", plain)
    return float(held[0].replace("\u2212", "-")) if len(held) == 1 else None


def part_of_table(
    prs: Presentation, slide: int, shape: str | int, part: str, place: int | None
) -> list[Any]:
    """The text bodies of a table's ``header`` (its first row), or of a ``row`` or ``column``.

    Places count from 1, negative ones from the end. Raises EditError if there is none.
    """
    rows = table_of(prs, slide, shape).findall(qn("a:tr"))
    grid = [row.findall(qn("a:tc")) for row in rows]
    if part == "column":
        grid = [list(cells) for cells in zip(*grid, strict=True)]
    if (at := 1 if part == "header" else place) is None:
        raise EditError(f"say which {part} of the table")
    index = at - 1 if at > 0 else len(grid) + at
    if not 0 <= index < len(grid):
        raise EditError(f"the table on slide {slide} has {len(grid)} {part}s, no {part} {at}")
    return [body for cell in grid[index] for body in cell.iterfind(qn("a:txBody"))]


@table_phrase("move {row} {spot:spot} [of {table}]",
              "move {row} {way=up|down} [by one]",
              example="move row 'South' of the table on slide 6 to the start")  # fmt: skip
def move_row(
    prs: Presentation, slide: int, row: int, place: int, *, shape: GivenShape = None
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
    prs: Presentation, slide: int, column: int, place: int, *, shape: GivenShape = None
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
    for at in (old, new):
        _check_place(at, items, what, slide)
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
    prs: Presentation, slide: int, column: int, width: float, *, shape: GivenShape = None
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
    prs: Presentation, slide: int, row: int, height: float, *, shape: GivenShape = None
) -> bool:
    """Give a row of a table a least height in EMU; its text may need more.

    Return whether the height is another. Raises EditError for a height below one point.

    Example: set_row_height(prs, 4, 1, 720_000)
    """
    table = table_of(prs, slide, shape)
    rows = table.findall(qn("a:tr"))
    _check_place(row, rows, "row", slide)
    return _sized(rows[row - 1], "h", height, table)


def _check_place(at: int, items: list[Any], what: str, slide: int) -> None:
    if not 1 <= at <= len(items):
        raise EditError(f"the table on slide {slide} has {len(items)} {what}s, no {at}")


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
    shape: GivenShape = None,
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
    prs: Presentation, slide: int, row: int, column: int, *, shape: GivenShape = None
) -> None:
    """Divide a merged cell into the cells that it was made of; its text stays in the first.

    Raises EditError for a cell that is not merged.

    Example: split_cell(prs, 4, 1, 1)
    """
    table: Any = Table(table_of(prs, slide, shape), None)  # type: ignore[arg-type]
    if not (1 <= row <= len(table.rows) and 1 <= column <= len(table.columns)):
        raise EditError(f"the table on slide {slide} has no cell {row}, {column}")
    if not (cell := table.cell(row - 1, column - 1)).is_merge_origin:
        raise EditError(f"cell {row}, {column} of the table on slide {slide} is not merged")
    cell.split()


@table_phrase(
    "add (total row|row of (sums|totals)|sum row) [(to|of) {shape:table}] [titled {label:single}]",
    example="add a total row to the table on slide 6", follows="style table:height width",
)  # fmt: skip
def add_total_row(
    prs: Presentation, slide: int, *, label: str = "Total", shape: GivenShape = None
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
    if (last := texts[-1])[0].strip().casefold() in (label.casefold(), "total", "sum"):
        raise EditError(f"the table on slide {slide} has a row “{last[0]}” already")
    add_row(prs, slide, [label, *sums], shape=shape)


def _sum(texts: list[str]) -> str:
    """The sum of numbers as they are written; empty if one is none or has a unit."""
    number = re.compile(r"\s*[-+\u2212]?[\d,]+(\.\d+)?\s*")
    if not texts or not all(map(number.fullmatch, texts)):
        return ""
    decimals = max(len(text.strip().partition(".")[2]) for text in texts)
    comma = "," if any("," in text for text in texts) else ""
    return f"{sum(number_in(text) or 0 for text in texts):{comma}.{decimals}f}"
