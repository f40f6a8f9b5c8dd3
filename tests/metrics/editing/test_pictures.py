import numpy as np
import pytest
from skimage.metrics import structural_similarity

from decklab.metrics.editing.pictures import color_ssim, picture_likeness
from decklab.results import NotScored

WHITE = np.full((90, 160, 3), 255, np.uint8)
BLACK = np.zeros((90, 160, 3), np.uint8)


def noisy(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 255, (90, 160, 3), dtype=np.uint8)


def test_the_least_alike_channel_counts_as_scikit_image_has_it() -> None:
    one, other = noisy(1), noisy(1)
    other[20:60, 30:90, 2] = 128
    wanted = structural_similarity(
        one[:, :, 2], other[:, :, 2], gaussian_weights=True, sigma=1.5,
        use_sample_covariance=False, data_range=255,
    )  # fmt: skip
    assert color_ssim(one, other) == pytest.approx(wanted, abs=1e-6)


def test_a_change_of_hue_alone_is_seen() -> None:
    red, green = WHITE.copy(), WHITE.copy()
    red[30:60, 40:80] = (200, 0, 0)
    green[30:60, 40:80] = (0, 102, 0)  # as light as the red
    assert color_ssim(red, green) < 0.9


def test_means_over_all_slides_and_over_those_that_the_truth_changes() -> None:
    one, two = noisy(1), noisy(2)
    found = picture_likeness([one, WHITE], [two, WHITE], [one, WHITE])
    assert found.slides[1] == 1
    assert found.changed == found.slides[0] < 0.5
    assert found.mean == pytest.approx((found.slides[0] + 1) / 2)


def test_the_truth_looks_like_itself_and_a_missing_slide_like_nothing() -> None:
    assert picture_likeness([BLACK], [WHITE, BLACK], [WHITE, BLACK]).slides == (1, 1)
    assert picture_likeness([BLACK], [WHITE, BLACK], [WHITE]).slides == (1, 0)
    assert picture_likeness([BLACK], [WHITE], [WHITE, BLACK]).mean == 0.5


def test_slides_that_either_touches_are_told_from_those_that_nobody_did() -> None:
    one, two, three = noisy(1), noisy(2), noisy(3)
    original, truth = [one, one, WHITE, BLACK], [two, one, WHITE, BLACK]
    found = picture_likeness(original, truth, [one, three, WHITE, BLACK])
    assert found.touched == pytest.approx((found.slides[0] + found.slides[1]) / 2)
    assert found.touched < found.mean  # type: ignore[operator]
    assert picture_likeness(original, truth, truth).touched == 1
    added = picture_likeness([one], [one], [one, two])
    assert (added.changed, added.touched) == (NotScored("the truth changes no picture"), 0)


def test_what_cannot_be_had_says_why() -> None:
    assert picture_likeness([], [], []).mean == NotScored("there are no slides")
    assert picture_likeness([WHITE], [WHITE], [WHITE]).changed == NotScored(
        "the truth changes no picture"
    )
    assert picture_likeness([WHITE], [WHITE], [WHITE]).touched == NotScored(
        "neither truth nor prediction changes a picture"
    )


def test_pictures_of_another_size_are_scaled() -> None:
    small = np.full((45, 80, 3), 255, np.uint8)
    assert color_ssim(small, WHITE) == 1
