"""95% intervals, of a share (Wilson) and by resampling decks (bootstrap), and rank correlations."""

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from decklab.core.lazy import extra_module
from decklab.core.results import NotScored

Interval = tuple[float, float]
"""Lower and upper end."""

Floats = NDArray[np.float64]

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 2000
"""Paper 000, E.2: 95% intervals from 2,000 resamples."""

SEED: Final = 0
"""Ours: intervals are the same in every run; any number would do."""

_Z: Final = 1.959963984540054
"""Standard normal quantile of 0.975."""

_SAME: Final = 1e-9
"""Spreads under this are of rounding only."""

_ROWS: Final = 256
"""Resamples whose weighted ranks are computed at a time."""

_CELLS: Final = 1_000_000
"""Ours: draws in memory at a time, resamples times clusters, so that memory stays flat."""

_LEAST_DEFINED: Final = 0.9
"""Ours: share of resamples that must have a value. Where more have none, such as when a single deck
holds all tables, the ends would describe only some of the draws."""


def wilson_interval(successes: int, trials: int) -> Interval | NotScored:
    """Wilson's 95% score interval of a share (Wilson 1927).

    >>> [round(end, 4) for end in wilson_interval(9, 10)]
    [0.5958, 0.9821]
    """
    if not trials:
        return NotScored("there were no trials")
    share = successes / trials
    scale = 1 + _Z**2 / trials
    middle = (share + _Z**2 / (2 * trials)) / scale
    half = _Z * sqrt(share * (1 - share) / trials + _Z**2 / (4 * trials**2)) / scale
    # At the ends the interval reaches the share itself, but for rounding.
    low = 0.0 if successes == 0 else middle - half
    return low, 1.0 if successes == trials else middle + half


def cluster_draws(
    clusters: int, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Iterator[NDArray[np.int64]]:
    """How often each cluster is drawn in each resample, in blocks of shape (block, clusters).

    Clusters are drawn with replacement, as many as there are.

    >>> [block.sum(axis=1).tolist() for block in cluster_draws(3, resamples=2)]
    [[3, 3]]
    """
    rng = np.random.default_rng(seed)
    block = max(1, _CELLS // max(clusters, 1))
    even = np.full(clusters, 1 / clusters)
    for start in range(0, resamples, block):
        yield rng.multinomial(clusters, even, size=min(block, resamples - start))


def resampled_sums(
    sums: NDArray[np.generic], *, resamples: int = RESAMPLES, seed: int = SEED
) -> Floats:
    """Sums over the clusters of each resample, shape (resamples, ...).

    ``sums`` holds the sums of each cluster, shape (clusters, ...). Fewer than two clusters give no
    resamples.

    >>> resampled_sums(np.array([[1, 2], [1, 2]]), resamples=1).tolist()
    [[2.0, 4.0]]
    """
    if (clusters := len(sums)) < 2 or not resamples:
        return np.empty((0, *sums.shape[1:]))
    flat = sums.reshape(clusters, -1).astype(np.float64)
    blocks = [block @ flat for block in cluster_draws(clusters, resamples=resamples, seed=seed)]
    return np.concatenate(blocks).reshape(-1, *sums.shape[1:])


def percentile_interval(
    values: Floats, clusters: int, *, expanded: bool = False
) -> Interval | NotScored:
    """The central 95% of resampled values, shape (resamples,); NaN marks those without a value.

    ``clusters`` is the number of decks resampled; NotScored for fewer than two, and without a
    resample. With ``expanded`` the ends lie as much further out as few clusters make an interval by
    resampling too short: by Student's t in place of the normal (Hesterberg 2015, section 5.3); this
    raises Unavailable without SciPy.

    >>> percentile_interval(np.array([]), 3).reason
    'no resamples were drawn'
    """
    if clusters < 2:
        return NotScored("an interval over decks needs at least two decks")
    if not len(values):
        return NotScored("no resamples were drawn")
    defined = values[np.isfinite(values)]
    if len(defined) < _LEAST_DEFINED * len(values):
        return NotScored("too few decks have a value for an interval over decks")
    tail = 50 * (1 - CONFIDENCE)
    if expanded:
        quantile = distributions().t.ppf((1 - CONFIDENCE) / 2, clusters - 1)
        tail = 100 * NormalDist().cdf(sqrt(clusters / (clusters - 1)) * quantile)
    low, high = np.percentile(defined, [tail, 100 - tail])
    return float(low), float(high)


def ratio_interval(
    above: Floats, below: Floats, clusters: int, *, expanded: bool = False
) -> Interval | NotScored:
    """The central 95% of resampled ratios; a resample with a denominator of 0 has no value.

    ``expanded`` as in ``percentile_interval``.

    >>> ratio_interval(np.array([1.0, 3.0]), np.array([2.0, 6.0]), 5)
    (0.5, 0.5)
    """
    ratios = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
    return percentile_interval(ratios, clusters, expanded=expanded)


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> float | NotScored:
    """Kendall's tau-b of two equally long rows of numbers, -1 to 1; higher is more similar.

    NotScored for fewer than two pairs, and where one row is constant. Raises ValueError where
    lengths differ. Kendall 1945; paper 001, section 4.1.

    >>> round(kendall_tau_b([0, 1, 1, 2], [0.0, 0.2, 0.4, 0.4]), 4)
    0.8
    """
    undefined = _undefined(first, second)
    return undefined or _tau_b(np.asarray(first, float), np.asarray(second, float))


def _tau_b(first: Floats, second: Floats) -> float:
    x, y = (np.sign(side[:, None] - side) for side in (first, second))
    return float((x * y).sum()) / sqrt(float((x * x).sum()) * float((y * y).sum()))


def spearman_rho(first: Sequence[float], second: Sequence[float]) -> float | NotScored:
    """Spearman's rank correlation of two equally long rows, -1 to 1; higher is more similar.

    Ties share their mean rank. NotScored and ValueError as in ``kendall_tau_b``. Spearman 1904;
    paper 001, section 4.1.

    >>> round(spearman_rho([0, 1, 2], [0.1, 0.9, 0.5]), 4)
    0.5
    """
    return _undefined(first, second) or _rank_product(first, second)


def _undefined(first: Sequence[float], second: Sequence[float]) -> NotScored | None:
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values cannot be paired with {len(second)}")
    if len(first) < 2:
        return NotScored("a rank correlation needs two pairs at least")
    if min(first) == max(first) or min(second) == max(second):
        return NotScored("all values of one side are the same")
    return None


def rank_correlation(points: Sequence[tuple[float, float]]) -> float | NotScored:
    """Spearman's rho of pairs, -1 to 1, ties at their mean rank.

    >>> rank_correlation([(0.0, 0.1), (0.5, 0.2), (1.0, 0.9)])
    1.0
    """
    if len(points) < 3:
        return NotScored("a rank correlation needs at least three slides")
    first, second = ([point[side] for point in points] for side in (0, 1))
    if min(first) == max(first) or min(second) == max(second):
        return NotScored("one side is the same everywhere and has no ranks")
    return _rank_product(first, second)


def _rank_product(first: Sequence[float], second: Sequence[float]) -> float:
    """Pearson's correlation of ranks, from whole numbers: equal orders give 1.0 to the last bit."""
    x, y = _centered_ranks(first), _centered_ranks(second)
    return float(np.vdot(x, y)) / sqrt(float(np.vdot(x, x)) * float(np.vdot(y, y)))


def _centered_ranks(values: Sequence[float]) -> Floats:
    """Twice each mean rank, less the sum of first and last: whole numbers with a mean of 0."""
    return 2 * mean_ranks(values) - len(values) - 1


def mean_ranks(values: Sequence[float] | Floats) -> Floats:
    """The rank of each value, 1 for the lowest; equal values share the mean of their ranks.

    >>> mean_ranks([0.2, 0.9, 0.2]).tolist()
    [1.5, 3.0, 1.5]
    """
    _, rank_of, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[rank_of], float)


def distributions() -> Any:
    """``scipy.stats``; raises Unavailable without SciPy."""
    return extra_module("scipy.stats", "this interval", "evals")


def resampled_correlation(
    points: Sequence[tuple[float, float]], counts: NDArray[np.int64]
) -> Floats:
    """Spearman's rho of each resample, shape (resamples,); NaN where a side is constant.

    ``counts`` says how often each point is drawn, shape (resamples, points).
    """
    x, y = np.array(points, float).T
    rhos = [
        _weighted_correlation(_mid_ranks(x, block), _mid_ranks(y, block), block)
        for block in (counts[at : at + _ROWS] for at in range(0, len(counts), _ROWS))
    ]
    return np.concatenate(rhos) if rhos else np.empty(0)


def _mid_ranks(values: Floats, counts: NDArray[np.int64]) -> Floats:
    """Mean rank of each point's value among the drawn ones, shape of ``counts``."""
    distinct, rank_of = np.unique(values, return_inverse=True)
    member = np.zeros((len(values), len(distinct)))
    member[np.arange(len(values)), rank_of] = 1
    drawn = counts @ member
    return np.asarray((np.cumsum(drawn, axis=1) - drawn / 2 + 0.5)[:, rank_of])


def _weighted_correlation(x: Floats, y: Floats, counts: NDArray[np.int64]) -> Floats:
    total = counts.sum(axis=1, keepdims=True)
    x = x - (counts * x).sum(axis=1, keepdims=True) / total
    y = y - (counts * y).sum(axis=1, keepdims=True) / total
    spread = np.sqrt((counts * x * x).sum(axis=1) * (counts * y * y).sum(axis=1))
    common = (counts * x * y).sum(axis=1)
    rho = np.full(len(x), np.nan)
    np.divide(common, spread, out=rho, where=spread > _SAME)
    return rho
