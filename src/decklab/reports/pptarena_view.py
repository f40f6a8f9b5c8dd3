"""What the pages and tables of PPTArena show, as plain records."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from decklab.comparing.page import ChangedSlide
from decklab.geometry import Box
from decklab.reports.pictures import SlidePicture
from decklab.reports.wording import number


@dataclass(frozen=True)
class ArenaCell:
    """A mean, of how many cases, or why there is none."""

    mean: float | None
    scored: int = 0
    reason: str = ""
    digits: int = 2

    @property
    def shown(self) -> str:
        """The mean with its decimals, an en dash for none; 1 only where nothing is missing.

        >>> ArenaCell(0.9996, 3).shown, ArenaCell(None).shown, ArenaCell(0.9996, digits=3).shown
        ('0.99', '–', '0.999')
        """
        if self.mean is None:
            return "–"
        shown = number(self.mean, self.digits)
        short = number(1, self.digits)
        return f"0.{'9' * self.digits}" if shown == short and self.mean < 1 - 1e-9 else shown


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
    regions: tuple[Box, ...] = ()
    """Where prediction and truth look different, in the 960x540 frame."""

    def marks(self, picture: SlidePicture) -> list[Box]:
        """The regions on a drawing of ``picture`` that is 960 units wide; near ones as one."""
        return ChangedSlide(None, self.number, "", (), regions=self.regions).marks(picture)


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
    more: int = 0
    """Slides that look different and are not among them."""
    no_pictures: str = ""
    """Why there are none; empty where there are."""
    page: str = ""
    """Path of the case's page relative to the summary."""


@dataclass(frozen=True)
class ArenaEditor:
    """An editor that was put to the cases."""

    name: str
    rows: tuple[ArenaRow, ...]
    """By category, all cases last."""
    cases: tuple[ArenaCase, ...] = ()
    flawed: bool = False
    """Whether these are attempts that are flawed on purpose."""

    @property
    def total(self) -> ArenaRow:
        """Over all cases."""
        return self.rows[-1]


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
    orders: tuple[tuple[str, ...], ...] = ()
    """How often each companion puts the truth above each kind of flawed attempt, as texts; the
    kinds in the first row."""

    @property
    def tried(self) -> tuple[ArenaEditor, ...]:
        """The editors without the attempts that are flawed on purpose."""
        return tuple(one for one in self.editors if not one.flawed)

    @property
    def categories(self) -> tuple[tuple[str, tuple[ArenaRow, ...]], ...]:
        """Table 3: by category a row of each editor of ``tried``."""
        if not self.tried:
            return ()
        names = [row.category for row in self.tried[0].rows]
        return tuple((name, tuple(one.rows[n] for one in self.tried))
                     for n, name in enumerate(names))  # fmt: skip

    @property
    def by_case(self) -> tuple[tuple[ArenaCase, ...], ...]:
        """Case by case what each editor made of it."""
        return tuple(zip(*(one.cases for one in self.editors), strict=True))

    @property
    def unscored(self) -> tuple[str, ...]:
        """A sentence for each reason why an editor has no value at all in some columns."""
        causes: dict[str, dict[str, list[str]]] = {}
        for editor in self.editors:
            for column in self.columns:
                cell = editor.total.cells[column]
                if cell.mean is None:
                    found = causes.setdefault(cell.reason or "not scored", {})
                    found.setdefault(editor.name, []).append(column)
        return tuple(line for why, found in causes.items() for line in self._told(why, found))

    def _told(self, why: str, found: Mapping[str, list[str]]) -> Iterator[str]:
        """Editors that lack the same columns for the same reason in one sentence."""
        by_columns: dict[tuple[str, ...], list[str]] = {}
        for name, columns in found.items():
            by_columns.setdefault(tuple(columns), []).append(name)
        for lacking, names in by_columns.items():
            what = "everything" if lacking == self.columns else ", ".join(lacking)
            whose = "" if len(names) == len(self.editors) else f" of {', '.join(names)}"
            yield f"Not scored: {what}{whose}; {why}."
