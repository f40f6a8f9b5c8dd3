"""Themes: colours with the changes made to them, fonts, formats; a theme under a colour map, and
references into it.

Names of typefaces as files spell them, and the families they mean.

A change (``lumMod``, ``tint`` ...) is applied to the result of the one before (ISO/IEC 29500-1,
20.1.2.3). Hue, saturation and luminance are those of HSL over sRGB as it is stored; ``tint``,
``shade``, ``inv`` and the red, green and blue channels count in linear light (the standard's
scRGB), as PowerPoint draws them.
"""

import colorsys
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import add, mul

from PIL.ImageColor import colormap, getrgb

from decklab.deck.model.base import Origin
from decklab.deck.part import Source
from decklab.ooxml.xml import Element, degrees, local_name, parse_int, qn, share

RGB = tuple[float, float, float]
"""Red, green and blue of sRGB as stored, 0 to 1."""


def transformed(color: RGB, name: str, value: float) -> RGB:
    """The colour after one change; unknown names change nothing.

    ``value`` is a share of one, for ``hue`` and ``hueOff`` degrees; plain switches (``comp``,
    ``inv``, ``gray``, ``gamma``, ``invGamma``) ignore it.

    >>> [round(255 * level) for level in transformed((1.0, 0.0, 0.0), "lumMod", 0.5)]
    [128, 0, 0]
    """
    if (change := _CHANGES.get(name)) is None:
        return color
    red, green, blue = change(color, value)
    return _limited(red), _limited(green), _limited(blue)


def to_linear(level: float) -> float:
    """Light of a stored level (IEC 61966-2-1)."""
    return level / 12.92 if level <= 0.04045 else float(((level + 0.055) / 1.055) ** 2.4)


def to_stored(light: float) -> float:
    """Stored level of a light (IEC 61966-2-1)."""
    light = _limited(light)
    return 12.92 * light if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)


def from_hsl(hue: float, saturation: float, luminance: float) -> RGB:
    """The colour of a hue in degrees, a saturation and a luminance from 0 to 1."""
    return colorsys.hls_to_rgb(hue / 360 % 1, _limited(luminance), _limited(saturation))


def _limited(level: float) -> float:
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
        for suffix, change in (("", lambda _, v: v), ("Mod", mul), ("Off", add))
    },
}

_KINDS = frozenset({"srgbClr", "sysClr", "schemeClr", "prstClr", "scrgbClr", "hslClr"})
_ALPHA = frozenset({"alpha", "alphaMod", "alphaOff"})
_ANGLES = frozenset({"hue", "hueOff"})
_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_HEX = re.compile(r"[0-9A-Fa-f]{6}\Z")
_PRESET_PREFIXES = {"dk": "dark", "lt": "light", "med": "medium"}
_SYSTEM = {
    "window": "#FFFFFF", "windowText": "#000000", "windowFrame": "#646464", "menu": "#F0F0F0",
    "menuText": "#000000", "menuBar": "#F0F0F0", "menuHighlight": "#0078D7",
    "btnFace": "#F0F0F0", "btnText": "#000000", "btnHighlight": "#FFFFFF", "btnShadow": "#A0A0A0",
    "3dDkShadow": "#696969", "3dLight": "#E3E3E3", "scrollBar": "#C8C8C8",
    "background": "#000000", "appWorkspace": "#ABABAB", "activeBorder": "#B4B4B4",
    "inactiveBorder": "#F4F7FC", "activeCaption": "#99B4D1", "inactiveCaption": "#BFCDDB",
    "gradientActiveCaption": "#B9D1EA", "gradientInactiveCaption": "#D7E4F2",
    "captionText": "#000000", "inactiveCaptionText": "#000000", "infoBk": "#FFFFE1",
    "infoText": "#000000", "grayText": "#6D6D6D", "highlight": "#0078D7",
    "highlightText": "#FFFFFF", "hotLight": "#0066CC",
}  # fmt: skip
"""Colours of Windows 10 (ST_SystemColorVal), for files that do not say which they last saw."""


@dataclass(frozen=True)
class ColorScheme:
    """Theme colours by slot (``accent1``), and the names slides use for slots (``tx1``)."""

    colors: Mapping[str, str] = field(default_factory=dict)
    mapping: Mapping[str, str] = field(default_factory=dict)

    def remapped(self, mapping: Mapping[str, str]) -> "ColorScheme":
        """The same theme under another colour map."""
        return ColorScheme(self.colors, mapping)

    def color(self, name: str) -> str | None:
        """The colour that a name stands for; None if the theme has no such colour."""
        return self.colors.get(self.mapping.get(name, name))


@dataclass(frozen=True, slots=True)
class Color:
    """An effective colour."""

    hex: str
    """``#RRGGBB``, opaque."""
    alpha: float = 1.0
    """1 is opaque, 0 not seen."""
    slot: str | None = None
    """Name by which the file refers to the theme (``accent1``, ``tx1``); None if it states the
    colour itself."""


BLACK = Color("#000000")
WHITE = Color("#FFFFFF")


def color_in(
    holder: Element | None, scheme: ColorScheme, placeholder: Color | None = None
) -> Color | None:
    """The colour inside an element such as ``a:solidFill``; None if it cannot be resolved.

    ``placeholder`` is what ``phClr`` stands for inside the theme's format scheme.
    """
    if holder is None:
        return None
    for child in holder:
        if local_name(str(child.tag)) in _KINDS:
            base = _base(child, scheme, placeholder)
            return None if base is None else _changed(base, child)
    return None


def stated_color(holder: Element, scheme: ColorScheme) -> str | None:
    """The colour inside an element such as ``a:solidFill``, without its changes; None if it has
    none."""
    child = next((item for item in holder if local_name(str(item.tag)) in _KINDS), None)
    base = None if child is None else _base(child, scheme, None)
    return None if base is None else base.hex


def theme_color(name: str, scheme: ColorScheme) -> Color | None:
    """The theme's colour that a name such as ``tx1`` stands for; None if the theme has none."""
    value = scheme.color(name)
    return None if value is None else Color(value, 1.0, name)


def mixed(first: Color, second: Color, share_of_second: float) -> Color:
    """A mixture of two colours, channel by channel as stored.

    >>> mixed(BLACK, WHITE, 0.2).hex
    '#333333'
    """
    if first == second:
        return first
    channels = zip(_from_hex(first.hex), _from_hex(second.hex), strict=True)
    red, green, blue = (a + (b - a) * share_of_second for a, b in channels)
    alpha = first.alpha + (second.alpha - first.alpha) * share_of_second
    return Color(_to_hex((red, green, blue)), round(alpha, 5))


def _base(child: Element, scheme: ColorScheme, placeholder: Color | None) -> Color | None:
    kind, name = local_name(str(child.tag)), child.get("val") or ""
    if kind == "schemeClr":
        return placeholder if name == "phClr" else theme_color(name, scheme)
    if kind == "sysClr":
        value = _hex(child.get("lastClr") or "") or _SYSTEM.get(name)
    elif kind == "prstClr":
        value = _preset(name)
    elif kind == "scrgbClr":
        value = _linear(child)
    elif kind == "hslClr":
        value = _from_hsl(child)
    else:
        value = _hex(name)
    return None if value is None else Color(value)


def _hex(text: str) -> str | None:
    return f"#{text.upper()}" if _HEX.match(text) else None


def _preset(name: str) -> str | None:
    plain = re.sub(r"^(dk|lt|med)(?=[A-Z])", lambda match: _PRESET_PREFIXES[match[1]], name)
    return css_color(plain)


def css_color(name: str) -> str | None:
    """``#RRGGBB`` of a colour that CSS names (CSS Color 4, section 6.1); None for other names.

    >>> css_color("DarkBlue")
    '#00008B'
    """
    if name.lower() not in colormap:
        return None
    # Not the table's own value: Pillow replaces it by numbers when a name is first looked up.
    red, green, blue = getrgb(name)[:3]
    return f"#{red:02X}{green:02X}{blue:02X}"


def _linear(color: Element) -> str | None:
    """A colour in linear light (``a:scrgbClr``)."""
    red, green, blue = (share(color.get(channel)) for channel in "rgb")
    if red is None or green is None or blue is None:
        return None
    return _to_hex((to_stored(red), to_stored(green), to_stored(blue)))


def _from_hsl(child: Element) -> str | None:
    saturation, luminance = share(child.get("sat")), share(child.get("lum"))
    if saturation is None or luminance is None:
        return None
    return _to_hex(from_hsl(degrees(child.get("hue")), saturation, luminance))


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


_REMARK = re.compile(r"\s*\([^()]*\)$")
_STYLES = frozenset(
    (
        "thin", "hairline", "extralight", "ultralight", "light", "book", "regular", "roman",
        "normal", "medium", "demi", "demibold", "semibold", "semilight", "bold", "italic",
        "oblique", "display", "text",
    )
)  # fmt: skip
"""Styles that set text about as wide as the regular face does; black and condensed ones do not."""

NO_FONT = "fontconfig names no font: install some, such as fonts-crosextra-carlito"
"""The cause if this machine has no font at all."""


def plain_family(typeface: str) -> str:
    """The family that a typeface names: without remarks in brackets, fall-backs and odd spaces.

    PowerPoint shows theme fonts as ``Tahoma (Headings)``, and so some files name them.

    >>> plain_family(" Tahoma  (Headings)"), plain_family("'Open Sans', sans-serif")
    ('Tahoma', 'Open Sans')
    """
    first = typeface.split(",", 1)[0] or typeface
    words = " ".join(first.replace('"', "").replace("'", "").lstrip("@").split())
    return _REMARK.sub("", words) or words


def family_without_style(family: str) -> str:
    """The family of a face that carries its style in its name.

    >>> family_without_style("Segoe UI Semibold"), family_without_style("Arial Black")
    ('Segoe UI', 'Arial Black')
    """
    words = family.replace("-", " ").split()
    while len(words) > 1 and words[-1].casefold() in _STYLES:
        words.pop()
    return " ".join(words)


_SCRIPTS = {
    "ja": "Jpan", "ko": "Hang", "ar": "Arab", "fa": "Arab", "ur": "Arab", "he": "Hebr",
    "th": "Thai", "hi": "Deva", "mr": "Deva", "bn": "Beng", "ta": "Taml", "te": "Telu",
    "gu": "Gujr", "pa": "Guru", "kn": "Knda", "ml": "Mlym", "km": "Khmr", "lo": "Laoo",
    "vi": "Viet", "ug": "Uigh", "ka": "Geor", "am": "Ethi",
}  # fmt: skip
"""Language to the script that themes list fonts for (ISO 15924)."""
_FIRST_BACKGROUND = 1001
_TRADITIONAL = ("zh-tw", "zh-hk", "zh-mo", "zh-hant")


@dataclass(frozen=True)
class FontSet:
    """The major or minor fonts of a theme; an empty name leaves the choice to the program."""

    latin: str = ""
    east_asian: str = ""
    complex_script: str = ""
    scripts: Mapping[str, str] = field(default_factory=dict)
    """Typeface by script (``Jpan``), for text whose slot is empty."""

    def typeface(self, slot: str, language: str | None) -> str:
        """The typeface of a slot (``lt``, ``ea``, ``cs``) for text of a language."""
        if slot == "lt":
            return self.latin
        named = self.east_asian if slot == "ea" else self.complex_script
        return named or self.scripts.get(_script(language), "")


@dataclass(frozen=True, eq=False)
class Theme:
    """The contents of a theme part. The style lists are XML: colours depend on who refers to it."""

    source: Source | None = None
    """The part of its style lists, which has the relationships of their pictures."""
    name: str = ""
    colors: Mapping[str, str] = field(default_factory=dict)
    major: FontSet = field(default_factory=FontSet)
    minor: FontSet = field(default_factory=FontSet)
    fills: tuple[Element, ...] = ()
    lines: tuple[Element, ...] = ()
    effects: tuple[Element, ...] = ()
    backgrounds: tuple[Element, ...] = ()

    def fill(self, index: int) -> Element | None:
        """A fill of the format scheme by its index (ST_StyleMatrixColumnIndex); None if there is
        no such fill. Fill styles count from 1, background fills from 1001."""
        background = index >= _FIRST_BACKGROUND
        styles = self.backgrounds if background else self.fills
        position = index - (_FIRST_BACKGROUND if background else 1)
        return styles[position] if 0 <= position < len(styles) else None

    def typeface(self, name: str, language: str | None = None) -> str:
        """A typeface name with theme references such as ``+mn-lt`` resolved."""
        if not name.startswith("+"):
            return name
        fonts = self.major if name.startswith("+mj") else self.minor
        return fonts.typeface(name[-2:], language)


def read_theme(source: Source | None) -> Theme:
    """The theme in a part; an empty one if there is none or it is damaged."""
    root = None if source is None else source.root()
    theme = Theme(source, "" if root is None else root.get("name") or "")
    elements = None if root is None else root.find(qn("a:themeElements"))
    return theme if elements is None else override_theme(theme, elements, source)


def override_theme(theme: Theme, elements: Element, source: Source | None) -> Theme:
    """A theme with the schemes that an ``a:themeElements`` or ``a:themeOverride`` states."""
    if (colors := elements.find(qn("a:clrScheme"))) is not None:
        theme = replace(theme, colors=_colors(colors))
    if (fonts := elements.find(qn("a:fontScheme"))) is not None:
        major = _font_set(fonts.find(qn("a:majorFont")))
        theme = replace(theme, major=major, minor=_font_set(fonts.find(qn("a:minorFont"))))
    if (formats := elements.find(qn("a:fmtScheme"))) is not None:
        theme = replace(
            theme,
            source=source,
            fills=_listed(formats, "a:fillStyleLst"),
            lines=_listed(formats, "a:lnStyleLst"),
            effects=_listed(formats, "a:effectStyleLst"),
            backgrounds=_listed(formats, "a:bgFillStyleLst"),
        )
    return theme


def _colors(scheme: Element) -> dict[str, str]:
    colors = {local_name(str(slot.tag)): color_in(slot, ColorScheme()) for slot in scheme}
    return {slot: color.hex for slot, color in colors.items() if color is not None}


def _font_set(fonts: Element | None) -> FontSet:
    if fonts is None:
        return FontSet()
    latin, east_asian, complex_script = (
        "" if (item := fonts.find(qn(f"a:{tag}"))) is None else item.get("typeface") or ""
        for tag in ("latin", "ea", "cs")
    )
    listed = fonts.iterfind(qn("a:font"))
    scripts = {item.get("script") or "": item.get("typeface") or "" for item in listed}
    return FontSet(latin, east_asian, complex_script, scripts)


def _listed(formats: Element, tag: str) -> tuple[Element, ...]:
    holder = formats.find(qn(tag))
    return () if holder is None else tuple(holder)


def _script(language: str | None) -> str:
    if (tag := (language or "").lower()).startswith("zh"):
        return "Hant" if tag.startswith(_TRADITIONAL) else "Hans"
    return _SCRIPTS.get(tag.partition("-")[0], "")


@dataclass(frozen=True, eq=False)
class MappedTheme:
    """A theme under a colour map; a slide without a colour map of its own shares its layout's."""

    theme: Theme = field(default_factory=Theme)
    colors: ColorScheme = field(default_factory=ColorScheme)

    def color(self, holder: Element | None, placeholder: Color | None = None) -> Color | None:
        """The colour inside an element such as ``a:solidFill``; None if it has none."""
        return color_in(holder, self.colors, placeholder)

    def slot(self, name: str) -> Color:
        """A theme colour by name; where the theme has none, black, and white for ``bg1``."""
        return theme_color(name, self.colors) or (WHITE if name.startswith("bg") else BLACK)


@dataclass(frozen=True)
class Stated:
    """An element that states something, the kind of place it is in, and the part it is in."""

    element: Element
    origin: Origin
    source: Source


@dataclass(frozen=True, slots=True)
class Reference:
    """A shape's reference into the theme's format scheme, with the colour for ``phClr`` there."""

    index: int
    """Counts from 1; 0 is no style. Background fills count from 1001."""
    color: Color | None
    font: str | None = None
    """``major`` or ``minor`` for references to fonts."""


def style_reference(shapes: Sequence[Stated], name: str, look: MappedTheme) -> Reference | None:
    """The reference (``a:fillRef`` ...) of the first shape that has one in its style, else None."""
    for item in shapes:
        style = next((c for c in item.element if str(c.tag).endswith("}style")), None)
        if (element := None if style is None else style.find(qn(name))) is not None:
            index = element.get("idx")
            return Reference(parse_int(index) or 0, look.color(element), index)
    return None
