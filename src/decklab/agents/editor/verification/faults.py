"""Faults of layout that slides did not have before."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from decklab.deck.elements import DeckElements
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.metrics.accessibility import accessibility_findings
from decklab.metrics.aesthetics.findings import findings as aesthetics_findings
from decklab.metrics.aesthetics.regions import TextRegion
from decklab.metrics.aesthetics.rows import contrast_row
from decklab.metrics.integrity import Page, integrity_findings
from decklab.render.model import RenderedSlide
from decklab.results import Finding

__all__ = ["faults", "new_faults"]


def faults(
    deck: DeckElements, drawn: Sequence[RenderedSlide], replaced_fonts: Collection[str]
) -> list[Finding]:
    """What lint says of the slides that were drawn; of the others nothing that needs a picture."""
    rows = [contrast_row(one.number, one.image, _regions(one), one.text_source) for one in drawn]
    contrast = [one for one in aesthetics_findings(rows) if one.rule == "contrast.low"]
    pages = [
        Page(one.number, one.spans if one.text_source == "layout" else (), one.image)
        for one in drawn
    ]
    found = integrity_findings(deck, pages, replaced_fonts=replaced_fonts)
    return [*found, *accessibility_findings(deck), *contrast]


def new_faults(
    before: Iterable[Finding], after: Iterable[Finding], pairs: Iterable[tuple[int, int]],
    changed: Collection[int],
) -> tuple[Finding, ...]:  # fmt: skip
    """The findings on changed slides that the older deck had not.

    ``pairs`` are older and newer number of each slide, ``changed`` newer numbers. A finding is
    known by its rule, slide and element.
    """
    numbers = dict(pairs)
    known = Counter(
        (one.rule, numbers.get(one.slide or 0, one.slide), one.shape) for one in before
    )
    found = []
    for one in after:
        if one.slide not in changed:
            continue
        if known[one.rule, one.slide, one.shape]:
            known[one.rule, one.slide, one.shape] -= 1
        else:
            found.append(one)
    return tuple(found)


def _regions(slide: RenderedSlide) -> list[TextRegion]:
    height, width = slide.image.shape[:2]
    return [
        TextRegion(
            box=span.box.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT), text=span.text,
            frame_box=span.box, size_pt=span.size_pt, bold="bold" in span.font.lower(),
            ink=span.color,
        )
        for span in slide.spans
    ]  # fmt: skip
