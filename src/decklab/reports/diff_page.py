"""The report of a comparison of two decks: a single page that needs nothing but itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.reports.page import write_page
from decklab.reports.pictures import SlidePicture

_MARGIN = 4.0  # px of the frame between what changed and the mark around it
_NEAR = 14.0
"""Px of the frame over which two marks become one, so that words of a line are not marked one by
one. Ours."""


@dataclass(frozen=True)
class Piece:
    """A stretch of a text that stayed, went or came."""

    text: str
    state: Literal["same", "gone", "come"]


@dataclass(frozen=True)
class ChangeLine:
    """One change in words; a changed text also piece by piece, a colour with both its values."""

    kind: str
    words: str
    pieces: tuple[Piece, ...] = ()
    colors: tuple[str, ...] = ()
    """Old and new as ``#RRGGBB``; empty where no colour changed."""


@dataclass(frozen=True)
class ChangedSlide:
    """A slide that changed, came or went, and its pictures where there are any."""

    before: int | None
    """Number in the older deck; None for a slide that was added."""
    after: int | None
    title: str
    changes: tuple[ChangeLine, ...]
    old_picture: SlidePicture | None = None
    new_picture: SlidePicture | None = None
    regions: tuple[Box, ...] = ()
    """What looks different, in the 960x540 frame."""
    likeness: float | None = None
    """Structural similarity of the pictures, 1 for equal ones."""

    @property
    def heading(self) -> str:
        """What the slide is called on the page."""
        return f"Slide {self.after}" if self.after else f"Slide {self.before} of the older deck"

    @property
    def anchor(self) -> str:
        """Where links to the slide lead."""
        return f"slide-{self.after}" if self.after else f"removed-{self.before}"

    @property
    def fate(self) -> str:
        """What became of the slide as a whole; empty where it stayed."""
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        moved = any(line.kind == "slide" and "moved" in line.words for line in self.changes)
        return "moved" if moved else ""

    @property
    def looks_same(self) -> bool:
        """Whether both pictures are there and nothing on them differs visibly."""
        return bool(self.old_picture and self.new_picture) and not self.regions

    def marks(self, picture: SlidePicture) -> list[Box]:
        """The regions on a drawing of ``picture`` that is 960 units wide; near ones as one."""
        scale = _height(picture) / FRAME_HEIGHT
        return [
            Box(box.left - _MARGIN, box.top - _MARGIN, box.right + _MARGIN, box.bottom + _MARGIN)
            for box in _joined([box.scaled(1, scale) for box in self.regions])
        ]


@dataclass(frozen=True)
class Comparison:
    """Two decks compared, ready to be shown."""

    before: str
    """Path of the older deck."""
    after: str
    deck: tuple[ChangeLine, ...]
    """What changed of the deck as a whole, its layouts, masters and themes."""
    slides: tuple[ChangedSlide, ...]
    slide_count: int
    """Of the newer deck."""
    noise: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What programs did by only saving: place, and what, in words."""
    unpictured: str = ""
    """Why there are no pictures; empty where there are."""

    @property
    def edits(self) -> int:
        """How many changes there are, noise left out."""
        return len(self.deck) + sum(len(slide.changes) for slide in self.slides)

    @property
    def saved(self) -> int:
        """How many differences are noise."""
        return sum(len(told) for _place, told in self.noise)

    def count(self, fate: str) -> int:
        """How many slides were ``added``, ``removed`` or ``moved``; of "" those that changed."""
        return sum(slide.fate == fate for slide in self.slides)


def write_diff_page(
    path: str | Path, comparison: Comparison, *, generated_by: str = "decklab"
) -> None:
    """Write the page of ``comparison`` to ``path``, whole or not at all.

    The page loads nothing, from the network or from disk, and works without JavaScript, on a
    phone, in dark mode and on paper.
    """
    write_page(
        path,
        "diff.html",
        "open-for-print.js",
        comparison=comparison,
        frame_width=FRAME_WIDTH,
        height=_height,
        generated_by=generated_by,
    )


def _height(picture: SlidePicture) -> float:
    """Of a drawing 960 units wide."""
    return FRAME_WIDTH * picture.height / picture.width


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that stand near each other as one."""
    kept: list[Box] = []
    for box in boxes:
        around = box
        while near := [other for other in kept if _near(around, other)]:
            kept = [other for other in kept if other not in near]
            for other in near:
                around = around.union(other)
        kept.append(around)
    return kept


def _near(a: Box, b: Box) -> bool:
    return (
        a.left - _NEAR < b.right
        and b.left - _NEAR < a.right
        and a.top - _NEAR < b.bottom
        and b.top - _NEAR < a.bottom
    )
