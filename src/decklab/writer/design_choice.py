"""The design for a topic and an audience if nobody names one: by words, always the same."""

import re
from collections.abc import Iterator
from typing import Final
from zlib import crc32

from decklab.board.blueprint import DeckPlan
from decklab.board.themes import THEMES, DesignTheme
from decklab.writer.request import WriteOptions

DEFAULT_DESIGN: Final = "light"
_TOPIC, _REQUEST, _KIND, _SECTION = 3, 2, 2, 1
"""Ours: how much a word counts in the title or audience, in the prompt, the kind of the documents,
and a word in the title of a section or slide."""
_LEAST: Final = 2
"""Ours: with less than this the words say nothing."""


def design_for(plan: DeckPlan, options: WriteOptions) -> str:
    """The name of the design whose words the topic and the audience have most of.

    Counted are different words of ``designs.toml`` in the title, subtitle and audience, in the
    prompt, in the titles of slides and sections, and the kind of the documents. The first design of
    the file wins if two have as many. If hardly a word speaks for one, the title of the deck draws
    one of those that suit any subject, always the same.
    """
    counts = {name: _count(THEMES[name], plan, options) for name in THEMES}
    best = max(counts, key=lambda name: counts[name])
    if counts[best] >= _LEAST:
        return best
    plain = [name for name in THEMES if THEMES[name].plain]
    return plain[crc32(plan.title.casefold().encode()) % len(plain)]


def other_designs(plan: DeckPlan, options: WriteOptions) -> tuple[str, ...]:
    """The design that suits next best, of the other ground if the first is light or dark."""
    first = THEMES[design_for(plan, options)]
    others = [name for name in THEMES if THEMES[name].dark is not first.dark]
    counts = {name: _count(THEMES[name], plan, options) for name in others}
    return (max(counts, key=lambda name: counts[name]),)


def _count(design: DesignTheme, plan: DeckPlan, options: WriteOptions) -> int:
    opening = plan.slides[0]
    texts = (
        (f"{plan.title} {opening.subtitle or ''} {options.audience}", _TOPIC),
        (options.prompt, _REQUEST),
        (" ".join(_titles(plan)), _SECTION),
    )
    count = _KIND if options.kind in design.kinds else 0
    for text, weight in texts:
        count += weight * sum(bool(_pattern(word).search(text)) for word in design.words)
    return count


def _titles(plan: DeckPlan) -> Iterator[str]:
    yield from plan.sections
    yield from (slide.title for slide in plan.slides[1:])


def _pattern(word: str) -> re.Pattern[str]:
    more = r"\w*" if word.endswith("*") else "s?"
    return re.compile(rf"\b{re.escape(word.removesuffix('*'))}{more}\b", re.IGNORECASE)
