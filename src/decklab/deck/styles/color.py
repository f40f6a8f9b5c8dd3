"""Effective colours: base colour, theme slot through the colour map, and changes in order."""

from dataclasses import dataclass

from decklab.deck.colors import ColorScheme, stated_color
from decklab.deck.measures import share
from decklab.deck.styles.transforms import RGB, from_hsl, transformed
from decklab.ooxml.names import local_name
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import degrees, parse_int

__all__ = ["BLACK", "WHITE", "Color", "color_in", "mixed", "theme_color"]

_KINDS = frozenset({"srgbClr", "sysClr", "schemeClr", "prstClr", "scrgbClr", "hslClr"})
_ALPHA = frozenset({"alpha", "alphaMod", "alphaOff"})
_ANGLES = frozenset({"hue", "hueOff"})
_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_SYSTEM = {
    "window": "#FFFFFF", "windowText": "#000000", "menu": "#F0F0F0", "menuText": "#000000",
    "btnFace": "#F0F0F0", "btnText": "#000000", "btnHighlight": "#FFFFFF", "btnShadow": "#A0A0A0",
    "captionText": "#000000", "infoBk": "#FFFFE1", "infoText": "#000000", "grayText": "#6D6D6D",
    "highlight": "#0078D7", "highlightText": "#FFFFFF", "hotLight": "#0066CC",
}  # fmt: skip
"""Colours of Windows 10, for files that do not say which colour they last saw."""


@dataclass(frozen=True, slots=True)
class Color:
    """An effective colour."""

    hex: str
    """``#RRGGBB``, opaque."""
    alpha: float = 1.0
    """1 is opaque, 0 not seen."""
    slot: str | None = None
    """Name by which the file refers to the theme (``accent1``, ``tx1``); None where it states the
    colour itself."""


BLACK = Color("#000000")
WHITE = Color("#FFFFFF")


def color_in(
    holder: Element | None, scheme: ColorScheme, placeholder: Color | None = None
) -> Color | None:
    """The colour inside an element such as ``a:solidFill``; None where there is none to resolve.

    ``placeholder`` is what ``phClr`` stands for inside the theme's format scheme.
    """
    if holder is None:
        return None
    for child in holder:
        kind = local_name(str(child.tag))
        if kind in _KINDS:
            base = _base(kind, child, holder, scheme, placeholder)
            return None if base is None else _changed(base, child)
    return None


def theme_color(name: str, scheme: ColorScheme) -> Color | None:
    """The theme's colour behind a name such as ``tx1``; None where it has none."""
    value = scheme.color(name)
    return None if value is None else Color(value, 1.0, name)


def mixed(first: Color, second: Color, share_of_second: float) -> Color:
    """A colour on the way from one to another, channel by channel as stored.

    >>> mixed(BLACK, WHITE, 0.2).hex
    '#333333'
    """
    if first == second:
        return first
    one, other = _from_hex(first.hex), _from_hex(second.hex)
    red, green, blue = (a + (b - a) * share_of_second for a, b in zip(one, other, strict=True))
    alpha = first.alpha + (second.alpha - first.alpha) * share_of_second
    return Color(_to_hex((red, green, blue)), round(alpha, 5))


def _base(
    kind: str,
    child: Element,
    holder: Element,
    scheme: ColorScheme,
    placeholder: Color | None,
) -> Color | None:
    if kind == "schemeClr":
        name = child.get("val") or ""
        return placeholder if name == "phClr" else theme_color(name, scheme)
    if kind == "hslClr":
        return _from_hsl(child)
    value = stated_color(holder, scheme)
    if value is None and kind == "sysClr":
        value = _SYSTEM.get(child.get("val") or "")
    return None if value is None else Color(value)


def _from_hsl(child: Element) -> Color | None:
    saturation, luminance = share(child.get("sat")), share(child.get("lum"))
    if saturation is None or luminance is None:
        return None
    return Color(_to_hex(from_hsl(degrees(child.get("hue")), saturation, luminance)))


def _changed(base: Color, stated: Element) -> Color:
    if len(stated) == 0:
        return base
    rgb, alpha = _from_hex(base.hex), base.alpha
    for item in stated:
        name = local_name(str(item.tag))
        value = _value(name, item)
        if name in _ALPHA:
            alpha = _alpha(alpha, name, value)
        else:
            rgb = transformed(rgb, name, value)
    return Color(_to_hex(rgb), alpha, base.slot)


def _value(name: str, item: Element) -> float:
    if name in _ANGLES:
        return (parse_int(item.get("val")) or 0) / _ANGLE_UNIT
    value = share(item.get("val"))
    return 1.0 if value is None else value


def _alpha(alpha: float, name: str, value: float) -> float:
    changed = {"alpha": value, "alphaMod": alpha * value, "alphaOff": alpha + value}[name]
    return round(min(max(changed, 0.0), 1.0), 5)


def _from_hex(text: str) -> RGB:
    return int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255


def _to_hex(color: RGB) -> str:
    return "#{:02X}{:02X}{:02X}".format(*(round(255 * level) for level in color))
