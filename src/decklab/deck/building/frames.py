"""From the pixels of the slide frame back to EMU: boxes, and the frames of lines."""

from dataclasses import dataclass
from math import cos, radians, sin

from decklab.deck.frames import Frame, Group
from decklab.deck.model.shapes import Element, Line
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.ooxml.units import EMU_PER_POINT

_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_RISING = "lineInv"
_FLAT = 0.03
"""Px below which a line counts as level or upright: more than rounding its ends and its rotation
adds to a line as long as the slide is wide."""


@dataclass(frozen=True)
class Paper:
    """The size of the slides."""

    width: int
    """In EMU, as the next."""
    height: int

    @classmethod
    def of_points(cls, size_pt: tuple[float, float]) -> "Paper":
        """Slides of a size in points."""
        return cls(round(size_pt[0] * EMU_PER_POINT), round(size_pt[1] * EMU_PER_POINT))

    def across(self, px: float) -> int:
        """A horizontal length or place in EMU."""
        return round(px * self.width / FRAME_WIDTH)

    def down(self, px: float) -> int:
        """A vertical length or place in EMU."""
        return round(px * self.height / FRAME_HEIGHT)

    def frame(self, element: Element) -> Frame:
        """The frame of an element on the slide."""
        if isinstance(element, Line):
            return self._line(element)
        x, y, w, h = (getattr(element, name) for name in ("x", "y", "w", "h"))
        return Frame(
            self.across(x),
            self.down(y),
            self.across(w),
            self.down(h),
            element.rotation,
            element.flip_h,
            element.flip_v,
        )

    def _line(self, line: Line) -> Frame:
        """The ends of a line, turned back about its middle, give size and flips."""
        across, down = self.width / FRAME_WIDTH, self.height / FRAME_HEIGHT
        dx, dy = (line.x2 - line.x1) * across, (line.y2 - line.y1) * down
        turn = radians(-line.rotation)
        dx, dy = dx * cos(turn) - dy * sin(turn), dx * sin(turn) + dy * cos(turn)
        if line.geometry == _RISING:
            dy = -dy
        flat = _FLAT * max(across, down)
        flip_h = line.flip_h if abs(dx) < flat else dx < 0
        flip_v = line.flip_v if abs(dy) < flat else dy < 0
        width = 0.0 if abs(dx) < flat else abs(dx)
        height = 0.0 if abs(dy) < flat else abs(dy)
        x = (line.x1 + line.x2) / 2 * across - width / 2
        y = (line.y1 + line.y2) / 2 * down - height / 2
        return Frame(x, y, width, height, line.rotation, flip_h, flip_v)


def inside(frame: Frame, group: Frame) -> Frame:
    """A frame on the slide in the coordinates of a group that scales nothing.

    What turns and flips the group is undone: turned the other way, unless a flip has swapped that
    already.
    """
    swapped = group.rotation if group.flip_h != group.flip_v else -group.rotation
    upright = Frame(
        group.left, group.top, group.width, group.height,
        swapped % 360, group.flip_h, group.flip_v,
    )  # fmt: skip
    return Group(upright, group.left, group.top, group.width, group.height).outward(frame)


def xfrm(frame: Frame, tag: str = "a:xfrm", more: str = "") -> str:
    """A position element, turned and flipped; ``more`` stands inside it at the end."""
    turned = f' rot="{round(frame.rotation % 360 * _ANGLE_UNIT)}"' if frame.rotation % 360 else ""
    flips = (' flipH="1"' if frame.flip_h else "") + (' flipV="1"' if frame.flip_v else "")
    return (
        f'<{tag}{turned}{flips}><a:off x="{round(frame.left)}" y="{round(frame.top)}"/>'
        f'<a:ext cx="{max(round(frame.width), 0)}" cy="{max(round(frame.height), 0)}"/>'
        f"{more}</{tag}>"
    )
