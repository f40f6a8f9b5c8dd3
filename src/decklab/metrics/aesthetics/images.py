"""The shape every aesthetics metric takes its pictures in, checked once at the door."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["Image", "Plane", "checked"]

Image = NDArray[np.uint8]
"""A slide picture: RGB, 8 bits a channel, shape (height, width, 3)."""

Plane = NDArray[np.float32]
"""One channel of a picture as float32, shape (height, width)."""


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
