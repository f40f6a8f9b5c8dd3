import cv2
import numpy as np
import pytest

from decklab.metrics.aesthetics.spectrum import crop, inverse, pack_filter, spectrum, swapped

SIZES = [(32, 48), (33, 48), (32, 47), (35, 45)]


def plane(shape: tuple[int, int]) -> np.ndarray:
    return np.random.default_rng(3).normal(size=shape).astype(np.float32)


def frequencies(shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    return np.fft.fftfreq(shape[0])[:, None], np.fft.fftfreq(shape[1])[None]


@pytest.mark.parametrize("shape", SIZES)
def test_both_libraries_pack_alike(shape: tuple[int, int]) -> None:
    image = plane(shape)
    by_scipy = spectrum(image, use_opencv=False)
    assert by_scipy == pytest.approx(cv2.dft(image), abs=1e-3)
    assert spectrum(image, use_opencv=True) == pytest.approx(by_scipy, abs=1e-3)


@pytest.mark.parametrize("use_opencv", [True, False])
@pytest.mark.parametrize("shape", SIZES)
def test_there_and_back_gives_the_plane(shape: tuple[int, int], use_opencv: bool) -> None:
    image = plane(shape)
    back = inverse(spectrum(image, use_opencv=use_opencv), use_opencv=use_opencv)
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
