from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.metrics.editability.content import (
    characters,
    coverage,
    filled_slides,
    judged_slides,
    percent,
    points_to_pixels,
)

edges = st.integers(-20, 120).map(lambda step: step * 10)
boxes = st.builds(lambda x, y, w, h: Box(x, y, x + w, y + h), edges, edges, edges, edges)


@given(st.lists(boxes, max_size=5))
def test_coverage_equals_counting_pixels(items):
    canvas = np.zeros((540, 960), bool)
    for box in items:
        left, top, right, bottom = (max(0, round(edge)) for edge in box)
        if right > left and bottom > top:
            canvas[top:bottom, left:right] = True
    assert coverage(items) == pytest.approx(canvas.mean())


def test_hidden_slides_are_not_judged_unless_all_are_hidden(build):
    shown, hidden = build.slide(build.title("a")), build.slide(build.title("b"), hidden=True)
    assert [slide.number for slide in judged_slides(build.deck(hidden, shown))] == [2]
    assert len(judged_slides(build.deck(hidden, hidden))) == 2


def test_a_slide_with_only_a_number_and_hidden_shapes_is_blank(build):
    number = build.text("12", placeholder="sldNum")
    hidden = build.shape(hidden=True)
    empty = build.title(" ")
    assert filled_slides(build.deck(build.slide(number, hidden, empty))) == ()


def test_characters_do_not_count_white_space(build):
    assert characters(build.text("a b\n c")) == 3
    assert characters(build.shape()) == 0


def test_a_point_is_a_pixel_on_a_slide_seven_and_a_half_inches_high(build):
    deck = build.deck()
    assert points_to_pixels(deck) == 1
    assert points_to_pixels(replace(deck, size_emu=(18288000, 10287000))) == pytest.approx(2 / 3)


def test_shares_of_nothing_have_no_percentage():
    assert percent(0, 0) == "0 of 0"
    assert percent(1, 8) == "1 of 8 (12 %)"
