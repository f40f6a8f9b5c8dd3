"""One PDF page as it is taken apart: pieces of text, drawings, and what was found in them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from decklab.core.geometry import Box
from decklab.documents.captions import Caption, read_caption
from decklab.documents.pdf.graphics import PageGraphics
from decklab.documents.pdf.words import LinePiece

PROSE_WORDS = 6
"""Ours: a piece of a line with as many words is text that runs, not a label or a cell."""


@dataclass
class PdfPage:
    """A page with all its text and drawings, in points, origin top left."""

    number: int
    size: tuple[float, float]
    pieces: list[LinePiece]
    graphics: PageGraphics
    turned: Sequence[Box] = ()
    """Text that does not run from left to right, such as labels of axes."""


@dataclass(frozen=True)
class PageCaption:
    """A caption on a page: its first piece, and the box of all its lines."""

    first: LinePiece
    caption: Caption
    box: Box


@dataclass
class FoundTable:
    """A table on a page; ``why_not`` is the cause where it is not certain in every cell.

    ``parts`` are the pages and boxes of one that goes on over several pages.
    """

    box: Box
    rows: list[list[str]]
    header_rows: int = 0
    why_not: str = ""
    caption: PageCaption | None = None
    parts: list[tuple[int, Box]] = field(default_factory=list)


@dataclass
class FoundFigure:
    """A figure on a page."""

    box: Box
    caption: PageCaption | None = None


@dataclass
class PageObjects:
    """What a page holds beside running text, and the pieces that are left for that."""

    tables: list[FoundTable] = field(default_factory=list)
    figures: list[FoundFigure] = field(default_factory=list)
    pieces: list[LinePiece] = field(default_factory=list)
    missing: list[PageCaption] = field(default_factory=list)
    """Captions of figures and tables that were not found."""


def page_captions(pieces: Sequence[LinePiece]) -> list[PageCaption]:
    """The captions among the pieces of a page, top to bottom."""
    found = []
    for piece in pieces:
        if piece.text[:1] not in "FTACSPD":
            continue
        caption = read_caption(piece.text)
        if caption is not None and caption.marked and not _continues(piece, pieces):
            found.append(PageCaption(piece, caption, _caption_box(piece, pieces)))
    return sorted(found, key=lambda item: item.box.top)


def _continues(piece: LinePiece, pieces: Sequence[LinePiece]) -> bool:
    """Whether a line that begins with a label is the middle of a paragraph: text as wide stands
    close above it in the same font."""
    for other in pieces:
        level = abs(other.level - piece.level) < 0.5 * piece.box.height
        height = piece.box.height
        if other is not piece and level and -2 < piece.box.left - other.box.right < height:
            return True
        if level and -2 < other.box.left - piece.box.right < 1.5 * height:
            return piece.text[-1:].isalnum() and other.text[:1].islower()
        gap = piece.box.top - other.box.bottom
        near = -2 < gap < 0.5 * piece.box.height
        wide = other.box.right >= piece.box.right - 10 and len(other.words) >= PROSE_WORDS
        if near and wide and abs(other.box.left - piece.box.left) < 25:
            return other.style == piece.style and not other.text.rstrip().endswith((".", ":"))
    return False


def _caption_box(first: LinePiece, pieces: Sequence[LinePiece]) -> Box:
    """The box of a caption's lines: those below it that go on in its size with no gap."""
    box = first.box
    for piece in sorted(pieces, key=lambda piece: piece.box.top):
        gap = piece.box.top - box.bottom
        same = abs(piece.style.size - first.style.size) < 0.6
        beside = piece.box.left < first.box.right and piece.box.right > first.box.left
        if piece is not first and same and beside and -3 < gap < 0.45 * first.box.height:
            if len(piece.words) < 2 and len(first.words) < PROSE_WORDS:
                break
            box = box.union(piece.box)
    return box


def share_within(box: Box, other: Box) -> float:
    """The share of a box's area that lies inside another; 0 for a box without area."""
    return box.intersection(other).area / box.area if box.area else 0.0


def is_prose(piece: LinePiece) -> bool:
    """Whether a piece is text that runs: many words, most of them of letters."""
    if len(piece.words) < PROSE_WORDS or piece.style.mono:
        return False
    lettered = sum(1 for word in piece.words if word.text[:1].isalpha() and len(word.text) > 1)
    return lettered >= 0.6 * len(piece.words)
