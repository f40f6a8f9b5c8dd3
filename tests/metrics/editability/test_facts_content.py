from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.metrics.editability.verdict import (
    characters,
    coverage,
    filled_slides,
    judged_slides,
    paints,
    percent,
    points_to_pixels,
    slides_named,
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


@pytest.mark.parametrize(
    ("fields", "seen"),
    [
        ({"filled": True, "outlined": False}, True),
        ({"filled": False, "outlined": True}, True),
        ({"filled": False, "outlined": False}, False),
        ({"filled": False, "outlined": False, "kind": "unknown"}, False),
        ({"filled": False, "outlined": False, "kind": "connector"}, True),
        ({"kind": "group"}, False),
    ],
)
def test_a_fill_or_an_outline_paints_a_shape(build, fields, seen):
    assert paints(build.shape(**fields)) is seen


def test_a_shape_filled_with_a_picture_paints(build):
    picture = build.picture().picture
    assert paints(build.shape(filled=False, outlined=False, picture=picture))


def test_a_slide_with_one_word_or_one_shape_is_filled(build):
    empty = build.shape(filled=False, outlined=False)
    word = build.slide(empty, build.text("word"))
    area = build.slide(empty, build.shape())
    behind = build.slide(background=build.picture_background())
    deck = build.deck(word, build.slide(empty), area, behind)
    assert [slide.number for slide in filled_slides(deck)] == [1, 3, 4]


def test_slides_are_named_for_a_sentence():
    assert slides_named([1, 2]) == "slides 1 and 2"
    assert slides_named([4, 5, 6, 7]) == "slides 4, 5, 6 and 7"
    assert slides_named(list(range(1, 10))) == "slides 1, 2, 3, 4, 5, 6, 7, 8 and 1 more"
