import numpy as np
import pytest

from decklab.core.results import NotScored
from decklab.metrics.aesthetics.rhythm import (
    RMSSD_STROBE,
    RMSSD_USUAL,
    overload_windows,
    rhythm_band,
    rhythm_score,
    rhythm_score_target,
    rhythm_slide_score,
    rmssd,
)


def test_the_slide_score_falls_to_exp_minus_half_at_one_deviation() -> None:
    for bits in (3.878 + 0.533**0.5, 3.878 - 0.533**0.5):
        assert rhythm_slide_score(bits) == pytest.approx(np.exp(-0.5))


def test_rmssd_is_the_root_mean_square_of_the_steps() -> None:
    assert rmssd([0.1, 0.4, 0.0]) == pytest.approx(np.sqrt((0.09 + 0.16) / 2))
    assert rmssd([0.3, 0.3, 0.3]) == 0


def test_the_score_of_equation_8() -> None:
    assert rhythm_score([0.1, 0.4, 0.0]) == pytest.approx(10 * 0.5 / 3 + 10 * np.sqrt(0.125))


def test_a_deck_drawn_from_table_7_lands_where_table_4s_column_does() -> None:
    random = np.random.default_rng(0)
    scores = []
    for _ in range(500):
        mean = random.normal(3.878, 0.533**0.5)
        slides = [rhythm_slide_score(bits) for bits in random.normal(mean, 0.457, 13)]
        score = rhythm_score(slides)
        assert isinstance(score, float)
        scores.append(score)
    assert np.mean(scores) == pytest.approx(9.6, abs=0.3)
    assert 6.33 < np.mean(scores) < 15.01


def test_the_score_of_equation_17() -> None:
    assert rhythm_score_target([0.5, 0.6]) == pytest.approx(100 * (1 - 0.07 / 0.2))
    assert rhythm_score_target([0.5, 0.52], target=0.02) == pytest.approx(100)
    busy = [0.8, 0.83, 0.8, 0.83]
    assert rhythm_score_target(busy) == pytest.approx(100 - 2 * 10)


@pytest.mark.parametrize(
    ("value", "band"),
    [
        (0.0, "flatline"),
        (0.0099, "flatline"),
        (0.01, "healthy"),
        (0.1, "healthy"),
        (0.11, "transitional"),
        (0.3, "transitional"),
        (0.31, "strobe light"),
    ],
)
def test_the_bands_of_table_12(value: float, band: str) -> None:
    assert rhythm_band(value) == band


def test_overload_is_a_mean_over_three_in_a_row() -> None:
    assert overload_windows([0.9, 0.9, 0.9, 0.0, 0.9, 0.9], 0.75) == (0,)
    assert overload_windows([0.9, 0.9], 0.75) == ()
    assert overload_windows([0.75, 0.75, 0.75], 0.75) == ()


@pytest.mark.parametrize("scores", [[], [0.7]])
def test_fewer_than_two_slides_have_no_rhythm(scores: list[float]) -> None:
    reason = NotScored("rhythm needs at least two slides")
    assert rmssd(scores) == rhythm_score(scores) == rhythm_score_target(scores) == reason


def test_the_usual_change_is_that_of_decks_drawn_from_the_papers_statistics() -> None:
    drawn = np.random.default_rng(7)
    means = drawn.normal(3.878, 0.533**0.5, (20_000, 1))
    scores = np.exp(-((drawn.normal(means, 0.457, (20_000, 8)) - 3.878) ** 2) / (2 * 0.533))
    changes = np.sqrt(np.mean(np.diff(scores, axis=1) ** 2, axis=1))
    assert np.percentile(changes, [2.5, 97.5]) == pytest.approx(RMSSD_USUAL, abs=0.01)
    assert np.mean(changes > RMSSD_STROBE) > 0.45  # table 12 calls every second one of them jarring


def test_fewer_than_three_slides_at_the_end_are_no_run() -> None:
    assert overload_windows([0.5, 0.5, 0.5], 0.1) == (0,)
    assert overload_windows([0.0, 0.0, 0.5, 0.5], 0.1) == (0, 1)
    assert overload_windows([], 0.1) == ()
