import numpy as np
import pytest

from decklab.metrics.aesthetics.dominant_colors import palette


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
