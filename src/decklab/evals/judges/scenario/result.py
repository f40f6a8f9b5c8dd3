"""What was judged of a deck: every metric with its items, runs and spread, and their averages."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from decklab.core.results import NotScored, Tabular
from decklab.evals.judges.scenario.metrics import (
    SHARED_METRICS,
    ScenarioItem,
    mean_of_runs,
    setting_average,
    shared_score,
    spread_of_runs,
)
from decklab.evals.judges.scenario.task import ScenarioTask
from decklab.models.asking import Usage

ONLY_A_MODEL: Final = "only a model judges this"
PROXY_NOTE: Final = (
    "scores by program are proxies: they see words, numbers and pictures, and little of the meaning"
)
"""Stands in every output that has one."""
_APART: Final = 3.0
_NAMED: Final = 4
"""Points of 10 from which model and program disagree; items that are named then. Ours."""


@dataclass(frozen=True)
class MetricResult:
    """A metric of a deck, 0 to 10, higher is better."""

    name: str
    title: str
    runs: tuple[float | NotScored, ...]
    """The score of each run: one by program, several by a model."""
    items: tuple[tuple[ScenarioItem, ...], ...] = ()
    """What was judged, item by item, for each run."""
    proxy: bool = False
    """Whether a program stands in for a model."""
    beside: "MetricResult | None" = None
    """What a program says beside a model; None where it says nothing."""

    @property
    def score(self) -> float | NotScored:
        """The mean of the runs that gave one."""
        return mean_of_runs(self.runs)

    @property
    def spread(self) -> float | NotScored:
        """The standard deviation of the runs; lower is steadier."""
        return spread_of_runs(self.runs)

    @property
    def disagreement(self) -> str:
        """How model and program differ, in a line; empty where they are near or one is missing."""
        other = None if self.beside is None else self.beside.score
        if other is None or isinstance(other, NotScored) or isinstance(self.score, NotScored):
            return ""
        if abs(self.score - other) < _APART:
            return ""
        ids = ", ".join(self.items_apart[:_NAMED])
        named = f"; look at {ids}" if ids else ""
        return f"the model says {self.score:.1f}, a program {other:.1f}{named}"

    @property
    def items_apart(self) -> tuple[str, ...]:
        """The items of the first run that model and program judge in opposite ways."""
        if self.beside is None or not self.items or not self.beside.items:
            return ()
        other = {one.text: one.state for one in self.beside.items[0]}
        opposite = {0.0, 1.0}
        return tuple(
            one.id for one in self.items[0] if {one.state, other.get(one.text)} == opposite
        )


@dataclass(frozen=True)
class ScenarioJudgement(Tabular):
    """What was judged of one deck for one task."""

    deck: str
    task: ScenarioTask
    metrics: tuple[MetricResult, ...]
    """The shared ones, then those of the setting."""
    judge: str
    """The model, or the program that stands in for one."""
    told: tuple[str, ...] = ()
    """What a reader of the scores has to know, a line each."""
    usage: Usage = field(default_factory=Usage)
    spent: str = ""

    @property
    def scores(self) -> Mapping[str, float | NotScored]:
        """The score of each metric by its name."""
        return {one.name: one.score for one in self.metrics}

    @property
    def shared(self) -> float | NotScored:
        """The shared metrics together, 0 to 10 (paper 004, appendix A-B)."""
        return shared_score(one.score for one in self.metrics if one.name in SHARED_METRICS)

    @property
    def average(self) -> float | NotScored:
        """All metrics together, 0 to 10 (paper 004, section VI-A)."""
        return setting_average(self.scores.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know: that a program stands in for a model, and what was told."""
        stands_in = any(one.proxy and not isinstance(one.score, NotScored) for one in self.metrics)
        apart = tuple(
            f"{one.title}: {one.disagreement}" for one in self.metrics if one.disagreement
        )
        return (*((PROXY_NOTE,) if stands_in else ()), *self.told, *apart)

    @property
    def not_scored(self) -> tuple[str, ...]:
        """What could not be had, each in a line."""
        return tuple(
            f"{name}: {score.reason}"
            for name, score in self.scores.items()
            if isinstance(score, NotScored)
        )

    @property
    def missed(self) -> tuple[str, ...]:
        """Of these, what was asked for: by program, what only a model judges was not."""
        return tuple(line for line in self.not_scored if not line.endswith(ONLY_A_MODEL))

    def records(self) -> Iterator[Mapping[str, Any]]:
        """One row a metric, and of each run and item one."""
        for metric in self.metrics:
            yield self._row(metric, None, None, metric.score)
            for number, items in enumerate(metric.items, start=1):
                for item in items:
                    yield self._row(metric, number, item, item.state)

    def _row(
        self,
        metric: MetricResult,
        run: int | None,
        item: ScenarioItem | None,
        value: float | NotScored | None,
    ) -> Mapping[str, Any]:
        missing = isinstance(value, NotScored)
        return {
            "deck": self.deck,
            "metric": f"scenario.{metric.name}",
            "run": run,
            "item": item.id if item else None,
            "text": item.text if item else None,
            "value": None if missing else value,
            "weight": item.weight if item else None,
            "slide": item.slide if item else None,
            "evidence": item.evidence if item else None,
            "proxy": metric.proxy,
            "beside": _known(metric.beside) if item is None else None,
            "reason": value.reason if isinstance(value, NotScored) else None,
        }

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON; a score that could not be had is null with its reason."""
        return {
            "deck": self.deck,
            "task": self.task.title,
            "setting": self.task.setting,
            "annotated_by": self.task.made_by,
            "judge": self.judge,
            "told": list(self.notes),
            "shared": _plain(self.shared),
            "average": _plain(self.average),
            "metrics": [_metric_json(one) for one in self.metrics],
            "usage": asdict(self.usage),
        }


def _known(beside: MetricResult | None) -> float | None:
    return None if beside is None or isinstance(beside.score, NotScored) else beside.score


def _metric_json(metric: MetricResult) -> dict[str, Any]:
    return {
        "name": metric.name,
        "title": metric.title,
        **_plain(metric.score),
        "spread": _plain(metric.spread)["score"],
        "proxy": metric.proxy,
        "by_program": _known(metric.beside),
        "disagreement": metric.disagreement,
        "runs": [_plain(run) for run in metric.runs],
        "items": [[_item_json(item) for item in items] for items in metric.items],
    }


def _item_json(item: ScenarioItem) -> dict[str, Any]:
    judged = not isinstance(item.state, NotScored)
    return {
        **asdict(item),
        "state": item.state if judged else None,
        "applies": item.state is not None,
        "reason": item.state.reason if isinstance(item.state, NotScored) else None,
    }


def _plain(value: float | NotScored) -> dict[str, Any]:
    missing = isinstance(value, NotScored)
    return {
        "score": None if missing else value,
        "reason": value.reason if isinstance(value, NotScored) else None,
    }
