"""Lengths of measured slides as lengths of a presentation."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from decklab.deck.frames import Frame
from decklab.editing.building.drawing import FrameSize
from decklab.ooxml.xml import EMU_PER_POINT
from decklab.rendering.measured import Rectangle, Turn

_HEIGHT_EMU = 6_858_000
_WIDEST_EMU = 12_192_000


@dataclass(frozen=True)
class PageSize:
    """The size of the slides of a presentation, and of the pages they come from."""

    width: float
    """Pixels, as the next."""
    height: float

    @property
    def factor(self) -> float:
        """EMU of a pixel: pages are 7.5 inches high, as PowerPoint's are, or 13.3 wide."""
        return min(_HEIGHT_EMU / self.height, 2 * _WIDEST_EMU / self.width)

    @property
    def emu(self) -> tuple[int, int]:
        """Width and height."""
        return round(self.width * self.factor), round(self.height * self.factor)


@dataclass(frozen=True)
class Scale:
    """How a page lies on its slide: EMU of a pixel, and where its corner is."""

    factor: float
    left: float = 0.0
    top: float = 0.0

    @classmethod
    def of(cls, size: PageSize, width: float, height: float) -> "Scale":
        """A page of another size is made smaller to fit, and stands in the middle."""
        share = min(1.0, size.width / width, size.height / height)
        factor = size.factor * share
        left = max(size.emu[0] - width * factor, 0.0) / 2
        top = 0.0 if share == 1.0 else max(size.emu[1] - height * factor, 0.0) / 2
        return cls(factor, left, top)

    def emu(self, px: float) -> int:
        """A length."""
        return round(px * self.factor)

    def points(self, px: float) -> float:
        """A length in points."""
        return round(px * self.factor / EMU_PER_POINT, 4)

    def frame(self, box: Rectangle, turns: Sequence[Turn] = ()) -> Frame:
        """Where a box is, turned by the rotations of what it stands in."""
        left, top, width, height = box
        x, y, rotation = left + width / 2, top + height / 2, 0.0
        for turn in reversed(turns):
            angle = radians(turn.angle)
            dx, dy = x - turn.from_[0], y - turn.from_[1]
            x = turn.to[0] + dx * cos(angle) - dy * sin(angle)
            y = turn.to[1] + dx * sin(angle) + dy * cos(angle)
            rotation += turn.angle
        return Frame(
            self.left + (x - width / 2) * self.factor,
            self.top + (y - height / 2) * self.factor,
            width * self.factor,
            height * self.factor,
            rotation % 360,
        )

    @property
    def frame_size(self) -> FrameSize:
        """For writers that count in pixels of the frame: one of ours is one of theirs."""
        return FrameSize(round(960 * self.factor), round(540 * self.factor))


def cut(box: Rectangle, clip: Rectangle | None) -> Rectangle:
    """The part of a box that shows."""
    if clip is None:
        return box
    left, top = max(box[0], clip[0]), max(box[1], clip[1])
    right = min(box[0] + box[2], clip[0] + clip[2])
    bottom = min(box[1] + box[3], clip[1] + clip[3])
    return left, top, max(right - left, 0.0), max(bottom - top, 0.0)


def overlap(first: Rectangle, second: Rectangle, margin: float = 0.5) -> bool:
    """Whether two boxes share more than a margin."""
    both = cut(first, second)
    return both[2] > margin and both[3] > margin
