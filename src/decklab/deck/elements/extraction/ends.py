"""Where lines begin and end."""

from math import cos, radians, sin

from decklab.deck.placement import Frame
from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["ends_of", "glue_of"]

Point = tuple[float, float]


def ends_of(frame: Frame, *, rising: bool = False) -> tuple[Point, Point]:
    """Both ends of a line in its frame, in EMU, after its flips and rotation.

    A line runs from the top left corner of its frame to the bottom right one; one that is
    ``rising`` (``lineInv``) from the bottom left to the top right.
    """
    dx, dy = frame.width / 2, frame.height / 2
    dy = -dy if rising else dy
    dx, dy = -dx if frame.flip_h else dx, -dy if frame.flip_v else dy
    turn = radians(frame.rotation)
    x = dx * cos(turn) - dy * sin(turn)
    y = dx * sin(turn) + dy * cos(turn)
    center_x, center_y = frame.left + frame.width / 2, frame.top + frame.height / 2
    return (center_x - x, center_y - y), (center_x + x, center_y + y)


def glue_of(element: Element) -> tuple[int | None, int | None, int | None, int | None]:
    """What a connector is glued to: id and connection site at its start, then at its end."""
    found: list[int | None] = []
    for tag in ("a:stCxn", "a:endCxn"):
        glue = next(element.iter(qn(tag)), None)
        found += [None, None] if glue is None else [
            parse_int(glue.get("id")), parse_int(glue.get("idx"))
        ]  # fmt: skip
    return found[0], found[1], found[2], found[3]
