"""Held against golden values of PPT-Eval's own diff evaluator, field by field.

What ours say otherwise has a name in ``NAMED``, with every value; docs/rubrics.md explains each.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.diffing.rubric_edits import EDITS, GOLDEN, make

from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.ppteval_diff import ppt_diff
from decklab.diffing.ppteval_records import PowerPointDiff
from decklab.ooxml.package import Package

DOCS = Path(__file__).parents[3] / "docs" / "rubrics.md"
FIELDS = [
    f"{what}_{of}" for of in ("animations", "transitions", "slides")
    for what in ("added", "removed", "modified")
]  # fmt: skip
TEMPLATES = {
    "master background": ("master", "Office Theme"),
    "master title size": ("master", "Office Theme"),
    "layout placeholder moved": ("layout", "Title and Content"),
    "theme colour": ("theme", "Office Theme"),
}
OUTSIDE_ITS_TABLE = (
    "added_animations: 10 -> 1",
    "added_animations.element_type: 'content' -> 'shape'",
)
RENUMBERED = (
    "removed_animations: 1 -> 0", "modified_animations: 1 -> 0", "added_transitions: 1 -> 0",
    "removed_transitions: 1 -> 0",
)  # fmt: skip

NAMED: dict[str, dict[str, tuple[str, ...]]] = {
    "names of presets": {
        "fly in from bottom": (
            "added_animations.effect_type: 'fly_in_from_top' -> 'fly_in_from_bottom'",
        ),
        "appear": ("added_animations.effect_type: 'fade_in' -> 'appear'",),
        "grow": ("added_animations.effect_type: 'wave' -> 'grow_shrink'",),
        "spin with previous": ("added_animations.effect_type: 'darken' -> 'spin'",),
    },
    "presets it does not know": {
        "fade": (
            *OUTSIDE_ITS_TABLE,
            "added_animations.effect_type: 'animEffect' -> 'fade_in'",
            "added_animations.trigger: 'onClick' -> 'click'",
        ),
        "wipe from left": (
            *OUTSIDE_ITS_TABLE,
            "added_animations.effect_type: 'animEffect' -> 'wipe_from_left'",
            "added_animations.trigger: 'onClick' -> 'click'",
        ),
        "split": (
            *OUTSIDE_ITS_TABLE,
            "added_animations.effect_type: 'animEffect' -> 'split_vertical_in'",
            "added_animations.trigger: 'onClick' -> 'click'",
        ),
        "zoom": (
            *OUTSIDE_ITS_TABLE,
            "added_animations.effect_type: 'animEffect' -> 'zoom_in'",
            "added_animations.trigger: 'onClick' -> 'click'",
        ),
        "fade out": (
            *OUTSIDE_ITS_TABLE,
            "added_animations.effect_type: 'animEffect' -> 'fade_out'",
            "added_animations.trigger: 'onClick' -> 'on_click'",
        ),
        "effect replaced": (
            "added_animations: 9 -> 0",
            "modified_animations.after.effect_type: 'animEffect' -> 'fade_in'",
            "modified_animations.after.trigger: 'onClick' -> 'click'",
            "modified_animations.after.element_type: 'content' -> 'shape'",
        ),
    },
    "the same effect twice": {"fly in twice": ("added_animations: 1 -> 2",)},
    "effects that play media": {"media plays": ("added_animations: 0 -> 1",)},
    "triggers": {
        "fly in with previous": ("added_animations.trigger: 'click' -> 'with_previous'",),
        "fly in after previous": ("added_animations.trigger: 'click' -> 'after_previous'",),
        "color emphasis": ("added_animations.trigger: 'with_previous' -> 'on_click'",),
        "grow": ("added_animations.trigger: 'with_previous' -> 'on_click'",),
        "effect on another trigger": ("modified_animations: 0 -> 1",),
    },
    "delay and duration of effects": {
        "fly in after previous": ("added_animations.delay: 0.0 -> 1.0",),
        "fly in, slowly": ("added_animations.duration: 0.5 -> 3.0",),
        "color emphasis": ("added_animations.duration: 1.0 -> 0.5",),
        "grow": ("added_animations.duration: 1.0 -> 2.0",),
        "spin with previous": ("added_animations.duration: 1.0 -> 2.0",),
        "effect takes longer": ("modified_animations: 0 -> 1",),
    },
    "duration of transitions": {
        "transition of 2 s": ("added_transitions.duration: 0.5 -> 2.0",),
        "transition vortex": ("added_transitions.duration: 0.5 -> 4.0",),
        "transition slow": ("added_transitions.duration: 0.5 -> 0.75",),
        "transition removed": ("removed_transitions.duration: 0.5 -> 0.75",),
        **{
            name: tuple(
                f"modified_transitions.{side}.duration: 0.5 -> 0.75" for side in ("before", "after")
            )
            for name in ("transition from the other side", "transition replaced")
        },
    },
    "transitions by preset": {
        "transition page curl": (
            "added_transitions.transition_type: 'prstTrans' -> 'pageCurlDouble'",
        ),
    },
    "direction of a split": {
        "transition split": ("added_transitions.direction: None -> 'vert'",),
    },
    "what is beside the slide's XML": {
        "notes": ("modified_slides: 0 -> 1",),
        "notes added": ("modified_slides: 0 -> 1",),
        "layout": ("modified_slides: 0 -> 1",),
        "picture replaced": ("modified_slides: 0 -> 1",),
    },
    "text of notes": {
        "table cell": tuple(
            f"modified_slides.{side}.notes: "
            "'Say it slowly and clearly' -> 'Say it slowly\\nand clearly'"
            for side in ("before", "after")
        ),
        "third slide removed": (
            "removed_slides.notes: "
            "'Say it slowly and clearly' -> 'Say it slowly\\nand clearly'",
        ),
    },
    "title": {
        "subtitle before title": (
            "modified_slides.after.title: 'Underneath' -> 'Topic 1'",
        ),
    },
    "slides removed or moved": {
        "first slide removed": RENUMBERED,
        "third slide removed": RENUMBERED,
        "fifth slide removed": ("removed_animations: 1 -> 0", "removed_transitions: 1 -> 0"),
        "slide moved": (
            "added_animations: 1 -> 0", "removed_animations: 1 -> 0",
            "added_transitions: 1 -> 0", "removed_transitions: 1 -> 0",
        ),
    },
    "slide ids": {
        "slide id given anew": ("added_slides: 1 -> 0", "removed_slides: 1 -> 0"),
    },
}  # fmt: skip
"""By name of the difference and edit: what the evaluator says, and what ours says instead."""


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))["edits"]
    return found


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PowerPointDiff]:
    folder = tmp_path_factory.mktemp("edits")
    found, known = {}, None
    for name, old, new in make(folder):
        known = known or taken(old)
        found[name] = ppt_diff(old, new, snapshots=(known, taken(new)))
    return found


def taken(path: Path) -> Snapshot:
    with Package.open(path) as package:
        return snapshot(package)


def sides(record: Any) -> list[Any]:
    return record if isinstance(record, list) else [record]


def place(record: Any) -> tuple[Any, ...]:
    first = sides(record)[0]
    return first["slide_id"], first.get("element_id")


def differences(theirs: dict[str, Any], ours: dict[str, Any]) -> Iterator[str]:
    """Lists of another length for a slide or element, and fields with another value."""
    for name in FIELDS:
        two = theirs.get(name, []), ours[name]
        for where in dict.fromkeys(place(one) for side in two for one in side):
            old, new = ([one for one in side if place(one) == where] for side in two)
            if len(old) != len(new):
                yield f"{name}: {len(old)} -> {len(new)}"
            if old and new:
                yield from unequal_fields(name, old[0], new[0])


def unequal_fields(name: str, old: Any, new: Any) -> Iterator[str]:
    marks = [".before", ".after"] if isinstance(old, list) else [""]
    for mark, a, b in zip(marks, sides(old), sides(new), strict=True):
        assert a.keys() == b.keys() - {"content_hash"}
        for field in a:
            if a[field] != b[field]:
                yield f"{name}{mark}.{field}: {a[field]!r} -> {b[field]!r}"


def test_the_golden_values_are_of_these_edits(golden: dict[str, Any]) -> None:
    assert list(golden) == list(EDITS) and len(golden) > 70


@pytest.mark.parametrize("edit", EDITS)
def test_values_are_the_evaluators_or_differ_by_name(
    edit: str, golden: dict[str, Any], ours: dict[str, PowerPointDiff]
) -> None:
    named = {one for edits in NAMED.values() for one in edits.get(edit, ())}
    assert set(differences(golden[edit], ours[edit].to_dict())) == named


def test_every_named_difference_is_of_an_edit() -> None:
    assert {edit for edits in NAMED.values() for edit in edits} <= EDITS.keys()


def test_the_docs_list_just_these_differences() -> None:
    """The names are the first column of the table below the heading."""
    text = DOCS.read_text(encoding="utf-8").partition("### Where ours differ")[2]
    rows = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("|")]
    assert rows[2:][: len(NAMED)] == list(NAMED)


@pytest.mark.parametrize("edit", EDITS)
def test_templates_and_slide_size_stand_in_fields_of_their_own(
    edit: str, ours: dict[str, PowerPointDiff]
) -> None:
    found = ours[edit]
    if edit == "slide size":
        ((was, now),) = found.modified_slide_size
        assert (was.width, was.height, now.width, now.height) == (720, 540, 959.98, 540)
    else:
        assert found.modified_slide_size == []
        told = {(was.kind, was.name) for was, _now in found.modified_templates}
        assert told == ({TEMPLATES[edit]} if edit in TEMPLATES else set())
    assert (found.added_templates, found.removed_templates) == ([], [])


def test_a_template_comes_as_a_pair_with_what_differs(ours: dict[str, PowerPointDiff]) -> None:
    ((was, now),) = ours["master background"].modified_templates
    assert was.to_dict() == {
        "kind": "master", "name": "Office Theme", "properties": {"background": "#FFFFFF"},
    }  # fmt: skip
    assert now.properties == {"background": "#FF0000"}


@pytest.mark.parametrize("edit", EDITS)
def test_a_content_hash_differs_just_where_a_slide_does(
    edit: str, ours: dict[str, PowerPointDiff]
) -> None:
    for was, now in ours[edit].modified_slides:
        assert was.content_hash != now.content_hash
