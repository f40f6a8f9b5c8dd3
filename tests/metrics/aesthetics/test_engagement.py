import json
from math import exp
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from decklab.core.results import NotScored
from decklab.metrics.aesthetics.engagement import colorfulness, engagement_score, pacing


def colorfulness_by_the_formula(image: np.ndarray) -> float:
    red, green, blue = (image[..., channel].astype(np.float64) for channel in range(3))
    rg, yb = red - green, (red + green) / 2 - blue
    return float(np.hypot(rg.std(), yb.std()) + 0.3 * np.hypot(rg.mean(), yb.mean()))


@pytest.mark.parametrize("seed", range(3))
def test_colorfulness_is_what_the_formula_gives(seed: int) -> None:
    image = np.random.default_rng(seed).integers(0, 256, (31, 47, 3), dtype=np.uint8)
    assert colorfulness(image) == pytest.approx(colorfulness_by_the_formula(image), abs=1e-9)


def test_the_extremes_of_the_channels_do_not_wrap_around() -> None:
    image = np.array([[[0, 0, 255], [255, 255, 0], [255, 0, 255], [0, 255, 0]]], np.uint8)
    assert colorfulness(image) == pytest.approx(colorfulness_by_the_formula(image), abs=1e-9)


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_grey_has_none(grey: int) -> None:
    assert colorfulness(np.full((8, 8, 3), grey, np.uint8)) == 0.0


@pytest.mark.shared
@pytest.mark.parametrize("name", ["blocks.png", "waves.png", "dark.png"])
def test_colorfulness_is_what_aim_says(shared: Path, name: str) -> None:
    golden = json.loads((shared / "golden" / "aim.json").read_text())[name]
    image = np.asarray(Image.open(shared / "golden" / name).convert("RGB"))
    assert colorfulness(image) == pytest.approx(golden["m15_colorfulness"], abs=1e-9)


def test_pacing_is_a_gaussian_around_table_7() -> None:
    assert pacing([40.0, 40.0 + 2 * 11.28]) == pytest.approx(1)
    assert pacing([40.0, 40.0, 40.0]) == pytest.approx(exp(-(11.28**2) / (2 * 72.89)))


def test_engagement_is_half_level_half_pacing() -> None:
    slides = [40.0, 40.0 + 2 * 11.28]
    assert engagement_score(slides) == pytest.approx(10 * (0.5 * 0.5128 + 0.5))


def test_the_level_is_capped() -> None:
    assert engagement_score([150.0 - 11.28, 150.0 + 11.28]) == pytest.approx(10)


@pytest.mark.parametrize("slides", [[], [50.0]])
def test_fewer_than_two_slides_have_no_pacing(slides: list[float]) -> None:
    reason = NotScored("pacing needs at least two slides")
    assert pacing(slides) == reason
    assert engagement_score(slides) == reason
