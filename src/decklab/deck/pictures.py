"""Images, video and sound: their parts, and which area of an image is shown."""

import struct
import warnings
from io import BytesIO
from typing import Literal

from decklab.deck.model.outline import OutlineMedia, OutlinePicture
from decklab.deck.model.shapes import Crop
from decklab.deck.part import DAMAGE, Source, children
from decklab.ooxml.xml import Element, qn, share

_MEDIA_KINDS: dict[str, Literal["video", "audio"]] = {
    qn("a:videoFile"): "video",
    qn("a:quickTimeFile"): "video",
    qn("a:audioFile"): "audio",
    qn("a:wavAudioFile"): "audio",
    qn("a:audioCd"): "audio",
}
_VECTOR_TYPES = ("svg", "emf", "wmf")
_VECTOR_ENDINGS = (".svg", ".emf", ".wmf", ".emz", ".wmz")
_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")
_MOST_BYTES = 16 * 1024 * 1024  # in which the header stands, or the size stays unknown
_HEADER_BYTES = 64 * 1024  # holds the header of all but a few JPEG files with large thumbnails


def blip_fill(element: Element) -> Element | None:
    """The ``p:blipFill`` of a picture shape; of alternatives, such as a PDF for one program and its
    picture for all others, the one to read. None if it has none."""
    return next((child for child in children(element) if child.tag == qn("p:blipFill")), None)


def crop_of(fill: Element | None) -> Crop:
    """How much of an image is cut off at each edge.

    From ``a:srcRect`` and, for an image that is stretched, ``a:fillRect``: the rectangle, by its
    distances from the edges of the area, that the rest is stretched over (ISO/IEC 29500-1,
    20.1.8.30 and 20.1.8.55).
    """
    if fill is None:
        return Crop()
    left, top, right, bottom = _edges(fill.find(qn("a:srcRect")))
    away = _edges(fill.find(f"{qn('a:stretch')}/{qn('a:fillRect')}"))
    left, right = _stretched(left, right, away[0], away[2])
    top, bottom = _stretched(top, bottom, away[1], away[3])
    return Crop(left=left, top=top, right=right, bottom=bottom)


def opacity_of(fill: Element | None) -> float:
    """1 for an opaque image, less for a faded one."""
    fade = None if fill is None else fill.find(f"{qn('a:blip')}/{qn('a:alphaModFix')}")
    alpha = None if fade is None else share(fade.get("amt"))
    return 1.0 if alpha is None else min(max(alpha, 0.0), 1.0)


def _edges(rectangle: Element | None) -> tuple[float, float, float, float]:
    """Shares of an image's width or height at its left, top, right and bottom."""
    if rectangle is None:
        return 0.0, 0.0, 0.0, 0.0
    left, top, right, bottom = (share(rectangle.get(name)) or 0.0 for name in ("l", "t", "r", "b"))
    return left, top, right, bottom


def _stretched(first: float, last: float, before: float, after: float) -> tuple[float, float]:
    """Shares cut off at two opposite edges, if the rest ends at distances ``before`` and ``after``
    from the edges of the area."""
    room = 1 - before - after
    grown = (1 - first - last) / room if room > 0 else 0.0
    return round(first - before * grown, 5) + 0.0, round(last - after * grown, 5) + 0.0


def read_picture(fill: Element | None, source: Source) -> OutlinePicture | None:
    """The image of a ``p:blipFill`` or ``a:blipFill``; None if it refers to none.

    If a picture has both, the SVG counts and not the bitmap for older readers.
    """
    blip = None if fill is None else fill.find(qn("a:blip"))
    if blip is None:
        return None
    svg = next(blip.iter(qn("asvg:svgBlip")), None)
    if svg is not None and source.linked_part(svg, "r:embed"):
        blip = svg
    embed, link = blip.get(qn("r:embed")), blip.get(qn("r:link"))
    if not embed and not link:
        return None
    part = source.linked_part(blip, "r:embed")
    address = source.linked_address(blip, "r:link") or source.linked_address(blip, "r:embed")
    if part is None and address is None:
        source.log.add(source.part, f"the image that {embed or link} stands for is not there")
    return _described(part, address, source)


def _described(part: str | None, address: str | None, source: Source) -> OutlinePicture:
    content_type = None if part is None else source.package.content_type(part)
    name = (part or address or "").lower()
    vector = name.endswith(_VECTOR_ENDINGS) or any(
        kind in (content_type or "") for kind in _VECTOR_TYPES
    )
    pixels = None if part is None or vector else pixel_size(part, source)
    return OutlinePicture(part, address, content_type, vector, pixels)


def pixel_size(part: str, source: Source) -> tuple[int, int] | None:
    """Width and height of a raster image part in pixels, by its header; None if unreadable."""
    known = source.log.pixels
    if part not in known:
        try:
            known[part] = picture_size(
                source.package.read_start(part, _HEADER_BYTES)
            ) or picture_size(source.package.read_start(part, _MOST_BYTES))
        except DAMAGE as error:
            source.log.add_error(error)
            known[part] = None
    return known[part]


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a raster image in pixels, by the start of its bytes; None if
    unreadable."""
    from PIL import Image  # noqa: PLC0415 - slow to load, and not every deck has pictures

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about damaged metadata, and about large images
            with Image.open(BytesIO(data), formats=_FORMATS) as image:
                return image.size
    except (
        OSError, ValueError, SyntaxError, EOFError, ArithmeticError, LookupError, TypeError,
        AttributeError, struct.error, Image.DecompressionBombError,
    ):  # fmt: skip
        return None


def read_media(properties: Element | None, source: Source) -> OutlineMedia | None:
    """The medium that a shape's ``p:nvPr`` names; None for shapes that are no medium.

    The embedding of PowerPoint 2010 (``p14:media``) counts before the older reference beside it,
    which often repeats it as a link to the same part.
    """
    if properties is None:
        return None
    old = next((child for child in properties if child.tag in _MEDIA_KINDS), None)
    new = next(properties.iter(qn("p14:media")), None)
    if old is None and new is None:
        return None
    kind = "video" if old is None else _MEDIA_KINDS[str(old.tag)]
    part = address = None
    for element in (new, old):
        for attribute in ("r:embed", "r:link"):
            if element is not None:
                part = part or source.linked_part(element, attribute)
                address = address or source.linked_address(element, attribute)
    return OutlineMedia(kind, part, None if part else address)
