"""Text fitted into its box before it is drawn: sizes step down a scale, never below 12 pt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from decklab.board.blueprint import TablePlan
from decklab.board.boxes import BULLET_INDENT, BoxParagraph, TextBox, TextStyle
from decklab.board.themes import LEAST_PT as LEAST_PT  # noqa: PLC0414 - read from here elsewhere
from decklab.board.themes import DesignTheme
from decklab.board.typography import Face, lines_height, text_width, wrap

CELL_PADDING = (8.0, 5.0)
"""Pixels between a cell's text and its edges, across and down."""

_HEIGHT_TOLERANCE = 1.0
_SMALL_TABLE = 0.75
"""The share of its place that a table with body text takes at most. Ours."""


@dataclass(frozen=True)
class Fitter:
    """Measures text as a theme sets it in a language."""

    theme: DesignTheme
    language: str = "en"

    def face(self, style: TextStyle, paragraph: BoxParagraph | None = None) -> Face:
        """The face of a paragraph in a box of this style."""
        heading, bold = style.heading, style.bold
        if paragraph is not None:
            heading = heading if paragraph.heading is None else paragraph.heading
            bold = bold if paragraph.bold is None else paragraph.bold
        fonts = self.theme.fonts
        if style.code:
            return Face(fonts.code, bold, self.language)
        return Face(fonts.heading if heading else fonts.body, bold, self.language)

    def lines(self, box: TextBox) -> list[list[str]]:
        """The lines of each paragraph of a box."""
        return [lines for lines, _face, _size in self._set(box)]

    def height(self, box: TextBox) -> float:
        """Height of the text of a box with the space between its paragraphs, in pixels."""
        high = sum(lines_height(lines, face, size) for lines, face, size in self._set(box))
        return high + box.style.spacing * (len(box.paragraphs) - 1)

    def fits(self, box: TextBox, most_lines: int | None = None) -> bool:
        """Whether the text of a box stays in it, in at most so many lines."""
        if most_lines is not None and sum(map(len, self.lines(box))) > most_lines:
            return False
        return self.height(box) <= box.inner.height + _HEIGHT_TOLERANCE

    def _set(self, box: TextBox) -> Iterator[tuple[list[str], Face, float]]:
        for paragraph in box.paragraphs:
            face = self.face(box.style, paragraph)
            size = paragraph.size or box.style.size
            indent = BULLET_INDENT * paragraph.level
            if box.style.marks != "none" and paragraph.marked:
                indent += BULLET_INDENT if box.style.marks == "bullet" else 2 * BULLET_INDENT
            yield wrap(paragraph.text, face, size, box.inner.width - indent), face, size

    def largest(
        self, boxes: Sequence[TextBox], least: float, most_lines: int | None = None
    ) -> tuple[list[TextBox], bool]:
        """Boxes at the largest size of the scale, the same for all, at which each holds its text.

        The scale is followed from the size of the first box down to ``least``. Returns the boxes
        and whether they fit; where they do not they have the least size.
        """
        tried: list[TextBox] = list(boxes)
        for size in self.theme.scale.down_from(boxes[0].style.size, max(least, LEAST_PT)):
            tried = [at_size(box, size) for box in boxes]
            if all(self.fits(box, most_lines) for box in tried):
                return tried, True
        return tried, False


def at_size(box: TextBox, size: float) -> TextBox:
    """A box with its text, but for paragraphs with sizes of their own, at a size."""
    return replace(box, style=replace(box.style, size=size))


@dataclass(frozen=True)
class TableFit:
    """The measures of a table: size of its text, widths of columns and heights of rows."""

    size: float
    widths: tuple[float, ...]
    heights: tuple[float, ...]
    fits: bool


def fit_table(table: TablePlan, fitter: Fitter, width: float, height: float) -> TableFit:
    """A table in a place of that size: columns as wide as their text asks for, in proportion.

    A small one, whose rows leave much of the height, has body text, others small text or less.
    """
    fit = None
    scale = fitter.theme.scale
    for size in scale.down_from(scale.body, LEAST_PT):
        widths = _column_widths(table, fitter, size, width)
        heights = _row_heights(table, fitter, size, widths)
        most = height * _SMALL_TABLE if size > scale.small else height + _HEIGHT_TOLERANCE
        fit = TableFit(size, widths, heights, sum(heights) <= most)
        if fit.fits:
            return fit
    assert fit is not None, "a scale has a size for small text"
    return fit


def cell_face(fitter: Fitter, row: int) -> Face:
    """The face of the cells in a row; row 0 has the headings."""
    return Face(fitter.theme.fonts.body, row == 0, fitter.language)


def _column_widths(
    table: TablePlan, fitter: Fitter, size: float, width: float
) -> tuple[float, ...]:
    """Columns share the width by their longest cell, but none is narrower than its longest word."""
    wide, words = [], []
    for column in range(len(table.header)):
        cells = [(0, table.header[column]), *((1, row[column]) for row in table.rows)]
        padding = 2 * CELL_PADDING[0] + size / 2
        faces = [(cell_face(fitter, row), text) for row, text in cells]
        wide.append(padding + max(text_width(text, face, size) for face, text in faces))
        words.append(
            padding
            + max(
                text_width(word, face, size)
                for face, text in faces
                for word in (text.split() or [""])
            )
        )
    least = [min(word, 0.5 * width) for word in words]
    spare = width - sum(least)
    if spare <= 0:
        return tuple(width * item / sum(least) for item in least)
    asked = [max(one - floor, 0) for one, floor in zip(wide, least, strict=True)]
    if sum(asked) <= spare:
        extra = (spare - sum(asked)) / len(least)
        return tuple(floor + one + extra for floor, one in zip(least, asked, strict=True))
    return tuple(floor + spare * one / sum(asked) for floor, one in zip(least, asked, strict=True))


def _row_heights(
    table: TablePlan, fitter: Fitter, size: float, widths: Sequence[float]
) -> tuple[float, ...]:
    heights = []
    for number, row in enumerate((table.header, *table.rows)):
        face = cell_face(fitter, number)
        cells = [
            lines_height(wrap(text, face, size, wide - 2 * CELL_PADDING[0]), face, size)
            for text, wide in zip(row, widths, strict=True)
        ]
        heights.append(max(cells) + 2 * CELL_PADDING[1])
    return tuple(heights)


def doubled(box: TextBox) -> TextBox:
    """The box with its longest paragraph twice: the room that editors may need."""
    longest = max(range(len(box.paragraphs)), key=lambda place: len(box.paragraphs[place].text))
    twice = [
        replace(item, text=f"{item.text} {item.text}") if place == longest else item
        for place, item in enumerate(box.paragraphs)
    ]
    return replace(box, paragraphs=tuple(twice))
