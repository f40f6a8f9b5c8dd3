"""A slide as the rules see it: its elements, and which of them each drawn line belongs to."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from decklab.deck.elements import SlideElements
from decklab.deck.elements.matching import Claim, Span, claim, match
from decklab.deck.elements.model.shapes import Element, Text
from decklab.deck.elements.model.slide import TemplateElements
from decklab.geometry import FRAME_HEIGHT, Box
from decklab.metrics.integrity.thresholds import MATCHED_SHARE

__all__ = ["DrawnText", "Page", "PageView", "ink_of", "shown", "view"]

LINE_HEIGHT = 1.2
"""Distance of lines as a multiple of the text size, where one line alone cannot tell it."""

T = TypeVar("T", bound=Element)


@dataclass(frozen=True)
class Page:
    """One slide as it was drawn: what a renderer saw of it."""

    number: int
    """1-based."""
    spans: Sequence[Span]
    image: NDArray[np.uint8] | None = None
    """Height x width x 3, red green blue; rules that need it are silent without it."""


@dataclass(frozen=True)
class DrawnText:
    """An element, and the spans of the page that show its text."""

    element: Element
    spans: tuple[Span, ...]
    matched: float
    """Share of its characters that the spans hold; 1 where it cannot be told."""
    px_per_pt: float

    @cached_property
    def lines(self) -> tuple[tuple[Span, ...], ...]:
        """Its spans line by line, from the top."""
        rows: dict[int, list[Span]] = {}
        for span in self.spans:
            rows.setdefault(span.line, []).append(span)
        return tuple(sorted(map(tuple, rows.values()), key=lambda row: ink_of(row).bottom))

    @property
    def is_whole(self) -> bool:
        """Whether enough of it was found to judge its extent."""
        return self.matched >= MATCHED_SHARE or not isinstance(self.element, Text)

    @property
    def ink(self) -> Box:
        """Tight around all of it."""
        return ink_of(self.spans)

    @cached_property
    def size_pt(self) -> float:
        """Size of most of its characters, as drawn."""
        sizes: Counter[float] = Counter()
        for span in self.spans:
            sizes[round(span.size_pt, 1)] += len(span.text)
        return sizes.most_common(1)[0][0]

    @cached_property
    def pitch(self) -> float:
        """Distance from line to line in px, where there is one line its height with leading."""
        size = median(span.size_pt for span in self.spans) * self.px_per_pt
        steps = [below - above for above, below in pairwise(ink_of(r).bottom for r in self.lines)]
        whole = [step for step in steps if step > size / 2]
        return min(median(whole), 2 * size) if whole else LINE_HEIGHT * size


@dataclass(frozen=True)
class PageView:
    """A slide with its drawn texts told apart."""

    slide: SlideElements
    texts: tuple[DrawnText, ...]
    """Of text elements, in drawing order."""
    contents: tuple[DrawnText, ...]
    """Of tables, charts, diagrams and other frames."""
    template: tuple[DrawnText, ...]
    """Of layout and master; ``element`` is theirs."""
    image: NDArray[np.uint8] | None
    animated: frozenset[int]
    """Ids of the shapes that animations play on, members of such groups included."""
    leaving: frozenset[int]
    """Those of them that animations do not only bring in: they move, change or go."""
    replaced: frozenset[str]
    """Font families, in lower case, that were drawn in a font of other widths."""

    def stands_in(self, drawn: DrawnText) -> bool:
        """Whether a text is drawn in place of a font with other widths, at least in part."""
        element = drawn.element
        if not isinstance(element, Text):
            return bool(self.replaced)
        names = {run.font.name for paragraph in element.paragraphs for run in paragraph.runs}
        return not self.replaced.isdisjoint(name.casefold() for name in (*names, element.font.name))

    @property
    def px_per_pt(self) -> float:
        """Height of a point in the frame."""
        return FRAME_HEIGHT / self.slide.size_pt[1]


def ink_of(spans: Sequence[Span]) -> Box:
    """The box around spans, of which there is at least one."""
    box = spans[0].box
    for span in spans[1:]:
        box = box.union(span.box)
    return box


def shown(elements: Iterable[T]) -> Iterator[T]:
    """Those that have a place and are not hidden."""
    return (item for item in elements if item.placed and not item.hidden)


def view(
    slide: SlideElements,
    page: Page,
    behind: Sequence[TemplateElements] = (),
    replaced: Collection[str] = (),
) -> PageView:
    """The slide with its drawn texts; ``behind`` are the layout and master it shows.

    ``replaced`` names the fonts that were drawn in one of other widths.
    """
    frames: list[Element] = [*slide.tables, *slide.charts, *slide.diagrams, *slide.others]
    texts, contents = _claims(shown(slide.texts)), _claims(shown(frames))
    template = _claims(
        text for sheet in behind for text in shown(sheet.texts) if text.placeholder is None
    )
    match([*texts, *contents, *template], page.spans)
    scale = FRAME_HEIGHT / slide.size_pt[1]
    return PageView(
        slide=slide,
        texts=_drawn(texts, scale),
        contents=_drawn(contents, scale),
        template=_drawn(template, scale),
        image=page.image,
        animated=_with_members(slide, (item.shape for item in slide.animations)),
        leaving=_with_members(
            slide, (item.shape for item in slide.animations if item.kind != "entrance")
        ),
        replaced=frozenset(name.casefold() for name in replaced),
    )


def _claims(elements: Iterable[Element]) -> list[Claim]:
    return [found for item in elements if (found := claim(item)) is not None]


def _drawn(claims: Sequence[Claim], scale: float) -> tuple[DrawnText, ...]:
    return tuple(
        DrawnText(item.element, tuple(item.spans), item.matched, scale)
        for item in claims
        if item.spans
    )


def _with_members(slide: SlideElements, shapes: Iterable[int | None]) -> frozenset[int]:
    ids = {shape for shape in shapes if shape is not None}
    members = {item.id for item in slide.elements() if ids.intersection(item.groups)}
    return frozenset(ids | members)
