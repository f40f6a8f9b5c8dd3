"""Measured tables as native ones: cells with their text, fills and borders."""

from collections.abc import Callable
from dataclasses import replace
from xml.sax.saxutils import quoteattr

from decklab.board.native.markup import DECLARED, NO_STYLE, named_xml
from decklab.board.native.paints import hex_of
from decklab.board.native.texts import NativeText, Typesetter, box_of, measure_of, paragraphs_of
from decklab.deck.model.base import Action
from decklab.deck.model.shapes import NO_PAINT, Body, Border, Cell, Paint, Pen, Solid, Table
from decklab.editing.building.drawing import table_xml, xfrm
from decklab.ooxml.xml import NAMESPACES
from decklab.rendering.measured import Edge, Rectangle, Rgba, TableCell, TableItem


def table_frame(
    item: TableItem, id: int, setter: Typesetter, link: Callable[[str, Action | None], str]
) -> str:
    """The frame of a native table."""
    setter = replace(setter, marks=True)
    if item.rtl:  # as they are seen: LibreOffice 7.4 draws columns from the left in any case
        item = _mirrored(item)
    columns, rows = len(item.columns), len(item.rows)
    grid = [[Cell(covered=True) for _ in range(columns)] for _ in range(rows)]
    for cell in item.cells:
        if cell.row < rows and cell.column < columns:
            grid[cell.row][cell.column] = _cell(cell, item, setter)
    table = Table(
        x=0.0, y=0.0, w=max(item.box[2], 1.0), h=max(item.box[3], 1.0),
        cells=tuple(tuple(cell.text for cell in row) for row in grid),
        columns=item.columns, heights=item.rows, rows=tuple(map(tuple, grid)),
        style_id=NO_STYLE, first_row=item.header,
        first_column=all(cell.header for cell in item.cells if not cell.column),
    )  # fmt: skip
    inner = table_xml(table, setter.scale.frame_size, lambda _digest: None, link)
    words = item.title or ", ".join(cell.text for cell in grid[0] if cell.text)
    return (
        f"<p:graphicFrame {DECLARED}><p:nvGraphicFramePr>{named_xml(id, f'Table {id}', words)}"
        '<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/>'
        f"</p:nvGraphicFramePr>{xfrm(setter.scale.frame(item.box, item.turns), 'p:xfrm')}"
        f"<a:graphic><a:graphicData uri={quoteattr(NAMESPACES['table'])}>{inner}</a:graphicData>"
        "</a:graphic></p:graphicFrame>"
    )


def _mirrored(item: TableItem) -> TableItem:
    """A table whose columns are counted from the other side."""
    count = len(item.columns)
    cells = tuple(
        cell.model_copy(update={"column": count - cell.column - cell.across}) for cell in item.cells
    )
    return item.model_copy(update={"columns": item.columns[::-1], "cells": cells})


def _cell(cell: TableCell, item: TableItem, setter: Typesetter) -> Cell:
    top, right, bottom, left = (_border(edge, cell, item, setter) for edge in cell.borders)
    fill = cell.fill or item.fill
    block = (
        NativeText([measure_of(text) for text in cell.texts], in_cell=True) if cell.texts else None
    )
    return Cell(
        text="" if block is None else block.text,
        paragraphs=() if block is None else tuple(paragraphs_of(block, setter)),
        body=Body(inset_left=0.0, inset_top=0.0, inset_right=0.0, inset_bottom=0.0)
        if block is None
        else _body(block, cell, _grid_box(cell, item), setter),
        paint=_solid(fill),
        top=top, right=right, bottom=bottom, left=left,
        row_span=cell.down, column_span=cell.across,
    )  # fmt: skip


def _grid_box(cell: TableCell, item: TableItem) -> Rectangle:
    """A cell as the native table has it: without room between cells."""
    left = item.box[0] + sum(item.columns[: cell.column])
    top = item.box[1] + sum(item.rows[: cell.row])
    width = sum(item.columns[cell.column : cell.column + cell.across])
    return left, top, width, sum(item.rows[cell.row : cell.row + cell.down])


def _body(block: NativeText, cell: TableCell, box: Rectangle, setter: Typesetter) -> Body:
    """Insets by which the text stands where it stood, and breaks as it broke."""
    left, top, width, height = box
    start, end = block.sides
    text = box_of(block)
    above, below = max(text[1] - top, 0.0), 0.0
    middle = cell.valign == "middle"
    if middle:
        lower = text[1] + text[3] - top
        above, below = max(above - (height - lower), 0.0), max(height - lower - above, 0.0)
    first = block.measures[0]
    if first.align == "center":
        side = max(min(start - left, left + width - end), 0.0)
        start, end = left + side, left + width - side
    points = setter.scale.points
    return Body(
        anchor="middle" if middle else "top",
        inset_left=points(max(start - left, 0.0)),
        inset_right=points(max(left + width - end, 0.0)),
        inset_top=points(above),
        inset_bottom=points(below if middle else 0.0),
    )


def _solid(color: Rgba | None) -> Paint:
    if color is None or color[3] <= 0:
        return NO_PAINT
    return Solid(kind="solid", color=hex_of(color), alpha=color[3])


def _border(edge: Edge, cell: TableCell, item: TableItem, setter: Typesetter) -> Border:
    """A border, in the colour that it has on its ground: LibreOffice 7.4 draws it opaque."""
    if edge.width <= 0:
        return Border()
    color = edge.color
    if color[3] < 1 and cell.fill is None:
        color = setter.blend(item, color)
    dash = {"dashed": "dash", "dotted": "sysDot"}.get(edge.style, "solid")
    return Border(
        stroke=hex_of(color),
        strokeWidth=setter.scale.points(edge.width),
        pen=Pen(paint=_solid(color), dash=dash),
    )
