"""The operators against what appendix D prints, measured over many draws."""

from dataclasses import replace
from math import log
from statistics import fmean, pstdev

import pytest
from tests.evals.perturb.slides import FONT, plain

from decklab.deck.model.base import PlainText
from decklab.evals.perturb.constants import Draws
from decklab.evals.perturb.operators import (
    NEIGHBORS,
    GeometryOptions,
    TextOptions,
    jittered,
    joined,
    mixed,
    noised,
    perturb_geometry,
    perturb_style,
    perturb_text,
    with_numbers_of,
)

MANY = 4000
DOT = PlainText(x=480.0, y=270.0, w=2.0, h=2.0, text="a", font=FONT, align="left")


def dots(**update):
    one = DOT.model_copy(update=update)
    return plain(0).model_copy(
        update={"texts": (one,) * MANY, "rects": (), "images": (), "tables": ()}
    )


def near(measured, printed, part=0.1):
    return measured == pytest.approx(printed, rel=part)


@pytest.mark.parametrize("severity", [0.1, 0.6])
def test_places_and_sizes_spread_as_printed(severity):
    free = GeometryOptions(extreme=False, reposition=False, collapse=False, allow_clipping=True)
    moved = perturb_geometry(dots(w=50.0, h=50.0), severity, Draws("g"), free).texts
    assert near(pstdev(item.x - 480 for item in moved), (0.04 + 0.16 * severity) * 960)
    assert near(pstdev(item.y - 270 for item in moved), (0.04 + 0.16 * severity) * 540)
    assert near(pstdev(log(item.w / 50) for item in moved), 0.12 + 0.55 * severity)
    assert near(pstdev(log(item.h / 50) for item in moved), 0.12 + 0.55 * severity)


def test_a_twelfth_of_boxes_collapse_at_the_top_and_a_fifth_are_of_extreme_size():
    options = GeometryOptions(extreme=False, reposition=False)
    flat = perturb_geometry(dots(w=300.0, h=300.0), 1.0, Draws("c"), options).texts
    assert near(sum(min(item.w, item.h) <= 3 for item in flat) / MANY, 0.08, 0.2)
    options = GeometryOptions(collapse=False, reposition=False, allow_clipping=True)
    sized = perturb_geometry(dots(w=100.0, h=100.0), 1.0, Draws("e"), options).texts
    never = replace(options, extreme=False)
    ordinary = perturb_geometry(dots(w=100.0, h=100.0), 1.0, Draws("e"), never)
    far = [sum(item.w * item.h > 1e5 for item in items) for items in (sized, ordinary.texts)]
    assert far[0] > 1.5 * far[1]


def test_without_clipping_boxes_may_leave_the_slide_and_with_it_they_do_not():
    out = perturb_geometry(dots(), 1.0, Draws("x"), GeometryOptions(allow_clipping=True)).texts
    assert min(item.x for item in out) < 0
    inside = perturb_geometry(dots(), 1.0, Draws("x")).texts
    assert min(item.x for item in inside) >= 0


def test_a_share_of_none_touches_nothing():
    slide = plain()
    assert perturb_geometry(slide, 1.0, Draws("s"), GeometryOptions(share=0.0)) == slide
    assert perturb_style(slide, 1e-9, Draws("s"), share=0.0).texts == slide.texts
    kept = perturb_text(slide, 1.0, Draws("s"), TextOptions(share=0.0, insert=False))
    assert kept == slide


@pytest.mark.parametrize(("severity", "rate"), [(0.0, 0.02), (0.5, 0.135), (1.0, 0.25)])
def test_characters_are_hit_at_the_printed_rate_and_in_the_printed_ways(severity, rate):
    text = "x" * 40_000
    glyphs = noised(text, 0.02 + 0.23 * severity, Draws("n", severity))
    hit = sum(character != "x" for character, _index in glyphs)
    # substitutions and insertions show as other letters, in 0.50 + 0.15 of all hits
    assert near(hit / len(text), 0.65 * rate)
    assert near((len(glyphs) - len(text)) / len(text), (0.15 - 0.20) * rate, 0.8)


def test_swaps_pass_a_character_over_its_neighbour_but_never_over_the_end_of_a_line():
    text = "ab\ncd"
    results = {joined(noised(text, 0.3, Draws("swap", seed))) for seed in range(2000)}
    assert "ba\ncd" in results
    assert all(result.count("\n") == 1 for result in results)


def test_case_is_kept_and_neighbours_are_mutual():
    glyphs = noised("Q" * 500, 0.5, Draws("case"))
    assert set(joined(glyphs)) <= set("QAW")
    for letter, around in NEIGHBORS.items():
        assert letter not in around
        assert all(letter in NEIGHBORS[other] for other in around)


def test_numbers_come_back_in_their_order():
    broken = [(character, place) for place, character in enumerate("9x of 8.7 and 6")]
    assert joined(with_numbers_of("12 of 3.5 and 40 or 50", broken)) == "12x of 3.5 and 40"
    assert joined(with_numbers_of("none", broken)) == "9x of 8.7 and 6"


def test_boxes_are_dropped_and_inserted_as_printed():
    one = plain(1)
    results = [perturb_text(one, 1.0, Draws("d", seed)).texts for seed in range(MANY)]
    counts = [len(texts) for texts in results]
    # a fifth lose their box (0.18); a third gain one to four (0.35), 2.5 in the mean
    assert near(fmean(counts), 1 - 0.18 + 0.35 * 2.5)
    inserted = [item for texts in results for item in texts if item.font.name == "Arial"]
    assert min(item.w for item in inserted) / 960 >= 0.15
    assert max(item.w for item in inserted) / 960 <= 0.70
    assert min(item.h for item in inserted) / 540 >= 0.08
    assert max(item.h for item in inserted) / 540 <= 0.50


def test_fonts_change_as_often_as_printed():
    severity = 0.5
    changed = perturb_style(dots(), severity, Draws("f")).texts
    fonts = [item.font for item in changed]
    assert near(sum(font.name != FONT.name for font in fonts) / MANY, 0.20 + 0.60 * severity)
    for flag, had in (("bold", True), ("italic", False), ("underscore", False)):
        flipped = sum((flag in font.style) != had for font in fonts)
        assert near(flipped / MANY, 0.20 * severity, 0.15)
    loud = {"#FF0000", "#FFFF00", "#00FFFF", "#FF00FF", "#00FF00", "#0000FF"}
    pure = sum(font.color in loud for font in fonts) / MANY
    assert near(pure, 0.30 * severity * (1 - 0.25 * severity), 0.15)


def test_sizes_spread_as_printed_and_stay_in_their_range():
    calm = [log(item.font.size / 24) for item in perturb_style(dots(), 0.2, Draws("z")).texts]
    middle = sorted(calm)[MANY // 6 : -MANY // 6]
    # the middle two thirds of a normal distribution reach one sigma to both sides
    assert near((middle[-1] - middle[0]) / 2, 0.45 * 0.2, 0.2)
    wild = [item.font.size for item in perturb_style(dots(), 1.0, Draws("z")).texts]
    assert min(wild) == 6
    assert max(wild) == 120


def test_colours_move_no_farther_than_printed():
    from colorsys import rgb_to_hls

    start = rgb_to_hls(0x33 / 255, 0x66 / 255, 0x99 / 255)
    for seed in range(300):
        color = jittered("#336699", 0.5, Draws("color", seed))
        now = rgb_to_hls(*(value / 255 for value in bytes.fromhex(color[1:])))
        turned = abs((now[0] - start[0] + 0.5) % 1 - 0.5) * 360
        assert turned <= 15 + 1.5
        assert abs(now[1] - start[1]) <= 0.125 + 0.01
    assert jittered("#000000", 1.0, Draws("black")).startswith("#")
    assert mixed("#FF0000", "#0000FF", 0.8) == "#3300CC"
