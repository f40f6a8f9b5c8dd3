"""How far judges follow severity, and whether they agree (paper 000, section 4, figure 3).

Consistency against fidelity is given per judge, axis and scale. No judge can rise where the damage
does not: its adjacent POA, rank correlation and MACE are compared with those of the damage on the
same slides (the ceiling).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from typing import Final, Literal

import numpy as np

from decklab.core.results import NotScored
from decklab.metrics.ratings import SCALES, Degraded, adjacent_poa, mace, steps
from decklab.metrics.statistics import (
    RESAMPLES,
    Interval,
    cluster_draws,
    percentile_interval,
    rank_correlation,
    ratio_interval,
    resampled_correlation,
    resampled_sums,
)

BUCKETS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Ours: upper edges of severity buckets; the first holds clean slides alone, each other one two of
the eleven levels of section 3. Figure 3b shows buckets without their edges."""

LEAST_COMMON: Final = 5
"""Ours: slides that two models must both have rated for a rank correlation; with fewer, one swap
moves it from end to end."""


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
    rated: Sequence[Degraded], *, resamples: int = RESAMPLES
) -> tuple[FrontierPoint, ...]:
    """A point for every judge, axis and scale among the ratings, sorted.

    >>> rated = [Degraded("m", "text", 5, "a", "1", s, s) for s in (0.0, 0.5, 1.0)]
    >>> [(p.consistency, p.fidelity, p.mace, p.on_frontier) for p in consistency_fidelity(rated)]
    [(1.0, 1.0, 0.0, True)]
    """
    ordered = sorted(rated)
    points = [
        _point(list(group), resamples) for _, group in groupby(ordered, key=lambda each: each[:3])
    ]
    return tuple(replace(point, on_frontier=_undominated(point, points)) for point in points)


def _point(rated: Sequence[Degraded], resamples: int) -> FrontierPoint:
    pairs = [(each.severity, each.y) for each in rated]
    ladders = ladders_of(rated)
    consistency = adjacent_poa(ladder for _, ladder in ladders)
    fidelity = rank_correlation(pairs)
    poa_interval = _poa_interval(consistency, ladders, resamples)
    rho_interval = _rho_interval(fidelity, rated, resamples)
    return FrontierPoint(
        *rated[0][:3], consistency, poa_interval, fidelity, rho_interval,
        mace(pairs), len(pairs), _curve(pairs),
    )  # fmt: skip


def ladders_of(rated: Sequence[Degraded]) -> list[tuple[str, dict[float, float]]]:
    """The deck of each slide, and its y* by severity. ``rated`` is sorted."""
    return [
        (key[3], {each.severity: each.y for each in group})
        for key, group in groupby(rated, key=lambda each: each[:5])
    ]


def _poa_interval(
    poa: float | NotScored, ladders: Sequence[tuple[str, dict[float, float]]], resamples: int
) -> Interval | NotScored:
    """95% of adjacent POA over resampled decks; why there is none if there is no POA."""
    if isinstance(poa, NotScored):
        return poa
    row_of = _places(deck for deck, _ in ladders)
    sums = np.zeros((len(row_of), 2))
    for deck, ladder in ladders:
        sums[row_of[deck]] += steps(ladder)
    not_falling, total = resampled_sums(sums, resamples=resamples).T
    return ratio_interval(not_falling, total, len(row_of))


def _rho_interval(
    rho: float | NotScored, rated: Sequence[Degraded], resamples: int
) -> Interval | NotScored:
    """95% of Spearman's rho over resampled decks; why there is none if there is no rho."""
    if isinstance(rho, NotScored):
        return rho
    column_of = _places(each.deck for each in rated)
    drawn = np.zeros((0, len(column_of)), np.int64)
    if len(column_of) > 1 and resamples:
        draws = cluster_draws(len(column_of), resamples=resamples)
        drawn = np.concatenate(list(draws))
    counts = drawn[:, [column_of[each.deck] for each in rated]]
    pairs = [(each.severity, each.y) for each in rated]
    return percentile_interval(resampled_correlation(pairs, counts), len(column_of))


def _places(decks: Iterable[str]) -> dict[str, int]:
    """The place of each deck among the sorted ones."""
    return {name: index for index, name in enumerate(sorted(set(decks)))}


def _curve(pairs: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    levels = groupby(sorted(pairs), key=lambda pair: pair[0])
    return tuple((severity, float(np.mean([y for _, y in group]))) for severity, group in levels)


def _undominated(point: FrontierPoint, others: Sequence[FrontierPoint]) -> bool:
    if (mine := _place(point)) is None:
        return False
    theirs = [_place(other) for other in others if other.axis == point.axis]
    return not any(
        rival is not None and rival != mine and rival[0] >= mine[0] and rival[1] >= mine[1]
        for rival in theirs
    )


def _place(point: FrontierPoint) -> tuple[float, float] | None:
    if isinstance(point.consistency, NotScored) or isinstance(point.fidelity, NotScored):
        return None
    return point.consistency, point.fidelity


_AXES = ("geometry", "text", "style")


@dataclass(frozen=True)
class ManipulationCheck:
    """Whether y* rises with severity, and in proportion, for all judges together or the damage."""

    of: Literal["judges", "damage"]
    axis: str
    """``all`` for every slide on every axis."""
    scale: int | None
    """None for both scales, and for the damage, which has none."""
    poa: float | NotScored
    """Adjacent POA, 0 to 1."""
    interval: Interval | NotScored
    """Its 95%, from resampled decks."""
    mace: float | NotScored
    """Mean absolute calibration error to y* = severity."""
    n: int
    """Ratings, or damaged slides."""


def relative_damage(damage: Iterable[Degraded]) -> list[Degraded]:
    """Damage over its mean at the highest severity, for each judge, axis and scale by itself.

    ``damage`` has what ``slide_damage`` gives as y. That mean becomes 1, so that y* = severity
    stands for damage in proportion; a slide that is damaged more than the mean has more than 1.
    Where nothing is damaged, all is 0.

    >>> both = [Degraded("m", "text", 5, "a", "1", s, d) for s, d in ((0.0, 0.0), (1.0, 0.4))]
    >>> [each.y for each in relative_damage(both)]
    [0.0, 1.0]
    """
    groups: dict[tuple[str, str, int], list[Degraded]] = defaultdict(list)
    for each in damage:
        groups[each[:3]].append(each)
    scaled = []
    for group in groups.values():
        highest = max(each.severity for each in group)
        top = [each.y for each in group if each.severity == highest]
        mean = sum(top) / len(top)
        scaled += [each._replace(y=each.y / mean if mean else 0.0) for each in group]
    return sorted(scaled)


def damage_ceilings(damage: Iterable[Degraded]) -> tuple[FrontierPoint, ...]:
    """The scores of the damage as if it were a judge, for each judge, axis and scale; no intervals.

    ``damage`` has what ``slide_damage`` gives as y for every slide that the judge rated.
    """
    return consistency_fidelity(relative_damage(damage), resamples=0)


def manipulation_check(
    rated: Sequence[Degraded], damage: Sequence[Degraded] = (), *, resamples: int = RESAMPLES
) -> tuple[ManipulationCheck, ...]:
    """Adjacent POA and MACE of all judges together, by axis and scale, and of the damage.

    ``rated`` comes from ``averaged``; ``damage`` is as for ``damage_ceilings``. Slides that several
    judges rated, or one judge on both scales, have their damage counted once.

    >>> rated = [Degraded("m", "text", 5, "a", "1", s, s / 2) for s in (0.0, 0.5, 1.0)]
    >>> [(row.axis, row.scale, row.poa, row.mace) for row in manipulation_check(rated)][:1]
    [('text', 5, 1.0, 0.25)]
    """
    once = relative_damage(sorted({each._replace(model="", scale=0) for each in damage}))
    checked: list[tuple[Literal["judges", "damage"], int | None, Sequence[Degraded]]] = [
        *(("judges", scale, [each for each in rated if each.scale == scale]) for scale in SCALES),
        ("judges", None, rated),
        ("damage", None, once),
    ]
    return tuple(
        _check(of, axis, scale, rated=group, resamples=resamples)
        for of, scale, entries in checked
        for axis, group in _by_axis(entries)
    )


def _by_axis(rated: Sequence[Degraded]) -> Iterator[tuple[str, list[Degraded]]]:
    """The ratings of each axis that has ratings, then of all axes if there are several."""
    axes = [axis for axis in _AXES if any(each.axis == axis for each in rated)]
    yield from ((axis, [each for each in rated if each.axis == axis]) for axis in axes)
    if len(axes) > 1:
        yield "all", list(rated)


def _check(
    of: Literal["judges", "damage"],
    axis: str,
    scale: int | None,
    *,
    rated: Sequence[Degraded],
    resamples: int,
) -> ManipulationCheck:
    ladders = ladders_of(sorted(rated))
    poa = adjacent_poa(ladder for _, ladder in ladders)
    return ManipulationCheck(
        of, axis, scale, poa,
        _poa_interval(poa, ladders, resamples),
        mace([(each.severity, each.y) for each in rated]), len(rated),
    )  # fmt: skip


_Key = tuple[str, str, float]


@dataclass(frozen=True)
class ModelAgreement:
    """Two judges on one axis and scale, for severities over ``low`` and up to ``high``."""

    models: tuple[str, str]
    axis: str
    scale: int
    low: float
    """Below 0 for the bucket of clean slides."""
    high: float
    n: int
    """Slides that both rated."""
    rho: float | NotScored
    """Spearman's rho of their y*, -1 to 1, higher is better."""


def model_agreement(rated: Sequence[Degraded]) -> tuple[ModelAgreement, ...]:
    """Every pair of judges on every axis, scale and bucket of severity, sorted.

    >>> rated = [Degraded(m, "text", 5, "a", str(i), 0.1, i / 5) for m in "kl" for i in range(5)]
    >>> [(each.models, each.high, each.rho) for each in model_agreement(rated) if each.n]
    [(('k', 'l'), 0.2, 1.0)]
    """
    by_model: dict[tuple[str, int], dict[str, dict[_Key, float]]] = {}
    for each in rated:
        models = by_model.setdefault((each.axis, each.scale), {})
        models.setdefault(each.model, {})[each.deck, each.slide, each.severity] = each.y
    bounds = list(zip((-1.0, *BUCKETS), BUCKETS, strict=False))
    return tuple(
        _agreement((first, second), group, bound, (models[first], models[second]))
        for group, models in sorted(by_model.items())
        for first, second in combinations(sorted(models), 2)
        for bound in bounds
    )


def _agreement(
    models: tuple[str, str],
    group: tuple[str, int],
    bound: tuple[float, float],
    sides: tuple[dict[_Key, float], dict[_Key, float]],
) -> ModelAgreement:
    low, high = bound
    common = sorted(key for key in sides[0].keys() & sides[1].keys() if low < key[2] <= high)
    rho: float | NotScored = NotScored(f"fewer than {LEAST_COMMON} slides were rated by both")
    if len(common) >= LEAST_COMMON:
        rho = rank_correlation([(sides[0][key], sides[1][key]) for key in common])
    return ModelAgreement(models, *group, low, high, len(common), rho)
