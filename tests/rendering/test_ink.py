import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.rendering.pictures import tight_box


@given(st.integers(5, 50), st.integers(5, 30), st.integers(1, 30), st.integers(1, 20))
def test_a_rectangle_on_a_plain_ground_is_found_to_the_pixel(
    left: int, top: int, width: int, height: int
) -> None:
    image = np.full((60, 100, 3), 200, np.uint8)
    image[top : top + height, left : left + width] = (20, 40, 60)
    loose = Box(left - 4, top - 4, left + width + 4, top + height + 4)
    assert tight_box(image, loose) == Box(left, top, left + width, top + height)


def test_a_box_without_ink_is_only_clipped_to_the_image() -> None:
    image = np.full((60, 100, 3), 7, np.uint8)
    assert tight_box(image, Box(-5, 10.4, 30, 30)) == Box(0, 10, 30, 30)


def test_a_box_too_small_to_have_a_ground_comes_back_as_it_was() -> None:
    image = np.zeros((60, 100, 3), np.uint8)
    assert tight_box(image, Box(200, 10, 230, 30)) == Box(200, 10, 230, 30)
