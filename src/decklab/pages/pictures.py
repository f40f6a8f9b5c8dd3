"""Pictures of slides, small enough that a report of many slides stays light; drawings on and beside
them (numbered boxes, the wheel of a picture's hues); and contact sheets, side by side under labels.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import cos, radians, sin, sqrt
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from decklab.core.colors import Image as Picture
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box

MINIMUM_RATIO: Final = 4.5
"""Contrast that text needs if nothing else is stated (WCAG 2.1, success criterion 1.4.3)."""

TAG: Final = Box(0, 0, 38, 34)
"""The box of a number."""

_PADDING = 4.0  # units between a region and the frame around it
_MOST_PLACES = 400


@dataclass(frozen=True)
class ContrastMark:
    """A numbered box on a slide's picture, in the units of a drawing ``FRAME_WIDTH`` wide.

    ``tag`` is the box of its number. ``figure`` and ``ground`` are colours, empty if unknown.
    """

    label: int
    box: Box
    tag: Box
    ratio: float
    text: str
    figure: str
    ground: str


def contrast_marks(evidence: Mapping[str, Any], height: float) -> list[ContrastMark]:
    """Marks for the regions of ``usability.contrast`` that lack contrast, worst first.

    A region lacks contrast below its own ``least_ratio``, which depends on the size of its text,
    else below MINIMUM_RATIO. ``height`` is that of the drawing whose width is FRAME_WIDTH.
    Regions off the slide are left out.
    """
    regions = evidence.get("worst", ())
    weak = [r for r in regions if r["ratio"] < r.get("least_ratio", MINIMUM_RATIO)]
    placed = [
        (Box(*region["box"]).intersection(FRAME).scaled(1, height / FRAME_HEIGHT), region)
        for region in sorted(weak, key=lambda r: float(r["ratio"]))
    ]
    seen = [(box, region) for box, region in placed if box.area]
    marked = [box for box, _region in seen]
    marks: list[ContrastMark] = []
    tags: list[Box] = []
    for box, region in seen:
        tag = tag_beside(box.grown(_PADDING), marked, tags, height)
        tags.append(tag)
        marks.append(
            ContrastMark(
                len(marks) + 1, box, tag, float(region["ratio"]), str(region.get("text", "")),
                str(region.get("figure", "")), str(region.get("ground", "")),
            )
        )  # fmt: skip
    return marks


def tag_beside(
    box: Box, marked: Sequence[Box], tags: Sequence[Box], height: float, *, above: bool = False
) -> Box:
    """The box of a number that stands outside ``box``, as large as ``TAG``.

    It is left of the top left corner, or ``above`` it, where a line of text goes on to the left; if
    that is off the drawing, or on one of the ``marked`` boxes or the ``tags`` placed before, it is
    at the first free corner outside; if none is free, at the first place without another tag.
    ``height`` is that of the drawing whose width is FRAME_WIDTH.
    """
    room = Box(0, 0, FRAME_WIDTH, height)
    box = box.intersection(room)
    beside, over = (box.left - TAG.width, box.top), (box.left, box.top - TAG.height)
    for left, top in (
        *((over, beside) if above else (beside, over)),
        (box.left, box.bottom),
        (box.right, box.top),
        (box.right - TAG.width, box.top - TAG.height),
        (box.right - TAG.width, box.bottom),
    ):
        tag = Box(left, top, left + TAG.width, top + TAG.height)
        inside = tag.intersection(room) == tag
        if inside and not any(tag.intersection(other).area for other in (*marked, *tags)):
            return tag
    return _free_place(box, tags, height)


def _free_place(box: Box, tags: Sequence[Box], height: float) -> Box:
    """A place for a number near the top left corner of ``box``, without another number.

    The search goes right, then line by line; a slide has room for more numbers than it has marks.
    """
    left, top = box.left - TAG.width, box.top
    if left < 0:
        left, top = box.left, box.top - TAG.height
    lowest = max(0.0, height - TAG.height)
    left, top = min(left, FRAME_WIDTH - TAG.width), min(max(0.0, top), lowest)
    for _ in range(_MOST_PLACES):
        tag = Box(left, top, left + TAG.width, top + TAG.height)
        if not any(tag.intersection(other).area for other in tags):
            break
        left += TAG.width + 2
        if left > FRAME_WIDTH - TAG.width:
            left, top = 0.0, top + TAG.height if top < lowest else 0.0
            top = min(top, lowest)
    return tag


CENTRE = 120
"""Half the side of the drawing; the wheel's middle."""

_RING = (50.0, 56.0)
_INNER = 60.0
_OUTER = 100.0
_LEAST = 0.003  # Of the largest share; less is thinner than a line.


@dataclass(frozen=True)
class Wedge:
    """A piece of a ring, as an SVG path, with its hue in degrees and its share of all colour."""

    path: str
    hue: float
    share: float


@dataclass(frozen=True)
class HueWheel:
    """The parts of a wheel. ``sectors`` are paths; a sector may be the full circle."""

    template: str
    angle_deg: float
    sectors: tuple[str, ...]
    wedges: tuple[Wedge, ...]
    chromatic_share: float | None


def _spot(angle: float, radius: float) -> str:
    # Hue 0 is at the top and hues run clockwise, as colour pickers draw them.
    turn = radians(angle)
    return f"{CENTRE + radius * sin(turn):.1f} {CENTRE - radius * cos(turn):.1f}"


def _ring_piece(start: float, width: float, inner: float, outer: float) -> str:
    width = min(width, 359.99)
    end = start + width
    large = int(width > 180)
    return (
        f"M{_spot(start, inner)}L{_spot(start, outer)}"
        f"A{outer:g} {outer:g} 0 {large} 1 {_spot(end, outer)}"
        f"L{_spot(end, inner)}A{inner:g} {inner:g} 0 {large} 0 {_spot(start, inner)}Z"
    )


HUE_RING = tuple(Wedge(_ring_piece(hue - 5.3, 10.6, *_RING), hue, 0.0) for hue in range(0, 360, 10))
"""All hues in a thin ring, the key to the wheel."""


def hue_wheel(evidence: Mapping[str, Any]) -> HueWheel | None:
    """The wheel from the evidence of ``harmony.distance_deg``; None if it holds no hues.

    Wedges grow with the root of their share, so that their areas, not their lengths, compare.
    """
    histogram: Sequence[float] = evidence.get("hue_histogram", ())
    if not any(share > 0 for share in histogram):
        return None
    step = 360 / len(histogram)
    most = max(histogram)
    wedges = tuple(
        Wedge(_ring_piece(i * step, step, _INNER, _reach(share / most)), (i + 0.5) * step, share)
        for i, share in enumerate(histogram)
        if share / most >= _LEAST
    )
    sectors = tuple(
        _ring_piece(centre - width / 2, width, _INNER - 2, _OUTER + 4)
        for centre, width in evidence.get("sectors", ())
    )
    return HueWheel(
        template=str(evidence.get("template", "")),
        angle_deg=float(evidence.get("angle_deg", 0)) % 360,
        sectors=sectors,
        wedges=wedges,
        chromatic_share=evidence.get("chromatic_share"),
    )


def _reach(share: float) -> float:
    return sqrt(_INNER**2 + share * (_OUTER**2 - _INNER**2))


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


def decoded(data: bytes) -> NDArray[np.uint8]:
    """The RGB picture of an encoded one."""
    with Image.open(BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"), np.uint8)


def jpeg_within_budget(image: NDArray[np.uint8], *, slides: int) -> SlidePicture:
    """The best JPEG of a slide within its share of a report of ``slides`` slides.

    If none fits, it is the one of the smallest step.
    """
    for width, quality in _STEPS:
        picture = encode_jpeg(image, width=width, quality=quality)
        if len(picture.data) <= picture_budget(slides):
            break
    return picture


def picture_budget(slides: int) -> int:
    """Bytes of a picture in a report of so many slides.

    >>> picture_budget(1), picture_budget(100)
    (110000, 32000)
    """
    return min(LARGEST_PICTURE_BYTES, REPORT_PICTURE_BYTES // max(1, slides))


# All ours, in pixels: four slides fit a screen, with letters that can be read on it.
_WIDTH = 480
_GAP = 16
_LABEL = 34
_LETTERS = 22
_COLUMNS = 4
_PAPER = (238, 238, 238)
_INK = (24, 24, 24)


def contact_sheet(
    pictures: Sequence[tuple[str, Picture]], *, columns: int = _COLUMNS, width: int = _WIDTH
) -> Picture:
    """Pictures (RGB, uint8, height x width x 3) in even rows, each under its label.

    All are drawn ``width`` pixels wide, up to ``columns`` in a row; rows are as high as the
    highest picture, and letters are as small as the longest label needs. Raises ValueError if there
    are no pictures.
    """
    if not pictures:
        raise ValueError("a contact sheet needs at least one picture")
    small = [(label, _resized(picture, width)) for label, picture in pictures]
    high = max(picture.height for _label, picture in small) + _LABEL
    rows = -(-len(small) // columns)
    columns = -(-len(small) // rows)
    size = (columns * (width + _GAP) + _GAP, rows * (high + _GAP) + _GAP)
    sheet = Image.new("RGB", size, _PAPER)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(_LETTERS)
    if (longest := max(map(font.getlength, dict(small)))) > width:
        font = ImageFont.load_default(_LETTERS * width / longest)
    for index, (label, picture) in enumerate(small):
        x = _GAP + index % columns * (width + _GAP)
        y = _GAP + index // columns * (high + _GAP)
        pen.text((x, y), label, fill=_INK, font=font)
        sheet.paste(picture, (x, y + _LABEL))
    return np.asarray(sheet, dtype=np.uint8)


def _resized(picture: Picture, width: int) -> Image.Image:
    height = max(1, round(picture.shape[0] * width / picture.shape[1]))
    return Image.fromarray(picture).resize((width, height), Image.Resampling.LANCZOS)
