import numpy as np
import pytest
from skimage.color import rgb2lab

from decklab.metrics.aesthetics.cielab import lab_planes, relative_luminance


def test_the_planes_agree_with_scikit_image_on_every_corner_of_the_cube() -> None:
    values = np.array([0, 1, 5, 10, 11, 40, 128, 200, 254, 255], np.uint8)
    cube = np.stack(np.meshgrid(values, values, values), axis=-1).reshape(25, 40, 3)
    ours = np.stack(lab_planes(cube), axis=-1)
    assert np.abs(ours - rgb2lab(cube)).max() < 1e-3


def test_strips_leave_no_seams() -> None:
    tall = np.random.default_rng(0).integers(0, 256, (333, 700, 3), dtype=np.uint8)
    assert np.abs(np.stack(lab_planes(tall), axis=-1) - rgb2lab(tall)).max() < 1e-3


@pytest.mark.parametrize(
    ("color", "luminance"),
    [((0, 0, 0), 0.0), ((255, 255, 255), 1.0), ((255, 0, 0), 0.2126), ((0, 0, 255), 0.0722)],
)
def test_luminance_is_that_of_wcag(color: tuple[int, int, int], luminance: float) -> None:
    assert relative_luminance(*color) == pytest.approx(luminance)
