"""A table's size of text, widths of columns and heights of rows, in the place of an example."""

from typing import Final

from decklab.board.blueprint import TablePlan
from decklab.board.examples.slots import ObjectSlot, SlideScale, TextSlot
from decklab.board.typography import Face, lines_height, text_width, wrap
from decklab.core.geometry import Box
from decklab.deck.model.shapes import Table

_CELL_ACROSS: Final = 16.0
"""Pixels beside the text of a cell, both sides together."""
_CELL_DOWN: Final = 10.0
_LARGEST: Final = 18.0


def table_size(
    table: TablePlan, slot: ObjectSlot | None, ink: TextSlot | None, box: Box, scale: SlideScale
) -> float | None:
    """The size in points at which a table fits a box; None where it does not at the smallest."""
    family = table_face(slot, ink)
    size = max(min(_cell_size(slot), _LARGEST * scale.down), scale.least)
    while True:
        widths, heights = table_measures(table, family, size, box, scale)
        if sum(heights) <= box.height + 1 and sum(widths) <= box.width + 1:
            return size
        if size <= scale.least:
            return None
        size = max(size - 1, scale.least)


def _cell_size(slot: ObjectSlot | None) -> float:
    shown = None if slot is None else slot.shown
    if isinstance(shown, Table):
        sizes = [
            run.font.size
            for row in shown.rows for cell in row for one in cell.paragraphs for run in one.runs
        ]  # fmt: skip
        if sizes:
            return sorted(sizes)[len(sizes) // 2]
    return 16.0


def table_face(slot: ObjectSlot | None, ink: TextSlot | None) -> str:
    """The typeface of a table's cells: that of the example's table, else of its text."""
    shown = None if slot is None else slot.shown
    if isinstance(shown, Table):
        for row in shown.rows:
            for cell in row:
                for paragraph in cell.paragraphs:
                    for run in paragraph.runs:
                        return run.font.name
    return "Carlito" if ink is None else ink.look(0).paragraph.runs[0].font.name


def table_measures(
    table: TablePlan, family: str, size: float, box: Box, scale: SlideScale
) -> tuple[list[float], list[float]]:
    """Widths of columns and heights of rows in pixels, at a size in points."""
    rows = (table.header, *table.rows)
    faces = [Face(family, True, scale.language)] * len(rows)
    wide, least = [], []
    for column in range(len(table.header)):
        texts = [row[column] for row in rows]
        natural = [text_width(text, face, size) for text, face in zip(texts, faces, strict=True)]
        words = [
            text_width(word, face, size)
            for text, face in zip(texts, faces, strict=True) for word in text.split() or [""]
        ]  # fmt: skip
        wide.append(max(natural) / scale.across + _CELL_ACROSS + 4)
        least.append(max(words) / scale.across + _CELL_ACROSS + 4)
    spare = box.width - sum(least)
    if spare < 0:
        widths = least
    else:
        asked = [max(0.0, one - floor) for one, floor in zip(wide, least, strict=True)]
        total = sum(asked)
        if total <= spare:
            more = (spare - total) / len(asked)
            widths = [floor + one + more for floor, one in zip(least, asked, strict=True)]
        else:
            widths = [floor + spare * one / total for floor, one in zip(least, asked, strict=True)]
    heights = []
    for row, face in zip(rows, faces, strict=True):
        tall = max(
            lines_height(wrap(text, face, size, (width - _CELL_ACROSS) * scale.across), face, size)
            for text, width in zip(row, widths, strict=True)
        )
        heights.append(1.1 * max(tall, size * 1.2) / scale.down + _CELL_DOWN)
    if sum(heights) < 0.6 * box.height:
        stretch = min(1.5, 0.6 * box.height / sum(heights))
        heights = [height * stretch for height in heights]
    return widths, heights


def resizable(slot: ObjectSlot | None) -> bool:
    """Whether a table has no merged cells, across which no row or column can be changed."""
    shown = None if slot is None else slot.shown
    if not isinstance(shown, Table):
        return True
    return not any(
        cell.row_span > 1 or cell.column_span > 1 or cell.covered
        for row in shown.rows for cell in row
    )  # fmt: skip
