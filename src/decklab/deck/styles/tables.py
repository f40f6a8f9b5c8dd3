"""Effective styles of tables: cells with their text, fill and borders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from decklab.deck.model.base import Effective
from decklab.deck.part import Source
from decklab.deck.styles.bodies import read_body
from decklab.deck.styles.fills import NO_FILL, Fill, fill_in
from decklab.deck.styles.inheritance import Inheritance, Overlay, Step
from decklab.deck.styles.lines import LineStyle, line_of, stated_line
from decklab.deck.styles.table_styles import (
    CellPlace,
    TableFlags,
    TableStyle,
    TableStyles,
    parts_at,
    style_border,
    style_fill,
    style_run,
)
from decklab.deck.styles.text import StyledText, read_styled_text
from decklab.deck.styles.themes import MappedTheme, Stated
from decklab.ooxml.units import flag, parse_int
from decklab.ooxml.xml import Element, qn

_FLAGS = {
    "first_row": "firstRow",
    "last_row": "lastRow",
    "first_column": "firstCol",
    "last_column": "lastCol",
    "row_bands": "bandRow",
    "column_bands": "bandCol",
}
_SIDES = {"left": "a:lnL", "top": "a:lnT", "right": "a:lnR", "bottom": "a:lnB"}


@dataclass(frozen=True, slots=True)
class StyledCell:
    """One cell of the grid, cells that a merged one covers included."""

    text: StyledText
    fill: Effective[Fill]
    left: LineStyle
    top: LineStyle
    right: LineStyle
    bottom: LineStyle
    row_span: int
    column_span: int
    covered: bool
    """Whether a merged cell to the left or above covers it."""


@dataclass(frozen=True, slots=True)
class StyledTable:
    """A table."""

    style_id: str | None
    """Id of its style, in braces; None where it names none."""
    style_known: bool
    """False where it names a style that neither the deck nor PowerPoint defines."""
    flags: TableFlags
    rows: tuple[tuple[StyledCell, ...], ...]


@dataclass(frozen=True)
class TableContext:
    """What the cells of a table are read against."""

    inheritance: Inheritance
    source: Source
    defaults: Sequence[Step]
    styles: TableStyles

    @property
    def look(self) -> MappedTheme:
        """Theme and colour map."""
        return self.inheritance.look


@dataclass(frozen=True)
class _Dress:
    """What holds for all cells of one table."""

    style: TableStyle | None
    fill: Effective[Fill] | None
    """The table's own fill, behind cells that have none."""
    flags: TableFlags


def read_table(element: Element, context: TableContext) -> StyledTable:
    """The table in an ``a:tbl`` element."""
    properties = element.find(qn("a:tblPr"))
    id = None if properties is None else properties.findtext(qn("a:tableStyleId"))
    id = (id or "").strip() or None
    style = context.styles.get(id) if id else None
    inline = None if properties is None else properties.find(qn("a:tableStyle"))
    if inline is not None:
        style = TableStyle.read(inline)
    own = None if properties is None else fill_in(properties, context.look, context.source)
    dress = _Dress(style, None if own is None else Effective(own, "shape"), _flags(properties))
    return StyledTable(
        style_id=id,
        style_known=id is None or style is not None,
        flags=dress.flags,
        rows=tuple(tuple(row) for row in _rows(element, dress, context)),
    )


def _flags(properties: Element | None) -> TableFlags:
    if properties is None:
        return TableFlags()
    return TableFlags(**{name: flag(properties.get(key)) is True for name, key in _FLAGS.items()})


def _rows(table: Element, dress: _Dress, context: TableContext) -> Iterator[Iterator[StyledCell]]:
    rows = [row.findall(qn("a:tc")) for row in table.iterfind(qn("a:tr"))]
    columns = max((len(row) for row in rows), default=0)
    for number, row in enumerate(rows):
        yield (
            _cell(cell, _place(cell, number, column, len(rows), columns), dress, context)
            for column, cell in enumerate(row)
        )


def _place(cell: Element, row: int, column: int, rows: int, columns: int) -> CellPlace:
    down, across = parse_int(cell.get("rowSpan")) or 1, parse_int(cell.get("gridSpan")) or 1
    return CellPlace(row, column, rows, columns, max(down, 1), max(across, 1))


def _cell(cell: Element, place: CellPlace, dress: _Dress, context: TableContext) -> StyledCell:
    properties = cell.find(qn("a:tcPr"))
    parts = parts_at(place, dress.flags)
    borders = {
        side: line_of(
            {} if dress.style is None else style_border(
                dress.style, parts, side, place, context.look
            ),
            _own_border(properties, name, context),
        )
        for side, name in _SIDES.items()
    }  # fmt: skip
    return StyledCell(
        text=_text(cell, properties, parts, dress, context),
        fill=_fill(properties, parts, dress, context),
        row_span=place.row_span,
        column_span=place.column_span,
        covered=flag(cell.get("hMerge")) is True or flag(cell.get("vMerge")) is True,
        **borders,
    )


def _own_border(
    properties: Element | None, name: str, context: TableContext
) -> dict[str, Effective[Any]]:
    line = None if properties is None else properties.find(qn(name))
    return {} if line is None else stated_line(line, "shape", context.look, context.source)


def _fill(
    properties: Element | None, parts: Sequence[str], dress: _Dress, context: TableContext
) -> Effective[Fill]:
    own = fill_in(properties, context.look, context.source)
    if own is not None:
        return Effective(own, "shape")
    styled = None if dress.style is None else style_fill(dress.style, parts, context.look)
    return styled or dress.fill or Effective(NO_FILL, "default")


def _text(
    cell: Element,
    properties: Element | None,
    parts: Sequence[str],
    dress: _Dress,
    context: TableContext,
) -> StyledText:
    style = read_body([] if properties is None else [(properties, "shape")])
    body = cell.find(qn("a:txBody"))
    if body is None:
        return StyledText(style, ())
    chain: list[Step] = list(context.defaults)
    if dress.style is not None:
        run = style_run(dress.style, parts, context.look)
        chain.append(Overlay((dress.style, *parts), run))
    own = body.find(qn("a:lstStyle"))
    if own is not None and len(own):
        chain.append(Stated(own, "shape", context.source))
    return read_styled_text(body, style, chain, context.inheritance, context.source)
