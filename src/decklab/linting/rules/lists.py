"""Lists whose numbers and bullets were typed."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from decklab.deck.model.shapes import Text
from decklab.deck.model.text import Paragraph
from decklab.linting.rules.page import DrawnSlide, DrawnText, ink_of
from decklab.linting.rules.rule import Rule, called
from decklab.linting.rules.titles import is_title
from decklab.metrics.findings import Occurrence, quoted

LEAST_TYPED: Final = 2
"""Ours: paragraphs that begin with a number or bullet before they are a list."""

HANGS_EM: Final = 0.5
"""Ours: by so many times the text's size a line that goes on has to start farther right than the
number above it."""

LAYOUT_LIST = Rule(
    "layout.list",
    "TypedList",
    "The numbers or bullets of a list are typed.",
    source="decklab",
    severity="warning",
    threshold=f"{LEAST_TYPED} paragraphs with a bullet and a typed number or mark, or with a typed"
    " one under which their next line begins",
    fix="Delete the typed marks, and use the list's own.",
    drawn=True,
    scored=False,
)

_TYPED: Final = re.compile(
    r"\s*(?:\d{1,2}[.)]|[a-z]\)|[-\u2013\u2022*\u25aa\u25cf\u25ba\u2713])\s+\S"
)


def typed_lists(view: DrawnSlide) -> Iterator[Occurrence]:
    """Lists of which paragraphs have a bullet and a number that was typed after it, or a typed one
    whose text goes on under it: then the items run into each other. Titles and what is animated
    are not judged.
    """
    for drawn in view.texts:
        text = drawn.element
        if not isinstance(text, Text) or is_title(text) or text.id in view.moving:
            continue
        typed = [one for one in text.paragraphs if _TYPED.match(one.text)]
        if len(typed) < LEAST_TYPED:
            continue
        double = [one for one in typed if one.bullet is not None]
        if len(double) >= LEAST_TYPED:
            says = f"has a bullet and a typed mark before {quoted(double[0].text)}"
        elif (wrapped := _wrapped(drawn, typed)) is not None:
            says = f"goes on under its typed mark in {quoted(wrapped)}"
        else:
            continue
        finding = LAYOUT_LIST.finding(
            f"{called(text, start=True)} {says}.", view.slide.number, text, box=drawn.ink
        )
        yield Occurrence(finding, text.name)


def _wrapped(drawn: DrawnText, typed: list[Paragraph]) -> str | None:
    """The words of a typed item whose second line begins under its mark."""
    if drawn.element.rotation or not drawn.is_whole:
        return None
    starts = [one.text.split()[0] for one in typed if one.bullet is None]
    rows = [(ink_of(row), " ".join(span.text for span in row)) for row in drawn.lines]
    for (above, words), (below, next_words) in pairwise(rows):
        opens = any(words.lstrip().startswith(start) for start in starts)
        em = HANGS_EM * drawn.size_pt * drawn.px_per_pt
        under = not _TYPED.match(next_words) and abs(below.left - above.left) < em
        if opens and under and _goes_on(words, next_words, typed):
            return words
    return None


def _goes_on(line: str, following: str, typed: list[Paragraph]) -> bool:
    """Whether two lines are of one paragraph."""
    bare = ["".join(one.text.split()) for one in typed]
    joined = "".join(line.split()) + "".join(following.split())
    return any(joined in one for one in bare)
