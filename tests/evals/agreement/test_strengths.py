"""Strengths from bouts, by hand and where what was put in is known."""

import sys
from math import log10

import pytest

from decklab.core.errors import Unavailable
from decklab.core.results import NotScored
from decklab.evals.agreement.rankings import Bout, Ranking, bouts_of, strengths


def test_two_products_have_the_odds_of_their_wins():
    # 30 to 10, with half a tie that is a quarter win for each.
    bouts = [Bout("a", "b", "first")] * 30 + [Bout("a", "b", "second")] * 10
    found = strengths(bouts, resamples=50)
    assert not isinstance(found, NotScored)
    best, other = found
    assert best.name == "a"
    assert best.rating - other.rating == pytest.approx(400 * log10(30.25 / 10.25), abs=0.01)
    assert best.rating + other.rating == pytest.approx(2000)
    assert (best.won, best.lost, best.tied, other.won) == (30, 10, 0, 10)
    assert best.interval[0] < best.rating < best.interval[1]
    assert best.elo > 1000 > other.elo
    assert best.elo + other.elo == pytest.approx(2000)


def test_a_chain_that_is_right_on_average_has_even_steps():
    # a beats b and b beats c three to one each: the middle lies midway by symmetry.
    bouts = [Bout("a", "b", "first"), Bout("b", "c", "first")] * 3
    bouts += [Bout("b", "a", "first"), Bout("c", "b", "first")]
    found = {one.name: one.rating for one in strengths(bouts, resamples=0)}
    assert found["b"] == pytest.approx(1000, abs=0.01)
    assert found["a"] - found["b"] == pytest.approx(400 * log10(3.25 / 1.25), abs=0.1)


def test_ties_alone_make_equals_and_one_that_always_wins_stays_bounded():
    assert {
        round(one.rating, 6) for one in strengths([Bout("a", "b", "tie")] * 3, resamples=0)
    } == {1000.0}
    found = strengths([Bout("a", "b", "first")] * 5, resamples=0)
    assert not isinstance(found, NotScored)
    best, other = found
    assert best.rating - other.rating == pytest.approx(400 * log10(5.25 / 0.25), abs=0.1)


def test_what_never_met_is_not_compared():
    apart = [Bout("a", "b", "first"), Bout("c", "d", "first")]
    assert strengths(apart) == NotScored("some products were never judged beside the others")
    assert strengths([]) == NotScored("there is no judgement of two products")
    one = strengths([Bout("a", "b", "first", "topic")] * 4)
    assert isinstance(one[0].interval, NotScored)


def test_rankings_of_people_are_bouts_by_topic():
    found = bouts_of([Ranking("t", "ann", {"a": 1, "b": 2, "c": 2})])
    assert [(one.first, one.second, one.winner) for one in found] == [
        ("a", "b", "first"), ("a", "c", "first"), ("b", "c", "tie")
    ]  # fmt: skip
    assert {one.cluster for one in found} == {"t"}


def test_without_evalica_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "evalica", None)
    with pytest.raises(Unavailable, match=r"\[evals\]"):
        strengths([Bout("a", "b", "tie")])
