"""Tables: cells with their text, fill and borders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from decklab.deck.model.base import Effective
from decklab.deck.model.shapes import Border, Cell
from decklab.deck.sheets import Sheet
from decklab.deck.styles.characters import ChainLink, Overlay
from decklab.deck.styles.fills import NO_FILL, Fill, fill_in, line_of, stated_line
from decklab.deck.styles.table_styles import (
    CellPlace,
    TableFlags,
    TableStyle,
    parts_at,
    style_border,
    style_fill,
    style_run,
)
from decklab.deck.styles.text import StyledText, list_style, read_body, read_text
from decklab.ooxml.xml import Element, flag, parse_emu, parse_int, qn

_FLAGS = {
    "first_row": "firstRow",
    "last_row": "lastRow",
    "first_column": "firstCol",
    "last_column": "lastCol",
    "row_bands": "bandRow",
    "column_bands": "bandCol",
}
_SIDES = {"left": "a:lnL", "top": "a:lnT", "right": "a:lnR", "bottom": "a:lnB"}


@dataclass(frozen=True)
class _Table:
    """Values for all cells of one table."""

    sheet: Sheet
    style: TableStyle | None
    fill: Effective[Fill] | None
    """The table's own fill, for cells that have none."""
    flags: TableFlags


def table_fields(element: Element, sheet: Sheet) -> dict[str, Any]:
    """The table in an ``a:tbl`` element of a sheet, by the names of the model's fields."""
    properties = element.find(qn("a:tblPr"))
    id = None if properties is None else properties.findtext(qn("a:tableStyleId"))
    id = (id or "").strip() or None
    own = fill_in(properties, sheet.look, sheet.source)
    table = _Table(
        sheet,
        _style(properties, id, sheet),
        None if own is None else Effective(own, "shape"),
        _flags(properties),
    )
    cells = tuple(tuple(row) for row in _rows(element, table))
    columns = element.iterfind(f"{qn('a:tblGrid')}/{qn('a:gridCol')}")
    rows = element.iterfind(qn("a:tr"))
    return {
        "cells": tuple(tuple("" if c.covered else c.text for c in row) for row in cells),
        "columns": tuple(sheet.reading.across(parse_emu(item.get("w")) or 0) for item in columns),
        "heights": tuple(sheet.reading.down(parse_emu(item.get("h")) or 0) for item in rows),
        "rows": cells,
        "style_id": id,
        **{name: getattr(table.flags, name) for name in _FLAGS},
    }


def _style(properties: Element | None, id: str | None, sheet: Sheet) -> TableStyle | None:
    inline = None if properties is None else properties.find(qn("a:tableStyle"))
    if inline is not None:
        return TableStyle.read(inline)
    return sheet.reading.table_styles.get(id) if id else None


def _flags(properties: Element | None) -> TableFlags:
    if properties is None:
        return TableFlags()
    return TableFlags(**{name: flag(properties.get(key)) is True for name, key in _FLAGS.items()})


def _rows(element: Element, table: _Table) -> Iterator[Iterator[Cell]]:
    rows = [row.findall(qn("a:tc")) for row in element.iterfind(qn("a:tr"))]
    columns = max((len(row) for row in rows), default=0)
    for number, row in enumerate(rows):
        yield (
            _cell(cell, _place(cell, number, column, len(rows), columns), table)
            for column, cell in enumerate(row)
        )


def _place(cell: Element, row: int, column: int, rows: int, columns: int) -> CellPlace:
    down, across = parse_int(cell.get("rowSpan")) or 1, parse_int(cell.get("gridSpan")) or 1
    return CellPlace(row, column, rows, columns, max(down, 1), max(across, 1))


def _cell(cell: Element, at: CellPlace, table: _Table) -> Cell:
    properties = cell.find(qn("a:tcPr"))
    parts = parts_at(at, table.flags)
    borders = {side: _border(side, properties, parts, at, table) for side in _SIDES}
    text = _text(cell, properties, parts, table)
    fill = _fill(properties, parts, table)
    return Cell(
        text=text.text,
        paragraphs=text.paragraphs,
        body=text.body,
        fill=fill.value.hex,
        paint=fill.value.paint,
        row_span=at.row_span,
        column_span=at.column_span,
        covered=flag(cell.get("hMerge")) is True or flag(cell.get("vMerge")) is True,
        sources={} if fill.source == "default" else {"fill": fill.source},
        **borders,
    )


def _border(
    side: str, properties: Element | None, parts: Sequence[str], at: CellPlace, table: _Table
) -> Border:
    sheet, style = table.sheet, table.style
    styled = {} if style is None else style_border(style, parts, side, at, sheet.look)
    line = None if properties is None else properties.find(qn(_SIDES[side]))
    if line is None:
        return line_of(styled)
    return line_of(styled, stated_line(line, "shape", sheet.look, sheet.source))


def _fill(properties: Element | None, parts: Sequence[str], table: _Table) -> Effective[Fill]:
    own = fill_in(properties, table.sheet.look, table.sheet.source)
    if own is not None:
        return Effective(own, "shape")
    styled = None if table.style is None else style_fill(table.style, parts, table.sheet.look)
    return styled or table.fill or Effective(NO_FILL, "default")


def _text(
    cell: Element, properties: Element | None, parts: Sequence[str], table: _Table
) -> StyledText:
    sheet, style = table.sheet, table.style
    body = read_body([] if properties is None else [(properties, "shape")])
    holder = cell.find(qn("a:txBody"))
    if holder is None:
        return StyledText(body, ())
    chain: list[ChainLink] = list(sheet.reading.defaults)
    if style is not None:
        chain.append(Overlay((style, *parts), style_run(style, parts, sheet.look)))
    chain += list_style(holder, "shape", sheet.source)
    return read_text(holder, body, chain, sheet)
