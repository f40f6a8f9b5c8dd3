"""SSIM against scikit-image."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skimage.metrics import structural_similarity

from decklab.diffing.ssim import ssim


def reference(a: np.ndarray, b: np.ndarray) -> float:
    return float(
        structural_similarity(
            a, b, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255
        )
    )


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(11, 60), st.integers(11, 60))
def test_values_are_those_of_scikit_image(seed: int, height: int, width: int) -> None:
    chance = np.random.default_rng(seed)
    a = chance.integers(0, 256, (height, width), dtype=np.uint8)
    b = np.clip(a + chance.normal(0, 40, a.shape), 0, 255).astype(np.uint8)
    assert ssim(a, b) == pytest.approx(reference(a, b), abs=1e-6)


def test_pictures_smaller_than_a_window_and_of_one_colour() -> None:
    black, white = np.zeros((3, 4), np.uint8), np.full((3, 4), 255, np.uint8)
    assert ssim(black, black) == pytest.approx(1)
    assert 0 <= ssim(black, white) < 0.001


def test_sizes_must_agree() -> None:
    with pytest.raises(ValueError, match="one size"):
        ssim(np.zeros((4, 4), np.uint8), np.zeros((4, 5), np.uint8))
    with pytest.raises(ValueError, match="one size"):
        ssim(np.zeros((0, 4), np.uint8), np.zeros((0, 4), np.uint8))
