from typing import Any

import pytest

from decklab.diff import Change, DeckDiff, ElementRef, sentence, words

BOX = ElementRef(id=7, name="Box")


def change(kind: Any, property: str, old: Any, new: Any, **others: Any) -> Change:
    values = {"slide": 2, "element": BOX, "noise": False} | others
    return Change(kind=kind, property=property, old=old, new=new, **values)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (change("text", "text", "a red fox", "a blue fox"),
         "Slide 2: in “Box” (id 7), “red” became “blue”."),
        (change("geometry", "position", [1.0, 2.5], [3.0, 2.5]),
         "Slide 2: position of “Box” (id 7) changed from (1, 2.5) to (3, 2.5)."),
        (change("style", "font.bold", False, True),
         "Slide 2: font bold of “Box” (id 7) changed from no to yes."),
        (change("z-order", "z", 4, 1),
         "Slide 2: “Box” (id 7) went backward in drawing order, from 4 to 1."),
        (change("slide", "moved", 5, 2, element=None),
         "Slide 2: the slide moved here from place 5."),
        (change("notes", "text", "", "Speak up", element=None),
         "Slide 2: speaker notes were added: “Speak up”."),
        (change("theme", "color accent1", "#112233", "#445566", slide=None,
                element=ElementRef(id=0, name="", sheet="Office")),
         "Theme “Office”: color accent1 changed from #112233 to #445566."),
        (change("chart", "values", [1.0, 2.0], [1.0, 3.0]),
         "Slide 2: in the chart “Box” (id 7), value 2 from 2 to 3 changed."),
        (change("properties", "title", None, "New", slide=None, element=None),
         "Deck: property title changed from none to “New”."),
        (change("removed", "shape", {"kind": "shape", "text": "Hi"}, None),
         "Slide 2: the shape “Box” (id 7) with the text “Hi” was removed."),
    ],
)  # fmt: skip
def test_changes_read_as_sentences(found: Change, told: str) -> None:
    assert sentence(found) == told


def test_noise_is_left_out_unless_asked_for() -> None:
    loud, quiet = change("text", "text", "a", "b"), change("name", "id", 1, 2, noise=True)
    deck = DeckDiff(changes=(loud, quiet))
    assert len(words(deck)) == 1 and len(words(deck, noise=True)) == 2


def test_long_texts_are_cut_and_stay_on_one_line() -> None:
    told = sentence(change("added", "shape", None, {"kind": "shape", "text": "many\nwords " * 99}))
    assert "\n" not in told and len(told) < 200
