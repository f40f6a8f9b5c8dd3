import warnings

import numpy as np
import pytest
from pyrtools.pyramids import SteerablePyramidFreq

from decklab.metrics.aesthetics import spectrum
from decklab.metrics.aesthetics.pyramid import SMALLEST_SIDE, bands


def pyrtools_bands(plane: np.ndarray) -> list[np.ndarray]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that odd sizes cannot be put together again
        pyramid = SteerablePyramidFreq(plane.astype(np.float64), height=3, order=3)
    return list(pyramid.pyr_coeffs.values())


@pytest.mark.parametrize(
    "shape", [(64, 96), (64, 97), (65, 96), (67, 101), (45, 64), (33, 50), (32, 32), (180, 320)]
)
@pytest.mark.parametrize("use_opencv", [True, False])
def test_every_band_is_that_of_pyrtools(
    shape: tuple[int, int], use_opencv: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectrum, "_opencv_is_fast", lambda _: use_opencv)
    plane = np.random.default_rng(7).normal(size=shape).astype(np.float32)
    for expected, band in zip(pyrtools_bands(plane), bands(plane), strict=True):
        assert band.shape == expected.shape
        assert np.abs(band / band.size - expected).max() < 2e-5 * np.abs(expected).max()


def test_the_smallest_side_is_the_smallest_pyrtools_takes() -> None:
    assert len(pyrtools_bands(np.ones((SMALLEST_SIDE, 64)))) == 14
    with pytest.raises(ValueError, match="higher than"):
        pyrtools_bands(np.ones((SMALLEST_SIDE - 1, 64)))


def test_an_edge_answers_in_the_band_across_it() -> None:
    plane = np.zeros((128, 128), np.float32)
    plane[:, 32:96] = 1  # vertical edges
    _, across, _, along, _, *_ = (float(np.square(band).sum()) for band in bands(plane))
    assert along < 1e-6 * across
