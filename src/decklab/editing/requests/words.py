"""A request as words: quotes, numbers and typos of known words."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from decklab.editing.requests.lexicon import EXACT_WORDS

T = TypeVar("T")

_QUOTES = (
    r"(?<!\w)(?:\"(?P<q1>[^\"]*)\"|“(?P<q2>[^”]*)”|‘(?P<q3>(?:[^’]|’(?=\w))*)’(?!\w)"
    r"|'(?P<q4>(?:[^']|(?<=\w)'(?=\w))*)'(?!\w)|`(?P<q5>[^`]*)`|«(?P<q6>[^»]*)»)"
)
_TOKEN = re.compile(
    rf"{_QUOTES}|(?P<url>(?:https?://|www\.|mailto:)[^\s,;]*[^\s,;.!?])"
    r"|(?P<hex>\#[0-9A-Fa-f]{6}\b)|(?P<ordinal>\d+(?:st|nd|rd|th)\b)|(?P<number>\d+(?:\.\d+)?)|(?P<word>[^\W\d_][\w'’\-]*)|(?P<mark>\S)"
)
_POSSESSIVE = re.compile(r"(?<=\w)['’]s$|(?<=s)['’]$")
_KEPT = frozenset(("it's", "theme's", "speaker's"))
_LEAST_LETTERS = 4


@dataclass(frozen=True)
class Token:
    """One word, number, mark or quoted text of a request."""

    kind: str
    """``quoted``, ``url``, ``hex``, ``ordinal``, ``number``, ``word`` or ``mark``."""
    text: str
    """As it is written; of a quoted text what stands between the quotes."""
    low: str
    """In small letters, without a possessive ending, typos of known words set right."""
    start: int
    """Where it begins in the request, in characters."""
    end: int

    @property
    def is_possessive(self) -> bool:
        """Whether it ends in an apostrophe for what it has, such as ``slide's``."""
        return self.kind == "word" and bool(_POSSESSIVE.search(self.text))

    @property
    def is_number(self) -> bool:
        """Whether it is a whole number in digits."""
        return self.kind == "number" and self.text.isdigit() and len(self.text) <= 6


def tokens_of(text: str, known: Collection[str] = ()) -> tuple[Token, ...]:
    """The words of a request; words that are ``known``, in small letters, are no typos.

    >>> [token.low for token in tokens_of("Delte slide 4's 'Old title'")]
    ['delete', 'slide', '4', "'", 's', 'Old title']
    """
    return tuple(_token(match, known) for match in _TOKEN.finditer(text))


def low_at(tokens: Sequence[Token], at: int) -> str:
    """The word at a place in small letters; empty for a quoted text and beyond the words."""
    if not 0 <= at < len(tokens) or tokens[at].kind == "quoted":
        return ""
    return tokens[at].low


def phrase_at(tokens: Sequence[Token], at: int, phrases: Iterable[str]) -> str:
    """The longest of some phrases that stands at a place; empty for none of them."""
    longest = ""
    for phrase in phrases:
        words = phrase.split()
        found = [low_at(tokens, at + n) for n in range(len(words))]
        if found == words and len(phrase) > len(longest):
            longest = phrase
    return longest


def without_phrase(
    tokens: Sequence[Token], phrases: Mapping[str, T]
) -> tuple[T | None, tuple[Token, ...]]:
    """What the first phrase of ``phrases`` among words means, and the words without it; None and
    all words where there is none."""
    for at in range(len(tokens)):
        phrase = phrase_at(tokens, at, phrases)
        if phrase:
            return phrases[phrase], (*tokens[:at], *tokens[at + len(phrase.split()) :])
    return None, tuple(tokens)


def text_between(source: str, tokens: Sequence[Token]) -> str:
    """What stands in a request from the first to the last of some tokens.

    A single quoted text is given without its quotes.
    """
    if not tokens:
        return ""
    if len(tokens) == 1 and tokens[0].kind == "quoted":
        return tokens[0].text
    return source[tokens[0].start : tokens[-1].end]


def _token(match: re.Match[str], known: Collection[str]) -> Token:
    kind = match.lastgroup or "mark"
    text = match[kind]
    if kind.startswith("q"):
        return Token("quoted", text, text, match.start(), match.end())
    low = text.lower().replace("’", "'")
    if kind == "word":
        low = low if low in _KEPT else _POSSESSIVE.sub("", low)
        is_name = (text[:1].isupper() and match.start() > 0) or not text.isalpha()
        low = low if low in known or is_name else _corrected(low)
    return Token(kind, text, low, match.start(), match.end())


@lru_cache(maxsize=4096)
def _corrected(word: str) -> str:
    """A known word that differs in one letter, of words of eight in two; else the word itself.

    Of two that are as near, the one with the same letters in another order.
    """
    if len(word) < _LEAST_LETTERS or word in EXACT_WORDS:
        return word
    most = 1 if len(word) <= 7 else 2
    near = [
        (_distance(word, other), sorted(word) != sorted(other), other)
        for other in EXACT_WORDS
        if len(other) >= _LEAST_LETTERS
        and abs(len(other) - len(word)) <= most
        and other[0] == word[0]
    ]
    found = sorted(one for one in near if one[0] <= most)
    alone = len(found) == 1 or (len(found) > 1 and found[0][:2] < found[1][:2])
    return found[0][2] if alone else word


def _distance(one: str, other: str) -> int:
    """Letters added, left out, changed, or swapped with their neighbour (Damerau 1964)."""
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, start=1):
        row = [i]
        for j, b in enumerate(other, start=1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
