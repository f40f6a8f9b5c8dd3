"""Which ink and which characters can be seen, on pictures made by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.seen.drawn import ink_share, is_flat, is_seen, pixel_contrast, readable_characters
from decklab.seen.seen_slide import LEAST_CONTRAST

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


LETTER = Box(10, 10, 14, 20)


def written(ink: int, ground: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A page with a bar of grey ``ink`` on grey ``ground``, without it, and its ink."""
    page = np.full((30, 30, 3), ground, np.uint8)
    full = page.copy()
    full[10:20, 10:14] = ink
    alone = np.zeros((30, 30), np.uint8)
    alone[10:20, 10:14] = 255
    return full, page, alone


@pytest.mark.parametrize(("ink", "ground"), [(0, 255), (255, 0), (255, 90), (120, 255)])
def test_ink_that_stands_off_is_made_out(ink: int, ground: int) -> None:
    seen, contrast = readable_characters(*written(ink, ground), [LETTER])
    assert seen == [True]
    # WCAG 2.2 by hand: (L1 + 0.05) / (L2 + 0.05) of the linear greys
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
              for v in (ink / 255, ground / 255)]  # fmt: skip
    assert contrast == pytest.approx((max(linear) + 0.05) / (min(linear) + 0.05), rel=1e-4)


@pytest.mark.parametrize(("ink", "ground"), [(255, 255), (240, 255), (0, 40)])
def test_ink_in_the_colour_of_its_ground_is_not(ink: int, ground: int) -> None:
    seen, contrast = readable_characters(*written(ink, ground), [LETTER])
    assert seen == [False] and contrast < LEAST_CONTRAST


def test_a_character_that_is_covered_changes_nothing() -> None:
    _, page, alone = written(0, 255)
    assert readable_characters(page, page, alone, [LETTER]) == ([False], 1.0)


def test_a_character_half_covered_counts_and_one_mostly_covered_does_not() -> None:
    full, page, alone = written(0, 255)
    for rows, expected in ((4, True), (7, False)):
        covered = full.copy()
        covered[10 : 10 + rows] = 255
        assert readable_characters(covered, page, alone, [LETTER])[0] == [expected]


def test_off_the_page_without_ink_and_without_characters() -> None:
    full, page, alone = written(0, 255)
    off = [Box(-50, -50, -40, -40), Box(28, 10, 60, 20), Box(20, 20, 25, 25), Box(5, 5, 5, 9)]
    assert readable_characters(full, page, alone, off)[0] == [False] * 4
    assert readable_characters(full, page, alone, []) == ([], 1.0)


def test_contrast_is_the_same_both_ways() -> None:
    one = np.array([[[10, 200, 30], [255, 0, 0]]], np.uint8)
    other = one[:, ::-1]
    assert np.allclose(pixel_contrast(one, other), pixel_contrast(other, one))


def test_a_character_in_the_corner_of_the_page_is_seen_like_any_other() -> None:
    page = np.full((30, 30, 3), 255, np.uint8)
    full, alone = page.copy(), np.zeros((30, 30), np.uint8)
    full[0, 0], alone[0, 0] = 0, 255
    seen, contrast = readable_characters(full, page, alone, [Box(0, 0, 1, 1)])
    assert seen == [True] and contrast == pytest.approx(21)
