"""Where two pictures of a slide differ."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from decklab.diffing.ssim import ssim
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.results import NotScored

_VISIBLE = 12
"""Steps of 255 in any channel that count as a difference: less is rasterising and JPEG. Ours."""
_GAP = 9
"""Px of the picture over which differing pixels join to one region. Ours."""
_SPECKS = 4
"""Regions of fewer differing pixels are left out: they are antialiasing. Ours."""

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class VisualChange:
    """How two pictures of one slide differ."""

    ssim: float | NotScored
    """Mean structural similarity of their grey values, -1 to 1; 1 for equal pictures."""
    share: float
    """Share of the pixels that differ visibly, 0 to 1."""
    regions: tuple[Box, ...]
    """Boxes around what differs in the 960x540 frame, largest first."""


def visual_diff(
    before: Sequence[Image | None], after: Sequence[Image | None]
) -> list[VisualChange]:
    """Compare two rows of slide pictures, pair by pair: RGB, (height, width, 3) uint8.

    The caller pairs them, as by the slides that ``diff`` matched; None stands for a slide that is
    not there. Of pictures of different sizes the older is scaled to the newer's. Raises ValueError
    where the rows differ in length.
    """
    return [_compared(old, new) for old, new in zip(before, after, strict=True)]


def _compared(old: Image | None, new: Image | None) -> VisualChange:
    if old is None or new is None:
        reason = "the slide is in one deck only"
        everything = (Box(0, 0, FRAME_WIDTH, FRAME_HEIGHT),)
        return VisualChange(NotScored(reason), 1.0, everything)
    if old.shape != new.shape:
        size = new.shape[1], new.shape[0]
        old = np.asarray(cv2.resize(old, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    if np.array_equal(old, new):
        return VisualChange(1.0, 0.0, ())
    differs = cv2.absdiff(old, new).max(axis=2) >= _VISIBLE
    grey = [np.asarray(cv2.cvtColor(one, cv2.COLOR_RGB2GRAY), np.uint8) for one in (old, new)]
    return VisualChange(ssim(grey[0], grey[1]), float(differs.mean()), _regions(differs))


def _regions(differs: NDArray[np.bool_]) -> tuple[Box, ...]:
    height, width = differs.shape
    joined = cv2.dilate(differs.astype(np.uint8), np.ones((_GAP, _GAP), np.uint8))
    _count, components = cv2.connectedComponents(joined, connectivity=8)
    labels = np.asarray(components, np.int32)
    labels[~differs] = 0
    sizes = np.bincount(labels.ravel())
    across, down = FRAME_WIDTH / width, FRAME_HEIGHT / height
    found = [
        Box(place[1].start, place[0].start, place[1].stop, place[0].stop).scaled(across, down)
        for label, place in enumerate(find_objects(labels), start=1)
        if place is not None and sizes[label] >= _SPECKS
    ]
    return tuple(sorted(found, key=lambda box: (-box.area, box)))
