import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.metrics.aesthetics.constants import HUE_TEMPLATES
from decklab.metrics.aesthetics.hue_templates import hue_distance, rotated_sectors

names = st.sampled_from(sorted(HUE_TEMPLATES))
hues = st.floats(0, 360)


def test_there_are_eight_templates() -> None:
    assert list(HUE_TEMPLATES) == ["i", "V", "L", "mirror_L", "I", "T", "Y", "X"]


@given(names, hues)
def test_inside_a_sector_the_distance_is_0_and_outside_it_is_to_the_nearest_border(
    name: str, hue: float
) -> None:
    borders, inside = [], False
    for centre, width in rotated_sectors(name, 0):
        turn = (hue - centre + 180) % 360 - 180
        inside |= abs(turn) <= width / 2
        for border in (centre - width / 2, centre + width / 2):
            apart = abs(hue - border) % 360
            borders.append(min(apart, 360 - apart))
    expected = 0 if inside else min(borders)
    assert hue_distance(name, np.array([hue]))[0] == pytest.approx(expected, abs=1e-6)


@given(hues)
def test_the_mirrored_l_is_l_in_a_mirror(hue: float) -> None:
    mirrored = hue_distance("mirror_L", np.array([-hue]))
    assert mirrored == pytest.approx(hue_distance("L", np.array([hue])), abs=1e-9)


def test_between_tenths_of_a_degree_the_distance_is_a_straight_line() -> None:
    for name in HUE_TEMPLATES:
        fine = hue_distance(name, np.arange(36_001) / 100)
        ends = np.interp(np.arange(36_001), np.arange(0, 36_001, 10), fine[::10])
        assert fine == pytest.approx(ends, abs=1e-9)
