"""Slides rebuilt from their elements and drawn: the pictures in questions, with ground truth.

The paper reduces a slide to its schema, rebuilds it and shows the model that (figure 1, A to D),
so that the picture has nothing that the truth lacks, such as decoration of a template.
"""

import io
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from decklab.deck.model.plain import PlainLine, PlainSlide
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.deck.views.drawn import merge_layout
from decklab.deck.views.plain import plain_slide
from decklab.editing.building.deck import build_deck, images_of
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.metrics.extraction.matching import FAMILIES, Family, Matching
from decklab.ooxml.package import Package
from decklab.perturb.deck import taken_apart
from decklab.rendering.model import RenderedSlide, TextSpan
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer

Picture = NDArray[np.uint8]
"""Height x width x 3, red green blue."""

FRAME_PIXELS: Final = (FRAME_WIDTH, FRAME_HEIGHT)
"""The picture in a question has the size of the frame: 72 dpi (appendix B)."""

_DRAWN: Final = (1920, 1080)
"""Ours: slides are drawn twice as large and scaled down, which gives text smoother edges."""

_NOT_IN_SCHEMA: Final = ("charts", "diagrams", "others")


@dataclass(frozen=True)
class SlideDrawing:
    """The picture of a slide, and its elements."""

    elements: SlideElements
    """With the drawn position and size of its texts."""
    image: Picture
    """In the proportions of the frame."""
    spans: tuple[TextSpan, ...]

    @property
    def truth(self) -> PlainSlide:
        """The visible elements, in the schema of the models' answers."""
        return plain_slide(self.elements)


def in_schema(slide: SlideElements) -> SlideElements:
    """A slide reduced to the elements of the paper's schema, each text by itself; never hidden."""
    left_out = dict.fromkeys(_NOT_IN_SCHEMA, ())
    return taken_apart(slide).model_copy(update={**left_out, "hidden": False, "notes": None})


def rebuild(
    slides: Sequence[SlideElements],
    images: Mapping[str, bytes],
    *,
    renderer: Renderer | None = None,
    size: tuple[int, int] = FRAME_PIXELS,
) -> list[SlideDrawing]:
    """Build a deck of ``slides``, draw it, and read it again: the truth is what was built.

    Raises RenderError where it cannot be drawn.
    """
    with tempfile.TemporaryDirectory(prefix="decklab-slideeval-") as folder:
        built = build_deck(slides, Path(folder, "rebuilt.pptx"), images=images)
        return draw(built.path, renderer=renderer, size=size)


def draw(
    path: Path,
    *,
    renderer: Renderer | None = None,
    size: tuple[int, int] = FRAME_PIXELS,
    numbers: Sequence[int] | None = None,
) -> list[SlideDrawing]:
    """The slides of a deck with their layout, some of them or all.

    Raises DeckError where the deck cannot be read, RenderError where it cannot be drawn.
    """
    with Package.open(path) as package:
        slides = read_elements(package).slides
    wanted = slides if numbers is None else [slides[number - 1] for number in numbers]
    with open_rendered(path, renderer=renderer, size=_DRAWN, ocr=False) as deck:
        return [_drawn(slide, deck.slide(slide.number), size) for slide in wanted]


def _drawn(slide: SlideElements, page: RenderedSlide, size: tuple[int, int]) -> SlideDrawing:
    laid_out = merge_layout(slide, page.spans).slide
    return SlideDrawing(laid_out, as_frame(page.image, size), page.spans)


def as_frame(image: Picture, size: tuple[int, int] = FRAME_PIXELS) -> Picture:
    """A picture in the frame's proportions, so that its coordinates are those of the frame."""
    if image.shape[:2] == size[::-1]:
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def png(image: Picture) -> bytes:
    """The picture as a PNG file."""
    stream = io.BytesIO()
    Image.fromarray(image).save(stream, format="PNG")
    return stream.getvalue()


def pixels_of(data: bytes) -> Picture:
    """The picture in a PNG or JPEG file."""
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"), np.uint8)


def rebuilt_slides(
    path: Path,
    numbers: Sequence[int],
    *,
    renderer: Renderer | None = None,
    size: tuple[int, int] = FRAME_PIXELS,
) -> list[SlideDrawing]:
    """Some slides of a deck, each reduced to the schema, rebuilt and drawn.

    Raises as ``draw`` does.
    """
    with Package.open(path) as package:
        slides = read_elements(package).slides
        chosen = [in_schema(slides[number - 1]) for number in numbers]
        images = images_of(package)
        return rebuild(chosen, images, renderer=renderer, size=size)


LEGEND: Final = (
    "Green: true elements that were found. Blue: what was predicted for them. "
    "Red: true elements that were missed. Orange: predictions that match nothing."
)

_FOUND, _PREDICTED, _MISSED, _EXTRA = "#1a8f3c", "#1f5fd6", "#d11f1f", "#e88b00"
_PALE: Final = 0.45
"""Ours: share of white that is mixed into the slide, so that boxes stand out."""
_QUALITY: Final = 80
_LETTERS: Final = 11


def overlay(
    image: Picture,
    truth: PlainSlide,
    prediction: PlainSlide | None,
    matchings: Mapping[Family, Matching],
) -> bytes:
    """The boxes of truth and prediction over the paled slide, as a JPEG of the frame's size.

    ``image`` is the picture that was read, in the frame's proportions. Without a prediction, all
    true elements are missed.
    """
    size = (FRAME_WIDTH, FRAME_HEIGHT)
    slide = Image.fromarray(image).resize(size, Image.Resampling.LANCZOS)
    sheet = Image.blend(slide, Image.new("RGB", size, "white"), _PALE)
    pen = ImageDraw.Draw(sheet)
    for family in FAMILIES:
        true = [_box(item) for item in getattr(truth, family)]
        seen = [_box(item) for item in getattr(prediction, family)] if prediction else []
        matching = matchings.get(family, Matching((), tuple(range(len(true))), ()))
        for place in matching.missed:
            _outline(pen, true[place], _MISSED, family)
        for place in matching.extra:
            _outline(pen, seen[place], _EXTRA, family)
        for match in matching.matches:
            _outline(pen, true[match.truth], _FOUND, family)
            _outline(pen, seen[match.prediction], _PREDICTED, "")
            middles = (_middle(true[match.truth]), _middle(seen[match.prediction]))
            pen.line(middles, fill=_PREDICTED, width=2)
    stream = io.BytesIO()
    sheet.save(stream, format="JPEG", quality=_QUALITY)
    return stream.getvalue()


def _box(item: object) -> Box:
    if isinstance(item, PlainLine):
        (left, right), (top, bottom) = sorted((item.x1, item.x2)), sorted((item.y1, item.y2))
        return Box(left, top, right, bottom)
    x, y, w, h = (float(getattr(item, side)) for side in "xywh")
    return Box(x, y, x + w, y + h)


def _outline(pen: ImageDraw.ImageDraw, box: Box, color: str, family: str) -> None:
    # A model may give any number; what lies far outside the slide cannot be seen.
    left, top = (max(-10.0, min(edge, 2000.0)) for edge in box[:2])
    right, bottom = max(left, min(box.right, 2000.0)), max(top, min(box.bottom, 2000.0))
    if color == _FOUND:  # around the prediction, which may have the same box
        left, top, right, bottom = left - 2, top - 2, right + 2, bottom + 2
    pen.rectangle((left, top, right, bottom), outline=color, width=2)
    if family:
        font = ImageFont.load_default(_LETTERS)
        pen.text((left + 3, top + 1), family[:-1], fill=color, font=font)


def _middle(box: Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2
