"""Whether degradation as judged follows severity (paper 000, section 3)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from decklab.results import NotScored

Floats = NDArray[np.float64]
Point = tuple[float, float]
"""Severity and y*."""

_SAME = 1e-9
"""Means of runs that differ by rounding only are equal."""

_ROWS = 256
"""Resamples weighed at a time."""


def steps(ladder: Mapping[float, float]) -> tuple[int, int]:
    """Steps of one slide at which y* does not fall, and all steps; severity to y*."""
    values = [ladder[severity] for severity in sorted(ladder)]
    kept = sum(after >= before - _SAME for before, after in pairwise(values))
    return kept, max(len(values) - 1, 0)


def adjacent_poa(ladders: Iterable[Mapping[float, float]]) -> float | NotScored:
    """POA_adj: share of consecutive severities of a slide at which y* does not fall, 0 to 1.

    Each ladder is one slide's y* by severity; consecutive are those that it has. Steps count
    alike, whichever slide they are of. Higher is better, but a judge who always says the same has
    1, too: read it beside the rank correlation.

    >>> adjacent_poa([{0.0: 0.1, 0.5: 0.3, 1.0: 0.2}, {0.0: 0.0, 1.0: 0.0}])
    0.6666666666666666
    """
    kept = total = 0
    for ladder in ladders:
        good, all_steps = steps(ladder)
        kept, total = kept + good, total + all_steps
    return kept / total if total else NotScored("no slide was rated at two severities")


def mace(points: Sequence[Point], *, pointwise: bool = False) -> float | NotScored:
    """Mean absolute calibration error to y* = s, 0 to 1, lower is better.

    At each severity the mean y* is compared with it, and levels count alike. ``pointwise`` takes
    the mean over single slides instead, which adds their spread. Section 3 does not say which.

    >>> mace([(0.0, 0.1), (1.0, 0.5), (1.0, 0.9)]), mace([(0.0, 0.1), (1.0, 0.5)], pointwise=True)
    (0.2, 0.3)
    """
    if not points:
        return NotScored("there are no ratings")
    if pointwise:
        return sum(abs(y - s) for s, y in points) / len(points)
    levels = [
        (severity, [y for _, y in group])
        for severity, group in groupby(sorted(points), key=lambda point: point[0])
    ]
    gaps: list[float] = [abs(sum(found) / len(found) - severity) for severity, found in levels]
    return sum(gaps) / len(gaps)


def rank_correlation(points: Sequence[Point]) -> float | NotScored:
    """Spearman's rho of pairs, -1 to 1, ties at their mean rank.

    >>> rank_correlation([(0.0, 0.1), (0.5, 0.2), (1.0, 0.9)])
    1.0
    """
    if len(points) < 3:
        return NotScored("a rank correlation needs at least three slides")
    x, y = (_centered_ranks([point[side] for point in points]) for side in (0, 1))
    spread = float(np.vdot(x, x)) * float(np.vdot(y, y))
    if not spread:
        return NotScored("one side is the same everywhere and has no ranks")
    return float(np.vdot(x, y)) / sqrt(spread)


def _centered_ranks(values: Sequence[float]) -> Floats:
    """Twice each mean rank, less the sum of first and last: whole numbers with a mean of 0."""
    return np.asarray(2 * rankdata(values) - len(values) - 1, float)


def resampled_correlation(points: Sequence[Point], counts: NDArray[np.int64]) -> Floats:
    """Spearman's rho of each resample, shape (resamples,); NaN where a side is constant.

    ``counts`` says how often each point is drawn, shape (resamples, points).
    """
    x, y = np.array(points, float).T
    found = [
        _weighted_correlation(_mid_ranks(x, block), _mid_ranks(y, block), block)
        for block in (counts[at : at + _ROWS] for at in range(0, len(counts), _ROWS))
    ]
    return np.concatenate(found) if found else np.empty(0)


def _mid_ranks(values: Floats, counts: NDArray[np.int64]) -> Floats:
    """Mean rank of each point's value among the drawn ones, shape of ``counts``."""
    distinct, place = np.unique(values, return_inverse=True)
    member = np.zeros((len(values), len(distinct)))
    member[np.arange(len(values)), place] = 1
    drawn = counts @ member
    return np.asarray((np.cumsum(drawn, axis=1) - drawn / 2 + 0.5)[:, place])


def _weighted_correlation(x: Floats, y: Floats, counts: NDArray[np.int64]) -> Floats:
    total = counts.sum(axis=1, keepdims=True)
    x = x - (counts * x).sum(axis=1, keepdims=True) / total
    y = y - (counts * y).sum(axis=1, keepdims=True) / total
    spread = np.sqrt((counts * x * x).sum(axis=1) * (counts * y * y).sum(axis=1))
    common = (counts * x * y).sum(axis=1)
    rho = np.full(len(x), np.nan)
    np.divide(common, spread, out=rho, where=spread > _SAME)
    return rho
