"""The lines of a PDF page in reading order: columns by recursive cuts, lines from top to bottom;
and lines joined to one text.

The recursive cut along white stripes is that of Nagy, Seth and Viswanathan (1992, "A prototype
document image analysis system for technical journals"); what counts as a gutter is our own.
"""

import re
import unicodedata
from collections import Counter
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


_BULLET_SIZES = (1.5, 7.0)
_BULLET_REACH = 30.0
"""Ours: points of a drawn bullet's sides, and between it and its text."""


def mark_drawn_bullets(lines: Sequence[ColumnLine], drawn: Sequence[Box]) -> None:
    """Put a bullet before the text of lines that have one as a small drawing, as browsers print
    lists."""
    low, high = _BULLET_SIZES
    small = [
        box
        for box in drawn
        if low <= box.width <= high
        and low <= box.height <= high
        and abs(box.width - box.height) < 0.25 * box.width
    ]
    for line in lines if small else ():
        middle = (line.box.top + line.box.bottom) / 2
        if any(
            0 < line.box.left - box.right < _BULLET_REACH
            and abs((box.top + box.bottom) / 2 - middle) < 0.3 * line.box.height
            for box in small
        ):
            line.text = f"• {line.text}"


@dataclass
class DocumentStyles:
    """The font size of running text in one document, and its words with and without a hyphen."""

    body: float
    words: Counter[str] = field(default_factory=Counter)
    """How often each word with a hyphen, and each without, occurs within lines."""


def document_styles(pages: Sequence[Sequence[LinePiece]]) -> DocumentStyles:
    """The size that most characters of all pages have, and the words there are."""
    sizes: Counter[float] = Counter()
    words: Counter[str] = Counter()
    for pieces in pages:
        for piece in pieces:
            if not piece.style.mono:
                sizes[round(piece.style.size * 2) / 2] += len(piece.text)
            for word in piece.text.split():
                words[word.strip(".,;:()")] += 1
    return DocumentStyles(sizes.most_common(1)[0][0] if sizes else 10.0, words)


_UNSPACED = re.compile("[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]")
"""Chinese and Japanese characters and their marks, which no spaces part."""


_DIAERESIS = re.compile("¨([aeiouyAEIOUY])")
"""The mark as old TeX fonts set it, apart from its letter."""


def joined_text(lines: Sequence[ColumnLine], styles: DocumentStyles) -> str:
    """The text of lines, words that were parted at a line's end joined.

    The hyphen stays if the document has the word with it elsewhere and not without, and if it has
    both halves as words and not the whole one.
    """
    text = ""
    for line in lines:
        words = line.text.strip()
        if text.endswith("-") and words[:1].isalpha() and text[-2:-1].isalpha():
            before = text.rpartition(" ")[2].lstrip("(“\"'")
            after = re.split(r"[\s.,;:)]", words, maxsplit=1)[0]
            text = text + words if _keeps_hyphen(before, after, styles) else text[:-1] + words
        elif (_UNSPACED.match(text[-1:]) and _UNSPACED.match(words)) or _RANGE.search(text):
            text += words
        else:
            text = f"{text} {words}" if text else words
    return _DIAERESIS.sub(lambda found: unicodedata.normalize("NFC", f"{found[1]}\u0308"), text)


_RANGE = re.compile(r"\d–\Z")
"""The end of a line behind which a range of numbers goes on."""


def _keeps_hyphen(before: str, after: str, styles: DocumentStyles) -> bool:
    known, half = styles.words, before[:-1].rpartition("-")[2]
    with_hyphen, without = known[before + after], known[before[:-1] + after]
    if with_hyphen > without or not after[0].islower() or half[-2:].isupper():
        return True
    whole = min(len(half), len(after)) >= _LEAST_HALF and not without
    return whole and all(known[word] + known[word.capitalize()] for word in (half.lower(), after))


_LEAST_HALF = 3
"""Ours: letters of a word before or after a hyphen; shorter ones are syllables of others."""
