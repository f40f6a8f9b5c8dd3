"""Pictures of slides damaged so plainly that no judge of looks may prefer them.

A judge that does not put the damaged copy below the slide has not looked, or says what pleases.
"""

from hashlib import sha256
from io import BytesIO
from typing import Final

import numpy as np
from PIL import Image as Pillow

from decklab.core.colors import Image

_ROWS, _COLUMNS = 4, 6
_FAR: Final = 32
_LEAST_SHARE: Final = 0.01
"""Pieces that a picture is cut into, down and across; the levels of 255 by which a pixel has to
change, and the share of pixels that have to, so that anybody sees it. Ours."""


def scrambled(picture: Image) -> Image | None:
    """An RGB picture (height, width, 3) cut into pieces that change places: words are cut off, and
    nothing stands in line any more. None if that shows nothing, as on an empty slide.

    The same picture gives the same copy.
    """
    height, width = picture.shape[0] // _ROWS, picture.shape[1] // _COLUMNS
    if not height or not width:
        return None
    places = [(row * height, column * width) for row in range(_ROWS) for column in range(_COLUMNS)]
    seed = int.from_bytes(sha256(np.ascontiguousarray(picture).tobytes()).digest()[:8], "big")
    order = np.random.default_rng(seed).permutation(len(places))
    copy = picture.copy()
    for (top, left), source in zip(places, order, strict=True):
        from_top, from_left = places[source]
        copy[top : top + height, left : left + width] = picture[
            from_top : from_top + height, from_left : from_left + width
        ]
    changed = np.abs(copy.astype(np.int16) - picture.astype(np.int16)).max(axis=2) > _FAR
    return copy if changed.mean() >= _LEAST_SHARE else None


def decoded(data: bytes) -> Image:
    """The RGB picture of an encoded one."""
    with Pillow.open(BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))
