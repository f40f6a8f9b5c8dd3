"""Slide pictures small enough that a report of many slides stays light."""

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.reports.pictures import SlidePicture

REPORT_PICTURE_BYTES = 3_200_000
"""All pictures of one report together, in bytes: base64 adds a third, and a report of 40 slides
stays under 5 MB (ours)."""

LARGEST_PICTURE_BYTES = 110_000
"""No single picture needs more (ours)."""

COVER_WIDTH = 320
"""Width of a deck's cover in the leaderboard, in pixels (ours)."""

_STEPS = ((960, 85), (960, 70), (800, 60), (640, 50), (480, 40), (320, 35))
"""(width, JPEG quality) tried in turn until the picture fits."""


def encode_jpeg(image: NDArray[np.uint8], *, width: int, quality: int) -> SlidePicture:
    """``image`` (H, W, 3 RGB) as a JPEG ``width`` pixels wide, never enlarged; quality 0 to 100."""
    height = max(1, round(image.shape[0] * width / image.shape[1]))
    if width < image.shape[1]:
        smaller = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
        image = np.asarray(smaller, dtype=np.uint8)
    ok, data = cv2.imencode(
        ".jpg", cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )
    assert ok, "OpenCV encodes every 8-bit RGB image"
    return SlidePicture(data.tobytes(), image.shape[1], image.shape[0])


def fit_jpeg(image: NDArray[np.uint8], *, slides: int) -> SlidePicture:
    """The best JPEG of a slide within its share of a report of ``slides`` slides.

    The smallest step is taken where none fits.
    """
    share = min(LARGEST_PICTURE_BYTES, REPORT_PICTURE_BYTES // max(1, slides))
    for width, quality in _STEPS:
        picture = encode_jpeg(image, width=width, quality=quality)
        if len(picture.data) <= share:
            break
    return picture
