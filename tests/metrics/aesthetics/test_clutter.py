import json
import warnings
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from pyrtools.pyramids import SteerablePyramidFreq
from skimage.color import rgb2lab

from decklab.core.results import NotScored
from decklab.metrics.aesthetics.clutter import subband_entropy, subband_entropy_aim


def entropy_by_the_formulas(image: np.ndarray) -> float:
    lab = rgb2lab(image)
    planes = lab[..., 0] / 100, (lab[..., 1] + 128) / 255, (lab[..., 2] + 128) / 255
    means = []
    for plane in planes:
        entropies = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pyramid = SteerablePyramidFreq(plane, height=3, order=3)
        for band in pyramid.pyr_coeffs.values():
            counts, _ = np.histogram(band, bins=int(np.ceil(np.sqrt(band.size))))
            share = counts[counts > 0] / band.size
            entropies.append(-(share * np.log2(share)).sum())
        means.append(0 if np.ptp(plane) < 0.008 else np.mean(entropies))
    return float((means[0] + 0.0625 * (means[1] + means[2])) / 1.125)


def picture(shape: tuple[int, int], blur: float) -> np.ndarray:
    noise = np.random.default_rng(5).integers(0, 256, (*shape, 3), dtype=np.uint8)
    return np.asarray(cv2.GaussianBlur(noise, (0, 0), blur))


@pytest.mark.parametrize("shape", [(180, 320), (181, 320), (180, 321), (97, 131)])
@pytest.mark.parametrize("blur", [0.5, 3.0])
def test_entropy_is_what_the_formulas_give(shape: tuple[int, int], blur: float) -> None:
    image = picture(shape, blur)
    assert subband_entropy(image) == pytest.approx(entropy_by_the_formulas(image), abs=1e-3)


def test_grey_pictures_leave_the_chroma_channels_out() -> None:
    grey = np.repeat(picture((96, 128), 1.0)[..., :1], 3, axis=2)
    assert subband_entropy(grey) == pytest.approx(entropy_by_the_formulas(grey), abs=1e-3)


@pytest.mark.parametrize("color", [(0, 0, 0), (255, 255, 255), (128, 128, 128), (200, 16, 46)])
@pytest.mark.parametrize("metric", [subband_entropy, subband_entropy_aim])
def test_one_colour_has_no_entropy(
    metric: Callable[[np.ndarray], float | NotScored], color: tuple[int, int, int]
) -> None:
    assert metric(np.full((64, 64, 3), color, np.uint8)) == 0.0


@pytest.mark.parametrize("metric", [subband_entropy, subband_entropy_aim])
def test_bands_of_nothing_but_rounding_errors_count_as_empty(
    metric: Callable[[np.ndarray], float | NotScored],
) -> None:
    stripes = np.zeros((64, 64, 3), np.uint8)
    stripes[:, ::8] = 255
    value = metric(stripes)
    assert isinstance(value, float)
    assert 0 < value < 2  # a band of rounding errors alone would have about 5


@pytest.mark.parametrize("metric", [subband_entropy, subband_entropy_aim])
def test_a_tiny_picture_is_not_scored(metric: Callable[[np.ndarray], float | NotScored]) -> None:
    outcome = metric(np.zeros((31, 400, 3), np.uint8))
    assert outcome == NotScored("the picture is 400x31; three scales need 32 pixels each way")


def test_a_busier_picture_has_more() -> None:
    calm = np.full((128, 128, 3), 255, np.uint8)
    calm[40:60, 30:90] = (31, 78, 121)
    value, more = subband_entropy(calm), subband_entropy(picture((128, 128), 1.0))
    assert isinstance(value, float)
    assert isinstance(more, float)
    assert 0 < value < more


def test_mirroring_a_symmetric_picture_changes_nothing() -> None:
    image = np.full((90, 160, 3), 240, np.uint8)
    image[20:70, 40:120] = (180, 40, 40)
    assert subband_entropy(image[::-1, ::-1]) == pytest.approx(subband_entropy(image), abs=1e-6)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["blocks.png", "waves.png", "dark.png"])
def test_the_aim_variant_agrees_with_aim(shared: Path, name: str) -> None:
    golden = json.loads((shared / "golden" / "aim.json").read_text())[name]
    image = np.asarray(Image.open(shared / "golden" / name).convert("RGB"))
    value = subband_entropy_aim(image)
    assert value == pytest.approx(golden["m7_subband_entropy"], abs=1e-3)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["blocks.png", "waves.png", "dark.png"])
def test_golden_pictures_have_the_entropy_of_the_formulas(shared: Path, name: str) -> None:
    image = np.asarray(Image.open(shared / "golden" / name).convert("RGB"))
    assert subband_entropy(image) == pytest.approx(entropy_by_the_formulas(image), abs=1e-3)


@pytest.mark.parametrize("size", [(36, 37), (40, 53)])
def test_a_picture_of_one_grey_has_no_entropy_however_its_pixels_are_rounded(
    size: tuple[int, int],
) -> None:
    found = {
        (subband_entropy(picture), subband_entropy_aim(picture))
        for picture in (np.full((*size, 3), grey, np.uint8) for grey in range(256))
    }
    assert found == {(0.0, 0.0)}
