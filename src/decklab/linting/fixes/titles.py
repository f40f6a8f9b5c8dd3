"""Fixes of titles: one from the slide's first line, numbers for titles that come again."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.shapes import Text
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.diffing.changes import Kind
from decklab.editing.mending import add_hidden_title, append_to_text
from decklab.linting.fixes.fix import Fix, Way, do_all
from decklab.linting.fixes.language import languages_by_use
from decklab.linting.rules.sizes import role_of
from decklab.linting.rules.titles import (
    DUPLICATE_SLIDE_TITLE,
    MISSING_SLIDE_TITLE,
    is_title,
    shared_titles,
    title_of,
)
from decklab.metrics.findings import quoted

LONGEST_TITLE: Final = 80
"""Ours, in characters: a longer first line is cut off after a word."""
_LETTERS = 3
_ROW = 12.0
"""Ours, in px: texts whose tops are this near stand in one row."""


def title_words(deck: DeckElements) -> Counter[str]:
    """How often each title comes in a deck, in lower case."""
    titles = filter(None, map(title_of, deck.slides))
    return Counter(" ".join(title.text.split()).casefold() for title in titles)


def missing_title(slide: SlideElements, taken: Counter[str]) -> Iterator[Fix]:
    """A title off the slide, with the words that stand for one: nothing that is seen changes.

    A slide without words, or with a title that is hidden on purpose, gets none. Words that
    another slide has as its title get a number. The title is marked as being in the language of
    the text that it is from.

    ``taken`` counts the titles of the deck in lower case; the title is added to it.
    """
    hidden = any(is_title(text) and text.text.strip() for text in slide.texts)
    source = None if title_of(slide) or hidden else title_source(slide)
    if source is not None:
        line, language = first_line(source), next(iter(languages_by_use([source])), None)
        taken[line.casefold()] += 1
        count = taken[line.casefold()]
        line += f" – {count}" if count > 1 else ""
        empty = next(filter(is_title, slide.texts), None)
        kinds: frozenset[Kind] = frozenset({"added", "slide", "z-order"})
        yield Fix(
            MISSING_SLIDE_TITLE.id,
            slide.number,
            f"a title off the slide, for screen readers: {quoted(line)}",
            kinds if empty is None else frozenset({"text", "geometry", "style"}),
            (partial(add_hidden_title, slide=slide.number, text=line, language=language),),
            shape=None if empty is None else empty.id,
        )


def title_source(slide: SlideElements) -> Text | None:
    """The text that stands for the title: the largest in the upper half, else the first as read;
    None where no text has words.

    Footers, numbers and texts off the slide do not count.
    """
    texts = [text for text in slide.texts if _is_worded(text)]
    upper = [text for text in texts if text.y < FRAME_HEIGHT / 2]
    largest = max((text.font.size for text in upper), default=0.0)
    heads = [text for text in upper if text.font.size >= largest] or texts
    return min(heads, key=lambda text: (text.y // _ROW, text.x), default=None)


def first_line(text: Text) -> str:
    """The first line of a text that has words, at most ``LONGEST_TITLE`` characters of it."""
    lines = [" ".join(line.split()) for line in text.text.splitlines()]
    return _cut(next(line for line in lines if _words(line)))


def _is_worded(text: Text) -> bool:
    if text.hidden or not text.placed or role_of(text) == "small print":
        return False
    inside = -text.w < text.x < FRAME_WIDTH and -text.h < text.y < FRAME_HEIGHT
    return inside and any(_words(line) for line in text.text.splitlines())


def _words(line: str) -> bool:
    return sum(map(str.isalpha, line)) >= _LETTERS


def _cut(line: str) -> str:
    if len(line) <= LONGEST_TITLE:
        return line
    return re.sub(r"\W*\s+\S*$", "", line[:LONGEST_TITLE]) + "…"


def repeated_titles(deck: DeckElements) -> Iterator[Fix]:
    """Numbers at the end of titles that come again on slides apart from each other, such as
    ``Exercise – 2/3``; slides that follow one another and share a title share its number."""
    for groups in shared_titles(deck):
        ways: list[Way] = []
        numbers = []
        for place, run in enumerate(groups, 1):
            for slide, title in run:
                words = f" – {place}/{len(groups)}"
                ways.append(partial(append_to_text, slide=slide.number, shape=title.id, text=words))
                numbers.append(slide.number)
        name = quoted(groups[0][0][1].text)
        yield Fix(
            DUPLICATE_SLIDE_TITLE.id,
            numbers[0],
            f"the titles {name} are numbered, from 1/{len(groups)} to {len(groups)}/{len(groups)}",
            frozenset({"text", "slide"}),
            (partial(do_all, ways=ways),),
            others=tuple(numbers[1:]),
            of_deck=True,
        )
