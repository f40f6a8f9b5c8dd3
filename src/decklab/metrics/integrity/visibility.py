"""Whether ink can be seen in a picture."""

import numpy as np
from numpy.typing import NDArray

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.metrics.integrity.thresholds import (
    FLAT_LEVELS,
    INK_APART,
    INK_MIX,
    INK_SHARE,
    INK_STRAY,
)

Picture = NDArray[np.uint8]


def ink_share(image: Picture, box: Box, color: str) -> float | None:
    """Share of a region's pixels, 0 to 1, that ink of a colour takes part in.

    A pixel counts where it lies between the region's median colour and the ink's, nearer to the
    ink than the soft edges of letters do at the least. ``image`` is RGB (H, W, 3) and shows the
    whole slide, ``box`` lies in the 960x540 frame, ``color`` is ``#RRGGBB``. None where it
    cannot be told: the region holds no pixel, or its median colour is the ink's.

    >>> slide = np.full((54, 96, 3), 255, np.uint8)
    >>> slide[:, ::4] = 0
    >>> ink_share(slide, Box(0, 0, 960, 540), "#000000")
    0.25
    """
    crop = _crop(image, box)
    if not crop.size:
        return None
    pixels = crop.reshape(-1, 3).astype(np.float32)
    ground = np.median(pixels, axis=0)
    ink = np.frombuffer(bytes.fromhex(color.removeprefix("#")), np.uint8).astype(np.float32)
    way = ink - ground
    length = float(np.linalg.norm(way))
    if length < INK_APART:
        return None
    mixed = (pixels - ground) @ way / length**2
    stray = np.linalg.norm(pixels - ground - mixed[:, None] * way, axis=1)
    return float(((mixed >= INK_MIX) & (stray <= INK_STRAY)).mean())


def is_seen(image: Picture, box: Box, color: str) -> bool:
    """Whether text of that colour shows in a region; True where that cannot be told."""
    share = ink_share(image, box, color) if color else None
    return share is None or share >= INK_SHARE


def is_flat(image: Picture, box: Box) -> bool:
    """Whether a region of the slide shows one colour only; True where it shows no pixel."""
    crop = _crop(image, box)
    return not crop.size or int(np.ptp(crop.reshape(-1, 3), axis=0).max()) <= FLAT_LEVELS


def _crop(image: Picture, box: Box) -> Picture:
    height, width = image.shape[:2]
    place = box.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)
    left, top = max(0, int(place.left)), max(0, int(place.top))
    return image[top : max(0, round(place.bottom)), left : max(0, round(place.right))]
