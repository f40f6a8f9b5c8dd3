"""The colour of a picture behind a text, sampled from the picture itself."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from io import BytesIO
from math import sqrt
from typing import Final

import numpy as np
from PIL import Image, UnidentifiedImageError

from decklab.core.colors import contrast_ratio
from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Crop, box_of
from decklab.deck.model.slide import Contents

_SAMPLED: Final = 240
"""Px that the longer side of a picture has when it is sampled; ours, enough for a mean."""
_SHARE: Final = 10
_EDGE: Final = 2
_STEP: Final = 40.0
"""Rows of the sample over which a colour changes by so many of 255 levels at the edge of a band.
Ours."""
_UNEVEN: Final = 3.0
"""Ours: contrast between the darkest and the lightest tenth of an area above which no colour stands
for it."""
_LEAST_ROUND: Final = 0.15
"""Share of the slide from which on an ellipse is the ground of its content. Ours."""


class GroundPictures:
    """Pictures of a template by their digest; ``read`` gives the bytes of one, or None."""

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._pixels = lru_cache(maxsize=32)(lambda digest: _pixels(read(digest)))

    def color(
        self, digest: str | None, crop: Crop, place: Box, box: Box, *, even: bool = True
    ) -> str | None:
        """``#RRGGBB``, the median of the part behind ``box`` of a picture stretched over ``place``.

        None for none, for a picture that Pillow does not read, and with ``even`` for a part that is
        uneven.
        """
        part = self._part(digest, crop, place, box)
        if part is None:
            return None
        colors = part.reshape(-1, 3)
        ordered = colors[np.argsort(colors.mean(axis=1), kind="stable")]
        tenth = len(ordered) // _SHARE
        dark, light = ordered[tenth], ordered[len(ordered) - 1 - tenth]
        if even and contrast_ratio(_levels(dark), _levels(light)) > _UNEVEN:
            return None
        red, green, blue = _levels(np.median(colors, axis=0))
        return f"#{red:02X}{green:02X}{blue:02X}"

    def band(self, digest: str | None, crop: Crop, place: Box, box: Box) -> float | None:
        """The top of the first band of another colour that runs across ``box``."""
        part = self._part(digest, crop, place, box)
        if part is None or len(part) < 2 * _EDGE:
            return None
        rows = np.median(part, axis=1).astype(float)
        steps = np.abs(rows[_EDGE:] - rows[:-_EDGE]).max(axis=1)
        sharp = np.flatnonzero(steps > _STEP)
        return box.top + box.height * float(sharp[0]) / len(rows) if len(sharp) else None

    def _part(self, digest: str | None, crop: Crop, place: Box, box: Box) -> np.ndarray | None:
        """The pixels behind a box; None where there are none."""
        pixels = None if digest is None else self._pixels(digest)
        seen = box.intersection(place)
        if pixels is None or place.area <= 0 or seen.area <= 0:
            return None
        height, width = pixels.shape[:2]
        wide, high = 1 - crop.left - crop.right, 1 - crop.top - crop.bottom
        left = width * (crop.left + wide * (seen.left - place.left) / place.width)
        right = width * (crop.left + wide * (seen.right - place.left) / place.width)
        top = height * (crop.top + high * (seen.top - place.top) / place.height)
        bottom = height * (crop.top + high * (seen.bottom - place.top) / place.height)
        part = pixels[max(0, int(top)) : int(bottom) + 1, max(0, int(left)) : int(right) + 1]
        return part if part.size else None


def _levels(color: np.ndarray) -> tuple[int, int, int]:
    red, green, blue = (round(float(level)) for level in color)
    return red, green, blue


def _pixels(data: bytes | None) -> np.ndarray | None:
    """RGB, small, with what lets light through left out as unreadable."""
    if data is None:
        return None
    try:
        with Image.open(BytesIO(data)) as image:
            image.draft("RGB", (_SAMPLED, _SAMPLED))
            image.thumbnail((_SAMPLED, _SAMPLED))
            if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
                opaque = image.convert("RGBA")
                if np.asarray(opaque)[..., 3].min() < 255:
                    return None
            return np.asarray(image.convert("RGB"))
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None


def rounds_of(sheets: Iterable[Contents]) -> tuple[Box, ...]:
    """The largest boxes in the large filled ellipses of a slide and of what is behind it."""
    ellipses = [
        box for sheet in sheets for rect in sheet.rects
        if rect.geometry == "ellipse" and rect.paint.kind != "none"
        and (box := box_of(rect)) is not None and box.area > _LEAST_ROUND * FRAME.area
    ]  # fmt: skip
    share = (1 - sqrt(0.5)) / 2
    return tuple(
        Box(
            box.left + share * box.width, box.top + share * box.height,
            box.right - share * box.width, box.bottom - share * box.height,
        )
        for box in ellipses
    )  # fmt: skip
