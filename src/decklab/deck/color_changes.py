"""Changes to a colour (``lumMod``, ``tint`` ...), each to the result of the one before.

ISO/IEC 29500-1, 20.1.2.3. Hue, saturation and luminance are those of HSL over sRGB as it is
stored; ``tint``, ``shade``, ``inv`` and the red, green and blue channels count in linear light (the
standard's scRGB), as PowerPoint draws them.
"""

import colorsys
from collections.abc import Callable

__all__ = ["RGB", "transformed"]

RGB = tuple[float, float, float]
"""Red, green and blue of sRGB as stored, 0 to 1."""


def transformed(color: RGB, name: str, value: float) -> RGB:
    """The colour after one change; unknown names change nothing.

    ``value`` is a share of one, for ``hue`` and ``hueOff`` degrees; plain switches (``comp``,
    ``inv``, ``gray``, ``gamma``, ``invGamma``) ignore it.

    >>> [round(255 * level) for level in transformed((1.0, 0.0, 0.0), "lumMod", 0.5)]
    [128, 0, 0]
    """
    change = _CHANGES.get(name)
    if change is None:
        return color
    red, green, blue = change(color, value)
    return _held(red), _held(green), _held(blue)


def to_linear(level: float) -> float:
    """Light of a stored level (IEC 61966-2-1)."""
    return level / 12.92 if level <= 0.04045 else float(((level + 0.055) / 1.055) ** 2.4)


def to_stored(light: float) -> float:
    """Stored level of a light (IEC 61966-2-1)."""
    light = _held(light)
    return 12.92 * light if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)


def from_hsl(hue: float, saturation: float, luminance: float) -> RGB:
    """The colour of a hue in degrees, a saturation and a luminance from 0 to 1."""
    return colorsys.hls_to_rgb(hue / 360 % 1, _held(luminance), _held(saturation))


def _held(level: float) -> float:
    return min(max(level, 0.0), 1.0)


def _hsl(change: Callable[[float, float, float, float], RGB]) -> Callable[[RGB, float], RGB]:
    """A change of hue (degrees), saturation and luminance as a change of a colour."""

    def applied(color: RGB, value: float) -> RGB:
        hue, luminance, saturation = colorsys.rgb_to_hls(*color)
        return from_hsl(*change(hue * 360, saturation, luminance, value))

    return applied


def _light(change: Callable[[float, float], float]) -> Callable[[RGB, float], RGB]:
    """A change of each channel's light."""

    def applied(color: RGB, value: float) -> RGB:
        red, green, blue = (to_stored(change(to_linear(level), value)) for level in color)
        return red, green, blue

    return applied


def _channel(index: int, change: Callable[[float, float], float]) -> Callable[[RGB, float], RGB]:
    """A change of one channel's light."""

    def applied(color: RGB, value: float) -> RGB:
        levels = list(color)
        levels[index] = to_stored(change(to_linear(levels[index]), value))
        return levels[0], levels[1], levels[2]

    return applied


def _gray(color: RGB, _value: float) -> RGB:
    """Weights of ITU-R BT.709 on the stored levels."""
    level = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
    return level, level, level


def _set(_old: float, value: float) -> float:
    return value


def _mod(old: float, value: float) -> float:
    return old * value


def _off(old: float, value: float) -> float:
    return old + value


def _gamma(color: RGB, _value: float) -> RGB:
    return to_stored(color[0]), to_stored(color[1]), to_stored(color[2])


def _inverse_gamma(color: RGB, _value: float) -> RGB:
    return to_linear(color[0]), to_linear(color[1]), to_linear(color[2])


# hue (h), saturation (s), luminance (b for brightness), and the value that is stated (v)
_CHANGES: dict[str, Callable[[RGB, float], RGB]] = {
    "hue": _hsl(lambda h, s, b, v: (v, s, b)),
    "hueMod": _hsl(lambda h, s, b, v: (h * v, s, b)),
    "hueOff": _hsl(lambda h, s, b, v: (h + v, s, b)),
    "sat": _hsl(lambda h, s, b, v: (h, v, b)),
    "satMod": _hsl(lambda h, s, b, v: (h, s * v, b)),
    "satOff": _hsl(lambda h, s, b, v: (h, s + v, b)),
    "lum": _hsl(lambda h, s, b, v: (h, s, v)),
    "lumMod": _hsl(lambda h, s, b, v: (h, s, b * v)),
    "lumOff": _hsl(lambda h, s, b, v: (h, s, b + v)),
    "comp": _hsl(lambda h, s, b, _v: (h + 180, s, b)),
    "tint": _light(lambda light, v: light * v + 1 - v),
    "shade": _light(lambda light, v: light * v),
    "inv": _light(lambda light, _v: 1 - light),
    "gray": _gray,
    "gamma": _gamma,
    "invGamma": _inverse_gamma,
    **{
        f"{name}{suffix}": _channel(index, change)
        for index, name in enumerate(("red", "green", "blue"))
        for suffix, change in (("", _set), ("Mod", _mod), ("Off", _off))
    },
}
