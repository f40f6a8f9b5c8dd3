"""A run of UniPPTBench as a page and as text: tables II and III of paper 004, and all tasks."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.judges.scenario.task import SCENARIO_METRICS, SETTING_METRICS
from decklab.evals.unippt.outcomes import (
    AVERAGE,
    JUDGED,
    SHARED,
    DeckOutcome,
    SettingMean,
    SystemRow,
    columns_of,
    setting_tables,
)
from decklab.evals.unippt.tasks import DeckCost, DeckTask
from decklab.pages.page import write_page
from decklab.pages.wording import clean

_TITLES: Final[Mapping[str, tuple[str, str]]] = {
    SHARED: ("Shared", "Mean of the five shared metrics"),
    "visual_integrity": ("Integrity", "Visual integrity, one of the shared metrics"),
    "key_coverage": ("Key cov.", ""),
    "faithfulness": ("Faith.", ""),
    "visual_use": ("Vis. use", ""),
    "figure_claim": ("Fig.-claim", ""),
    "chart_fidelity": ("Chart fid.", ""),
    "source_coverage": ("Source cov.", ""),
    "integration": ("Integration", ""),
    "deduplication": ("Dedup.", ""),
    AVERAGE: ("Avg", "Mean of all metrics of the setting, each for itself"),
    JUDGED: ("Mean", "Mean of the metrics that have a score; the paper has no such number"),
}
"""Titles as in tables II and III, and what they mean where the metric's own title does not."""
_SETTINGS: Final[Mapping[ScenarioSetting, tuple[str, str]]] = {
    "vague": ("Vague prompt", "A request and no document: shared metrics only."),
    "long-doc": ("Long document", "One long report: what of it is said, and whether it is true."),
    "multimodal": (
        "Multimodal document", "A document with figures and tables: whether they are used.",
    ),
    "multi-source": (
        "Several sources", "Documents that overlap and disagree: whether they are brought together."
    ),
}  # fmt: skip
_COSTS: Final = (("Time", "seconds"), ("Tokens", "tokens"), ("Dollars", "dollars"))
_PROXIES: Final = (
    "Programs judged, which are proxies; Shared and Avg need a model. Mean is over what has a "
    "score, so it does not compare with the paper's Avg. "
)
_MEANS: Final = (
    "The mean of what has a score; of a request alone that is visual integrity and nothing else."
)
_BEST: Final = "The highest of a column is underlined."


@dataclass(frozen=True)
class UnipptRun:
    """The outcomes of a run, and the names of its systems and tasks in their order."""

    outcomes: Sequence[DeckOutcome]
    systems: Sequence[str]
    spent: str = ""
    """Cost of the run's questions, in a sentence."""
    ended: str = ""
    """Why models were asked no more before all was done; empty if they were not stopped."""

    @property
    def tables(self) -> Mapping[ScenarioSetting, Sequence[SystemRow]]:
        """Tables II and III."""
        return setting_tables(self.outcomes, self.systems)

    @property
    def missed(self) -> Sequence[tuple[DeckOutcome, str]]:
        """Requested scores that are missing, with their deck."""
        return [(outcome, line) for outcome in self.outcomes for line in outcome.missed]

    def lines(self) -> Iterator[str]:
        """The tables as text."""
        for setting, rows in self.tables.items():
            columns = shown_columns(setting, rows)
            heads = "".join(f"{_TITLES[name][0]:>13}" for name in columns)
            yield f"{_SETTINGS[setting][0]:<24}{heads}{'Decks':>9}{'Time':>10}{'Tokens':>10}"
            for row in rows:
                cells = "".join(f"{_text(row.cells[name]):>13}" for name in columns)
                seconds, tokens, _ = cost_words(row.cost)
                count = f"{row.decks} of {row.tasks}"
                yield f"{row.system[:23]:<24}{cells}{count:>9}{seconds:>10}{tokens:>10}"
            yield ""
        if self.spent:
            yield self.spent

    def warnings(self) -> Iterator[str]:
        """Why models were asked no more, and a line for each score that is missing."""
        if self.ended:
            yield clean(f"models were asked no more: {self.ended}")
        for system, cause in self.missed:
            yield clean(f"{system.system}, {system.task}: not scored: {cause}")


def shown_columns(setting: ScenarioSetting, rows: Sequence[SystemRow]) -> list[str]:
    """The columns that carry information: not those that only a model judges if none did, and not
    the mean over scored ones if all have a score."""
    columns = columns_of(setting)
    model = any(row.cells[SHARED].decks for row in rows)
    hidden = {JUDGED} if model else {SHARED, AVERAGE}
    if not SETTING_METRICS[setting]:
        hidden.add(JUDGED)  # by program that is visual integrity alone
    elif any(row.cells[AVERAGE].decks < row.cells[JUDGED].decks for row in rows):
        hidden.discard(JUDGED)
    return [name for name in columns if name not in hidden]


def _text(cell: SettingMean) -> str:
    if isinstance(cell.value, NotScored):
        return "none"
    return f"{cell.value:.2f}{'*' if cell.decks < cell.of else ''}"


def cost_words(cost: DeckCost) -> tuple[str, str, str]:
    """Seconds, tokens and dollars of a deck as they are shown; empty for unknown values."""
    return (
        "" if cost.seconds is None else f"{cost.seconds:.1f} s",
        "" if cost.tokens is None else f"{cost.tokens:,}",
        "" if cost.dollars is None else f"{cost.dollars:.3f}",
    )


@dataclass(frozen=True)
class _Column:
    short: str
    title: str


@dataclass(frozen=True)
class _Cell:
    shown: str
    best: bool
    of: str
    reason: str
    sum: bool


@dataclass(frozen=True)
class _Row:
    name: str
    cells: Sequence[_Cell]
    decks: str
    costs: Sequence[str]


@dataclass(frozen=True)
class _SettingTable:
    setting: str
    title: str
    lead: str
    columns: Sequence[_Column]
    rows: Sequence[_Row]
    costs: Sequence[str]


def _setting_table(setting: ScenarioSetting, rows: Sequence[SystemRow]) -> _SettingTable:
    names = shown_columns(setting, rows)
    title, lead = _SETTINGS[setting]
    titles = [_TITLES[name] for name in names]
    columns = [
        _Column(short, meaning or SCENARIO_METRICS[name].title)
        for name, (short, meaning) in zip(names, titles, strict=True)
    ]
    costs = [(word, index) for index, (word, key) in enumerate(_COSTS)
             if any(getattr(row.cost, key) is not None for row in rows)]  # fmt: skip
    best = {name: _best(name, rows) for name in names}
    made = [
        _Row(
            row.system, [_cell(row.cells[name], name, best[name]) for name in names],
            f"{row.decks} of {row.tasks}", [cost_words(row.cost)[index] for _, index in costs],
        )
        for row in rows
    ]  # fmt: skip
    return _SettingTable(setting, title, lead, columns, made, [word for word, _ in costs])


def _best(name: str, rows: Sequence[SystemRow]) -> float | None:
    """The highest of a column; None if it has no two different values."""
    values = [row.cells[name].value for row in rows]
    known = [value for value in values if not isinstance(value, NotScored)]
    return max(known) if len(known) > 1 and max(known) > min(known) else None


def _cell(cell: SettingMean, name: str, best: float | None) -> _Cell:
    if isinstance(cell.value, NotScored):
        return _Cell("", False, "", cell.value.reason, False)
    of = f"{cell.decks} of {cell.of}" if cell.decks < cell.of else ""
    return _Cell(f"{cell.value:.2f}", cell.value == best, of, "", name in (AVERAGE, JUDGED))


@dataclass(frozen=True)
class _TaskCell:
    system: str
    value: float
    shown: str
    page: str
    reason: str
    word: str


@dataclass(frozen=True)
class _TaskRow:
    task: DeckTask
    cells: Sequence[_TaskCell]


def _task_cell(outcome: DeckOutcome, column: str) -> _TaskCell:
    value = outcome.value(column)
    if isinstance(value, NotScored):
        word = "not scored" if outcome.deck else "no deck"
        return _TaskCell(outcome.system, 0.0, "", outcome.page, value.reason, word)
    return _TaskCell(outcome.system, value, f"{value:.2f}", outcome.page, "", "")


def write_unippt_report(
    folder: Path, title: str, tasks: Sequence[DeckTask], run: UnipptRun, *, facts: Mapping[str, str]
) -> Path:
    """Write ``index.html`` into ``folder`` and return its path.

    ``facts`` are words and values for the page's head. The page links to those of its decks.
    """
    by_model = any(not isinstance(row.value(SHARED), NotScored) for row in run.outcomes)
    column = AVERAGE if by_model else JUDGED
    outcomes = {(outcome.system, outcome.task): outcome for outcome in run.outcomes}
    rows = [
        _TaskRow(task, [_task_cell(outcomes[name, task.name], column) for name in run.systems])
        for task in tasks
    ]
    path = folder / "index.html"
    write_page(
        path, "unippt.html", "sort.js", package="decklab.evals.unippt",
        title=title, facts=facts, systems=run.systems, tasks=rows,
        settings=[_setting_table(setting, table) for setting, table in run.tables.items()],
        judged=sum(bool(row.scores) for row in run.outcomes), asked=len(run.outcomes),
        missing=len(run.missed), causes=causes(run),
        explained=_BEST if by_model else _PROXIES + _BEST,
        by_task="The average of all metrics." if by_model else _MEANS,
        generated_by="decklab",
    )  # fmt: skip
    return path


def causes(run: UnipptRun) -> list[tuple[str, int]]:
    """Why scores are missing, each with its number of decks, the most frequent first; scores that
    only a model gives are listed apart."""
    counted = Counter(cause for _, cause in run.missed)
    return [(cause, count) for cause, count in counted.most_common() if cause != ONLY_A_MODEL]
