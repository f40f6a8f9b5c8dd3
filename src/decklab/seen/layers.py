"""A slide as layers of cells, and where the words of its texts lie, by estimate.

Cells are 2 by 2 px of the frame; a thing has the cells whose middle it covers. Rectangles (with
round corners too), ellipses and freeforms have their own outline, turned as they are; of a freeform
curves count as straight. Of any other preset the rhombus between the middles of its sides is taken
for certain, of hollow ones nothing; the rest of the box is unknown.

No font is measured. Letters count as 0.4 times as wide as their size, those of East Asian scripts
as wide as their size; a line is 1.15 sizes high. Ours, on the small side of common fonts, so that a
text that fits is not thought to run off the slide; good enough to tell on which side of half its
ink a paragraph is hidden.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, cos, pi, radians, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import Color, contrast_ratio, parse_color
from decklab.core.colors import Image as Pixels
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.base import Pair
from decklab.deck.model.shapes import PATH_BOX, Body, Image, Media, Paragraph, Rect, box_of
from decklab.seen.drawn import stands_off
from decklab.seen.seen_slide import HEAP, LEAST_LIGHT, OPAQUE

_LETTER: Final = 0.4
_LINE: Final = 1.15
_FITS: Final = 0.6
"""Share of the estimated height from which on a shape that grows with its text is thought to hold
it, as its program measured. Ours."""
_LEAST_SIZE: Final = 0.5
"""Points that a letter counts at the least: a line has to have a height."""


def paragraph_boxes(
    paragraphs: Sequence[Paragraph], body: Body, box: Box, size_pt: Pair
) -> Iterator[Box]:
    """The box around the letters of each paragraph, in px of the frame, one a paragraph.

    ``box`` is the shape's before any rotation, ``size_pt`` the slide's size in points. Texts in
    columns or along another direction count as spread over their whole box.
    """
    across, down = FRAME_WIDTH / size_pt[0], FRAME_HEIGHT / size_pt[1]
    inner = Box(
        box.left + body.inset_left * across,
        box.top + body.inset_top * down,
        box.right - body.inset_right * across,
        box.bottom - body.inset_bottom * down,
    )
    if body.columns > 1 or body.direction != "horz":
        yield from (box for _ in paragraphs)
        return
    room = max(inner.width / across, 1.0)
    blocks = [_block(p, room if body.wraps else None) for p in paragraphs]
    total = sum(before + height for before, height, _ in blocks) * down
    squeeze = 1.0
    if total > inner.height > 0 and (
        body.autofit == "shrink" or (body.autofit == "grow" and inner.height > _FITS * total)
    ):
        squeeze = inner.height / total
    top = _top(inner, total * squeeze, body)
    for paragraph, (before, height, width) in zip(paragraphs, blocks, strict=True):
        top += before * down * squeeze
        left, right = _sides(paragraph, inner, width * across, across, centred=body.anchor_center)
        yield Box(left, top, right, top + height * down * squeeze)
        top += height * down * squeeze


def text_height(paragraphs: Sequence[Paragraph], body: Body, width: float, size_pt: Pair) -> float:
    """The height that a text takes in a cell of some width, insets included, in px of the frame."""
    across, down = FRAME_WIDTH / size_pt[0], FRAME_HEIGHT / size_pt[1]
    room = max(width / across - body.inset_left - body.inset_right, 1.0)
    blocks = [_block(paragraph, room if body.wraps else None) for paragraph in paragraphs]
    height = sum(before + own for before, own, _ in blocks)
    return (height + body.inset_top + body.inset_bottom) * down


def _block(paragraph: Paragraph, room: float | None) -> tuple[float, float, float]:
    """Space before a paragraph, its height and its width, in points; ``room`` is the width that it
    has, None if it does not wrap."""
    size = max((run.font.size for run in paragraph.runs), default=18.0)
    widest, lines = 0.0, 0
    left = 0.0 if room is None else paragraph.margin_left + paragraph.margin_right
    for row in _rows(paragraph):
        width = max(sum(ems(text) * points for text, points in row), 0.0)
        own = 1 if room is None else max(1, ceil(width / max(room - left, size)))
        widest = max(widest, width if own == 1 else (room or width) - left)
        lines += own
    spacing, before = paragraph.line_spacing, paragraph.space_before
    line = spacing.value if spacing.unit == "points" else spacing.value * _LINE * size
    above = before.value if before.unit == "points" else before.value * size
    return max(0.0, above), lines * max(line, _LEAST_SIZE), max(widest, _LEAST_SIZE)


def _rows(paragraph: Paragraph) -> list[list[tuple[str, float]]]:
    """Its texts and their sizes, from one line break to the next."""
    rows: list[list[tuple[str, float]]] = [[]]
    for run in paragraph.runs:
        for index, text in enumerate(run.text.split("\v")):
            if index:
                rows.append([])
            rows[-1].append((text, run.font.size))
    return rows


@lru_cache(maxsize=4096)
def ems(text: str) -> float:
    """The width of a text in sizes of its letters, by estimate.

    >>> ems("ab"), ems("日本")
    (0.8, 2.0)
    """
    if text.isascii():
        return len(text) * _LETTER
    return sum(1.0 if unicodedata.east_asian_width(c) in "WF" else _LETTER for c in text)


def _top(inner: Box, height: float, body: Body) -> float:
    spare = (inner.bottom - inner.top) - height
    if body.autofit == "grow" and spare < 0:
        return inner.top  # programs make such a shape larger, downwards
    match body.anchor:
        case "middle":
            return inner.top + spare / 2
        case "bottom":
            return inner.top + spare
        case _:
            return inner.top


def _sides(
    paragraph: Paragraph, inner: Box, width: float, across: float, *, centred: bool
) -> tuple[float, float]:
    start = inner.left + paragraph.margin_left * across
    end = inner.right - paragraph.margin_right * across
    if paragraph.align in ("center", "distributed") or centred:
        middle = (start + end) / 2
        return middle - width / 2, middle + width / 2
    if (paragraph.align == "right") != paragraph.right_to_left:
        return end - width, end
    return start, start + width


def turned(box: Box, degrees: float, around: Box) -> Box:
    """The upright box around a box that is turned clockwise about the middle of another.

    >>> turned(Box(10, 0, 20, 2), 90, Box(10, 0, 20, 10))
    Box(left=18.0, top=0.0, right=20.0, bottom=10.0)
    """
    if not degrees:
        return box
    x, y = (around.left + around.right) / 2, (around.top + around.bottom) / 2
    turn = radians(degrees)
    corners = [(a - x, b - y) for a in (box.left, box.right) for b in (box.top, box.bottom)]
    # 0.0 is added so that there is no -0.0.
    xs = [round(x + a * cos(turn) - b * sin(turn), 6) + 0.0 for a, b in corners]
    ys = [round(y + a * sin(turn) + b * cos(turn), 6) + 0.0 for a, b in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


CELL: Final = 2
"""Px of the frame along a cell's side. Ours: a line of 6 pt is three cells high."""
_ROWS, _COLUMNS = FRAME_HEIGHT // CELL, FRAME_WIDTH // CELL
_UNKNOWN: Final = -1
_CLEAR: Final = 0.1
"""Opacity under which a fill changes nothing. Ours."""
_ARC: Final = 32  # corners that an ellipse is drawn with
_BOXY: Final = re.compile(r"(rect|.*Rect|plaque|bevel|flowChart(Alternate)?Process)$")
_HOLLOW: Final = frozenset(
    ("frame", "halfFrame", "donut", "blockArc", "noSmoking", "arc", "corner", "custom",
     "leftBracket", "rightBracket", "bracketPair", "leftBrace", "rightBrace", "bracePair")
)  # fmt: skip
"""Presets with nothing in their middle, and freeforms without a path."""
_NUMBER: Final = re.compile(r"[A-Za-z]|-?\d+(?:\.\d+)?(?:e-?\d+)?")
_LENGTHS: Final = {"M": 2, "L": 2, "Q": 4, "C": 6, "A": 7}
"""How many numbers follow a letter of path data; the last two say where it leads."""
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class CellPatch:
    """The cells of a slide that a thing takes."""

    rows: slice
    columns: slice
    mask: Flags | None = None
    """Which cells of these rows and columns; None for all."""

    @property
    def count(self) -> int:
        """The number of cells."""
        if self.mask is not None:
            return int(np.count_nonzero(self.mask))
        rows: int = self.rows.stop - self.rows.start
        columns: int = self.columns.stop - self.columns.start
        return rows * columns


def patch_of(box: Box, *, least: int = 0) -> CellPatch:
    """The cells of a box, as far as they are on the slide; ``least`` is the number of rows and
    columns that it has at the least, if it is on the slide."""
    rows = _span(box.top, box.bottom, _ROWS, least)
    return CellPatch(rows, _span(box.left, box.right, _COLUMNS, least))


def _span(first: float, last: float, end: int, least: int) -> slice:
    start, stop = round(min(max(first, -1e6), 1e6) / CELL), round(min(max(last, -1e6), 1e6) / CELL)
    stop = max(stop, start + least)
    start, stop = min(max(start, 0), end), min(max(stop, 0), end)
    return slice(start, max(start, stop))


def certain_patch(element: Rect | Image | Media) -> CellPatch | None:
    """The cells that a shape's area surely takes; None if it has no place."""
    if (box := box_of(element)) is None:
        return None
    patch = patch_of(box)
    geometry = getattr(element, "geometry", "rect")
    if (_BOXY.match(geometry) and element.rotation % 90 == 0) or not patch.count:
        return patch
    mask = np.zeros(
        (patch.rows.stop - patch.rows.start, patch.columns.stop - patch.columns.start), np.uint8
    )
    shift = np.array((patch.columns.start, patch.rows.start), np.float64)
    cells = [
        _turned(outline, element) / CELL - shift - 0.5 for outline in _outlines(element, geometry)
    ]
    if cells:  # in one go, so that an outline inside another is a hole
        drawn = [np.round(np.clip(cell, -1e5, 1e5)).astype(np.int32) for cell in cells]
        cv2.fillPoly(mask, drawn, (1,))
    return CellPatch(patch.rows, patch.columns, mask.astype(np.bool_))


def _outlines(element: Rect | Image | Media, geometry: str) -> Iterator[NDArray[np.float64]]:
    """Closed outlines as rows of x and y, in shares of the element's box."""
    if path := getattr(element, "path", None):
        yield from _path_outlines(path)
    elif _BOXY.match(geometry):
        yield np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
    elif geometry in ("ellipse", "flowChartConnector"):
        turns = np.arange(_ARC) * 2 * pi / _ARC
        yield np.column_stack((0.5 + np.cos(turns) / 2, 0.5 + np.sin(turns) / 2))
    elif geometry not in _HOLLOW:
        yield np.array([(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)], np.float64)


def _path_outlines(path: str) -> Iterator[NDArray[np.float64]]:
    letter, numbers, points = "", [], []  # type: str, list[float], list[tuple[float, float]]
    for piece in _NUMBER.findall(path):
        if piece.isalpha():
            letter, numbers = piece.upper(), []
            if letter == "M" and points:
                yield np.array(points, np.float64)
                points = []
            continue
        numbers.append(float(piece))
        if len(numbers) == _LENGTHS.get(letter, 0):
            points.append((numbers[-2] / PATH_BOX, numbers[-1] / PATH_BOX))
            numbers = []
    if points:
        yield np.array(points, np.float64)


def _turned(outline: NDArray[np.float64], element: Rect | Image | Media) -> NDArray[np.float64]:
    """An outline in px of the frame, flipped and turned as its element is."""
    middle = np.array((element.x + element.w / 2, element.y + element.h / 2))
    flips = np.array((-1.0 if element.flip_h else 1.0, -1.0 if element.flip_v else 1.0))
    away = (outline - 0.5) * flips * np.array((element.w, element.h))
    turn = radians(element.rotation)
    x, y = away[:, 0], away[:, 1]
    spun = np.column_stack((x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)))
    return np.asarray(middle + spun, np.float64)


class Ground:
    """The ground, as far as it was painted: a colour in each cell, or that it is unknown."""

    def __init__(self, background: str | None) -> None:
        self._colors = np.full((_ROWS, _COLUMNS), _packed(background), np.int32)
        self.inked: Flags = np.zeros((_ROWS, _COLUMNS), np.bool_)
        """Cells on which something was drawn that could be hidden."""
        self._written = np.zeros((_ROWS, _COLUMNS), np.uint8)

    def paint(self, patch: CellPatch, color: str | None, alpha: float = 1.0) -> None:
        """Paint cells with ``#RRGGBB``, or with something of which the colour is not known."""
        if alpha < _CLEAR or not patch.count:
            return
        region = self._colors[patch.rows, patch.columns]
        paint: NDArray[np.int32] | int = _packed(color)
        if color is not None and alpha < OPAQUE:
            paint = _mixed(region, parse_color(color), alpha)
        if patch.mask is None:
            region[...] = paint
        else:
            np.copyto(region, paint, where=patch.mask)
        if alpha >= OPAQUE and color is not None:  # what is written below is covered
            written = self._written[patch.rows, patch.columns]
            written[slice(None) if patch.mask is None else patch.mask] = 0

    def paint_picture(self, box: Box, pixels: Pixels) -> None:
        """Paint the cells of a box with an opaque picture that fills it, (H, W, 3) RGB."""
        patch = patch_of(box)
        if not patch.count:
            return
        rows = _pixels_along(patch.rows, box.top, box.bottom, pixels.shape[0])
        columns = _pixels_along(patch.columns, box.left, box.right, pixels.shape[1])
        # Sixteen levels a channel, so that a photograph has few colours to look at.
        red, green, blue = np.moveaxis((pixels >> 4).astype(np.int32) * 17, 2, 0)
        packed = red << 16 | green << 8 | blue
        self._colors[patch.rows, patch.columns] = packed[np.ix_(rows, columns)]

    def uncertain(self, box: Box) -> None:
        """Say of the cells of a box that nobody knows what is there."""
        self.paint(patch_of(box), None)

    def contrasts(
        self, patch: CellPatch, ink: str, alpha: float, *, large: bool
    ) -> tuple[Flags, float | None]:
        """Which cells let ink of a colour and opacity stand off, and its contrast with the ground
        of most of them, 1 to 21; None if that is not known, and the ink counts as seen.
        ``large`` says that its letters are."""
        region = self._colors[patch.rows, patch.columns]
        if not region.size:
            return np.zeros(region.shape, np.bool_), None
        lowest, highest = int(region.min()), int(region.max())
        if lowest == highest:
            stands, ratio = _stands_off(ink, lowest, alpha, large=large)
            return np.full(region.shape, stands), ratio
        grounds, which, counts = np.unique(region, return_inverse=True, return_counts=True)
        flags = _standing(ink, grounds, alpha, large=large)
        most = int(grounds[counts.argmax()])
        return flags[which.reshape(region.shape)], _stands_off(ink, most, alpha, large=large)[1]

    def only_color(self, patch: CellPatch) -> Color | None:
        """The colour that all cells have; None if it is unknown or there are several."""
        region = self._colors[patch.rows, patch.columns]
        cells = region if patch.mask is None else region[patch.mask]
        if not cells.size or cells.min() != cells.max() or cells.min() == _UNKNOWN:
            return None
        return _unpacked(int(cells.min()))

    def write(self, patch: CellPatch) -> None:
        """Note that a text lies on the cells."""
        region = self._written[patch.rows, patch.columns]
        np.minimum(region, 254, out=region)
        region += 1

    def crowded(self, patch: CellPatch) -> Flags:
        """On which cells so many texts lie on each other that none is read."""
        return np.asarray(self._written[patch.rows, patch.columns] >= HEAP)

    def mark(self, patch: CellPatch) -> None:
        """Note that something is drawn on the cells which could be hidden."""
        self.inked[patch.rows, patch.columns] = True


class Front:
    """The light that what lies in front lets through, 0 to 1, in each cell."""

    def __init__(self) -> None:
        self._light = np.ones((_ROWS, _COLUMNS), np.float32)

    def add(self, patch: CellPatch, alpha: float) -> None:
        """Put a thing of some opacity behind those that were added before."""
        region = self._light[patch.rows, patch.columns]
        through = 0.0 if alpha >= OPAQUE else 1 - alpha
        if patch.mask is None:
            region *= through
        else:
            region[patch.mask] *= through

    def lets_by(self, patch: CellPatch) -> Flags:
        """Which cells of rows and columns can be seen from the front."""
        return np.asarray(self._light[patch.rows, patch.columns] >= LEAST_LIGHT)


def cells_of(box: Box) -> int:
    """The number of cells of a box, off the slide too; at least 1."""
    wide = max(1, round(min(box.width, 1e6) / CELL))
    return wide * max(1, round(min(box.height, 1e6) / CELL))


def on_slide(box: Box) -> float:
    """Share of a box that lies on the slide, 0 to 1; of one without area by its longer side."""
    inside = box.intersection(FRAME)
    if box.area:
        return inside.area / box.area
    long = max(box.width, box.height)
    touches = inside.right >= inside.left and inside.bottom >= inside.top
    return max(inside.width, inside.height) / long if long and touches else float(touches)


def _packed(color: str | None) -> int:
    return _UNKNOWN if color is None else int(color.removeprefix("#"), 16)


def _unpacked(color: int) -> Color:
    return color >> 16, color >> 8 & 255, color & 255


def _mixed(region: NDArray[np.int32], paint: Color, alpha: float) -> NDArray[np.int32]:
    mixed = np.zeros_like(region)
    for shift, channel in zip((16, 8, 0), paint, strict=True):
        below = region >> shift & 255
        mixed |= np.round(alpha * channel + (1 - alpha) * below).astype(np.int32) << shift
    return np.where(region == _UNKNOWN, _UNKNOWN, mixed).astype(np.int32)


def _pixels_along(cells: slice, first: float, last: float, length: int) -> NDArray[np.intp]:
    """For each cell along a side the pixel of a picture that lies on it from ``first`` to
    ``last``."""
    middles = (np.arange(cells.start, cells.stop) + 0.5) * CELL
    places = (middles - first) / max(last - first, 1.0) * length
    return np.clip(places, 0, length - 1).astype(np.intp)


@lru_cache(maxsize=4096)
def _stands_off(ink: str, ground: int, alpha: float, *, large: bool) -> tuple[bool, float | None]:
    """Whether ink stands off from a ground, by lightness or by hue, and its contrast."""
    if ground == _UNKNOWN:
        return True, None
    (stands,) = _standing(ink, np.array([ground], np.int32), alpha, large=large)
    below = _unpacked(ground)
    red, green, blue = (
        round(alpha * top + (1 - alpha) * under)
        for top, under in zip(parse_color(ink), below, strict=True)
    )
    return bool(stands), contrast_ratio((red, green, blue), below)


def _standing(ink: str, grounds: NDArray[np.int32], alpha: float, *, large: bool) -> Flags:
    """From which of some grounds ink stands off; from those that are not known it does."""
    below = np.stack([grounds >> shift & 255 for shift in (16, 8, 0)], -1)[None].astype(np.float64)
    mixed = np.round(alpha * np.array(parse_color(ink)) + (1 - alpha) * below)
    stands = stands_off(mixed.astype(np.uint8), below.astype(np.uint8), large=large)[0]
    return np.asarray(stands | (grounds == _UNKNOWN), np.bool_)
