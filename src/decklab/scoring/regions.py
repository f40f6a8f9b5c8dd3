"""Drawn text as the contrast metric takes it."""

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.metrics.aesthetics.usability import TextRegion
from decklab.rendering.model import RenderedSlide


def text_regions(slide: RenderedSlide) -> list[TextRegion]:
    """The spans of a drawn slide as regions of its picture."""
    height, width = slide.image.shape[:2]
    x, y = width / FRAME_WIDTH, height / FRAME_HEIGHT
    return [
        TextRegion(
            box=span.box.scaled(x, y), text=span.text, frame_box=span.box, size_pt=span.size_pt,
            bold="bold" in span.font.lower(), ink=span.color,
        )
        for span in slide.spans
    ]  # fmt: skip
