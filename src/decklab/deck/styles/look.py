"""What the colours, fonts and style references of one slide, layout or master resolve against."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from decklab.deck.colors import BLACK, WHITE, Color, ColorScheme, color_in, theme_color
from decklab.deck.source import Source
from decklab.deck.styles.effective import Origin
from decklab.deck.themes import Theme
from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["Look", "Reference", "Stated", "style_reference"]


@dataclass(frozen=True, eq=False)
class Look:
    """A theme under a colour map; slides that map no colours anew share their layout's."""

    theme: Theme = field(default_factory=Theme)
    colors: ColorScheme = field(default_factory=ColorScheme)

    def color(self, holder: Element | None, placeholder: Color | None = None) -> Color | None:
        """The colour inside an element such as ``a:solidFill``."""
        return color_in(holder, self.colors, placeholder)

    def slot(self, name: str) -> Color:
        """A theme colour by name; where the theme has no such, black, and white for ``bg1``."""
        return theme_color(name, self.colors) or (WHITE if name.startswith("bg") else BLACK)


@dataclass(frozen=True)
class Stated:
    """A shape element that states something, where that is, and where its links start."""

    element: Element
    origin: Origin
    source: Source


@dataclass(frozen=True, slots=True)
class Reference:
    """A shape's reference into the theme's format scheme, and the colour it hands over."""

    index: int
    """Counts from 1; 0 is nothing. From 1001 on, the background fills."""
    color: Color | None
    font: str | None = None
    """``major`` or ``minor`` for references to fonts."""


def style_reference(shapes: Sequence[Stated], name: str, look: Look) -> Reference | None:
    """The reference (``a:fillRef`` ...) of the first shape that has a style."""
    for item in shapes:
        style = next((c for c in item.element if str(c.tag).endswith("}style")), None)
        found = None if style is None else style.find(qn(name))
        if found is not None:
            index = found.get("idx")
            return Reference(parse_int(index) or 0, look.color(found), index)
    return None
