"""Colours that stay colours: jitter in HLS, and mixing."""

from colorsys import hls_to_rgb, rgb_to_hls

from decklab.perturb.constants import HUE_DEG, LIGHTNESS, SATURATION
from decklab.perturb.draws import Draws

_FULL = 255


def jittered(color: str, severity: float, draws: Draws) -> str:
    """A colour near ``color``: hue turned, lightness and saturation moved (appendix D, style)."""
    hue, lightness, saturation = rgb_to_hls(*_channels(color))
    hue += draws.uniform(-HUE_DEG, HUE_DEG) * severity / 360
    lightness += draws.uniform(-LIGHTNESS, LIGHTNESS) * severity
    saturation += draws.uniform(-SATURATION, SATURATION) * severity
    return _hex(hls_to_rgb(hue % 1, _share(lightness), _share(saturation)))


def mixed(color: str, other: str, alpha: float) -> str:
    """(1 - alpha) of ``color`` with alpha of ``other``.

    >>> mixed("#000000", "#FFFFFF", 0.2)
    '#333333'
    """
    pairs = zip(_channels(color), _channels(other), strict=True)
    one, two, three = ((1 - alpha) * a + alpha * b for a, b in pairs)
    return _hex((one, two, three))


def _channels(color: str) -> tuple[float, float, float]:
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red / _FULL, green / _FULL, blue / _FULL


def _hex(channels: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(_share(value) * _FULL):02X}" for value in channels)


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))
