"""One PDF page as it is taken apart: pieces of text, drawings, and what repeats on many pages."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from decklab.core.geometry import Box
from decklab.documents.drafting import Caption, read_caption
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
    """A table on a page; ``why_not`` is the cause if it is not certain in every cell.

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
    """Tables and figures of a page, and the pieces that are left for running text."""

    tables: list[FoundTable] = field(default_factory=list)
    figures: list[FoundFigure] = field(default_factory=list)
    pieces: list[LinePiece] = field(default_factory=list)
    missing: list[PageCaption] = field(default_factory=list)
    """Captions without a figure or table that belongs to them."""


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


_ZONE = 0.12
"""Ours: the share of the page's height at its top and at its bottom where furniture stands."""
_NUMBER = re.compile(
    r"^(?:[-–—|\s]*(?:page|seite|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|von|/)\s*\d{1,4})?"
    r"[-–—|\s]*)$",
    re.IGNORECASE,
)
_ENDS_IN_NUMBER = re.compile(r"^\d{1,4}\s+\D|\D\s+\d{1,4}$")
_LEAST = 3


def without_furniture(pages: Sequence[PdfPage]) -> list[list[LinePiece]]:
    """For each page its pieces without running heads and feet and page numbers.

    A line at the top or bottom goes if it is a page number, if the same words (numbers apart) stand
    on three pages or more, and if it begins or ends with a number, most pages have a line on that
    level, and there is a gap between it and the text.
    """
    edges = [_edge_lines(page) for page in pages]
    words = Counter(key for lines in edges for key in {_key(line) for line in lines})
    levels = Counter(
        level
        for page, lines in zip(pages, edges, strict=True)
        for level in {_level(line) for line in lines if _apart(line, page)}
    )
    common = {level for level, count in levels.items() if count >= max(_LEAST, 0.5 * len(pages))}
    kept = []
    for page, lines in zip(pages, edges, strict=True):
        dropped: set[int] = set()
        for line in lines:
            text = " ".join(piece.text for piece in line)
            number = _NUMBER.match(text) and _apart(line, page)
            level = _level(line)
            near = any((level[0], level[1] + shift) in common for shift in (-1, 0, 1))
            head = near and _apart(line, page) and _ENDS_IN_NUMBER.search(text)
            if number or words[_key(line)] >= _LEAST or head:
                dropped |= {id(piece) for piece in line}
        kept.append([piece for piece in page.pieces if id(piece) not in dropped])
    return kept


def _edge_lines(page: PdfPage) -> list[list[LinePiece]]:
    """The lines in the zones at the top and at the bottom of a page, at most three each."""
    height = page.size[1]
    tops = [piece for piece in page.pieces if piece.box.bottom < _ZONE * height]
    feet = [piece for piece in page.pieces if piece.box.top > (1 - _ZONE) * height]
    if not feet and page.pieces:  # a page set on larger paper
        feet = [max(page.pieces, key=lambda piece: piece.level)]
    return _lines(tops)[:3] + _lines(feet)[-3:]


def _lines(pieces: Sequence[LinePiece]) -> list[list[LinePiece]]:
    found: list[list[LinePiece]] = []
    for piece in sorted(pieces, key=lambda piece: piece.level):
        if found and abs(found[-1][0].level - piece.level) < 4:
            found[-1].append(piece)
        else:
            found.append([piece])
    return [sorted(line, key=lambda piece: piece.box.left) for line in found]


def _key(line: Sequence[LinePiece]) -> tuple[str, int]:
    text = " ".join(piece.text for piece in line)
    return re.sub(r"\d+", "#", text), round(line[0].level / 12)


def _level(line: Sequence[LinePiece]) -> tuple[str, int]:
    return "", round(line[0].level)


def _apart(line: Sequence[LinePiece], page: PdfPage) -> bool:
    """Whether a line stands by itself: no other text within its own height of it."""
    box = Box.around(piece.box for piece in line)
    assert box is not None
    near = [
        piece
        for piece in page.pieces
        if abs(piece.level - line[0].level) >= 4
        and piece.box.top < box.bottom + 0.9 * box.height
        and piece.box.bottom > box.top - 0.9 * box.height
    ]
    return not near


def without_repeated_rules(pages: Sequence[PdfPage]) -> list[PageGraphics]:
    """For each page its drawings without the rules of running heads and feet."""
    counts: Counter[int] = Counter()
    for page in pages:
        counts.update(
            {round(rule.top) for rule in page.graphics.horizontal if _at_edge(rule, page)}
        )
    common = {level for level, count in counts.items() if count >= max(_LEAST, len(pages) / 3)}
    return [
        replace(
            page.graphics,
            horizontal=tuple(
                rule
                for rule in page.graphics.horizontal
                if not (round(rule.top) in common and _at_edge(rule, page))
            ),
        )
        for page in pages
    ]


def _at_edge(rule: Box, page: PdfPage) -> bool:
    height = page.size[1]
    return rule.bottom < _ZONE * height or rule.top > (1 - _ZONE) * height


def repeated_drawings(pages: Sequence[PdfPage]) -> list[Box]:
    """Boxes of drawings that stand in the same place on three pages and a third of all."""
    counts: Counter[Box] = Counter()
    for page in pages:
        counts.update({_rounded(box) for box, _ in page.graphics.shapes if box.height > 8})
    return [box for box, count in counts.items() if count >= max(_LEAST, len(pages) / 3)]


def _rounded(box: Box) -> Box:
    return Box(*(float(round(edge)) for edge in box))
