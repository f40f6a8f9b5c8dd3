"""Where elements are, upright, in the 960x540 frame."""

from math import cos, radians, sin

from decklab.deck.elements.model.shapes import Element, Line
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

__all__ = ["FRAME", "box_of", "distance", "label", "share_inside"]

FRAME = Box(0, 0, FRAME_WIDTH, FRAME_HEIGHT)
"""The slide."""


def box_of(element: Element) -> Box | None:
    """The upright rectangle around an element, turned as it is; None where it has no place."""
    if not element.placed:
        return None
    if isinstance(element, Line):
        xs, ys = sorted((element.x1, element.x2)), sorted((element.y1, element.y2))
        return Box(xs[0], ys[0], xs[1], ys[1])
    x, y, w, h = (float(getattr(element, name)) for name in ("x", "y", "w", "h"))
    turn = radians(element.rotation)
    width = abs(w * cos(turn)) + abs(h * sin(turn))
    height = abs(w * sin(turn)) + abs(h * cos(turn))
    middle, centre = x + w / 2, y + h / 2
    return Box(middle - width / 2, centre - height / 2, middle + width / 2, centre + height / 2)


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
