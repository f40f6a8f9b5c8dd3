"""Where shapes are: frames, the nested, turned and flipped groups around them, the ends of lines.

Lengths are EMU and angles degrees clockwise, as in the file; ``to_frame`` gives pixels.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, isfinite, radians, sin

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.ooxml.units import degrees, parse_emu, parse_int
from decklab.ooxml.xml import Element, qn


@dataclass(frozen=True)
class Frame:
    """A shape's upright rectangle, turned and flipped about its centre (flipped first)."""

    left: float
    top: float
    width: float
    height: float
    rotation: float = 0.0
    flip_h: bool = False
    flip_v: bool = False


@dataclass(frozen=True)
class GroupTransform:
    """A group: its own frame in its parent, and the rectangle of its members' coordinates."""

    frame: Frame
    child_left: float
    child_top: float
    child_width: float
    child_height: float

    def outward(self, member: Frame) -> Frame:
        """A member's frame in the coordinates of the group's parent.

        The group scales, then flips, then turns. A member that is turned by 45 to 135 degrees,
        either way, is stretched along its sides as drawn, so its width follows the vertical scale,
        as in PowerPoint and LibreOffice.
        """
        outer = self.frame
        scale_x = outer.width / self.child_width if self.child_width else 1.0
        scale_y = outer.height / self.child_height if self.child_height else 1.0
        dx = (member.left + member.width / 2 - self.child_left) * scale_x - outer.width / 2
        dy = (member.top + member.height / 2 - self.child_top) * scale_y - outer.height / 2
        dx, dy = -dx if outer.flip_h else dx, -dy if outer.flip_v else dy
        turn = radians(outer.rotation)
        center_x = outer.left + outer.width / 2 + dx * cos(turn) - dy * sin(turn)
        center_y = outer.top + outer.height / 2 + dx * sin(turn) + dy * cos(turn)
        if 45 <= member.rotation % 180 < 135:
            scale_x, scale_y = scale_y, scale_x
        width, height = member.width * scale_x, member.height * scale_y
        mirrored = outer.flip_h != outer.flip_v
        rotation = -member.rotation if mirrored else member.rotation
        return Frame(
            center_x - width / 2,
            center_y - height / 2,
            width,
            height,
            (rotation + outer.rotation) % 360,
            member.flip_h != outer.flip_h,
            member.flip_v != outer.flip_v,
        )


def read_frame(xfrm: Element | None) -> Frame | None:
    """The frame of an ``a:xfrm`` or ``p:xfrm``; None if it gives no full position."""
    if xfrm is None:
        return None
    corner = _pair(xfrm.find(qn("a:off")), "x", "y")
    size = _pair(xfrm.find(qn("a:ext")), "cx", "cy")
    if corner is None or size is None:
        return None
    return Frame(
        *corner,
        *size,
        rotation=degrees(xfrm.get("rot")),
        flip_h=xfrm.get("flipH") in ("1", "true"),
        flip_v=xfrm.get("flipV") in ("1", "true"),
    )


def read_group(xfrm: Element | None) -> GroupTransform | None:
    """The group of an ``a:xfrm``; None if it places its members nowhere else."""
    frame = read_frame(xfrm)
    if xfrm is None or frame is None:
        return None
    corner = _pair(xfrm.find(qn("a:chOff")), "x", "y")
    size = _pair(xfrm.find(qn("a:chExt")), "cx", "cy")
    return GroupTransform(
        frame, *(corner or (frame.left, frame.top)), *(size or (frame.width, frame.height))
    )


def frame_on_slide(
    stated: Iterable[Frame | None], groups: Iterable[GroupTransform]
) -> Frame | None:
    """The first full position among ``stated``, on the slide; groups come innermost first.

    None if nothing gives a position, or groups stretch it to infinity.
    """
    frame = next((item for item in stated if item is not None), None)
    if frame is None:
        return None
    for group in groups:
        frame = group.outward(frame)
    sides = (frame.left, frame.top, frame.width, frame.height)
    return frame if all(isfinite(side) for side in sides) else None


def rounded(value: float) -> float:
    """A length or share to a hundredth, the precision of all geometry; never minus zero.

    >>> rounded(12.3456), rounded(-0.001)
    (12.35, 0.0)
    """
    return round(value, 2) + 0.0


def to_frame(frame: Frame, size_emu: tuple[int, int]) -> Box:
    """The upright rectangle in the pixels of the 960x540 slide frame."""
    box = Box(frame.left, frame.top, frame.left + frame.width, frame.top + frame.height)
    return box.scaled(FRAME_WIDTH / size_emu[0], FRAME_HEIGHT / size_emu[1])


def _pair(element: Element | None, first: str, second: str) -> tuple[int, int] | None:
    if element is None:
        return None
    left, right = parse_emu(element.get(first)), parse_emu(element.get(second))
    return None if left is None or right is None else (left, right)


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
    """Shape id and connection site that a connector's start is glued to, then those of its end."""
    found: list[int | None] = []
    for tag in ("a:stCxn", "a:endCxn"):
        glue = next(element.iter(qn(tag)), None)
        found += [None, None] if glue is None else [
            parse_int(glue.get("id")), parse_int(glue.get("idx"))
        ]  # fmt: skip
    return found[0], found[1], found[2], found[3]
