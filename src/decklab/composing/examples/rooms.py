"""How far a text may grow on its slide: to the next shape, the end of its panel or the margin."""

from collections.abc import Iterable
from typing import Final

from decklab.geometry import FRAME, Box

_MARGIN: Final = 24.0
_WALL: Final = 10.0
"""Pixels between a text that grows and what stands below or above it."""


def holds(outer: Box, inner: Box) -> bool:
    """Whether a larger box has most of another one in it."""
    return outer.intersection(inner).area > 0.8 * inner.area and outer.area > inner.area


def frames_it(box: Box, shown: Box) -> bool:
    """Whether a drawing is the frame or shadow of an object."""
    shared = box.intersection(shown).area
    return shared > 0.6 * min(box.area, shown.area) and box.area < 3 * shown.area


def distance(first: Box, second: Box) -> float:
    """Pixels between two boxes, 0 where they meet."""
    across = max(first.left - second.right, second.left - first.right, 0.0)
    down = max(first.top - second.bottom, second.top - first.bottom, 0.0)
    return across + down


def grown_down(box: Box, walls: Iterable[Box], panels: Iterable[Box]) -> Box:
    """A box made higher, down to the next wall below it, the end of the panels that it stands in,
    or the slide's margin."""
    bottom = min([FRAME.height - _MARGIN, *(one.bottom - 8 for one in panels if holds(one, box))])
    for wall in walls:
        beside = wall.right <= box.left + 2 or wall.left >= box.right - 2
        if beside or wall == box or wall.top < box.top + 0.5 * box.height:
            continue
        bottom = min(bottom, wall.top - _WALL)
    return box._replace(bottom=max(box.bottom, bottom))


def grown_up(box: Box, walls: Iterable[Box]) -> Box:
    """A box made higher, up to the next wall above it or the slide's margin."""
    top = _MARGIN
    for wall in walls:
        beside = wall.right <= box.left + 2 or wall.left >= box.right - 2
        if not beside and wall != box and wall.bottom < box.top + 0.5 * box.height:
            top = max(top, wall.bottom + _WALL)
    return box._replace(top=min(box.top, top))


def clear_of(box: Box, blocks: Iterable[Box]) -> Box:
    """A box cut off at the right, and at the foot, where drawings reach into it."""
    for block in blocks:
        shared = block.intersection(box)
        if shared.width < 8 or shared.height < 8 or holds(block, box):
            continue
        if block.left > box.left + 0.35 * box.width:
            box = box._replace(right=block.left - 6)
        elif block.top > box.top + 0.6 * box.height:
            box = box._replace(bottom=block.top - 4)
    return box
