"""A template's theme colours by what the board needs them for, readable on each layout's ground.

Layouts of the board name colours by purpose. In a template each purpose gets a slot of its theme,
lightened or darkened the way office programs offer it, so that a deck follows its template when the
theme's colours change.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import dist
from typing import Final

from decklab.board.boxes import Token
from decklab.board.native.markup import DECLARED
from decklab.board.native.palette import Palette
from decklab.board.slots.parts import part_theme
from decklab.board.templates.places import TemplateLayout, levels_of
from decklab.board.themes import READABLE, SCHEME, VISIBLE, DesignTheme
from decklab.board.typography import stand_in
from decklab.core.colors import contrast_ratio
from decklab.deck.styles.themes import transformed

_TEXTS: Final = ("tx1", "bg1", "tx2", "bg2")
_ACCENTS: Final = ("accent1", "accent2", "accent3", "accent4", "accent5", "accent6")
_DARKER: Final = ((), (("lumMod", 75),), (("lumMod", 50),))
_LIGHTER: Final = ((), (("lumMod", 60), ("lumOff", 40)), (("lumMod", 40), ("lumOff", 60)))
_SOFTER: Final = (
    (("lumMod", 65), ("lumOff", 35)), (("lumMod", 75), ("lumOff", 25)), (("lumMod", 75),),
    (("lumMod", 85),), (),
)  # fmt: skip
_GREYS: Final = (
    ((("lumMod", 65), ("lumOff", 35)), (("lumMod", 75),)),
    ((("lumMod", 54), ("lumOff", 46)), (("lumMod", 65),)),
    ((("lumMod", 46), ("lumOff", 54)), (("lumMod", 54),)),
)
"""Three greys of a series that does not stand out: of dark text, and of light text."""
_PALE: Final = (
    (("lumMod", 95),), (("lumMod", 90),), (("lumMod", 85), ("lumOff", 15)),
    (("lumMod", 75), ("lumOff", 25)),
)  # fmt: skip
_TINTS: Final = (
    (("lumMod", 20), ("lumOff", 80)), (("lumMod", 10), ("lumOff", 90)), (("lumMod", 50),),
    (("lumMod", 25),),
)  # fmt: skip
_SUBTLE = (1.02, 1.9)

Changes = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class SlotColor:
    """A theme colour by its slot, with its changes in per cent; or one of its own, as ``slot``."""

    slot: str
    changes: Changes
    value: str
    """``#RRGGBB``, as it comes out."""

    def against(self, other: str) -> float:
        """Contrast with another colour, 1 to 21."""
        return contrast_ratio(levels_of(self.value), levels_of(other))

    @property
    def inner(self) -> str:
        """The changes as DrawingML."""
        return "".join(f'<a:{name} val="{share * 1000}"/>' for name, share in self.changes)

    def xml(self) -> str:
        """The colour as DrawingML."""
        if self.slot.startswith("#"):
            return f'<a:srgbClr {DECLARED} val="{self.value[1:]}"/>'
        return f'<a:schemeClr {DECLARED} val="{self.slot}">{self.inner}</a:schemeClr>'


@dataclass(frozen=True)
class AreaPalette(Palette):
    """Colours of pages that are drawn for a layout: each is a slot of its theme, with changes."""

    colors: Mapping[Token, SlotColor] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    """The template's families by those that stand in for them here."""

    @classmethod
    def of(cls, layout: TemplateLayout) -> "AreaPalette":
        """The palette of a layout; its slots are those of decklab's themes."""
        colors = palette_of(layout)
        slots = {slot: colors[token].value for token, slot in SCHEME.items()}
        fonts = (layout.heading_font or "Arial", layout.body_font or "Arial")
        return cls(slots, *fonts, colors, {stand_in(one): one for one in _families(layout)})

    def themed(self, xml: str, *, heading: bool = False) -> str:
        """DrawingML with the template's colours and fonts by their names."""
        for used, family in self.families.items():
            xml = xml.replace(f'typeface="{used}"', f'typeface="{family}"')
        return super().themed(xml, heading=heading)

    def names(self) -> dict[str, tuple[str, str]]:
        """By colours, ``RRGGBB``: the slot of the template that each is, and its changes."""
        named = [color for color in self.colors.values() if not color.slot.startswith("#")]
        colors = reversed(named)
        return {color.value[1:]: (color.slot, color.inner) for color in colors}


def palette_of(layout: TemplateLayout) -> dict[Token, SlotColor]:
    """The colour of each purpose on a layout; text reads at 4.5:1 if the theme has one for it."""
    colors, ground = layout.colors, ground_of(layout)
    text = _first_readable([_slot(colors, slot) for slot in _text_slots(layout)], ground, READABLE)
    dark_text = text.against("#FFFFFF") > text.against("#000000")
    shades = _DARKER if dark_text else _LIGHTER
    first = (*layout.accents[:2], *_ACCENTS[:2])
    accents = [_slot(colors, slot, shade) for slot in first for shade in shades]
    accents += [_slot(colors, slot) for slot in _ACCENTS[2:]]
    accent = _first_readable([*accents, text], ground, READABLE)
    paper = [_slot(colors, slot, pale) for slot in ("bg1", "tx1") for pale in _PALE]
    tints = [_slot(colors, accent.slot, tint) for tint in _TINTS]
    usual = _subtle([_slot(colors, "bg2"), *paper], ground, text)
    others = [_slot(colors, slot, one) for slot in (*_TEXTS, *_ACCENTS)
              for one in ((), *_DARKER, *_LIGHTER, *_TINTS, *_PALE)]  # fmt: skip
    others.sort(key=lambda color: dist(levels_of(color.value), levels_of(ground)))
    surface = _subtle([usual, *others], ground, text)
    greys = [
        _first_readable(
            [_slot(colors, text.slot, pair[0 if dark_text else 1]), text], ground, VISIBLE
        )
        for pair in _GREYS
    ]
    softer = [_slot(colors, text.slot, one) for one in _SOFTER]
    lines = [_slot(colors, text.slot, (("lumMod", 25), ("lumOff", 75)) if dark_text
                   else (("lumMod", 50),)), text]  # fmt: skip
    return {
        "background": _first_readable(
            [_slot(colors, slot) for slot in ("bg1", "tx1", "bg2", "tx2")], accent.value, READABLE
        ),
        "text": text,
        "muted": _first_readable(softer, ground, READABLE),
        "accent": accent,
        "grey1": greys[0],
        "grey2": greys[1],
        "grey3": greys[2],
        "line": lines[0],
        "surface": surface,
        "tint": _subtle([*tints, surface, *others], ground, text),
    }


def ground_of(layout: TemplateLayout) -> str:
    """The colour behind what is on a layout: of a picture the mean, if text reads on it, else black
    or white as it has to be."""
    body, shade = _body_color(layout), layout.ground or layout.shade
    if shade and (layout.ground or contrast_ratio(levels_of(shade), levels_of(body)) >= VISIBLE):
        return shade
    return _opposite(body)


def theme_of(layout: TemplateLayout) -> DesignTheme:
    """The fonts and colours of a layout, as the theme of what is drawn on it."""
    values = {token: color.value for token, color in palette_of(layout).items()}
    return part_theme(values, *map(stand_in, _families(layout)))


def _families(layout: TemplateLayout) -> tuple[str, str]:
    """The families of the titles and texts of a layout."""
    texts = [place for place in layout.places if place.takes_text and place.levels]
    body = next((place.levels[0].family for place in texts), "")
    body = body or layout.text_font or layout.body_font or "Arial"
    title = layout.title
    heading = title.levels[0].family if title is not None and title.levels else ""
    return heading or layout.heading_font or body, body


def _text_slots(layout: TemplateLayout) -> Iterator[str]:
    """Slots for text, that of the layout's own body text first."""
    for place in layout.places:
        slot = place.levels[0].slot if place.takes_text and place.levels else None
        if slot in _TEXTS:
            yield slot
    yield from _TEXTS


def _body_color(layout: TemplateLayout) -> str:
    """The colour that the layout sets text in."""
    places = [place for kind in ("text", "object", "title") for place in layout.places
              if place.kind == kind]  # fmt: skip
    return next((place.levels[0].color for place in places if place.levels), "#000000")


def _opposite(color: str) -> str:
    """Black or white, whichever a colour reads better on: what a picture behind it has to be."""
    levels = levels_of(color)
    white, black = (contrast_ratio(levels, levels_of(one)) for one in ("#FFFFFF", "#000000"))
    return "#FFFFFF" if white >= black else "#000000"


def _slot(colors: Mapping[str, str], slot: str, changes: Changes = ()) -> SlotColor:
    plain = slot if slot.startswith("#") else "#FFFFFF"
    value = colors.get(slot, "#000000" if slot.startswith("tx") else plain)
    levels = tuple(level / 255 for level in levels_of(value))
    for name, share in changes:
        levels = transformed((levels[0], levels[1], levels[2]), name, share / 100)
    shown = "#" + "".join(f"{round(level * 255):02X}" for level in levels)
    return SlotColor(slot, changes, shown)


def _first_readable(colors: Iterable[SlotColor], ground: str, least: float) -> SlotColor:
    """The first colour with that contrast; where none has it, that with the most."""
    tried = list(colors)
    readable = (color for color in tried if color.against(ground) >= least)
    return next(readable, max(tried, key=lambda color: color.against(ground)))


def _subtle(colors: Iterable[SlotColor], ground: str, text: SlotColor) -> SlotColor:
    """The first colour that is near the ground, but not it, and that text reads on."""
    tried = list(colors)
    low, high = _SUBTLE
    near = [color for color in tried if text.against(color.value) >= READABLE]
    return next(
        (color for color in near if low <= color.against(ground) <= high),
        min(near or tried, key=lambda color: abs(color.against(ground) - low * high)),
    )
