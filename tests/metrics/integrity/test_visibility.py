import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from decklab.geometry import Box
from decklab.metrics.integrity.visibility import ink_share, is_flat, is_seen

ALL = Box(0, 0, 960, 540)


def slide(color=255):
    return np.full((54, 96, 3), color, np.uint8)


def test_half_blended_edges_of_thin_letters_are_ink():
    image = slide()
    image[:, ::5] = 130  # half way to black
    assert ink_share(image, ALL, "#000000") == 20 / 96
    assert is_seen(image, ALL, "#000000")


def test_another_colour_is_not_ink():
    image = slide()
    image[:, ::5] = (255, 0, 0)
    assert ink_share(image, ALL, "#0000FF") == 0
    assert not is_seen(image, ALL, "#0000FF")


def test_ink_of_the_grounds_colour_cannot_be_told():
    assert ink_share(slide(250), ALL, "#FFFFFF") is None
    assert is_seen(slide(250), ALL, "#FFFFFF")
    assert is_seen(slide(), ALL, "")


def test_a_region_off_the_picture_cannot_be_told():
    off = Box(1000, 0, 1100, 50)
    assert ink_share(slide(), off, "#000000") is None and is_flat(slide(), off)


def test_one_colour_is_flat_and_two_are_not():
    image = slide()
    assert is_flat(image, ALL)
    image[0, 0] = 0
    assert not is_flat(image, ALL) and is_flat(image, Box(100, 100, 900, 500))


@given(st.integers(0, 96), st.integers(0, 255))
def test_a_share_is_that_of_the_columns_painted(columns, level):
    image = slide()
    image[:, :columns] = 0
    share = ink_share(image, ALL, "#000000")
    if columns < 48:
        assert share == columns / 96
    else:
        assert share is None or share <= 1
    assert is_flat(slide(level), ALL)
