"""Means and intervals against numbers worked by hand and against SciPy."""

from math import inf

import numpy as np
import pytest
from scipy import stats

from decklab.core.results import NotScored
from decklab.evals.results.means import NO_SPREAD, UNIT_SCALE, Observation, interval_of, mean_of


def rows(*values: float | NotScored) -> list[Observation]:
    return [Observation("a", f"t{n}", "m", value) for n, value in enumerate(values)]


def test_a_mean_is_of_what_was_scored_and_says_of_how_many() -> None:
    mean = mean_of(rows(1.0, NotScored("no reply"), 3.0), "no deck")
    assert (mean.mean, mean.scored, mean.of, mean.whole) == (2.0, 2, 3, False)
    assert mean.to_json()["mean"] == 2.0


def test_without_values_there_is_the_cause_and_no_interval() -> None:
    lost = mean_of(rows(NotScored("no reply"), NotScored("too long")), "no deck")
    assert (lost.mean, lost.scored, lost.of) == (NotScored("no reply"), 0, 2)
    assert lost.interval == NotScored("no reply")
    assert mean_of([], "no deck").mean == NotScored("no deck")
    assert mean_of([], "no deck").to_json() == {
        "mean": None, "interval": None, "scored": 0, "of": 0, "reason": "no deck",
    }  # fmt: skip


def test_an_open_value_opens_the_mean_and_is_never_0() -> None:
    open_ = Observation("a", "x", "m", NotScored("no model"), bounds=(0.5, 1.0))
    mean = mean_of([*rows(1.0), open_], "no task")
    assert mean.possible == (0.75, 1.0)
    assert mean.reason == "between 0.75 and 1"
    assert isinstance(mean.interval, NotScored)
    assert mean.to_json()["possible"] == [0.75, 1.0]


def test_bounds_that_meet_are_a_value() -> None:
    known = Observation("a", "x", "m", NotScored("cannot be perfect"), bounds=(0.0, 0.0))
    assert mean_of([*rows(1.0), known], "no task").mean == 0.5


def test_few_units_get_students_t() -> None:
    values = [0.2, 0.4, 0.9, 0.7, 0.5]
    low, high = stats.t.interval(0.95, 4, np.mean(values), stats.sem(values))
    assert mean_of(rows(*values), "").interval == pytest.approx((low, high))


def test_many_units_get_a_bootstrap_near_that_of_scipy() -> None:
    values = np.random.default_rng(3).beta(5, 2, 40)
    ours = interval_of((str(n), float(value)) for n, value in enumerate(values))
    theirs = stats.bootstrap([values], np.mean, method="percentile", rng=1).confidence_interval
    assert ours == pytest.approx(tuple(theirs), abs=0.012)


def test_shares_get_wilsons_interval() -> None:
    low, high = stats.binomtest(3, 12).proportion_ci(method="wilson")
    shares = mean_of(rows(*[1.0] * 3, *[0.0] * 9), "", scale=UNIT_SCALE)
    assert shares.interval == pytest.approx((low, high))
    every = mean_of(rows(*[1.0] * 12), "", scale=UNIT_SCALE).interval
    assert isinstance(every, tuple)
    assert every[0] < 0.8
    assert every[1] == 1.0


def test_equal_values_and_a_single_unit_have_no_interval() -> None:
    assert mean_of(rows(*[5.0] * 20), "").interval == NO_SPREAD
    assert mean_of(rows(3.0), "").interval == NotScored("an interval needs two units at least")


def test_values_of_one_unit_count_as_one_cluster() -> None:
    rng = np.random.default_rng(0)
    topics = rng.normal(0, 1, 30)
    repeated = [(f"t{n}", float(value)) for n, value in enumerate(topics) for _ in range(20)]
    assert interval_of(repeated) == pytest.approx(interval_of(repeated[::20]))


def test_no_interval_leaves_the_scale() -> None:
    assert mean_of(rows(0.9, 1.0, 0.1), "", scale=UNIT_SCALE).interval == (0.0, 1.0)
    seconds = mean_of(rows(0.1, 9.0), "", scale=(0.0, inf)).interval
    assert isinstance(seconds, tuple)
    assert seconds[0] == 0.0
