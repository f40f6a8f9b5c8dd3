"""The pen for gate 3: a patch of an unlikely colour, drawn on the layouts of the slides."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decklab.deck.model.outline import DeckOutline, Slide
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.metrics.editability.content import (
    FRAME,
    FULL_SLIDE,
    content_shapes,
    has_text,
    on_frame,
    paints,
)
from decklab.ooxml.xml import Element, qn

SIDE = 30
"""Side of the patch in frame pixels: it leaves 15 pixels of a 480-pixel picture to look at."""

COLOR = "FF00FE"
COLOR_REACH = 40
"""Largest difference per channel: drawing the page smooths the patch's rim only."""

SHOWN_SHARE = 0.3
"""Share of the patch that must be seen: text or a line may cross it, a picture covers all."""

MARGIN = 4


@dataclass(frozen=True)
class Patch:
    """Where a layout gets its patch, and the slides on which nothing small hides that spot."""

    layout: str
    box: Box
    slides: tuple[int, ...]


def choose_patches(outline: DeckOutline, slides: Sequence[Slide]) -> tuple[Patch, ...]:
    """One patch per layout of ``slides``, where the fewest of these have anything standing.

    Objects that cover the whole slide are not avoided: whether they hide the master is the
    question.
    """
    by_layout: dict[str, list[Slide]] = defaultdict(list)
    for slide in slides:
        layout = outline.layout(slide.layout)
        if layout is not None:
            by_layout[layout.part].append(slide)
    return tuple(_choose(part, slides) for part, slides in sorted(by_layout.items()))


def _choose(part: str, slides: list[Slide]) -> Patch:
    taken = np.stack([_taken(slide) for slide in slides])
    row, column = np.unravel_index(int(np.argmin(taken.sum(axis=0))), taken.shape[1:])
    left, top = int(column) * SIDE, int(row) * SIDE
    free = tuple(
        slide.number
        for slide, cells in zip(slides, taken, strict=True)
        if not cells[row, column]
    )  # fmt: skip
    return Patch(part, Box(left, top, left + SIDE, top + SIDE), free)


def _taken(slide: Slide) -> NDArray[np.bool_]:
    """Cells of the slide on which something less than full-slide stands."""
    grid = np.zeros((FRAME_HEIGHT // SIDE, FRAME_WIDTH // SIDE), bool)
    for shape in content_shapes(slide):
        if shape.box is None or not (paints(shape) or has_text(shape)):
            continue
        box = on_frame(shape.box)
        if box.area < FULL_SLIDE * FRAME.area:
            rows = slice(int((box.top - MARGIN) // SIDE) if box.top > MARGIN else 0,
                         int((box.bottom + MARGIN) // SIDE) + 1)  # fmt: skip
            columns = slice(int((box.left - MARGIN) // SIDE) if box.left > MARGIN else 0,
                            int((box.right + MARGIN) // SIDE) + 1)  # fmt: skip
            grid[rows, columns] = True
    return grid


def add_patch(root: Element, patch: Patch, size_emu: tuple[int, int]) -> None:
    """Draw the patch on top of a layout's own shapes, in its XML, in place."""
    tree = root.find(f"{qn('p:cSld')}/{qn('p:spTree')}")
    if tree is None:
        return
    scale = (size_emu[0] / FRAME_WIDTH, size_emu[1] / FRAME_HEIGHT)
    place = patch.box.scaled(*scale)

    def grow(parent: Element, tag: str, **attributes: str) -> Element:
        child = parent.makeelement(qn(tag), attributes)
        parent.append(child)
        return child

    shape = grow(tree, "p:sp")
    names = grow(shape, "p:nvSpPr")
    grow(names, "p:cNvPr", id="987654", name="Patch")
    grow(names, "p:cNvSpPr")
    grow(names, "p:nvPr", userDrawn="1")
    look = grow(shape, "p:spPr")
    frame = grow(look, "a:xfrm")
    grow(frame, "a:off", x=str(round(place.left)), y=str(round(place.top)))
    grow(frame, "a:ext", cx=str(round(place.width)), cy=str(round(place.height)))
    grow(grow(look, "a:prstGeom", prst="rect"), "a:avLst")
    grow(grow(look, "a:solidFill"), "a:srgbClr", val=COLOR)
    grow(grow(look, "a:ln"), "a:noFill")


def shows_patch(image: NDArray[np.uint8], patch: Patch) -> bool:
    """True where the patch can be seen in a picture (height x width x 3) of the slide."""
    height, width = image.shape[:2]
    spot = patch.box.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)
    pixels = image[round(spot.top) + 1 : round(spot.bottom) - 1,
                   round(spot.left) + 1 : round(spot.right) - 1].astype(int)  # fmt: skip
    target = np.array([int(COLOR[index : index + 2], 16) for index in (0, 2, 4)])
    alike = np.abs(pixels - target).max(axis=2) <= COLOR_REACH
    return bool(alike.size) and float(alike.mean()) >= SHOWN_SHARE
