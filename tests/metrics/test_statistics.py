import numpy as np
import pytest
from scipy.stats import binomtest

from decklab.metrics.statistics import cluster_draws, percentile_interval, wilson_interval
from decklab.results import NotScored


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
    low, high = percentile_interval(values, 10)
    assert low == pytest.approx(25, abs=2) and high == pytest.approx(975, abs=2)
    values[::5] = np.nan
    assert isinstance(percentile_interval(values, 10), NotScored)
