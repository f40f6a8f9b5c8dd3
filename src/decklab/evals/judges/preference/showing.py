"""A deck as a judge sees it: pictures of its slides, one by one and on sheets, and their text.

Slides that a show leaves out, such as hidden ones, are left out, for no audience sees them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Final

from decklab.core.colors import Image
from decklab.core.errors import DeckError
from decklab.evals.judges.asking import batches
from decklab.evals.judges.deck_notes import deck_notes
from decklab.evals.judges.known import decoded, scrambled
from decklab.evals.perturb.contact_sheet import contact_sheet
from decklab.ooxml.package import Package
from decklab.pages.pictures import SlidePicture, encode_jpeg
from decklab.rendering.model import RenderedSlide
from decklab.rendering.opening import deck_kind, open_rendered
from decklab.rendering.renderer import Renderer
from decklab.seen.audience import readable_spans
from decklab.seen.reader import see
from decklab.seen.seen_slide import SeenSlide
from decklab.seen.show import slides_left_out

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
    """What is drawn on each slide and can be seen, line by line."""
    numbers: tuple[int, ...]
    """The number of each slide in its deck."""
    cover: SlidePicture | None = None
    """The first ``SLIDES_A_SHEET`` slides, small, for people; None where there are none."""
    notes: tuple[str, ...] = ()
    """What a reader of scores has to know of it, such as words that speak to the judge."""


def show_deck(path: str | Path, renderer: Renderer) -> ShownDeck:
    """Draw a deck of any kind for a judge; raises DeckError and RenderError."""
    seen = _seen_slides(path)
    with open_rendered(path, renderer=renderer) as deck:
        drawn = [
            (number, slide)
            for number, slide in enumerate(deck, 1)
            if number not in seen or not seen[number].left_out
        ]
    shown = shown_slides(
        str(path),
        [slide.image for _, slide in drawn],
        [_text(slide, seen.get(number)) for number, slide in drawn],
        [number for number, _ in drawn],
    )
    texts = dict(zip(shown.numbers, map(str.splitlines, shown.texts), strict=True))
    return replace(shown, notes=deck_notes(path, None if seen else texts))


def _seen_slides(path: str | Path) -> Mapping[int, SeenSlide]:
    """What is seen of each slide, by number; none for decks that are only drawn, not read."""
    if deck_kind(path) != "office":
        return {}
    try:
        return {slide.number: slide for slide in see(path).slides}
    except DeckError:
        return {}


def hidden_slides(path: str | Path) -> frozenset[int]:
    """The numbers of the slides that a show leaves out (``slides_left_out``); none of a deck whose
    kind has no such slides or is only drawn, not read."""
    if deck_kind(path) != "office":
        return frozenset()
    try:
        with Package.open(path) as package:
            return frozenset(slides_left_out(package))
    except DeckError:
        return frozenset()


def shown_slides(
    name: str, images: list[Image], texts: list[str], numbers: Sequence[int] | None = None
) -> ShownDeck:
    """A deck of slides that are drawn: RGB pictures (height, width, 3) uint8, and their texts.

    ``numbers`` are those of the slides in their deck; 1, 2, 3 by default.
    """
    own = tuple(numbers or range(1, len(images) + 1))
    numbered = [(f"slide {number}", image) for number, image in zip(own, images, strict=True)]
    parts = list(batches(numbered, SLIDES_A_SHEET))
    sheets = [contact_sheet(part, columns=_COLUMNS, width=_SHEET_SLIDE) for part in parts]
    covers = [contact_sheet(part, columns=3, width=_COVER_SLIDE) for part in parts[:1]]
    return ShownDeck(
        name=name,
        slides=tuple(_jpeg(image, _SLIDE) for image in images),
        sheets=tuple(_jpeg(sheet, sheet.shape[1]) for sheet in sheets),
        texts=tuple(texts),
        numbers=own,
        cover=encode_jpeg(covers[0], width=_COVER, quality=_QUALITY) if covers else None,
    )


def damaged_copy(deck: ShownDeck) -> ShownDeck | None:
    """The same deck with its slides cut into pieces that changed places (``scrambled``); None if
    that shows on less than half of them."""
    pictures = [decoded(data) for data in deck.slides]
    copies = [scrambled(picture) for picture in pictures]
    if 2 * sum(copy is not None for copy in copies) < max(1, len(copies)):
        return None
    shown = [
        picture if copy is None else copy for picture, copy in zip(pictures, copies, strict=True)
    ]
    return shown_slides(f"{deck.name}, damaged", shown, list(deck.texts), deck.numbers)


def _jpeg(image: Image, width: int) -> bytes:
    return encode_jpeg(image, width=width, quality=_QUALITY).data


def _text(slide: RenderedSlide, seen: SeenSlide | None) -> str:
    spans = slide.spans if seen is None else readable_spans(slide.spans, seen)
    lines = groupby(spans, key=lambda span: span.line)
    return "\n".join(" ".join(span.text for span in line) for _, line in lines)
