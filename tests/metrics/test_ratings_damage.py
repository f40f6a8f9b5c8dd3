"""The damage itself: by hand, within its bounds, and as a judge would have to see it."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evals.perturb.slides import FONT, plain
from tests.examples import examples

from decklab.core.results import NotScored
from decklab.evals.perturb.constants import AXES
from decklab.evals.perturb.deck import perturb
from decklab.metrics.ratings import (
    Degraded,
    edit_distance,
    geometry_damage,
    slide_damage,
    style_damage,
    text_damage,
)
from decklab.metrics.sensitivity import damage_ceilings, manipulation_check, relative_damage

BLANK = plain(0).model_copy(update={"rects": (), "lines": (), "images": (), "tables": ()})


def with_texts(*texts):
    one = plain(1).texts[0]
    return BLANK.model_copy(
        update={
            "texts": tuple(
                one.model_copy(update={"text": text, "y": 50.0 * i}) for i, text in enumerate(texts)
            )
        }
    )


def table_of_edits(one, other):
    """Levenshtein's recurrence, cell by cell."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        last, row = row, [i]
        for j, b in enumerate(other, start=1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (a != b)))
    return row[-1]


@given(st.text("abc\U0001f600", max_size=12), st.text("abc\U0001f600", max_size=12))
def test_edits_are_counted_as_by_the_textbook(one, other):
    assert edit_distance(one, other) == table_of_edits(one, other) == edit_distance(other, one)


@pytest.mark.parametrize("axis", AXES)
def test_a_slide_that_was_left_alone_has_no_damage(axis):
    assert slide_damage(plain(), plain(), axis) == 0
    assert slide_damage(BLANK, BLANK, axis) == 0


def test_geometry_is_the_mean_shift_of_edges():
    image = plain().images[0]
    moved = image.model_copy(update={"x": image.x + 96})
    slide = BLANK.model_copy(update={"images": (image,)})
    # Left and right edge by a tenth of the width, top and bottom not at all.
    assert geometry_damage(slide, slide.model_copy(update={"images": (moved,)})) == pytest.approx(
        0.05
    )
    taller = image.model_copy(update={"h": image.h + 54})
    assert geometry_damage(slide, slide.model_copy(update={"images": (taller,)})) == pytest.approx(
        0.025
    )
    with pytest.raises(ValueError):
        geometry_damage(slide, BLANK)


def test_text_is_the_share_of_characters_to_edit():
    clean = with_texts("abcd", "efghij")
    assert text_damage(clean, with_texts("abxd", "efghij")) == pytest.approx(1 / 10)
    gone = clean.model_copy(update={"texts": clean.texts[:1]})
    assert text_damage(clean, gone) == pytest.approx(6 / 10)
    assert text_damage(gone, clean) == pytest.approx(6 / 10)


def test_texts_in_one_box_belong_to_those_that_are_most_alike():
    clean = with_texts("alpha", "omega")
    heap = [text.model_copy(update={"y": 0.0}) for text in clean.texts]
    stacked = BLANK.model_copy(update={"texts": tuple(heap)})
    other = BLANK.model_copy(update={"texts": (heap[1].model_copy(update={"text": "omeka"}),)})
    assert text_damage(stacked, other) == pytest.approx(6 / 10)


def test_style_is_the_mean_of_typeface_size_emphasis_and_colour():
    font = FONT.model_copy(update={"name": "Impact", "size": 48.0, "style": ("bold", "italic")})
    slide = plain(1)
    changed = slide.texts[0].model_copy(update={"font": font})
    damage = style_damage(slide, slide.model_copy(update={"texts": (changed,)}))
    # One text, and the background, which is as it was.
    assert damage == pytest.approx((1 + log(2) / log(20) + 1 / 3 + 0) / 4 / 2)


@given(st.sampled_from(AXES), st.floats(0, 1), st.integers(0, 999))
@examples(60)
def test_damage_lies_between_none_and_all(axis, severity, seed):
    assert 0 <= slide_damage(plain(), perturb(plain(), axis, severity, seed=seed), axis) <= 1


def test_an_axis_that_is_none_is_refused():
    with pytest.raises(ValueError, match="no axis 'sound'"):
        slide_damage(BLANK, BLANK, "sound")


def rows(slide, *values, model="m", axis="text", scale=5, deck="a"):
    steps = len(values) - 1
    return [Degraded(model, axis, scale, deck, slide, i / steps, y) for i, y in enumerate(values)]


def test_damage_is_told_in_shares_of_the_mean_at_the_top():
    found = relative_damage([*rows("1", 0.0, 0.1, 0.2), *rows("2", 0.0, 0.3, 0.6)])
    assert [each.y for each in found] == pytest.approx([0, 0.25, 0.5, 0, 0.75, 1.5])
    assert {each.y for each in relative_damage(rows("1", 0.0, 0.0))} == {0.0}
    assert relative_damage([]) == []


def test_the_ceiling_is_what_the_damage_reaches_on_the_slides_of_that_judge():
    damage = [*rows("1", 0.0, 0.2, 0.1), *rows("1", 0.0, 0.1, 0.2, model="n")]
    first, second = damage_ceilings(damage)
    assert (first.model, first.consistency) == ("m", 0.5)
    assert first.mace == pytest.approx((0 + 1.5 + 0) / 3)
    assert (second.consistency, second.fidelity, second.mace) == (1.0, 1.0, 0.0)


def test_the_manipulation_check_pools_judges_and_counts_each_damage_once():
    rated = [
        *rows("1", 0.0, 0.5, 1.0), *rows("1", 0.0, 1.0, 0.5, scale=100),
        *rows("1", 0.5, 0.5, 0.5, model="n", axis="style", deck="b"),
    ]  # fmt: skip
    damage = [*rows("1", 0.0, 0.1, 0.2), *rows("1", 0.0, 0.1, 0.2, scale=100)]
    found = {(row.of, row.axis, row.scale): row for row in manipulation_check(rated, damage)}
    assert found["judges", "text", 5].poa == 1.0
    assert found["judges", "text", 100].poa == 0.5
    assert found["judges", "text", 100].mace == pytest.approx((0 + 0.5 + 0.5) / 3)
    both = found["judges", "all", None]
    assert (both.poa, both.n) == (5 / 6, 9)
    # Means at each severity over all slides: 1/6, 2/3 and 2/3.
    assert both.mace == pytest.approx((1 / 6 + 1 / 6 + 1 / 3) / 3)
    assert (found["damage", "text", None].n, found["damage", "text", None].poa) == (3, 1.0)
    assert ("damage", "all", None) not in found
    assert not isinstance(both.interval, NotScored)
    assert both.interval[0] <= 5 / 6 <= both.interval[1]
    assert manipulation_check([]) == ()
