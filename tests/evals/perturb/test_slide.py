"""One slide, one axis, one severity: identity, reproducibility, growth and limits."""

import os
import subprocess
import sys
from difflib import SequenceMatcher
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evals.perturb.slides import plain
from tests.examples import examples

from decklab.deck.model.base import PlainSlide
from decklab.evals.perturb.constants import AXES, LADDER_DRAWS
from decklab.evals.perturb.deck import perturb

SEEDS = range(150)
PINNED = {
    "coupled": ((346.56, 231.44, 202.79, 57.48), "aHlf f rhe 120 bolers are due y 2030", 30.87),
    "independent": (
        (403.44, 157.9, 280.11, 38.84),
        "Halr ofvthe 120 boiler areyxue by 2030",
        15.09,
    ),
}


def displacement(one, other):
    pairs = [
        pair
        for kind in ("texts", "rects", "images", "tables")
        for pair in zip(getattr(one, kind), getattr(other, kind), strict=True)
    ]
    return fmean(
        abs(a.x - b.x) + abs(a.y - b.y) + abs(a.w - b.w) + abs(a.h - b.h) for a, b in pairs
    )


def misspelling(one, other):
    first, second = ("\n".join(item.text for item in slide.texts) for slide in (one, other))
    return 1 - SequenceMatcher(None, first, second, autojunk=False).ratio()


def channels(color):
    return bytes.fromhex(color[1:])


def restyling(one, other):
    pairs = [(a.font, b.font) for a, b in zip(one.texts, other.texts, strict=True)]
    return fmean(
        (a.name != b.name)
        + abs(a.size - b.size) / a.size
        + len(set(a.style) ^ set(b.style))
        + sum(abs(x - y) for x, y in zip(channels(a.color), channels(b.color), strict=True)) / 765
        for a, b in pairs
    )


DISTANCES = {"geometry": displacement, "text": misspelling, "style": restyling}


@pytest.mark.parametrize("axis", AXES)
def test_severity_zero_changes_nothing(slide, axis):
    assert perturb(slide, axis, 0) == slide
    assert perturb(slide, axis, 1e-13, seed=5) == slide


@pytest.mark.parametrize("axis", AXES)
def test_the_clean_slide_is_left_alone(slide, axis):
    before = slide.model_dump_json()
    assert perturb(slide, axis, 1.0) != slide
    assert slide.model_dump_json() == before


@pytest.mark.parametrize("axis", AXES)
def test_what_an_axis_does_not_concern_stays_as_it_is(slide, axis):
    changed = perturb(slide, axis, 0.9, seed=3)
    assert changed.lines == slide.lines
    if axis != "geometry":
        assert changed.rects == slide.rects
        assert changed.images == slide.images
    if axis != "style":
        assert changed.background == slide.background
    if axis != "text":
        assert [item.text for item in changed.texts] == [item.text for item in slide.texts]


@pytest.mark.by_day(1)
@pytest.mark.parametrize("axis", AXES)
def test_damage_grows_with_severity_in_the_mean_over_seeds(axis):
    slide = plain()
    means = [
        fmean(DISTANCES[axis](slide, perturb(slide, axis, at, seed=seed)) for seed in SEEDS)
        for at in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    assert means[0] == 0
    assert means == sorted(means)
    assert means[-1] > 1.3 * means[1]


@given(
    x=st.integers(250, 450), y=st.integers(150, 250), w=st.integers(60, 300), h=st.integers(30, 120)
)
@examples(15)
def test_boxes_anywhere_near_the_middle_are_displaced_further_at_high_severity(x, y, w, h):
    item = (
        plain(1)
        .texts[0]
        .model_copy(update={"x": x * 1.0, "y": y * 1.0, "w": w * 1.0, "h": h * 1.0})
    )
    slide = plain(1).model_copy(
        update={"texts": (item,) * 20, "rects": (), "images": (), "tables": ()}
    )
    low, high = (
        fmean(displacement(slide, perturb(slide, "geometry", at, seed=seed)) for seed in range(8))
        for at in (0.1, 0.9)
    )
    assert low < high


@given(
    texts=st.lists(st.text(max_size=40), max_size=4),
    severity=st.floats(0, 1),
    seed=st.integers(),
    axis=st.sampled_from(AXES),
)
@examples(150)
def test_whatever_comes_out_fits_the_schema_and_the_frame(texts, severity, seed, axis):
    base = plain(1)
    items = tuple(base.texts[0].model_copy(update={"text": text}) for text in texts)
    changed = perturb(base.model_copy(update={"texts": items}), axis, severity, seed=seed)
    again = PlainSlide.model_validate_json(changed.model_dump_json())
    assert again == changed
    for item in (*again.texts, *again.rects, *again.images, *again.tables):
        assert 0 <= item.x <= 960 - item.w + 0.02
        assert 0 <= item.y <= 540 - item.h + 0.02
        assert item.w >= 1
        assert item.h >= 1
    if severity > 1e-12 and axis == "style":
        shown = [item for item in again.texts if item.text.strip()]
        assert all(6 <= item.font.size <= 120 for item in shown)


@pytest.mark.parametrize("ladder_draws", LADDER_DRAWS)
def test_seed_key_axis_and_severity_each_change_the_slide(slide, ladder_draws):
    options = {"ladder_draws": ladder_draws}
    one = perturb(slide, "geometry", 0.5, seed=1, key="a", **options)
    assert one == perturb(slide, "geometry", 0.5, seed=1, key="a", **options)
    assert one == perturb(slide, "geometry", 0.1 + 0.4, seed=1, key="a", **options)
    others = [
        perturb(slide, "geometry", 0.5, seed=2, key="a", **options),
        perturb(slide, "geometry", 0.5, seed=1, key="b", **options),
        perturb(slide, "geometry", 0.51, seed=1, key="a", **options),
    ]
    assert all(other != one for other in others)


@pytest.mark.long
def test_other_processes_with_other_hash_seeds_give_the_same_bytes(slide):
    program = (
        "from tests.evals.perturb.slides import plain\n"
        "from decklab.evals.perturb.constants import AXES\n"
        "from decklab.evals.perturb.deck import perturb\n"
        "for axis in AXES:\n"
        "    print(perturb(plain(), axis, 0.7, seed=11, key='x').model_dump_json())\n"
    )
    root = str(Path(__file__).parents[3])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True, capture_output=True, text=True, cwd=root,
            env=dict(os.environ, PYTHONHASHSEED=hash_seed, PYTHONPATH=root),
        ).stdout
        for hash_seed in ("0", "1", "4242")
    }  # fmt: skip
    here = "".join(
        perturb(slide, axis, 0.7, seed=11, key="x").model_dump_json() + "\n" for axis in AXES
    )
    assert outputs == {here}


@pytest.mark.parametrize("ladder_draws", LADDER_DRAWS)
def test_the_same_damage_is_done_on_every_platform(slide, ladder_draws):
    """Written down once; a change here is a change of every published ladder."""
    place, line, size = PINNED[ladder_draws]
    moved, spelt, set_in = (
        perturb(slide, axis, 0.5, seed=7, key="pinned", ladder_draws=ladder_draws).texts[0]
        for axis in AXES
    )
    assert (moved.x, moved.y, moved.w, moved.h) == place
    assert spelt.text.partition("\n")[0] == line
    assert set_in.font.size == size


@pytest.mark.parametrize("severity", [-0.1, 1.1, float("nan")])
def test_severities_outside_their_range_are_refused(slide, severity):
    with pytest.raises(ValueError, match="between 0 and 1"):
        perturb(slide, "text", severity)


def test_draws_of_no_known_kind_are_refused(slide):
    with pytest.raises(ValueError, match="coupled or independent"):
        perturb(slide, "text", 0.5, ladder_draws="copied")  # type: ignore[arg-type]


@pytest.mark.parametrize("axis", AXES)
def test_a_blank_slide_has_nothing_to_degrade_but_its_background_and_what_is_put_on_it(axis):
    blank = plain(0).model_copy(update={"rects": (), "lines": (), "images": (), "tables": ()})
    changed = [perturb(blank, axis, 1.0, seed=seed) for seed in range(30)]
    if axis == "geometry":
        assert all(one == blank for one in changed)
    if axis == "text":
        assert {len(one.texts) for one in changed} >= {0, 1, 4}
    if axis == "style":
        assert {one.background != blank.background for one in changed} == {True, False}
