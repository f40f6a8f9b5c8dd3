"""Odd spelling: triples of letters that are rare in English."""

import re
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAST = 3
"""Ours: letters of the shortest word that counts."""


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; numbers and single letters are none.

    >>> words_of("Step 2: Train a model")
    ['step', 'train', 'model']
    """
    return _WORD.findall(text.lower())


@lru_cache(maxsize=1)
def _usual() -> frozenset[str]:
    """The triples of letters, word ends included, that are usual in English.

    They occur more than four times (ours) in the 10,000 words of the language reference of Python
    3.11, as its ``pydoc_data.topics`` has it. Other versions have other texts, and a score must not
    depend on the version: so the triples are kept here.
    """
    lines = Path(__file__).with_name("letter_triples.txt").read_text("ascii").splitlines()
    return frozenset(three for line in lines for three in line.split("|"))


def _threes(word: str) -> list[str]:
    marked = f" {word} "
    return [marked[at : at + 3] for at in range(len(marked) - 2)]


def odd_share(text: str) -> float | None:
    """Share of a text's letter triples that are rare in English, 0 to 1, lower is better.

    None for a text without words of three letters. Correct English has about 0.1 (names, terms);
    other languages have more, misspelt or not.

    >>> [round(odd_share(text), 2) for text in ("a boat in the river", "a boqt im tje rievr")]
    [0.08, 0.67]
    """
    words = [word for word in words_of(text) if len(word) >= _LEAST]
    usual = _usual()
    odd = [three not in usual for word in words for three in _threes(word)]
    return sum(odd) / len(odd) if odd else None


_PLAIN = re.compile(r"(?<![\w./@-])[a-z]{4,}(?![\w/@-]|\.\w)")
_ODD_IN_A_WORD = 2
"""Ours: odd triples in a word that looks misspelt; one wrong letter makes two or three."""
_COMMON_WORDS = "the of and to in is for with on that you your this are be as by it from or an at"
_COMMON = frozenset(_COMMON_WORDS.split())
_ENGLISH = 0.04
"""Ours: share of these words from which on a text counts as English; bullets have 0.1 to 0.3."""


def is_english(text: str) -> bool:
    """Whether enough of a text's words are common English ones; errors of typing do not hide them.

    >>> is_english("the choice of a model"), is_english("a escolha de um modelo")
    (True, False)
    """
    words = words_of(text)
    return bool(words) and sum(word in _COMMON for word in words) >= _ENGLISH * len(words)


def misspelt_share(text: str, known: Collection[str] = ()) -> float | None:
    """Share of plain lower-case words that look misspelt, 0 to 1, lower is better; English only.

    Names, abbreviations, addresses and words with digits are not judged, and those of ``known``
    are right. None for a text without such words.

    >>> misspelt_share("a boqt im tje rievr with water"), misspelt_share("the water of the river")
    (0.5, 0.0)
    """
    words = _PLAIN.findall(text)
    usual = _usual()
    odd = [
        word not in known and sum(three not in usual for three in _threes(word)) >= _ODD_IN_A_WORD
        for word in words
    ]
    return sum(odd) / len(odd) if odd else None
