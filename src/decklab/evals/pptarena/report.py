"""A run as pages, as a table for a terminal, and as JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import numpy as np

from decklab.core.geometry import Box
from decklab.core.results import NotScored, by_key, first_cause, reason_of, scored, value_or_none
from decklab.diffing.page import ChangedSlide
from decklab.diffing.pictures import color_ssim, visual_diff
from decklab.evals.editors.isolation import describe_isolation
from decklab.evals.pptarena.cases import Decks, Image, slug
from decklab.evals.pptarena.running import CaseResult
from decklab.evals.pptarena.tables import (
    COLUMNS,
    MEANINGS,
    DifficultyRow,
    RankCheck,
    board_table,
    category_table,
    category_tables,
    column_of,
    difficulty,
    editor_table,
)
from decklab.evals.results.board import leave_results
from decklab.evals.results.charts import interval_chart
from decklab.evals.results.page import CaseCell, CaseRow, CaseTable, PageSection, ResultPage
from decklab.evals.results.tables import ResultTable
from decklab.evals.results.text import table_lines
from decklab.models.asking import PriceList, Prices, Usage
from decklab.pages.page import write_page
from decklab.pages.pictures import SlidePicture, encode_jpeg
from decklab.pages.wording import clean

_SHOWN = 8
"""Most slides on a case's page, which shows changed slides only. Ours."""
_WIDTH, _QUALITY = 800, 70
"""Width in pixels and JPEG quality of the pictures on a case's page. Ours: twice as wide as they
are shown, some 40 kB."""
FLAWED = "attempt: "
"""Start of the editor's name for attempts that are flawed on purpose."""
EVERY_KIND = "all"
"""Key of all kinds of flawed attempts together."""


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
    results: Sequence[CaseResult] = ()

    @property
    def flawed(self) -> bool:
        """Whether the results are of attempts that are flawed on purpose."""
        return self.name.startswith(FLAWED)


@dataclass(frozen=True)
class ArenaRun:
    """One set of cases and all editors that edited it."""

    title: str
    version: str
    """Version of the cases."""
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
    left_out: tuple[str, ...] = ()
    """Names of cases that no editor could be put to; they count on the board."""
    prices: PriceList | Prices | None = None
    """Those of the judges."""
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
        """Whether the board has anything to say: a judge or a model was asked."""
        results = (result for editor in self.tried for result in editor.results)
        return any(row.verdicts or row.usage != Usage() or row.usage.untold for row in results)

    @property
    def order(self) -> RankCheck | None:
        """The ranks by ``edit``, the companion of a whole edit, over all attempts."""
        return self.orders["edit"][EVERY_KIND] if self.orders else None

    @property
    def tried(self) -> tuple[ArenaEditor, ...]:
        """The editors without the attempts that are flawed on purpose."""
        return tuple(editor for editor in self.editors if not editor.flawed)

    @cached_property
    def board(self) -> ResultTable:
        """The editors of ``tried``, ranked as the published leaderboard ranks."""
        runs = {editor.name: editor.results for editor in self.tried}
        return board_table(runs, left_out=self.left_out, prices=self.prices)

    @cached_property
    def tables(self) -> tuple[ResultTable, ...]:
        """The board, if it has anything to say; all editors; and those of ``tried`` by category."""
        runs = {editor.name: editor.results for editor in self.editors}
        tried = {editor.name: editor.results for editor in self.tried}
        board = (self.board,) if self.costly else ()
        return (*board, editor_table(runs), *category_tables(tried))

    @property
    def by_case(self) -> tuple[tuple[CaseResult, ...], ...]:
        """The results of all editors, case by case."""
        return tuple(zip(*(editor.results for editor in self.editors), strict=True))

    @property
    def failed(self) -> str:
        """Why nothing is scored at all; empty if something is."""
        values = [row.value(column) for editor in self.tried for row in editor.results
                  for column in COLUMNS]  # fmt: skip
        missing = first_cause(values)
        return missing.reason if missing and not scored(values) else ""

    @property
    def unscored(self) -> tuple[tuple[str, str], ...]:
        """Which editors have no value in some columns, and why."""
        causes: dict[tuple[str, str], list[str]] = {}
        for row in editor_table({item.name: item.results for item in self.editors}).rows:
            reasons = {name: reason for name in COLUMNS if (reason := row.cells[name].reason)}
            for reason, names in by_key(reasons, reasons.__getitem__).items():
                words = "everything" if len(names) == len(COLUMNS) else ", ".join(names)
                causes.setdefault((words, reason), []).append(row.name)
        every = len(self.editors)
        return tuple(
            (words if len(names) == every else f"{words} of {', '.join(names)}", reason)
            for (words, reason), names in causes.items()
        )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, as in ``results.json``."""
        board = [{"system": row["name"], **row} for row in self.board.to_json()]
        return {
            "version": self.version,
            "facts": list(self.facts),
            "kept_apart": self.kept_apart,
            "left_out": list(self.left_out),
            "spent": self.spent,
            "ended": self.ended,
            "board": board,
            "editors": results_json(self.editors),
        }

    def lines(self) -> Iterator[str]:
        """The version of the cases, the tables, and the sentences."""
        yield clean(f"{self.title}, {self.version}")
        for table in self.tables:
            yield f"\n{table.title}"
            yield from table_lines(table)
        yield ""
        yield from (clean(f"Not scored: {columns}; {why}.") for columns, why in self.unscored)
        yield from map(clean, self.sentences)

    def warnings(self) -> Iterator[str]:
        """Nothing: what a reader must know is among the lines."""
        return iter(())


def write_pages(run: ArenaRun, folder: Path, decks: Decks) -> Path:
    """Write ``index.html``, the tables and a page for each case and editor, and return the index's
    path.

    Decks are drawn again from the cache where ``decks`` draws at all. The pages link to each other
    and load nothing; they work without JavaScript.
    """
    for results in run.by_case:  # its decks are drawn once
        for editor, result in zip(run.editors, results, strict=True):
            companions = None if isinstance(result.companions, NotScored) else result.companions
            write_page(
                folder / _page_of(editor, result), "pptarena-case.html", "open-for-print.js",
                package="decklab.evals.pptarena", editor=editor.name, case=result.case,
                result=result, companions=companions, pictures=case_pictures(result, decks),
                columns=COLUMNS, column_of=column_of, meanings=MEANINGS,
                summary="../../index.html",
            )  # fmt: skip
    each = [category_table(editor.name, editor.results) for editor in run.editors]
    judges = {verdict.model for editor in run.editors for result in editor.results
              for _, verdict in result.verdicts}  # fmt: skip
    facts = {"Cases": run.version, **({"Judges": ", ".join(sorted(judges))} if judges else {})}
    page = ResultPage(
        "PPTArena: edits of slide decks", run.title, list(_sections(run, each)),
        facts, causes=run.unscored, units="cases",
    )  # fmt: skip
    return leave_results(
        folder, page, [*run.tables, *each],
        more_facts={"Spent": run.spent} if run.spent else {},
        prompts=["decklab.evals.judges.editing"], shared=["Cases", "Judges"],
    )  # fmt: skip


def _sections(run: ArenaRun, each: Sequence[ResultTable]) -> Iterator[PageSection]:
    charts = [
        chart
        for table in run.tables
        for column in table.columns
        if column.key in ("rank", "edit") and (chart := interval_chart(table, column))
    ]
    lead = "Attempts that are flawed on purpose stand beside the editors; the board has none."
    yield PageSection("Editors", lead if len(run.editors) > len(run.tried) else "",
                      tables=run.tables, charts=charts, notes=run.sentences)  # fmt: skip
    if run.by_case:
        yield PageSection("Case by case", _CASES, cases=_case_table(run))
    yield PageSection("Each editor by category", tables=each, folded=len(each) > 1)
    if run.orders:
        yield PageSection("What each companion notices", _ORDERS, cases=_order_table(run.orders))
    if run.difficulty:
        rows = [CaseRow(row.category, list(map(CaseCell, row.shown))) for row in run.difficulty]
        yield PageSection("How hard the cases are", _DIFFICULTY,
                          cases=CaseTable("Category", _DIFFICULTIES, rows))  # fmt: skip
    meanings = [f"{name}: {MEANINGS[name]}" for name in COLUMNS]
    yield PageSection("What the columns say", notes=meanings)


_CASES: Final = (
    "F1 of changes times preservation: 1 where all that was asked was done, and nothing else; IF "
    "and VQ stand beneath where they are scored. Each leads to its slides, changes and reasons."
)
_ORDERS: Final = (
    "How often it puts the truth above an attempt that is flawed on purpose, of the pairs in which "
    "both have a value."
)
_DIFFICULTY: Final = (
    "Table C, computed from original and truth; a case counts in each of its categories."
)
_DIFFICULTIES: Final = ("Cases", "Operations", "Slides touched", "Cross-slide", "High-diff")


def _case_table(run: ArenaRun) -> CaseTable:
    """A row for each case, a column for each editor."""
    rows = [
        CaseRow(
            results[0].case.name,
            [_case_cell(*pair) for pair in zip(run.editors, results, strict=True)],
            "; ".join(results[0].case.edit_types),
        )
        for results in run.by_case
    ]
    return CaseTable("Case", [editor.name for editor in run.editors], rows)


def _case_cell(editor: ArenaEditor, result: CaseResult) -> CaseCell:
    value = result.value("edit")
    marks = [result.value(name) for name in ("IF", "VQ")]
    note = f"IF, VQ: {', '.join(map(column_of('IF').single, marks))}" if scored(marks) else ""
    known = value_or_none(value)
    return CaseCell(
        column_of("edit").single(value), known, known, page=_page_of(editor, result),
        why=reason_of(value), note=note,
    )  # fmt: skip


def _order_table(orders: Mapping[str, Mapping[str, RankCheck]]) -> CaseTable:
    kinds = list(orders["edit"])
    rows = [
        CaseRow(name, [CaseCell(f"{check.right} of {check.pairs}") for check in checks.values()])
        for name, checks in orders.items()
    ]
    return CaseTable("Companion", kinds, rows)


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
            "summary": category_table(editor.name, editor.results).to_json(),
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


def _plain(value: float | NotScored) -> dict[str, Any]:
    cause = {"reason": value.reason} if isinstance(value, NotScored) else {}
    return {"value": value_or_none(value), **cause}


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
