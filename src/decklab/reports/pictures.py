"""Pictures of slides, ready to be put into a page."""

from base64 import b64encode
from dataclasses import dataclass


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
        """The MIME type that the first bytes tell."""
        if self.data[:4] == b"RIFF" and self.data[8:12] == b"WEBP":
            return "image/webp"
        if self.data.startswith(b"\xff\xd8\xff"):
            return "image/jpeg"
        if self.data.startswith(b"\x89PNG\r\n\x1a\n"):
            return "image/png"
        raise ValueError("a slide picture is WebP, JPEG or PNG")

    @property
    def uri(self) -> str:
        """The picture as a ``data:`` address."""
        return f"data:{self.media_type};base64,{b64encode(self.data).decode('ascii')}"
