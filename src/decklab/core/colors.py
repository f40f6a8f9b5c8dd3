"""Pictures as arrays, and colours: linear light, CIELAB, WCAG contrast and CIEDE2000.

Linearisation and D65 CIELAB follow IEC 61966-2-1 and CIE 15. Written out here instead of taken
from OpenCV because AIM's variant needs the same formula with another white point, and because
subband entropy needs the three channels as separate planes; instead of taken from scikit-image
because that library and what it needs would be 50 MB more to install.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

LUMINANCE_WEIGHTS: Final = (0.2126, 0.7152, 0.0722)
"""Linear red, green and blue in relative luminance (eq 4, ITU-R BT.709)."""

CONTRAST_OFFSET: Final = 0.05
"""Flare added to both luminances (WCAG 2.2, contrast ratio)."""

RGB_TO_XYZ: Final = (
    (0.412453, 0.357580, 0.180423),
    (0.212671, 0.715160, 0.072169),
    (0.019334, 0.119193, 0.950227),
)
"""Linear sRGB to XYZ (ITU-R BT.709 primaries, D65)."""

WHITE_D65: Final = (0.95047, 1.0, 1.08883)
"""XYZ of the D65 white point, Y = 1 (CIE 15, 2 degree observer)."""

Image = NDArray[np.uint8]
"""A slide picture: RGB, 8 bits a channel, shape (height, width, 3)."""

Plane = NDArray[np.float32]
"""One channel of a picture as float32, shape (height, width)."""

Color = tuple[int, int, int]
"""8-bit sRGB: red, green and blue, 0 to 255."""

# Pixels processed at a time: intermediate values then stay in a core's own cache.
_STRIP = 1 << 16
# Pixels that OpenCV takes together: a whole number of its vectors on every machine.
_TOGETHER = 16


def checked(image: Image) -> Image:
    """``image`` itself, made contiguous; raises ValueError unless RGB uint8 (H, W, 3), not empty.

    >>> checked(np.zeros((2, 2), np.uint8))
    Traceback (most recent call last):
    ValueError: a slide image is uint8 of shape (H, W, 3), not uint8 of shape (2, 2)
    """
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or image.size == 0:
        raise ValueError(
            f"a slide image is uint8 of shape (H, W, 3), not {image.dtype} of shape {image.shape}"
        )
    return np.ascontiguousarray(image)


def strips(image: Image) -> Iterator[slice]:
    """Slices of rows, about 65,000 pixels each, that cover the picture from top to bottom.

    >>> list(strips(np.zeros((100, 1280, 3), np.uint8)))
    [slice(0, 51, None), slice(51, 102, None)]
    """
    height, width = image.shape[:2]
    rows = max(1, _STRIP // width)
    return (slice(top, top + rows) for top in range(0, height, rows))


def runs(image: Image) -> tuple[Image, NDArray[np.intp]]:
    """The colours of a picture's pixels in reading order, equal neighbours as one, shape (1, n, 3),
    and how many pixels each stands for.

    Slides have few runs for their pixels, so that what depends on a pixel's colour alone is
    computed quickly. All colours come out as they would pixel by pixel: OpenCV rounds the last ones
    of an array otherwise than those that it takes together, so the last pixels stay alone here.

    >>> colors, lengths = runs(np.zeros((10, 10, 3), np.uint8))
    >>> colors.shape, int(lengths.sum())
    ((1, 20, 3), 100)
    """
    words = cv2.cvtColor(image, cv2.COLOR_RGB2RGBA).view(np.uint32).ravel()
    begins = np.append(True, words[1:] != words[:-1])
    begins[-_TOGETHER:] = True
    starts = np.flatnonzero(begins)
    starts = np.append(np.zeros((words.size - len(starts)) % _TOGETHER, np.intp), starts)
    colors = cv2.cvtColor(words[starts].view(np.uint8).reshape(1, -1, 4), cv2.COLOR_RGBA2RGB)
    return np.asarray(colors, np.uint8), np.diff(starts, append=words.size)


def parse_color(text: str) -> Color:
    """``#RRGGBB`` as red, green and blue, 0 to 255.

    >>> parse_color("#FF8000")
    (255, 128, 0)
    """
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue


def hex_color(color: Color) -> str:
    """Red, green and blue as ``#RRGGBB``.

    >>> hex_color((255, 128, 0))
    '#FF8000'
    """
    return "#{:02X}{:02X}{:02X}".format(*color)


def is_near(first: Color, second: Color, levels: int) -> bool:
    """Whether no channel of two colours differs by more than ``levels`` of 255."""
    return all(abs(a - b) <= levels for a, b in zip(first, second, strict=True))


def _linear_light() -> NDArray[np.float64]:
    value = np.arange(256) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


LINEAR_LIGHT = _linear_light()
"""Linear light (0..1) of each 8-bit sRGB value; read-only."""
LINEAR_LIGHT.setflags(write=False)

_LINEAR_LUT = LINEAR_LIGHT.astype(np.float32).reshape(1, 256)
# f(t) of CIELAB: the cube root from here on, a straight line below.
_CUBE_FROM = 0.008856
_SLOPE = 7.787
# Rows of (f(X), f(Y), f(Z), 1) to L*, a*, b*, for f without the line's offset (see lab_planes).
_LAB_OF_F = np.array(
    [[0, 116, 0, -16 - 116 * _SLOPE * _CUBE_FROM], [500, -500, 0, 0], [0, 200, -200, 0]], np.float32
)


def relative_luminance(red: int, green: int, blue: int) -> float:
    """Relative luminance of one 8-bit sRGB colour, 0 (black) to 1 (white): eq 4, WCAG 2.2.

    >>> relative_luminance(255, 255, 255), round(relative_luminance(119, 119, 119), 4)
    (1.0, 0.1845)
    """
    channels = (LINEAR_LIGHT[red], LINEAR_LIGHT[green], LINEAR_LIGHT[blue])
    return float(sum(w * c for w, c in zip(LUMINANCE_WEIGHTS, channels, strict=True)))


def contrast_ratio(first: Color, second: Color) -> float:
    """Contrast of two colours, 1 to 21, higher is better (paper 002, section 2.3; WCAG 2.2).

    >>> round(contrast_ratio((0, 0, 0), (255, 255, 255)), 6)
    21.0
    >>> contrast_ratio((9, 9, 9), (9, 9, 9))
    1.0
    """
    low, high = sorted((relative_luminance(*first), relative_luminance(*second)))
    return (high + CONTRAST_OFFSET) / (low + CONTRAST_OFFSET)


def lab_planes(
    image: Image, white: tuple[float, float, float] = WHITE_D65
) -> tuple[Plane, Plane, Plane]:
    """The L*, a* and b* planes of a picture, float32, shape (H, W) each.

    ``white`` is the XYZ that counts as white, for linear light of 0 to 1. L* runs from 0 to 100.

    >>> red = np.array([[[255, 0, 0]]], np.uint8)
    >>> [round(float(plane[0, 0]), 2) for plane in lab_planes(red)]
    [53.24, 80.09, 67.2]
    """
    image = checked(image)
    height, width = image.shape[:2]
    to_ratio = (np.array(RGB_TO_XYZ) / np.array(white)[:, None]).astype(np.float32)
    cube_from, slope = np.float32(_CUBE_FROM), np.float32(_SLOPE)
    planes = np.empty((3, height, width), np.float32)
    for strip in strips(image):
        colors, lengths = runs(image[strip])
        linear = cv2.LUT(colors, _LINEAR_LUT)
        ratio = cv2.transform(linear, to_ratio, linear)
        f = np.maximum(ratio, cube_from)
        np.cbrt(f, out=f)
        np.minimum(ratio, cube_from, out=ratio)
        np.multiply(ratio, slope, out=ratio)
        f += ratio
        for plane, row in zip(planes, _LAB_OF_F, strict=True):
            values = np.repeat(cv2.transform(f, row[None]).ravel(), lengths)
            plane[strip] = values.reshape(-1, width)
    return planes[0], planes[1], planes[2]


Floats = NDArray[np.float64]

_DARK = (6 / 29) ** 3
"""Below this share of white CIELAB is a straight line (CIE 15)."""
_POW7 = 25.0**7


def lab(colors: Sequence[str]) -> Floats:
    """CIELAB (D65) of ``#RRGGBB`` colours, shape (n, 3).

    >>> lab(["#FF0000"]).round(2).tolist()
    [[53.24, 80.09, 67.2]]
    """
    ratio = _linear(colors) @ np.array(RGB_TO_XYZ).T / np.array(WHITE_D65)
    f = np.where(ratio > _DARK, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = f[:, 0], f[:, 1], f[:, 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


def contrast_ratios(colors: Sequence[str], grounds: Sequence[str]) -> Floats:
    """WCAG 2.2 contrast of colours with their grounds, 1 to 21, shape (n,).

    >>> contrast_ratios(["#FFFFFF"], ["#000000"]).tolist()
    [21.0]
    """
    luminances = [_linear(side) @ np.array(LUMINANCE_WEIGHTS) for side in (colors, grounds)]
    light, dark = np.maximum(*luminances), np.minimum(*luminances)
    return np.asarray((light + CONTRAST_OFFSET) / (dark + CONTRAST_OFFSET))


def color_difference(colors: Sequence[str], others: Sequence[str]) -> Floats:
    """CIEDE2000 between ``#RRGGBB`` colours one by one, 0 for equal ones, shape (n,).

    >>> color_difference(["#336699", "#000000"], ["#336699", "#FFFFFF"]).round(6).tolist()
    [0.0, 100.0]
    """
    return ciede2000(lab(colors), lab(others))


def ciede2000(first: Floats, second: Floats) -> Floats:
    """The CIEDE2000 colour difference of CIELAB values, shapes (..., 3) to (...,).

    k_L = k_C = k_H = 1 (paper 000, E.2). Formula and order of terms follow Sharma, Wu and Dalal
    (2005), equations 2 to 22; symmetric, 0 for equal colours.

    >>> a, b = np.array([50.0, 2.6772, -79.7751]), np.array([50.0, 0.0, -82.7485])
    >>> round(float(ciede2000(a, b)), 4)
    2.0425
    """
    c_mean = (np.hypot(first[..., 1], first[..., 2]) + np.hypot(second[..., 1], second[..., 2])) / 2
    stretch = 1 + 0.5 * (1 - np.sqrt(c_mean**7 / (c_mean**7 + _POW7)))
    c1, h1 = _polar(first, stretch)
    c2, h2 = _polar(second, stretch)
    delta_l, delta_c = second[..., 0] - first[..., 0], c2 - c1
    gray = c1 * c2 == 0
    turn = np.where(gray, 0.0, (h2 - h1 + 180) % 360 - 180)
    # Hues exactly opposite: the formula keeps the sign of h2 - h1.
    turn = np.where(~gray & (np.abs(h2 - h1) == 180), h2 - h1, turn)
    delta_h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    c_bar = (c1 + c2) / 2
    h_bar = _mean_hue(h1, h2, gray)
    l_bar = (first[..., 0] + second[..., 0]) / 2
    s_l = 1 + 0.015 * (l_bar - 50) ** 2 / np.sqrt(20 + (l_bar - 50) ** 2)
    s_c = 1 + 0.045 * c_bar
    s_h = 1 + 0.015 * c_bar * _hue_weight(h_bar)
    light, chroma, hue = delta_l / s_l, delta_c / s_c, delta_h / s_h
    square = light**2 + chroma**2 + hue**2 + _rotation(c_bar, h_bar) * chroma * hue
    return np.asarray(np.sqrt(np.maximum(square, 0)))


def _linear(colors: Sequence[str]) -> Floats:
    codes = [parse_color(color) for color in colors]
    return LINEAR_LIGHT[np.array(codes, dtype=np.intp).reshape(-1, 3)]


def _polar(value: Floats, stretch: Floats) -> tuple[Floats, Floats]:
    """Chroma and hue in degrees, 0 to 360, with a* stretched."""
    a, b = value[..., 1] * stretch, value[..., 2]
    return np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360


def _mean_hue(h1: Floats, h2: Floats, gray: NDArray[np.bool_]) -> Floats:
    total = h1 + h2
    apart = np.abs(h1 - h2) > 180
    wrapped = np.where(total < 360, total + 360, total - 360)
    return np.where(gray, total, np.where(apart, wrapped, total) / 2)


def _hue_weight(h: Floats) -> Floats:
    return np.asarray(
        1
        - 0.17 * np.cos(np.radians(h - 30))
        + 0.24 * np.cos(np.radians(2 * h))
        + 0.32 * np.cos(np.radians(3 * h + 6))
        - 0.20 * np.cos(np.radians(4 * h - 63))
    )


def _rotation(c: Floats, h: Floats) -> Floats:
    bend = 30 * np.exp(-(((h - 275) / 25) ** 2))
    return np.asarray(-2 * np.sqrt(c**7 / (c**7 + _POW7)) * np.sin(np.radians(2 * bend)))


VISIBLE: Final = 12
"""Steps of 255 in any channel that count as a difference: less is rasterising and JPEG. Ours."""


def differing_pixels(first: Image, second: Image, least: int = VISIBLE) -> NDArray[np.bool_]:
    """Which pixels, (height, width), of two pictures of one size differ by ``least`` steps of 255
    in any channel; the default is the least visible difference."""
    apart = cv2.absdiff(first, second)
    most = np.maximum(np.maximum(apart[:, :, 0], apart[:, :, 1]), apart[:, :, 2])
    return np.asarray(most >= least)
