"""Agreement with labels: by hand from the definitions of tau-b, rho and variance."""

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.errors import UnknownName
from decklab.core.results import NotScored
from decklab.evals.ppteval.meta import LEVELS, LabelledAttempt, agreement, level_of, stability
from decklab.metrics.statistics import kendall_tau_b, spearman_rho


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def tau_b_by_hand(one: list[int], other: list[int]) -> float:
    """Concordant less discordant pairs, over the pairs not tied on either side."""
    pairs = list(combinations(range(len(one)), 2))
    a = [sign(one[i] - one[j]) for i, j in pairs]
    b = [sign(other[i] - other[j]) for i, j in pairs]
    untied = math.sqrt(sum(map(abs, a)) * sum(map(abs, b)))
    return sum(x * y for x, y in zip(a, b, strict=True)) / untied


def rho_by_hand(one: list[int], other: list[int]) -> float:
    """Pearson's correlation of mid-ranks."""

    def ranks(values: list[int]) -> list[float]:
        return [
            sum(other < value for other in values) + (values.count(value) + 1) / 2
            for value in values
        ]

    a, b = ranks(one), ranks(other)
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    cov = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))
    spread = math.sqrt(sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b))
    return cov / spread


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12))
def test_rank_correlations_are_those_of_the_definitions(pairs: list[tuple[int, int]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    tau, rho = kendall_tau_b(one, other), spearman_rho(one, other)
    if len(set(one)) == 1 or len(set(other)) == 1:
        assert tau == rho == NotScored("all values of one side are the same")
    else:
        assert tau == pytest.approx(tau_b_by_hand(one, other))
        assert rho == pytest.approx(rho_by_hand(one, other))


def test_two_pairs_are_the_least_and_lengths_must_agree() -> None:
    assert isinstance(kendall_tau_b([1], [1]), NotScored)
    assert isinstance(spearman_rho([], []), NotScored)
    with pytest.raises(ValueError, match="cannot be paired"):
        kendall_tau_b([1, 2], [1])


@pytest.mark.parametrize(
    ("score", "level"),
    [
        (0, "none"), (1e-12, "none"), (0.01, "some"), (0.4999, "some"), (0.5, "significant"),
        (0.5 - 1e-12, "significant"), (0.999, "significant"), (1 - 1e-12, "perfect"),
        (1, "perfect"),
    ],
)  # fmt: skip
def test_levels_hold_the_scores_of_table_1(score: float, level: str) -> None:
    assert level_of(score) == LEVELS[level]


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan])
def test_a_score_out_of_range_has_no_level(score: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        level_of(score)


def test_accuracy_is_told_per_level_and_gaps_are_named_not_counted() -> None:
    attempts = [
        LabelledAttempt("a", "none", 0.0),
        LabelledAttempt("b", "none", 0.2),
        LabelledAttempt("a", "some", 0.35),
        LabelledAttempt("a", "significant", 0.85),
        LabelledAttempt("a", "perfect", 1.0),
        LabelledAttempt("b", "perfect", 0.97),
        LabelledAttempt("b", "some", NotScored("needs a model")),
    ]
    found = agreement(attempts)
    none, some, significant, perfect = found.levels
    assert (none.attempts, none.right, none.accuracy, none.mean) == (2, 1, 0.5, 0.1)
    assert (some.attempts, some.not_scored, some.accuracy) == (2, 1, 1.0)
    assert (significant.accuracy, perfect.accuracy) == (1.0, 0.5)
    assert found.accuracy == pytest.approx(4 / 6)
    assert [one.task for one in found.wrong] == ["b", "b"]
    assert found.not_scored == (attempts[-1],)
    ranks, scores = [0, 0, 1, 2, 3, 3], [0, 20, 35, 85, 100, 97]
    assert found.tau_b == pytest.approx(tau_b_by_hand(ranks, scores))
    assert found.rho == pytest.approx(rho_by_hand(ranks, scores))


def test_without_attempts_nothing_is_made_up() -> None:
    found = agreement([])
    assert isinstance(found.accuracy, NotScored)
    assert isinstance(found.tau_b, NotScored)
    assert all(isinstance(row.accuracy, NotScored) and row.mean is None for row in found.levels)


def test_a_level_that_is_none_is_named() -> None:
    with pytest.raises(UnknownName, match="did you mean 'perfect'"):
        agreement([LabelledAttempt("a", "perfct", 1.0)])


def test_variance_over_repeated_judging_by_hand() -> None:
    found = stability({
        "steady": [1.0] * 5,
        "moving": [0.5, 0.7, 0.5, 0.7, 0.6],  # mean 0.6, squared deviations 0.04, variance 0.008
        "nothing": [0.0, 0.0],
        "gap": [0.4, NotScored("time-out")],
    })  # fmt: skip
    assert not isinstance(found, NotScored)
    assert (found.tasks, found.left_out, found.without_cv) == (3, ("gap",), 1)
    assert found.mean_variance == pytest.approx(0.008 / 3)
    assert found.median_variance == 0
    assert found.mean_cv == pytest.approx(math.sqrt(0.008) / 0.6 / 2)


def test_judging_once_says_nothing_of_variance() -> None:
    assert stability({"a": [0.5]}) == NotScored("no task was scored twice")
    found = stability({"a": [0.0, 0.0]})
    assert not isinstance(found, NotScored)
    assert found.mean_cv == NotScored("all scores are 0")
