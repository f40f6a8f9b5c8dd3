"""The background a slide shows: its own, its layout's, or its master's."""

from decklab.deck.backgrounds import stated_background
from decklab.deck.styles.effective import Effective, Origin
from decklab.deck.styles.fills import Fill, SolidFill, fill_style, read_fill
from decklab.deck.styles.sheets import Sheet
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
    background = stated_background(root)
    if background is None:
        return None
    if background.fill is not None:
        fill = read_fill(background.fill, shown.look, holder.source)
        return None if fill is None else Effective(fill, origin)
    reference = background.reference
    if reference is None:
        return None
    index = parse_int(reference.get("idx")) or 0
    styled = fill_style(index, shown.look.color(reference), shown.look)
    return None if styled is None else Effective(styled, "theme")
