import pytest

from decklab.core.results import NotScored
from decklab.metrics.sensitivity.ratings import adjacent_poa, mace


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
