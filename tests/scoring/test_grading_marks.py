"""Boxes around what differs between two pictures of a slide."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from decklab.geometry import Box
from decklab.scoring.grading_marks import changed_regions


def blank(height: int = 540, width: int = 960) -> NDArray[np.uint8]:
    return np.full((height, width, 3), 250, np.uint8)


def test_pictures_that_look_the_same_have_none() -> None:
    noisy = blank()
    noisy[::2, ::2] -= 10
    assert changed_regions(blank(), blank()) == changed_regions(blank(), noisy) == ()


def test_pictures_of_other_sizes_are_compared_in_the_frame() -> None:
    after = blank(720, 1280)
    after[400:600, 640:1280] = (250, 0, 0)
    [box] = changed_regions(blank(1080, 1920), after)
    assert box == Box(476, 296, 960, 454)


def test_near_changes_are_one_and_far_ones_are_not() -> None:
    after = blank()
    after[100:110, 100:110] = after[100:110, 115:125] = after[400:440, 600:640] = 0
    assert changed_regions(blank(), after) == (Box(596, 396, 644, 444), Box(96, 96, 129, 114))


def test_many_changes_are_cut_to_the_largest() -> None:
    after = blank()
    for place in range(12):
        after[40 * place : 40 * place + 5 + place, 100 : 105 + place] = 0
    found = changed_regions(blank(), after)
    assert len(found) == 8
    assert [box.area for box in found] == sorted((box.area for box in found), reverse=True)


@pytest.mark.filterwarnings("error")
@settings(max_examples=25)
@given(st.integers(0, 900), st.integers(0, 500), st.integers(1, 60), st.integers(1, 40))
def test_a_box_holds_the_change_with_a_margin(left: int, top: int, width: int, height: int) -> None:
    after = blank()
    after[top : top + height, left : left + width] = 0
    [box] = changed_regions(blank(), after)
    assert box.left == max(0, left - 4) and box.top == max(0, top - 4)
    assert box.right == min(960, left + width + 4) and box.bottom == min(540, top + height + 4)
