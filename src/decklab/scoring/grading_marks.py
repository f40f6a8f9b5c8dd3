"""Where two pictures of a slide differ, as a few boxes that a reader can look at."""

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box

_VISIBLE = 24
"""Levels of 255 by which a pixel must differ in some channel: rounding and smoothing differ by
less. Ours."""
_NEAR = 13
"""Changes this many frame pixels apart are one; about a line of text. Ours."""
_MOST = 8
"""With more boxes than this they no longer guide the eye. Ours."""
_MARGIN = 4


def changed_regions(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> tuple[Box, ...]:
    """Boxes in the 960x540 frame around what differs between two (H, W, 3) RGB pictures.

    The largest first, eight at most; none where the pictures look the same. Pictures of another
    size are compared at that of the frame.

    >>> white = np.full((540, 960, 3), 255, np.uint8)
    >>> other = white.copy()
    >>> other[100:200, 300:400] = 0
    >>> changed_regions(white, other)
    (Box(left=296, top=96, right=404, bottom=204),)
    >>> changed_regions(white, white)
    ()
    """
    one, other = (
        cv2.resize(image, (FRAME_WIDTH, FRAME_HEIGHT), interpolation=cv2.INTER_AREA)
        for image in (before, after)
    )
    differs = (cv2.absdiff(one, other).max(axis=2) > _VISIBLE).astype(np.uint8)
    joined = cv2.dilate(differs, np.ones((_NEAR, _NEAR), np.uint8))
    count, labels = cv2.connectedComponents(joined)
    found = []
    for label in range(1, count):
        rows, columns = np.nonzero((labels == label) & (differs > 0))
        found.append(
            Box(
                max(0, int(columns.min()) - _MARGIN),
                max(0, int(rows.min()) - _MARGIN),
                min(FRAME_WIDTH, int(columns.max()) + 1 + _MARGIN),
                min(FRAME_HEIGHT, int(rows.max()) + 1 + _MARGIN),
            )
        )
    return tuple(sorted(found, key=lambda box: box.area, reverse=True)[:_MOST])
