"""Outcomes of systems at tasks, the numbers of tables II and III of paper 004, and a run as a page
and as text.

A score that could not be had counts nowhere, and its cause is kept: neither as 0, nor does a metric
of the mean stand for another. A cell says of how many decks it is the mean.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, Final, Self

from inspect_ai.log import EvalLog

from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored, score_json, scored, scored_mean
from decklab.evals.inspect_run import logged_outcomes, why_broken_off
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.judges.scenario.task import (
    SCENARIO_METRICS,
    SETTING_METRICS,
    SHARED_METRICS,
    setting_average,
    shared_score,
)
from decklab.evals.unippt.tasks import COST_KEYS, SETTINGS, DeckCost, DeckTask
from decklab.metrics.statistics import MeanOf
from decklab.pages.page import write_page
from decklab.pages.wording import clean

SHARED: Final = "shared"
AVERAGE: Final = "average"
JUDGED: Final = "judged"
"""Columns besides the metrics: the mean of the shared ones, of all, and of those with a score."""
_OURS: Final = "decklab broke off"


@dataclass(frozen=True)
class DeckOutcome:
    """One system at one task."""

    system: str
    task: str
    setting: ScenarioSetting
    scores: Mapping[str, float | NotScored] = field(default_factory=dict)
    """0 to 10 by metric; empty if no deck was judged."""
    reason: str = ""
    """Why no deck was judged; empty if one was."""
    deck: bool = True
    """Whether the system handed in a deck."""
    cost: DeckCost = field(default_factory=DeckCost)
    judge_tokens: int = 0
    page: str = ""
    """The page of its items, beside the report; empty if it has none."""

    def value(self, column: str) -> float | NotScored:
        """A metric or one of the means."""
        if not self.scores:
            return NotScored(self.reason)
        if column == SHARED:
            return shared_score(self.scores[name] for name in SHARED_METRICS)
        if column == AVERAGE:
            return setting_average(self.scores.values())
        if column == JUDGED:
            return scored_mean(scored(self.scores.values()), "no metric has a score")
        return self.scores.get(column, NotScored("the task does not ask for it"))

    @property
    def missed(self) -> tuple[str, ...]:
        """Requested scores that are missing, a line each."""
        if not self.scores:
            return (self.reason,)
        return tuple(
            f"{name}: {score.reason}"
            for name, score in self.scores.items()
            if isinstance(score, NotScored) and score.reason != ONLY_A_MODEL
        )

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; a score that could not be had is null with its reason."""
        return {
            **{key: getattr(self, key) for key in _PLAIN},
            "cost": self.cost.to_json(),
            "scores": {name: score_json(score) for name, score in self.scores.items()},
            "means": {name: score_json(self.value(name)) for name in (SHARED, AVERAGE, JUDGED)},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The outcome from the result of ``to_json``."""
        scores = {
            name: NotScored(metric["reason"]) if metric["score"] is None else float(metric["score"])
            for name, metric in data["scores"].items()
        }
        known = {key: data[key] for key in _PLAIN}
        return cls(**known, scores=scores, cost=DeckCost(**data["cost"]))


_PLAIN: Final = ("system", "task", "setting", "reason", "deck", "judge_tokens", "page")


def deck_outcomes(log: EvalLog) -> Iterator[DeckOutcome]:
    """The outcome of every sample of a log, in the order in which they ended.

    A sample that broke off is not judged, and this is not the system's failure.
    """
    for sample, outcome in logged_outcomes(log):
        if outcome is not None:
            yield DeckOutcome.from_json(outcome)
            continue
        known = sample.metadata
        pair = known["system"], known["task"], known["setting"]
        reason = f"{_OURS}: {why_broken_off(sample, 'it was not scored')}"
        yield DeckOutcome(*pair, reason=reason, deck=False)


@dataclass(frozen=True)
class SystemRow:
    """A system in a setting."""

    system: str
    decks: int
    tasks: int
    cells: Mapping[str, MeanOf]
    """By column, as ``columns_of`` gives them, over the tasks that ask for it."""
    cost: DeckCost
    """The mean of the known values of its decks."""

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "decks": self.decks,
            "tasks": self.tasks,
            "cost": asdict(self.cost),
            **{
                name: {**score_json(cell.mean), "decks": cell.scored, "of": cell.of}
                for name, cell in self.cells.items()
            },
        }


def columns_of(setting: ScenarioSetting) -> tuple[str, ...]:
    """The columns of a setting's table: shared, visual integrity, its metrics, and the means."""
    return (SHARED, "visual_integrity", *SETTING_METRICS[setting], AVERAGE, JUDGED)


def setting_tables(
    outcomes: Sequence[DeckOutcome], systems: Sequence[str]
) -> dict[ScenarioSetting, list[SystemRow]]:
    """Tables II and III: for each setting that has tasks a row for each system, in their order."""
    tables: dict[ScenarioSetting, list[SystemRow]] = {}
    for setting in SETTINGS:
        own = [outcome for outcome in outcomes if outcome.setting == setting]
        if own:
            tables[setting] = [_row(name, setting, own) for name in systems]
    return tables


def _row(system: str, setting: ScenarioSetting, outcomes: Sequence[DeckOutcome]) -> SystemRow:
    own = [outcome for outcome in outcomes if outcome.system == system]
    cells = {column: setting_mean(own, column) for column in columns_of(setting)}
    made = [row.cost for row in own if row.deck]
    return SystemRow(system, len(made), len(own), cells, mean_cost(made))


def setting_mean(outcomes: Sequence[DeckOutcome], column: str) -> MeanOf:
    """The mean of a column over the decks that have it, of those whose task asks for it."""
    of_all = column in (SHARED, AVERAGE, JUDGED)
    asked = [row for row in outcomes if of_all or not row.scores or column in row.scores]
    return MeanOf.over((row.value(column) for row in asked), "no task asks for it")


def mean_cost(costs: Iterable[DeckCost]) -> DeckCost:
    """The mean of the known values of each; None if none is known."""
    known = {
        key: [value for value in values if value is not None]
        for key, values in zip(COST_KEYS, zip(*map(astuple, costs), strict=True), strict=False)
    }
    means: dict[str, Any] = {key: fmean(values) for key, values in known.items() if values}
    if "tokens" in means:
        means["tokens"] = round(means["tokens"])
    return DeckCost(**means)


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
