"""Slides without a title of their own."""

from collections.abc import Iterator

from decklab.deck.elements import DeckElements, SlideElements
from decklab.deck.elements.model.shapes import Text
from decklab.metrics.accessibility.thresholds import UNTITLED_SHARE, UNTITLED_SLIDES
from decklab.metrics.integrity.places import box_of, label
from decklab.metrics.integrity.sightings import named_slides, quoted
from decklab.metrics.integrity.titles import TITLES, title_of
from decklab.results import Finding

__all__ = ["duplicate_titles", "missing_titles"]


def missing_titles(deck: DeckElements) -> Iterator[Finding]:
    """Slides whose title placeholder is missing, empty or hidden.

    Where that is so on a quarter of the slides, and on three or more, one finding names them all. A
    title off the slide counts: that is how one keeps a title for screen readers only.
    """
    untitled = [slide for slide in deck.slides if title_of(slide) is None]
    most = len(untitled) >= UNTITLED_SHARE * len(deck.slides)
    if len(untitled) >= UNTITLED_SLIDES and most:
        yield _for_deck(untitled, len(deck.slides))
        return
    for slide in untitled:
        title = _placeholder(slide)
        yield Finding(
            rule="accessibility.missing-slide-title",
            severity="error",
            message=f"The slide has {_what(title)}.",
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


def _for_deck(untitled: list[SlideElements], slides: int) -> Finding:
    numbers = [slide.number for slide in untitled]
    return Finding(
        rule="accessibility.missing-slide-title",
        severity="error",
        message=f"{len(numbers)} of {slides} slides have no title: {named_slides(numbers)}.",
        slide=numbers[0],
        measured=float(len(numbers)),
        threshold=0.0,
        fix="Use layouts with a title placeholder, so that every slide has a title to go by.",
    )


def duplicate_titles(deck: DeckElements) -> Iterator[Finding]:
    """Titles that several slides share, one finding each; letter case and spaces do not count."""
    same: dict[str, list[tuple[int, Text]]] = {}
    for slide in deck.slides:
        title = title_of(slide)
        if title is not None and not slide.hidden:
            words = " ".join(title.text.split()).casefold()
            same.setdefault(words, []).append((slide.number, title))
    for group in same.values():
        if len(group) < 2:
            continue
        numbers = [number for number, _title in group]
        number, title = group[1]
        yield Finding(
            rule="accessibility.duplicate-slide-title",
            severity="info",
            message=f"Slides {named_slides(numbers)} all have the title {quoted(title.text)}."
            if len(numbers) > 2
            else f"Slides {numbers[0]} and {numbers[1]} both have the title {quoted(title.text)}.",
            slide=number,
            shape=label(title),
            box=box_of(title),
            measured=float(len(numbers)),
            threshold=1.0,
            fix='Tell them apart, for instance with "(continued)" or the point of each slide.',
        )
