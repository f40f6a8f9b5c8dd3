"""Whether the characters of a text can be made out on the slide as it is drawn.

The slide is compared with itself without the text: where a letter's ink changes nothing, it is
covered, transparent, or in the colour of what is behind it, whichever way that came about.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from decklab.geometry import Box
from decklab.metrics.aesthetics.cielab import LINEAR_LIGHT
from decklab.metrics.aesthetics.constants import CONTRAST_OFFSET, LUMINANCE_WEIGHTS

LEAST_CONTRAST: Final = 2.0
"""Ours: WCAG 2.2 contrast under which letters can hardly be told from their ground. WCAG 2.2 asks
3:1 of large text; grey #B4B4B4 on white has 2:1."""
LEAST_SIZE: Final = 6.0
"""Ours: points on a slide of 960 by 540 points under which nobody reads text that is shown: half
of what Microsoft and others call the least for notes at the foot of a slide."""
_CORE = 0.5  # ours: of the most ink in a character's box, from which a pixel is its ink
_FAINT = 0.1  # ours: a text that covers less of its ground than this is transparent
_PART = 0.5  # ours: of a character's ink and box that has to show

Picture = NDArray[np.uint8]
_LIGHT = LINEAR_LIGHT.astype(np.float32)
_WEIGHTS = np.array(LUMINANCE_WEIGHTS, np.float32)


def pixel_contrast(one: Picture, other: Picture) -> NDArray[np.float32]:
    """WCAG 2.2 contrast of two pictures pixel by pixel, 1 to 21; (..., 3) uint8 each.

    >>> white, black = np.full((1, 1, 3), 255, np.uint8), np.zeros((1, 1, 3), np.uint8)
    >>> round(float(pixel_contrast(white, black)[0, 0]), 3)
    21.0
    """
    lights = [_LIGHT[side] @ _WEIGHTS + np.float32(CONTRAST_OFFSET) for side in (one, other)]
    ratio: NDArray[np.float32] = np.maximum(*lights) / np.minimum(*lights)
    return ratio


def made_out(
    full: Picture, without: Picture, ink: NDArray[np.uint8], characters: Sequence[Box]
) -> tuple[list[bool], float]:
    """For each character whether it can be made out, and the text's median contrast, 1 to 21.

    ``full`` shows the slide, ``without`` the same without the text, both (H, W, 3) RGB; ``ink`` is
    how much of each pixel the text alone would cover, 0 to 255; boxes are in these pixels. A
    character can be made out where half of its box lies on the slide and half of its ink stands
    off by ``LEAST_CONTRAST``. The contrast is that of the ink that makes a difference; 1 where
    none does.

    >>> page = np.full((10, 10, 3), 255, np.uint8)
    >>> written = page.copy()
    >>> written[2:8, 2:4] = 0
    >>> ink = 255 - written[:, :, 0]
    >>> seen, ratio = made_out(written, page, ink, [Box(2, 2, 4, 8)])
    >>> seen, round(ratio, 3)
    ([True], 21.0)
    >>> made_out(page, page, ink, [Box(2, 2, 4, 8)])
    ([False], 1.0)
    """
    found, ratios = [], []
    for box in characters:
        ratio, inside = _of_ink(full, without, ink, box)
        found.append(bool(inside and ratio.size) and (ratio >= LEAST_CONTRAST).mean() >= _PART)
        ratios.append(ratio[ratio > 1])
    every = np.concatenate(ratios) if ratios else np.empty(0)
    return [bool(one) for one in found], float(np.median(every)) if every.size else 1.0


def _of_ink(
    full: Picture, without: Picture, ink: NDArray[np.uint8], box: Box
) -> tuple[NDArray[np.float32], bool]:
    """Contrast at each pixel of a character's ink, and whether enough of it is on the slide."""
    height, width = ink.shape
    left, top = max(0, int(box.left)), max(0, int(box.top))
    right, bottom = min(width, int(np.ceil(box.right))), min(height, int(np.ceil(box.bottom)))
    none = np.empty(0, np.float32)
    if right <= left or bottom <= top:
        return none, False
    on_slide = box.intersection(Box(0, 0, width, height))
    inside = on_slide.area >= _PART * box.area
    here = ink[top:bottom, left:right]
    most = float(here.max())
    if most < _FAINT * 255:
        return none, inside
    core = here >= _CORE * most
    ratio = pixel_contrast(
        full[top:bottom, left:right][core], without[top:bottom, left:right][core]
    )
    return ratio, inside
