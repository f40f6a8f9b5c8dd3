"""Screenshots and drawings: regions where small text stands close, or many strokes slant."""

from collections.abc import Sequence

import cv2
import numpy as np

from decklab.benchmarks.slideeval.baselines.grids import crossing
from decklab.benchmarks.slideeval.baselines.reading import Color, Line, Picture
from decklab.benchmarks.slideeval.baselines.surfaces import Surfaces, is_slanted
from decklab.geometry import Box

# All ours; lengths in px of the frame.
SMALL_PT = 9.5
_LEAST_LINES = 8
_GLUE = 21
_GROUND_LEVELS = 10
_LARGE_SHARE = 0.25  # of the lines in a region that may be of other sizes
_SLANTED = 4  # strokes from which a region is a drawing
_STREWN = 6  # strokes from which an area is a diagram


def find_screenshots(
    image: Picture, background: Color, lines: Sequence[Line], found: Surfaces
) -> list[Box]:
    """Boxes of regions of ``image`` (540 x 960 x 3, RGB) that look like shots of text or strokes.

    Slides have few lines that small, and seldom so many together; strokes that slant by the half
    dozen are drawn, or are the edges of what is drawn.
    """
    small = [line.box for line in lines if line.size <= SMALL_PT]
    slanted = [rule.box for rule in found.rules if is_slanted(rule)]
    shots = _panels(found)
    if len(small) < _LEAST_LINES and len(slanted) < _SLANTED:
        return shots
    for box in _regions(image, background, [line for line in lines if line.size > SMALL_PT]):
        tiny = sum(holds(box, one) for one in small)
        inside = sum(holds(box, line.box) for line in lines)
        small_print = tiny >= (1 - _LARGE_SHARE) * inside
        drawn = sum(holds(box, one) for one in slanted) >= _SLANTED
        if small_print and (drawn or tiny >= _LEAST_LINES):
            shots.append(box)
    return shots


def _panels(found: Surfaces) -> list[Box]:
    """Areas strewn with strokes that do not cross one another: diagrams on their own ground."""
    boxes = [area.box for area in found.areas]
    held = {box: [rule.box for rule in found.rules if holds(box, rule.box)] for box in boxes}
    return [box for box, rules in held.items() if len(rules) >= _STREWN and not crossing(rules)]


def _regions(image: Picture, background: Color, large: Sequence[Line]) -> list[Box]:
    """Boxes of what stands together on the background, without the lines of large text."""
    low, high = (
        np.clip(np.array(background) + by, 0, 255) for by in (-_GROUND_LEVELS, _GROUND_LEVELS)
    )
    mask = 255 - np.asarray(cv2.inRange(image, low, high), np.uint8)
    for line in large:
        left, top, right, bottom = (int(edge) for edge in line.box)
        mask[max(0, top - 2) : bottom + 3, max(0, left - 2) : right + 3] = 0
    kernel = np.ones((_GLUE, _GLUE), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    places = [cv2.boundingRect(contour) for contour in contours]
    return [Box(x, y, x + w, y + h) for x, y, w, h in places]


def holds(box: Box, other: Box) -> bool:
    """Whether the middle of the other lies in a box."""
    x, y = (other.left + other.right) / 2, (other.top + other.bottom) / 2
    return box.left <= x <= box.right and box.top <= y <= box.bottom
