"""Whether ink of a known colour is seen in a picture, and which characters can be read.

For characters, the slide is compared with the same slide without the text: where a letter's ink
changes nothing, it is covered, transparent, or in the colour of its ground.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import (
    CONTRAST_OFFSET,
    LINEAR_LIGHT,
    LUMINANCE_WEIGHTS,
    Image,
    lab_planes,
    parse_color,
)
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.seen.seen_slide import (
    LEAST_CONTRAST,
    LEAST_DISTANCE,
    LEAST_DISTANCE_LARGE,
    YELLOW_BLUE,
)

INK_MIX: Final = 0.35
INK_STRAY: Final = 60.0
INK_SHARE: Final = 0.02
"""Ours: a pixel is ink from this share of the ink's colour on, and within this RGB distance of
the way from ground to ink. Letters of 6 pt are drawn with cores of about 0.5; they fill 8 to 20 %
of their box, thin and widely set ones 4 %."""

INK_APART: Final = 40.0
"""Ours: RGB distance of ink from its ground under which the picture cannot tell them apart."""

FLAT_LEVELS: Final = 8
"""Ours: channels of a region of one colour differ by no more, drawing noise included."""

_CORE = 0.5  # ours: of the most ink in a character's box, from which a pixel is its ink
_FAINT = 0.1  # ours: a text that covers less of its ground than this is transparent
_PART = 0.5  # ours: of a character's ink and box that has to show

_LIGHT = LINEAR_LIGHT.astype(np.float32)
_WEIGHTS = np.array(LUMINANCE_WEIGHTS, np.float32)


def ink_share(image: Image, box: Box, color: str) -> float | None:
    """Share of a region's pixels, 0 to 1, that ink of a colour takes part in.

    A pixel counts where it lies between the region's median colour and the ink's, nearer to the
    ink than the soft edges of letters do at the least. ``image`` is RGB (H, W, 3) and shows the
    whole slide, ``box`` lies in the 960x540 frame, ``color`` is ``#RRGGBB``. None if it
    cannot be known: the region holds no pixel, or its median colour is the ink's.

    >>> slide = np.full((54, 96, 3), 255, np.uint8)
    >>> slide[:, ::4] = 0
    >>> ink_share(slide, Box(0, 0, 960, 540), "#000000")
    0.25
    """
    crop = pixels_of(image, box)
    if not crop.size:
        return None
    pixels = crop.reshape(-1, 3).astype(np.float32)
    ground = np.median(pixels, axis=0)
    ink = np.array(parse_color(color), np.float32)
    way = ink - ground
    length = float(np.linalg.norm(way))
    if length < INK_APART:
        return None
    mixed = (pixels - ground) @ way / length**2
    stray = np.linalg.norm(pixels - ground - mixed[:, None] * way, axis=1)
    return float(((mixed >= INK_MIX) & (stray <= INK_STRAY)).mean())


def is_seen(image: Image, box: Box, color: str) -> bool:
    """Whether text of that colour shows in a region; True where that cannot be known."""
    share = ink_share(image, box, color) if color else None
    return share is None or share >= INK_SHARE


def is_flat(image: Image, box: Box) -> bool:
    """Whether a region of the slide shows one colour only; True where it shows no pixel."""
    crop = pixels_of(image, box)
    return not crop.size or int(np.ptp(crop.reshape(-1, 3), axis=0).max()) <= FLAT_LEVELS


def pixels_of(image: Image, box: Box) -> Image:
    """The part of a slide's picture that a box of the 960x540 frame covers; may be empty."""
    height, width = image.shape[:2]
    area = box.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)
    left, top = max(0, int(area.left)), max(0, int(area.top))
    return image[top : max(0, round(area.bottom)), left : max(0, round(area.right))]


def pixel_contrast(first: Image, second: Image) -> NDArray[np.float32]:
    """WCAG 2.2 contrast of two pictures pixel by pixel, 1 to 21; (..., 3) uint8 each.

    >>> white, black = np.full((1, 1, 3), 255, np.uint8), np.zeros((1, 1, 3), np.uint8)
    >>> round(float(pixel_contrast(white, black)[0, 0]), 3)
    21.0
    """
    lights = [_LIGHT[side] @ _WEIGHTS + np.float32(CONTRAST_OFFSET) for side in (first, second)]
    ratio: NDArray[np.float32] = np.maximum(*lights) / np.minimum(*lights)
    return ratio


def color_distance(first: Image, second: Image) -> NDArray[np.float32]:
    """How far the colours of two pictures are apart to the eye, pixel by pixel; (H, W, 3) each.

    The distance in CIELAB (CIE 15), in which b* counts by ``YELLOW_BLUE``: 0 for one colour, 100
    for black and white.

    >>> white, black = np.full((1, 1, 3), 255, np.uint8), np.zeros((1, 1, 3), np.uint8)
    >>> round(float(color_distance(white, black)[0, 0]), 3)
    100.0
    """
    pairs = zip(lab_planes(first), lab_planes(second), strict=True)
    lightness, red_green, yellow_blue = (value - other for value, other in pairs)
    square = lightness**2 + red_green**2 + (YELLOW_BLUE * yellow_blue) ** 2
    return np.asarray(np.sqrt(square), np.float32)


def stands_off(first: Image, second: Image, *, large: bool = False) -> NDArray[np.bool_]:
    """Whether ink of the colours of one picture is told from a ground of those of another, pixel by
    pixel: by ``LEAST_CONTRAST`` or by its ``color_distance``; (H, W, 3) each. ``large`` says that
    its letters are."""
    least = LEAST_DISTANCE_LARGE if large else LEAST_DISTANCE
    apart = (pixel_contrast(first, second) >= LEAST_CONTRAST) | (
        color_distance(first, second) >= least
    )
    return np.asarray(apart, np.bool_)


def readable_characters(
    full: Image, without: Image, ink: NDArray[np.uint8], characters: Sequence[Box]
) -> tuple[list[bool], float]:
    """For each character whether it can be read, and the text's median contrast, 1 to 21.

    ``full`` shows the slide, ``without`` the same without the text, both (H, W, 3) RGB; ``ink`` is
    how much of each pixel the text alone would cover, 0 to 255; boxes are in these pixels. A
    character can be read where half of its box lies on the slide and half of its ink stands off
    (``stands_off``). The contrast is that of the ink that makes a difference; 1 where none does.

    >>> page = np.full((10, 10, 3), 255, np.uint8)
    >>> written = page.copy()
    >>> written[2:8, 2:4] = 0
    >>> ink = 255 - written[:, :, 0]
    >>> seen, ratio = readable_characters(written, page, ink, [Box(2, 2, 4, 8)])
    >>> seen, round(ratio, 3)
    ([True], 21.0)
    >>> readable_characters(page, page, ink, [Box(2, 2, 4, 8)])
    ([False], 1.0)
    """
    flags, ratios = [], []
    for box in characters:
        inked, ground, inside = _ink_and_ground(full, without, ink, box)
        ratio = pixel_contrast(inked, ground)
        flags.append(bool(inside and ratio.size) and stands_off(inked, ground).mean() >= _PART)
        ratios.append(ratio[ratio > 1])
    every = np.concatenate(ratios) if ratios else np.empty(0)
    return [bool(flag) for flag in flags], float(np.median(every)) if every.size else 1.0


def _ink_and_ground(
    full: Image, without: Image, ink: NDArray[np.uint8], box: Box
) -> tuple[Image, Image, bool]:
    """The pixels of a character's ink with and without it, (1, n, 3) each, and whether enough of it
    is on the slide."""
    height, width = ink.shape
    left, top = max(0, int(box.left)), max(0, int(box.top))
    right, bottom = min(width, int(np.ceil(box.right))), min(height, int(np.ceil(box.bottom)))
    none = np.empty((1, 0, 3), np.uint8)
    if right <= left or bottom <= top:
        return none, none, False
    on_slide = box.intersection(Box(0, 0, width, height))
    inside = on_slide.area >= _PART * box.area
    here = ink[top:bottom, left:right]
    most = float(here.max())
    if most < _FAINT * 255:
        return none, none, inside
    core = here >= _CORE * most
    return (
        full[top:bottom, left:right][core][None],
        without[top:bottom, left:right][core][None],
        inside,
    )
