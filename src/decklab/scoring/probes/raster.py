"""What a raster shows: a photograph, a colour wash, or a drawing; and whether it draws bars."""

import struct
import warnings
from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from decklab.geometry import Box
from decklab.metrics.editability.data import bars_on_one_baseline
from decklab.metrics.editability.facts import PictureKind

PHOTO_SOFT_SHARE = 0.25
"""Share of soft steps between neighbouring pixels (more than 3, at most 48 of 255) from which a
raster is a photograph. Of 202 pictures of real decks, icons, illustrations and screenshots stay
below 0.25 and photographs of people, places and things start at 0.29."""

SMOOTH_EDGE_SHARE = 0.004
"""Share of hard steps (above 48) below which a raster has no edges that zooming could blur."""

SMOOTH_TOP_COLOURS = 0.7
"""A raster without hard edges is a colour wash only where its eight commonest colours cover less
than this; a large plain shape has no edges either, but few colours."""


MAX_PIXELS = 100_000_000
"""Larger rasters are not decoded: 100 megapixels are 20 times a slide at 400 % zoom, and 300 MB."""

WORKING_SIDE = 512
"""Longest side at which pixels are counted. Shrinking picks pixels and never mixes them, so flat
areas stay flat and hard edges hard."""

SOFT_STEP, HARD_STEP = 3, 48
"""Steps between neighbours (of 255): up to 3 is compression noise on a flat area, above 48 an
edge; what lies between is shading, which drawings have little of."""

OPAQUE = 200
BAR_SOLIDITY = 0.9
BAR_MIN_WIDTH, BAR_MIN_HEIGHT = 0.01, 0.1
"""Smallest width of a bar and smallest height of the tallest, as shares of the picture: letters
and rules are thinner or lower."""

UNREADABLE = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    struct.error,
    Image.DecompressionBombError,
)
"""What Pillow raises for damaged pictures."""


@dataclass(frozen=True)
class RasterLook:
    """What the pixels of a raster tell."""

    kind: PictureKind
    bars: int = 0
    """Solid bars of unequal length on one baseline; 0 where there are none."""


def look_at_raster(data: bytes) -> RasterLook:
    """Judge a raster by its pixels; ``unreadable`` where it cannot be decoded."""
    try:
        colours, opaque = _pixels(data)
    except UNREADABLE:
        return RasterLook("unreadable")
    kind = _kind(colours, opaque)
    return RasterLook(kind, _bars(colours, opaque) if kind == "graphic" else 0)


def look_at_pixels(image: NDArray[np.uint8]) -> RasterLook:
    """Judge a raster that is drawn already: height x width x 3, red green blue."""
    if not image.size:
        return RasterLook("unreadable")
    colours = image.astype(np.int16)
    return RasterLook(_kind(colours, np.ones(image.shape[:2], bool)))


def _open(data: bytes) -> Image.Image:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        image = Image.open(BytesIO(data))
    if image.width * image.height > MAX_PIXELS:
        raise ValueError(f"{image.width} x {image.height} pixels are too many")
    return image


def _pixels(data: bytes) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Colours (height x width x 3) at the working size, and which of them are opaque."""
    image = _open(data)
    if image.mode not in ("RGB", "RGBA", "L"):
        image = image.convert("RGBA")
    scale = min(1.0, WORKING_SIDE / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    small = image.resize(size, Image.Resampling.NEAREST).convert("RGBA")
    pixels = np.asarray(small)
    return pixels[..., :3].astype(np.int16), pixels[..., 3] > OPAQUE


def _kind(colours: NDArray[np.int16], opaque: NDArray[np.bool_]) -> PictureKind:
    across = np.abs(np.diff(colours, axis=1)).max(axis=2)[:-1]
    down = np.abs(np.diff(colours, axis=0)).max(axis=2)[:, :-1]
    steps = np.maximum(across, down)[opaque[:-1, :-1]]
    if steps.size == 0:
        return "graphic"
    soft = float(((steps > SOFT_STEP) & (steps <= HARD_STEP)).mean())
    hard = float((steps > HARD_STEP).mean())
    if soft >= PHOTO_SOFT_SHARE:
        return "photo"
    if hard < SMOOTH_EDGE_SHARE and _top_colours(colours[opaque]) < SMOOTH_TOP_COLOURS:
        return "wash"
    return "graphic"


def _codes(colours: NDArray[np.int16]) -> NDArray[np.int16]:
    """Each colour as one number, 16 steps per channel."""
    steps = colours >> 4
    codes: NDArray[np.int16] = (steps[..., 0] << 8) | (steps[..., 1] << 4) | steps[..., 2]
    return codes


def _top_colours(colours: NDArray[np.int16]) -> float:
    counts = np.sort(np.bincount(_codes(colours).ravel()))[::-1]
    return float(counts[:8].sum() / counts.sum())


def _bars(colours: NDArray[np.int16], opaque: NDArray[np.bool_]) -> int:
    height, width = opaque.shape
    codes = np.where(opaque, _codes(colours), -1)
    values, counts = np.unique(codes[opaque], return_counts=True)
    order = np.argsort(counts)[::-1]
    boxes: list[Box] = []
    for value in values[order][1:9]:  # the commonest colour is the ground
        mask = (codes == value).astype(np.uint8)
        _, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
        for left, top, wide, high, area in stats[1:].tolist():
            if wide >= max(3, BAR_MIN_WIDTH * width) and area >= BAR_SOLIDITY * wide * high:
                boxes.append(Box(left, top, left + wide, top + high))
    chosen = bars_on_one_baseline(boxes)
    tall = any(boxes[index].height >= BAR_MIN_HEIGHT * height for index in chosen)
    return len(chosen) if tall else 0


def thumbnail(data: bytes, side: int = 32) -> bytes | None:
    """The raster at a few pixels, as PNG with its transparency; None where it is unreadable."""
    try:
        image = _open(data)
        image.draft("RGB", (side, side))
        clear = image.mode in ("RGBA", "LA", "PA", "P")
        small = image.convert("RGBA" if clear else "RGB").resize((side, side))
    except UNREADABLE:
        return None
    return _png(small)


def _png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


ONE_PIXEL = _png(Image.new("RGB", (1, 1), (128, 128, 128)))
"""A grey pixel, as PNG."""
