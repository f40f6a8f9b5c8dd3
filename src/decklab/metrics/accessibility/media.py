"""Videos for those who do not hear them."""

from collections.abc import Iterator

from decklab.deck.model.shapes import box_of
from decklab.deck.model.slide import SlideElements
from decklab.metrics.findings import Occurrence
from decklab.metrics.integrity.places import label
from decklab.results import Finding


def captions(slide: SlideElements) -> Iterator[Occurrence]:
    """Videos, whose captions are for people to check: they may be part of the picture."""
    for item in slide.media:
        if item.medium == "video" and not item.hidden:
            yield Occurrence(
                Finding(
                    rule="accessibility.captions",
                    severity="info",
                    message=f"Check that the video {item.name} has captions; decklab cannot tell.",
                    slide=slide.number,
                    shape=label(item),
                    box=box_of(item),
                    fix="Insert captions (WebVTT) where anything is said in the video.",
                ),
                item.id,
            )
