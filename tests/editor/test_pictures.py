"""Which slides a model is shown after an edit; pictures are made here, nothing is drawn."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from decklab.diffing.changes import Change, DeckDiff
from decklab.editing.verify import SlideBeforeAfter, Verification
from decklab.editor.conversation import (
    MOST_PICTURES,
    MOST_REVIEWED,
    MOST_SAMPLED,
    Conversation,
    EditRecord,
    SlidePictures,
    changed_slides,
    review_pictures,
    review_sample,
)
from decklab.editor.planning import EditPlan
from decklab.editor.versions import Review, ask_for_review
from decklab.models.asking import ModelReply


def drawn(number: int, difference: int) -> SlideBeforeAfter:
    before = np.zeros((54, 96, 3), np.uint8)
    return SlideBeforeAfter(number, number, before, before + np.uint8(difference))


def verified(differences: dict[int, int], edits: Collection[Change] = ()) -> Verification:
    shown = tuple(drawn(number, by) for number, by in differences.items())
    return Verification(drawn=shown, diff=DeckDiff(changes=tuple(edits)))


def named(shown: SlidePictures) -> set[int]:
    words = shown.words.split("Not among them")[0].split("look different. ")[-1]
    return {int(word) for word in words.replace(",", " ").split() if word.isdecimal()}


def test_slides_that_differ_most_are_shown() -> None:
    checked = verified({1: 5, 2: 90, 3: 70, 4: 1, 5: 60, 6: 80})
    shown = changed_slides(checked, most=4)
    assert len(shown.images) == 4
    assert named(shown) == {2, 3, 5, 6}
    assert shown.words.endswith("slides that look different as well: 1, 4.")
    assert named(changed_slides(checked)) == {1, 2, 3, 4, 5, 6}


def test_slides_that_looked_so_before_are_not_shown_again() -> None:
    since = verified({1: 5, 2: 90})
    shown = changed_slides(verified({1: 5, 2: 80, 3: 7}), since=since)
    assert named(shown) == {2, 3}
    assert len(changed_slides(since, since=since).images) == 0


def test_a_slide_that_came_or_went_differs_most() -> None:
    new = SlideBeforeAfter(None, 9, None, np.zeros((54, 96, 3), np.uint8))
    checked = verified(dict.fromkeys(range(1, 9), 200))
    checked = Verification(drawn=(*checked.drawn, new))
    shown = changed_slides(checked)
    assert 9 in named(shown)
    assert "slide 9 after the edit" in shown.words
    assert "slide 9 before" not in shown.words


@pytest.mark.parametrize(("count", "turns"), [(1, 1), (4, 1), (5, 2), (MOST_REVIEWED, 6)])
def test_a_review_sees_all_slides_of_a_small_edit_in_turns(count: int, turns: int) -> None:
    shown = review_pictures(verified(dict.fromkeys(range(1, count + 1), 9)))
    assert len(shown) == turns
    assert all(len(turn.images) <= MOST_PICTURES for turn in shown)
    assert set().union(*map(named, shown)) == set(range(1, count + 1))


def test_a_review_of_many_slides_sees_a_sample_that_it_is_told_of() -> None:
    differences = dict.fromkeys(range(1, 53), 1) | {30: 99}
    edits = [
        Change(slide=17, element=None, kind="text", property="text", old="a", new="b"),
        Change(slide=22, element=None, kind="chart", property="type", old="bar", new="pie"),
    ]
    checked = verified(differences, edits)
    sample = [one.number for one in review_sample(checked, first=[40, 41])]
    assert len(sample) == MOST_SAMPLED
    assert sample == sorted(sample, key=lambda number: number or 0)
    assert {1, 52, 40, 41, 17, 22, 30} <= set(sample)
    shown = review_pictures(checked, first=[40, 41])
    assert set().union(*map(named, shown)) == set(sample)
    for turn in shown:
        left = turn.words.split("as well: ")[1].rstrip(".").split(", ")
        assert len(left) + len(named(turn)) == 52
        assert turn.words.startswith("A sample of 12 of the 52 slides that look different. ")


def test_without_pictures_there_are_words() -> None:
    (only,) = review_pictures(Verification(undrawn="no office"))
    assert only == SlidePictures(words="There are no pictures (no office).")


def test_the_review_asks_in_turns_and_is_satisfied_if_it_is_each_time(tmp_path: Path) -> None:
    objections: list[list[str]] = [[], ["slide 5: mend it"], []]
    asked: list[tuple[int, str]] = []

    def ask(prompt: str, *, images: Any = (), **_how: Any) -> ModelReply[Any]:
        problems = objections[len(asked)]
        asked.append((len(images), prompt))
        return ModelReply(json.dumps({"satisfied": not problems, "problems": problems}))

    checked = verified(dict.fromkeys(range(1, 11), 9))
    plan = EditPlan(operations=(), steps=(), content=(), changes=(), remarks=(), cannot="")
    conversation = Conversation(ask, EditRecord(tmp_path))
    review = ask_for_review(conversation, "All red", plan, checked, "red")
    assert review == Review(satisfied=False, problems=("slide 5: mend it",))
    assert [count for count, _ in asked] == [8, 8, 4]
    assert "slide 9 after the edit" in asked[2][1]
    asked.clear()
    objections[1] = []
    assert ask_for_review(conversation, "All red", plan, checked, "red").satisfied
    asked.clear()
    ask_for_review(conversation, "All red", plan, checked, "red", vision=False)
    assert [count for count, _ in asked] == [0]
