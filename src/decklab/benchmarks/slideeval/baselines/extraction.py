"""Extraction from the picture alone: what a slide shows, without a model and without the deck."""

from collections.abc import Sequence

import cv2
import numpy as np

from decklab.benchmarks.slideeval.baselines.blocks import Block, merge_lines
from decklab.benchmarks.slideeval.baselines.grids import find_grids
from decklab.benchmarks.slideeval.baselines.reading import Color, Line, Picture, read_lines
from decklab.benchmarks.slideeval.baselines.screenshots import SMALL_PT, find_screenshots, holds
from decklab.benchmarks.slideeval.baselines.strokes import find_frames, find_strokes
from decklab.benchmarks.slideeval.baselines.surfaces import (
    Surface,
    background_of,
    find_surfaces,
    is_edge,
    is_free,
    is_slanted,
    told_once,
)
from decklab.deck.model.plain import (
    FRAME_SIZE,
    Font,
    PlainImage,
    PlainLine,
    PlainRect,
    PlainSlide,
    PlainTable,
    PlainText,
)
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

FAMILY = "Calibri"
"""The family most texts of the paper's decks have (table 5); pixels do not name one."""
_DIGITS = 1
_LETTERS = 2
_TALL = 1.5
"""Ours: times its width that a text of more letters is high where it stands on its end."""
_BACKDROP = 0.3
"""Ours: share of the slide from which a picture is what text is set on."""


def extract_from_picture(image: Picture) -> PlainSlide:
    """The elements of a slide from its picture (height x width x 3, RGB), and nothing else.

    Text and its place come from RapidOCR, the rest from pixels: areas and rules of one colour,
    pictures where there are many, tables where rules cross, frames where they close. The font
    family is always the most common one. Raises ModuleNotFoundError where RapidOCR is not
    installed.
    """
    lines = read_lines(image)
    small = cv2.resize(image, (FRAME_WIDTH, FRAME_HEIGHT), interpolation=cv2.INTER_AREA)
    background = background_of(image)
    lines = [line for line in lines if not _is_upright(line)]
    frame = np.asarray(small, np.uint8)
    boxes = [line.box for line in lines]
    found = find_surfaces(frame, background, boxes, find_strokes(frame, background))
    shots = find_screenshots(frame, background, lines, found)
    pictures = [Surface(box) for box in shots] + _outside(found.pictures, shots)
    areas, rules = _outside(found.areas, shots), _outside(found.rules, shots)
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
    """The areas with those that rules go around, and the rules that are left."""
    frames = find_frames([rule for rule in rules if not is_slanted(rule)])
    left = [rule for rule in rules if not any(is_edge(rule.box, one.box) for one in frames)]
    return told_once([*areas, *frames]), [rule for rule in left if is_free(image, rule)]


def _outside(items: Sequence[Surface], wholes: Sequence[Box]) -> list[Surface]:
    """Those that are not parts of a table or drawing: its rules, its frame, grounds of cells."""
    return [item for item in items if not any(holds(box, item.box) for box in wholes)]


def _is_upright(line: Line) -> bool:
    """Whether a text stands on its end, as words in a logo or along an axis do."""
    return len(line.text) > _LETTERS and line.box.height > _TALL * line.box.width


def _is_pictured(line: Line, pictures: Sequence[Surface], shots: Sequence[Box]) -> bool:
    """Whether a text belongs to a picture: any in a drawing, small print in others."""
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
    return PlainRect(
        **_place(item.box),
        rx=round(item.rounded, _DIGITS),
        fill=None if item.width else color,
        stroke=color if item.width else None,
        strokeWidth=round(item.width, _DIGITS),
    )


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
