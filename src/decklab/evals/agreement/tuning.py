"""Scores fitted on people's rankings: which metrics put together agree with people best, and the
parameters of the aesthetics score; with their worth on topics that the fit has not seen.

Paper 002, appendix E (E.1.3, E.6 and table 13): a grid search for the highest Spearman's rho. The
paper tunes and reports on the same pairs; here each part of the topics is held out once.

Paper 002, section 3.3.1 and table 3: the sum of any subset of dimensions. Paper 004, appendix A-A
and A-B: metrics that agree with people, less those that say the same, joined one by one while that
helps, as the mean of metrics on a common scale.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import combinations, permutations
from statistics import fmean
from typing import Any, Final, Literal

import numpy as np

from decklab.core.results import NotScored, by_key, scored, scored_mean
from decklab.evals.agreement.rankings import (
    RankAgreement,
    Ranking,
    TopicScores,
    by_topic,
    consensus,
    interval_of_ratio,
    rank_agreement,
    shared_rho,
)
from decklab.metrics.aesthetics.engagement import PACING_TARGET, PACING_VARIANCE, level
from decklab.metrics.aesthetics.harmony import HARMONY_SIGMA, harmony_score, harmony_slide_score
from decklab.metrics.aesthetics.rhythm import (
    OVERLOAD_THRESHOLD,
    RHYTHM_CHANGE_WEIGHT,
    RHYTHM_MEAN_WEIGHT,
    RMSSD_TARGET,
    rhythm_score_target,
    rhythm_slide_score,
    rmssd,
)
from decklab.metrics.aesthetics.usability import usability_score
from decklab.metrics.statistics import RESAMPLES, Floats, Interval

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
    scores: Mapping[str, TopicScores], metrics: Sequence[str]
) -> dict[str, dict[str, float]]:
    """The sum of metrics by topic and product; a product without one of them has none.

    >>> summed_scores({"m": {"t": {"a": 1.0, "b": 2.0}}, "n": {"t": {"a": 0.5}}}, ["m", "n"])
    {'t': {'a': 1.5}}
    """
    first = scores[metrics[0]] if metrics else {}
    return {
        topic: {
            product: sum(scores[name][topic][product] for name in metrics)
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
    rhos = (shared_rho(products, second.get(topic, {})) for topic, products in first.items())
    return scored_mean(scored(rhos), "no topic has two products with both metrics")


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
    scores: Mapping[str, TopicScores], rankings: Iterable[Ranking]
) -> MetricSelection:
    """Choose metrics that predict people's judgements of pairs (paper 004, appendix A-A).

    Metrics no better than chance are left out, then those that say the same as a better one. The
    best begins; at each step the one is added whose mean with those taken predicts most, as long as
    it adds ``LEAST_GAIN``. Of metrics that predict as much, the first is taken. ``scores`` are by
    metric, higher is better.
    """
    chooser = _Chooser(scores, rankings)
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

    def __init__(self, scores: Mapping[str, TopicScores], rankings: Iterable[Ranking]) -> None:
        ranked = by_topic(rankings)
        self.topics = sorted(ranked)
        places = {
            (topic, product): None
            for topic, some in ranked.items()
            for metric in some
            for product in metric.ranks
        }
        place_of = {index: number for number, index in enumerate(places)}
        self._scaled = {name: on_one_scale(values) for name, values in scores.items()}
        self._values = {
            name: np.array([values.get(topic, {}).get(p, np.nan) for topic, p in places], float)
            for name, values in self._scaled.items()
        }
        judged = [
            (place_of[topic, better], place_of[topic, worse], self.topics.index(topic))
            for topic, some in ranked.items()
            for metric in some
            for better, worse in permutations(metric.ranks, 2)
            if metric.ranks[better] < metric.ranks[worse]
        ]
        self._better, self._worse, self._topic = np.array(judged, int).reshape(-1, 3).T
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
            best = min(kept, key=lambda name: -round(gains[name], 9))
            if steps and gains[best] < steps[-1].pairwise + LEAST_GAIN:
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
            self._alike[first, second] = known and abs(_value(rho)) >= REDUNDANT
        return self._alike[first, second]


def _share(judged: Iterable[tuple[float, int]]) -> float | NotScored:
    judgings = list(judged)
    if not (pairs := sum(count for _, count in judgings)):
        return NotScored("no pair that people put in an order has scores")
    return sum(right for right, _ in judgings) / pairs


def _value(value: float | NotScored) -> float:
    return -1.0 if isinstance(value, NotScored) else value


PASSES: Final = 4
"""Ours: how often all parameters are gone through at most."""

_EQ17_SCALE: Final = 0.2
"""Ours: brings eq 17's 100 to the 20 that eq 8 can reach."""


@dataclass(frozen=True)
class DeckSlides:
    """Measures of the slides of a deck, in their order; slides without a value are left out."""

    distances: tuple[float, ...]
    """``harmony.distance_deg``."""
    colorfulness: tuple[float, ...]
    """``engagement.colorfulness``."""
    contrast: tuple[float, ...]
    """``usability.contrast``."""
    entropy: tuple[float, ...]
    """``rhythm.subband_entropy``."""

    @property
    def complete(self) -> bool:
        """Whether all four parts of the aesthetics score can be had."""
        rhythm = min(len(self.colorfulness), len(self.entropy)) > 1
        return rhythm and bool(self.distances and self.contrast)


@dataclass(frozen=True)
class AestheticsParameters:
    """The parameters of the aesthetics score, as decklab has them by default."""

    sigma: float = HARMONY_SIGMA
    """Of eq 14, in radians."""
    level_share: float = 0.5
    """How much of engagement is its level; the rest is pacing."""
    pacing_target: float = PACING_TARGET
    """Of eq 3."""
    mean_weight: float = RHYTHM_MEAN_WEIGHT
    change_weight: float = RHYTHM_CHANGE_WEIGHT
    """Lambda 1 and 2 of eq 8."""
    rhythm: Literal["eq8", "eq17"] = "eq8"
    target: float = RMSSD_TARGET
    overload: float = OVERLOAD_THRESHOLD
    """Tau and theta of eq 17; eq 8 has neither."""
    harmony_weight: float = 1.0
    engagement_weight: float = 1.0
    usability_weight: float = 1.0
    rhythm_weight: float = 1.0
    """Of the four parts in the total."""


CANDIDATES: Final[Mapping[str, tuple[float, ...]]] = {
    "sigma": (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0),
    "level_share": (0.0, 0.25, 0.5, 0.75, 1.0),
    "pacing_target": (5.64, 11.28, 22.56),
    "mean_weight": (0.0, 5.0, 10.0, 20.0),
    "change_weight": (-10.0, 0.0, 5.0, 10.0, 20.0, 40.0),
    "target": (0.02, 0.03, 0.05, 0.1, 0.2, 0.3),
    "overload": (0.1, 0.3, 0.5, 0.75, 1.0),
    "harmony_weight": (0.0, 0.25, 0.5, 1.0, 2.0),
    "engagement_weight": (0.0, 0.25, 0.5, 1.0, 2.0),
    "usability_weight": (0.0, 0.25, 0.5, 1.0, 2.0),
    "rhythm_weight": (0.0, 0.25, 0.5, 1.0, 2.0),
}
"""Values to try, in this order. Ours; the ends of sigma, tau and theta are those of tables 10, 11
and 13."""

_ONLY: Final = {"mean_weight": "eq8", "change_weight": "eq8", "target": "eq17", "overload": "eq17"}


def aesthetics_of(slides: DeckSlides, parameters: AestheticsParameters) -> float | NotScored:
    """The aesthetics score of a deck with these parameters; higher is better.

    With the default parameters it is ``aesthetics.total``. NotScored if a part cannot be had.

    >>> round(aesthetics_of(DeckSlides((0.0,), (40.0, 60.0), (0.5,), (3.878, 3.878)),
    ...                     AestheticsParameters()), 3)
    27.444
    """
    if not slides.complete:
        return NotScored("not all four parts of the aesthetics score can be had")
    return float(_total(_Parts([slides]), parameters)[0])


def _total(parts: "_Parts", parameters: AestheticsParameters) -> Floats:
    """The aesthetics scores of all decks."""
    harmony, engagement, usability, rhythm = parts.of(parameters)
    weighted = [
        parameters.harmony_weight * harmony,
        parameters.engagement_weight * engagement,
        parameters.usability_weight * usability,
        parameters.rhythm_weight * rhythm,
    ]
    return np.asarray(np.sum(weighted, axis=0))


def _scored(value: float | NotScored) -> float:
    assert not isinstance(value, NotScored), "complete decks have all parts"
    return value


class _Parts:
    """The four parts of many decks; each is computed once for the parameters it depends on."""

    def __init__(self, decks: Sequence[DeckSlides]) -> None:
        self._decks = decks
        self._usability = self._each(lambda deck: _scored(usability_score(deck.contrast)))
        self._levels = self._each(lambda deck: level(deck.colorfulness))
        self._spreads = self._each(lambda deck: float(np.std(deck.colorfulness)))
        self._slides = [[rhythm_slide_score(bits) for bits in deck.entropy] for deck in decks]
        self._means = np.array([fmean(slides) for slides in self._slides])
        self._changes = np.array([_scored(rmssd(slides)) for slides in self._slides])
        self._harmony = cache(self._harmony_for)
        self._eq17 = cache(self._eq17_for)

    def _each(self, of: Callable[[DeckSlides], float]) -> Floats:
        return np.array([of(deck) for deck in self._decks])

    def _harmony_for(self, sigma: float) -> Floats:
        return self._each(
            lambda deck: _scored(
                harmony_score([harmony_slide_score(d, sigma=sigma) for d in deck.distances])
            )
        )

    def _eq17_for(self, target: float, overload: float) -> Floats:
        values = [
            _scored(rhythm_score_target(slides, target=target, overload=overload))
            for slides in self._slides
        ]
        return _EQ17_SCALE * np.array(values)

    def of(self, how: AestheticsParameters) -> tuple[Floats, Floats, Floats, Floats]:
        """Harmony, engagement, usability and rhythm of all decks."""
        pace = np.exp(-((self._spreads - how.pacing_target) ** 2) / (2 * PACING_VARIANCE))
        engagement = 10 * (how.level_share * self._levels + (1 - how.level_share) * pace)
        if how.rhythm == "eq17":
            rhythm = self._eq17(how.target, how.overload)
        else:
            rhythm = how.mean_weight * self._means + how.change_weight * self._changes
        return self._harmony(how.sigma), engagement, self._usability, rhythm


@dataclass(frozen=True)
class ParameterChange:
    """A parameter that the fit on all topics gave another value."""

    name: str
    before: float | str
    after: float | str


@dataclass(frozen=True)
class Tuning:
    """Spearman's rho, mean over topics, before and after fitting."""

    parameters: AestheticsParameters
    """Those fitted on all topics."""
    changes: tuple[ParameterChange, ...]
    before: float
    """With the default parameters, all topics."""
    trained: float
    """Fitted and measured on the same topics: how far it can be brought, and too good."""
    held_out: float
    """Each topic with parameters fitted on the other parts: what to expect of new topics."""
    gain: Interval | NotScored
    """95% of ``held_out`` less ``before``, from resampled topics."""
    topics: int
    decks: int
    left_out: int
    """Ranked decks without all four parts."""


def tune(
    decks: Mapping[tuple[str, str], DeckSlides], rankings: Iterable[Ranking]
) -> Tuning | NotScored:
    """Fit the parameters of the aesthetics score on rankings.

    ``decks`` are by topic and product. Parameters are gone through one by one, each set to the
    candidate with the highest mean rho, until none helps; so nothing is left to chance, and a
    parameter that does not matter keeps its default. Topics whose decks tie count as 0 in the fit.
    NotScored if fewer than two topics have three ranked decks with all parts.
    """
    ranked = {topic: consensus(some) for topic, some in by_topic(rankings).items()}
    wanted = [(topic, product) for topic, agreed in ranked.items() for product in agreed]
    usable = [pair for pair in wanted if pair in decks and decks[pair].complete]
    by_name = by_key(range(len(usable)), lambda index: usable[index][0])
    topics = sorted(topic for topic, places in by_name.items() if len(places) > 2)
    if len(topics) < 2:
        return NotScored("tuning needs two topics with three ranked decks that have all four parts")
    fit = _Fit(
        _Parts([decks[pair] for pair in usable]),
        [by_name[topic] for topic in topics],
        [np.array([ranked[t][p] for t, p in usable if t == topic]) for topic in topics],
    )
    every = range(len(topics))
    start = AestheticsParameters()
    best, trained = fit.fitted(every)
    before = fit.rhos(start)
    after = np.empty(len(topics))
    for first in range(min(FOLDS, len(topics))):
        fold = list(every)[first::FOLDS]
        fitted, _ = fit.fitted([index for index in every if index not in fold])
        after[fold] = fit.rhos(fitted)[fold]
    return Tuning(
        parameters=best,
        changes=tuple(_changes(start, best)),
        before=float(before.mean()),
        trained=trained,
        held_out=float(after.mean()),
        gain=interval_of_ratio([(float(gain), 1.0) for gain in after - before], RESAMPLES),
        topics=len(topics),
        decks=sum(len(by_name[topic]) for topic in topics),
        left_out=len(wanted) - len(usable),
    )


def _changes(before: AestheticsParameters, after: AestheticsParameters) -> list[ParameterChange]:
    return [
        ParameterChange(field.name, getattr(before, field.name), getattr(after, field.name))
        for field in fields(after)
        if getattr(before, field.name) != getattr(after, field.name)
    ]


class _Fit:
    """Decks by topic, as matrices (topics, most decks of a topic), and what people say of them."""

    def __init__(
        self, parts: _Parts, places: Sequence[Sequence[int]], agreed: Sequence[Floats]
    ) -> None:
        most = max(map(len, places))
        self._parts = parts
        self._places = np.zeros((len(places), most), int)
        self._there = np.zeros((len(places), most), bool)
        theirs = np.zeros((len(places), most))
        for row, (some, values) in enumerate(zip(places, agreed, strict=True)):
            self._places[row, : len(some)] = some
            self._there[row, : len(some)] = True
            theirs[row, : len(some)] = values
        self._theirs = self._centered_ranks(theirs)

    def rhos(self, how: AestheticsParameters) -> Floats:
        """Spearman's rho of each topic; 0 if all its decks tie."""
        ours = self._centered_ranks(_total(self._parts, how)[self._places])
        size = np.sqrt((ours**2).sum(axis=1) * (self._theirs**2).sum(axis=1))
        common = (ours * self._theirs).sum(axis=1)
        return np.asarray(
            np.divide(common, size, out=np.zeros(len(ours)), where=size > _SAME), float
        )

    def _centered_ranks(self, values: Floats) -> Floats:
        """How many decks of its topic each one beats, less how many beat it; 0 if none is."""
        rounded = np.round(values, 9)
        beaten = np.sign(rounded[:, :, None] - rounded[:, None, :])
        beaten *= self._there[:, :, None] & self._there[:, None, :]
        return np.asarray(beaten.sum(axis=2))

    def fitted(self, topics: Sequence[int]) -> tuple[AestheticsParameters, float]:
        """The best parameters for some topics, and their mean rho there."""
        starts = [AestheticsParameters(), AestheticsParameters(rhythm="eq17")]
        climbed = [self._climbed(start, list(topics)) for start in starts]
        return climbed[0] if climbed[0][1] >= climbed[1][1] - _SAME else climbed[1]

    def _climbed(
        self, how: AestheticsParameters, topics: list[int]
    ) -> tuple[AestheticsParameters, float]:
        reached = float(self.rhos(how)[topics].mean())
        for _ in range(PASSES):
            before = reached
            for name, values in CANDIDATES.items():
                if _ONLY.get(name, how.rhythm) != how.rhythm:
                    continue
                for value in values:
                    change: dict[str, Any] = {name: value}
                    other = replace(how, **change)
                    if (rho := float(self.rhos(other)[topics].mean())) > reached + _SAME:
                        how, reached = other, rho
            if reached <= before + _SAME:
                break
        return how, reached
