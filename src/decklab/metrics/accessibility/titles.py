"""Slides without a title of their own."""

import re
from collections.abc import Iterator

from decklab.deck.model.shapes import Text, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.geometry import FRAME_HEIGHT
from decklab.metrics.accessibility.thresholds import DIALOGUE_TITLES, LEAD_SIZE, UNTITLED_SLIDES
from decklab.metrics.findings import named_slides, quoted
from decklab.metrics.integrity.places import label
from decklab.metrics.integrity.thresholds import LEAST_BODY_PT
from decklab.metrics.integrity.titles import TITLES, title_of
from decklab.results import Finding

_NAMED = 3
_LONGEST_TITLE = 80  # characters
_COUNTED = re.compile(
    r"\s*(?:[(\[]\s*(?:\d+\s*(?:/|of)\s*\d+|\d+|[ivx]+|cont(?:inued|[.'\u2019]?d?)?\.?)\s*[)\]]"
    r"|,?\s*cont(?:inued|[.'\u2019]d|\.))$"
)
"""What counts slides of one title at its end, such as ``(2/3)``, ``(II)`` or ``(cont.)``."""


def missing_titles(deck: DeckElements) -> Iterator[Finding]:
    """Slides whose title placeholder is missing, empty or hidden.

    Where that is so on three slides or more, one finding names them all. A title off the slide
    counts: that is how one keeps a title for screen readers only.
    """
    untitled = [slide for slide in deck.slides if title_of(slide) is None]
    if len(untitled) >= UNTITLED_SLIDES:
        yield _for_deck(untitled, len(deck.slides))
        return
    for slide in untitled:
        title = _placeholder(slide)
        yield Finding(
            rule="accessibility.missing-slide-title",
            severity="error" if _has_words(slide) else "info",
            message=f"The slide has {_what(title)}{_instead(slide)}.",
            slide=slide.number,
            shape=None if title is None else label(title),
            box=None if title is None else box_of(title),
            fix="Give the slide a title, or add one that is hidden off the slide.",
        )


def _placeholder(slide: SlideElements) -> Text | None:
    for text in slide.texts:
        if text.placeholder is not None and text.placeholder.type in TITLES:
            return text
    return None


def _what(title: Text | None) -> str:
    if title is None:
        return "no title placeholder"
    return "only a hidden title" if title.text.strip() else "an empty title"


def _instead(slide: SlideElements) -> str:
    """The text that stands for a title to those who see the slide, where one does."""
    texts = [text for text in slide.texts if not text.hidden and text.placed and text.text.strip()]
    heads = sorted(texts, key=lambda text: -text.font.size)
    if not heads or heads[0].y > FRAME_HEIGHT / 3 or len(heads[0].text) > _LONGEST_TITLE:
        return ""
    if "\n" in heads[0].text.strip():
        return ""
    if len(heads) > 1 and heads[0].font.size < LEAD_SIZE * heads[1].font.size:
        return ""
    return f"; {quoted(heads[0].text)} is no title to screen readers"


def _has_words(slide: SlideElements) -> bool:
    """Whether there is anything to read but small print: slides of pictures alone, and the last
    one of a deck with a logo and an imprint, have little to be called by."""
    return bool(slide.tables) or any(
        text.text.strip() and not text.hidden and text.font.size >= LEAST_BODY_PT
        for text in slide.texts
    )


def _for_deck(untitled: list[SlideElements], slides: int) -> Finding:
    numbers = [slide.number for slide in untitled]
    return Finding(
        rule="accessibility.missing-slide-title",
        severity="error",
        message=f"{len(numbers)} of {slides} slides have no title: {named_slides(numbers)}.",
        slide=numbers[0],
        slides=tuple(numbers),
        measured=float(len(numbers)),
        threshold=0.0,
        fix="Use layouts with a title placeholder, so that every slide has a title to go by.",
    )


def duplicate_titles(deck: DeckElements) -> Iterator[Finding]:
    """Titles that slides apart from each other share, together in one finding for the deck.

    Slides that follow one another may share a title: they build on each other. So may slides
    that say the same throughout, as an agenda does that comes again, and questions and answers
    (``DIALOGUE_TITLES``). Letter case, spaces and what counts the slides, as in ``(2/3)`` or
    ``(cont.)``, do not make two titles different.
    """
    same: dict[str, list[tuple[SlideElements, Text]]] = {}
    for slide in deck.slides:
        title = title_of(slide)
        if title is not None and not slide.hidden:
            same.setdefault(_plain(title.text), []).append((slide, title))
    shared = [
        apart
        for words, group in same.items()
        if words not in DIALOGUE_TITLES and len(apart := _apart(group)) > 1
    ]
    if shared:
        yield _shared(shared)


def _plain(title: str) -> str:
    words = " ".join(title.split()).casefold()
    return _COUNTED.sub("", words).strip(" :.-\u2013\u2014?!") or words


def _apart(group: list[tuple[SlideElements, Text]]) -> list[tuple[SlideElements, Text]]:
    """The first slide of each run of them, less those that only say again what one said."""
    firsts: list[tuple[SlideElements, Text]] = []
    said: set[tuple[str, ...]] = set()
    last = -1
    for slide, title in group:
        words = tuple(sorted(text.text for text in slide.texts if text.text.strip()))
        follows, again = slide.number == last + 1, words in said and len(words) > 1
        last = slide.number
        said.add(words)
        if not follows and not again:
            firsts.append((slide, title))
    return firsts


def _shared(groups: list[list[tuple[SlideElements, Text]]]) -> Finding:
    groups = sorted(groups, key=lambda group: (-len(group), group[0][0].number))
    named = [
        f"{quoted(group[0][1].text)} (slides {named_slides(slide.number for slide, _ in group)})"
        for group in groups[:_NAMED]
    ]
    more = f" and {len(groups) - _NAMED} more" if len(groups) > _NAMED else ""
    count = len(groups)
    what = "A title comes" if count == 1 else f"{count} titles come"
    slide, title = groups[0][1]
    return Finding(
        rule="accessibility.duplicate-slide-title",
        severity="info",
        message=f"{what} again on slides apart from each other: {', '.join(named)}{more}.",
        slide=slide.number,
        slides=tuple(sorted(item.number for group in groups for item, _title in group)),
        shape=label(title),
        box=box_of(title),
        measured=float(count),
        threshold=0.0,
        fix="Tell them apart, for instance by the point of each slide.",
    )
