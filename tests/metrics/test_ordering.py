import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from decklab.core.results import NotScored
from decklab.metrics.ordering import OrderScore, order_estimates, score_order

ORDERS = st.integers(2, 40).flatmap(lambda n: st.permutations(range(n)))


@given(ORDERS)
def test_tau_and_rho_are_scipys(order: list[int]) -> None:
    truth = range(len(order))
    found = score_order(truth, order)
    position = [order.index(slide) for slide in truth]
    assert found.kendall_tau == pytest.approx(kendalltau(truth, position).statistic, abs=1e-12)
    assert found.spearman_rho == pytest.approx(spearmanr(truth, position).statistic, abs=1e-12)
    hits = sum(a == b for a, b in zip(truth, order, strict=True))
    assert found.exact_match == pytest.approx(hits / len(order))
    assert found.length_ratio == 1


def test_the_true_order_is_perfect_and_the_reverse_the_opposite() -> None:
    assert score_order("abcd", "abcd") == OrderScore(1.0, 1.0, 1.0, 1.0)
    assert score_order("abcd", "dcba") == OrderScore(1.0, -1.0, -1.0, 0.0)


@pytest.mark.parametrize(
    ("reply", "ratio", "reason"),
    [
        ("abc", 0.75, "the order lacks 1 of 4"),
        ("", 0.0, "the order lacks 4 of 4"),
        ("abcdx", 1.25, "the order names 1 that the deck does not have"),
        ("abcda", 1.25, "the order repeats 1 slide"),
        ("aabb", 1.0, "the order repeats 2 slides and lacks 2 of 4"),
        ("abcx", 1.0, "the order lacks 1 of 4 and names 1 that the deck does not have"),
    ],
)
def test_a_reply_that_is_no_order_has_a_length_and_a_reason(
    reply: str, ratio: float, reason: str
) -> None:
    nothing = NotScored(reason)
    assert score_order("abcd", reply) == OrderScore(ratio, nothing, nothing, nothing)


def test_one_slide_has_no_order() -> None:
    found = score_order(["only"], ["only"])
    assert found.length_ratio == 1
    assert found.kendall_tau == NotScored("a deck of 1 slide has but one order")


def test_a_deck_without_slides_has_no_length_either() -> None:
    assert isinstance(score_order([], []).length_ratio, NotScored)


def test_a_lost_reply_is_not_scored() -> None:
    assert score_order("ab", None).length_ratio == NotScored("the reply could not be read")


def test_a_true_order_that_repeats_a_slide_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        score_order("aab", "aab")


def named(scores):
    return {row.measure.removeprefix("ordering."): row for row in order_estimates(scores)}


def test_runs_are_averaged_in_each_deck_and_decks_count_alike() -> None:
    found = named(
        {
            "a": [score_order("abcd", "abcd"), score_order("abcd", "dcba")],
            "b": [score_order("abc", "abc")],
            "c": [score_order("ab", "ba")],
        }
    )["kendall_tau"]
    assert found.value == pytest.approx((0 + 1 - 1) / 3)
    assert found.std == pytest.approx(statistics.stdev([0, 1, -1]))
    assert (found.decks, found.replies, found.unscored) == (3, 4, {})
    low, high = found.interval
    assert -1 <= low < found.value < high <= 1


def test_what_was_not_scored_is_counted_by_reason() -> None:
    found = named({"a": [score_order("abc", "ab"), score_order("abc", "abc")], "b": [
        score_order("abc", "ac")], "c": [score_order("abc", None)]})  # fmt: skip
    tau, ratio = found["kendall_tau"], found["length_ratio"]
    assert (tau.value, tau.decks, tau.replies) == (1.0, 1, 4)
    assert tau.unscored == {"the order lacks 1 of 3": 2, "the reply could not be read": 1}
    assert isinstance(tau.std, NotScored) and isinstance(tau.interval, NotScored)
    assert ratio.value == pytest.approx(((2 / 3 + 1) / 2 + 2 / 3) / 2)


@pytest.mark.parametrize("decks", ["", "a", "ab"])
def test_without_resamples_there_are_values_and_no_intervals(decks) -> None:
    scores = {deck: [score_order("abc", "abc")] for deck in decks}
    for row in order_estimates(scores, resamples=0):
        assert isinstance(row.interval, NotScored)
        assert row.value == 1 if decks else isinstance(row.value, NotScored)
    if decks == "ab":
        assert row.interval.reason == "no resamples were drawn"


def test_nothing_scored_says_why() -> None:
    found = named({"a": [score_order("a", "a")]})
    assert "a deck of 1 slide has but one order" in found["spearman_rho"].value.reason
    assert found["length_ratio"].value == 1
