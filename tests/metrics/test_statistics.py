import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, spearmanr

from decklab.core.results import NotScored
from decklab.metrics.statistics import (
    cluster_draws,
    percentile_interval,
    rank_correlation,
    resampled_correlation,
    resampled_sums,
    wilson_interval,
)

LEVELS = st.integers(0, 10).map(lambda level: level / 10)
POINTS = st.lists(st.tuples(LEVELS, LEVELS), min_size=3, max_size=40)


@pytest.mark.parametrize(("good", "of"), [(0, 1), (1, 1), (0, 66), (44, 66), (66, 66), (7, 2000)])
def test_wilsons_interval_is_scipys(good: int, of: int) -> None:
    wanted = binomtest(good, of).proportion_ci(method="wilson")
    assert wilson_interval(good, of) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_no_trials_make_no_interval() -> None:
    assert isinstance(wilson_interval(0, 0), NotScored)


def test_each_resample_has_as_many_decks_as_there_are_and_they_are_drawn_evenly() -> None:
    counts = np.concatenate(list(cluster_draws(7, resamples=3000)))
    assert counts.shape == (3000, 7)
    assert set(counts.sum(axis=1)) == {7}
    assert counts.mean(axis=0) == pytest.approx(np.ones(7), abs=0.1)


def test_draws_come_in_blocks_that_bound_memory() -> None:
    blocks = list(cluster_draws(5000, resamples=401))
    assert [len(block) for block in blocks] == [200, 200, 1]


def test_percentiles_leave_out_few_values_that_are_missing_but_not_many() -> None:
    values = np.arange(1001.0)
    values[::50] = np.nan
    found = percentile_interval(values, 10)
    assert not isinstance(found, NotScored)
    low, high = found
    assert low == pytest.approx(25, abs=2) and high == pytest.approx(975, abs=2)
    values[::5] = np.nan
    assert isinstance(percentile_interval(values, 10), NotScored)


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


def test_few_clusters_widen_an_interval_as_students_t_does():
    # t of 3 degrees of freedom at 0.025 is -3.1824; times sqrt(4 / 3) it is -3.6748, below which a
    # normal value lies with a probability of 0.000119.
    values = np.arange(100_001) / 100_000
    found = percentile_interval(values, 4, expanded=True)
    assert not isinstance(found, NotScored)
    low, high = found
    assert low == pytest.approx(0.000119, abs=2e-6)
    assert high == pytest.approx(1 - 0.000119, abs=2e-6)
    assert percentile_interval(values, 4) == pytest.approx((0.025, 0.975))


def test_sums_of_resamples_are_sums_of_drawn_clusters() -> None:
    sums = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]])
    found = resampled_sums(sums, resamples=50)
    assert found.shape == (50, 2)
    assert found[:, 1] == pytest.approx(10 * found[:, 0])
    possible = {a + b + c for a in (1, 2, 4) for b in (1, 2, 4) for c in (1, 2, 4)}
    assert set(found[:, 0]) <= possible and len(set(found[:, 0])) > 1


@pytest.mark.parametrize(("clusters", "resamples"), [(0, 10), (1, 10), (3, 0)])
def test_one_cluster_and_no_resample_have_no_sums(clusters: int, resamples: int) -> None:
    assert resampled_sums(np.ones((clusters, 2, 3)), resamples=resamples).shape == (0, 2, 3)
