"""Outcomes of systems at tasks, and the numbers of tables II and III of paper 004.

A score that could not be had counts nowhere, and its cause is kept: neither as 0, nor does a metric
of the mean stand for another. A cell says of how many decks it is the mean.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field
from statistics import fmean
from typing import Any, Final, Self

from inspect_ai.log import EvalLog

from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored, score_json, scored, scored_mean
from decklab.evals.inspect_run import logged_outcomes, why_broken_off
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.judges.scenario.task import (
    SETTING_METRICS,
    SHARED_METRICS,
    setting_average,
    shared_score,
)
from decklab.evals.unippt.tasks import COST_KEYS, SETTINGS, DeckCost
from decklab.metrics.statistics import MeanOf

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
