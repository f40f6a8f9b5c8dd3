"""How far apart two colours look (CIEDE2000), and how far text stands out from its ground."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from decklab.metrics.aesthetics.cielab import LINEAR_LIGHT
from decklab.metrics.aesthetics.constants import (
    CONTRAST_OFFSET,
    LUMINANCE_WEIGHTS,
    RGB_TO_XYZ,
    WHITE_D65,
)

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


def contrast_ratio(colors: Sequence[str], grounds: Sequence[str]) -> Floats:
    """WCAG 2.2 contrast of colours with the grounds behind them, 1 to 21, shape (n,).

    >>> contrast_ratio(["#FFFFFF"], ["#000000"]).tolist()
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
    codes = [[int(color[at : at + 2], 16) for at in (1, 3, 5)] for color in colors]
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
