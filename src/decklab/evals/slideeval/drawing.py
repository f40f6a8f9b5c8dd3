"""Slides rebuilt from their elements and drawn: the pictures in questions, with ground truth.

The paper reduces a slide to its schema, rebuilds it and shows the model that (figure 1, A to D),
so that the picture has nothing that the truth lacks, such as decoration of a template.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from decklab.core.files import scratch_folder
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.plain import PlainSlide
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.deck.views.drawn import merge_layout
from decklab.deck.views.plain import plain_slide
from decklab.editing.building.deck import build_deck, images_of
from decklab.evals.perturb.deck import taken_apart
from decklab.ooxml.package import Package
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

    Raises RenderError if it cannot be drawn.
    """
    with scratch_folder("slideeval") as folder:
        built = build_deck(slides, folder / "rebuilt.pptx", images=images)
        return draw(built.path, renderer=renderer, size=size)


def draw(
    path: Path,
    *,
    renderer: Renderer | None = None,
    size: tuple[int, int] = FRAME_PIXELS,
    numbers: Sequence[int] | None = None,
) -> list[SlideDrawing]:
    """The slides of a deck with their layout, some of them or all.

    Raises DeckError if the deck cannot be read, RenderError if it cannot be drawn.
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
