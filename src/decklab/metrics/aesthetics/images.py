"""The shape every aesthetics metric takes its pictures in, checked once at the door."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A slide picture: RGB, 8 bits a channel, shape (height, width, 3)."""

Plane = NDArray[np.float32]
"""One channel of a picture as float32, shape (height, width)."""


# Pixels worked on at a time: what is in flight then stays in a core's own cache.
_STRIP = 1 << 16


def checked(image: Image) -> Image:
    """``image`` itself, made contiguous; raises ValueError unless RGB uint8 (H, W, 3), not empty.

    >>> checked(np.zeros((2, 2), np.uint8))
    Traceback (most recent call last):
    ValueError: a slide image is uint8 of shape (H, W, 3), not uint8 of shape (2, 2)
    """
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or image.size == 0:
        raise ValueError(
            f"a slide image is uint8 of shape (H, W, 3), not {image.dtype} of shape {image.shape}"
        )
    return np.ascontiguousarray(image)


def strips(image: Image) -> Iterator[slice]:
    """Slices of rows, about 65,000 pixels each, that cover the picture from top to bottom.

    >>> list(strips(np.zeros((100, 1280, 3), np.uint8)))
    [slice(0, 51, None), slice(51, 102, None)]
    """
    height, width = image.shape[:2]
    rows = max(1, _STRIP // width)
    return (slice(top, top + rows) for top in range(0, height, rows))
