import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from decklab.metrics.sensitivity.ratings import (
    adjacent_poa,
    mace,
    rank_correlation,
    resampled_correlation,
)
from decklab.results import NotScored

LEVELS = st.integers(0, 10).map(lambda level: level / 10)
POINTS = st.lists(st.tuples(LEVELS, LEVELS), min_size=3, max_size=40)


def test_poa_counts_steps_that_do_not_fall() -> None:
    rising, falling = {0.0: 0.0, 0.5: 0.2, 1.0: 0.9}, {0.0: 0.9, 0.5: 0.2, 1.0: 0.0}
    level = {1.0: 0.4, 0.0: 0.4, 0.5: 0.4}
    assert adjacent_poa([rising]) == adjacent_poa([level]) == 1
    assert adjacent_poa([falling]) == 0
    assert adjacent_poa([rising, falling, {0.0: 0.1, 0.1: 0.0}]) == pytest.approx(2 / 5)


def test_poa_of_slides_seen_at_one_severity_is_not_scored() -> None:
    assert isinstance(adjacent_poa([{0.3: 0.2}, {}]), NotScored)


def test_rounding_of_averages_is_no_fall() -> None:
    assert adjacent_poa([{0.0: 0.1 + 0.2, 0.5: 0.3}]) == 1


def test_mace_compares_each_levels_mean_with_it() -> None:
    points = [(0.0, 0.2), (0.5, 0.1), (0.5, 0.7), (1.0, 0.6)]
    assert mace(points) == pytest.approx((0.2 + 0.1 + 0.4) / 3)
    assert mace(points, pointwise=True) == pytest.approx((0.2 + 0.4 + 0.2 + 0.4) / 4)
    assert mace([(s / 10, s / 10) for s in range(11)]) == 0
    assert isinstance(mace([]), NotScored)


def test_a_judge_who_always_says_the_same_is_off_by_what_can_be_computed() -> None:
    assert mace([(s / 10, 0.5) for s in range(11)]) == pytest.approx(3 / 11)


@given(POINTS)
def test_rank_correlation_is_scipys(points: list[tuple[float, float]]) -> None:
    x, y = zip(*points, strict=True)
    found = rank_correlation(points)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert isinstance(found, NotScored)
    else:
        assert found == pytest.approx(spearmanr(x, y).statistic, abs=1e-9)


def test_two_slides_have_no_rank_correlation() -> None:
    assert isinstance(rank_correlation([(0.0, 0.0), (1.0, 1.0)]), NotScored)


@given(POINTS, st.integers(0, 1000))
def test_resampling_by_counts_is_repeating_points(
    points: list[tuple[float, float]], seed: int
) -> None:
    counts = np.random.default_rng(seed).integers(0, 4, (5, len(points)))
    counts[:, 0] += 1
    found = resampled_correlation(points, counts)
    for row, rho in zip(counts, found, strict=True):
        x, y = np.repeat(np.array(points), row, axis=0).T
        if np.ptp(x) and np.ptp(y):
            assert rho == pytest.approx(spearmanr(x, y).statistic, abs=1e-9)
        else:
            assert np.isnan(rho)
