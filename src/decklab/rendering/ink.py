"""The ink inside a loose box: what stands off from the ground around it."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.geometry import Box

__all__ = ["tight_box"]

MIN_CONTRAST = 12.0  # ours: levels of 255 that ink must differ from its ground at the least


def tight_box(image: NDArray[np.uint8], box: Box) -> Box:
    """``box`` shrunk to the pixels whose colour stands off from that along its edges.

    ``image`` is height x width x 3; boxes are in its pixels. Edges come out on whole pixels. The
    box comes back clipped but otherwise unchanged where it holds fewer than 3 x 3 pixels or
    nothing that stands off.
    """
    height, width = image.shape[:2]
    left, top = max(0, math.floor(box.left)), max(0, math.floor(box.top))
    right, bottom = min(width, math.ceil(box.right)), min(height, math.ceil(box.bottom))
    patch = image[top:bottom, left:right].astype(np.float32)
    if right - left < 3 or bottom - top < 3:
        return box
    edge = np.concatenate([patch[0], patch[-1], patch[:, 0], patch[:, -1]])
    distance = np.abs(patch - np.median(edge, axis=0)).max(axis=2).astype(np.uint8)
    level, _ = cv2.threshold(distance, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    rows, columns = np.nonzero(distance > max(MIN_CONTRAST, level / 2))
    if not rows.size:
        return Box(left, top, right, bottom)
    return Box(
        left + int(columns.min()),
        top + int(rows.min()),
        left + int(columns.max()) + 1,
        top + int(rows.max()) + 1,
    )
