"""Outcomes of systems at tasks, and the numbers of tables II and III of paper 004.

A score that could not be had counts nowhere, and its cause is kept: neither as 0, nor does a metric
of the mean stand for another. A cell says of how many decks it is the mean.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean
from typing import Any, Final, Self

from inspect_ai.log import EvalLog, EvalSample

from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored
from decklab.evals.judges.scenario.result import ONLY_A_MODEL, ScenarioJudgement
from decklab.evals.judges.scenario.task import (
    SETTING_METRICS,
    SHARED_METRICS,
    setting_average,
    shared_score,
)
from decklab.evals.unippt.tasks import SETTINGS, DeckCost

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
            known = [score for score in self.scores.values() if not isinstance(score, NotScored)]
            return fmean(known) if known else NotScored("no metric has a score")
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
            "scores": {name: _plain(score) for name, score in self.scores.items()},
            "means": {name: _plain(self.value(name)) for name in (SHARED, AVERAGE, JUDGED)},
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


def _plain(value: float | NotScored) -> dict[str, Any]:
    if isinstance(value, NotScored):
        return {"score": None, "reason": value.reason}
    return {"score": value, "reason": None}


def judged_outcome(base: DeckOutcome, judgement: ScenarioJudgement) -> DeckOutcome:
    """An outcome with the scores of its deck."""
    tokens = judgement.usage.input_tokens + judgement.usage.output_tokens
    return replace(base, scores=dict(judgement.scores), judge_tokens=tokens)


def deck_outcomes(log: EvalLog) -> Iterator[DeckOutcome]:
    """The outcome of every sample of a log, in the order in which they ended.

    A sample that broke off is not judged, and this is not the system's failure.
    """
    for sample in log.samples or []:
        scores = list((sample.scores or {}).values())
        outcome = (scores[0].metadata or {}).get("outcome") if scores else None
        yield DeckOutcome.from_json(outcome) if outcome else _broken_off(sample)


def _broken_off(sample: EvalSample) -> DeckOutcome:
    known = sample.metadata
    cause = sample.error.message.splitlines()[0] if sample.error else "it was not scored"
    return DeckOutcome(
        known["system"], known["task"], known["setting"], reason=f"{_OURS}: {cause}", deck=False
    )


@dataclass(frozen=True)
class SettingMean:
    """The mean of a column over the decks of a system in a setting."""

    value: float | NotScored
    decks: int
    """How many decks it is the mean of."""
    of: int
    """How many tasks there are that ask for it."""

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {**_plain(self.value), "decks": self.decks, "of": self.of}


@dataclass(frozen=True)
class SystemRow:
    """A system in a setting."""

    system: str
    decks: int
    tasks: int
    cells: Mapping[str, SettingMean]
    """By column, as ``columns_of`` gives them."""
    cost: DeckCost
    """The mean of the known values of its decks."""

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "decks": self.decks,
            "tasks": self.tasks,
            "cost": asdict(self.cost),
            **{name: cell.to_json() for name, cell in self.cells.items()},
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


def setting_mean(outcomes: Sequence[DeckOutcome], column: str) -> SettingMean:
    """The mean of a column over the decks that have it."""
    asked = [outcome for outcome in outcomes if not outcome.scores or _asks(outcome, column)]
    values = [row.value(column) for row in asked]
    known = [value for value in values if not isinstance(value, NotScored)]
    causes = [value for value in values if isinstance(value, NotScored)]
    none = causes[0] if causes else NotScored("no task asks for it")
    return SettingMean(fmean(known) if known else none, len(known), len(asked))


def _asks(outcome: DeckOutcome, column: str) -> bool:
    return column in (SHARED, AVERAGE, JUDGED) or column in outcome.scores


def mean_cost(costs: Iterable[DeckCost]) -> DeckCost:
    """The mean of the known values of each; None if none is known."""
    listed = list(costs)

    def mean(key: str) -> float | None:
        known = [value for cost in listed if (value := getattr(cost, key)) is not None]
        return fmean(known) if known else None

    tokens = mean("tokens")
    return DeckCost(mean("seconds"), None if tokens is None else round(tokens), mean("dollars"))
