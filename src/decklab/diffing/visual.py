"""Where two pictures of a slide differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import find_objects

from decklab.diffing.ssim import ssim
from decklab.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.results import NotScored

VISIBLE = 12
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
        everything = (FRAME,)
        return VisualChange(NotScored(reason), 1.0, everything)
    if old.shape != new.shape:
        size = new.shape[1], new.shape[0]
        old = np.asarray(cv2.resize(old, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    if np.array_equal(old, new):
        return VisualChange(1.0, 0.0, ())
    differs = differing_pixels(old, new)
    grey = [np.asarray(cv2.cvtColor(one, cv2.COLOR_RGB2GRAY), np.uint8) for one in (old, new)]
    return VisualChange(ssim(grey[0], grey[1]), float(differs.mean()), _largest_first(differs))


def differing_pixels(one: Image, other: Image, least: int = VISIBLE) -> NDArray[np.bool_]:
    """Which pixels, (height, width), of two pictures of one size differ by ``least`` steps of 255
    in any channel; without it, by so many as are seen."""
    apart = cv2.absdiff(one, other)
    most = np.maximum(np.maximum(apart[:, :, 0], apart[:, :, 1]), apart[:, :, 2])
    return np.asarray(most >= least)


def regions(differs: NDArray[np.bool_], *, gap: int = _GAP, least: int = _SPECKS) -> Iterator[Box]:
    """Boxes in the 960x540 frame around pixels that differ, those within ``gap`` px of the picture
    as one; none around fewer than ``least``. In the order of their first rows."""
    height, width = differs.shape
    joined = cv2.dilate(differs.astype(np.uint8), np.ones((gap, gap), np.uint8))
    _count, components = cv2.connectedComponents(joined, connectivity=8)
    labels = np.asarray(components, np.int32)
    labels[~differs] = 0
    sizes = np.bincount(labels.ravel())
    across, down = FRAME_WIDTH / width, FRAME_HEIGHT / height
    for label, place in enumerate(find_objects(labels), start=1):
        if place is not None and sizes[label] >= least:
            rows, columns = place
            box = Box(columns.start, rows.start, columns.stop, rows.stop)
            yield box.scaled(across, down)


def _largest_first(differs: NDArray[np.bool_]) -> tuple[Box, ...]:
    return tuple(sorted(regions(differs), key=lambda box: (-box.area, box)))
