import json
from math import exp, pi
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from skimage.color import rgb2hsv

from decklab.core.results import NotScored
from decklab.metrics.aesthetics.harmony import (
    HARMONY_SIGMA_STRICT,
    HUE_TEMPLATES,
    Harmony,
    harmony,
    harmony_aim,
    harmony_score,
    harmony_slide_score,
    hue_distance,
    palette,
    rotated_sectors,
)


def distance_by_pixel(image: np.ndarray) -> float:
    """Eq 13 pixel by pixel for every template and angle."""
    hsv = rgb2hsv(image).reshape(-1, 3)
    hsv = hsv[hsv[:, 1] > 0.1]
    hue, saturation = hsv[:, 0] * 360, hsv[:, 1]
    least = np.inf
    for sectors in HUE_TEMPLATES.values():
        for angle in range(360):
            ways = []
            for centre, width in sectors:
                apart = np.abs(hue - (360 * centre + angle) % 360)
                apart = np.minimum(apart, 360 - apart)
                ways.append(np.maximum(apart - 180 * width, 0))
            way = np.minimum.reduce(ways)
            least = min(least, float((saturation * way).sum() / saturation.sum()))
    return least


def random_picture(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (24, 32, 3), dtype=np.uint8)


def found(image: np.ndarray) -> Harmony:
    outcome = harmony(image)
    assert isinstance(outcome, Harmony)
    return outcome


def of_hues(*hues: float) -> np.ndarray:
    hsv = np.array([[[hue, 1, 1] for hue in hues]], np.float32)
    return np.round(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB) * 255).astype(np.uint8)


@pytest.mark.parametrize("seed", range(4))
def test_the_distance_is_that_of_a_sum_over_pixels(seed: int) -> None:
    image = random_picture(seed)
    assert found(image).distance_deg == pytest.approx(distance_by_pixel(image), abs=1e-4)


def test_the_reported_template_has_the_reported_distance() -> None:
    image = random_picture(9)
    best = found(image)
    hsv = rgb2hsv(image).reshape(-1, 3)
    hsv = hsv[hsv[:, 1] > 0.1]
    ways = []
    for centre, width in best.sectors:
        apart = np.abs(hsv[:, 0] * 360 - centre)
        ways.append(np.maximum(np.minimum(apart, 360 - apart) - width / 2, 0))
    mean = np.average(np.minimum.reduce(ways), weights=hsv[:, 1])
    assert best.distance_deg == pytest.approx(mean, abs=1e-4)


def test_one_hue_fits_the_narrowest_template_around_it() -> None:
    best = found(of_hues(120, 120))
    assert (best.template, best.angle_deg, best.distance_deg) == ("i", 120, 0.0)
    assert best.chromatic_share == 1.0


def test_opposite_hues_fit_two_opposite_sectors() -> None:
    best = found(of_hues(40, 220))
    assert (best.template, best.distance_deg) == ("I", 0.0)
    assert sorted(centre for centre, _ in best.sectors) == pytest.approx([40, 220], abs=1)


def test_ties_are_broken_the_same_way_wherever_the_wheel_is_cut() -> None:
    for hue in (0, 3, 177, 180, 357):
        best = found(of_hues(hue))
        assert best.template == "i"
        assert abs((best.angle_deg - hue + 180) % 360 - 180) <= 1


def test_the_histogram_is_the_share_of_saturation_in_each_5_degrees() -> None:
    histogram = found(of_hues(2, 122, 122, 242)).hue_histogram
    assert len(histogram) == 72
    assert sum(histogram) == pytest.approx(1)
    assert [histogram[0], histogram[24], histogram[48]] == pytest.approx([0.25, 0.5, 0.25])


def test_pale_pixels_do_not_count() -> None:
    image = np.full((10, 10, 3), (250, 250, 228), np.uint8)  # saturation 0.088
    image[0] = (0, 0, 255)
    best = found(image)
    assert best.chromatic_share == pytest.approx(0.1)
    assert best.hue_histogram[48] == pytest.approx(1)


@pytest.mark.parametrize("color", [(0, 0, 0), (255, 255, 255), (90, 90, 90), (250, 250, 228)])
def test_a_slide_without_colour_is_not_scored(color: tuple[int, int, int]) -> None:
    outcome = harmony(np.full((40, 40, 3), color, np.uint8))
    assert outcome == NotScored("no pixel has enough colour to have a hue")


def test_the_slide_score_is_a_gaussian_of_radians() -> None:
    assert harmony_slide_score(1.0) == pytest.approx(exp(-((pi / 180) ** 2) / (2 * 0.01**2)))
    strict = harmony_slide_score(0.05, sigma=HARMONY_SIGMA_STRICT)
    assert strict == pytest.approx(exp(-((0.05 * pi / 180) ** 2) / (2 * 0.0005**2)))


def test_the_deck_score_takes_the_population_deviation() -> None:
    assert harmony_score([0.2, 0.6]) == pytest.approx(5 * 0.4 - 30 * 0.2)
    assert harmony_score([0.7]) == pytest.approx(3.5)


def test_a_deck_without_colour_is_not_scored() -> None:
    assert harmony_score([]) == NotScored("no slide has enough colour to have hues")


def test_aims_sum_is_over_opencvs_8_bit_hues() -> None:
    image = random_picture(1)
    hsv = cv2.cvtColor(image, cv2.COLOR_RGB2HSV).reshape(-1, 3).astype(float)
    sums = []
    for sectors in HUE_TEMPLATES.values():
        for angle in range(360):
            ways = []
            for centre, width in sectors:
                apart = np.abs(2 * hsv[:, 0] - (360 * centre + angle) % 360)
                ways.append(np.maximum(np.minimum(apart, 360 - apart) - 180 * width, 0))
            sums.append(np.sum(np.deg2rad(np.minimum.reduce(ways)) * hsv[:, 1] / 255))
    assert harmony_aim(image) == pytest.approx(min(sums), rel=1e-6)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["blocks.png", "waves.png", "dark.png"])
def test_aims_sum_is_what_aim_says(shared: Path, name: str) -> None:
    golden = json.loads((shared / "golden" / "aim.json").read_text())[name]
    image = np.asarray(Image.open(shared / "golden" / name).convert("RGB"))
    assert harmony_aim(image) == pytest.approx(golden["m20_distance"], rel=1e-9, abs=1e-9)


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


@pytest.mark.long
def test_between_tenths_of_a_degree_the_distance_is_a_straight_line() -> None:
    for name in HUE_TEMPLATES:
        fine = hue_distance(name, np.arange(36_001) / 100)
        ends = np.interp(np.arange(36_001), np.arange(0, 36_001, 10), fine[::10])
        assert fine == pytest.approx(ends, abs=1e-9)


def test_flat_colours_come_back_exactly_by_share() -> None:
    slide = np.full((100, 100, 3), (247, 243, 234), np.uint8)
    slide[:30] = (31, 78, 121)
    slide[90:, :50] = (197, 90, 17)
    assert palette(slide) == (("#F7F3EA", 0.65), ("#1F4E79", 0.3), ("#C55A11", 0.05))


def test_shades_that_look_alike_are_one_colour() -> None:
    slide = np.full((100, 100, 3), 240, np.uint8)
    slide[:40] = 255
    slide[:10] = (200, 0, 0)
    assert palette(slide) == (("#F0F0F0", 0.9), ("#C80000", 0.1))


def test_there_are_at_most_six() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    colors = palette(noise)
    assert len(colors) == 6
    shares = [share for _, share in colors]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1


@pytest.mark.parametrize("size", [(1, 1), (720, 1280)])
def test_a_blank_slide_has_one(size: tuple[int, int]) -> None:
    assert palette(np.full((*size, 3), 255, np.uint8)) == (("#FFFFFF", 1.0),)
