"""Agreement of scores with rankings, by hand and beside scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from decklab.core.results import NotScored
from decklab.evals.agreement.rankings import (
    Ranking,
    consensus,
    leave_one_out,
    places,
    rank_agreement,
    topic_agreement,
)

TABLE_4 = {
    "Skywork-Banana": (5.62, 8.30, -0.47, 13.84, 27.28),
    "Kimi-Banana": (5.72, 6.41, -0.55, 15.01, 26.58),
    "NotebookLM": (4.13, 7.32, -0.35, 11.72, 22.82),
    "Gamma": (5.31, 6.31, -1.51, 6.99, 17.09),
    "Quark": (5.03, 7.41, -1.91, 6.33, 16.86),
}
"""Rows of paper 002, table 4: usability, engagement, harmony, rhythm, aesthetics."""


def ranking(order: str, annotator: str = "ann", topic: str = "t") -> Ranking:
    return Ranking(topic, annotator, {product: place for place, product in enumerate(order, 1)})


def test_one_topic_by_hand():
    # People: a b c d; scores put them b a c d. rho = 1 - 6 * 2 / (4 * 15) = 0.8; c and d sit where
    # people put them; of six pairs only ab is turned.
    found = topic_agreement({"a": 3.0, "b": 4.0, "c": 2.0, "d": 1.0}, [ranking("abcd")])
    assert found.rho == pytest.approx(0.8)
    assert found.identical == 0.5
    assert (found.right, found.judged) == (5.0, 6)


def test_ties_of_people_are_no_judgement_and_ties_of_a_metric_count_half():
    people = [Ranking("t", "ann", {"a": 1, "b": 1, "c": 2})]
    found = topic_agreement({"a": 5.0, "b": 5.0, "c": 5.0}, people)
    assert (found.right, found.judged) == (1.0, 2)
    assert found.rho == NotScored("all values of one side are the same")
    assert found.identical == 0.0  # people: 1.5, 1.5, 3; the metric: 2, 2, 2


def test_partial_rankings_count_by_what_they_hold():
    # ann: a > b > c; bob: c > b, a not ranked. Shares of others put behind: a 1; b (0.5 + 0) / 2;
    # c (0 + 1) / 2.
    people = [ranking("abc"), ranking("cb", "bob")]
    assert consensus(people) == {"a": 1.0, "b": 0.25, "c": 0.5}
    assert consensus([ranking("a")]) == {}


@given(st.integers(2, 7), st.integers(1, 5), st.integers(0, 10_000))
def test_the_consensus_of_complete_rankings_is_the_order_of_mean_ranks(products, people, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 5, (people, products))
    names = "abcdefg"[:products]
    rankings = [
        Ranking("t", str(k), dict(zip(names, row.tolist(), strict=True)))
        for k, row in enumerate(table)
    ]
    means = stats.rankdata(table, axis=1).mean(axis=0)
    agreed = consensus(rankings)
    assert stats.rankdata(np.round([-agreed[n] for n in names], 9)).tolist() == (
        stats.rankdata(np.round(means, 9)).tolist()
    )


def test_means_and_deviations_are_over_topics():
    people = [ranking("abc", topic="one"), ranking("abc", topic="two"), ranking("ab", topic="tri")]
    scores = {
        "one": {"a": 3.0, "b": 2.0, "c": 1.0},  # rho 1, three of three
        "two": {"a": 1.0, "b": 3.0, "c": 2.0},  # places 3, 1, 2: rho -0.5, none
        "tri": {"a": 7.0},
    }
    found = rank_agreement("m", scores, people, resamples=400)
    assert found.rho == pytest.approx(0.25)
    assert found.deviation == pytest.approx(0.75)
    assert found.identical == pytest.approx(0.5)
    assert found.chance == pytest.approx(1 / 3)
    assert found.pairwise == pytest.approx(4 / 6)
    assert found.interval == (-0.5, 1.0)
    assert [one.topic for one in found.undefined] == ["tri"]


def test_nothing_in_common_is_not_scored():
    found = rank_agreement("m", {"other": {"a": 1.0}}, [ranking("ab")])
    for value in (found.rho, found.deviation, found.interval, found.identical, found.pairwise):
        assert isinstance(value, NotScored)
    assert isinstance(rank_agreement("m", {}, []).rho, NotScored)


def test_a_person_beside_the_others():
    # ann against bob and eve (a 0.75, b 0.75, c 0): rho of 1, 2, 3 with 1.5, 1.5, 3 is 0.866.
    people = [ranking("abc"), ranking("bac", "bob"), ranking("abc", "eve")]
    found = leave_one_out(people)
    both = stats.spearmanr([1, 2, 3], [1.5, 1.5, 3]).statistic
    bob = stats.spearmanr([2, 1, 3], [1, 2, 3]).statistic
    assert found.rho == pytest.approx((2 * both + bob) / 3)
    # Pairs of each with both others: ann 5 of 6, eve 5 of 6, bob 4 of 6, who turns ab.
    assert found.pairwise == pytest.approx(14 / 18)
    assert isinstance(leave_one_out([ranking("ab")]), NotScored)


def test_the_aesthetics_of_table_4_agree_with_their_own_order():
    order = "".join("abcde")
    names = dict(zip(order, TABLE_4, strict=True))
    total = {"t": {letter: TABLE_4[name][4] for letter, name in names.items()}}
    assert rank_agreement("total", total, [ranking(order)]).rho == pytest.approx(1.0)
    harmony = {"t": {letter: TABLE_4[name][2] for letter, name in names.items()}}
    # Harmony puts them 2, 3, 1, 4, 5: squares 1, 1, 4; rho = 1 - 6 * 6 / 120.
    assert rank_agreement("harmony", harmony, [ranking(order)]).rho == pytest.approx(0.7)


def test_places_of_nothing_and_of_ties():
    assert places([]) == []
    assert places([1.0, 1.0]) == [1.5, 1.5]
