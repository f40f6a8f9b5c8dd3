"""Whether two pictures show the same, whatever their size: difference hashes.

N. Krawetz, "Kind of like that" (2013), where each bit says whether a picture grows brighter from
one cell of a small grid to the next; here in both directions, with plain margins cut off first. The
package imagehash has it too, and brings PyWavelets for the other hashes that it has.
"""

from dataclasses import dataclass
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from decklab.documents.pictures import UnreadablePicture, png_of

_CELLS: Final = 16
_LEAST_DIFFERENCE: Final = 2
"""Cells a side; grey levels from which a cell is brighter than its neighbour. Ours."""
_MARGIN: Final = 12
"""Grey levels by which a margin may differ from the corner. Ours."""
_SAME: Final = 0.90
"""Share of equal bits from which two pictures are the same. Ours; pictures that have nothing in
common agree in half of their bits, or more where both are mostly plain."""
_STRETCH: Final = 1.35
"""How much the proportions of the two may differ. Ours."""


@dataclass(frozen=True)
class PictureHash:
    """The signs of brightness of a picture, -1, 0 or 1, across and down, and its proportions."""

    signs: NDArray[np.int8]
    ratio: float

    def likeness(self, other: "PictureHash") -> float:
        """Share of the cells that are not plain in both pictures and have equal signs, 0 to 1;
        0 where the proportions differ by too much."""
        low, high = sorted((self.ratio, other.ratio))
        seen = (self.signs != 0) | (other.signs != 0)
        if high > _STRETCH * low or not seen.any():
            return 0.0
        return float((self.signs == other.signs)[seen].mean())


def picture_hash(data: bytes) -> PictureHash | None:
    """The hash of a picture file; None where it cannot be read or is plain."""
    try:
        png = png_of(data)
    except UnreadablePicture:
        return None
    with Image.open(BytesIO(png)) as picture:
        flat = Image.new("RGBA", picture.size, "white")
        flat.alpha_composite(picture.convert("RGBA"))
    grey = np.asarray(flat.convert("L"), np.int16)
    shown = _without_margin(grey)
    if shown is None:
        return None
    height, width = shown.shape
    across = _cells(shown, _CELLS + 1, _CELLS)
    down = _cells(shown, _CELLS, _CELLS + 1)
    signs = np.concatenate([_signs(np.diff(across, axis=1)), _signs(np.diff(down, axis=0))])
    return PictureHash(signs, width / height)


def same_picture(one: PictureHash | None, other: PictureHash | None) -> bool:
    """Whether two pictures show the same; what has no hash is like nothing."""
    return one is not None and other is not None and one.likeness(other) >= _SAME


def _without_margin(grey: NDArray[np.int16]) -> NDArray[np.int16] | None:
    """The part of a picture inside its plain margin; None where there is nothing else."""
    differs = np.abs(grey - grey[0, 0]) > _MARGIN
    rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
    if not rows.size:
        return None
    return grey[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _cells(grey: NDArray[np.int16], width: int, height: int) -> NDArray[np.int16]:
    picture = Image.fromarray(grey.astype(np.uint8))
    return np.asarray(picture.resize((width, height), Image.Resampling.BOX), np.int16)


def _signs(change: NDArray[np.int16]) -> NDArray[np.int8]:
    small = np.abs(change) < _LEAST_DIFFERENCE
    return np.where(small, 0, np.sign(change)).astype(np.int8).ravel()
