"""Parameters of the aesthetics score fitted on people's rankings, and what they are worth on topics
that the fit has not seen.

Paper 002, appendix E (E.1.3, E.6 and table 13): a grid search for the highest Spearman's rho. The
paper tunes and reports on the same pairs; here each part of the topics is held out once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from statistics import fmean
from typing import Any, Final, Literal

import numpy as np

from decklab.core.results import NotScored
from decklab.evals.agreement.combining import FOLDS
from decklab.evals.agreement.rankings import Ranking, by_topic, consensus
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
from decklab.metrics.statistics import Floats, Interval, percentile_interval, resampled_sums

PASSES: Final = 4
"""Ours: how often all parameters are gone through at most."""

_EQ17_SCALE: Final = 0.2
"""Ours: brings eq 17's 100 to the 20 that eq 8 can reach."""

_SAME: Final = 1e-9


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


def _weights(parameters: AestheticsParameters) -> tuple[float, float, float, float]:
    return (
        parameters.harmony_weight,
        parameters.engagement_weight,
        parameters.usability_weight,
        parameters.rhythm_weight,
    )


def _total(parts: "_Parts", parameters: AestheticsParameters) -> Floats:
    """The aesthetics scores of all decks."""
    weighted = [w * p for w, p in zip(_weights(parameters), parts.of(parameters), strict=True)]
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
        found = [
            _scored(rhythm_score_target(slides, target=target, overload=overload))
            for slides in self._slides
        ]
        return _EQ17_SCALE * np.array(found)

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
    by_name: dict[str, list[int]] = {}
    for place, (topic, _) in enumerate(usable):
        by_name.setdefault(topic, []).append(place)
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
        found, _ = fit.fitted([place for place in every if place not in fold])
        after[fold] = fit.rhos(found)[fold]
    gains = resampled_sums(np.stack([after - before, np.ones(len(topics))], axis=1))
    return Tuning(
        parameters=best,
        changes=tuple(_changes(start, best)),
        before=float(before.mean()),
        trained=trained,
        held_out=float(after.mean()),
        gain=percentile_interval(gains[:, 0] / gains[:, 1], len(topics), expanded=True),
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
        found = [self._climbed(start, list(topics)) for start in starts]
        return found[0] if found[0][1] >= found[1][1] - _SAME else found[1]

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
                    rho = float(self.rhos(other)[topics].mean())
                    if rho > reached + _SAME:
                        how, reached = other, rho
            if reached <= before + _SAME:
                break
        return how, reached
