from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from tests.examples import examples

from decklab.core.results import NotScored
from decklab.diffing.snapshots import DeckEdit
from decklab.metrics.edits import change_agreement, preservation, same_value

Deck = dict[str, Any]


def shape(deck: Deck, slide: int, name: str) -> dict[str, Any]:
    return next(one for one in deck["slides"][slide - 1]["shapes"] if one["name"] == name)


def retitle(deck: Deck, slide: int, words: str) -> None:
    text = shape(deck, slide, "Title 1")["text"]
    text["text"] = words
    text["paragraphs"][0]["runs"][0]["text"] = words


def scores(deck: Deck, truth: Deck, made: Deck) -> tuple[Any, Any, Any]:
    found = change_agreement(DeckEdit.of(deck, truth), DeckEdit.of(deck, made))
    return found.recall, found.precision, found.f1


def test_the_truth_itself_is_perfect(deck: Deck, other: Deck) -> None:
    retitle(other, 2, "The season in short")
    assert scores(deck, other, other) == (1, 1, 1)


def test_half_of_what_was_asked_and_one_thing_more(deck: Deck, other: Deck, third: Deck) -> None:
    retitle(other, 2, "The season in short")
    retitle(other, 3, "Work")
    retitle(third, 2, "The season in short")
    retitle(third, 4, "Ups and downs")
    shape(third, 5, "Text Placeholder 3")["x"] += 200
    # asked 2, made 3, in common 1
    assert scores(deck, other, third) == (1 / 2, 1 / 3, 2 / 5)


def test_nothing_done_has_no_precision_and_an_f1_of_0(deck: Deck, other: Deck) -> None:
    retitle(other, 2, "The season in short")
    recall, precision, f1 = scores(deck, other, deck)
    assert (recall, f1) == (0, 0)
    assert precision == NotScored("nothing was changed")


def test_nothing_asked_has_no_recall(deck: Deck, other: Deck) -> None:
    retitle(other, 2, "The season in short")
    recall, precision, f1 = scores(deck, deck, other)
    assert precision == 0
    assert recall == f1 == NotScored("the truth asks for no change")


def test_the_right_words_on_the_wrong_slide_are_wrong(deck: Deck, other: Deck, third: Deck) -> None:
    retitle(other, 2, "The season in short")
    retitle(third, 3, "The season in short")
    assert scores(deck, other, third) == (0, 0, 0)


@pytest.mark.parametrize(("off", "same"), [(9.0, True), (10.0, False)])
def test_a_place_may_be_off_by_a_hundredth_of_the_frame(
    deck: Deck, other: Deck, third: Deck, off: float, same: bool
) -> None:
    shape(other, 5, "Text Placeholder 3")["x"] += 100
    shape(third, 5, "Text Placeholder 3")["x"] += 100 + off
    assert scores(deck, other, third)[0] == float(same)


def test_paragraphs_count_one_by_one(deck: Deck, other: Deck, third: Deck) -> None:
    for made, lines in ((other, (0, 1, 2)), (third, (0, 1))):
        text = shape(made, 6, "Text Placeholder 2")["text"]
        words = text["text"].split("\n")
        for line in lines:
            words[line] = f"Line {line}"
            text["paragraphs"][line]["runs"] = [
                {**text["paragraphs"][line]["runs"][0], "text": words[line]}
            ]
        text["text"] = "\n".join(words)
    assert scores(deck, other, third) == (2 / 3, 1, 4 / 5)


def test_a_shape_that_kept_its_name_is_found_under_another_id(
    deck: Deck, other: Deck, third: Deck
) -> None:
    retitle(other, 3, "Work")
    retitle(third, 3, "Work")
    for number, one in enumerate(third["slides"][2]["shapes"]):
        one["id"] = 70 + number
    assert scores(deck, other, third)[0] == 1


def test_a_slide_that_was_added_is_compared_by_what_is_on_it(
    deck: Deck, other: Deck, third: Deck
) -> None:
    for made, words in ((other, "Thanks"), (third, "Something else")):
        new = {
            "number": 8, "id": 990, "part": "ppt/slides/slide8.xml", "title": words,
            "content": words,
            "shapes": [{"kind": "shape", "id": 2, "name": "Title 1", "content": words, "z": 0,
                        "x": 0.0, "y": 0.0, "w": 100.0, "h": 50.0}],
        }  # fmt: skip
        made["slides"].append(new)
    assert scores(deck, other, other) == (1, 1, 1)
    assert scores(deck, other, third)[0] == 0


def test_two_decks_with_other_originals_are_refused(deck: Deck, other: Deck) -> None:
    del other["slides"][-1]
    with pytest.raises(ValueError, match="not of one deck"):
        change_agreement(DeckEdit.of(deck, deck), DeckEdit.of(other, other))


def test_empty_decks_ask_for_nothing(deck: Deck) -> None:
    empty = {**deck, "slides": []}
    found = change_agreement(DeckEdit.of(empty, empty), DeckEdit.of(empty, empty))
    assert isinstance(found.recall, NotScored)
    assert isinstance(found.precision, NotScored)


@examples(15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    moves=st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 4), st.floats(-300, 300, width=16)), max_size=5
    ),
    words=st.dictionaries(st.integers(1, 7), st.text(max_size=12), max_size=3),
)
def test_whatever_the_truth_is_it_is_perfect_and_complete(
    taken: Deck, moves: list[tuple[int, int, float]], words: dict[int, str]
) -> None:
    truth = deepcopy(taken)
    for slide, place, distance in moves:
        shapes = truth["slides"][slide]["shapes"]
        one = shapes[place % len(shapes)]
        one["x"] = round(one.get("x", 0.0) + distance, 2)
    for slide, said in words.items():
        retitle(truth, slide, said)
    edit = DeckEdit.of(taken, truth)
    found, kept = change_agreement(edit, edit), preservation(edit, edit)
    assert not found.missing
    assert not found.unasked
    assert kept.share == 1


@pytest.mark.parametrize(
    ("one", "other", "options", "same"),
    [
        (18.0, 18.18, {}, True),
        (18.0, 18.2, {}, False),
        (0.0, 0.0, {}, True),
        ([0.0, 10.0], [9.6, 15.4], {"key": "position"}, True),
        ([0.0, 10.0], [0.0, 15.5], {"key": "position"}, False),
        ([20.0, 20.0], [21.0, 20.0], {"key": "size"}, True),
        ([200.0, 20.0], [202.1, 20.0], {"key": "size"}, False),
        ("#102030", "#122230", {}, True),
        ("#102030", "#132030", {}, False),
        ("Two  words", "Two words ", {}, True),
        ("Two words", "two words", {}, False),
        ([100.0, 2.0], [100.5, 2.0], {"kind": "chart", "key": "values"}, False),
        (99, 100, {"kind": "slide"}, False),
        (True, 1, {}, False),
        (None, None, {}, True),
        (None, 0.0, {}, False),
        ({"name": "A", "text": "x"}, {"name": "B", "text": "x"}, {"kind": "added"}, True),
        ({"name": "A", "text": "x"}, {"name": "B", "text": "x"}, {}, False),
        ({"text": "x"}, {"text": "x", "w": 9.0}, {"kind": "added"}, False),
        ([1.0], [1.0, 1.0], {}, False),
        ("1", 1, {}, False),
    ],
)
def test_tolerances(one: Any, other: Any, options: dict[str, str], same: bool) -> None:
    assert same_value(one, other, **options) is same
    assert same_value(other, one, **options) is same


values = st.recursive(
    st.none() | st.booleans() | st.floats(-1e6, 1e6) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(value=values, kind=st.sampled_from(["style", "added", "chart"]))
def test_everything_is_like_itself(value: Any, kind: str) -> None:
    assert same_value(value, value, kind=kind)


@given(one=values, other=values)
def test_likeness_has_no_direction(one: Any, other: Any) -> None:
    assert same_value(one, other) is same_value(other, one)


def box(number: int, name: str, x: float) -> dict[str, Any]:
    return {"kind": "shape", "id": number, "name": name, "content": "", "z": 9 + number,
            "x": x, "y": 400.0, "w": 50.0, "h": 50.0}  # fmt: skip


def test_an_added_shape_is_the_same_under_another_id_and_name(
    deck: Deck, other: Deck, third: Deck
) -> None:
    other["slides"][2]["shapes"].append(box(90, "Box 90", 100.0))
    third["slides"][2]["shapes"].append(box(95, "Frame 95", 100.0))
    assert scores(deck, other, third)[0] == 1
    third["slides"][2]["shapes"][-1]["x"] = 300.0
    assert scores(deck, other, third)[0] == 0


def test_shapes_that_share_a_name_are_told_apart_by_their_ids(
    deck: Deck, other: Deck, third: Deck
) -> None:
    for one in (deck, other, third):
        one["slides"][2]["shapes"] += [box(90, "Box", 100.0), box(91, "Box", 300.0)]
    other["slides"][2]["shapes"][-2]["y"] += 100
    third["slides"][2]["shapes"][-1]["y"] += 100
    assert scores(deck, other, third) == (0, 0, 0)
    assert scores(deck, other, other) == (1, 1, 1)


def test_a_change_of_a_layout_is_right_on_that_layout_only(
    deck: Deck, other: Deck, third: Deck
) -> None:
    other["layouts"][0]["shapes"][0]["x"] += 100
    third["layouts"][1]["shapes"][0]["x"] += 100
    assert scores(deck, other, other) == (1, 1, 1)
    assert scores(deck, other, third)[0] == 0
