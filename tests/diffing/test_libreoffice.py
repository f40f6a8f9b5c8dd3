"""Rules on what LibreOffice does by itself when it saves."""

from typing import Any

import pytest

from decklab.diffing.changes import Difference, Placed
from decklab.diffing.libreoffice import SlideContext, rewritten


def alone(*difference: Any) -> Placed:
    return Placed(None, None, Difference(*difference))


def box(x: float, y: float, w: float, h: float, **more: Any) -> dict[str, Any]:
    return {"kind": "shape", "x": x, "y": y, "w": w, "h": h, "groups": [7], **more}


@pytest.mark.parametrize(
    "difference",
    [
        Difference("properties", "ShowNotes", "true", "1"),
        Difference("transition", "removed", {"name": "zoom"}, None),
        Difference("transition", "effect", {"name": "morph"}, {"name": "fade"}),
        Difference("slide", "name", "Slide 1", ""),
        Difference("text", "text", "one\v two", "one two"),
        Difference("style", "cell.fill", None, "#729FCF"),
        Difference("style", "body.anchor", "top", "middle", "", ("", "shape")),
        Difference("other", "sha256", "a" * 64, "b" * 64),
    ],
    ids=lambda one: f"{one.kind} {one.property}",
)
def test_what_it_writes_its_own_way_is_noise(difference: Difference) -> None:
    assert rewritten(Placed(None, None, difference), SlideContext())


@pytest.mark.parametrize(
    "difference",
    [
        Difference("properties", "slide size", [960.0, 540.0], [720.0, 540.0]),
        Difference("properties", "title", "true", "false"),
        Difference("transition", "removed", {"name": "fade"}, None),
        Difference("slide", "name", "One", "PackagePair"),
        Difference("text", "text", "one two", "one too"),
        Difference("section", "name", "Intro", "Start"),
        Difference("slide", "background", {"kind": "gradient", "stops": []}, "#12AB56"),
        Difference("slide", "hidden", False, True),
    ],
    ids=lambda one: f"{one.kind} {one.property}",
)
def test_what_somebody_did_is_no_noise(difference: Difference) -> None:
    assert not rewritten(Placed(None, None, difference), SlideContext())


def test_sections_are_noise_only_where_none_came_back() -> None:
    gone = alone("section", "removed", "Intro", None)
    assert rewritten(gone, SlideContext(drops_lists=True)) and not rewritten(gone, SlideContext())


def test_a_group_drawn_anew_around_members_that_stay_was_not_moved() -> None:
    groups = [{"kind": "group", "id": id, "x": x, "y": 0.0, "w": 100.0, "h": 50.0}
              for id, x in ((7, 0.0), (9, 20.0))]  # fmt: skip
    found = Difference("geometry", "position", [0.0, 0.0], [20.0, 0.0])
    old = {"shapes": [groups[0], box(30, 10, 20, 20), box(60, 10, 20, 20)]}
    stay = {"shapes": [groups[1], box(30, 10, 20, 20, groups=[9]), box(61, 8, 18, 24, groups=[9])]}
    move = {"shapes": [groups[1], box(50, 10, 20, 20, groups=[9]), box(80, 10, 20, 20, groups=[9])]}
    placed = Placed(groups[0], groups[1], found)
    assert rewritten(placed, SlideContext(old=old, new=stay))
    assert not rewritten(placed, SlideContext(old=old, new=move))


def test_the_picture_of_an_object_that_is_gone_was_not_added() -> None:
    picture = {"kind": "image", "name": "Object 3", "image": {"sha256": "a" * 64}}
    found = Placed(None, picture, Difference("added", "image", None, {}))
    there = {"shapes": [{"kind": "other", "name": "Object 3"}]}
    assert rewritten(found, SlideContext(old=there)) and not rewritten(found, SlideContext())
