"""Extraction from the picture alone: what a slide shows, without a model and without the deck."""

from collections.abc import Sequence

import cv2
import numpy as np

from decklab.benchmarks.slideeval.baselines.blocks import Block, merge_lines
from decklab.benchmarks.slideeval.baselines.grids import find_grids
from decklab.benchmarks.slideeval.baselines.reading import Color, Picture, read_lines
from decklab.benchmarks.slideeval.baselines.screenshots import find_screenshots, holds
from decklab.benchmarks.slideeval.baselines.surfaces import (
    Surface,
    background_of,
    find_surfaces,
)
from decklab.deck.elements import PlainSlide
from decklab.deck.elements.model.plain import (
    FRAME_SIZE,
    Font,
    PlainImage,
    PlainLine,
    PlainRect,
    PlainTable,
    PlainText,
)
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

__all__ = ["extract_from_picture"]

FAMILY = "Calibri"
"""The family most texts of the paper's decks have (table 5); pixels do not name one."""
_DIGITS = 1


def extract_from_picture(image: Picture) -> PlainSlide:
    """The elements of a slide from its picture (height x width x 3, RGB), and nothing else.

    Text and its place come from RapidOCR, the rest from pixels: areas and rules of one colour,
    pictures where there are many, tables where rules cross. The font family is always the most
    common one. Raises ModuleNotFoundError where RapidOCR
    is not installed.
    """
    lines = read_lines(image)
    small = cv2.resize(image, (FRAME_WIDTH, FRAME_HEIGHT), interpolation=cv2.INTER_AREA)
    background = background_of(image)
    shots = find_screenshots(np.asarray(small, np.uint8), background, lines)
    lines = [line for line in lines if not any(holds(box, line.box) for box in shots)]
    places = [line.box for line in lines]
    found = find_surfaces(np.asarray(small, np.uint8), background, places, shots)
    grids = find_grids([item.box for item in found.rules], lines)
    tables = [grid.box for grid in grids]
    free = [line for line in lines if not any(holds(box, line.box) for box in tables)]
    return PlainSlide(
        size=FRAME_SIZE,
        background=_hex(background),
        texts=tuple(_text(block) for block in merge_lines(free)),
        rects=tuple(_rect(item) for item in _outside(found.areas, tables)),
        lines=tuple(_rule(item) for item in _outside(found.rules, tables)),
        images=tuple(PlainImage(**_place(item.box)) for item in _outside(found.pictures, tables)),
        tables=tuple(PlainTable(**_place(grid.box), cells=grid.cells) for grid in grids),
    )


def _outside(items: Sequence[Surface], tables: Sequence[Box]) -> list[Surface]:
    """Those that are not parts of a table: its rules, its frame, the grounds of its cells."""
    return [item for item in items if not any(holds(box, item.box) for box in tables)]


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
