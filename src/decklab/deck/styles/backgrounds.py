"""The background a slide shows: its own, its layout's, or its master's."""

from decklab.deck.styles.effective import Effective, Origin
from decklab.deck.styles.fills import Fill, SolidFill, fill_in, fill_style
from decklab.deck.styles.sheets import Sheet
from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["effective_background"]


def effective_background(sheet: Sheet) -> Effective[Fill]:
    """The background of a slide, layout or master, under its own colour map.

    A reference to a background style of the theme has the source ``theme``; where nothing is
    stated the background is the theme's ``bg1``.
    """
    holder: Sheet | None = sheet
    while holder is not None:
        found = None if holder.root is None else _stated(holder.root, holder.kind, holder, sheet)
        if found is not None:
            return found
        holder = holder.parent
    return Effective(SolidFill(sheet.look.slot("bg1")), "default")


def _stated(root: Element, origin: Origin, holder: Sheet, shown: Sheet) -> Effective[Fill] | None:
    background = root.find(f"{qn('p:cSld')}/{qn('p:bg')}")
    if background is None:
        return None
    fill = fill_in(background.find(qn("p:bgPr")), shown.look, holder.source)
    if fill is not None:
        return Effective(fill, origin)
    reference = background.find(qn("p:bgRef"))
    if reference is None:
        return None
    index = parse_int(reference.get("idx")) or 0
    styled = fill_style(index, shown.look.color(reference), shown.look)
    return None if styled is None else Effective(styled, "theme")
