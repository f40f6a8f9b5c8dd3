"""The slide frame: the one coordinate system in which geometry leaves a room.

Every slide, whatever its size, is mapped to a frame of 960 by 540 pixels with the origin at the
top left (paper 000, appendix A). A slide that is not 16:9 is scaled per axis.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

FRAME_WIDTH = 960
FRAME_HEIGHT = 540


class Box(NamedTuple):
    """An axis-aligned rectangle: left, top, right and bottom edges.

    In the pixels of the 960x540 frame unless the holder says otherwise. Edges may lie outside
    the frame (an off-slide shape does).

    >>> Box(10, 20, 110, 70).width, Box(10, 20, 110, 70).area
    (100, 5000)
    """

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Horizontal extent, never negative."""
        return max(0, self.right - self.left)

    @property
    def height(self) -> float:
        """Vertical extent, never negative."""
        return max(0, self.bottom - self.top)

    @property
    def area(self) -> float:
        """Width times height, in square pixels."""
        return self.width * self.height

    @property
    def middle(self) -> tuple[float, float]:
        """The point in its middle."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def intersection(self, other: "Box") -> "Box":
        """The common part of two boxes; its area is 0 if they do not meet.

        >>> Box(0, 0, 10, 10).intersection(Box(5, 5, 20, 20))
        Box(left=5, top=5, right=10, bottom=10)
        """
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def union(self, other: "Box") -> "Box":
        """The smallest box that holds both.

        >>> Box(0, 0, 1, 1).union(Box(2, 3, 4, 5))
        Box(left=0, top=0, right=4, bottom=5)
        """
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def scaled(self, x: float, y: float) -> "Box":
        """The box with horizontal edges times ``x`` and vertical edges times ``y``.

        >>> Box(1, 2, 3, 4).scaled(10, 100)
        Box(left=10, top=200, right=30, bottom=400)
        """
        return Box(self.left * x, self.top * y, self.right * x, self.bottom * y)

    def grown(self, by: float) -> "Box":
        """The box with every edge moved out by ``by``.

        >>> Box(10, 20, 30, 40).grown(4)
        Box(left=6, top=16, right=34, bottom=44)
        """
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def moved(self, across: float, down: float) -> "Box":
        """The box moved to the right and down.

        >>> Box(1, 2, 3, 4).moved(10, 100)
        Box(left=11, top=102, right=13, bottom=104)
        """
        return Box(self.left + across, self.top + down, self.right + across, self.bottom + down)

    def on_picture(self, shape: tuple[int, ...]) -> "Box":
        """A box in the frame as one in the pixels of a picture (height, width, ...) of it.

        >>> Box(96, 54, 480, 270).on_picture((1080, 1920, 3))
        Box(left=192.0, top=108.0, right=960.0, bottom=540.0)
        """
        height, width = shape[:2]
        return self.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)

    @classmethod
    def around(cls, boxes: Iterable["Box"]) -> "Box | None":
        """The smallest box that holds all; None without any.

        >>> Box.around([Box(0, 0, 1, 1), Box(2, 3, 4, 5)])
        Box(left=0, top=0, right=4, bottom=5)
        """
        if not (edges := list(zip(*boxes, strict=True))):
            return None
        lefts, tops, rights, bottoms = edges
        return cls(min(lefts), min(tops), max(rights), max(bottoms))


FRAME = Box(0, 0, FRAME_WIDTH, FRAME_HEIGHT)
"""The whole slide."""

_CELL = 40
"""Pixels; ours: a cell of a full slide then has few boxes, and a large box few cells."""


class BoxIndex:
    """Boxes by the cells of a grid over the slide, to find those near a place without looking at
    all. A box off the slide counts to the cells at its edge."""

    def __init__(self, boxes: Iterable[Box]) -> None:
        self._held: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for number, box in enumerate(boxes):
            for cell in _cells(box):
                self._held[cell].append(number)

    def near(self, box: Box) -> Sequence[int]:
        """Numbers, in order, of at least all boxes that touch this one; others may be there, too.

        >>> BoxIndex([Box(0, 0, 9, 9), Box(500, 0, 900, 500)]).near(Box(4, 4, 20, 20))
        [0]
        """
        cells = list(_cells(box))
        if len(cells) == 1:
            return self._held.get(cells[0], [])
        return sorted({number for cell in cells for number in self._held.get(cell, ())})


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    left, right = sorted(_clamped(edge, FRAME_WIDTH) for edge in (box.left, box.right))
    top, bottom = sorted(_clamped(edge, FRAME_HEIGHT) for edge in (box.top, box.bottom))
    return product(range(left, right + 1), range(top, bottom + 1))


def _clamped(edge: float, end: int) -> int:
    return int(min(max(0, edge), end) // _CELL)  # 0 for what is no number
