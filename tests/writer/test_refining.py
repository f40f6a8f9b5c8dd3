"""Rounds of mending, with what is wrong with each deck written down beforehand."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.writer.scripted import Script, page, point

from decklab.board.blueprint import DeckPlan, Point, SlidePlan
from decklab.board.pages.layout import LaidOutDeck
from decklab.board.themes import THEMES
from decklab.core.errors import ModelFailed
from decklab.documents.knowledge import KnowledgeBase
from decklab.models.asking_loop import PicturesUnseen
from decklab.rendering.renderer import Renderer
from decklab.writer.deck_reading import MOST_REPLIES, DeckReader, page_sheets
from decklab.writer.defects import DefectFinder, DrawnDefects, SlideDefect
from decklab.writer.refining import MOST_ROUNDS, RefinedDeck, refine
from decklab.writer.request import WriteOptions
from decklab.writer.rewriting import PageRewriter

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


def drawn(title: str) -> bytes:
    """A picture that tells slides with different titles apart."""
    shade = sum(title.encode()) % 256
    buffer = io.BytesIO()
    Image.new("RGB", (96, 54), (shade, shade, 255 - shade)).save(buffer, "PNG")
    return buffer.getvalue()


class Scripted(DefectFinder):
    """Finds so many cropped texts on a slide as a function of its plan says."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(Renderer())
        self.wrong, self.looked = wrong, 0

    def look(self, deck: LaidOutDeck) -> DrawnDefects:
        self.looked += 1
        return DrawnDefects(
            tuple(
                SlideDefect(number, "text_overflow", f"fault {fault}")
                for number, slide in enumerate(deck.slides, start=1)
                for fault in range(self.wrong(slide))
            ),
            pictures={number: drawn(slide.title) for number, slide in enumerate(deck.slides, 1)},
        )


def anew(title: str, *points: str) -> dict[str, Any]:
    """A page that a model writes without sources."""
    return {"page": page(title=title, points=[point(text, "", 0) for text in points or ("A",)])}


LEAVE: dict[str, Any] = {"page": None}
GOOD_AS_IT_IS: dict[str, Any] = {"remarks": []}


def remark(number: int, change: str = "say it in fewer words") -> dict[str, Any]:
    return {"remarks": [{"page": number, "change": change}]}


def prefers(better: int) -> dict[str, Any]:
    return {"better": better, "reason": "r"}


def mended(wrong: Wrong, **replies: Any) -> tuple[RefinedDeck, Scripted, Script]:
    finder = Scripted(wrong)
    script = Script(**{"reading": [GOOD_AS_IT_IS], **replies})
    options = WriteOptions(language="en")
    reader = None
    if replies:
        rewriter = PageRewriter(KnowledgeBase(), options, Path("pictures"))
        reader = DeckReader(script, options, rewriter)
    return refine(DECK, THEMES["light"], finder, reader=reader), finder, script


def test_a_clean_deck_is_looked_at_once_and_stays() -> None:
    got, finder, _ = mended(lambda _slide: 0)
    assert (got.plan, got.rounds, got.defects) == (DECK, (), ())
    assert finder.looked == 1


def test_a_reader_who_would_change_nothing_ends_it_after_one_question() -> None:
    got, finder, script = mended(lambda _slide: 0, redo=[LEAVE])
    assert (got.plan, got.rounds, finder.looked) == (DECK, (), 1)
    assert script.asked == {"reading": 1} and got.usage.requests == 1
    (prompt,) = script.prompts
    assert "2. [body] Traffic" in prompt and "wrong with the drawn pages:\nnothing" in prompt
    ((_, sheets),) = script.images
    assert len(sheets) == 1


def test_a_page_with_a_defect_is_written_anew_and_sees_its_picture() -> None:
    got, _, script = mended(
        lambda slide: int(len(slide.body) > 2), redo=[anew("Traffic", "It grew", "It grew more")]
    )
    assert script.asked == {"reading": 2, "redo": 1}
    assert [item.text for item in got.plan.slides[1].body] == ["It grew", "It grew more"]
    assert got.defects == ()
    assert got.changes[0].startswith("slide 2 of the plan: mend what is wrong with it as it is")
    redo = script.images[[stage for stage, _ in script.images].index("redo")][1]
    assert redo == (drawn("Traffic"),)


@pytest.mark.parametrize(
    ("better", "kept"), [([2, 1], True), ([2, 2], False), ([0], False), ([1], False)]
)
def test_a_remark_changes_a_page_only_if_its_picture_is_preferred_in_both_orders(
    better: list[int], kept: bool
) -> None:
    got, _, script = mended(
        lambda _slide: 0,
        reading=[remark(3), GOOD_AS_IT_IS],
        redo=[anew("People")],
        better=[prefers(choice) for choice in better],
    )
    assert (got.plan.slides[2].title == "People") is kept
    assert script.asked["better"] == len(better)
    assert got.rounds[0].kept == (("slide 3 of the plan: say it in fewer words",) if kept else ())
    pictures = [images for stage, images in script.images if stage == "better"]
    assert pictures[0] == (drawn("Staff"), drawn("People"))
    if len(pictures) > 1:
        assert pictures[1] == (drawn("People"), drawn("Staff"))


def test_a_page_that_gets_worse_is_taken_back_without_asking() -> None:
    got, _, script = mended(
        lambda slide: int(slide.title == "Worse"), reading=[remark(2)], redo=[anew("Worse")]
    )
    assert got.plan == DECK and "better" not in script.asked
    assert len(got.rounds) == 1 and got.rounds[0].kept == ()


def test_the_rounds_end_after_five() -> None:
    titles = [f"Traffic {letter}" for letter in "abcdefghi"]
    wrong = {title: 9 - number for number, title in enumerate(titles)}
    got, _, script = mended(
        lambda slide: wrong.get(slide.title, 10 if slide.title == "Traffic" else 0),
        redo=[anew(title) for title in titles],
    )
    assert MOST_ROUNDS == len(got.rounds) == script.asked["redo"] == 5
    assert [turn.after for turn in got.rounds] == [36, 32, 28, 24, 20]


def test_the_title_page_is_not_written_by_the_model() -> None:
    got, _, script = mended(lambda _slide: 0, reading=[remark(1)], redo=[anew("Other")])
    assert got.plan == DECK and "redo" not in script.asked


@pytest.mark.parametrize("bad", ["no form", {"page": {"title": "half a form"}}])
def test_a_page_that_is_no_answer_is_told_and_rules_mend(bad: Any) -> None:
    got, _, script = mended(lambda slide: int(len(slide.body) > 2), redo=[bad])
    assert script.asked["redo"] == 3
    assert got.defects == () and got.told[0].startswith("slide 2: no change of the model's: ")


def test_a_model_that_does_not_see_is_named_and_rules_mend() -> None:
    blind = PicturesUnseen("script", "it takes text only")
    got, _, script = mended(lambda slide: int(len(slide.body) > 2), reading=[blind], redo=[LEAVE])
    assert "redo" not in script.asked and got.defects == ()
    assert got.not_run == (
        "the model did not look at the slides: does not see pictures: it takes text only",
    )


def test_replies_are_bounded() -> None:
    options = WriteOptions()
    reader = DeckReader(Script(), options, PageRewriter(KnowledgeBase(), options, Path()))
    reader.usage = reader.usage.__class__(requests=MOST_REPLIES)
    assert reader.rewritten(DECK, 1, "shorter", None) is None
    assert not reader.prefers("shorter", b"", b"")


def test_sheets_hold_six_pages_each() -> None:
    sheets = page_sheets({number: drawn(str(number)) for number in range(1, 9)})
    sizes = [Image.open(io.BytesIO(sheet)).size for sheet in sheets]
    margin = 16
    assert len(sheets) == 2 and sizes[0][0] == sizes[1][0]
    assert sizes[0][1] - margin == 3 * (sizes[1][1] - margin)
    assert page_sheets({}) == []


def test_without_a_model_rules_mend_what_they_can() -> None:
    got, _, _ = mended(lambda slide: int(len(slide.body) > 2))
    assert got.defects == () and len(got.plan.slides) == 4
    got, _, _ = mended(lambda slide: int(slide.title.startswith("Traffic")))
    assert got.plan == DECK and len(got.defects) == 1


def test_of_two_changes_the_one_that_helps_stays() -> None:
    wrong = {"T": 0, "Traffic": 2, "Traffic (1/2)": 0, "Traffic (2/2)": 0, "Staff": 1}
    got, _, _ = mended(lambda slide: wrong.get(slide.title, 3))
    assert [slide.title for slide in got.plan.slides] == [
        "T", "Traffic (1/2)", "Traffic (2/2)", "Staff",
    ]  # fmt: skip
    assert [item.slide for item in got.defects] == [4]


def test_a_server_that_fails_ends_the_run() -> None:
    with pytest.raises(ModelFailed):
        mended(lambda _slide: 0, reading=[ModelFailed("script", "down")], redo=[LEAVE])
