"""What the plan of a model allows and asks for, held against changes that are made up."""

from typing import Any

import pytest

from decklab.diffing.changes import Change, DeckDiff, ElementRef, SlideMoves
from decklab.editing.plan import Plan
from decklab.editor.planning import PlannedChange, plan_of


def planned(**how: object) -> PlannedChange:
    whole: dict[str, object] = {
        "what": "it changes", "kinds": [], "slides": [], "design": False, "shapes": [],
        "required": True, "count": 1, "new_texts": [],
    }  # fmt: skip
    return PlannedChange.model_validate({**whole, **how})


def change(slide: int | None, kind: str = "text", id: int = 3) -> Change:
    return Change.model_validate(
        {"slide": slide, "element": ElementRef(id=id, name="Body"), "kind": kind,
         "property": "text", "old": "a", "new": "b"}
    )  # fmt: skip


def of_slide(slide: int, kind: str = "slide") -> Change:
    return Change.model_validate(
        {"slide": slide, "element": None, "kind": kind, "property": "background", "old": "a",
         "new": "b"}
    )  # fmt: skip


def renamed(slide: int) -> Change:
    return Change(
        slide=slide, element=ElementRef(id=3, name="Body"), kind="name", property="name",
        old="Old name", new="Body", noise=True,
    )  # fmt: skip


def effect(slide: int, line: int | None) -> Change:
    lines = {} if line is None else {"paragraphs": [line, line]}
    return Change(
        slide=slide, element=ElementRef(id=3, name="Body"), kind="animation", property="added",
        old=None, new={"effect": "fade", **lines},
    )  # fmt: skip


def slide(number: int, **has: object) -> dict[str, Any]:
    return {"number": number, "shapes": [], **has}


SNAPSHOT: Any = {
    "slides": [
        slide(1),
        slide(2, notes="Say it."),
        slide(3, notes="Say it, too.", shapes=[{"kind": "table"}]),
    ]
}


def plan(*changes: PlannedChange) -> Plan:
    return plan_of(changes, SNAPSHOT)


def unplanned(plan: Plan, *changes: Change) -> tuple[Change, ...]:
    return plan.unplanned(DeckDiff(changes=changes))


def missing(plan: Plan, *changes: Change, added: tuple[int, ...] = ()) -> list[str]:
    return list(plan.missing(DeckDiff(changes=changes, slides=SlideMoves(added=added))))


@pytest.mark.parametrize(
    ("how", "allowed", "not_allowed"),
    [
        ({"slides": [2]}, change(2), change(3)),
        ({"slides": [2]}, change(2), change(None)),
        ({"slides": [2], "design": True}, change(None), change(3)),
        ({"kinds": ["text"]}, change(7), change(7, "style")),
        ({"kinds": ["text"]}, change(7), change(None)),
        ({"kinds": ["text"], "design": True}, change(7), change(7, "style")),
        ({"kinds": ["text"], "design": True}, change(None), change(None, "style")),
        ({"slides": [2], "shapes": ["3"]}, change(2), change(2, id=4)),
        ({"slides": [2], "shapes": ["Body"]}, change(2), change(3)),
        ({"kinds": ["slide"], "slides": [2], "shapes": ["9"]}, of_slide(2), change(2)),
        ({"kinds": ["text", "notes"], "slides": [2], "shapes": ["9"]},
         of_slide(2, "notes"), change(2)),
        ({"kinds": ["text"], "slides": [2], "shapes": ["Body"]}, change(2), of_slide(2)),
        ({"slides": [2], "shapes": ["Body"]}, change(2), of_slide(2)),
        ({"kinds": ["added"], "slides": [2], "shapes": ["New box"]},
         change(2, "added"), change(2, "removed")),
    ],
)  # fmt: skip
def test_a_planned_change_allows_what_it_says_and_no_more(
    how: dict[str, object], allowed: Change, not_allowed: Change
) -> None:
    assert unplanned(plan(planned(**how)), allowed, not_allowed) == (not_allowed,)


@pytest.mark.parametrize(
    ("how", "came", "what"),
    [
        ({"kinds": ["text", "style"], "slides": [2]}, [change(2), change(2, "style")], []),
        ({"kinds": ["text", "style"], "slides": [2]}, [change(2)],
         ["it changes: style (slide 2)"]),
        ({"kinds": ["text", "style"], "slides": [1, 2]},
         [change(1), change(2), change(2, "style")], ["it changes: style (slide 1)"]),
        ({"kinds": ["text", "table"], "slides": [1, 2]}, [change(1), change(2)], []),
        ({"kinds": ["text", "table"], "slides": [2, 3]}, [change(2), change(3)],
         ["it changes: table (slide 3)"]),
        ({"kinds": ["text", "notes"]}, [change(1)], ["it changes: notes"]),
        ({"kinds": ["text", "notes"]}, [change(1), of_slide(3, "notes")], []),
        ({"kinds": ["text", "notes"], "slides": [1]}, [change(1)],
         ["it changes: notes (slide 1)"]),
        ({"kinds": ["style", "theme"], "slides": [1], "design": True},
         [change(1, "style"), change(None, "style")],
         ["it changes: theme"]),
        ({"kinds": ["text", "master", "section"], "design": True}, [change(1)], []),
        ({"kinds": ["text", "added"], "slides": [1]}, [change(1, "added")], []),
        ({"kinds": ["text", "added"], "slides": [1]}, [change(1)],
         ["it changes: added (slide 1)"]),
        ({"kinds": ["text", "style"], "slides": [2], "required": False}, [], []),
        ({"kinds": ["name"], "slides": [2]}, [renamed(2)], []),
    ],
)  # fmt: skip
def test_each_kind_of_a_required_change_has_to_come(
    how: dict[str, object], came: list[Change], what: list[str]
) -> None:
    assert missing(plan(planned(**how)), *came) == what


def test_what_a_new_slide_holds_comes_with_it() -> None:
    new = planned(kinds=["slide", "text"], slides=[2])
    made = Change(slide=2, element=None, kind="slide", property="added", old=None, new="Title")
    assert missing(plan(new), made, added=(2,)) == []
    assert missing(plan(new)) == ["it changes (slide 2)", "it changes: slide (slide 2)",
                                  "it changes: text (slide 2)"]  # fmt: skip


def test_as_many_changes_as_were_planned_have_to_come() -> None:
    each = plan(planned(kinds=["animation"], slides=[2], count=3))
    assert missing(each, effect(2, 0), effect(2, 1), effect(2, 2)) == []
    assert missing(each, effect(2, 0), effect(2, 1)) == ["it changes (slide 2): 2 of 3"]
    assert missing(each, *[effect(2, None)] * 3) == ["it changes (slide 2): 1 of 3"]
    boxes = plan(planned(kinds=["added"], count=2))
    assert missing(boxes, change(1, "added"), change(3, "added")) == []
    assert missing(boxes, change(1, "added")) == ["it changes: 1 of 2"]


def test_a_shape_that_got_another_name_is_still_the_one_that_was_planned() -> None:
    meant = plan(planned(kinds=["text"], slides=[2], shapes=["Old name"]))
    assert unplanned(meant, renamed(2), change(2)) == ()
    assert missing(meant, renamed(2), change(2)) == []
    assert unplanned(meant, renamed(3), change(2)) == (change(2),)


@pytest.mark.parametrize("kinds", [["style"], ["chart"], ["diagram"], ["table", "style"]])
def test_a_named_shape_is_asked_for_once_whatever_changes_in_it(kinds: list[str]) -> None:
    """A model counts fill and outline of a box as two; the box is one place."""
    box = planned(kinds=kinds, slides=[2], shapes=["Body"], count=2)
    changes = [change(2, kind) for kind in kinds]
    assert missing(plan(box), *changes) == []
    assert missing(plan(box)) != []
    both = planned(kinds=kinds, slides=[2], shapes=["Body", "7"], count=2)
    assert missing(plan(both), *changes) == ["it changes (slide 2): 1 of 2"]


def test_effects_of_one_shape_are_counted() -> None:
    lines = planned(kinds=["animation"], slides=[2], shapes=["Body"], count=2)
    assert missing(plan(lines), effect(2, 0)) == ["it changes (slide 2): 1 of 2"]
    assert missing(plan(lines), effect(2, 0), effect(2, 1)) == []
