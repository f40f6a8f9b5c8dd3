"""Pictures of slides, small enough that a report of many slides stays light."""

from base64 import b64encode
from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from decklab.core.geometry import FRAME_WIDTH

_PNG_EFFORT = 1
"""Compression of PNGs, 0 to 9: bytes are many, time is short. Ours."""


@dataclass(frozen=True)
class SlidePicture:
    """An encoded picture of a slide: WebP, JPEG or PNG bytes and their size in pixels.

    Pages embed the bytes as they are. 960 pixels wide and 60 kB are plenty for a slide of a deck
    page, 320 pixels and 8 kB for a cover. Raises ValueError for other encodings and empty sizes.

    >>> SlidePicture(b"\\xff\\xd8\\xff\\xe0", 960, 540).media_type
    'image/jpeg'
    """

    data: bytes
    width: int
    height: int

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"a picture of {self.width} x {self.height} pixels has no size")
        _ = self.media_type

    @property
    def media_type(self) -> str:
        """The MIME type, from the first bytes."""
        if self.data[:4] == b"RIFF" and self.data[8:12] == b"WEBP":
            return "image/webp"
        if self.data.startswith(b"\xff\xd8\xff"):
            return "image/jpeg"
        if self.data.startswith(b"\x89PNG\r\n\x1a\n"):
            return "image/png"
        raise ValueError("a slide picture is WebP, JPEG or PNG")

    @property
    def frame_height(self) -> float:
        """Its height when drawn as wide as the slide frame."""
        return FRAME_WIDTH * self.height / self.width

    @property
    def uri(self) -> str:
        """The picture as a ``data:`` address."""
        return f"data:{self.media_type};base64,{b64encode(self.data).decode('ascii')}"


REPORT_PICTURE_BYTES = 3_200_000
"""All pictures of one report together, in bytes: base64 adds a third, and a report of 40 slides
stays under 5 MB (ours)."""

LARGEST_PICTURE_BYTES = 110_000
"""Most bytes of a single picture (ours)."""

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


def encode_png(image: NDArray[np.uint8]) -> bytes:
    """``image`` (H, W, 3 RGB) as a PNG, written quickly rather than small."""
    data = BytesIO()
    Image.fromarray(image).save(data, "PNG", compress_level=_PNG_EFFORT)
    return data.getvalue()


def jpeg_within_budget(image: NDArray[np.uint8], *, slides: int) -> SlidePicture:
    """The best JPEG of a slide within its share of a report of ``slides`` slides.

    If none fits, it is the one of the smallest step.
    """
    share = min(LARGEST_PICTURE_BYTES, REPORT_PICTURE_BYTES // max(1, slides))
    for width, quality in _STEPS:
        picture = encode_jpeg(image, width=width, quality=quality)
        if len(picture.data) <= share:
            break
    return picture
