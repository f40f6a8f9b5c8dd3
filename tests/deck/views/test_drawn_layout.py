from dataclasses import dataclass

import pytest

from decklab.core.geometry import Box
from decklab.deck.model.base import Font
from decklab.deck.model.shapes import Text
from decklab.deck.model.slide import SlideElements
from decklab.deck.views.drawn import merge_layout


@dataclass
class Span:
    text: str
    box: Box
    size_pt: float = 20.0
    color: str = "#102030"
    font: str = ""
    line: int = 0


def text(words: str, x: float, y: float, **more) -> Text:
    font = Font(name="A", size=24.0, style=(), color="#000000")
    return Text(x=x, y=y, w=200.0, h=40.0, text=words, font=font, align="left", **more)


def slide(*texts: Text) -> SlideElements:
    return SlideElements(background="#FFFFFF", texts=texts)


def at(x: float, y: float, width: float = 50.0) -> Box:
    return Box(x, y, x + width, y + 10)


def test_a_text_over_two_lines_has_the_box_around_both():
    found = merge_layout(
        slide(text("Hello big world", 10, 10)),
        [Span("Hello big", at(12, 14)), Span("world", at(12, 30, 20), size_pt=18.0)],
    )
    (merged,) = found.slide.texts
    drawn = merged.drawn
    assert (drawn.box.x, drawn.box.y, drawn.box.w, drawn.box.h) == (12, 14, 50, 26)
    assert (drawn.size, drawn.color, drawn.matched) == (20.0, "#102030", 1.0)
    assert found.share_of_text == 1.0


def test_of_two_equal_texts_each_has_the_nearer_span():
    found = merge_layout(
        slide(text("Same", 10, 10), text("Same", 500, 300)),
        [Span("Same", at(510, 310)), Span("Same", at(20, 20))],
    )
    assert [one.drawn.box.x for one in found.slide.texts] == [20, 510]


def test_one_text_that_says_a_word_twice_has_both():
    found = merge_layout(
        slide(text("well, well", 10, 10)), [Span("well,", at(12, 12)), Span("well", at(70, 12))]
    )
    (merged,) = found.slide.texts
    assert merged.drawn.box.w == 108
    assert found.share_of_text == 1.0


@pytest.mark.parametrize("counted", ["", "a. ", "B.", "(iv)", "7)", "\u2022 "])
def test_case_ligatures_spaces_and_numbering_do_not_count(counted):
    found = merge_layout(
        slide(text("First office\tlook", 10, 10)), [Span(f"{counted}FIRST OFFICELOOK", at(12, 12))]
    )
    assert found.share_of_text == 1.0


def test_text_of_others_is_counted_apart():
    found = merge_layout(
        slide(text("mine", 10, 10)), [Span("mine", at(12, 12)), Span("theirs ..", at(12, 200))]
    )
    assert found.share_of_text == 1.0


def test_half_a_text_is_half_matched():
    found = merge_layout(slide(text("half gone", 10, 10)), [Span("half", at(12, 12))])
    assert found.share_of_text == pytest.approx(0.5)
    assert found.slide.texts[0].drawn.matched == pytest.approx(0.5)


def test_a_span_on_the_other_side_of_the_slide_is_no_match():
    found = merge_layout(slide(text("word", 10, 10)), [Span("word", at(700, 500))])
    assert found.slide.texts[0].drawn is None
    assert found.share_of_text == 0.0


def test_hidden_texts_and_blank_pages():
    hidden = merge_layout(slide(text("word", 10, 10, hidden=True)), [Span("word", at(12, 12))])
    assert hidden.slide.texts[0].drawn is None
    assert hidden.share_of_text is None
    blank = merge_layout(slide(), [])
    assert blank.share_of_text is None


def test_nothing_but_punctuation_is_found_too():
    found = merge_layout(slide(text("?!", 10, 10)), [Span("?!", at(12, 12))])
    assert found.share_of_text == 1.0
