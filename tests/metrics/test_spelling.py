"""Odd spelling."""

import sys
from collections import Counter
from pydoc_data.topics import topics

import pytest

from decklab.metrics.spelling import (
    _usual,
    frequent_words,
    meant_word,
    misspelt_words,
    odd_share,
    words_of,
)


def test_misspelt_words_look_odd():
    clean = "the name of the file is in the last line of the list"
    assert (
        odd_share(clean) < 0.1 < odd_share("tje nqme og thw fiel iz im tge lasr kine pf thr lidt")
    )
    assert odd_share("12 a b") is None


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="other Pythons have another text")
def test_usual_triples_are_those_of_the_language_reference() -> None:
    counts = Counter(
        f" {word} "[at : at + 3]
        for text in topics.values()
        for word in words_of(text)
        for at in range(len(word))
    )
    assert _usual() == {three for three, count in counts.items() if count > 4}


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("enviroment", "environment"),  # a letter is missing
        ("acommodate", "accommodate"),
        ("ehnhances", "enhances"),  # one too many
        ("seperate", "separate"),  # another
        ("recieve", "receive"),  # two have changed places
    ],
)
def test_a_word_a_letter_off_a_common_one_is_known(word, meant):
    assert meant_word(word) == meant


BRITISH = "harbour colour centre travelled modelling catalogue analyse licence programme judgement"
FORMED = "webhooks reindexing colourless harbourmaster toolkits microservices unbookmarked"


@pytest.mark.parametrize("word", [*BRITISH.split(), *FORMED.split(), "teh", "qwzxvkj", ""])
def test_british_words_made_words_and_what_is_near_nothing_are_left_alone(word):
    assert meant_word(word) is None


def test_each_misspelt_word_is_told_with_its_text():
    texts = ["The plan", "The enviroment", "Recieve it", "Recieve", "a Kaggle deck", ""]
    assert list(misspelt_words(texts)) == [
        (1, "enviroment", "environment"),
        (2, "Recieve", "receive"),
    ]
    assert list(misspelt_words(texts, {"enviroment", "recieve"})) == []


def test_words_that_come_more_than_twice_are_frequent():
    assert frequent_words(["ulimit one", "Ulimit two", "ulimit one"]) == {"ulimit"}
    assert frequent_words([]) == frozenset()
