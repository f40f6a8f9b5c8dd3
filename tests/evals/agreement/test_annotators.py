"""Coefficients against published examples and other programs."""

import evalica
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from decklab.core.results import NotScored
from decklab.evals.agreement.annotators import (
    annotator_agreement,
    intraclass_correlations,
    kendall_w,
    krippendorff_alpha,
)
from decklab.evals.agreement.rankings import Ranking

SHROUT_FLEISS = [
    [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]
]  # fmt: skip
"""Shrout and Fleiss (1979), table 2."""
N = np.nan
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
        [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
    ]
)
"""Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), example D."""


def test_the_six_iccs_are_those_of_shrout_and_fleiss():
    found = intraclass_correlations(SHROUT_FLEISS)
    published = {
        "one_way": (0.17, -0.133, 0.72), "two_way_random": (0.29, 0.019, 0.76),
        "two_way_fixed": (0.71, 0.342, 0.95), "one_way_mean": (0.44, -0.884, 0.91),
        "two_way_random_mean": (0.62, 0.071, 0.93), "two_way_fixed_mean": (0.91, 0.676, 0.99),
    }  # fmt: skip
    # Values: the paper's; intervals: as R's psych::ICC prints them for the same table.
    for name, (value, low, high) in published.items():
        estimate = getattr(found, name)
        assert estimate.value == pytest.approx(value, abs=0.005), name
        assert estimate.interval[0] == pytest.approx(low, abs=0.0006), name
        assert estimate.interval[1] == pytest.approx(high, abs=0.006), name


@pytest.mark.parametrize("ties", [False, True])
def test_w_is_friedmans_statistic_over_its_largest(ties):
    rng = np.random.default_rng(4)
    ratings = rng.integers(0, 4, (7, 5)) if ties else rng.normal(size=(7, 5))
    chi = stats.friedmanchisquare(*ratings).statistic  # things as groups, raters as blocks
    assert kendall_w(ratings) == pytest.approx(chi / (5 * (7 - 1)))


def test_w_of_three_orders_by_hand():
    # Sums 8, 14, 11, 11, 11, 8:
    # mean 10.5, squares 6.25 + 12.25 + 0.25 * 3 + 6.25 = 25.5; 12 * 25.5 / (9 * 210).
    ranks = np.array([[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]]).T
    assert ranks.sum(axis=1).tolist() == [8, 14, 11, 11, 11, 8]
    assert kendall_w(ranks) == pytest.approx(12 * 25.5 / (9 * 210))


def test_alpha_is_krippendorffs_published_value():
    assert krippendorff_alpha(KRIPPENDORFF.T) == pytest.approx(0.815, abs=0.0005)


def test_alpha_is_that_of_evalica_for_any_ratings():
    rng = np.random.default_rng(1)
    for _ in range(5):
        ratings = rng.integers(1, 6, (9, 4)).astype(float)
        ratings[rng.random(ratings.shape) < 0.2] = np.nan
        other = evalica.alpha(pd.DataFrame(ratings.T), distance="ordinal").alpha
        assert krippendorff_alpha(ratings) == pytest.approx(other, abs=1e-9)


def test_what_cannot_be_had_says_why():
    assert isinstance(intraclass_correlations([[1, 2]]), NotScored)
    assert isinstance(intraclass_correlations([[3, 3], [3, 3]]), NotScored)
    assert isinstance(kendall_w([[1, 1], [1, 1]]), NotScored)
    assert isinstance(kendall_w([[1], [2]]), NotScored)
    assert isinstance(krippendorff_alpha([[1, N], [N, 2]]), NotScored)
    assert isinstance(krippendorff_alpha([[1, 1], [1, 1]]), NotScored)
    assert isinstance(krippendorff_alpha([]), NotScored)
    alone = [Ranking("t", "ann", {"a": 1, "b": 2})]
    assert annotator_agreement(alone) == NotScored("no topic was ranked by two people")


def test_raters_who_differ_only_by_a_step_have_an_interval_and_means_without_spread_have_none():
    step = intraclass_correlations([[1, 3], [2, 4], [5, 7]])
    assert step.two_way_fixed.value == 1.0
    assert not isinstance(step.two_way_random.interval, NotScored)
    low, high = step.two_way_random.interval
    assert low < step.two_way_random.value < high <= 1
    against = intraclass_correlations([[1, 3], [2, 2], [3, 1]])
    assert against.two_way_fixed.value == -1.0
    assert isinstance(against.two_way_fixed_mean.value, NotScored)
    two = intraclass_correlations([[1, 1.5], [2, 1.5]])
    assert two.two_way_random_mean.interval == NotScored("the interval has no lower end")


def test_raters_who_say_the_same_agree_wholly():
    found = intraclass_correlations([[1, 1], [2, 2], [3, 3]])
    assert found.two_way_random.value == found.one_way_mean.value == 1.0


def test_partial_rankings_count_where_two_people_ranked():
    rankings = [
        Ranking("one", "ann", {"a": 1, "b": 2, "c": 3, "d": 4}),
        Ranking("one", "bob", {"a": 1, "b": 3, "c": 2}),
        Ranking("two", "ann", {"a": 1, "b": 1, "c": 2}),
        Ranking("two", "eve", {"a": 2, "c": 5}),
    ]
    found = annotator_agreement(rankings, resamples=50)
    assert found.topics == 2
    assert found.icc == NotScored("no two products were ranked by all 3 annotators")
    # one: ranks (1,1), (2,3), (3,2) give sums 2, 5, 5: S = 4 + 1 + 1, W = 12 * 6 / (4 * 24);
    # two: both put a before c: 1.
    assert found.w.value == pytest.approx((0.75 + 1) / 2)
    assert found.rho.value == pytest.approx((0.5 + 1) / 2)
    # one: ab and ac alike, bc not; two: ac alike.
    assert found.pairwise.value == pytest.approx(3 / 4)


def test_alpha_of_rankings_is_that_of_all_places_together():
    rng = np.random.default_rng(3)
    tables, rankings = [], []
    for topic in range(4):
        ranks = np.array([rng.permutation(5) + 1 for _ in range(3)])
        tables.append(ranks)
        rankings += [
            Ranking(f"t{topic}", f"p{k}", dict(zip("abcde", row.tolist(), strict=True)))
            for k, row in enumerate(ranks)
        ]
    found = annotator_agreement(rankings, resamples=200)
    other = evalica.alpha(pd.DataFrame(np.hstack(tables)), distance="ordinal").alpha
    assert found.alpha.value == pytest.approx(other, abs=1e-9)
    assert found.alpha.interval[0] < found.alpha.value < found.alpha.interval[1]
    assert found.products == 20


def test_icc_is_of_the_places_among_what_all_have_ranked():
    people = [
        Ranking("t", "ann", {"a": 1, "x": 2, "b": 3, "c": 4}),
        Ranking("t", "bob", {"a": 1, "b": 2, "c": 3}),
    ]
    found = annotator_agreement(people)
    assert found.products == 3
    assert found.icc.two_way_random.value == 1.0
    # Alpha sees ann's shares 1, 1/3, 0 beside bob's 1, 1/2, 0: all ordered alike, one not equal.
    shares = pd.DataFrame([[1, 1 / 3, 0], [1, 1 / 2, 0]])
    assert found.alpha.value == pytest.approx(evalica.alpha(shares, distance="ordinal").alpha)
