"""Consistency against fidelity, per judge, axis and scale (paper 000, section 4, figure 3a)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from decklab.metrics.intervals import RESAMPLES, SEED, Interval, cluster_draws, percentile_interval
from decklab.metrics.sensitivity.measures import (
    adjacent_poa,
    mace,
    rank_correlation,
    resampled_correlation,
    steps,
)
from decklab.metrics.sensitivity.ratings import Degraded
from decklab.results import NotScored

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class FrontierPoint:
    """One judge on one axis and scale."""

    model: str
    axis: str
    scale: int
    consistency: float | NotScored
    """Adjacent POA, 0 to 1."""
    consistency_interval: Interval | NotScored
    """95%, from resampled decks, as the next."""
    fidelity: float | NotScored
    """Spearman's rho of severity and y*, -1 to 1."""
    fidelity_interval: Interval | NotScored
    mace: float | NotScored
    """Mean absolute calibration error to y* = severity."""
    n: int
    """Slides rated, each severity by itself."""
    curve: tuple[tuple[float, float], ...]
    """Mean y* by severity."""
    on_frontier: bool = False
    """Whether no other point of the axis is as good on both sides and better on one."""


def consistency_fidelity(
    rated: Sequence[Degraded], *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[FrontierPoint, ...]:
    """A point for every judge, axis and scale among the ratings, sorted.

    >>> rated = [Degraded("m", "text", 5, "a", "1", s, s) for s in (0.0, 0.5, 1.0)]
    >>> [(p.consistency, p.fidelity, p.mace, p.on_frontier) for p in consistency_fidelity(rated)]
    [(1.0, 1.0, 0.0, True)]
    """
    ordered = sorted(rated)
    points = [
        _point(list(group), resamples, seed)
        for _, group in groupby(ordered, key=lambda each: each[:3])
    ]
    return tuple(replace(point, on_frontier=_undominated(point, points)) for point in points)


def _point(rated: Sequence[Degraded], resamples: int, seed: int) -> FrontierPoint:
    pairs = [(each.severity, each.y) for each in rated]
    ladders = ladders_of(rated)
    consistency = adjacent_poa(ladder for _, ladder in ladders)
    fidelity = rank_correlation(pairs)
    drawn = deck_draws([deck for deck, _ in ladders], resamples, seed)
    return FrontierPoint(
        *rated[0][:3],
        consistency,
        consistency if isinstance(consistency, NotScored) else poa_interval(ladders, *drawn),
        fidelity,
        fidelity
        if isinstance(fidelity, NotScored)
        else _rho_interval(rated, pairs, *drawn),
        mace(pairs),
        len(pairs),
        _curve(pairs),
    )  # fmt: skip


def ladders_of(rated: Sequence[Degraded]) -> list[tuple[str, dict[float, float]]]:
    """The deck of each slide, and its y* by severity. ``rated`` is sorted."""
    return [
        (key[3], {each.severity: each.y for each in group})
        for key, group in groupby(rated, key=lambda each: each[:5])
    ]


def deck_draws(decks: Sequence[str], resamples: int, seed: int) -> tuple[list[str], Counts]:
    """The distinct decks and how often each resample has them."""
    names = sorted(set(decks))
    if len(names) < 2 or not resamples:
        return names, np.zeros((0, len(names)), np.int64)
    return names, np.concatenate(list(cluster_draws(len(names), resamples=resamples, seed=seed)))


def poa_interval(
    ladders: Sequence[tuple[str, dict[float, float]]], names: list[str], counts: Counts
) -> Interval | NotScored:
    """95% of adjacent POA over resampled decks, as ``deck_draws`` gives them."""
    sums = np.zeros((len(names), 2))
    for deck, ladder in ladders:
        sums[names.index(deck)] += steps(ladder)
    kept, total = (counts @ sums).T
    shares = np.divide(kept, total, out=np.full_like(kept, np.nan), where=total > 0)
    return percentile_interval(shares, len(names))


def _rho_interval(
    rated: Sequence[Degraded],
    pairs: Sequence[tuple[float, float]],
    names: list[str],
    counts: Counts,
) -> Interval | NotScored:
    place = {name: index for index, name in enumerate(names)}
    drawn = counts[:, [place[each.deck] for each in rated]]
    return percentile_interval(resampled_correlation(pairs, drawn), len(names))


def _curve(pairs: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    levels = groupby(sorted(pairs), key=lambda pair: pair[0])
    return tuple((severity, float(np.mean([y for _, y in group]))) for severity, group in levels)


def _undominated(point: FrontierPoint, others: Sequence[FrontierPoint]) -> bool:
    mine = _place(point)
    if mine is None:
        return False
    theirs = [_place(other) for other in others if other.axis == point.axis]
    return not any(
        place is not None and place != mine and place[0] >= mine[0] and place[1] >= mine[1]
        for place in theirs
    )


def _place(point: FrontierPoint) -> tuple[float, float] | None:
    if isinstance(point.consistency, NotScored) or isinstance(point.fidelity, NotScored):
        return None
    return point.consistency, point.fidelity
