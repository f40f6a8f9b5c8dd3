"""A deck as a judge sees it: pictures of its slides, one by one and on sheets, and their text."""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

from decklab.comparing.contact_sheet import contact_sheet
from decklab.judges.asking import batches
from decklab.metrics.colors import Image
from decklab.rendering.model import RenderedSlide
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer
from decklab.reports.pictures import SlidePicture, encode_jpeg

SLIDES_A_SHEET: Final = 6
_COLUMNS: Final = 2
_SHEET_SLIDE: Final = 640
_SLIDE: Final = 960
_COVER_SLIDE: Final = 320
_COVER: Final = 720
_QUALITY: Final = 80
"""Ours: how many slides a sheet holds, and in how many columns; the width of a slide on a sheet,
alone and on a cover, and of a cover, in pixels; the quality of JPEG, of 100."""


@dataclass(frozen=True)
class ShownDeck:
    """What a judge is shown of a deck; its name is not."""

    name: str
    """As it was given."""
    slides: tuple[bytes, ...]
    """A JPEG of each slide."""
    sheets: tuple[bytes, ...]
    """JPEGs of up to ``SLIDES_A_SHEET`` slides each, numbered."""
    texts: tuple[str, ...]
    """What is drawn on each slide, line by line."""
    cover: SlidePicture | None = None
    """The first ``SLIDES_A_SHEET`` slides, small, for people; None where there are none."""


def show_deck(path: str | Path, renderer: Renderer) -> ShownDeck:
    """Draw a deck of any kind for a judge; raises DeckError and RenderError."""
    with open_rendered(path, renderer=renderer) as deck:
        slides = list(deck)
    return shown_slides(str(path), [slide.image for slide in slides], list(map(_text, slides)))


def shown_slides(name: str, images: list[Image], texts: list[str]) -> ShownDeck:
    """A deck of slides that are drawn: RGB pictures (height, width, 3) uint8, and their texts."""
    numbered = [(f"slide {number}", image) for number, image in enumerate(images, 1)]
    parts = list(batches(numbered, SLIDES_A_SHEET))
    sheets = [contact_sheet(part, columns=_COLUMNS, width=_SHEET_SLIDE) for part in parts]
    covers = [contact_sheet(part, columns=3, width=_COVER_SLIDE) for part in parts[:1]]
    return ShownDeck(
        name=name,
        slides=tuple(_jpeg(image, _SLIDE) for image in images),
        sheets=tuple(_jpeg(sheet, sheet.shape[1]) for sheet in sheets),
        texts=tuple(texts),
        cover=encode_jpeg(covers[0], width=_COVER, quality=_QUALITY) if covers else None,
    )


def _jpeg(image: Image, width: int) -> bytes:
    return encode_jpeg(image, width=width, quality=_QUALITY).data


def _text(slide: RenderedSlide) -> str:
    lines = groupby(slide.spans, key=lambda span: span.line)
    return "\n".join(" ".join(span.text for span in line) for _, line in lines)
