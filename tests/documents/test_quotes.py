"""Quotes are found in their source whatever became of line breaks, and never with other words."""

import pytest

from decklab.documents.quotes import SearchableText

SOURCE = SearchableText(
    [
        "The “ﬁrst” evaluation of a well-known method rose by 1.5 % – to 12,500.",
        "",
        "It was 5 % below that of 2010, says the state-of-the-art report.",
    ]
)


@pytest.mark.parametrize(
    ("quote", "piece"),
    [
        ('The "first" evaluation', 0),
        ("evalu-\nation of a   well-known method", 0),
        ("wellknown method", 0),
        ("rose by 1.5 % - to 12,500.", 0),
        ("to 12,500. It was 5 %", 0),  # over the end of a paragraph
        ("5 % below", 2),
        ("state-of-the-art", 2),
    ],
)
def test_the_same_words_are_found(quote, piece):
    assert SOURCE.find(quote) == piece


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "…",
        "first evaluations",
        "valuation of",
        "5 % – to",
        "rose by 1.5 % to",
        "2,500",
        "12",
        "the first",
        "rose by 1",
        "-5 % below",
        "It Was",
    ],
)
def test_other_words_and_parts_of_words_are_not_found(quote):
    assert SOURCE.find(quote) is None


def test_nothing_is_found_in_nothing():
    assert SearchableText([]).find("word") is None
    assert SearchableText(["", " "]).find("word") is None
