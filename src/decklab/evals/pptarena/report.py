"""A run as pages, as a table for a terminal, and as JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, Self

import numpy as np
from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from decklab.core.geometry import Box
from decklab.core.results import NotScored, first_cause, scored, value_or_none
from decklab.diffing.page import ChangedSlide
from decklab.diffing.pictures import color_ssim, visual_diff
from decklab.evals.editors.isolation import describe_isolation
from decklab.evals.pptarena.cases import Decks, Image, slug
from decklab.evals.pptarena.running import CaseResult
from decklab.evals.pptarena.tables import (
    BOARD_HEADINGS,
    COLUMNS,
    BoardRow,
    CategoryRow,
    DifficultyRow,
    RankCheck,
    cell_of,
    difficulty,
    summary,
)
from decklab.models.asking import Usage
from decklab.pages.page import write_page
from decklab.pages.pictures import SlidePicture, encode_jpeg
from decklab.pages.wording import clean

_PACKAGE = "decklab.evals.pptarena"
_HEADINGS = {
    "IF": "Instruction following, 0 to 5",
    "VQ": "Visual quality, 0 to 5",
    "recall": "Share of the asked changes that were made",
    "precision": "Share of the changes made that were asked for",
    "preservation": "Share of what was to stay that stayed",
    "visual": "Likeness of pictures to the truth, SSIM",
    "edit": "F1 of changes times preservation",
}
_SHOWN = 8
"""Most slides on a case's page, which shows changed slides only. Ours."""
_WIDTH, _QUALITY = 800, 70
"""Width in pixels and JPEG quality of the pictures on a case's page. Ours: twice as wide as they
are shown, some 40 kB."""
_WIDEST = 1000
FLAWED = "attempt: "
"""Start of the editor's name for attempts that are flawed on purpose."""
EVERY_KIND = "all"
"""Key of all kinds of flawed attempts together."""
_SHORT = {"preservation": "preserv.", "precision": "precis."}


@dataclass(frozen=True)
class ArenaSlide:
    """One slide number in three decks; a picture is None if the deck has no such slide."""

    number: int
    original: SlidePicture | None
    prediction: SlidePicture | None
    truth: SlidePicture | None
    likeness: float | None = None
    """Likeness of prediction and truth, 1 for equal pictures."""
    regions: tuple[Box, ...] = ()
    """Where prediction and truth look different, in the 960x540 frame."""

    def marks(self, picture: SlidePicture) -> list[Box]:
        """The regions on a drawing of ``picture`` 960 units wide; near regions are joined."""
        slide = ChangedSlide(None, self.number, "", (), regions=self.regions)
        return [mark.box for mark in slide.marks(picture)]


@dataclass(frozen=True)
class ArenaEditor:
    """An editor and its results."""

    name: str
    rows: Sequence[CategoryRow]
    """Means by category, all cases last."""
    results: Sequence[CaseResult] = ()
    flawed: bool = False
    """Whether the results are of attempts that are flawed on purpose."""

    @classmethod
    def of(cls, name: str, results: Sequence[CaseResult]) -> Self:
        """The editor with the means over its results."""
        return cls(name, summary(results), results, name.startswith(FLAWED))

    @property
    def total(self) -> CategoryRow:
        """Over all cases."""
        return self.rows[-1]


@dataclass(frozen=True)
class ArenaRun:
    """One set of cases and all editors that edited it."""

    title: str
    version: str
    """Version of the cases."""
    columns: tuple[str, ...]
    editors: tuple[ArenaEditor, ...]
    facts: tuple[str, ...] = ()
    """Sentences such as what the self-check found."""
    difficulty: tuple[DifficultyRow, ...] = ()
    """Table C."""
    orders: Mapping[str, Mapping[str, RankCheck]] = field(default_factory=dict)
    """Truths ranked against flawed attempts, by companion, then by kind of attempt or
    ``EVERY_KIND``; for the starter set only."""
    kept_apart: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    """Facts of isolation by the names of the isolated editors."""
    board: tuple[BoardRow, ...] = ()
    """The editors of ``tried``, the best first."""
    left_out: tuple[str, ...] = ()
    """Names of cases that no editor could be put to; they count on the board."""
    spent: str = ""
    """The cost of the run's own questions, in a sentence."""
    ended: str = ""
    """Why models were asked no more before all was done; empty where they were not stopped."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The facts, and how editors were isolated."""
        isolation = self.kept_apart.items()
        lines = (f"{name} was kept apart: {describe_isolation(how)}." for name, how in isolation)
        stopped = [f"Models were asked no more: {self.ended}."] if self.ended else []
        return (*stopped, *self.facts, *lines, *filter(None, [self.spent]))

    @property
    def costly(self) -> bool:
        """Whether the board has anything to say: a judge or a model was asked, or times differ."""
        return any(row.shows for row in self.board)

    @property
    def order(self) -> RankCheck | None:
        """The ranks by ``edit``, the companion of a whole edit, over all attempts."""
        return self.orders["edit"][EVERY_KIND] if self.orders else None

    @property
    def tried(self) -> tuple[ArenaEditor, ...]:
        """The editors without the attempts that are flawed on purpose."""
        return tuple(editor for editor in self.editors if not editor.flawed)

    @property
    def categories(self) -> tuple[tuple[str, tuple[CategoryRow, ...]], ...]:
        """Table 3: by category a row of each editor of ``tried``."""
        if not self.tried:
            return ()
        names = [row.category for row in self.tried[0].rows]
        return tuple(
            (name, tuple(group.rows[n] for group in self.tried)) for n, name in enumerate(names)
        )

    @property
    def by_case(self) -> tuple[tuple[CaseResult, ...], ...]:
        """The results of all editors, case by case."""
        return tuple(zip(*(editor.results for editor in self.editors), strict=True))

    @property
    def unscored(self) -> tuple[str, ...]:
        """A sentence for each reason why editors have no value in some columns."""
        causes: dict[str, dict[str, list[str]]] = {}
        for editor in self.editors:
            for column in self.columns:
                cell = editor.total.cells[column]
                if isinstance(cell.mean, NotScored):
                    listed = causes.setdefault(cell.reason or "not scored", {})
                    listed.setdefault(editor.name, []).append(column)
        return tuple(line for why, listed in causes.items() for line in self._lines(why, listed))

    def _lines(self, why: str, listed: Mapping[str, list[str]]) -> Iterator[str]:
        """A sentence for editors that lack the same columns for the same reason."""
        by_columns: dict[tuple[str, ...], list[str]] = {}
        for name, columns in listed.items():
            by_columns.setdefault(tuple(columns), []).append(name)
        for lacking, names in by_columns.items():
            what = "everything" if lacking == self.columns else ", ".join(lacking)
            whose = "" if len(names) == len(self.editors) else f" of {', '.join(names)}"
            yield f"Not scored: {what}{whose}; {why}."

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, as in ``results.json``."""
        facts = {"version": self.version, "facts": list(self.facts), "kept_apart": self.kept_apart}
        settings = {"left_out": list(self.left_out), "spent": self.spent, "ended": self.ended}
        rows = [row.to_json() for row in self.board]
        return {**facts, **settings, "board": rows, "editors": results_json(self.editors)}

    def print(self, console: Console) -> None:
        """Print the version of the cases, each editor by category, and the sentences.

        Each kind of flawed attempt has one row. Columns in which no editor has a value are left
        out, with a sentence that says why. A mean over fewer cases than the row's is followed by
        their number.
        """
        console.print(f"{clean(self.title)}, {clean(self.version)}", highlight=False, markup=False)
        table = self._table()
        # Wider than the terminal rather than cut: a number without its end is a wrong number.
        options = console.options.update(max_width=_WIDEST)
        for part in (table, *([self._board_table()] if self.costly else [])):
            part.width = Measurement.get(console, options, part).maximum
            console.print(part, crop=False)
        for sentence in (*self.unscored, *self.sentences):
            console.print(clean(sentence), highlight=False, markup=False, soft_wrap=True)

    def _board_table(self) -> Table:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        for column in BOARD_HEADINGS:
            left = column == "system"
            table.add_column(column, justify="left" if left else "right", no_wrap=True)
        for row in self.board:
            table.add_row(*(Text(clean(cell)) for cell in row.shown))
        return table

    def _table(self) -> Table:
        rows = [row for editor in self.editors for row in editor.rows]
        empty = {
            column
            for column in self.columns
            if all(isinstance(row.cells[column].mean, NotScored) for row in rows)
        }
        columns = [column for column in self.columns if column not in empty]
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        table.add_column("editor, category", no_wrap=True)
        for column in ("cases", *columns):
            table.add_column(_SHORT.get(column, column), justify="right", no_wrap=True)
        for editor in self.tried:
            table.add_row(Text(clean(editor.name), style="bold"))
            for row in editor.rows:
                _add_row(table, f"  {row.category}", row, columns, last=row is editor.total)
        for editor in self.editors:
            if editor.flawed:
                _add_row(table, editor.name, editor.total, columns)
        return table


def write_pages(run: ArenaRun, folder: Path, decks: Decks) -> Path:
    """Write ``index.html`` and a page for each case and editor, and return the index's path.

    Decks are drawn again from the cache where ``decks`` draws at all. The pages link to each other
    and load nothing; they work without JavaScript.
    """
    for results in run.by_case:  # its decks are drawn once
        for editor, result in zip(run.editors, results, strict=True):
            companions = None if isinstance(result.companions, NotScored) else result.companions
            write_page(
                folder / _page_of(editor, result), "pptarena-case.html", "open-for-print.js",
                package=_PACKAGE, editor=editor.name, case=result.case, result=result,
                companions=companions, pictures=case_pictures(result, decks),
                columns=run.columns, cell_of=cell_of, headings=_HEADINGS,
                summary="../../index.html",
            )  # fmt: skip
    index = folder / "index.html"
    write_page(
        index, "pptarena.html", "open-for-print.js", package=_PACKAGE,
        run=run, page_of=_page_of, cell_of=cell_of, headings=_HEADINGS,
        board_headings=BOARD_HEADINGS,
    )  # fmt: skip
    return index


def _page_of(editor: ArenaEditor, result: CaseResult) -> str:
    return f"cases/{slug(editor.name)}/{slug(result.case.name)}.html"


@dataclass(frozen=True)
class CasePictures:
    """The slides of a case that the editor or the truth changed."""

    slides: Sequence[ArenaSlide] = ()
    more: int = 0
    """Number of further slides that look different."""
    missing: str = ""
    """Why there are no pictures; empty if there are."""


def case_pictures(result: CaseResult, decks: Decks) -> CasePictures:
    """The slides that look different in original, prediction and truth."""
    if isinstance(result.companions, NotScored):
        return CasePictures(missing=result.companions.reason)
    case = result.case
    drawn = [decks.pictures(path) for path in (case.original, result.prediction, case.ground_truth)]
    missing = first_cause(drawn)
    return CasePictures(missing=missing.reason) if missing else _slides(*scored(drawn))


def results_json(editors: Iterable[ArenaEditor]) -> dict[str, Any]:
    """Plain JSON: by editor the summary and each case's values, or why there is no value."""
    return {
        editor.name: {
            "summary": [
                {
                    "category": row.category,
                    "cases": row.cases,
                    **{
                        column: _plain(cell.mean, cell.scored) for column, cell in row.cells.items()
                    },
                }
                for row in editor.rows
            ],
            "cases": [_case_json(result) for result in editor.results],
        }
        for editor in editors
    }


def _case_json(result: CaseResult) -> dict[str, Any]:
    companions = None if isinstance(result.companions, NotScored) else result.companions
    return {
        "name": result.case.name,
        "categories": list(result.case.categories),
        "edit_types": list(result.case.edit_types),
        "instruction": result.case.prompt,
        "style_target": result.case.style_target,
        "original": str(result.case.original),
        "ground_truth": str(result.case.ground_truth),
        "difficulty": asdict(difficulty(result.case, companions.asked)) if companions else None,
        "prediction": str(result.prediction),
        "ending": result.edited.ending,
        "note": result.edited.note,
        "seconds": None if result.seconds is None else round(result.seconds, 3),
        "tokens": _tokens(result.usage),
        "cost": result.cost,
        "judge_tokens": _tokens(result.judged),
        "values": {column: _plain(result.value(column)) for column in COLUMNS},
        "reasons": {name: verdict.reason for name, verdict in result.verdicts},
        "missing": list(companions.missing_words) if companions else [],
        "unasked": list(companions.unasked_words) if companions else [],
        "notes": list(result.notes),
        "known": {name: asdict(verdict.known) for name, verdict in result.verdicts},
    }


def _tokens(usage: Usage) -> dict[str, int] | None:
    """Tokens in and out; None if the provider did not tell them."""
    if usage.untold:
        return None
    return {"input": usage.input_tokens, "output": usage.output_tokens}


def _plain(value: float | NotScored, scored: int | None = None) -> dict[str, Any]:
    cause = {"reason": value.reason} if isinstance(value, NotScored) else {}
    count = {} if scored is None else {"scored": scored}
    return {"value": value_or_none(value), **cause, **count}


def _slides(
    original: Sequence[Image], prediction: Sequence[Image], truth: Sequence[Image]
) -> CasePictures:
    """The slides that look different. Of more than ``_SHOWN`` the slides least like the truth are
    shown, and the others counted."""
    changed = {
        number: (before, made, right)
        for number, (before, made, right) in enumerate(zip_longest(original, prediction, truth), 1)
        if not (_same(before, made) and _same(before, right))
    }
    likeness = {
        number: 1.0 if _same(made, right) else color_ssim(made, right)
        for number, (_, made, right) in changed.items()
    }
    shown = sorted(sorted(changed, key=likeness.__getitem__)[:_SHOWN])
    slides = []
    for number in shown:
        before, made, right = map(_thumbnail, changed[number])
        regions = _regions(*changed[number][1:])
        slides.append(ArenaSlide(number, before, made, right, likeness[number], regions))
    return CasePictures(slides, len(changed) - len(shown))


def _regions(first: Image | None, other: Image | None) -> tuple[Box, ...]:
    return () if _same(first, other) else visual_diff([first], [other])[0].regions


def _same(first: Image | None, other: Image | None) -> bool:
    if first is None or other is None:
        return first is other
    return bool(np.array_equal(first, other))


def _thumbnail(image: Image | None) -> SlidePicture | None:
    return None if image is None else encode_jpeg(image, width=_WIDTH, quality=_QUALITY)


def _add_row(
    table: Table, name: str, row: CategoryRow, columns: Sequence[str], *, last: bool = False
) -> None:
    means = [row.cells[column] for column in columns]
    cells = [
        f"{mean.shown} ({mean.scored})" if 0 < mean.scored < row.cases else mean.shown
        for mean in means
    ]
    table.add_row(Text(clean(name)), str(row.cases), *cells, end_section=last)
