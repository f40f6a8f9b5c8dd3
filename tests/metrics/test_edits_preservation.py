from typing import Any

import pytest

from decklab.core.results import NotScored
from decklab.diffing.changes import Change, DeckDiff, Kind, SlideMoves
from decklab.diffing.snapshots import DeckEdit
from decklab.metrics.edits import preservation

Deck = dict[str, Any]


def test_one_of_the_units_left_alone_is_lost(deck: Deck, other: Deck, third: Deck) -> None:
    other["slides"][1]["notes"] = "As asked."
    third["slides"][1]["notes"] = "As asked."
    third["slides"][3]["shapes"][0]["x"] = 500.0
    found = preservation(DeckEdit.of(deck, other), DeckEdit.of(deck, third))
    shapes = sum(len(slide["shapes"]) for slide in deck["slides"])
    # 4 facets of each shape; 9 units of each slide; 5 of the deck; theme, master, layouts;
    # less the notes that were asked for
    sheets = len(deck["themes"]) + len(deck["masters"]) + len(deck["layouts"])
    units = 4 * shapes + 9 * 7 + 5 + sheets - 1
    assert found.units == units
    assert found.share == pytest.approx(1 - 1 / units)
    assert found.touched == (("shape", 4, 2, "place"),)


def test_what_was_asked_for_cannot_be_lost(deck: Deck, other: Deck, third: Deck) -> None:
    other["slides"][1]["notes"] = "As asked."
    third["slides"][1]["notes"] = "Not as asked."
    assert preservation(DeckEdit.of(deck, other), DeckEdit.of(deck, third)).share == 1


def test_the_untouched_deck_preserves_everything(deck: Deck, other: Deck) -> None:
    other["slides"][1]["notes"] = "As asked."
    assert preservation(DeckEdit.of(deck, other), DeckEdit.of(deck, deck)).share == 1


def test_a_theme_that_changes_changes_every_slide(deck: Deck, other: Deck, third: Deck) -> None:
    other["slides"][1]["notes"] = "As asked."
    third["slides"][1]["notes"] = "As asked."
    third["themes"][0]["colors"]["accent1"] = "#FF0000"
    found = preservation(DeckEdit.of(deck, other), DeckEdit.of(deck, third))
    assert ("theme", deck["themes"][0]["name"]) in found.touched
    assert sum(unit[0] == "slide" and unit[2] == "look" for unit in found.touched) == 7


def test_a_slide_that_is_gone_is_lost_with_all_that_was_on_it(
    deck: Deck, other: Deck, third: Deck
) -> None:
    other["slides"][1]["notes"] = "As asked."
    third["slides"][1]["notes"] = "As asked."
    gone = third["slides"].pop()
    found = preservation(DeckEdit.of(deck, other), DeckEdit.of(deck, third))
    assert len(found.touched) == 9 + 4 * len(gone["shapes"])


def test_an_empty_deck_has_only_the_units_of_the_deck_itself(deck: Deck) -> None:
    empty = {**deck, "slides": [], "themes": [], "masters": [], "layouts": []}
    found = preservation(DeckEdit.of(empty, empty), DeckEdit.of(empty, empty))
    assert (found.units, found.share) == (5, 1)


def test_a_truth_that_leaves_nothing_alone_is_not_scored() -> None:
    bare: Deck = {"slides": []}
    kinds: tuple[tuple[Kind, str], ...] = (
        ("slide", "added"), ("section", "name"), ("show", "name"), ("properties", "title"),
        ("other", "size"),
    )  # fmt: skip
    changes = tuple(
        Change(slide=None if kind != "slide" else 1, element=None, kind=kind, property=name,
               old=None, new="x")
        for kind, name in kinds
    )  # fmt: skip
    after: Deck = {"slides": [{"number": 1, "shapes": []}]}
    edit = DeckEdit(bare, after, DeckDiff(changes=changes, slides=SlideMoves(added=(1,))))
    assert preservation(edit, edit).share == NotScored("the truth leaves nothing as it was")
