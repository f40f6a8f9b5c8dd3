"""Subsets and selections of metrics, on cases worked out by hand."""

import pytest

from decklab.core.results import NotScored
from decklab.evals.agreement.rankings import Ranking
from decklab.evals.agreement.tuning import (
    ablation,
    on_one_scale,
    redundancy,
    select_metrics,
    subsets,
    summed_scores,
)

TOPICS = ("one", "two", "tri", "four", "five", "six")
PEOPLE = [Ranking(topic, "ann", {"a": 1, "b": 2, "c": 3, "d": 4}) for topic in TOPICS]


def everywhere(a: float, b: float, c: float, d: float) -> dict[str, dict[str, float]]:
    return {topic: {"a": a, "b": b, "c": c, "d": d} for topic in TOPICS}


def test_there_are_fifteen_subsets_of_four():
    assert len(list(subsets("wxyz"))) == 15
    with pytest.raises(ValueError, match="name fewer"):
        list(subsets("abcdefghi"))


def test_the_sum_of_two_halves_agrees_better_than_either():
    # The first tells the upper two from the lower two, the second within both.
    scores = {"half": everywhere(2, 2, 0, 0), "fine": everywhere(1, 0, 1, 0)}
    rows = {row.metric: row for row in ablation(scores, ["half", "fine"], PEOPLE, resamples=20)}
    assert list(rows) == ["half", "fine", "half + fine"]
    # half: places 1.5, 1.5, 3.5, 3.5 beside 1 to 4; Pearson's r of these is 4 / sqrt(5 * 4).
    assert rows["half"].rho == pytest.approx(4 / 20**0.5)
    assert rows["half + fine"].rho == pytest.approx(1.0)
    assert rows["half + fine"].identical == 1.0
    assert rows["half"].identical == 0.0


def test_a_product_without_one_of_the_metrics_has_no_sum():
    scores = {"m": {"t": {"a": 1.0, "b": 2.0}}, "n": {"t": {"b": 3.0}}}
    assert summed_scores(scores, ["m", "n"]) == {"t": {"b": 5.0}}
    assert summed_scores(scores, []) == {}


def test_metrics_are_taken_as_long_as_they_add_something():
    scores = {
        "half": everywhere(2, 2, 0, 0),  # 4 of 6 pairs, 2 tied: 5 of 6
        "fine": everywhere(1, 0, 1, 0),  # ab, ad, cd right, bc wrong, 2 tied: 4 of 6
        "double": everywhere(9, 9, 1, 1),  # the same as half
        "wrong": everywhere(0, 1, 2, 3),
        "even": everywhere(1, 1, 1, 1),
    }
    found = select_metrics(scores, PEOPLE)
    assert [(step.metric, round(step.pairwise, 3)) for step in found.steps] == [
        ("half", 0.833), ("fine", 0.917)
    ]  # fmt: skip
    # On one scale half and fine weigh the same: b (1 + 0) and c (0 + 1) tie, all else is right.
    why = {left.metric: left.why for left in found.left_out}
    assert why == {
        "double": "says the same as half",
        "wrong": "no better than chance: 0.000",
        "even": "no better than chance: 0.500",
    }
    assert found.held_out == pytest.approx(0.917, abs=0.001)
    assert found.single == pytest.approx(5 / 6)
    assert found.folds == 5


def test_nothing_to_choose_from():
    assert select_metrics({}, PEOPLE).steps == ()
    assert isinstance(select_metrics({}, PEOPLE).held_out, NotScored)
    one = select_metrics({"m": everywhere(4, 3, 2, 1)}, PEOPLE[:1])
    assert isinstance(one.held_out, NotScored)
    assert one.steps[0].pairwise == 1.0


def test_scales_and_redundancy_of_nothing():
    assert on_one_scale({}) == {}
    assert on_one_scale({"t": {"a": 3.0}}) == {"t": {"a": 0.5}}
    assert isinstance(redundancy({}, {}), NotScored)
