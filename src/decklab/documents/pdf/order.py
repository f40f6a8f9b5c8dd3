"""The reading order of a PDF page: columns by recursive cuts, lines from top to bottom.

The recursive cut along white stripes is that of Nagy, Seth and Viswanathan (1992, "A prototype
document image analysis system for technical journals"); what counts as a gutter is our own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from decklab.core.geometry import Box
from decklab.documents.pdf.words import CharacterStyle, LinePiece, PdfWord, joined_piece

GUTTER = 7.0
"""Ours: points; the narrowest white stripe between two columns of text."""
_NEAREST = 12
_LEAST_LINES = 3  # ours: a column has more lines than a formula or a pair of addresses
_LEAST_WIDTH = 90.0  # ours: points; narrower ones are columns of a table


@dataclass(slots=True)
class ColumnLine:
    """A line of text in one column, from left to right."""

    words: list[PdfWord]
    box: Box
    text: str
    style: CharacterStyle
    column: Box
    """All of the column, or of the part of it between two figures, in which it stands."""

    @property
    def bold(self) -> bool:
        """Whether all its words are, but for marks and numbers."""
        return all(word.style.bold for word in self.words if any(c.isalpha() for c in word.text))


@dataclass
class _Region:
    pieces: list[LinePiece]
    box: Box = field(init=False)

    def __post_init__(self) -> None:
        self.box = Box.around(piece.box for piece in self.pieces) or Box(0, 0, 0, 0)


def ordered_lines(pieces: Sequence[LinePiece]) -> list[ColumnLine]:
    """The pieces of a page as lines in reading order."""
    if not pieces:
        return []
    lines: list[ColumnLine] = []
    for region in _columns(_Region(list(pieces)), 0):
        lines += _lines_of(region)
    return lines


def _columns(region: _Region, depth: int) -> list[_Region]:
    """The columns of a region in reading order."""
    if len(region.pieces) < 2 * _LEAST_LINES or depth > 40 or not _may_have_gutter(region):
        return [region]
    gutter = _gutter(region)
    if gutter is not None:
        left = [piece for piece in region.pieces if piece.box.right <= gutter]
        right = [piece for piece in region.pieces if piece.box.right > gutter]
        return _columns(_Region(left), depth + 1) + _columns(_Region(right), depth + 1)
    level = _widest_stripe(region)
    if level is None:
        return [region]
    above = [piece for piece in region.pieces if piece.level < level]
    below = [piece for piece in region.pieces if piece.level >= level]
    parts = _columns(_Region(above), depth + 1) + _columns(_Region(below), depth + 1)
    # Stripes that parted no columns were the gaps between paragraphs.
    return [region] if all(_spans(part, region) for part in parts) else parts


def _spans(part: _Region, region: _Region) -> bool:
    return part.box.width > 0.6 * region.box.width or len(part.pieces) < _LEAST_LINES


def _may_have_gutter(region: _Region) -> bool:
    """Whether there are narrow pieces on both sides of the middle, so that cutting is worth it."""
    low, _, high, _ = region.box
    widest, reach = 0.62 * (high - low), 0.15 * (high - low)
    middle = (low + high) / 2
    ends = [(box[0], box[2]) for box in (piece.box for piece in region.pieces)]
    left = sum(1 for start, end in ends if end - start < widest and end < middle + reach)
    right = sum(1 for start, end in ends if end - start < widest and start > middle - reach)
    return left >= _LEAST_LINES and right >= _LEAST_LINES


def _gutter(region: _Region) -> float | None:
    """Where a white stripe parts the region into columns of text; None if none does."""
    for low, high in _stripes(region, lambda box: (box.left, box.right), GUTTER):
        place = (low + high) / 2
        sides = (
            [piece for piece in region.pieces if piece.box.right <= place],
            [piece for piece in region.pieces if piece.box.left >= place],
        )
        if all(_is_column(side) for side in sides):
            return place
    return None


def _is_column(side: Sequence[LinePiece]) -> bool:
    """Whether some pieces are lines of text of one width, rather than labels or cells."""
    if len({round(piece.level / 4) for piece in side}) < _LEAST_LINES:
        return False
    widths = sorted(piece.box.width for piece in side)
    typical = widths[len(widths) // 2]
    words = sorted(len(piece.words) for piece in side)[len(side) // 2]
    return typical >= _LEAST_WIDTH and words >= 3


def _widest_stripe(region: _Region) -> float | None:
    stripes = _stripes(region, lambda box: (box.top, box.bottom), 0.5)
    if not stripes:
        return None
    low, high = max(stripes, key=lambda stripe: stripe[1] - stripe[0])
    return (low + high) / 2


def _stripes(
    region: _Region, ends: Callable[[Box], tuple[float, float]], least: float
) -> list[tuple[float, float]]:
    """White stripes across the region of at least some points, widest first."""
    spans = sorted(ends(piece.box) for piece in region.pieces)
    found, reached = [], spans[0][1]
    for low, high in spans[1:]:
        if low - reached >= least:
            found.append((reached, low))
        reached = max(reached, high)
    return sorted(found, key=lambda stripe: stripe[0] - stripe[1])


def _lines_of(region: _Region) -> list[ColumnLine]:
    """The pieces of a column as lines; pieces on one level are one line."""
    rows: list[list[LinePiece]] = []
    for piece in sorted(region.pieces, key=lambda piece: (piece.level, piece.box.left)):
        row = rows[-1] if rows else None
        if row is not None and _on_line(row, piece):
            row.append(piece)
        else:
            rows.append([piece])
    return [_line(row, region.box) for row in rows]


def _on_line(row: Sequence[LinePiece], piece: LinePiece) -> bool:
    """Whether a piece overlaps one of the last of a row, which are the nearest in level."""
    for other in row[-_NEAREST:]:
        overlap = min(other.box.bottom, piece.box.bottom) - max(other.box.top, piece.box.top)
        if overlap > 0.5 * min(other.box.height, piece.box.height):
            return True
    return False


def _line(row: Sequence[LinePiece], column: Box) -> ColumnLine:
    if len(row) == 1:
        piece = row[0]
        return ColumnLine(piece.words, piece.box, piece.text, piece.style, column)
    in_order = sorted(row, key=lambda piece: piece.box.left)
    whole = joined_piece(word for piece in in_order for word in piece.words)
    return ColumnLine(whole.words, whole.box, whole.text, whole.style, column)
