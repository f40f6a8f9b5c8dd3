"""Screenshots and scans: regions where small text stands close, line by line."""

from collections.abc import Sequence

import cv2
import numpy as np

from decklab.benchmarks.slideeval.baselines.reading import Color, Line, Picture
from decklab.geometry import Box

__all__ = ["find_screenshots", "holds"]

# All ours; lengths in px of the frame.
_SMALL_PT = 9.5
_LEAST_LINES = 8
_GLUE = 21
_GROUND_LEVELS = 10
_LARGE_SHARE = 0.25  # of the lines in a region that may be of other sizes


def find_screenshots(image: Picture, background: Color, lines: Sequence[Line]) -> list[Box]:
    """Boxes of regions of ``image`` (540 x 960 x 3, RGB) that look like pictures of text.

    Slides have few lines that small, and seldom so many together.
    """
    small = [line for line in lines if line.size <= _SMALL_PT]
    if len(small) < _LEAST_LINES:
        return []
    low, high = (
        np.clip(np.array(background) + by, 0, 255) for by in (-_GROUND_LEVELS, _GROUND_LEVELS)
    )
    mask = 255 - np.asarray(cv2.inRange(image, low, high), np.uint8)
    for line in lines:
        if line.size > _SMALL_PT:
            left, top, right, bottom = (int(edge) for edge in line.box)
            mask[max(0, top - 2) : bottom + 3, max(0, left - 2) : right + 3] = 0
    kernel = np.ones((_GLUE, _GLUE), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), np.uint8)
    found = []
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        x, y, w, h = cv2.boundingRect(contour)
        box = Box(x, y, x + w, y + h)
        inside = [line for line in lines if holds(box, line.box)]
        tiny = sum(line.size <= _SMALL_PT for line in inside)
        if tiny >= _LEAST_LINES and tiny >= (1 - _LARGE_SHARE) * len(inside):
            found.append(box)
    return found


def holds(box: Box, other: Box) -> bool:
    """Whether the middle of the other lies in a box."""
    x, y = (other.left + other.right) / 2, (other.top + other.bottom) / 2
    return box.left <= x <= box.right and box.top <= y <= box.bottom
