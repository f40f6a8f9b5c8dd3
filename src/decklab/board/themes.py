"""Designed themes: colour tokens, a type scale, spacing, and a style module for each role.

``designs.toml`` holds the designs.

The slots are those of a style schema (paper 004, section V-B): filled once for a deck, with modules
for opening, body and ending slides. Whether text can be read on its ground is checked when a theme
is made (WCAG 2.2, success criteria 1.4.3 and 1.4.11).

Fonts are families that PowerPoint has and for which Debian has fonts of the same widths (Carlito
for Calibri, Caladea for Cambria, Liberation for Arial and Times New Roman), or free families that
are wider than what PowerPoint shows in their place, so that text that fits here fits there.
"""

from collections.abc import Iterator, Mapping, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from decklab.board.boxes import Align, Shape, Token
from decklab.board.library import Role
from decklab.core.colors import contrast_ratio
from decklab.core.errors import PlanError
from decklab.core.files import package_values
from decklab.core.geometry import Box
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
    """The colour tokens of a theme, ``#RRGGBB``.

    ``accent`` dominates and stands for what matters, ``surface`` is behind cards and tables,
    ``tint`` a pale accent, ``line`` for hairlines. ``grey1`` to ``grey3`` are for the series of a
    chart that do not stand out: greys, or in some designs two further colours, of which ``grey1``
    supports the accent, and a grey. Two more colours of charts, ``pale`` and ``deep``, are shades
    of the accent.
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
        ground = _rgb(self.background)
        for share in _PALE:
            if contrast_ratio(_rgb(_brightened(self.accent, towards * share)), ground) >= VISIBLE:
                return towards * share
        return 0.0

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
    """Text sizes in points that a theme states; pages of few words have larger text."""

    display: float = 48.0
    title: float = 32.0
    body: float = 20.0
    small: float = 16.0
    caption: float = 12.0


@dataclass(frozen=True)
class Fonts:
    """The families of a theme, and what stands in for them where they are absent."""

    heading: str
    body: str
    heading_bold: bool = True
    generic: Literal["sans-serif", "serif", "monospace"] = "sans-serif"
    """Of the headings, for HTML."""


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
    """Colours behind the title and the foot, if these do not stand on the ground."""
    numeral: Token | None = None
    """Of the large number of a section; None for no number."""
    numeral_ground: Token | None = None
    inset: float = 48.0
    """Pixels between the edge at which lines begin and a title that stands alone."""
    rise: Literal["middle", "low"] = "middle"
    """How high a title stands that stands alone."""


@dataclass(frozen=True)
class Components:
    """How the parts of a slide are drawn."""

    card: Literal["filled", "outlined", "ruled", "side", "plain"] = "filled"
    """Cards have an area behind them, a line round, above or beside them, or nothing."""
    rounded: bool = False
    radius: float = 8.0
    """Pixels by which corners are round."""
    badge: Literal["disc", "square", "numeral"] = "disc"
    """The mark behind the number of a step; a numeral stands alone, and is large."""
    table: Literal["banded", "lined", "ruled"] = "banded"
    """The header of tables is filled, has letters of the accent, or stands between rules."""
    title: Literal["top", "center"] = "top"
    """Titles stand at the start of their lines or in the middle."""
    picture: Literal["plain", "rounded", "framed"] = "plain"
    kicker: Literal["plain", "accent", "tag"] = "plain"
    """Lines above titles are in the colour of the title or the accent, or on a filled area."""
    bullet: str = "•"


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
        if style.numeral is not None:
            pairs.append((style.numeral, style.numeral_ground or style.ground, READABLE))
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
    use: str = ""
    """Topics that the design suits, in a few words."""
    words: tuple[str, ...] = ()
    """Of topics and audiences that the design suits; a star stands for any letters."""
    kinds: tuple[str, ...] = ()
    """Of documents that the design suits."""
    plain: bool = False
    """Whether it suits any subject."""

    def __post_init__(self) -> None:
        weak = next(weak_pairs(self.colors, self.roles), None)
        if weak is not None:
            raise PlanError(f"theme {self.name!r}: {weak}")

    def role(self, role: Role) -> RoleStyle:
        """The style module of a role; that of the body where there is none of its own."""
        return self.roles.get(role, self.roles["body"])


_TWINS: Final = {
    "Calibri": "Carlito", "Cambria": "Caladea", "Arial": "Liberation Sans",
    "Times New Roman": "Liberation Serif", "Arial Narrow": "Liberation Sans Narrow",
    "Palatino Linotype": "P052", "Century Schoolbook": "C059", "Consolas": "DejaVu Sans Mono",
}  # fmt: skip
"""Free families with the widths of those that PowerPoint has; that of Consolas is wider."""


def font_stack(theme: DesignTheme, family: str, script: str = "") -> str:
    """A family of a theme in CSS with what stands in for it; ``script`` is a family that stands
    first, for letters that it lacks."""
    names = filter(None, (script, family, _TWINS.get(family)))
    return ", ".join(f"'{name}'" for name in names) + f", {theme.fonts.generic}"


def _read(name: str, given: Mapping[str, Any]) -> DesignTheme:
    """A design as ``designs.toml`` holds it."""
    roles: dict[Role, RoleStyle] = {}
    for role in ROLE_NAMES:
        style = given.get(role)
        if isinstance(style, str):
            style = given[style]
        if style is not None:
            roles[role] = _role(style)
    return DesignTheme(
        name,
        Colors(**given["colors"]),
        Fonts(**given["fonts"]),
        roles,
        Components(**given["components"]),
        TypeScale(**given.get("scale", {})),
        dark=given.get("dark", False),
        use=given["use"],
        words=tuple(given["words"]),
        kinds=tuple(given.get("kinds", ())),
        plain=given.get("plain", False),
    )


def _role(given: Mapping[str, Any]) -> RoleStyle:
    values = {name: value for name, value in given.items() if name not in ("ink", "decor")}
    if "ink" in given:
        values = dict.fromkeys(("title", "text", "muted", "foot"), given["ink"]) | values
    return RoleStyle(**values, decor=tuple(_shape(**shape) for shape in given["decor"]))


def _shape(
    name: str, *, box: Sequence[float] = (), points: Sequence[Sequence[float]] = (), **look: Any
) -> Shape:
    corners = tuple((float(across), float(down)) for across, down in points)
    if corners:
        across, down = zip(*corners, strict=True)
        return Shape(name, Box(min(across), min(down), max(across), max(down)), points=corners,
                     **look)  # fmt: skip
    left, top, width, height = box
    return Shape(name, Box(left, top, left + width, top + height), **look)


THEMES: Final[Registry[DesignTheme]] = Registry("theme")
"""The themes by name.

>>> THEMES["dark"].dark
True
"""

for _name, _given in package_values("decklab.board", "designs.toml").items():
    THEMES.register(_name, _read(_name, _given))
