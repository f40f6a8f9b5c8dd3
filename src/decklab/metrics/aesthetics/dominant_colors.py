"""The few colours that a slide is made of, for looking at."""

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.metrics.colors import Image, checked, hex_color

# Ours. Two colours closer than this in CIELAB (CIE76) look like one on a slide; 2.3 is about the
# least difference people see side by side.
_SAME = 14.0
_LEAST_SHARE = 0.005
_SAMPLE = 60_000


def palette(image: Image, limit: int = 6) -> tuple[tuple[str, float], ...]:
    """The dominant colours of a slide as (``#RRGGBB``, share), largest share first, at most 6.

    Pixels (a regular sample of at least 60,000 where there are more) are counted in cells of 5
    bits a channel. The largest cell takes in all cells within a CIELAB distance of 14, then the
    largest of what is left, and so on; each colour shown is the mean of such a largest cell.
    Colours under half a percent are left out, so the shares sum to at most 1.

    ``image`` is RGB uint8 (H, W, 3).

    >>> slide = np.full((4, 4, 3), 255, np.uint8)
    >>> slide[0] = (200, 16, 46)
    >>> palette(slide)
    (('#FFFFFF', 0.75), ('#C8102E', 0.25))
    """
    pixels = _sample(checked(image))
    cell = _cells(pixels)
    counts = np.bincount(cell)
    cells = np.flatnonzero(counts)
    counts = counts[cells]
    sums = [np.bincount(cell, pixels[:, channel])[cells] for channel in range(3)]
    colors = np.round(np.stack(sums, axis=1) / counts[:, None]).astype(np.uint8)
    shares = [
        (hex_color(colors[leader]), count / len(cell))
        for leader, count in _grouped(colors, counts, limit)
    ]
    shares.sort(key=lambda item: -item[1])
    return tuple((color, share) for color, share in shares if share >= _LEAST_SHARE)


def _sample(image: Image) -> NDArray[np.uint8]:
    every = max(1, int((image.shape[0] * image.shape[1] / _SAMPLE) ** 0.5))
    return image[::every, ::every].reshape(-1, 3)


def _cells(pixels: NDArray[np.uint8]) -> NDArray[np.intp]:
    red, green, blue = (pixels[:, channel].astype(np.intp) >> 3 for channel in range(3))
    return np.asarray(red << 10 | green << 5 | blue)


def _grouped(
    colors: NDArray[np.uint8], counts: NDArray[np.intp], limit: int
) -> list[tuple[int, int]]:
    """(leading colour's index, pixels of its group) of up to ``limit`` groups."""
    lab = cv2.cvtColor(colors[None].astype(np.float32) / 255, cv2.COLOR_RGB2Lab)[0]
    left = counts.copy()
    groups: list[tuple[int, int]] = []
    while len(groups) < limit and left.any():
        leader = int(left.argmax())
        near = np.linalg.norm(lab - lab[leader], axis=1) < _SAME
        groups.append((leader, int(left[near].sum())))
        left[near] = 0
    return groups
