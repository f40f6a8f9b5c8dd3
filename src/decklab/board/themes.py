"""Designed themes: colour tokens, a type scale, spacing, and a style module for each role.

The slots are those of a style schema (paper 004, section V-B): filled once for a deck, with modules
for opening, body and ending slides. Whether text can be read on its ground is checked when a theme
is made (WCAG 2.2, success criteria 1.4.3 and 1.4.11).

Fonts are families that PowerPoint has and for which Debian has fonts of the same widths (Carlito
for Calibri, Caladea for Cambria, Liberation for Arial and Times New Roman), or free families that
are wider than what PowerPoint shows in their place, so that text that fits here fits there.
"""

from collections.abc import Iterator, Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass, fields
from typing import Final, Literal, get_args

from decklab.board.boxes import Align, Shape, Token
from decklab.board.library import Role
from decklab.core.colors import contrast_ratio
from decklab.core.errors import PlanError
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.registry import Registry

READABLE = 4.5
"""Least contrast of text on its ground (WCAG 2.2, 1.4.3)."""
VISIBLE = 3.0
"""Least contrast of drawings that carry meaning (WCAG 2.2, 1.4.11)."""

LEAST_PT: Final = 12.0
"""No text is set smaller; what does not fit at this size goes on another slide."""

_MIDDLE_CONTRAST = 4.58
"""Of a grey with black that has the same contrast with white: the square root of 21."""
_PALE, _DEEP = (0.4, 0.3, 0.2), 0.45
"""Shares of the way to white or black for shades of the accent. Ours."""

SCHEME: Final[Mapping[Token, str]] = {
    "background": "bg1", "surface": "bg2", "text": "tx1", "muted": "tx2", "accent": "accent1",
    "grey1": "accent2", "grey2": "accent3", "grey3": "accent4", "line": "accent5",
    "tint": "accent6",
}  # fmt: skip
"""The colour of a presentation's scheme that stands for each token."""

ROLE_NAMES: Final[tuple[Role, ...]] = get_args(Role)
_ON_GROUND: Final[tuple[tuple[Token, Token, float], ...]] = (
    ("text", "background", READABLE), ("muted", "background", READABLE),
    ("accent", "background", READABLE), ("text", "surface", READABLE),
    ("muted", "surface", READABLE), ("accent", "surface", VISIBLE), ("text", "tint", READABLE),
    ("grey1", "background", READABLE), ("grey2", "background", VISIBLE),
    ("grey3", "background", VISIBLE),
)  # fmt: skip


@dataclass(frozen=True)
class Colors:
    """The colour tokens of a theme, ``#RRGGBB``: one accent, everything else neutral.

    ``surface`` is behind cards and tables, ``tint`` a pale accent, ``line`` for hairlines, and
    ``grey1`` to ``grey3`` for the series of a chart that do not stand out. Two further colours of
    charts, ``pale`` and ``deep``, are shades of the accent.
    """

    background: str
    surface: str
    text: str
    muted: str
    accent: str
    grey1: str
    grey2: str
    grey3: str
    line: str
    tint: str

    def value(self, token: Token) -> str:
        """The colour of a token."""
        if token in ("pale", "deep"):
            return _brightened(self.accent, self.brightness(token))
        color: str = getattr(self, token)
        return color

    def brightness(self, token: Token) -> float:
        """How much lighter (up to 1) or darker (to -1) than the accent colour a shade of it is.

        ``pale`` goes towards the background as far as it can be seen there, ``deep`` away from it;
        0 for all other tokens.
        """
        towards = 1 if contrast_ratio(_rgb(self.background), (0, 0, 0)) > _MIDDLE_CONTRAST else -1
        if token == "deep":
            return -towards * _DEEP
        if token != "pale":
            return 0.0
        tried = (towards * share for share in _PALE)
        ground = _rgb(self.background)
        seen = (
            share
            for share in tried
            if contrast_ratio(_rgb(_brightened(self.accent, share)), ground) >= VISIBLE
        )
        return next(seen, 0.0)

    def contrast(self, first: Token, second: Token) -> float:
        """Contrast of two tokens, 1 to 21."""
        return contrast_ratio(_rgb(self.value(first)), _rgb(self.value(second)))


def _brightened(color: str, share: float) -> str:
    """A colour nearer to white by a share of the way, or to black for a negative share (in HSL, as
    ``lumMod`` and ``lumOff`` of DrawingML do it: ECMA-376 Part 1, 20.1.2.3)."""
    red, green, blue = (level / 255 for level in _rgb(color))
    hue, light, full = rgb_to_hls(red, green, blue)
    light = light + (1 - light) * share if share > 0 else light * (1 + share)
    return "#" + "".join(f"{round(level * 255):02X}" for level in hls_to_rgb(hue, light, full))


def _rgb(color: str) -> tuple[int, int, int]:
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


@dataclass(frozen=True)
class TypeScale:
    """Text sizes in points; nothing on a slide has another one, but for ``lead``."""

    display: float = 48.0
    title: float = 28.0
    body: float = 20.0
    small: float = 16.0
    caption: float = 12.0

    @property
    def lead(self) -> float:
        """The size of body text on a page of few words, between those of body text and titles."""
        return float(round((self.title + self.body) / 2))

    def down_from(self, size: float, least: float) -> tuple[float, ...]:
        """The sizes of the scale from one, which may be ``lead``, down to another.

        >>> TypeScale().down_from(20, 12)
        (20.0, 16.0, 12.0)
        """
        sizes = {getattr(self, item.name) for item in fields(self)}
        sizes |= {size} & {self.lead}
        return tuple(one for one in sorted(sizes, reverse=True) if least <= one <= size)


@dataclass(frozen=True)
class Fonts:
    """The families of a theme, and what stands in for them where they are absent."""

    heading: str
    body: str
    heading_bold: bool = True
    generic: Literal["sans-serif", "serif"] = "sans-serif"
    """Of the headings, for HTML."""
    code: str = "Consolas"


@dataclass(frozen=True)
class RoleStyle:
    """How slides of a role look: their ground, the colours on it, and what is drawn behind."""

    ground: Token = "background"
    title: Token = "text"
    text: Token = "text"
    muted: Token = "muted"
    decor: tuple[Shape, ...] = ()
    align: Align = "start"
    columns: int = 9
    """Of the grid that a large title at the start of its lines takes."""
    foot: Token = "muted"
    """Of the footer and slide number."""
    title_ground: Token | None = None
    foot_ground: Token | None = None
    """What is drawn behind the title and the foot, where that is not the ground."""


@dataclass(frozen=True)
class Components:
    """How the parts of a slide are drawn."""

    card: Literal["filled", "outlined", "ruled"] = "filled"
    """Cards have an area behind them, a line round them, or a line above them."""
    rounded: bool = False
    badge: Literal["disc", "square"] = "disc"
    """What numbers of steps stand on."""


@dataclass(frozen=True)
class WeakPair:
    """Two colours, one on the other, that differ too little: ``ratio`` is below ``least``."""

    token: Token
    ground: Token
    ratio: float
    least: float

    def __str__(self) -> str:
        return (
            f"{self.token} on {self.ground} has a contrast of {self.ratio:.1f}:1, "
            f"at least {self.least:g}:1 is needed"
        )


def weak_pairs(colors: Colors, roles: Mapping[Role, RoleStyle]) -> Iterator[WeakPair]:
    """The pairs of tokens that stand on each other in a theme and cannot be told apart."""
    pairs = list(_ON_GROUND)
    for role in ROLE_NAMES:
        style = roles.get(role, roles["body"])
        pairs += [(token, style.ground, READABLE) for token in (style.text, style.muted)]
        pairs.append((style.title, style.title_ground or style.ground, READABLE))
        pairs.append((style.foot, style.foot_ground or style.ground, READABLE))
    for token, ground, least in dict.fromkeys(pairs):
        ratio = colors.contrast(token, ground)
        if ratio < least:
            yield WeakPair(token, ground, ratio, least)


@dataclass(frozen=True)
class DesignTheme:
    """A style for a whole deck. Raises PlanError where text could not be read on its ground."""

    name: str
    colors: Colors
    fonts: Fonts
    roles: Mapping[Role, RoleStyle]
    components: Components = Components()
    scale: TypeScale = TypeScale()
    dark: bool = False
    spacing: float = 10.0
    """Pixels between the paragraphs of body text."""

    def __post_init__(self) -> None:
        weak = next(weak_pairs(self.colors, self.roles), None)
        if weak is not None:
            raise PlanError(f"theme {self.name!r}: {weak}")

    def role(self, role: Role) -> RoleStyle:
        """The style module of a role; that of the body where there is none of its own."""
        return self.roles.get(role, self.roles["body"])


_TWINS: Final = {
    "Calibri": "Carlito", "Cambria": "Caladea", "Arial": "Liberation Sans",
    "Times New Roman": "Liberation Serif",
}  # fmt: skip
"""Free families with the widths of those that PowerPoint has."""


def font_stack(theme: DesignTheme, family: str, script: str = "") -> str:
    """A family of a theme in CSS with what stands in for it; ``script`` is a family that stands
    first, for letters that it lacks."""
    names = filter(None, (script, family, _TWINS.get(family)))
    return ", ".join(f"'{name}'" for name in names) + f", {theme.fonts.generic}"


THEMES: Final[Registry[DesignTheme]] = Registry("theme")
"""The themes by name.

>>> THEMES["dark"].dark
True
"""


def _bar(  # noqa: PLR0917 - the numbers read as a place and a size
    name: str, left: float, top: float, width: float, height: float, fill: Token
) -> Shape:
    return Shape(name, Box(left, top, left + width, top + height), fill)


def _disc(name: str, left: float, top: float, side: float, fill: Token) -> Shape:
    return Shape(name, Box(left, top, left + side, top + side), fill, geometry="ellipse")


def _on_accent(*decor: Shape) -> RoleStyle:
    """A style on the accent colour."""
    colors: dict[str, Token] = dict.fromkeys(("title", "text", "muted", "foot"), "background")
    return RoleStyle(ground="accent", decor=decor, **colors)  # type: ignore[arg-type]


_WIDE, _HIGH = FRAME_WIDTH, FRAME_HEIGHT
_FRAME = (
    _bar("Upper rule", 48, 48, 864, 2, "background"),
    _bar("Lower rule", 48, 490, 864, 2, "background"),
    _bar("Panel", 768, 48, 144, 442, "tint"),
)
_BANDS = (
    _bar("Head", 0, 0, _WIDE, 96, "accent"),
    _bar("Foot", 0, 444, _WIDE, 96, "accent"),
    _bar("Head rule", 0, 104, _WIDE, 4, "accent"),
    _bar("Foot rule", 0, 432, _WIDE, 4, "accent"),
)
_FOOT_RULE = _bar("Foot rule", 48, 500, 864, 1, "line")

_TILE_PLACES: Final[tuple[tuple[int, int, Token], ...]] = (
    (1, 0, "tint"), (0, 1, "background"), (1, 2, "text"), (0, 3, "tint"),
)  # fmt: skip
_TILES = tuple(
    _bar(f"Tile {number}", 720 + 120 * column, 135 * row, 120, 135, fill)
    for number, (column, row, fill) in enumerate(_TILE_PLACES, 1)
)

LIGHT = DesignTheme(
    "light",
    Colors("#FFFFFF", "#F2F5F9", "#18202C", "#55606F", "#1D5BD1", "#5B6675", "#77808E", "#8A93A0",
           "#D3D9E1", "#E3ECFC"),
    Fonts("Calibri", "Calibri"),
    {
        "opening": _on_accent(*_TILES),
        "section": _on_accent(_bar("Panel", 816, 0, 144, _HIGH, "tint")),
        "body": RoleStyle(foot="background", foot_ground="accent",
                          decor=(_bar("Accent mark", 48, 0, 64, 8, "accent"),
                                 _bar("Foot", 0, 504, _WIDE, 36, "accent"))),
        "ending": _on_accent(*_TILES),
    },
    Components(card="filled", rounded=True),
)  # fmt: skip

_STAIRS: Final[tuple[Token, ...]] = ("tint", "tint", "accent", "accent", "accent")
_STEPS_UP = tuple(
    _bar(f"Step {number}", _WIDE - 48 * (6 - number), _HIGH - 90 * number, 48, 90 * number, fill)
    for number, fill in enumerate(_STAIRS, 1)
)

DARK = DesignTheme(
    "dark",
    Colors("#10141C", "#1B222E", "#F1F4F8", "#A8B3C3", "#5CC8FF", "#B3BCC9", "#8E99A8", "#707B8B",
           "#333D4C", "#15324A"),
    Fonts("Open Sans", "Open Sans"),
    {
        "opening": RoleStyle(decor=_STEPS_UP),
        "section": RoleStyle(ground="tint", muted="text",
                             decor=(_bar("Accent bar", 0, 0, 24, _HIGH, "accent"),)),
        "body": RoleStyle(decor=(_bar("Accent line", 0, 0, _WIDE, 8, "accent"),
                                 _bar("Foot", 0, 504, _WIDE, 36, "surface"))),
        "ending": RoleStyle(decor=_STEPS_UP),
    },
    Components(card="filled"),
    dark=True,
)  # fmt: skip

EDITORIAL = DesignTheme(
    "editorial",
    Colors("#FBF8F3", "#F2ECE2", "#241F1A", "#675C50", "#9C2F20", "#6C635A", "#83796F", "#92887D",
           "#D9CFC1", "#F4DFD8"),
    Fonts("Cambria", "Calibri", heading_bold=False, generic="serif"),
    {
        "opening": _on_accent(*_FRAME),
        "section": _on_accent(_bar("Rule", 48, 136, 96, 4, "background")),
        "body": RoleStyle(decor=(_bar("Rail", 0, 0, 24, _HIGH, "accent"),
                                 _bar("Title rule", 48, 24, 864, 2, "text"))),
        "ending": _on_accent(*_FRAME),
    },
    Components(card="ruled", badge="square"),
)  # fmt: skip

ACADEMIC = DesignTheme(
    "academic",
    Colors("#FFFFFF", "#F3F5F3", "#17201C", "#4F5B55", "#17624D", "#57625D", "#747E79", "#89928D",
           "#CDD4D0", "#E0EFE9"),
    Fonts("Times New Roman", "Times New Roman", generic="serif"),
    {
        "opening": RoleStyle(align="center", decor=_BANDS),
        "section": _on_accent(_bar("Rule", 48, 304, 864, 2, "tint")),
        "body": RoleStyle(title="background", title_ground="accent",
                          decor=(_bar("Head", 0, 0, _WIDE, 108, "accent"), _FOOT_RULE)),
        "ending": _on_accent(_bar("Panel", 816, 0, 144, _HIGH, "tint"),
                             _bar("Rule", 800, 0, 4, _HIGH, "tint")),
    },
    Components(card="outlined", badge="square"),
)  # fmt: skip

CORPORATE = DesignTheme(
    "corporate",
    Colors("#FFFFFF", "#EDF2F7", "#10243A", "#4A5E75", "#0A4D8C", "#536579", "#728193", "#8893A2",
           "#CBD6E2", "#DCE9F6"),
    Fonts("Arial", "Arial"),
    {
        "opening": _on_accent(_bar("Band", 0, 456, _WIDE, 84, "text")),
        "section": _on_accent(_bar("Band", 0, 0, 24, _HIGH, "text")),
        "body": RoleStyle(title="accent", title_ground="tint",
                          decor=(_bar("Title band", 0, 0, _WIDE, 108, "tint"),
                                 _bar("Title mark", 0, 0, 24, 108, "accent"),
                                 _bar("Foot", 0, 528, _WIDE, 12, "accent"))),
        "ending": _on_accent(_bar("Band", 0, 456, _WIDE, 84, "text")),
    },
    Components(card="filled", badge="square"),
)  # fmt: skip

PLAYFUL = DesignTheme(
    "playful",
    Colors("#FFFAF2", "#FFF0DA", "#2A1A3C", "#66567A", "#BE2160", "#6E6180", "#84789A", "#958AA6",
           "#E6D8C3", "#FFE1EC"),
    Fonts("Lato", "Lato"),
    {
        "opening": _on_accent(_disc("Large disc", 760, -128, 320, "text"),
                              _disc("Small disc", 640, 424, 200, "text")),
        "section": RoleStyle(ground="tint", title="accent",
                             decor=(_disc("Large disc", 760, 300, 320, "accent"),)),
        "body": RoleStyle(title="accent", decor=(_disc("Disc", 904, -72, 128, "accent"),
                                                 _disc("Small disc", 872, -32, 48, "tint"),
                                                 _disc("Low disc", 912, 492, 112, "accent"),
                                                 _bar("Foot", 0, 528, _WIDE, 12, "accent"))),
        "ending": _on_accent(_disc("Large disc", 760, -128, 320, "text"),
                             _disc("Small disc", 640, 424, 200, "text")),
    },
    Components(card="filled", rounded=True),
)  # fmt: skip

for _theme in (LIGHT, DARK, EDITORIAL, ACADEMIC, CORPORATE, PLAYFUL):
    THEMES.register(_theme.name, _theme)
