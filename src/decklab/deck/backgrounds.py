"""The background that a slide, layout or master sets itself."""

from dataclasses import dataclass
from typing import Literal

from decklab.deck.fills import fill_of
from decklab.deck.outline import Background, Picture
from decklab.deck.pictures import read_picture
from decklab.deck.source import Source
from decklab.ooxml.names import local_name, qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["Theme", "read_background"]


@dataclass(frozen=True)
class Theme:
    """A theme part: its root element, and where its links start."""

    root: Element
    source: Source


_KINDS: dict[str, Literal["solid", "gradient", "picture", "pattern"]] = {
    "solidFill": "solid",
    "gradFill": "gradient",
    "blipFill": "picture",
    "pattFill": "pattern",
}
_FIRST_BACKGROUND_STYLE = 1001  # ST_StyleMatrixColumnIndex: 1001 is the theme's first background


def read_background(root: Element, source: Source, theme: Theme | None) -> Background | None:
    """The background in a part's root; None where it sets none and shows its parent's.

    A reference to the theme's background styles is of kind ``theme``, with the theme's picture
    where that style is one.
    """
    holder = root.find(f"{qn('p:cSld')}/{qn('p:bg')}")
    if holder is None:
        return None
    reference = holder.find(qn("p:bgRef"))
    if reference is not None:
        return Background("theme", _theme_picture(reference, theme))
    fill = fill_of(holder.find(qn("p:bgPr")))
    kind = None if fill is None else _KINDS.get(local_name(str(fill.tag)))
    if kind is None:
        return None
    return Background(kind, read_picture(fill, source) if kind == "picture" else None)


def _theme_picture(reference: Element, theme: Theme | None) -> Picture | None:
    number = parse_int(reference.get("idx"))
    if theme is None or number is None:
        return None
    styles = theme.root.find(
        f"{qn('a:themeElements')}/{qn('a:fmtScheme')}/{qn('a:bgFillStyleLst')}"
    )
    fills = () if styles is None else tuple(styles)
    index = number - _FIRST_BACKGROUND_STYLE
    if not 0 <= index < len(fills) or fills[index].tag != qn("a:blipFill"):
        return None
    return read_picture(fills[index], theme.source)
