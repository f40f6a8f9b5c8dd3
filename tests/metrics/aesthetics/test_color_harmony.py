import json
from math import exp, pi
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from skimage.color import rgb2hsv

from decklab.metrics.aesthetics.color_harmony import (
    Harmony,
    harmony,
    harmony_aim,
    harmony_score,
    harmony_slide_score,
)
from decklab.metrics.aesthetics.constants import HARMONY_SIGMA_STRICT, HUE_TEMPLATES
from decklab.results import NotScored


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
