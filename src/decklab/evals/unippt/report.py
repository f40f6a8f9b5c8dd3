"""A run of UniPPTBench as a page and as text: tables II and III of paper 004, and all tasks."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored, scored
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.judges.scenario.task import SCENARIO_METRICS, SETTING_METRICS
from decklab.evals.unippt.outcomes import (
    AVERAGE,
    JUDGED,
    SHARED,
    DeckOutcome,
    SystemRow,
    columns_of,
    setting_tables,
)
from decklab.evals.unippt.tasks import DeckCost, DeckTask
from decklab.metrics.statistics import MeanOf
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
_COSTS: Final = ("Time", "Tokens", "Dollars")
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
    model = any(row.cells[SHARED].scored for row in rows)
    hidden = {JUDGED} if model else {SHARED, AVERAGE}
    if not SETTING_METRICS[setting]:
        hidden.add(JUDGED)  # by program that is visual integrity alone
    elif any(row.cells[AVERAGE].scored < row.cells[JUDGED].scored for row in rows):
        hidden.discard(JUDGED)
    return [name for name in columns if name not in hidden]


def _text(cell: MeanOf) -> str:
    if isinstance(cell.mean, NotScored):
        return "none"
    return f"{cell.mean:.2f}{'' if cell.whole else '*'}"


def cost_words(cost: DeckCost) -> tuple[str, str, str]:
    """Seconds, tokens and dollars of a deck as they are shown; empty for unknown values."""
    return (
        "" if cost.seconds is None else f"{cost.seconds:.1f} s",
        "" if cost.tokens is None else f"{cost.tokens:,}",
        "" if cost.dollars is None else f"{cost.dollars:.3f}",
    )


@dataclass(frozen=True)
class _SettingTable:
    """Table II or III of a setting, as the page shows it."""

    setting: ScenarioSetting
    rows: Sequence[SystemRow]

    @property
    def words(self) -> tuple[str, str]:
        """Title of the setting, and what it is."""
        return _SETTINGS[self.setting]

    @property
    def columns(self) -> list[tuple[str, str, str, float | None]]:
        """Name, title and meaning of each column, and its best mean."""
        names = shown_columns(self.setting, self.rows)
        titles = [(name, *_TITLES[name]) for name in names]
        return [
            (name, short, meaning or SCENARIO_METRICS[name].title, self._best(name))
            for name, short, meaning in titles
        ]

    @property
    def costs(self) -> list[tuple[int, str]]:
        """Place and title of the costs that are known of any system."""
        known = [any(cost_words(row.cost)[n] for row in self.rows) for n in range(len(_COSTS))]
        return [(n, word) for n, word in enumerate(_COSTS) if known[n]]

    def _best(self, name: str) -> float | None:
        """The highest of a column; None if it has no two different values."""
        known = scored(row.cells[name].mean for row in self.rows)
        return max(known) if len(set(known)) > 1 else None


def write_unippt_report(
    folder: Path, title: str, tasks: Sequence[DeckTask], run: UnipptRun, *, facts: Mapping[str, str]
) -> Path:
    """Write ``index.html`` into ``folder`` and return its path.

    ``facts`` are words and values for the page's head. The page links to those of its decks.
    """
    by_model = any(not isinstance(row.value(SHARED), NotScored) for row in run.outcomes)
    path = folder / "index.html"
    write_page(
        path,
        "unippt.html",
        "sort.js",
        package="decklab.evals.unippt",
        title=title,
        facts=facts,
        run=run,
        tasks=tasks,
        outcomes={(outcome.system, outcome.task): outcome for outcome in run.outcomes},
        settings=[_SettingTable(setting, table) for setting, table in run.tables.items()],
        cost_words=cost_words,
        sums=(AVERAGE, JUDGED),
        column=AVERAGE if by_model else JUDGED,
        judged=sum(bool(row.scores) for row in run.outcomes),
        causes=causes(run),
        explained=_BEST if by_model else _PROXIES + _BEST,
        by_task="The average of all metrics." if by_model else _MEANS,
    )
    return path


def causes(run: UnipptRun) -> list[tuple[str, int]]:
    """Why scores are missing, each with its number of decks, the most frequent first; scores that
    only a model gives are listed apart."""
    counted = Counter(cause for _, cause in run.missed)
    return [(cause, count) for cause, count in counted.most_common() if cause != ONLY_A_MODEL]
