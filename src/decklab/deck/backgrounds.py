"""The background that a slide, layout or master sets itself."""

from dataclasses import dataclass
from typing import Literal

from decklab.deck.fills import fill_of
from decklab.deck.model.outline import Background, Picture
from decklab.deck.part import Source
from decklab.deck.pictures import read_picture
from decklab.deck.styles.themes import Theme
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, local_name, qn

_KINDS: dict[str, Literal["solid", "gradient", "picture", "pattern"]] = {
    "solidFill": "solid",
    "gradFill": "gradient",
    "blipFill": "picture",
    "pattFill": "pattern",
}


@dataclass(frozen=True)
class StatedBackground:
    """What a part's root says of its background."""

    fill: Element | None
    """A fill of its own."""
    reference: Element | None
    """The reference to a fill of the theme (``p:bgRef``), where it has no fill of its own."""


def stated_background(root: Element) -> StatedBackground | None:
    """The background in a part's root; None where it states none and shows its parent's."""
    holder = root.find(f"{qn('p:cSld')}/{qn('p:bg')}")
    if holder is None:
        return None
    fill = fill_of(holder.find(qn("p:bgPr")))
    return StatedBackground(fill, None if fill is not None else holder.find(qn("p:bgRef")))


def read_background(root: Element, source: Source, theme: Theme) -> Background | None:
    """The background in a part's root; None where it sets none and shows its parent's.

    A reference to the theme's background styles is of kind ``theme``, with the theme's picture
    where that style is one.
    """
    stated = stated_background(root)
    if stated is None:
        return None
    if stated.reference is not None:
        return Background("theme", _theme_picture(stated.reference, theme))
    fill = stated.fill
    kind = None if fill is None else _KINDS.get(local_name(str(fill.tag)))
    if kind is None:
        return None
    return Background(kind, read_picture(fill, source) if kind == "picture" else None)


def _theme_picture(reference: Element, theme: Theme) -> Picture | None:
    fill = theme.fill(parse_int(reference.get("idx")) or 0)
    if fill is None or fill.tag != qn("a:blipFill") or theme.source is None:
        return None
    return read_picture(fill, theme.source)
