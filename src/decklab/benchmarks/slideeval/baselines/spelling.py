"""How much of a text does not look like words."""

from functools import lru_cache
from pydoc_data.topics import topics

from decklab.benchmarks.slideeval.baselines.words import words_of

_LEAST = 3
"""Ours: letters of a word that is looked at."""
_RARE = 4
"""Ours: times that three letters occur in the reference up to which they are odd."""


@lru_cache(maxsize=1)
def _trigrams() -> dict[str, int]:
    """How often three letters, word ends included, occur in the reference of Python's language.

    It is plain English that every Python carries: some 10,000 words of a running text are enough
    to know which letters follow one another.
    """
    counts: dict[str, int] = {}
    for text in topics.values():
        for word in words_of(text):
            for three in _threes(word):
                counts[three] = counts.get(three, 0) + 1
    return counts


def _threes(word: str) -> list[str]:
    marked = f" {word} "
    return [marked[at : at + 3] for at in range(len(marked) - 2)]


def odd_share(text: str) -> float | None:
    """Share of the letter triples of a text that English hardly has, 0 to 1.

    None for a text without words of three letters. Sound English has a tenth (names, terms);
    other languages have more, misspelt or not.

    >>> [round(odd_share(text), 2) for text in ("a boat in the river", "a boqt im tje rievr")]
    [0.08, 0.67]
    """
    words = [word for word in words_of(text) if len(word) >= _LEAST]
    known = _trigrams()
    odd = [known.get(three, 0) <= _RARE for word in words for three in _threes(word)]
    return sum(odd) / len(odd) if odd else None
