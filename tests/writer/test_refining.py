"""Rounds of mending, with what is wrong with each deck written down beforehand."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.writer.scripted import Script

from decklab.board.blueprint import DeckPlan, Point, SlidePlan
from decklab.board.pages.layout import LaidOutDeck
from decklab.board.themes import THEMES
from decklab.core.errors import ModelFailed
from decklab.rendering.renderer import Renderer
from decklab.writer.defects import DefectFinder, DrawnDefects, SlideDefect
from decklab.writer.refining import MOST_ROUNDS, RefinedDeck, refine

WORDS = "Ships from many other countries called at the harbour more often than in years before"
POINTS = tuple(Point(text=f"{WORDS} {word}") for word in ("north", "south", "east", "west"))
DECK = DeckPlan(
    title="T",
    slides=(
        SlidePlan(layout="title", title="T"),
        SlidePlan(layout="body", title="Traffic", body=POINTS),
        SlidePlan(layout="body", title="Staff", body=POINTS[:2]),
    ),
)
Wrong = Callable[[SlidePlan], int]


class Scripted(DefectFinder):
    """Finds so many cropped texts on a slide as a function of its plan says."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(Renderer())
        self.wrong, self.looked = wrong, 0

    def look(self, pages: LaidOutDeck) -> DrawnDefects:
        self.looked += 1
        return DrawnDefects(
            tuple(
                SlideDefect(number, "overflow_cropped", f"fault {fault}")
                for number, slide in enumerate(pages.slides, start=1)
                for fault in range(self.wrong(slide))
            )
        )


def shorten(number: int, words: int) -> Callable[[str], dict[str, Any]]:
    """A reply that leaves so many words of a text."""

    def reply(prompt: str) -> dict[str, Any]:
        line = next(one for one in prompt.splitlines() if one.startswith(f"{number}. "))
        text = " ".join(line.split()[1 : words + 1])
        return change("shorten", text_number=number, text=text)

    return reply


def change(action: str, **values: Any) -> dict[str, Any]:
    return {"action": action, "text_number": 0, "text": "", "layout": "", "reason": "r", **values}


def mended(wrong: Wrong, *replies: Any) -> tuple[RefinedDeck, Scripted, Script | None]:
    finder = Scripted(wrong)
    script = Script(patch=list(replies)) if replies else None
    return refine(DECK, THEMES["light"], finder, ask=script), finder, script


def test_a_clean_deck_is_looked_at_once_and_stays() -> None:
    got, finder, script = mended(lambda _slide: 0, change("split"))
    assert (got.plan, got.rounds, got.defects) == (DECK, (), ())
    assert finder.looked == 1 and script is not None and not script.asked


def test_a_defect_is_mended_by_the_change_that_the_model_chooses() -> None:
    got, _, script = mended(lambda slide: int(len(slide.body) > 2), change("split"))
    assert script is not None and script.asked["patch"] == 1
    assert [slide.title for slide in got.plan.slides] == [
        "T", "Traffic (1/2)", "Traffic (2/2)", "Staff",
    ]  # fmt: skip
    assert got.defects == ()
    assert got.changes == ("slide 2 of the plan: it was split into two slides",)


def longest(slide: SlidePlan) -> int:
    """Never 0 for Traffic, and one fault more for each word of its first point above eight."""
    return max(len(slide.body[0].text.split()) - 8, 1) if slide.title == "Traffic" else 0


def test_a_loop_that_does_not_converge_ends_after_five_rounds_with_the_best() -> None:
    replies = [shorten(2, words) for words in (15, 14, 13, 12, 11, 10, 9)]
    got, _, script = mended(longest, *replies)
    assert script is not None and script.asked["patch"] == MOST_ROUNDS == 5
    assert [(one.before, one.after) for one in got.rounds] == [
        (32, 28), (28, 24), (24, 20), (20, 16), (16, 12),
    ]  # fmt: skip
    assert len(got.plan.slides[1].body[0].text.split()) == 11
    assert [str(one) for one in got.defects] == [
        f"slide 2: overflow_cropped: fault {number}" for number in range(3)
    ]


def test_a_change_that_makes_it_worse_is_taken_back_and_ends_the_rounds() -> None:
    got, finder, _ = mended(
        lambda slide: 5 if "(1/2)" in slide.title else int(slide.title == "Traffic"),
        change("split"),
    )
    assert got.plan == DECK
    assert [str(one) for one in got.defects] == ["slide 2: overflow_cropped: fault 0"]
    (only,) = got.rounds
    assert only.kept == () and "split" in only.undone[0] and only.before == only.after == 4
    assert finder.looked == 2


def test_of_two_changes_the_one_that_helps_stays() -> None:
    wrong = {"T": 0, "Traffic": 2, "Traffic (1/2)": 0, "Traffic (2/2)": 0, "Staff": 1}
    got, _, _ = mended(lambda slide: wrong.get(slide.title, 3), change("split"))
    assert [slide.title for slide in got.plan.slides] == [
        "T", "Traffic (1/2)", "Traffic (2/2)", "Staff",
    ]  # fmt: skip
    assert (got.rounds[0].before, got.rounds[0].after) == (12, 4)
    assert [one.slide for one in got.defects] == [4]


@pytest.mark.parametrize(
    "bad",
    ["split it", change("explode"), change("shorten", text_number=2, text="New words 99"),
     change("picture_alone"), change("layout", layout="chart")],
    ids=["prose", "no such change", "invented words", "nothing to show", "wrong layout"],
)  # fmt: skip
def test_a_change_that_cannot_be_made_is_asked_again_then_rules_mend(bad: Any) -> None:
    def wrong(slide: SlidePlan) -> int:
        return int(len(slide.body) > 2)

    got, _, script = mended(wrong, bad, change("split"))
    assert script is not None and script.asked["patch"] == 2 and got.told == ()
    got, _, script = mended(wrong, bad)
    assert script is not None and script.asked["patch"] == 3
    assert got.defects == () and got.told[0].startswith("slide 2: no change of the model's: ")


def test_without_a_model_rules_mend_what_they_can() -> None:
    got, _, _ = mended(lambda slide: int(len(slide.body) > 2))
    assert got.defects == () and len(got.plan.slides) == 4
    got, _, _ = mended(lambda slide: int(slide.title.startswith("Traffic")))
    assert got.plan == DECK and len(got.defects) == 1


def test_what_was_not_looked_at_counts_and_is_not_changed() -> None:
    class Silent(Scripted):
        def look(self, pages: LaidOutDeck) -> DrawnDefects:
            self.looked += 1
            return DrawnDefects((SlideDefect(2, "not_inspected", "no JSON"),))

    finder = Silent(lambda _slide: 0)
    got = refine(DECK, THEMES["light"], finder, ask=Script(patch=[change("split")]))
    assert got.plan == DECK and got.rounds == () and finder.looked == 1
    assert [one.kind for one in got.defects] == ["not_inspected"]


def test_a_server_that_fails_ends_the_run() -> None:
    with pytest.raises(ModelFailed):
        mended(lambda slide: int(len(slide.body) > 2), ModelFailed("script", "down"))
