"""The contrast between text and its background, measured on the pixels of one region.

The ground is estimated around every pixel, as the median lightness over about a line of text; text
is what stands out from it. So gradients and photographs do not count as text. A pixel that differs
from all its neighbours counts as noise, and a straight line through the whole region as a border or
an edge. Figure and ground are then medians over many pixels: of the tenth of the figure that stands
out most, which leaves the soft edges of letters out, and of the ground.
"""

from dataclasses import dataclass
from math import log
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.colors import (
    CONTRAST_OFFSET,
    LINEAR_LIGHT,
    LUMINANCE_WEIGHTS,
    Color,
    Image,
    contrast_ratio,
    parse_color,
    relative_luminance,
)
from decklab.core.geometry import Box
from decklab.core.results import NotScored

CONTRAST_MAX: Final = 21.0
"""Black on white: the ratio that eq 5 maps to 1."""

CONTRAST_LARGE_TEXT: Final = 3.0
CONTRAST_NORMAL_TEXT: Final = 4.5
"""Least ratios of WCAG 2.2, success criterion 1.4.3."""

LARGE_TEXT_PT: Final = 18.0
LARGE_BOLD_TEXT_PT: Final = 14.0
"""From these sizes on WCAG 2.2 calls text large-scale."""

_Gray = NDArray[np.uint8]

# All of these are ours; none decides a clear case. Lightness is L* times 2.55 throughout.
_MARGIN = 0.1  # of the box's short side, added all round: boxes are often cut at the ink
_COMPACT = 3  # times as long as wide, up to which a box may hold one or two bold letters,
_COMPACT_MARGIN = 0.3  # which need more ground around them to be the smaller part
_LEAST_MARGIN = 3.0  # pixels
_LEAST_SIDE = 4  # pixels with the margin, under which figure and ground cannot be separated
_WIDEST = 64  # pixels across looked at; thicker regions are thinned out, as are their strokes
_COARSE = 8  # pixels across of the small picture on which the ground's median is taken
_LEAST_STEP = 4  # levels of lightness that figure and ground differ by at least: about 1.04 to 1
_LEAST_SHARE = 0.004  # of the region that a figure covers at least
_LINE_SHARE = 0.9  # of a row or column that stands out, from which on it is a line
_CORE = 0.1  # of the figure, the part standing out most, that gives its colour
_SAMPLE = 400  # pixels a median colour is taken over

# Linear light weighted by eq 4, in 4095ths, and lightness of their sum. OpenCV's own conversion
# costs more than all the rest for pictures as small as these.
_WEIGHTED_LIGHT = (4095 * LINEAR_LIGHT[:, None] * np.array(LUMINANCE_WEIGHTS)).astype(np.float32)[
    None
]
_WEIGHTS = np.array(LUMINANCE_WEIGHTS)
_LUMINANCE = np.arange(4096) / 4095
_LIGHTNESS = np.round(
    2.55 * np.where(_LUMINANCE > 216 / 24389, 116 * np.cbrt(_LUMINANCE) - 16, 903.3 * _LUMINANCE)
).astype(np.uint8)

_NEIGHBOURS = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.uint8)


@dataclass(frozen=True)
class RegionContrast:
    """Contrast of one region: the ratio of its figure's colour to its ground's."""

    ratio: float
    """1 to 21."""
    figure: Color
    ground: Color


def contrast_score(ratio: float) -> float:
    """A contrast ratio of 1 to 21 on a scale of 0 to 1, higher is better (paper 002, eq 5).

    >>> contrast_score(21.0), contrast_score(1.0), round(contrast_score(4.5), 3)
    (1.0, 0.0, 0.494)
    """
    return log(ratio) / log(CONTRAST_MAX)


def region_contrast(image: Image, box: Box) -> RegionContrast | NotScored:
    """Contrast of what stands out inside ``box`` with its background.

    ``image`` is RGB uint8 (H, W, 3), ``box`` in its pixels. A region in which nothing stands out
    has ratio 1. NotScored where the box lies off the picture.

    >>> slide = np.full((40, 200, 3), 255, np.uint8)
    >>> slide[12:28, 20:180:8] = slide[12:28, 21:180:8] = 0
    >>> round(region_contrast(slide, Box(15, 10, 185, 30)).ratio, 1)
    21.0
    """
    height, width = image.shape[:2]
    visible = box.intersection(Box(0, 0, width, height))
    crop = _crop(image, box, _margin(box))
    if visible.width < 1 or visible.height < 1 or min(crop.shape[:2]) < _LEAST_SIDE:
        return NotScored("the region lies off the picture")
    lightness = _despeckled(_lightness(crop))
    excess, opposite = _excess(lightness, _ground(lightness))
    margin = _margin(box)
    step, figure = _figure(excess, margin / (min(box.width, box.height) + 2 * margin))
    behind = ~figure & (opposite <= step)
    ground_color = _median_color(crop, behind if behind.any() else ~figure)
    if _share(figure) < _LEAST_SHARE:
        return RegionContrast(1.0, ground_color, ground_color)
    figure_color = _median_color(crop, figure & (excess >= _core_level(excess[figure])))
    return RegionContrast(contrast_ratio(figure_color, ground_color), figure_color, ground_color)


_INK_MARGIN = 0.15  # of the height of a line, where more of the ground shows than between letters
_QUICK_PIXELS, _QUICK_PARTS = 1500, 6
_QUICK_SHARE = 0.45  # of the pixels, whose ratio to the ink is enough: more than ground alone needs
_MANY = 6000  # pixels looked at for ink
_INK_RANK = 0.98  # of the pixels, of which one is all but sure to be ink
_SAME_GROUND = 1.1  # ratio of two grounds that are one
_FARTHER, _OTHER_INK = 1.2, 0.03  # times as far from the ground as the ink, and the share of pixels
_LEAST_WAY = 30.0  # RGB distance of ink and ground that differs from noise
_PIECES = 24  # at most, that a line is cut into; each about as long as the line is high
_GROUND_RANKS = 70, 90  # percentiles of distance from the ink: letters cover up to half of a line
_WHOLE_INK = 0.75  # share of the ink's colour that strokes of a few pixels reach
_NO_INK = 0.3  # share under which nothing of it is drawn


@dataclass(frozen=True)
class InkContrast:
    """Contrast of ink of a known colour with its background, along a line of text."""

    ratio: float
    """The median over its pieces, 1 to 21."""
    worst: float
    """The contrast of the piece that stands out least."""
    ink: Color
    """The ink's colour as seen: mixed with the ground where the text is see-through."""
    ground: Color
    """Typical."""
    pieces: tuple[float, ...]
    """The contrast of each piece, in the order of the line."""
    grounds: tuple[Color, ...] = ()
    """The colour of the ground of each piece."""

    def share_under(self, ratio: float) -> float:
        """Share of the line whose contrast is under a ratio, 0 to 1."""
        return sum(piece < ratio for piece in self.pieces) / len(self.pieces)


def ink_contrast(
    image: Image, box: Box, ink: str, *, thin: bool = False
) -> InkContrast | NotScored:
    """Contrast of text whose colour is known with its background, piece by piece.

    ``image`` is RGB uint8 (H, W, 3), ``box`` tight around the ink in its pixels, ``ink``
    ``#RRGGBB``. Ratios are WCAG's, 1 to 21, higher is better. On a gradient or picture they
    differ from piece to piece. ``thin`` says that strokes are too thin to reach their own
    colour, which otherwise means see-through text. NotScored where the box lies off the picture
    or nothing of the ink shows, or other ink stands out more there, as over a shadow.

    >>> slide = np.full((40, 200, 3), 255, np.uint8)
    >>> slide[12:28, 20:180:8] = slide[12:28, 21:180:8] = 0
    >>> round(ink_contrast(slide, Box(20, 12, 180, 28), "#000000").ratio, 1)
    21.0
    """
    crop = _crop(image, box, _INK_MARGIN * min(box.width, box.height))
    short, long = sorted(crop.shape[:2])
    if short < _LEAST_SIDE:
        return NotScored("the region lies off the picture")
    color = np.array(parse_color(ink), np.float32)
    count = min(_PIECES, max(1, round(long / short)))
    pieces = np.array_split(crop, count, axis=int(crop.shape[1] == long))
    grounds = [_ground_behind(piece, color) for piece in pieces if piece.size]
    red, green, blue = np.median(np.array(grounds), axis=0)
    middle: Color = (int(red), int(green), int(blue))
    flat = all(contrast_ratio(middle, ground) < _SAME_GROUND for ground in grounds)
    if flat and _has_stronger_ink(crop, color, np.array(middle, np.float32)):
        return NotScored("other ink is seen there")
    if (reach := _reach(crop, color, np.array(middle, np.float32))) < _NO_INK:
        return NotScored("nothing of the ink shows")
    if reach < _WHOLE_INK and not thin:
        color = np.array(middle, np.float32) * (1 - reach) + color * reach
    shown: Color = (round(float(color[0])), round(float(color[1])), round(float(color[2])))
    ratios = tuple(contrast_ratio(shown, ground) for ground in grounds)
    typical = float(np.median(ratios))
    ground = min(grounds, key=lambda item: abs(contrast_ratio(shown, item) - typical))
    return InkContrast(typical, min(ratios), shown, ground, ratios, tuple(grounds))


def stands_out(image: Image, box: Box, ink: str, ratio: float, *, thin: bool = False) -> bool:
    """Whether ``ink_contrast`` would clearly find more than a ratio everywhere; quick.

    Looks at some 1,500 pixels. False if there is any doubt.

    >>> slide = np.full((40, 200, 3), 255, np.uint8)
    >>> slide[12:28, 20:180:8] = slide[12:28, 21:180:8] = 0
    >>> stands_out(slide, Box(20, 12, 180, 28), "#000000", 7.0)
    True
    """
    crop = _crop(image, box, _INK_MARGIN * min(box.width, box.height))
    if min(crop.shape[:2]) < _LEAST_SIDE:
        return False
    step = max(1, int((crop.shape[0] * crop.shape[1] / _QUICK_PIXELS) ** 0.5))
    crop = crop[::step, ::step]
    along = crop if crop.shape[0] > crop.shape[1] else crop.swapaxes(0, 1)
    color = parse_color(ink)
    light = LINEAR_LIGHT[along] @ _WEIGHTS + CONTRAST_OFFSET
    own = relative_luminance(*color) + CONTRAST_OFFSET
    clear = np.maximum(light / own, own / light) >= ratio
    share = min(float(part.mean()) for part in np.array_split(clear, _QUICK_PARTS) if part.size)
    if share < _QUICK_SHARE:
        return False
    away = np.abs(along.astype(np.int16) - np.array(color, np.int16)).max(axis=2)
    return thin or int(away.min()) <= (1 - _WHOLE_INK) * int(away.max())


def _ground_behind(piece: Image, ink: NDArray[np.float32]) -> Color:
    """The ground's colour: of the pixels that are farther from the ink than most."""
    pixels = piece.reshape(-1, 3)
    pixels = pixels[:: max(1, len(pixels) // _SAMPLE)].astype(np.float32)
    away = pixels - ink
    order = np.argsort(np.einsum("ij,ij->i", away, away))
    low, high = (round(rank / 100 * (len(order) - 1)) for rank in _GROUND_RANKS)
    picked = np.sort(pixels[order[low : high + 1]], axis=0)
    red, green, blue = picked[len(picked) // 2]
    return int(red), int(green), int(blue)


def _has_stronger_ink(crop: Image, ink: NDArray[np.float32], ground: NDArray[np.float32]) -> bool:
    """Whether something differs from a plain ground by more than the ink does."""
    away = _sampled(crop) - ground
    far = _FARTHER * float(np.linalg.norm(ink - ground)) + _LEAST_WAY
    return float((np.einsum("ij,ij->i", away, away) > far**2).mean()) > _OTHER_INK


def _sampled(crop: Image) -> NDArray[np.float32]:
    """Pixels of a region, some thousands of them."""
    pixels = crop.reshape(-1, 3)
    return pixels[:: max(1, len(pixels) // _MANY)].astype(np.float32)


def _reach(crop: Image, ink: NDArray[np.float32], ground: NDArray[np.float32]) -> float:
    """Share of the way from ground to ink that the darkest strokes reach; 1 if both are equal."""
    way = ink - ground
    if (length := float(np.linalg.norm(way))) < _LEAST_WAY:
        return 1.0
    gone = np.sort((_sampled(crop) - ground) @ way / length**2)
    return float(min(1.0, gone[round(_INK_RANK * (len(gone) - 1))]))


def _margin(box: Box) -> float:
    short, long = sorted((box.width, box.height))
    share = _COMPACT_MARGIN if long < _COMPACT * short else _MARGIN
    return max(_LEAST_MARGIN, share * short)


def _crop(image: Image, box: Box, margin: float) -> Image:
    height, width = image.shape[:2]
    left, right = (round(min(max(x, 0), width)) for x in (box.left - margin, box.right + margin))
    top, bottom = (round(min(max(y, 0), height)) for y in (box.top - margin, box.bottom + margin))
    every = max(1, min(bottom - top, right - left) // _WIDEST)
    return np.ascontiguousarray(image[top:bottom:every, left:right:every])


def _lightness(crop: Image) -> _Gray:
    light = cv2.transform(cv2.LUT(crop, _WEIGHTED_LIGHT), np.ones((1, 3), np.float32))
    return np.asarray(_LIGHTNESS[np.minimum(light, 4095).astype(np.uint16)])


def _despeckled(lightness: _Gray) -> _Gray:
    """Pixels lighter or darker than all their neighbours, set to the nearest of them."""
    darkened = cv2.min(lightness, cv2.dilate(lightness, _NEIGHBOURS))
    return np.asarray(cv2.max(darkened, cv2.erode(darkened, _NEIGHBOURS)), np.uint8)


def _ground(lightness: _Gray) -> _Gray:
    """The median lightness around each pixel, over about the short side of the region."""
    height, width = lightness.shape
    scale = min(1.0, _COARSE / min(height, width))
    rows, columns = round(height * scale), round(width * scale)
    coarse = cv2.resize(lightness, (columns, rows), interpolation=cv2.INTER_NEAREST)
    # Mirrored outwards by hand: OpenCV would repeat the outermost row, and a frame on it would win.
    reach = min(rows, columns) // 2
    wide = cv2.copyMakeBorder(coarse, reach, reach, reach, reach, cv2.BORDER_REFLECT_101)
    smooth = cv2.medianBlur(wide, 2 * reach + 1)[reach : reach + rows, reach : reach + columns]
    ground = cv2.resize(smooth, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(ground, np.uint8)


def _excess(lightness: _Gray, ground: _Gray) -> tuple[_Gray, _Gray]:
    """How far pixels are from the ground, in the direction of more pixels, and in the other one."""
    darker: _Gray = np.asarray(cv2.subtract(ground, lightness), np.uint8)
    lighter: _Gray = np.asarray(cv2.subtract(lightness, ground), np.uint8)
    dark_on_light = cv2.norm(darker, cv2.NORM_L2SQR) >= cv2.norm(lighter, cv2.NORM_L2SQR)
    return (darker, lighter) if dark_on_light else (lighter, darker)


def _figure(excess: _Gray, margin: float) -> tuple[float, NDArray[np.bool_]]:
    """The least distance of the figure from the ground, and its pixels, without straight lines.

    ``margin`` is the margin added on each side of the box, as a share of the short side.
    """
    step, figure = _split(excess)
    height, width = figure.shape
    added = 2 * margin * min(height, width)
    rows = _thickened(np.count_nonzero(figure, axis=1) >= _LINE_SHARE * (width - added))
    columns = _thickened(np.count_nonzero(figure, axis=0) >= _LINE_SHARE * (height - added))
    # Most of the region cannot be lines: that is a dot, a dash or an I that fills its box.
    if rows.sum() + columns.sum() == 0 or rows.mean() > 0.5 or columns.mean() > 0.5:
        return step, figure
    inside = np.ix_(~rows, ~columns)
    inner_step, inner = _split(excess[inside])
    if _share(inner) < _LEAST_SHARE:
        return step, figure
    figure = np.zeros_like(figure)
    figure[inside] = inner
    return inner_step, figure


def _split(excess: _Gray) -> tuple[float, NDArray[np.bool_]]:
    """Otsu's threshold, raised to the least step that counts, and the pixels over it."""
    step, _ = cv2.threshold(excess, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    step = max(step, _LEAST_STEP)
    return step, excess > step


def _share(mask: NDArray[np.generic]) -> float:
    return np.count_nonzero(mask) / mask.size


def _core_level(excess: _Gray) -> int:
    """The level that a tenth of these values reach."""
    reaching = np.bincount(excess, minlength=256)[::-1].cumsum()[::-1]
    return int(np.flatnonzero(reaching >= _CORE * len(excess))[-1])


def _thickened(line: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The marked places and their neighbours, where a line's soft edges are."""
    thick = line.copy()
    thick[1:] |= line[:-1]
    thick[:-1] |= line[1:]
    return thick


def _median_color(crop: Image, where: NDArray[np.bool_]) -> Color:
    places = np.flatnonzero(where)
    places = places[:: max(1, len(places) // _SAMPLE)]
    red, green, blue = np.sort(crop.reshape(-1, 3)[places], axis=0)[len(places) // 2]
    return int(red), int(green), int(blue)
