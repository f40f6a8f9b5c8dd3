"""A run as pages, as a table for a terminal, and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from decklab.benchmarks.pptarena.case_decks import Decks, Image
from decklab.benchmarks.pptarena.running import CaseResult
from decklab.benchmarks.pptarena.session import FLAWED
from decklab.benchmarks.pptarena.starter import slug
from decklab.benchmarks.pptarena.tables import (
    COLUMNS,
    CategoryRow,
    DifficultyRow,
    MeanCell,
    RankCheck,
    cell_of,
    summary,
)
from decklab.comparing.page import ChangedSlide
from decklab.geometry import Box
from decklab.metrics.pictures import color_ssim, visual_diff
from decklab.reports.page import write_page
from decklab.reports.pictures import SlidePicture, encode_jpeg
from decklab.reports.wording import clean
from decklab.results import NotScored

_PACKAGE = "decklab.benchmarks.pptarena"
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
"""Slides that a case's page shows at most, changed ones only. Ours."""
_WIDTH, _QUALITY = 800, 70
"""Of the pictures of a case's page, in pixels and 0 to 100. Ours: twice as wide as they are shown,
some 40 kB."""
_WIDEST = 1000
_SHORT = {"preservation": "preserv.", "precision": "precis."}


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
class ArenaEditor:
    """An editor that was put to the cases."""

    name: str
    rows: Sequence[CategoryRow]
    """By category, all cases last."""
    results: Sequence[CaseResult] = ()
    flawed: bool = False
    """Whether these are attempts that are flawed on purpose."""

    @property
    def total(self) -> CategoryRow:
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
    def categories(self) -> tuple[tuple[str, tuple[CategoryRow, ...]], ...]:
        """Table 3: by category a row of each editor of ``tried``."""
        if not self.tried:
            return ()
        names = [row.category for row in self.tried[0].rows]
        return tuple((name, tuple(one.rows[n] for one in self.tried))
                     for n, name in enumerate(names))  # fmt: skip

    @property
    def by_case(self) -> tuple[tuple[CaseResult, ...], ...]:
        """Case by case what each editor made of it."""
        return tuple(zip(*(one.results for one in self.editors), strict=True))

    @property
    def unscored(self) -> tuple[str, ...]:
        """A sentence for each reason why an editor has no value at all in some columns."""
        causes: dict[str, dict[str, list[str]]] = {}
        for editor in self.editors:
            for column in self.columns:
                cell = editor.total.cells[column]
                if isinstance(cell.mean, NotScored):
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


def arena_run(
    title: str,
    version: str,
    runs: Mapping[str, Sequence[CaseResult]],
    *,
    facts: Sequence[str] = (),
    difficulty: Sequence[DifficultyRow] = (),
    orders: Mapping[str, Mapping[str, RankCheck]] | None = None,
) -> ArenaRun:
    """What tables and pages show: results by the name of their editor; ``orders`` are those of
    ``PptArenaRun``."""
    return ArenaRun(
        title,
        version,
        COLUMNS,
        tuple(
            ArenaEditor(name, summary(results), results, name.startswith(FLAWED))
            for name, results in runs.items()
        ),
        tuple(facts),
        tuple(_difficulty_row(row) for row in difficulty),
        _order_rows(orders or {}),
    )


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
                summary="../../index.html", generated_by="decklab",
            )  # fmt: skip
    index = folder / "index.html"
    write_page(
        index, "pptarena.html", "open-for-print.js", package=_PACKAGE,
        run=run, page_of=_page_of, cell_of=cell_of, headings=_HEADINGS, generated_by="decklab",
    )  # fmt: skip
    return index


def _page_of(editor: ArenaEditor, result: CaseResult) -> str:
    return f"cases/{slug(editor.name)}/{slug(result.case.name)}.html"


@dataclass(frozen=True)
class CasePictures:
    """The slides of a case that anybody changed."""

    slides: Sequence[ArenaSlide] = ()
    more: int = 0
    """Slides that look different and are not among them."""
    missing: str = ""
    """Why there are none; empty where there are."""


def case_pictures(result: CaseResult, decks: Decks) -> CasePictures:
    """Slides that look different in original, prediction and truth."""
    if isinstance(result.companions, NotScored):
        return CasePictures(missing=result.companions.reason)
    case = result.case
    drawn = [decks.pictures(path) for path in (case.original, result.prediction, case.ground_truth)]
    missing = next((one.reason for one in drawn if isinstance(one, NotScored)), "")
    if missing:
        return CasePictures(missing=missing)
    return _slides(*(one for one in drawn if not isinstance(one, NotScored)))


def results_json(runs: Mapping[str, Sequence[CaseResult]]) -> dict[str, Any]:
    """Plain JSON: by editor the summary and each case's values, or reasons for none."""
    return {
        editor: {
            "summary": [
                {
                    "category": row.category,
                    "cases": row.cases,
                    **{
                        column: _plain(cell.mean, cell.scored) for column, cell in row.cells.items()
                    },
                }
                for row in summary(results)
            ],
            "cases": [_case_json(result) for result in results],
        }
        for editor, results in runs.items()
    }


def _case_json(result: CaseResult) -> dict[str, Any]:
    told = None if isinstance(result.companions, NotScored) else result.companions
    return {
        "name": result.case.name,
        "categories": list(result.case.categories),
        "edit_types": list(result.case.edit_types),
        "prediction": str(result.prediction),
        "ending": result.edited.ending,
        "note": result.edited.note,
        "seconds": round(result.seconds, 3),
        "values": {column: _plain(result.value(column)) for column in COLUMNS},
        "reasons": {
            name: verdict.reason for name, verdict in result.verdicts
        },
        "missing": list(told.missing_words) if told else [],
        "unasked": list(told.unasked_words) if told else [],
    }  # fmt: skip


def _plain(value: float | NotScored, scored: int | None = None) -> dict[str, Any]:
    count = {} if scored is None else {"scored": scored}
    if isinstance(value, NotScored):
        return {"value": None, "reason": value.reason, **count}
    return {"value": value, **count}


def _order_rows(orders: Mapping[str, Mapping[str, RankCheck]]) -> tuple[tuple[str, ...], ...]:
    if not orders:
        return ()
    kinds = next(iter(orders.values()))
    rows = [
        (companion, *(f"{one.right} of {one.pairs}" for one in by_kind.values()))
        for companion, by_kind in orders.items()
    ]
    return (("", *kinds), *rows)


def _difficulty_row(row: DifficultyRow) -> tuple[str, ...]:
    return (
        row.category,
        str(row.cases),
        f"{row.operations:.1f}",
        f"{row.slides:.1f}",
        f"{row.cross_slide:.0%}",
        f"{row.high_diff:.0%}",
    )


def _slides(
    original: Sequence[Image], prediction: Sequence[Image], truth: Sequence[Image]
) -> CasePictures:
    """Slides that look different, those least like the truth where there are too many, and how
    many more there are."""
    count = max(len(original), len(prediction), len(truth))
    rows = [
        [pictures[n] if n < len(pictures) else None for n in range(count)]
        for pictures in (original, prediction, truth)
    ]
    changed = [n for n in range(count) if not all(_same(rows[0][n], row[n]) for row in rows[1:])]
    likeness = {
        n: 1.0 if _same(rows[1][n], rows[2][n]) else color_ssim(rows[1][n], rows[2][n])
        for n in changed
    }
    shown = sorted(sorted(changed, key=lambda n: likeness[n])[:_SHOWN])
    slides = [
        ArenaSlide(
            n + 1,
            original=_thumbnail(rows[0][n]),
            prediction=_thumbnail(rows[1][n]),
            truth=_thumbnail(rows[2][n]),
            likeness=likeness[n],
            regions=_regions(rows[1][n], rows[2][n]),
        )
        for n in shown
    ]
    return CasePictures(slides, len(changed) - len(shown))


def _regions(one: Image | None, other: Image | None) -> tuple[Box, ...]:
    return () if _same(one, other) else visual_diff([one], [other])[0].regions


def _same(one: Image | None, other: Image | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.array_equal(one, other))


def _thumbnail(image: Image | None) -> SlidePicture | None:
    return None if image is None else encode_jpeg(image, width=_WIDTH, quality=_QUALITY)


def print_arena(run: ArenaRun, console: Console) -> None:
    """Print a run: the version of its cases, each editor by category, and the facts beneath.

    Attempts that are flawed on purpose have one row each. Columns that no editor has a value in
    are left out, and why they are empty is said; a value of fewer cases than the row has says of
    how many.
    """
    console.print(f"{clean(run.title)}, {clean(run.version)}", highlight=False, markup=False)
    columns = [
        column
        for column in run.columns
        if any(
            not isinstance(row.cells[column].mean, NotScored)
            for one in run.editors
            for row in one.rows
        )
    ]
    table = _table(columns)
    for editor in run.tried:
        table.add_row(Text(clean(editor.name), style="bold"))
        for row in editor.rows:
            _add_row(table, f"  {row.category}", row, columns, last=row is editor.total)
    for editor in run.editors:
        if editor.flawed:
            _add_row(table, editor.name, editor.total, columns)
    # Wider than the terminal rather than cut: a number without its end is a wrong number.
    options = console.options.update(max_width=_WIDEST)
    table.width = Measurement.get(console, options, table).maximum
    console.print(table, crop=False)
    for fact in (*run.unscored, *run.facts):
        console.print(clean(fact), highlight=False, markup=False, soft_wrap=True)


def _table(columns: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("editor, category", no_wrap=True)
    table.add_column("cases", justify="right", no_wrap=True)
    for column in columns:
        table.add_column(_SHORT.get(column, column), justify="right", no_wrap=True)
    return table


def _add_row(
    table: Table, name: str, row: CategoryRow, columns: Sequence[str], *, last: bool = False
) -> None:
    cells = [_cell(row.cells[column], row.cases) for column in columns]
    table.add_row(Text(clean(name)), str(row.cases), *cells, end_section=last)


def _cell(cell: MeanCell, cases: int) -> str:
    return f"{cell.shown} ({cell.scored})" if 0 < cell.scored < cases else cell.shown
