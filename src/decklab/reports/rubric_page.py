"""The page of one graded attempt: the tree of criteria, reasons, and slides before and after."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.reports.page import write_page
from decklab.reports.pictures import SlidePicture
from decklab.reports.score_range import SAME, Ranged
from decklab.reports.wording import number


@dataclass(frozen=True)
class QuestionView:
    """One question that a criterion put to a model; ``failed`` says why there is no answer."""

    prompt: str
    images: int
    answer: str = ""
    failed: str = ""


@dataclass(frozen=True)
class CriterionView(Ranged):
    """One criterion as the page shows it.

    ``low`` and ``high`` are the least and greatest score still possible, 0 to 1; they are equal
    where it is known. ``not_scored`` says why a criterion itself could not be scored.
    """

    name: str
    description: str
    critical: bool
    low: float
    high: float
    reason: str = ""
    not_scored: str | None = None
    asked: tuple[QuestionView, ...] = ()
    children: tuple["CriterionView", ...] = ()

    @property
    def shown(self) -> str:
        """The score as a reader expects it: ``0.85``, ``1``, ``0 to 0.7``."""
        if self.open:
            return f"{_short(self.low)} to {_short(self.high)}"
        return _short(self.low)

    @property
    def leaves(self) -> int:
        """How many leaves are below, the criterion itself where it is one."""
        return sum(child.leaves for child in self.children) or 1

    @property
    def open_leaves(self) -> int:
        """How many of them were not scored."""
        return sum(child.open_leaves for child in self.children) + (self.not_scored is not None)


@dataclass(frozen=True)
class SlidePair:
    """A slide before and after; a 1-based number is None where the slide was not there.

    ``marks`` are boxes in the 960x540 frame around what looks different.
    """

    before: int | None
    after: int | None
    title: str = ""
    picture_before: SlidePicture | None = None
    picture_after: SlidePicture | None = None
    marks: tuple[Box, ...] = ()


@dataclass(frozen=True)
class _Cell:
    """A criterion in the picture of the tree: a row a level, as wide as its leaves."""

    node: CriterionView
    anchor: str
    row: int
    column: int
    span: int


def _cells(root: CriterionView) -> Iterator[_Cell]:
    """The tree as cells, parents first; anchors are those that the template gives criteria."""
    waiting = [(root, "c", 1, 1)]
    while waiting:
        node, anchor, row, column = waiting.pop()
        yield _Cell(node, anchor, row, column, node.leaves)
        for place, child in enumerate(node.children):
            waiting.append((child, f"{anchor}-{place}", row + 1, column))
            column += child.leaves


def write_rubric_page(
    path: str | Path,
    root: CriterionView,
    *,
    original: str,
    modified: str,
    task: str | None = None,
    rule: str = "",
    slides: Sequence[SlidePair] = (),
    more_slides: int = 0,
    no_pictures: str = "",
    summary: str = "",
    damage: str = "",
    harms: Sequence[str] = (),
    generated_by: str = "decklab",
) -> None:
    """Write the page of a graded attempt to ``path``, whole or not at all.

    ``original`` and ``modified`` are the decks' paths, ``rule`` says in words how scores were
    joined, ``more_slides`` counts changed slides that are not among ``slides``, and
    ``no_pictures`` says why pictures are missing. ``summary`` is the path, relative to this page,
    of the page that lists all attempts. ``damage`` says what of the score damage beside the task
    takes, and ``harms`` what that damage is. The page loads nothing and works without JavaScript.
    """
    cells = list(_cells(root)) if root.children else []
    write_page(
        path,
        "rubric.html",
        "open-for-print.js",
        root=root,
        cells=cells,
        levels=max((cell.row for cell in cells), default=0),
        frame=(FRAME_WIDTH, FRAME_HEIGHT),
        task=task or root.name,
        original=original,
        modified=modified,
        rule=rule,
        slides=slides,
        more_slides=more_slides,
        no_pictures=no_pictures,
        summary=summary,
        damage=damage,
        harms=harms,
        generated_by=generated_by,
    )


def _short(score: float) -> str:
    shown = number(score)
    if shown in ("1.00", "0.00") and not (score <= SAME or score >= 1 - SAME):
        return "just over 0" if score < 0.5 else "just under 1"
    return shown.rstrip("0").rstrip(".")
