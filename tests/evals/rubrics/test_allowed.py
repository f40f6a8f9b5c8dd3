"""What a rubric says may change, by property."""

from typing import Any

import pytest

from decklab.diffing.changes import Change, ElementRef, Kind
from decklab.evals.rubrics.rubric import AllowedChanges, Rubric, RubricError, RubricNode

BOX = ("Storage box", "Heat for a day")


def scope(*stated: dict[str, Any]) -> AllowedChanges:
    found = AllowedChanges.of(Rubric(RubricNode("all"), {"may_change": list(stated)}))
    assert found is not None
    return found


def change(kind: Kind, property: str, part: str = "") -> Change:
    element = ElementRef(id=3, name="Storage box", part=part)
    return Change(slide=2, element=element, kind=kind, property=property, old=1, new=2)


BOLD = change("style", "font.bold")


def test_only_the_named_property_of_the_named_shape_may_change() -> None:
    bold = scope({"slide": 2, "shapes": ["* box"], "may": ["style:font.bold"]})
    assert bold.names(2, BOLD, BOX)
    assert not bold.names(2, change("style", "font.strike"), BOX)
    assert not bold.names(2, change("geometry", "position"), BOX)
    assert not bold.names(3, BOLD, BOX)
    assert not bold.names(2, BOLD, ("Title 1", ""))
    assert not bold.names(2, BOLD, None)


def test_words_choose_shapes_and_no_shape_is_the_slide_itself() -> None:
    by_words = scope({"slide": 2, "words": ["heat"], "may": ["text:*"]})
    assert by_words.names(2, change("text", "text"), BOX)
    assert not by_words.names(2, change("text", "text"), ("Storage box", "Cold"))
    slide = scope({"slide": 2, "may": ["notes:text"]})
    notes = Change(slide=2, element=None, kind="notes", property="text", old="", new="x")
    assert slide.names(2, notes, None) and not slide.names(2, BOLD, BOX)


def test_parts_narrow_a_change_to_some_cells() -> None:
    cells = scope({"slide": 2, "shapes": ["*"], "parts": ["row 6, column 2"],
                   "may": ["table:cell text"]})  # fmt: skip
    assert cells.names(2, change("table", "cell text", "row 6, column 2"), BOX)
    assert not cells.names(2, change("table", "cell text", "row 6, column 3"), BOX)
    assert not cells.names(2, change("table", "cell text", "row 6, column 2; row 1, column 1"), BOX)


def test_what_does_not_show_does_not_free_the_look_of_a_shape() -> None:
    moves = scope({"slide": 2, "shapes": ["*"], "may": ["animation:added", "alt text:*"]})
    assert not moves.look(2, *BOX)
    for shows in ("style:fill", "link:click"):
        assert scope({"slide": 2, "shapes": ["*"], "may": [shows]}).look(2, *BOX)
    assert not scope({"slide": 2, "may": ["notes:text"]}).look(2, *BOX)


def test_slides_and_new_shapes_are_counted() -> None:
    found = scope({"slide": 2, "new": 1}, {"added": 4}, {"removed": 5}, {"moved": True})
    assert (found.added, set(found.removed), found.moved) == (1, {5}, True)
    assert (found.new_shapes(2), found.new_shapes(3)) == (1, 0)
    assert AllowedChanges.of(Rubric(RubricNode("all"))) is None


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ([{"slide": 1, "also": ["notes"]}], "metadata.may_change[0]: has the unknown key 'also'"),
        (["slide 1"], "metadata.may_change[0]: is not an object"),
        ({"slide": 1}, "metadata.may_change: is not a list"),
    ],
)
def test_a_list_that_says_something_else_is_an_error(stated: Any, told: str) -> None:
    with pytest.raises(RubricError) as error:
        AllowedChanges.of(Rubric(RubricNode("all"), {"may_change": stated}, "r.json"))
    assert str(error.value).startswith(f"r.json: {told}")


def test_words_free_the_look_of_the_shapes_that_hold_them_only() -> None:
    by_words = scope({"slide": 2, "words": ["heat"], "may": ["text:text"]})
    assert by_words.look(2, *BOX) and not by_words.look(2, "Title 1", "Cold")
