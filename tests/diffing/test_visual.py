import numpy as np
import pytest
from numpy.typing import NDArray

from decklab.diffing.visual import visual_diff
from decklab.geometry import Box
from decklab.results import NotScored


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
