"""Metrics put together: which of them, and does the sum agree with people better than its parts.

Paper 002, section 3.3.1 and table 3: the sum of any subset of dimensions. Paper 004, appendix A-A
and A-B: metrics that agree with people, less those that say the same, joined one by one while that
helps, as the mean of metrics on a common scale.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from statistics import fmean
from typing import Final

import numpy as np

from decklab.core.results import NotScored
from decklab.evals.agreement.rankings import (
    RankAgreement,
    Ranking,
    TopicScores,
    by_topic,
    rank_agreement,
)
from decklab.metrics.statistics import RESAMPLES, spearman_rho

MOST_DIMENSIONS: Final = 8
"""Ours: dimensions of an ablation; eight have 255 subsets."""

BETTER_THAN_CHANCE: Final = 0.5
"""Pairwise agreement that a metric needs to be a candidate. The paper gives no number."""

REDUNDANT: Final = 0.8
"""Ours: mean rho within topics, in size, from which two metrics say the same."""

LEAST_GAIN: Final = 0.005
"""Ours: pairwise agreement that a further metric has to add."""

_SAME: Final = 1e-9

FOLDS: Final = 5
"""Ours: parts of the topics, each of which is held out once."""


def subsets(dimensions: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All subsets of the dimensions but the empty one, small ones first.

    Raises ValueError for more than ``MOST_DIMENSIONS``.

    >>> list(subsets(["a", "b"]))
    [('a',), ('b',), ('a', 'b')]
    """
    if len(dimensions) > MOST_DIMENSIONS:
        raise ValueError(f"{len(dimensions)} dimensions have too many subsets; name fewer")
    for size in range(1, len(dimensions) + 1):
        yield from combinations(dimensions, size)


def summed_scores(
    scores: Mapping[str, TopicScores],
    metrics: Sequence[str],
    weights: Mapping[str, float] | None = None,
) -> dict[str, dict[str, float]]:
    """The sum of metrics by topic and product, each times its weight or 1.

    A product without one of the metrics has no sum.

    >>> summed_scores({"m": {"t": {"a": 1.0, "b": 2.0}}, "n": {"t": {"a": 0.5}}}, ["m", "n"])
    {'t': {'a': 1.5}}
    """
    given = weights or {}
    first = scores[metrics[0]] if metrics else {}
    return {
        topic: {
            product: sum(given.get(name, 1.0) * scores[name][topic][product] for name in metrics)
            for product in products
            if all(product in scores[name].get(topic, {}) for name in metrics)
        }
        for topic, products in first.items()
    }


def ablation(
    scores: Mapping[str, TopicScores],
    dimensions: Sequence[str],
    rankings: Iterable[Ranking],
    *,
    resamples: int = RESAMPLES,
) -> list[RankAgreement]:
    """How the sum of each subset of the dimensions agrees with people (table 3), in the order of
    ``subsets``. ``scores`` are by metric; higher is better."""
    ranked = list(rankings)
    return [
        rank_agreement(" + ".join(names), summed_scores(scores, names), ranked, resamples=resamples)
        for names in subsets(dimensions)
    ]


def on_one_scale(scores: TopicScores) -> dict[str, dict[str, float]]:
    """A metric from 0, its least over all topics, to 1, its greatest (appendix A-B); 0.5 if all
    are the same.

    >>> on_one_scale({"t": {"a": 2.0, "b": 4.0}, "u": {"a": 3.0}})
    {'t': {'a': 0.0, 'b': 1.0}, 'u': {'a': 0.5}}
    """
    values = [value for products in scores.values() for value in products.values()]
    low, high = min(values, default=0.0), max(values, default=0.0)
    return {
        topic: {
            product: 0.5 if high == low else (value - low) / (high - low)
            for product, value in products.items()
        }
        for topic, products in scores.items()
    }


def redundancy(first: TopicScores, second: TopicScores) -> float | NotScored:
    """Mean Spearman's rho of two metrics within topics, -1 to 1: how far they say the same.

    >>> round(redundancy({"t": {"a": 1, "b": 2}}, {"t": {"a": 5, "b": 9}}), 6)
    1.0
    """
    found = []
    for topic, products in first.items():
        shared = [product for product in products if product in second.get(topic, {})]
        rho = spearman_rho([products[p] for p in shared], [second[topic][p] for p in shared])
        found += [] if isinstance(rho, NotScored) else [rho]
    return fmean(found) if found else NotScored("no topic has two products with both metrics")


@dataclass(frozen=True)
class SelectionStep:
    """A metric that was taken, and the pairwise agreement of all that were taken so far."""

    metric: str
    pairwise: float


@dataclass(frozen=True)
class LeftOutMetric:
    """A metric that was not taken, and why."""

    metric: str
    why: str


@dataclass(frozen=True)
class MetricSelection:
    """Metrics chosen one by one, and what the choice is worth on topics it has not seen."""

    steps: tuple[SelectionStep, ...]
    left_out: tuple[LeftOutMetric, ...]
    held_out: float | NotScored
    """Pairwise agreement when each part of the topics is judged by metrics chosen on the others."""
    single: float | NotScored
    """The same when only the best single metric may be chosen."""
    folds: int
    """How many parts there were."""


def select_metrics(
    scores: Mapping[str, TopicScores],
    rankings: Iterable[Ranking],
    *,
    costs: Mapping[str, float] | None = None,
    least_gain: float = LEAST_GAIN,
    redundant: float = REDUNDANT,
) -> MetricSelection:
    """Choose metrics that predict people's judgements of pairs (paper 004, appendix A-A).

    Metrics no better than chance are left out, then those that say the same as a better one. The
    best begins; at each step the one is added whose mean with those taken predicts most, as long as
    it adds ``least_gain``. Of metrics that predict as much, the one of less cost is taken, then the
    first. ``scores`` are by metric, higher is better; ``costs`` are in any unit, 0 if not named.
    """
    chooser = _Chooser(scores, rankings, costs or {}, least_gain, redundant)
    topics = chooser.topics
    steps, left_out = chooser.choose(topics)
    folds = [topics[start::FOLDS] for start in range(min(FOLDS, len(topics)))]
    if len(folds) < 2:
        none = NotScored("nothing can be held out: there is one topic")
        return MetricSelection(tuple(steps), tuple(left_out), none, none, len(folds))
    chosen = [
        [step.metric for step in chooser.choose([t for t in topics if t not in fold])[0]]
        for fold in folds
    ]
    held_out, single = (
        _share(
            chooser.judged(names[:most], fold) for names, fold in zip(chosen, folds, strict=True)
        )
        for most in (None, 1)
    )
    return MetricSelection(tuple(steps), tuple(left_out), held_out, single, len(folds))


class _Chooser:
    """Metrics as rows over all products, and people's judgements of pairs as arrays."""

    def __init__(
        self,
        scores: Mapping[str, TopicScores],
        rankings: Iterable[Ranking],
        costs: Mapping[str, float],
        least_gain: float,
        redundant: float,
    ) -> None:
        ranked = by_topic(rankings)
        self.topics = sorted(ranked)
        places = {
            (topic, product): None
            for topic, some in ranked.items()
            for one in some
            for product in one.ranks
        }
        place_of = {place: number for number, place in enumerate(places)}
        self._scaled = {name: on_one_scale(found) for name, found in scores.items()}
        self._values = {
            name: np.array([found.get(topic, {}).get(p, np.nan) for topic, p in places], float)
            for name, found in self._scaled.items()
        }
        judged = [
            (place_of[topic, better], place_of[topic, worse], self.topics.index(topic))
            for topic, some in ranked.items()
            for one in some
            for better, worse in permutations(one.ranks, 2)
            if one.ranks[better] < one.ranks[worse]
        ]
        self._better, self._worse, self._topic = np.array(judged, int).reshape(-1, 3).T
        self._costs, self._least_gain, self._redundant = costs, least_gain, redundant
        self._alike: dict[tuple[str, str], bool] = {}

    def judged(self, names: Sequence[str], topics: Sequence[str]) -> tuple[float, int]:
        """Judgements of pairs that the sum of metrics gives too, ties as halves, and all that the
        metrics have values for."""
        if not names:
            return 0.0, 0
        total = np.sum([self._values[name] for name in names], axis=0)
        apart = (total[self._better] - total[self._worse])[
            np.isin(self._topic, [self.topics.index(topic) for topic in topics])
        ]
        apart = apart[np.isfinite(apart)]
        tied = np.abs(apart) < _SAME
        return float(((apart > 0) & ~tied).sum() + tied.sum() / 2), len(apart)

    def choose(self, topics: Sequence[str]) -> tuple[list[SelectionStep], list[LeftOutMetric]]:
        """The metrics chosen on some topics, step by step, and those left out."""
        alone = {name: _share([self.judged([name], topics)]) for name in self._values}
        kept, left_out = self._candidates(alone)
        steps: list[SelectionStep] = []
        while kept:
            taken = [step.metric for step in steps]
            gains = {name: _value(_share([self.judged([*taken, name], topics)])) for name in kept}
            best = min(kept, key=lambda name: (-round(gains[name], 9), self._costs.get(name, 0.0)))
            if steps and gains[best] < steps[-1].pairwise + self._least_gain:
                left_out += [
                    LeftOutMetric(name, f"adds {gains[name] - steps[-1].pairwise:+.3f}")
                    for name in kept
                ]
                break
            steps.append(SelectionStep(best, gains[best]))
            kept.remove(best)
        return steps, left_out

    def _candidates(
        self, alone: Mapping[str, float | NotScored]
    ) -> tuple[list[str], list[LeftOutMetric]]:
        """The metrics that agree with people and say something of their own, the best first."""
        kept: list[str] = []
        left_out: list[LeftOutMetric] = []
        for name in sorted(alone, key=lambda name: -_value(alone[name])):
            value = alone[name]
            if isinstance(value, NotScored):
                left_out.append(LeftOutMetric(name, value.reason))
            elif value <= BETTER_THAN_CHANCE:
                left_out.append(LeftOutMetric(name, f"no better than chance: {value:.3f}"))
            else:
                same = next((other for other in kept if self._same(name, other)), None)
                if same is None:
                    kept.append(name)
                else:
                    left_out.append(LeftOutMetric(name, f"says the same as {same}"))
        return kept, left_out

    def _same(self, first: str, second: str) -> bool:
        if (first, second) not in self._alike:
            rho = redundancy(self._scaled[first], self._scaled[second])
            known = not isinstance(rho, NotScored)
            self._alike[first, second] = known and abs(_value(rho)) >= self._redundant
        return self._alike[first, second]


def _share(judged: Iterable[tuple[float, int]]) -> float | NotScored:
    found = list(judged)
    pairs = sum(count for _, count in found)
    if not pairs:
        return NotScored("no pair that people put in an order has scores")
    return sum(right for right, _ in found) / pairs


def _value(value: float | NotScored) -> float:
    return -1.0 if isinstance(value, NotScored) else value
