import pytest

from decklab.core.results import NotScored
from decklab.metrics.ratings import Degraded, adjacent_poa, degradation, mace, scale_links


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


def rated(model: str, scale: int, severity: float, y: float, slide: str = "1") -> Degraded:
    return Degraded(model, "text", scale, "a", slide, severity, y)


def test_a_link_is_made_of_the_slides_that_one_judge_rated_on_both_scales() -> None:
    fine = [rated("m", 100, s, y) for s, y in ((0.0, 0.1), (0.5, 0.4), (1.0, 0.8))]
    coarse = [rated("m", 5, s, s) for s in (0.0, 0.5, 1.0)]
    alone = [rated("m", 5, 0.7, 0.75), rated("m", 100, 0.3, 0.9), rated("k", 5, 0.0, 0.0)]
    k, m = scale_links([*alone, *fine, *coarse], permutations=9)
    assert (k.model, k.n, k.link) == ("k", 0, ())
    assert (m.model, m.n) == ("m", 3)
    assert m.link == ((0.0, 0.1), (0.5, 0.4), (1.0, 0.8))
    assert m.r2 == pytest.approx(1) and m.rmse == pytest.approx(0)


@pytest.mark.parametrize(("score", "y"), [(1, 1.0), (5, 0.0), (2, 0.75)])
def test_both_ends_of_a_scale_are_on_it(score: float, y: float) -> None:
    assert degradation(score, 5) == y


@pytest.mark.parametrize("score", [0.99, 5.01, 0, -1])
def test_what_is_off_the_scale_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match=r"is not on the scale 1\.\.5"):
        degradation(score, 5)
