from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.rendering.pictures import RenderedDeck, RenderedSlide, fit

sides = st.floats(1, 20_000)


@given(sides, sides)
def test_a_fitted_slide_touches_one_side_and_crosses_none(width: float, height: float) -> None:
    columns, rows = fit(width, height, (1280, 720))
    assert 1 <= columns <= 1280
    assert 1 <= rows <= 720
    assert columns == 1280 or rows == 720


@given(st.floats(100, 4000), st.floats(0.4, 3))
def test_a_fitted_slide_keeps_its_proportions_to_the_pixel(height: float, ratio: float) -> None:
    columns, rows = fit(height * ratio, height, (1280, 720))
    assert abs(columns - rows * ratio) <= max(1, ratio)


class _Blank(RenderedDeck):
    path = Path("three.deck")

    def __init__(self) -> None:
        self.closed = 0

    def __len__(self) -> int:
        return 3

    def slide(self, number: int) -> RenderedSlide:
        self._check(number)
        return RenderedSlide(number, np.zeros((2, 2, 3), np.uint8), (), "none")

    def close(self) -> None:
        self.closed += 1


def test_a_deck_gives_its_slides_in_order_and_closes_after_use() -> None:
    with _Blank() as deck:
        assert [slide.number for slide in deck] == [1, 2, 3]
    assert deck.closed == 1


@pytest.mark.parametrize("number", [0, -1, 4])
def test_a_slide_that_is_not_there_is_named(number: int) -> None:
    with pytest.raises(IndexError, match=rf"three\.deck has no slide {number}; it has 3"):
        _Blank().slide(number)
