"""Where elements are, upright, in the 960x540 frame."""

from decklab.deck.model.shapes import Element
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

FRAME = Box(0, 0, FRAME_WIDTH, FRAME_HEIGHT)
"""The slide."""


def distance(one: Box, other: Box) -> float:
    """How far apart two boxes are along the axis that parts them most; 0 where they touch.

    >>> distance(Box(0, 0, 10, 10), Box(13, 0, 20, 10)), distance(Box(0, 0, 9, 9), Box(5, 5, 9, 9))
    (3, 0)
    """
    return max(
        0, one.left - other.right, other.left - one.right, one.top - other.bottom,
        other.top - one.bottom,
    )  # fmt: skip


def share_inside(box: Box, holder: Box) -> float:
    """Share of a box's area that lies in another; 1 for a box without area."""
    return box.intersection(holder).area / box.area if box.area else 1.0


def label(element: Element) -> str:
    """How findings name an element: ``Title 1 (id 2)``."""
    return f"{element.name} (id {element.id})"
