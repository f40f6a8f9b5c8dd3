"""Colours as a file states them, followed through theme and colour map to ``#RRGGBB``."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from PIL.ImageColor import colormap

from decklab.ooxml.names import local_name, qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["ColorScheme", "read_theme_colors", "stated_color"]

_HEX = re.compile(r"[0-9A-Fa-f]{6}\Z")
_PERCENT = 100_000  # ST_Percentage counts thousandths of a percent
_PRESET_PREFIXES = {"dk": "dark", "lt": "light", "med": "medium"}


@dataclass(frozen=True)
class ColorScheme:
    """Theme colours by slot (``accent1``), and the names slides use for slots (``tx1``)."""

    colors: Mapping[str, str] = field(default_factory=dict)
    mapping: Mapping[str, str] = field(default_factory=dict)

    def remapped(self, mapping: Mapping[str, str]) -> "ColorScheme":
        """The same theme under another colour map."""
        return ColorScheme(self.colors, mapping)

    def color(self, name: str) -> str | None:
        """The colour behind a name; None where the theme has no such."""
        return self.colors.get(self.mapping.get(name, name))


def read_theme_colors(theme: Element) -> dict[str, str]:
    """The theme's colours by slot, from the root of a theme part."""
    scheme = theme.find(f"{qn('a:themeElements')}/{qn('a:clrScheme')}")
    if scheme is None:
        return {}
    found = {local_name(str(slot.tag)): stated_color(slot, ColorScheme()) for slot in scheme}
    return {slot: color for slot, color in found.items() if color is not None}


def stated_color(holder: Element, scheme: ColorScheme) -> str | None:
    """The colour inside an element such as ``a:solidFill``, its brightness changes left out."""
    for child in holder:
        kind = local_name(str(child.tag))
        value = child.get("val") or ""
        if kind == "srgbClr" and _HEX.match(value):
            return f"#{value.upper()}"
        if kind == "sysClr" and _HEX.match(child.get("lastClr") or ""):
            return f"#{(child.get('lastClr') or '').upper()}"
        if kind == "schemeClr":
            return scheme.color(value)
        if kind == "prstClr":
            return _preset(value)
        if kind == "scrgbClr":
            return _linear(child)
    return None


def _preset(name: str) -> str | None:
    plain = re.sub(r"^(dk|lt|med)(?=[A-Z])", lambda match: _PRESET_PREFIXES[match[1]], name)
    value = colormap.get(plain.lower())
    return value.upper() if isinstance(value, str) else None


def _linear(color: Element) -> str | None:
    """A colour in linear light (``a:scrgbClr``), by the transfer curve of IEC 61966-2-1."""
    shares = [parse_int(color.get(channel)) for channel in "rgb"]
    levels = []
    for share in shares:
        if share is None:
            return None
        light = min(max(share / _PERCENT, 0.0), 1.0)
        curved = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
        levels.append(round(255 * curved))
    return "#{:02X}{:02X}{:02X}".format(*levels)
