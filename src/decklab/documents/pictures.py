"""Picture files inside documents and as documents: their size, and what they show as PNG."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

import numpy as np
from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

_DRAWINGS = {"WMF": "WMF or EMF", "EMF": "WMF or EMF", "EPS": "EPS"}
"""Kinds of which Pillow reads no more than the size."""
_DEEP = frozenset(["I", "I;16", "I;16B", "I;16L", "I;16N"])
_SHOWN = frozenset(["RGB", "RGBA", "L", "P", "1", "LA"])
"""Modes that a PNG file holds in 8 bits or fewer."""


class UnreadablePicture(ValueError):
    """A picture file that cannot be shown; the text says why. ``too_large`` if its size is the
    cause, and not damage or its kind."""

    def __init__(self, reason: str, *, too_large: bool = False) -> None:
        super().__init__(reason)
        self.too_large = too_large


def picture_size(data: bytes) -> tuple[float, float]:
    """Width and height in pixels of a picture file, turned as its EXIF says.

    Raises UnreadablePicture for what cannot be shown; damage inside shows in ``png_of`` only.
    """
    with _opened(data) as picture:
        width, height = picture.size
        if picture.format == "TIFF":  # Pillow states the size of the picture as it is turned
            return width, height
        turned = picture.getexif().get(ExifTags.Base.Orientation, 1) in {5, 6, 7, 8}
        return (height, width) if turned else (width, height)


def picture_parts(data: bytes) -> int:
    """How many pictures a file holds: more than one in animations and some TIFF files.

    Raises UnreadablePicture.
    """
    with _opened(data) as picture:
        return int(getattr(picture, "n_frames", 1))


def png_of(data: bytes) -> bytes:
    """The first picture of a file as a PNG file in 8 bits, turned as its EXIF says.

    Colour profiles stay with colours that they describe. Raises UnreadablePicture if its pixels
    cannot be read.
    """
    with _opened(data) as picture:
        shown = ImageOps.exif_transpose(picture)
        profile = picture.info.get("icc_profile") if picture.mode in _SHOWN else None
        if shown.mode in _DEEP:
            deep = np.clip(np.asarray(shown, np.int64), 0, 65535) // 257
            shown = Image.fromarray(deep.astype(np.uint8))
        elif shown.mode not in _SHOWN:
            shown = shown.convert("RGBA" if shown.has_transparency_data else "RGB")
        written = BytesIO()
        shown.save(written, "PNG", icc_profile=profile)
    return written.getvalue()


@contextmanager
def _opened(data: bytes) -> Iterator[Image.Image]:
    """A picture file open in Pillow; raises UnreadablePicture if it is not readable."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        warnings.filterwarnings("ignore", category=UserWarning, module="PIL")
        try:
            with Image.open(BytesIO(data)) as picture:
                if picture.format in _DRAWINGS:
                    kind = _DRAWINGS[picture.format]
                    raise UnreadablePicture(f"a drawing of kind {kind}: save it as PNG or PDF")
                yield picture
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            reason = f"the picture has more than {Image.MAX_IMAGE_PIXELS:,} pixels"
            raise UnreadablePicture(reason, too_large=True) from None
        except UnidentifiedImageError:
            reason = "a drawing of kind SVG: save it as PNG or PDF"
            if b"<svg" not in data[:4096].lower():
                reason = "the picture is damaged or of a kind that cannot be read"
            raise UnreadablePicture(reason) from None
        except UnreadablePicture:
            raise
        except (OSError, SyntaxError, ValueError, EOFError, OverflowError) as error:
            raise UnreadablePicture(f"the picture is damaged: {error}") from None
