from typing import Any

import pytest

from decklab.diffing.changes import Change, DeckDiff, ElementRef
from decklab.diffing.wording import in_centimetres, sentence, words, words_by_slide

BOX = ElementRef(id=7, name="Box")


def change(kind: Any, property: str, old: Any, new: Any, **others: Any) -> Change:
    values: dict[str, Any] = {"slide": 2, "element": BOX, "noise": False} | others
    return Change(kind=kind, property=property, old=old, new=new, **values)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (change("text", "text", "a red fox", "a blue fox"),
         "Slide 2: in “Box” (id 7), “red” became “blue”."),
        (change("geometry", "position", [1.0, 2.5], [3.0, 2.5]),
         "Slide 2: position of “Box” (id 7) changed from (1, 2.5) to (3, 2.5) px."),
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
         "Theme “Office”: color accent 1 changed from #112233 to #445566."),
        (change("chart", "values", [1.0, 2.0], [1.0, 3.0]),
         "Slide 2: in the chart “Box” (id 7), value 2 from 2 to 3 changed."),
        (change("properties", "title", None, "New", slide=None, element=None),
         "Deck: property title changed from none to “New”."),
        (change("link", "click", None, {"kind": "url", "target": "https://example.org"}),
         "Slide 2: the link of “Box” (id 7) was added: url “https://example.org”."),
        (change("link", "hover", {"kind": "slide", "target": "256"}, None),
         "Slide 2: the link on hovering of “Box” (id 7) was removed: the slide with id 256."),
        (change("picture", "crop", {"left": 0.0, "top": 0.1}, {"left": 0.25, "top": 0.1}),
         "Slide 2: crop of “Box” (id 7) changed from 10 % at the top to 25 % at the left, "
         "10 % at the top."),
        (change("style", "paragraph.bullet", {"kind": "character", "character": "•"}, None),
         "Slide 2: paragraph bullet of “Box” (id 7) changed from character “•” to none."),
        (change("slide", "removed", "Risks", None, element=None),
         "Slide 2 of the older deck: this slide was removed, titled “Risks”."),
        (change("text", "text", "two words", "two\nwords"),
         "Slide 2: in “Box” (id 7), a space became a line break."),
        (change("removed", "shape", {"kind": "shape", "text": "Hi"}, None),
         "Slide 2: the shape “Box” (id 7) with the text “Hi” was removed."),
        (change("slide", "added", None, "", element=None),
         "Slide 2: this slide was added, without a title."),
        (change("section", "added", None, "Outlook", slide=None, element=None),
         "Deck: a section was added: “Outlook”."),
        (change("show", "removed", "Short talk", None, slide=None, element=None),
         "Deck: the custom show was removed: “Short talk”."),
    ],
)  # fmt: skip
def test_changes_read_as_sentences(found: Change, told: str) -> None:
    assert sentence(found) == told


NUMBERS = "one two three four five six seven eight nine"


@pytest.mark.parametrize(
    ("new", "more"),
    [
        ("ONE two THREE four FIVE six seven eight nine", ""),
        ("ONE two THREE four FIVE six SEVEN eight nine", " and 1 more edit"),
        ("ONE two THREE four FIVE six SEVEN eight NINE", " and 2 more edits"),
    ],
)
def test_edits_of_a_text_after_the_third_are_counted(new: str, more: str) -> None:
    first = "“one” became “ONE”; “three” became “THREE”; “five” became “FIVE”"
    told = sentence(change("text", "text", NUMBERS, new))
    assert told == f"Slide 2: in “Box” (id 7), {first}{more}."


def test_values_of_a_chart_after_the_third_are_counted() -> None:
    first = "value 1 from 1 to 5, value 2 from 2 to 5, value 3 from 3 to 5"
    for now, more in (([5.0, 5.0, 5.0, 4.0], ""), ([5.0, 5.0, 5.0, 5.0], " and 1 more")):
        told = sentence(change("chart", "values", [1.0, 2.0, 3.0, 4.0], now))
        assert told == f"Slide 2: in the chart “Box” (id 7), {first}{more} changed."


def test_noise_is_left_out_unless_asked_for() -> None:
    loud, quiet = change("text", "text", "a", "b"), change("name", "id", 1, 2, noise=True)
    deck = DeckDiff(changes=(loud, quiet))
    assert len(words(deck)) == 1


def test_long_texts_are_cut_and_stay_on_one_line() -> None:
    told = sentence(change("added", "shape", None, {"kind": "shape", "text": "many\nwords " * 99}))
    assert "\n" not in told and len(told) < 200


def test_changes_come_by_slide_and_removed_slides_stand_apart() -> None:
    deck = change("properties", "title", None, "New", slide=None, element=None)
    gone = change("slide", "removed", "Risks", None, element=None)
    found = words_by_slide([deck, gone, change("text", "text", "a", "b")])
    assert [one.place for one in found] == ["Deck", "Slide 2 of the older deck", "Slide 2"]
    assert found[2].clauses == ("in “Box” (id 7), “a” became “b”",)


def test_centimetres_are_those_of_the_slides_of_each_deck() -> None:
    moved = change("geometry", "position", [480.0, 270.0], [480.0, 270.0])
    assert in_centimetres(moved, (720, 540), (960, 540)) == (
        "position of “Box” (id 7) changed from (12.7, 9.53) to (16.93, 9.53) cm"
    )
    turned = change("geometry", "rotation", 0.0, 90.0)
    assert in_centimetres(turned, (720, 540), (720, 540)).endswith("from 0 to 90 degrees")
    gone = change("geometry", "size", [960.0, 540.0], None)
    assert in_centimetres(gone, (720, 540), (720, 540)).endswith("from (25.4, 19.05) to none")


def test_sizes_of_letters_are_in_points() -> None:
    assert sentence(change("style", "font.size", 44.0, 30.0)).endswith("from 44 to 30 pt.")
