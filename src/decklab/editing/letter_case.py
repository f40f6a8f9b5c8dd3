"""Texts in capitals, in small letters, or with capitals at the beginning."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from pptx.presentation import Presentation

from decklab.editing.finding import EditError, find_shape, texts_of
from decklab.editing.phrasing import phrase
from decklab.ooxml.xml import qn

_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "but",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "over",
        "the",
        "to",
        "with",
    ]
)
"""Words that stay small inside of a title (Chicago Manual of Style, 8.159)."""
CASES = ("upper", "lower", "title", "sentence")


@phrase(
    "(write|put|set|make) {shape:texts} (in|to|into|all) ({case=upper case|lower case|title case"
    "|sentence case|lowercase}|{case=capitals} [letters])",
    "make {shape:texts} {case=uppercase|lowercase|title case|sentence case}",
    example="put all titles in capitals", changes="text table")  # fmt: skip
def change_case(prs: Presentation, slide: int, shape: str | int, case: str) -> int:
    """Write a shape's words in another case; return how many paragraphs changed.

    ``case`` is "upper", "lower", "title" or "sentence", see ``set_letter_case``.

    Example: change_case(prs, 2, "Title 1", "title")
    """
    return set_letter_case(texts_of(find_shape(prs, slide, shape)), case)


def set_letter_case(bodies: Iterable[Any], case: str) -> int:
    """Write the words of text bodies in another case; return how many paragraphs changed.

    ``case`` is one of ``CASES``. ``title`` and ``sentence`` leave words in capitals as they are.
    Formatting stays: the number of letters of each run does.
    """
    if case not in CASES:
        raise EditError(f"{case!r} is none of {', '.join(CASES)}")
    return sum(_write(paragraph, case) for body in bodies for paragraph in body.iter(qn("a:p")))


def _write(paragraph: Any, case: str) -> bool:
    holders = [run.find(qn("a:t")) for run in paragraph.findall(qn("a:r"))]
    pieces = [(holder, holder.text or "") for holder in holders if holder is not None]
    before = "".join(text for _holder, text in pieces)
    if case in ("upper", "lower"):  # letters may become several, such as ß
        for holder, text in pieces:
            holder.text = text.upper() if case == "upper" else text.lower()
        return bool("".join(holder.text for holder, _text in pieces) != before)
    written = _CHANGES[case](before)
    at = 0
    for holder, text in pieces:
        holder.text = written[at : at + len(text)]
        at += len(text)
    return written != before


def _title(text: str) -> str:
    words = re.split(r"(\s+)", text)
    spoken = [place for place, word in enumerate(words) if word.strip()]

    def one(place: int, word: str) -> str:
        inside = place not in (spoken[0], spoken[-1])
        if _is_name(word) or not word:
            return word
        return word.lower() if inside and word.lower() in _SMALL else _capital(word)

    return "".join(one(place, word) for place, word in enumerate(words))


def _sentence(text: str) -> str:
    words = re.split(r"(\s+)", text)
    spoken = [place for place, word in enumerate(words) if word.strip()]
    return "".join(
        word
        if _is_name(word)
        else _capital(word)
        if spoken and place == spoken[0]
        else word.lower()
        for place, word in enumerate(words)
    )


def _is_name(word: str) -> bool:
    """Whether a word is written in a way that has to stay, such as NASA or iPhone."""
    letters = [char for char in word if char.isalpha()]
    return len(letters) > 1 and any(char.isupper() for char in letters[1:])


def _capital(word: str) -> str:
    for place, char in enumerate(word):
        if char.isalpha():
            rest = word[place + 1 :].lower()
            return word[:place] + (char.upper() if len(char.upper()) == 1 else char) + rest
    return word


_CHANGES: dict[str, Callable[[str], str]] = {"title": _title, "sentence": _sentence}
