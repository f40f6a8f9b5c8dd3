import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from decklab.metrics.ordering.scores import OrderScore, score_order
from decklab.results import NotScored

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
