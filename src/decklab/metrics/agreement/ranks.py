"""Rank correlations that allow for ties, as scipy computes them; undefined ones say why."""

from collections.abc import Sequence

from scipy import stats

from decklab.results import NotScored


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
