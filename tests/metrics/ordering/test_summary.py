import statistics

import pytest

from decklab.metrics.ordering.scores import score_order
from decklab.metrics.ordering.summary import order_estimates, ordering_rows
from decklab.results import NotScored


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


def test_rows_are_json_ready() -> None:
    scores = {"a": [score_order("abc", "acb")], "b": [score_order("ab", "a")]}
    rows = {row.metric: row for row in ordering_rows(order_estimates(scores))}
    assert rows["ordering.kendall_tau"].value == pytest.approx(1 / 3)
    assert rows["ordering.kendall_tau"].evidence["unscored"] == {"the order lacks 1 of 2": 1}
    assert rows["ordering.length_ratio"].evidence["interval"] == [0.5, 1.0]
