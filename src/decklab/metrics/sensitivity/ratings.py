"""Ratings of perturbed slides, and whether degradation as judged follows severity.

Paper 000, section 3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from decklab.results import NotScored

SCALES: Final = (5, 100)
"""Best score of each scale; the worst is 1 (E.3)."""

PRINTED_POA: Final = {5: 0.95, 100: 0.80}
"""About what the paper's judges reached by scale (section 3, manipulation check)."""

PRINTED_MACE: Final = 0.34
"""The same, overall."""


@dataclass(frozen=True)
class Rating:
    """What one judge said of one slide, perturbed by so much on one axis."""

    model: str
    axis: str
    """``geometry``, ``text`` or ``style``: both what was perturbed and what was asked for."""
    scale: int
    """Best score of the scale, 5 or 100."""
    deck: str
    slide: str
    severity: float
    """0 to 1."""
    score: float
    """1 to ``scale``, higher is better."""


class Degraded(NamedTuple):
    """The mean of all runs of one judge on one perturbed slide."""

    model: str
    axis: str
    scale: int
    deck: str
    slide: str
    severity: float
    y: float
    """Normalised degradation y*, 0 for the best score and 1 for the worst."""


def degradation(score: float, scale: int) -> float:
    """Normalised degradation y* of a score on 1 to ``scale``: 0 (best) to 1 (worst).

    Raises ValueError for a score off the scale.

    >>> degradation(5, 5), degradation(3, 5), degradation(1, 100)
    (0.0, 0.5, 1.0)
    """
    if not 1 <= score <= scale:
        raise ValueError(f"a score of {score:g} is not on the scale 1..{scale}")
    return (scale - score) / (scale - 1)


def averaged(ratings: Iterable[Rating]) -> list[Degraded]:
    """One entry per judge, axis, scale, slide and severity, the mean of its runs, sorted."""
    sums: dict[tuple[str, str, int, str, str, float], list[float]] = {}
    for each in ratings:
        severity = round(each.severity, 9)  # 0.1 + 0.2 is the level 0.3
        key = (each.model, each.axis, each.scale, each.deck, each.slide, severity)
        sums.setdefault(key, []).append(degradation(each.score, each.scale))
    return [Degraded(*key, sum(found) / len(found)) for key, found in sorted(sums.items())]


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
