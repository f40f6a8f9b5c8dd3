import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from skimage.color import deltaE_ciede2000, rgb2lab

from decklab.core.colors import (
    LINEAR_LIGHT,
    RGB_TO_XYZ,
    checked,
    ciede2000,
    color_difference,
    contrast_ratios,
    lab,
    lab_planes,
    relative_luminance,
    runs,
)


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((4, 4, 3), np.float32),
        np.zeros((0, 4, 3), np.uint8),
    ],
    ids=["grey", "with alpha", "float", "empty"],
)
def test_anything_but_an_rgb_picture_is_refused(image: np.ndarray) -> None:
    with pytest.raises(ValueError, match="a slide image is uint8"):
        checked(image)


def test_a_view_with_gaps_becomes_contiguous() -> None:
    view = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)[::2, ::3]
    assert checked(view).flags.c_contiguous
    assert np.array_equal(checked(view), view)


def test_the_planes_agree_with_scikit_image_on_every_corner_of_the_cube() -> None:
    values = np.array([0, 1, 5, 10, 11, 40, 128, 200, 254, 255], np.uint8)
    cube = np.stack(np.meshgrid(values, values, values), axis=-1).reshape(25, 40, 3)
    ours = np.stack(lab_planes(cube), axis=-1)
    assert np.abs(ours - rgb2lab(cube)).max() < 1e-3


def test_strips_leave_no_seams() -> None:
    tall = np.random.default_rng(0).integers(0, 256, (333, 700, 3), dtype=np.uint8)
    assert np.abs(np.stack(lab_planes(tall), axis=-1) - rgb2lab(tall)).max() < 1e-3


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 5, 3), (33, 37, 3), (64, 405, 3), (51, 1280, 3)])
def test_runs_give_every_pixel_the_colour_it_has_alone(shape: tuple[int, int, int]) -> None:
    chance = np.random.default_rng(4)
    few = chance.integers(0, 256, (40, 3), np.uint8)
    picture = np.repeat(few[chance.integers(0, 40, shape[:2])], 4, axis=1)[:, : shape[1]].copy()
    colors, lengths = runs(picture)
    assert np.array_equal(np.repeat(colors[0], lengths, axis=0).reshape(shape), picture)
    whole, apart = (
        cv2.transform(
            cv2.LUT(each, LINEAR_LIGHT.astype(np.float32)), np.array(RGB_TO_XYZ, np.float32)
        )
        for each in (picture, colors)
    )
    assert np.array_equal(np.repeat(apart[0], lengths, axis=0).reshape(shape), whole)


@pytest.mark.parametrize(
    ("color", "luminance"),
    [((0, 0, 0), 0.0), ((255, 255, 255), 1.0), ((255, 0, 0), 0.2126), ((0, 0, 255), 0.0722)],
)
def test_luminance_is_that_of_wcag(color: tuple[int, int, int], luminance: float) -> None:
    assert relative_luminance(*color) == pytest.approx(luminance)


# Sharma, Wu and Dalal (2005), table 1: L1 a1 b1 L2 a2 b2 and the difference.
PUBLISHED = """
50.0000   2.6772 -79.7751 50.0000   0.0000 -82.7485  2.0425
50.0000   3.1571 -77.2803 50.0000   0.0000 -82.7485  2.8615
50.0000   2.8361 -74.0200 50.0000   0.0000 -82.7485  3.4412
50.0000  -1.3802 -84.2814 50.0000   0.0000 -82.7485  1.0000
50.0000  -1.1848 -84.8006 50.0000   0.0000 -82.7485  1.0000
50.0000  -0.9009 -85.5211 50.0000   0.0000 -82.7485  1.0000
50.0000   0.0000   0.0000 50.0000  -1.0000   2.0000  2.3669
50.0000  -1.0000   2.0000 50.0000   0.0000   0.0000  2.3669
50.0000   2.4900  -0.0010 50.0000  -2.4900   0.0009  7.1792
50.0000   2.4900  -0.0010 50.0000  -2.4900   0.0010  7.1792
50.0000   2.4900  -0.0010 50.0000  -2.4900   0.0011  7.2195
50.0000   2.4900  -0.0010 50.0000  -2.4900   0.0012  7.2195
50.0000  -0.0010   2.4900 50.0000   0.0009  -2.4900  4.8045
50.0000  -0.0010   2.4900 50.0000   0.0010  -2.4900  4.8045
50.0000  -0.0010   2.4900 50.0000   0.0011  -2.4900  4.7461
50.0000   2.5000   0.0000 50.0000   0.0000  -2.5000  4.3065
50.0000   2.5000   0.0000 73.0000  25.0000 -18.0000 27.1492
50.0000   2.5000   0.0000 61.0000  -5.0000  29.0000 22.8977
50.0000   2.5000   0.0000 56.0000 -27.0000  -3.0000 31.9030
50.0000   2.5000   0.0000 58.0000  24.0000  15.0000 19.4535
50.0000   2.5000   0.0000 50.0000   3.1736   0.5854  1.0000
50.0000   2.5000   0.0000 50.0000   3.2972   0.0000  1.0000
50.0000   2.5000   0.0000 50.0000   1.8634   0.5757  1.0000
50.0000   2.5000   0.0000 50.0000   3.2592   0.3350  1.0000
60.2574 -34.0099  36.2677 60.4626 -34.1751  39.4387  1.2644
63.0109 -31.0961  -5.8663 62.8187 -29.7946  -4.0864  1.2630
61.2901   3.7196  -5.3901 61.4292   2.2480  -4.9620  1.8731
35.0831 -44.1164   3.7933 35.0232 -40.0716   1.5901  1.8645
22.7233  20.0904 -46.6940 23.0331  14.9730 -42.5619  2.0373
36.4612  47.8580  18.3852 36.2715  50.5065  21.2231  1.4146
90.8027  -2.0831   1.4410 91.1528  -1.6435   0.0447  1.4441
90.9257  -0.5406  -0.9208 88.6381  -0.8985  -0.7239  1.5381
 6.7747  -0.2908  -2.4247  5.8714  -0.0985  -2.2286  0.6377
 2.0776   0.0795  -1.1350  0.9033  -0.0636  -0.5514  0.9082
"""

HEX = st.from_regex(r"\A#[0-9A-F]{6}\Z")


def test_the_published_pairs_come_out_to_four_places() -> None:
    table = np.array([line.split() for line in PUBLISHED.split("\n") if line], float)
    assert len(table) == 34
    assert np.abs(ciede2000(table[:, :3], table[:, 3:6]) - table[:, 6]).max() < 1e-4
    assert np.abs(ciede2000(table[:, 3:6], table[:, :3]) - table[:, 6]).max() < 1e-4


def test_random_colors_agree_with_scikit_image() -> None:
    codes = np.random.default_rng(3).integers(0, 256, (2, 3000, 3), dtype=np.uint8)
    first, second = (["#" + row.tobytes().hex().upper() for row in side] for side in codes)
    assert np.abs(lab(first) - rgb2lab(codes[0][None])[0]).max() < 1e-3
    wanted = deltaE_ciede2000(lab(first), lab(second))
    assert np.abs(color_difference(first, second) - wanted).max() < 1e-9


@given(HEX, HEX)
def test_the_difference_is_symmetric_and_zero_for_equal_colors(one: str, other: str) -> None:
    there, back = color_difference([one, other], [other, one])
    assert there == pytest.approx(back, abs=1e-9)
    assert color_difference([one], [one])[0] == 0


def test_grays_differ_in_lightness_only() -> None:
    # L* of #777777 is 50.03, so S_L is 1 to five places against L* = 49.97.
    first, second = lab(["#777777", "#787878"])
    mean = (first[0] + second[0]) / 2
    weight = 1 + 0.015 * (mean - 50) ** 2 / (20 + (mean - 50) ** 2) ** 0.5
    wanted = (second[0] - first[0]) / weight
    assert color_difference(["#777777"], ["#787878"])[0] == pytest.approx(wanted, abs=1e-3)


def test_no_colors_give_no_differences() -> None:
    assert color_difference([], []).shape == (0,)
    assert contrast_ratios([], []).shape == (0,)


def test_contrast_is_that_of_wcag_whichever_side_is_darker() -> None:
    ratios = contrast_ratios(["#767676", "#FFFFFF", "#808080"], ["#FFFFFF", "#767676", "#808080"])
    assert ratios.round(2).tolist() == [4.54, 4.54, 1.0]
