"""Which words become a slide's title, and which titles are numbered."""

from collections import Counter

import pytest

from decklab.deck.model.base import Font
from decklab.deck.model.shapes import Placeholder, Text
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.linting.fix_kinds import (
    first_line,
    missing_title,
    repeated_titles,
    title_source,
    title_words,
)


def text(words, x=100, y=100, *, size=20.0, w=300, h=60, kind=None, **fields):
    return Text(
        text=words, font=Font(name="Arial", size=size, style=(), color="#000000"), align="left",
        placeholder=None if kind is None else Placeholder(type=kind),
        x=float(x), y=float(y), w=float(w), h=float(h), **fields,
    )  # fmt: skip


def slide(*texts, number=1):
    placed = tuple(
        item.model_copy(update={"id": n, "z": n}) for n, item in enumerate(texts, start=2)
    )
    return SlideElements(background="#FFFFFF", number=number, texts=placed)


def deck(*slides):
    return DeckElements(size_pt=(960.0, 540.0), slides=slides, layouts=(), masters=(), themes=())


def source(*texts):
    found = title_source(slide(*texts))
    return None if found is None else found.text


def test_the_largest_text_of_the_upper_half_stands_for_the_title():
    assert source(text("Wheat"), text("Harvest", y=200, size=32)) == "Harvest"
    assert source(text("Wheat"), text("Harvest", y=300, size=32)) == "Wheat"


def test_without_words_in_the_upper_half_the_first_text_as_read_will_do():
    assert source(text("Below", y=450), text("Above", y=300, size=10)) == "Above"


def test_of_texts_equally_large_the_highest_counts_and_in_a_row_the_left_one():
    assert source(text("Second", y=150), text("First", y=60)) == "First"
    assert source(text("Right", x=500, y=60), text("Left", x=100, y=64)) == "Left"


@pytest.mark.parametrize(
    "other",
    [
        text("Hidden words", size=40, hidden=True),
        text("Placed nowhere", size=40, placed=False),
        text("Printed in Kiel", size=40, kind="ftr"),
        text("12", size=40),
        text("A-1", size=40),
        text("Left of the slide", x=-300, size=40),
        text("Right of the slide", x=960, size=40),
        text("Above the slide", y=-60, size=40),
    ],
)
def test_what_nobody_reads_as_text_of_the_slide_is_no_title(other):
    assert source(other, text("Wheat")) == "Wheat"
    assert source(other) is None


def test_a_text_that_is_partly_on_the_slide_counts():
    assert source(text("Bleeds", x=-299, size=40), text("Wheat")) == "Bleeds"


def test_the_first_line_with_words_is_taken_with_single_spaces():
    assert first_line(text("1.\n  Our \t harvest \nand more")) == "Our harvest"


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 80 + "…"),
        ("word " * 15 + "longer", "word " * 14 + "word…"),
        ("word, " * 14 + "and so on", "word, " * 12 + "word…"),
    ],
)
def test_a_line_of_more_than_eighty_characters_is_cut_off_after_a_word(line, title):
    assert first_line(text(line)) == title


def planned(one, taken=None):
    return list(missing_title(one, Counter() if taken is None else taken))


def test_a_title_is_told_apart_from_those_that_the_deck_has():
    taken = title_words(deck(slide(text("Our  HARVEST", kind="title"))))
    assert taken == {"our harvest": 1}
    (fix,) = planned(slide(text("Our harvest"), number=4), taken)
    assert fix.says == 'a title off the slide, for screen readers: "Our harvest – 2"'
    assert (fix.rule, fix.slides, fix.shape) == ("accessibility.missing-slide-title", (4,), None)
    assert taken == {"our harvest": 2}
    (fix,) = planned(slide(text("Our Harvest"), number=5), taken)
    assert fix.says.endswith('"Our Harvest – 3"')


@pytest.mark.parametrize(
    "texts",
    [
        (),
        (text("12"),),
        (text("Plan", kind="title"), text("Wheat")),
        (text("Plan", kind="title", hidden=True), text("Wheat")),
    ],
)
def test_slides_with_a_title_a_hidden_one_or_no_words_get_none(texts):
    assert planned(slide(*texts)) == []


def test_an_empty_title_placeholder_takes_the_words():
    (fix,) = planned(slide(text("", kind="title"), text("Wheat")))
    assert fix.shape == 2 and "text" in fix.kinds and "added" not in fix.kinds
    (fix,) = planned(slide(text("Wheat")))
    assert fix.shape is None and fix.kinds == {"added", "slide", "z-order"}


def test_titles_that_come_again_are_numbered_by_their_place():
    titles = ("Exercise", "Exercise", "Break", "exercise ", "Lunch")
    slides = [
        slide(text(title, kind="title"), text(f"Words {number}"), number=number)
        for number, title in enumerate(titles, start=1)
    ]
    (fix,) = repeated_titles(deck(*slides))
    assert fix.says == 'the titles "Exercise" are numbered, from 1/2 to 2/2'
    assert fix.slides == (1, 2, 4) and fix.of_deck
    assert list(repeated_titles(deck(*slides[:3]))) == []
