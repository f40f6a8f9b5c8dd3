"""Themes: colours, fonts, formats; a theme under a colour map, and references into it.

Names of typefaces as files spell them, and the families they mean.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from decklab.deck.model.base import Origin
from decklab.deck.part import Source
from decklab.deck.styles.colors import BLACK, WHITE, Color, ColorScheme, color_in, theme_color
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, local_name, qn

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
    colors = elements.find(qn("a:clrScheme"))
    if colors is not None:
        theme = replace(theme, colors=_colors(colors))
    fonts = elements.find(qn("a:fontScheme"))
    if fonts is not None:
        theme = replace(
            theme,
            major=_font_set(fonts.find(qn("a:majorFont"))),
            minor=_font_set(fonts.find(qn("a:minorFont"))),
        )
    formats = elements.find(qn("a:fmtScheme"))
    if formats is not None:
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
    scripts = {
        item.get("script") or "": item.get("typeface") or ""
        for item in fonts.iterfind(qn("a:font"))
    }
    return FontSet(latin, east_asian, complex_script, scripts)


def _listed(formats: Element, tag: str) -> tuple[Element, ...]:
    holder = formats.find(qn(tag))
    return () if holder is None else tuple(holder)


def _script(language: str | None) -> str:
    tag = (language or "").lower()
    if tag.startswith("zh"):
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
        element = None if style is None else style.find(qn(name))
        if element is not None:
            index = element.get("idx")
            return Reference(parse_int(index) or 0, look.color(element), index)
    return None
