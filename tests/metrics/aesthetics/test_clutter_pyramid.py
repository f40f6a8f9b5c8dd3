import warnings

import numpy as np
import pytest
from pyrtools.pyramids import SteerablePyramidFreq

from decklab.metrics.aesthetics.clutter import (
    SMALLEST_SIDE,
    bands,
    crop,
    inverse,
    pack_filter,
    spectrum,
    swapped,
)


def pyrtools_bands(plane: np.ndarray) -> list[np.ndarray]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns that odd sizes cannot be put together again
        pyramid = SteerablePyramidFreq(plane.astype(np.float64), height=3, order=3)
    return list(pyramid.pyr_coeffs.values())


@pytest.mark.parametrize(
    "shape", [(64, 96), (64, 97), (65, 96), (67, 101), (45, 64), (33, 50), (32, 32), (180, 320)]
)
def test_every_band_is_that_of_pyrtools(shape: tuple[int, int]) -> None:
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


SIZES = [(32, 48), (33, 48), (32, 47), (35, 45)]


def plane(shape: tuple[int, int]) -> np.ndarray:
    return np.random.default_rng(3).normal(size=shape).astype(np.float32)


def frequencies(shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.fft.fftfreq(shape[0])[:, None], np.fft.fftfreq(shape[1])[None]


@pytest.mark.parametrize("shape", SIZES)
def test_the_packing_is_that_of_numpys_transform(shape: tuple[int, int]) -> None:
    image = plane(shape)
    half = np.fft.rfft2(image)
    packed = spectrum(image)
    pairs = (shape[1] - 1) // 2
    assert packed[:, 1 : 2 * pairs : 2] == pytest.approx(half.real[:, 1 : pairs + 1], abs=1e-3)
    assert packed[:, 2 : 2 * pairs + 1 : 2] == pytest.approx(half.imag[:, 1 : pairs + 1], abs=1e-3)


@pytest.mark.parametrize("shape", SIZES)
def test_there_and_back_gives_the_plane(shape: tuple[int, int]) -> None:
    image = plane(shape)
    back = inverse(spectrum(image))
    assert back / image.size == pytest.approx(image, abs=1e-5)


@pytest.mark.parametrize("shape", SIZES)
def test_an_even_filter_is_one_product(shape: tuple[int, int]) -> None:
    image = plane(shape)
    y, x = frequencies(shape)
    gain = np.exp(-(x**2) - 3 * y**2) + 0 * x
    expected = np.fft.ifft2(np.fft.fft2(image) * gain).real
    ours = inverse(spectrum(image) * pack_filter(gain, odd=False)) / image.size
    assert ours == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("shape", SIZES)
def test_an_odd_filter_is_one_product_with_the_swapped_spectrum(shape: tuple[int, int]) -> None:
    image = plane(shape)
    y, x = frequencies(shape)
    # Odd, and 0 at the Nyquist frequencies, where no real plane has an imaginary part.
    gain = (np.sin(2 * np.pi * x) + np.sin(2 * np.pi * y)) * (np.abs(x) < 0.5) * (np.abs(y) < 0.5)
    expected = np.fft.ifft2(1j * np.fft.fft2(image) * gain).real
    ours = inverse(swapped(spectrum(image)) * pack_filter(gain, odd=True)) / image.size
    assert ours == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("shape", SIZES)
def test_cropping_keeps_the_lowest_frequencies(shape: tuple[int, int]) -> None:
    height, width = ((n + 1) // 2 for n in shape)
    y, x = np.mgrid[: shape[0], : shape[1]]
    wave = np.cos(2 * np.pi * (3 * y / shape[0] + 2 * x / shape[1]) + 1).astype(np.float32)
    small_y, small_x = np.mgrid[:height, :width]
    expected = np.cos(2 * np.pi * (3 * small_y / height + 2 * small_x / width) + 1)
    low = crop(spectrum(wave), height, width)
    if width % 2 == 0:
        low[:, -1] = 0  # a pyramid's filters are 0 there
    assert inverse(low) / wave.size == pytest.approx(expected, abs=1e-4)
