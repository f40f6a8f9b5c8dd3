"""Which slides of a deck count for its quality: neither repeats nor empty slides make it better."""

from collections import Counter
from collections.abc import Mapping
from math import ceil
from typing import Final

from decklab.deck.model.shapes import Media, Other
from decklab.deck.model.slide import SlideElements
from decklab.metrics.quality.flaws import MeasuredSlide

ALIKE: Final = 0.8
"""Ours: share of two slides' contents from which on they are one slide shown twice."""
LITTLE: Final = 10
"""Ours: contents under which a slide has hardly room for a flaw, such as a title alone."""
_GRAPHIC: Final = 5
"""Ours: words that a picture, film or object counts for."""


def contents(slide: SlideElements) -> Counter[str]:
    """What a slide says and shows, and how often: words, the values of charts, pictures."""
    said: Counter[str] = Counter()
    texts = [item.text for item in slide.texts if item.placed and not item.hidden]
    texts += [cell for table in slide.tables for row in table.cells for cell in row]
    texts += [node.text for diagram in slide.diagrams for node in diagram.nodes]
    for chart in slide.charts:
        texts.append(chart.title or "")
        for series in chart.series:
            texts += [series.name or "", *series.categories, *map(str, series.values)]
    said.update(word for text in texts for word in text.split())
    for picture in slide.images:
        if picture.placed and not picture.hidden:
            said[f"picture {picture.sha256}"] += _GRAPHIC
    objects: list[Media | Other] = [*slide.media, *slide.others]
    for item in objects:
        said[f"object {item.name}"] += _GRAPHIC
    return said


def counted_slides(
    slides: Mapping[int, MeasuredSlide], penalties: Mapping[int, float]
) -> tuple[int, ...]:
    """The numbers of the slides that make a deck's score, by slide number and penalty.

    Of slides that repeat each other only the one with the highest penalty counts. A slide that
    shows little counts only where its penalty is above the mean of the others.
    """
    said = {number: contents(seen.slide) for number, seen in slides.items()}
    groups: list[list[int]] = []
    groups_of: dict[tuple[str, int], list[int]] = {}
    rare = _rare_contents(said)
    for number in sorted(slides):
        near = sorted({place for item in rare[number] for place in groups_of.get(item, ())})
        same = (n for n in near if _is_alike(said[groups[n][0]], said[number]))
        place = next(same, None)
        if place is not None:
            groups[place].append(number)
            continue
        for item in rare[number]:
            groups_of.setdefault(item, []).append(len(groups))
        groups.append([number])
    worst = [max(group, key=lambda number: penalties[number]) for group in groups]
    full = [number for number in worst if said[number].total() >= LITTLE]
    if not full:
        return tuple(sorted(worst))
    mean = sum(penalties[number] for number in full) / len(full)
    return tuple(sorted(n for n in worst if n in full or penalties[n] > mean))


def _rare_contents(said: Mapping[int, Counter[str]]) -> dict[int, list[tuple[str, int]]]:
    """Of each slide so many of its rarest contents that two slides that are alike share one.

    Otherwise each slide would be compared with all others.
    """
    items = {
        number: [(word, copy) for word, count in words.items() for copy in range(count)]
        for number, words in said.items()
    }
    often = Counter(item for listed in items.values() for item in listed)
    rare = {}
    for number, listed in items.items():
        listed.sort(key=lambda item: (often[item], item))
        rare[number] = listed[: len(listed) - ceil(ALIKE * len(listed)) + 1] or [("", 0)]
    return rare


def _is_alike(first: Counter[str], second: Counter[str]) -> bool:
    most = max(first.total(), second.total())
    if min(first.total(), second.total()) < ALIKE * most:
        return False
    return (first & second).total() >= ALIKE * most
