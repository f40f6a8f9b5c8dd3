"""The picture of a slide with the boxes of its true elements and of those read off it."""

import io
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.deck.model.plain import PlainLine, PlainSlide
from decklab.metrics.extraction.matching import FAMILIES, Family, Matching

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
    image: NDArray[np.uint8],
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
