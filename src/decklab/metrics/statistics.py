"""95% intervals, of a share (Wilson) and by resampling decks (bootstrap), and rank correlations."""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from decklab.results import NotScored

Interval = tuple[float, float]
"""Lower and upper end."""

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 2000
"""Paper 000, E.2: 95% intervals from 2,000 resamples."""

SEED: Final = 0
"""Ours: intervals are the same in every run; any number would do."""

_Z: Final = 1.959963984540054
"""Standard normal quantile of 0.975."""

_CELLS: Final = 1_000_000
"""Ours: draws kept at a time, resamples times clusters, so that memory stays flat."""

_LEAST_DEFINED: Final = 0.9
"""Ours: share of resamples that must have a value. Where more have none, as when a single deck
holds all tables, the ends would speak of lucky draws only."""


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


def percentile_interval(values: NDArray[np.float64], clusters: int) -> Interval | NotScored:
    """The central 95% of resampled values, shape (resamples,); NaN marks those without a value.

    ``clusters`` is how many decks were resampled; from fewer than two nothing can be said, nor
    without a resample.

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
    low, high = np.percentile(defined, [tail, 100 - tail])
    return float(low), float(high)


def kendall_tau_b(one: Sequence[float], other: Sequence[float]) -> float | NotScored:
    """Kendall's tau-b of two equally long rows of numbers, -1 to 1; higher is more alike.

    NotScored for fewer than two pairs, and where one row is constant. Raises ValueError where
    lengths differ. Kendall 1945; paper 001, section 4.1.

    >>> round(kendall_tau_b([0, 1, 1, 2], [0.0, 0.2, 0.4, 0.4]), 4)
    0.8
    """
    undefined = _undefined(one, other)
    return undefined or float(stats.kendalltau(one, other, variant="b").statistic)


def spearman_rho(one: Sequence[float], other: Sequence[float]) -> float | NotScored:
    """Spearman's rank correlation of two equally long rows, -1 to 1; higher is more alike.

    Ties share their mean rank. Undefined and wrong input as in ``kendall_tau_b``. Spearman 1904;
    paper 001, section 4.1.

    >>> round(spearman_rho([0, 1, 2], [0.1, 0.9, 0.5]), 4)
    0.5
    """
    undefined = _undefined(one, other)
    return undefined or float(stats.spearmanr(one, other).statistic)


def _undefined(one: Sequence[float], other: Sequence[float]) -> NotScored | None:
    if len(one) != len(other):
        raise ValueError(f"{len(one)} values cannot be paired with {len(other)}")
    if len(one) < 2:
        return NotScored("a rank correlation needs two pairs at least")
    if min(one) == max(one) or min(other) == max(other):
        return NotScored("all values of one side are the same")
    return None
