"""Ladders: each step adds damage where draws are coupled, and at one severity nothing differs."""

from itertools import pairwise
from math import log
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp
from tests.evals.perturb.slides import plain
from tests.examples import examples

from decklab.evals.perturb.constants import AXES, LADDER_DRAWS, Draws
from decklab.evals.perturb.deck import perturb
from decklab.evals.perturb.operators import GeometryOptions, noised, perturb_geometry
from decklab.metrics.ratings import adjacent_poa, slide_damage

STEPS = [step / 10 for step in range(11)]
SEEDS = range(200)
LEAST_P = 0.05 / 45  # of so many comparisons one in twenty may err (Bonferroni)
FEATURES = {
    "geometry": {
        "left edge": lambda slide: slide.texts[0].x,
        "top edge": lambda slide: slide.images[0].y,
        "width": lambda slide: slide.tables[0].w,
        "height": lambda slide: slide.rects[0].h,
    },
    "text": {
        "boxes": lambda slide: len(slide.texts),
        "characters": lambda slide: sum(len(text.text) for text in slide.texts),
        "width of what comes in": lambda slide: slide.texts[-1].w if slide.texts else 0,
    },
    "style": {
        "typeface": lambda slide: slide.texts[0].font.name == "Calibri",
        "size": lambda slide: slide.texts[1].font.size,
        "emphasis": lambda slide: len(slide.texts[2].font.style),
        "red": lambda slide: int(slide.texts[0].font.color[1:3], 16),
        "background": lambda slide: int(slide.background[1:], 16),
    },
}


def ladder(axis, seed, **options):
    return [perturb(plain(), axis, at, seed=seed, **options) for at in STEPS]


@pytest.mark.by_day(1)
@pytest.mark.parametrize("severity", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("axis", AXES)
def test_at_one_severity_damage_is_distributed_alike_in_both_kinds_of_ladder(axis, severity):
    coupled, independent = (
        [perturb(plain(), axis, severity, seed=s, ladder_draws=draws) for s in SEEDS]
        for draws in LADDER_DRAWS
    )
    features = FEATURES[axis] | {"damage": lambda slide: slide_damage(plain(), slide, axis)}
    for name, feature in features.items():
        found = ks_2samp([feature(one) for one in coupled], [feature(one) for one in independent])
        assert found.pvalue > LEAST_P, name
    assert coupled != independent


@pytest.mark.by_day(1)
@pytest.mark.parametrize("axis", AXES)
def test_damage_climbs_coupled_ladders_and_hardly_independent_ones(axis):
    reached = {
        draws: adjacent_poa(
            {
                at: slide_damage(plain(), one, axis)
                for at, one in zip(STEPS, ladder(axis, seed, ladder_draws=draws), strict=True)
            }
            for seed in range(30)
        )
        for draws in LADDER_DRAWS
    }
    assert reached["coupled"] > 0.97
    assert reached["independent"] < 0.75


@given(st.integers(0, 10_000))
@examples(40)
def test_what_is_gone_stays_gone_and_what_came_in_stays(seed):
    clean = {text.y for text in plain().texts}
    gone = [clean - {text.y for text in one.texts} for one in ladder("text", seed)]
    new = [[text.text for text in one.texts if text.y not in clean] for one in ladder("text", seed)]
    assert all(before <= after for before, after in pairwise(gone))
    assert all(after[: len(before)] == before for before, after in pairwise(new))


@given(st.integers(0, 10_000))
@examples(40)
def test_typefaces_toggles_and_sizes_go_on_in_the_direction_they_took(seed):
    fonts = [one.texts[0].font for one in ladder("style", seed)]
    toggled = [set(font.style) ^ {"bold"} for font in fonts]
    assert all(before <= after for before, after in pairwise(toggled))
    others = [font.name for font in fonts if font.name != "Calibri"]
    assert len(set(others)) <= 1
    assert [font.name for font in fonts][len(fonts) - len(others) :] == others


@given(st.integers(0, 10_000))
@examples(40)
def test_boxes_move_on_along_one_line_and_grow_or_shrink_for_good(seed):
    options = GeometryOptions(extreme=False, reposition=False, collapse=False, allow_clipping=True)
    rungs = [
        perturb_geometry(plain(), at, Draws(seed), options).texts[0] for at in (0.25, 0.5, 1.0)
    ]
    across = [
        (rung.x - 300) / (0.04 + 0.16 * at)
        for rung, at in zip(rungs, (0.25, 0.5, 1.0), strict=True)
    ]
    growth = [
        log(rung.w / 240) / (0.12 + 0.55 * at)
        for rung, at in zip(rungs, (0.25, 0.5, 1.0), strict=True)
    ]
    assert across == pytest.approx([fmean(across)] * 3, abs=0.3)
    assert growth == pytest.approx([fmean(growth)] * 3, abs=0.02)


@given(st.text(alphabet="abcdefg 12\n", max_size=80), st.integers(0, 10_000))
@settings(deadline=None)
def test_a_higher_rate_leaves_no_character_whole_that_a_lower_one_hit(text, seed):
    def whole(rate):
        glyphs = noised(text, rate, Draws(seed))
        count = [0] * len(text)
        for _, index in glyphs:
            count[index] += 1
        kept = {index for letter, index in glyphs if letter == text[index] and count[index] == 1}
        swapped = {
            index
            for at, (_, index) in enumerate(glyphs)
            if at and glyphs[at - 1][1] == index - 1 and glyphs[at - 1][0] == text[index]
        }
        return kept, swapped

    (low, _), (high, passed) = whole(0.05), whole(0.25)
    # One that a swap has moved is not changed again, so it no longer changes places with the next.
    unmoved = {index + 1 for index in passed}
    assert high - passed - unmoved <= low | passed
