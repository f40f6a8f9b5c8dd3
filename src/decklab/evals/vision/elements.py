"""The elements of a slide from its picture, without a model: texts, tables, areas and pictures; and
that picture with the boxes of the true elements and of those read off it.
"""

import io
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.base import (
    FRAME_SIZE,
    Font,
    PlainImage,
    PlainLine,
    PlainRect,
    PlainSlide,
    PlainTable,
    PlainText,
)
from decklab.evals.vision.surfaces import (
    Surface,
    Surfaces,
    background_of,
    find_frames,
    find_strokes,
    find_surfaces,
    is_edge,
    is_free,
    is_slanted,
    without_repeats,
)
from decklab.evals.vision.text import Block, Color, Picture, TextLine, merge_lines, read_lines
from decklab.metrics.element_matching import FAMILIES, Family, Matching

LEGEND: Final = (
    "Green: true elements that were found. Blue: what was predicted for them. "
    "Red: true elements that were missed. Orange: predictions that match nothing."
)

_FOUND, _PREDICTED, _MISSED, _EXTRA = "#1a8f3c", "#1f5fd6", "#d11f1f", "#e88b00"
_PALE: Final = 0.45
"""Ours: share of white that is mixed into the slide, so that boxes stand out."""
_QUALITY: Final = 80
_LABEL_SIZE: Final = 11


def overlay(
    image: NDArray[np.uint8],
    truth: PlainSlide,
    prediction: PlainSlide | None,
    matchings: Mapping[Family, Matching],
) -> bytes:
    """The boxes of truth and prediction over the paled slide, as a JPEG of the frame's size.

    ``image`` is the picture that was read, in the frame's proportions. Without a prediction, all
    true elements are missed.
    """
    size = (FRAME_WIDTH, FRAME_HEIGHT)
    slide = Image.fromarray(image).resize(size, Image.Resampling.LANCZOS)
    sheet = Image.blend(slide, Image.new("RGB", size, "white"), _PALE)
    pen = ImageDraw.Draw(sheet)
    for family in FAMILIES:
        true = [_box(item) for item in getattr(truth, family)]
        seen = [_box(item) for item in getattr(prediction, family)] if prediction else []
        matching = matchings.get(family, Matching((), tuple(range(len(true))), ()))
        for box in matching.missed:
            _outline(pen, true[box], _MISSED, family)
        for box in matching.extra:
            _outline(pen, seen[box], _EXTRA, family)
        for match in matching.matches:
            _outline(pen, true[match.truth], _FOUND, family)
            _outline(pen, seen[match.prediction], _PREDICTED, "")
            middles = (true[match.truth].middle, seen[match.prediction].middle)
            pen.line(middles, fill=_PREDICTED, width=2)
    stream = io.BytesIO()
    sheet.save(stream, format="JPEG", quality=_QUALITY)
    return stream.getvalue()


def _box(item: object) -> Box:
    if isinstance(item, PlainLine):
        (left, right), (top, bottom) = sorted((item.x1, item.x2)), sorted((item.y1, item.y2))
        return Box(left, top, right, bottom)
    x, y, w, h = (float(getattr(item, side)) for side in "xywh")
    return Box(x, y, x + w, y + h)


def _outline(pen: ImageDraw.ImageDraw, box: Box, color: str, family: str) -> None:
    # A model may give any number; what lies far outside the slide cannot be seen.
    left, top = (max(-10.0, min(edge, 2000.0)) for edge in box[:2])
    right, bottom = max(left, min(box.right, 2000.0)), max(top, min(box.bottom, 2000.0))
    if color == _FOUND:  # around the prediction, which may have the same box
        left, top, right, bottom = left - 2, top - 2, right + 2, bottom + 2
    pen.rectangle((left, top, right, bottom), outline=color, width=2)
    if family:
        font = ImageFont.load_default(_LABEL_SIZE)
        pen.text((left + 3, top + 1), family[:-1], fill=color, font=font)


# All ours, in px of the frame.
_TOUCH = 6.0  # across which rules still meet
_THIN = 8.0  # of the box of a level or upright rule
_LEAST_EACH_WAY = 2
_LEAST_RULES = 5
_THROUGH = 0.7  # of a table's side that its rules go along
_LEAST_CELLS = 6  # two by two are rather four boxes
_LEAST_TEXTS = 4
_LEAST_AREAS = 4
_COVERED = 0.8  # of a table's box that the grounds of its cells fill at least
_NESTED = 1.05  # and at most: cells do not lie in one another
_CELL = 12.0  # apart at the least, rules that bound a row or column


@dataclass(frozen=True)
class CellGrid:
    """A table found in a picture: its box, and the text of its cells by row."""

    box: Box
    cells: tuple[tuple[str, ...], ...]


def crossing(rules: Sequence[Box]) -> bool:
    """Whether some group of rules that touch is large enough for a table."""
    return any(len(group) >= _LEAST_RULES for group in _crossing(rules))


def find_grids(
    rules: Sequence[Box], areas: Sequence[Box], lines: Sequence[TextLine]
) -> list[CellGrid]:
    """The tables among rules and areas, given by their boxes, with the lines of text inside them.

    Areas that lie edge to edge count as filled cells.
    """
    grids = _tiled(areas, lines)
    for group in _crossing([rule for rule in rules if min(rule.width, rule.height) <= _THIN]):
        level = [rule for rule in group if rule.width > rule.height]
        upright = [rule for rule in group if rule.width <= rule.height]
        box = reduce(Box.union, group)
        if any(grid.box.intersection(box).area > box.area / 2 for grid in grids):
            continue
        inside = [line for line in lines if box.intersection(line.box).area > line.box.area / 2]
        cells = _cells(box, level, upright, inside)
        if _is_lattice(box, group) and len(cells) * len(cells[0]) >= _LEAST_CELLS and inside:
            grids.append(CellGrid(box, cells))
    return grids


def _is_lattice(box: Box, rules: Sequence[Box]) -> bool:
    """Whether enough rules cross a box fully in both directions; rules between boxes do not."""
    across = sum(rule.width >= _THROUGH * box.width for rule in rules)
    down = sum(rule.height >= _THROUGH * box.height for rule in rules)
    return min(across, down) >= _LEAST_EACH_WAY and across + down >= _LEAST_RULES


def _tiled(areas: Sequence[Box], lines: Sequence[TextLine]) -> list[CellGrid]:
    """Tables whose cells are areas side by side, in two columns and two rows at the least."""
    grids = []
    for group in _crossing([area for area in areas if min(area.width, area.height) > _CELL]):
        box = reduce(Box.union, group)
        columns = _edges(box.left, box.right, [area.left for area in group])
        rows = _edges(box.top, box.bottom, [area.top for area in group])
        inside = [line for line in lines if box.intersection(line.box).area > line.box.area / 2]
        covered = sum(area.area for area in group) / max(box.area, 1.0)
        fit = min(len(columns), len(rows)) > 2 and len(group) >= _LEAST_AREAS
        if fit and _COVERED <= covered <= _NESTED and len(inside) >= _LEAST_TEXTS:
            grids.append(CellGrid(box, _cells(box, _tops(group), _lefts(group), inside)))
    return grids


def _tops(areas: Sequence[Box]) -> list[Box]:
    return [Box(area.left, area.top, area.right, area.top) for area in areas]


def _lefts(areas: Sequence[Box]) -> list[Box]:
    return [Box(area.left, area.top, area.left, area.bottom) for area in areas]


def _crossing(rules: Sequence[Box]) -> list[list[Box]]:
    """Groups of rules that touch one another, directly or through others."""
    groups: list[list[Box]] = []
    for rule in rules:
        wide = Box(*(edge + by for edge, by in zip(rule, (-_TOUCH, -_TOUCH, _TOUCH, _TOUCH))))  # noqa: B905
        met = [group for group in groups if any(wide.intersection(member).area for member in group)]
        groups = [group for group in groups if group not in met]
        groups.append([rule, *(member for group in met for member in group)])
    return groups


def _cells(
    box: Box, level: Sequence[Box], upright: Sequence[Box], lines: Sequence[TextLine]
) -> tuple[tuple[str, ...], ...]:
    rows = _edges(box.top, box.bottom, [rule.top for rule in level])
    columns = _edges(box.left, box.right, [rule.left for rule in upright])
    cells = [["" for _ in columns[1:]] for _ in rows[1:]]
    for line in sorted(lines, key=lambda item: (item.box.top, item.box.left)):
        x, y = line.box.middle
        row = min(max(bisect_right(rows, y) - 1, 0), len(cells) - 1)
        column = min(max(bisect_right(columns, x) - 1, 0), len(cells[0]) - 1)
        cells[row][column] = f"{cells[row][column]}\n{line.text}".strip()
    return tuple(tuple(row) for row in cells)


def _edges(first: float, last: float, between: Sequence[float]) -> list[float]:
    """Edges of rows or columns from the first to the last, none closer than a cell."""
    places = sorted([first, *between])
    far_enough = [first, *(b for a, b in pairwise(places) if b - a >= _CELL and last - b >= _CELL)]
    return [*far_enough, last]


# All ours; lengths in px of the frame.
SMALL_PT = 9.5
_LEAST_LINES = 8
_GLUE = 21
_GROUND_LEVELS = 10
_LARGE_SHARE = 0.25  # of the lines in a region that may be of other sizes
_SLANTED = 4  # strokes from which a region is a drawing
_STREWN = 6  # strokes from which an area is a diagram


def find_screenshots(
    image: Picture, background: Color, lines: Sequence[TextLine], surfaces: Surfaces
) -> list[Box]:
    """Boxes of regions of ``image`` (540 x 960 x 3, RGB) that look like screenshots or drawings.

    Slides have few lines of text of that size, and seldom many in one place. Half a dozen slanted
    strokes are a drawing.
    """
    small = [line.box for line in lines if line.size <= SMALL_PT]
    slanted = [rule.box for rule in surfaces.rules if is_slanted(rule)]
    shots = _panels(surfaces)
    if len(small) < _LEAST_LINES and len(slanted) < _SLANTED:
        return shots
    for box in _regions(image, background, [line for line in lines if line.size > SMALL_PT]):
        tiny = sum(holds(box, item) for item in small)
        inside = sum(holds(box, line.box) for line in lines)
        small_print = tiny >= (1 - _LARGE_SHARE) * inside
        drawn = sum(holds(box, item) for item in slanted) >= _SLANTED
        if small_print and (drawn or tiny >= _LEAST_LINES):
            shots.append(box)
    return shots


def _panels(surfaces: Surfaces) -> list[Box]:
    """Areas with many strokes that do not cross: diagrams with a background of their own."""
    boxes = [area.box for area in surfaces.areas]
    rules_in = {box: [rule.box for rule in surfaces.rules if holds(box, rule.box)] for box in boxes}
    return [box for box, rules in rules_in.items() if len(rules) >= _STREWN and not crossing(rules)]


def _regions(image: Picture, background: Color, large: Sequence[TextLine]) -> list[Box]:
    """Boxes of connected pixels on the background, without the lines of large text."""
    low, high = (
        np.clip(np.array(background) + by, 0, 255) for by in (-_GROUND_LEVELS, _GROUND_LEVELS)
    )
    mask = 255 - np.asarray(cv2.inRange(image, low, high), np.uint8)
    for line in large:
        left, top, right, bottom = (int(edge) for edge in line.box)
        mask[max(0, top - 2) : bottom + 3, max(0, left - 2) : right + 3] = 0
    kernel = np.ones((_GLUE, _GLUE), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    places = [cv2.boundingRect(contour) for contour in contours]
    return [Box(x, y, x + w, y + h) for x, y, w, h in places]


def holds(box: Box, other: Box) -> bool:
    """Whether the centre of ``other`` is in ``box``."""
    x, y = other.middle
    return box.left <= x <= box.right and box.top <= y <= box.bottom


FAMILY = "Calibri"
"""The most frequent family in the paper's decks (table 5); a picture does not state the family."""
_DIGITS = 1
_LETTERS = 2
_TALL = 1.5
"""Ours: a text of more letters is rotated if it is higher than this times its width."""
_BACKDROP = 0.3
"""Ours: share of the slide from which a picture is a background of text."""


def extract_from_picture(image: Picture) -> PlainSlide:
    """The elements of a slide from its picture alone (height x width x 3, RGB).

    Text and its place come from RapidOCR, the rest from pixels: areas and rules of one colour,
    pictures if there are many, tables where rules cross, frames where they close. The font family
    is always the most common one. Raises ModuleNotFoundError if RapidOCR is not installed.
    """
    lines = read_lines(image)
    small = cv2.resize(image, (FRAME_WIDTH, FRAME_HEIGHT), interpolation=cv2.INTER_AREA)
    background = background_of(image)
    lines = [line for line in lines if not _is_upright(line)]
    frame = np.asarray(small, np.uint8)
    boxes = [line.box for line in lines]
    surfaces = find_surfaces(frame, background, boxes, find_strokes(frame, background))
    shots = find_screenshots(frame, background, lines, surfaces)
    pictures = [Surface(box) for box in shots] + _outside(surfaces.pictures, shots)
    areas, rules = _outside(surfaces.areas, shots), _outside(surfaces.rules, shots)
    lines = [line for line in lines if not _is_pictured(line, pictures, shots)]
    grids = find_grids([item.box for item in rules], [item.box for item in areas], lines)
    tables = [grid.box for grid in grids]
    areas, rules = _framed(frame, _outside(areas, tables), _outside(rules, tables))
    free = [line for line in lines if not any(holds(box, line.box) for box in tables)]
    return PlainSlide(
        size=FRAME_SIZE,
        background=_hex(background),
        texts=tuple(_text(block) for block in merge_lines(free)),
        rects=tuple(map(_rect, areas)),
        lines=tuple(map(_rule, rules)),
        images=tuple(PlainImage(**_place(item.box)) for item in _outside(pictures, tables)),
        tables=tuple(PlainTable(**_place(grid.box), cells=grid.cells) for grid in grids),
    )


def _framed(
    image: Picture, areas: Sequence[Surface], rules: Sequence[Surface]
) -> tuple[list[Surface], list[Surface]]:
    """The areas, including areas that rules enclose, and the other rules."""
    frames = find_frames([rule for rule in rules if not is_slanted(rule)])
    left = [rule for rule in rules if not any(is_edge(rule.box, frame.box) for frame in frames)]
    return without_repeats([*areas, *frames]), [rule for rule in left if is_free(image, rule)]


def _outside(items: Sequence[Surface], wholes: Sequence[Box]) -> list[Surface]:
    """Surfaces outside tables and drawings."""
    return [item for item in items if not any(holds(box, item.box) for box in wholes)]


def _is_upright(line: TextLine) -> bool:
    """Whether a text is rotated by 90 degrees, such as words in a logo or along an axis."""
    return len(line.text) > _LETTERS and line.box.height > _TALL * line.box.width


def _is_pictured(line: TextLine, pictures: Sequence[Surface], shots: Sequence[Box]) -> bool:
    """Whether a text belongs to a picture: all texts in drawings, small texts in other pictures."""
    if any(holds(box, line.box) for box in shots):
        return True
    most = _BACKDROP * FRAME_WIDTH * FRAME_HEIGHT
    near = [item.box for item in pictures if item.box.area < most]
    return line.size <= SMALL_PT and any(holds(box, line.box) for box in near)


def _text(block: Block) -> PlainText:
    font = Font(
        name=FAMILY,
        size=round(block.size, _DIGITS),
        style=("bold",) if block.bold else (),
        color=_hex(block.color),
    )
    return PlainText(**_place(block.box), text=block.text, font=font, align=block.align)


def _rect(item: Surface) -> PlainRect:
    color = None if item.color is None else _hex(item.color)
    fill, stroke = (None, color) if item.width else (color, None)
    rx, width = round(item.rounded, _DIGITS), round(item.width, _DIGITS)
    return PlainRect(**_place(item.box), rx=rx, fill=fill, stroke=stroke, strokeWidth=width)


def _rule(item: Surface) -> PlainLine:
    x1, y1, x2, y2 = (round(value, _DIGITS) for value in item.ends or (0.0, 0.0, 0.0, 0.0))
    stroke = None if item.color is None else _hex(item.color)
    width = round(item.width, _DIGITS)
    return PlainLine(x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, strokeWidth=width)


def _place(box: Box) -> dict[str, float]:
    named = {"x": box.left, "y": box.top, "w": box.width, "h": box.height}
    return {name: round(float(value), _DIGITS) for name, value in named.items()}


def _hex(color: Color) -> str:
    return "#{:02X}{:02X}{:02X}".format(*color)
