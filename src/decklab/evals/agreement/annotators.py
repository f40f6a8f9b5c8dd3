"""How far annotators agree with each other: ICC, Kendall's W, Krippendorff's alpha.

Rating matrices have a row for each thing that was rated and a column for each rater. SciPy has
the quantiles; of the coefficients only W, for three things and more (docs/decisions/libraries.md).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike

from decklab.core.results import NotScored, scored, scored_mean
from decklab.evals.agreement.rankings import (
    Ranking,
    by_topic,
    consensus,
    interval_of_ratio,
    shared_rho,
)
from decklab.metrics.statistics import (
    CONFIDENCE,
    RESAMPLES,
    Floats,
    Interval,
    distributions,
    mean_ranks,
    ratio_interval,
    resampled_sums,
)

_TAIL: Final = (1 - CONFIDENCE) / 2
_TINY: Final = 1e-9


@dataclass(frozen=True)
class Coefficient:
    """A coefficient with its 95% interval; higher is more agreement, 1 is the most."""

    value: float | NotScored
    interval: Interval | NotScored

    @classmethod
    def none(cls, cause: str) -> Self:
        """Neither, for a cause."""
        return cls(NotScored(cause), NotScored(cause))


@dataclass(frozen=True)
class IntraclassCorrelations:
    """The six coefficients of Shrout and Fleiss (1979), with their F intervals.

    ``one_way``: each thing has raters of its own. ``two_way_random``: the raters stand for others,
    and how high each rates counts. ``two_way_fixed``: only these raters, and only the order and
    distance within each counts. The first three are of one rater, the others of the mean of all.
    """

    one_way: Coefficient
    two_way_random: Coefficient
    two_way_fixed: Coefficient
    one_way_mean: Coefficient
    two_way_random_mean: Coefficient
    two_way_fixed_mean: Coefficient


def intraclass_correlations(ratings: ArrayLike) -> IntraclassCorrelations | NotScored:
    """ICC(1,1), (2,1), (3,1), (1,k), (2,k) and (3,k) of a complete matrix (things, raters).

    At most 1, and below 0 if raters differ more about one thing than about different ones.
    NotScored for fewer than two things or raters, and if all ratings are the same. Shrout and
    Fleiss 1979; intervals as there, that of ICC(2) with Satterthwaite's degrees of freedom.

    >>> found = intraclass_correlations([[1, 2], [3, 5], [4, 6], [7, 7]])
    >>> round(found.two_way_fixed.value, 3)
    0.916
    """
    matrix = np.asarray(ratings, float)
    if matrix.ndim != 2 or min(matrix.shape) < 2:
        return NotScored("an ICC needs two things and two raters at least")
    if np.ptp(matrix) == 0:
        return NotScored("all ratings are the same")
    n, k = matrix.shape
    mean = matrix.mean()
    rows = k * ((matrix.mean(axis=1) - mean) ** 2).sum()
    columns = n * ((matrix.mean(axis=0) - mean) ** 2).sum()
    rest = ((matrix - mean) ** 2).sum() - rows - columns
    between = rows / (n - 1)
    within = (columns + rest) / (n * (k - 1))
    raters = columns / (k - 1)
    error = max(0.0, rest / ((n - 1) * (k - 1)))
    if max(within, error) <= 0:  # every rater says the same of each thing
        return IntraclassCorrelations(*(Coefficient(1.0, (1.0, 1.0)) for _ in range(6)))
    alone = _single(between, within, k), _by_f(between, within, n, k, n * (k - 1))
    two = (
        float((between - error) / (between + (k - 1) * error + k * (raters - error) / n)),
        _random_interval(between, raters, error, n, k),
    )
    three = _single(between, error, k), _by_f(between, error, n, k, (n - 1) * (k - 1))
    singles = [Coefficient(*pair) for pair in (alone, two, three)]
    return IntraclassCorrelations(*singles, *(_of_mean(single, k) for single in singles))


def _single(between: float, error: float, raters: int) -> float:
    return float((between - error) / (between + (raters - 1) * error))


def _by_f(between: float, error: float, things: int, raters: int, freedom: int) -> Interval:
    """The interval of ICC(1,1) and (3,1), from the F ratio of things to error."""
    if error <= 0:
        return 1.0, 1.0
    ratio = between / error
    low = ratio / distributions().f.ppf(1 - _TAIL, things - 1, freedom)
    high = ratio * distributions().f.ppf(1 - _TAIL, freedom, things - 1)
    return float((low - 1) / (low + raters - 1)), float((high - 1) / (high + raters - 1))


def _random_interval(between: float, raters: float, error: float, n: int, k: int) -> Interval:
    """The interval of ICC(2,1)."""
    icc = (between - error) / (between + (k - 1) * error + k * (raters - error) / n)
    freedom = float(k - 1)  # the limit where the raters' order is the same
    if error > 0:
        part = k * icc * raters / error
        whole = n * (1 + (k - 1) * icc) - k * icc
        freedom = (k - 1) * (n - 1) * (part + whole) ** 2
        freedom /= (n - 1) * part**2 + whole**2
    high_f = distributions().f.ppf(1 - _TAIL, n - 1, freedom)
    low_f = distributions().f.ppf(1 - _TAIL, freedom, n - 1)
    common = k * raters + (k * n - k - n) * error
    low = n * (between - high_f * error) / (high_f * common + n * between)
    high = n * (low_f * between - error) / (common + n * low_f * between)
    return float(low), float(high)


def _of_mean(single: Coefficient, raters: int) -> Coefficient:
    """The same of the mean of all raters (Spearman and Brown), which has no bound below."""

    def stepped(value: float) -> float:
        return value * raters / (1 + (raters - 1) * value)

    least = -1 / (raters - 1)
    if not isinstance(single.value, NotScored) and single.value <= least + _TINY:
        return Coefficient.none("the raters' means of all things are the same")
    assert not isinstance(single.value, NotScored)
    assert not isinstance(single.interval, NotScored)
    low, high = single.interval
    if low <= least + _TINY:
        return Coefficient(stepped(single.value), NotScored("the interval has no lower end"))
    return Coefficient(stepped(single.value), (stepped(low), stepped(high)))


def kendall_w(ratings: ArrayLike) -> float | NotScored:
    """Kendall's coefficient of concordance of a complete matrix (things, raters), corrected for
    ties; 0 (none) to 1 (the same order).

    NotScored for fewer than two things or raters, and where every rater ties everything. Kendall
    and Babington Smith 1939.

    >>> kendall_w([[1, 1], [2, 2], [3, 3]]), kendall_w([[1, 3], [2, 2], [3, 1]])
    (1.0, 0.0)
    """
    matrix = np.asarray(ratings, float)
    if matrix.ndim != 2 or min(matrix.shape) < 2:
        return NotScored("Kendall's W needs two things and two raters at least")
    n, m = matrix.shape
    ranks = np.apply_along_axis(mean_ranks, 0, matrix)
    ties = sum(
        int((counts**3 - counts).sum())
        for column in ranks.T
        for counts in [np.unique(column, return_counts=True)[1]]
    )
    if not (most := m * m * (n**3 - n) - m * ties):
        return NotScored("every rater gives all things the same rank")
    totals = ranks.sum(axis=1)
    return float(12 * ((totals - totals.mean()) ** 2).sum() / most)


def krippendorff_alpha(ratings: ArrayLike) -> float | NotScored:
    """Krippendorff's alpha for ordinal values of a matrix (things, raters) with NaN for what was
    not rated; 1 is agreement, 0 chance, below 0 worse than chance.

    NotScored if no thing was rated twice, and if all values are the same. Krippendorff 2011.

    >>> krippendorff_alpha([[1, 1], [2, 2], [3, 3]])
    1.0
    """
    matrix = np.asarray(ratings, float)
    rated = np.isfinite(matrix).sum(axis=1) if matrix.ndim == 2 else np.zeros(0)
    matrix = matrix[rated > 1] if matrix.ndim == 2 else matrix
    if not matrix.size:
        return NotScored("nothing was rated by two people")
    values = np.unique(matrix[np.isfinite(matrix)])
    if len(values) < 2:
        return NotScored("all ratings are the same")
    observed, expected = _disagreement(_coincidences(matrix, values))
    return float(1 - observed / expected)


def _coincidences(matrix: Floats, values: Floats) -> Floats:
    """How often two values were given to the same thing; each thing counts as often as rated."""
    counts = (matrix[:, :, None] == values).sum(axis=1).astype(float)
    weight = counts / (counts.sum(axis=1) - 1)[:, None]
    return np.asarray(weight.T @ counts - np.diag(weight.sum(axis=0)))


def _disagreement(together: Floats) -> tuple[float, float]:
    """That of pairs of ratings of one thing, and what chance would give. The distance of two values
    is the squared number of ratings between them, half of each end included."""
    totals = together.sum(axis=1)
    middle = np.cumsum(totals) - totals / 2
    distance = (middle[:, None] - middle[None, :]) ** 2
    expected = (np.outer(totals, totals) * distance).sum() / (totals.sum() - 1)
    return float((together * distance).sum()), float(expected)


@dataclass(frozen=True)
class AnnotatorAgreement:
    """How far the annotators of a set of rankings agree."""

    annotators: tuple[str, ...]
    topics: int
    """Topics that were ranked by two people at least."""
    icc: IntraclassCorrelations | NotScored
    """Over all products that every annotator ranked, by their places among these."""
    products: int
    """Products, topic by topic, that every annotator ranked."""
    w: Coefficient
    """Mean of the topics' Kendall's W, over the products that all of the topic's annotators ranked;
    interval from resampled topics."""
    alpha: Coefficient
    """Krippendorff's alpha, ordinal, over all products by the share of others put behind them;
    interval from resampled topics."""
    rho: Coefficient
    """Mean Spearman's rho of pairs of annotators within topics."""
    pairwise: Coefficient
    """Share of the pairs which two annotators both put in an order that they put in the same."""


def annotator_agreement(
    rankings: Iterable[Ranking], *, resamples: int = RESAMPLES
) -> AnnotatorAgreement | NotScored:
    """How far annotators agree. NotScored if no topic was ranked by two people.

    >>> found = annotator_agreement([Ranking("t", name, {"a": 1, "b": 2, "c": 3})
    ...                              for name in ("ann", "bob")])
    >>> found.w.value, found.rho.value, found.pairwise.value
    (1.0, 1.0, 1.0)
    """
    every = list(rankings)
    topics = [some for some in by_topic(every).values() if len(some) > 1]
    if not topics:
        return NotScored("no topic was ranked by two people")
    names = tuple(dict.fromkeys(ranking.annotator for ranking in every))
    tables = [_table(some, names) for some in topics]
    complete = np.concatenate([_complete_places(table) for table in tables])
    return AnnotatorAgreement(
        annotators=names,
        topics=len(topics),
        icc=_icc_or_cause(complete, len(names)),
        products=len(complete),
        w=_over_topics([_concordance(table) for table in tables], resamples),
        alpha=_alpha(tables, resamples),
        rho=_over_topics([_mean_rho(some) for some in topics], resamples),
        pairwise=_same_pairs(topics, resamples),
    )


def _table(some: Sequence[Ranking], names: Sequence[str]) -> Floats:
    """Ratings of the products of one topic, (products, annotators): the share of the others in
    their ranking that they put behind it, so that partial rankings compare; NaN if one did not
    rank a product, or no other."""
    products = list(dict.fromkeys(product for ranking in some for product in ranking.ranks))
    table = np.full((len(products), len(names)), np.nan)
    for name in some:
        for product, share in consensus([name]).items():
            table[products.index(product), names.index(name.annotator)] = share
    return table


def _complete_places(table: Floats) -> Floats:
    """The places, 1 for the best, among the products that every annotator ranked."""
    complete = table[np.isfinite(table).all(axis=1)]
    return np.apply_along_axis(mean_ranks, 0, -complete) if len(complete) > 1 else complete[:0]


def _icc_or_cause(complete: Floats, annotators: int) -> IntraclassCorrelations | NotScored:
    if len(complete) < 2:
        return NotScored(f"no two products were ranked by all {annotators} annotators")
    return intraclass_correlations(complete)


def _concordance(table: Floats) -> float | NotScored:
    present = table[:, np.isfinite(table).any(axis=0)]
    return kendall_w(present[np.isfinite(present).all(axis=1)])


def _mean_rho(some: Sequence[Ranking]) -> float | NotScored:
    rhos = (shared_rho(first.ranks, other.ranks) for first, other in combinations(some, 2))
    return scored_mean(scored(rhos), "no two annotators can be compared")


def _over_topics(values: Sequence[float | NotScored], resamples: int) -> Coefficient:
    """The mean over topics, each topic once."""
    if not (known := scored(values)):
        return Coefficient.none("no topic has a value")
    parts = [(value, 1.0) for value in known]
    return Coefficient(fmean(known), interval_of_ratio(parts, resamples))


def _alpha(tables: Sequence[Floats], resamples: int) -> Coefficient:
    """Alpha over all topics; its parts are counts, so that topics can be drawn as sums."""
    rated = [table[np.isfinite(table).sum(axis=1) > 1] for table in tables]
    if not (rated := [table for table in rated if len(table)]):
        return Coefficient.none("no product was ranked by two people")
    values = np.unique(np.concatenate([table[np.isfinite(table)] for table in rated]))
    counts = np.stack([_coincidences(table, values) for table in rated])
    value = krippendorff_alpha(np.concatenate(rated))
    drawn = [_disagreement(together) for together in resampled_sums(counts, resamples=resamples)]
    observed, expected = np.array(drawn).reshape(-1, 2).T
    interval = ratio_interval(expected - observed, expected, len(rated), expanded=True)
    return Coefficient(value, interval)


def _same_pairs(topics: Sequence[Sequence[Ranking]], resamples: int) -> Coefficient:
    sums = []
    for some in topics:
        same = both = 0
        for first, second in combinations(some, 2):
            ranks = first.ranks, second.ranks
            shared = [product for product in first.ranks if product in second.ranks]
            for mine, other in combinations(shared, 2):
                ways = [(own[mine] > own[other]) - (own[mine] < own[other]) for own in ranks]
                both += all(ways)
                same += all(ways) and ways[0] == ways[1]
        sums.append((float(same), float(both)))
    if not (total := sum(both for _, both in sums)):
        return Coefficient.none("no two annotators put the same pair in an order")
    share = sum(same for same, _ in sums) / total
    return Coefficient(share, interval_of_ratio(sums, resamples))
