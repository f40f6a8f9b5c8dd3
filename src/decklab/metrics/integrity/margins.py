"""Text that stands against the edge in a deck that keeps margins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from decklab.deck.model.shapes import Text
from decklab.geometry import Box
from decklab.metrics.findings import Occurrence, quoted
from decklab.metrics.integrity.page import DrawnText, PageView, StandIn
from decklab.metrics.integrity.places import FRAME, label
from decklab.metrics.integrity.sizes import role_of
from decklab.metrics.integrity.thresholds import (
    CUT_OFF_PX,
    EDGE_PX,
    LEAST_WORDY,
    MARGIN_PX,
    MARGIN_SLIDES,
    MARGIN_USUAL_PX,
)
from decklab.results import Finding


@dataclass(frozen=True)
class EdgeText:
    """The text of a slide that comes nearest to its edge."""

    slide: int
    drawn: DrawnText
    px: float
    """Between its ink and the edge; negative where it crosses the edge."""
    own_px: float
    """The same as it would be in the text's own font."""
    stand: StandIn | None = None
    """The font that is drawn in place of its own."""


def nearest_text(view: PageView) -> EdgeText | None:
    """The running text nearest to an edge of the slide; None where there is none.

    Footers, turned text and what is animated are left out.
    """
    near = [
        EdgeText(
            view.slide.number,
            drawn,
            _gap(drawn.ink),
            _gap(view.own_ink(drawn)),
            view.stand_in(drawn),
        )
        for drawn in view.texts
        if isinstance(drawn.element, Text)
        and drawn.is_whole
        and role_of(drawn.element) != "small print"
        and not drawn.element.rotation
        and drawn.element.body.direction == "horz"
        and drawn.element.id not in view.animated
        and sum(char.isalnum() for char in drawn.element.text) >= LEAST_WORDY
    ]
    return min(near, key=lambda item: item.px, default=None)


def _gap(ink: Box) -> float:
    return min(ink.left, ink.top, FRAME.right - ink.right, FRAME.bottom - ink.bottom)


def narrow_margins(nearest: Sequence[EdgeText]) -> Iterator[Occurrence]:
    """Texts that touch an edge, or all but do where the deck's slides usually keep clear of it."""
    usual = median(item.px for item in nearest) if len(nearest) >= MARGIN_SLIDES else 0.0
    for item in nearest:
        touches = -CUT_OFF_PX <= item.px < EDGE_PX
        if touches or (usual >= MARGIN_USUAL_PX and 0 <= item.px < MARGIN_PX):
            yield Occurrence(_finding(item, usual), item.drawn.element.name)


def _finding(item: EdgeText, usual: float) -> Finding:
    element = item.drawn.element
    words = quoted(element.text) if isinstance(element, Text) else element.name
    touches = item.px < EDGE_PX
    others = f"; text on this deck's slides usually keeps {usual:.0f} px" if usual > 0 else ""
    fits = item.own_px >= (EDGE_PX if touches else MARGIN_PX)
    note = item.stand.note if item.stand is not None and fits else ""
    return Finding(
        rule="text.margin",
        severity="info" if note else "warning",
        message=f"{words} stands {max(item.px, 0):.0f} px from the edge of the slide{others}."
        + note,
        slide=item.slide,
        shape=label(element),
        box=item.drawn.ink,
        measured=round(item.px, 1),
        threshold=EDGE_PX if touches else MARGIN_PX,
        fix="Move it inside the margin of the slide.",
    )
