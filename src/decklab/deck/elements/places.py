"""Where elements are, upright, in the 960x540 frame."""

from math import cos, radians, sin

from decklab.deck.elements.model.shapes import Element, Line
from decklab.geometry import Box

__all__ = ["box_of"]


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
