"""Pictures of slides for a model: the slides of a request, and those that an edit changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image

from decklab.agents.editor.verification import Verification
from decklab.errors import RendererMissing, RenderError
from decklab.rendering.opening import open_incremental
from decklab.rendering.renderer import Renderer

MOST_PICTURES = 8
"""Pictures that go with one question. Ours: some 10,000 tokens with most providers."""
_SIZE = (960, 540)
"""Pixels: the frame of all geometry, so that the model can read off places."""


@dataclass(frozen=True)
class SlidePictures:
    """PNG bytes, and the words that say what they show."""

    images: tuple[bytes, ...] = ()
    words: str = ""


def slides_before(deck: Path, numbers: Sequence[int], *, renderer: Renderer) -> SlidePictures:
    """Pictures of the slides ``numbers`` of a deck, the first ``MOST_PICTURES`` of them.

    Where the deck cannot be drawn the words say so. Raises RendererMissing.
    """
    wanted = sorted(set(numbers))[:MOST_PICTURES]
    if not wanted:
        return SlidePictures()
    try:
        with open_incremental(
            deck, renderer=renderer, slides=wanted, size=_SIZE, ocr=False
        ) as drawn:
            images = tuple(_png(Image.fromarray(drawn.slide(number).image)) for number in wanted)
    except RendererMissing:
        raise
    except RenderError as error:
        return SlidePictures(
            words=f"There are no pictures: the slides could not be drawn ({error})."
        )
    listed = ", ".join(map(str, wanted))
    return SlidePictures(images, f"The pictures show, in this order, the slides {listed}.")


def changed_slides(checked: Verification, *, pairs: bool) -> SlidePictures:
    """Pictures of the slides that look different after an edit; with ``pairs`` before it, too."""
    images: list[bytes] = []
    labels: list[str] = []
    for drawn in checked.drawn:
        for label, number, image in (
            ("before", drawn.before_number, drawn.before if pairs else None),
            ("after", drawn.number, drawn.after),
        ):
            if image is not None and len(images) < MOST_PICTURES:
                images.append(_png(Image.fromarray(image)))
                labels.append(f"slide {number} {label} the edit")
    if not images:
        why = f" ({checked.undrawn})" if checked.undrawn else ""
        return SlidePictures(words=f"There are no pictures{why}.")
    return SlidePictures(tuple(images), f"The pictures show, in this order: {', '.join(labels)}.")


def _png(picture: Image.Image) -> bytes:
    if picture.width > _SIZE[0]:
        picture = picture.resize((_SIZE[0], round(picture.height * _SIZE[0] / picture.width)))
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
