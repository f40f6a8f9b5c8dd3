"""One PDF page as it is taken apart: pieces of text, drawings, and what repeats on many pages.

Drawings of a PDF page beside text: rules, and areas that may be figures.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from decklab.core.geometry import Box
from decklab.documents.drafting import Caption, read_caption
from decklab.documents.pdf.objects import SeenObjects
from decklab.documents.pdf.words import LinePiece, TurnedText, shown_boxes

RULE_WIDTH = 2.5
"""Ours: points; a thicker rule is an area."""
_REACH = 9.0  # ours: points between parts of one drawing, such as its ticks and their axis
_CELL = 3.0


@dataclass(frozen=True)
class DrawnArea:
    """Drawings and pictures that stand together. ``rasters``, ``forms`` and ``paths`` count its
    parts."""

    box: Box
    rasters: int
    forms: int
    paths: int


@dataclass(frozen=True)
class PageGraphics:
    """The rules of a page and everything drawn that is none, in points of the page as shown."""

    horizontal: tuple[Box, ...] = ()
    vertical: tuple[Box, ...] = ()
    shapes: tuple[tuple[Box, int], ...] = ()
    """Boxes with pdfium's kind of page object."""


def page_graphics(page: Any) -> PageGraphics:
    """The drawings of a loaded page (raw handle); what covers nearly all of it is its ground."""
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    found = list(SeenObjects().drawn(page))
    if not found:
        return PageGraphics()
    kinds = [kind for _, kind in found]
    boxes = shown_boxes(page, np.array([bounds for bounds, _ in found]))
    np.clip(boxes, 0, [width, height, width, height], out=boxes)
    sizes = boxes[:, 2:] - boxes[:, :2]
    paths = np.array(kinds) == pdfium.FPDF_PAGEOBJ_PATH
    ground = (sizes[:, 0] > 0.9 * width) & (sizes[:, 1] > 0.9 * height) & paths
    horizontal = paths & (sizes[:, 1] <= RULE_WIDTH) & (sizes[:, 0] > 12)
    vertical = paths & (sizes[:, 0] <= RULE_WIDTH) & (sizes[:, 1] > 5)
    others = ~(ground | horizontal | vertical) & (sizes.max(axis=1) > 0.5)
    shapes = tuple((Box(*boxes[i].tolist()), kinds[i]) for i in np.flatnonzero(others).tolist())
    return PageGraphics(
        _merged_rules([Box(*row) for row in boxes[horizontal].tolist()]),
        tuple(
            _turned(rule)
            for rule in _merged_rules([_turned(Box(*row)) for row in boxes[vertical].tolist()])
        ),
        shapes,
    )


def _turned(box: Box) -> Box:
    return Box(box.top, box.left, box.bottom, box.right)


def _merged_rules(rules: Sequence[Box]) -> tuple[Box, ...]:
    """Horizontal rules with those on one level that touch as one, from top to bottom."""
    merged: list[Box] = []
    for rule in sorted(rules, key=lambda box: (round(box.top), box.left)):
        last = merged[-1] if merged else None
        if last and abs(last.top - rule.top) < 1.5 and rule.left <= last.right + 3:
            merged[-1] = last.union(rule)
        else:
            merged.append(rule)
    return tuple(merged)


def drawn_areas(
    graphics: PageGraphics, size: tuple[float, float], *, without: Sequence[Box] = ()
) -> list[DrawnArea]:
    """Drawings that stand together as areas, top to bottom; ``without`` what tables have taken.

    Rules belong to an area where they touch other drawings.
    """
    rules = [(rule, 0) for rule in (*graphics.horizontal, *graphics.vertical)]
    kept = [
        (box, kind)
        for box, kind in (*graphics.shapes, *rules)
        if not any(_inside(box, table) for table in without)
    ]
    if not any(kind for _, kind in kept):
        return _of_rules_only(kept, size)
    labels = _labels([box for box, _ in kept], size)
    areas: dict[int, list[tuple[Box, int]]] = {}
    for label, item in zip(labels, kept, strict=True):
        areas.setdefault(label, []).append(item)
    found = [_area(items) for items in areas.values()]
    return sorted(found, key=lambda area: (area.box.top, area.box.left))


def _of_rules_only(kept: Sequence[tuple[Box, int]], size: tuple[float, float]) -> list[DrawnArea]:
    """A plot may be nothing but straight lines: many of them that touch are an area."""
    if len(kept) < 8:
        return []
    labels = _labels([box for box, _ in kept], size)
    areas = [
        [item for at, item in zip(labels, kept, strict=True) if at == label]
        for label in sorted(set(labels))
    ]
    return [_area(items) for items in areas if len(items) >= 8]


def _inside(box: Box, other: Box) -> bool:
    return (
        box.left >= other.left - 3
        and box.right <= other.right + 3
        and box.top >= other.top - 3
        and box.bottom <= other.bottom + 3
    )


def _labels(boxes: Sequence[Box], size: tuple[float, float]) -> list[int]:
    """For each box the number of the group of boxes that it stands with."""
    shape = int(size[1] / _CELL) + 2, int(size[0] / _CELL) + 2
    grid = np.zeros(shape, np.uint8)
    cells = [
        (
            int(box.top / _CELL),
            int(box.bottom / _CELL) + 1,
            int(box.left / _CELL),
            int(box.right / _CELL) + 1,
        )
        for box in boxes
    ]
    for top, bottom, left, right in cells:
        grid[top:bottom, left:right] = 1
    reach = int(_REACH / _CELL)
    kernel: NDArray[np.uint8] = np.ones((reach, reach), np.uint8)
    _count, numbers = cv2.connectedComponents(cv2.dilate(grid, kernel))
    return [int(numbers[top, left]) for top, _, left, _ in cells]


def _area(items: Sequence[tuple[Box, int]]) -> DrawnArea:
    box = Box.around(box for box, _ in items)
    assert box is not None
    kinds = [kind for _, kind in items]
    return DrawnArea(
        box,
        kinds.count(pdfium.FPDF_PAGEOBJ_IMAGE),
        kinds.count(pdfium.FPDF_PAGEOBJ_FORM),
        kinds.count(pdfium.FPDF_PAGEOBJ_PATH)
        + kinds.count(pdfium.FPDF_PAGEOBJ_SHADING)
        + kinds.count(0),
    )


PROSE_WORDS = 6
"""Ours: a piece of a line with as many words is text that runs, not a label or a cell."""


@dataclass
class PdfPage:
    """A page with all its text and drawings, in points, origin top left."""

    number: int
    size: tuple[float, float]
    pieces: list[LinePiece]
    graphics: PageGraphics
    turned: Sequence[TurnedText] = ()
    """Text that does not run from left to right, such as labels of axes."""
    turn: int = 0
    """Quarter turns clockwise by which the page was turned so that its text could be read."""


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
    turn: int = 0
    """Quarter turns clockwise after which its labels can be read."""
    label_size: float | None = None
    """Of its small labels, in points; None if it has none."""


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
        if piece.text[:1] not in "FTACSPDGQ":
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


def column_around(page: PdfPage, text: Box, prose: Sequence[Box]) -> Box:
    """The part of a page between ``prose`` to the left and to the right of a column's text."""
    left = max((other.right for other in prose if other.right <= text.left), default=0.0)
    right = min((other.left for other in prose if other.left >= text.right), default=page.size[0])
    return Box(left, 0, right, page.size[1])


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
    on three pages or more, or on both of two apart from what only one of them has, and if it begins
    or ends with a number, most pages have a line on that level, and there is a gap between it and
    the text.
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
        twice = [line for line in lines if len(pages) == words[_key(line)] == _LEAST - 1]
        for line in lines:
            text = " ".join(piece.text for piece in line)
            number = _NUMBER.match(text) and _apart(line, page)
            level = _level(line)
            near = any((level[0], level[1] + shift) in common for shift in (-1, 0, 1))
            head = near and _apart(line, page) and _ENDS_IN_NUMBER.search(text)
            both = line in twice and _apart(line, page, [piece for own in twice for piece in own])
            if number or words[_key(line)] >= _LEAST or both or head:
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


def _apart(line: Sequence[LinePiece], page: PdfPage, besides: Sequence[LinePiece] = ()) -> bool:
    """Whether a line stands by itself: no text besides some within its own height of it."""
    box = Box.around(piece.box for piece in line)
    assert box is not None
    near = [
        piece
        for piece in page.pieces
        if abs(piece.level - line[0].level) >= 4
        and not any(piece is other for other in besides)
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
