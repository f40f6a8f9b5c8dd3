"""Laid-out truth: where a slide's texts were drawn, and how large."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from decklab.deck.elements.matching import Claim, Span, claim, match
from decklab.deck.elements.model.shapes import Drawn, Element, Text, Tight
from decklab.deck.elements.model.slide import SlideElements
from decklab.deck.elements.spelling import bare

__all__ = ["LaidOut", "merge_layout"]


@dataclass(frozen=True)
class LaidOut:
    """A slide with ``drawn`` set on every text that was found on its page."""

    slide: SlideElements
    share_of_text: float | None
    """Share of the characters of the slide's visible texts that were found on the page; None
    where there are none."""
    share_of_spans: float | None
    """Share of the page's characters that belong to those texts; the rest are text of tables,
    charts, diagrams, layouts and masters. None where the page shows none."""


def merge_layout(slide: SlideElements, spans: Sequence[Span]) -> LaidOut:
    """The slide's texts with tight boxes and effective sizes, matched by text and place.

    Spans of tables, charts, diagrams and other frames are kept apart from those of texts. Of
    several elements that hold the characters of a span the nearest has it, each character once;
    beyond a quarter of the slide's width from its box no element has any.
    """
    frames: tuple[Element, ...] = (*slide.tables, *slide.charts, *slide.diagrams, *slide.others)
    claims = [one for item in (*slide.texts, *frames) if (one := claim(item)) is not None]
    match(claims, spans)
    texts = {id(item.element): item for item in claims if isinstance(item.element, Text)}
    merged = tuple(
        item.model_copy(update={"drawn": _drawn(texts[id(item)]) if id(item) in texts else None})
        for item in slide.texts
    )
    total = sum(len(item.free) for item in texts.values())
    found = total - sum(sum(item.free) for item in texts.values())
    page = sum(len(bare(span.text)) for span in spans)
    mine = sum(len(bare(span.text)) for item in texts.values() for span in item.spans)
    return LaidOut(
        slide.model_copy(update={"texts": merged}),
        found / total if total else None,
        mine / page if page else None,
    )


def _drawn(item: Claim) -> Drawn | None:
    if not item.spans:
        return None
    box = item.spans[0].box
    sizes: Counter[float] = Counter()
    colors: Counter[str] = Counter()
    for span in item.spans:
        box = box.union(span.box)
        sizes[round(span.size_pt, 2)] += len(span.text)
        colors[span.color.upper()] += len(span.text)
    return Drawn(
        box=Tight(
            x=round(box.left, 2), y=round(box.top, 2), w=round(box.width, 2), h=round(box.height, 2)
        ),
        size=sizes.most_common(1)[0][0],
        color=colors.most_common(1)[0][0] or None,
        matched=min(item.matched, 1.0),
    )
