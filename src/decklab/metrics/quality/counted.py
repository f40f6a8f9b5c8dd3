"""Which slides of a deck count for its quality: neither repeats nor empty slides make it better."""

from collections import Counter
from collections.abc import Mapping
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
    for number in sorted(slides):
        same = (group for group in groups if _is_alike(said[group[0]], said[number]))
        group = next(same, None)
        if group is None:
            groups.append([number])
        else:
            group.append(number)
    worst = [max(group, key=lambda number: penalties[number]) for group in groups]
    full = [number for number in worst if said[number].total() >= LITTLE]
    if not full:
        return tuple(sorted(worst))
    mean = sum(penalties[number] for number in full) / len(full)
    return tuple(sorted(n for n in worst if n in full or penalties[n] > mean))


def _is_alike(first: Counter[str], second: Counter[str]) -> bool:
    most = max(first.total(), second.total())
    if min(first.total(), second.total()) < ALIKE * most:
        return False
    return (first & second).total() >= ALIKE * most
