"""What the pages and tables of PPTArena show, as plain records."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from decklab.reports.pictures import SlidePicture
from decklab.reports.wording import number

__all__ = [
    "ArenaCase",
    "ArenaCell",
    "ArenaEditor",
    "ArenaRow",
    "ArenaRun",
    "ArenaSlide",
    "ArenaVerdict",
]


@dataclass(frozen=True)
class ArenaCell:
    """A mean, of how many cases, or why there is none."""

    mean: float | None
    scored: int = 0
    reason: str = ""

    @property
    def shown(self) -> str:
        """The mean with two decimals, an en dash for none; 1 only where nothing is missing.

        >>> ArenaCell(0.9996, 3).shown, ArenaCell(None).shown
        ('0.999', '–')
        """
        if self.mean is None:
            return "–"
        shown = number(self.mean)
        return "0.999" if shown == "1.00" and self.mean < 1 - 1e-9 else shown


@dataclass(frozen=True)
class ArenaRow:
    """A category, or all cases."""

    category: str
    cases: int
    cells: Mapping[str, ArenaCell]
    """By column."""


@dataclass(frozen=True)
class ArenaVerdict:
    """A judge's score of one case, or why there is none."""

    judge: str
    """``IF`` or ``VQ``, with the model where there are several."""
    score: ArenaCell
    reason: str
    shown: str = ""
    """What the judge was shown."""


@dataclass(frozen=True)
class ArenaSlide:
    """A place in the show in three decks; a picture is None where the slide is not there."""

    number: int
    original: SlidePicture | None
    prediction: SlidePicture | None
    truth: SlidePicture | None
    likeness: float | None = None
    """Of prediction and truth, 1 for equal pictures."""


@dataclass(frozen=True)
class ArenaCase:
    """One case and what an editor made of it."""

    name: str
    prompt: str
    style_target: str
    categories: tuple[str, ...]
    edit_types: tuple[str, ...]
    ending: str
    """How the editor said that it ended."""
    note: str
    seconds: float
    values: Mapping[str, ArenaCell]
    """By column."""
    verdicts: tuple[ArenaVerdict, ...] = ()
    matched: tuple[str, ...] = ()
    """Changes asked for and made, in sentences."""
    missing: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    slides: tuple[ArenaSlide, ...] = ()
    no_pictures: str = ""
    """Why there are none; empty where there are."""
    page: str = ""
    """Path of the case's page relative to the summary."""


@dataclass(frozen=True)
class ArenaEditor:
    """An editor that was put to the cases."""

    name: str
    rows: tuple[ArenaRow, ...]
    cases: tuple[ArenaCase, ...] = field(default=())


@dataclass(frozen=True)
class ArenaRun:
    """One set of cases and all editors that were put to it."""

    title: str
    version: str
    """Of the cases."""
    columns: tuple[str, ...]
    editors: tuple[ArenaEditor, ...]
    facts: tuple[str, ...] = ()
    """Sentences such as what the self-check found."""
    difficulty: tuple[tuple[str, ...], ...] = ()
    """Rows of table C, as texts, without a heading."""
