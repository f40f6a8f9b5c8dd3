"""SSIM against scikit-image."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from skimage.metrics import structural_similarity
from tests.examples import examples

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.diffing.pictures import color_ssim, picture_likeness, ssim, visual_diff

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
    assert found.touched < found.mean
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


def reference(a: np.ndarray, b: np.ndarray) -> float:
    return float(
        structural_similarity(
            a, b, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255
        )
    )


@examples(25)
@given(st.integers(0, 2**32 - 1), st.integers(11, 60), st.integers(11, 60))
def test_values_are_those_of_scikit_image(seed: int, height: int, width: int) -> None:
    chance = np.random.default_rng(seed)
    a = chance.integers(0, 256, (height, width), dtype=np.uint8)
    b = np.clip(a + chance.normal(0, 40, a.shape), 0, 255).astype(np.uint8)
    assert ssim(a, b) == pytest.approx(reference(a, b), abs=1e-6)


def test_pictures_smaller_than_a_window_and_of_one_colour() -> None:
    black, white = np.zeros((3, 4), np.uint8), np.full((3, 4), 255, np.uint8)
    assert ssim(black, black) == pytest.approx(1)
    assert 0 <= ssim(black, white) < 0.001


def test_sizes_must_agree() -> None:
    with pytest.raises(ValueError, match="one size"):
        ssim(np.zeros((4, 4), np.uint8), np.zeros((4, 5), np.uint8))
    with pytest.raises(ValueError, match="one size"):
        ssim(np.zeros((0, 4), np.uint8), np.zeros((0, 4), np.uint8))


def white(height: int = 360, width: int = 640) -> NDArray[np.uint8]:
    return np.full((height, width, 3), 255, np.uint8)


def test_equal_pictures_differ_nowhere() -> None:
    (found,) = visual_diff([white()], [white()])
    assert (found.ssim, found.share, found.regions) == (1.0, 0.0, ())


def test_changed_places_are_boxes_in_the_slide_frame_largest_first() -> None:
    changed = white()
    changed[100:200, 40:120] = (200, 0, 0)
    changed[300:310, 600:620] = (0, 0, 200)
    (found,) = visual_diff([white()], [changed])
    assert found.regions == (Box(60, 150, 180, 300), Box(900, 450, 930, 465))
    assert found.share == pytest.approx((100 * 80 + 10 * 20) / (360 * 640))
    assert isinstance(found.ssim, float) and 0.5 < found.ssim < 0.99


def test_faint_noise_and_single_specks_are_no_regions() -> None:
    noisy = white()
    noisy[::2, ::3] -= 5
    noisy[50, 50] = 0
    (found,) = visual_diff([white()], [noisy])
    assert found.regions == ()


def test_a_slide_that_is_in_one_deck_only_differs_everywhere_and_has_no_similarity() -> None:
    gone, come = visual_diff([white(), None], [None, white()])
    for found in (gone, come):
        assert isinstance(found.ssim, NotScored)
        assert found.regions == (Box(0, 0, 960, 540),)


def test_sizes_are_brought_together() -> None:
    (found,) = visual_diff([white(720, 1280)], [white()])
    assert found.regions == ()


def test_rows_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError):
        visual_diff([white()], [])
