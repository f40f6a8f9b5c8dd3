"""Odd spelling."""

import sys
from collections import Counter
from pydoc_data.topics import topics

import pytest

from decklab.metrics.spelling import _usual, odd_share, words_of


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
