"""Backgrounds: the one that a slide, layout or master states, and the effective one."""

from dataclasses import dataclass

from decklab.deck.model.base import Effective, Origin
from decklab.deck.sheets import Sheet
from decklab.deck.styles.fills import NO_FILL, Fill, fill_of, fill_style, read_fill, solid_fill
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn


@dataclass(frozen=True)
class StatedBackground:
    """The background that a part's root states."""

    fill: Element | None
    """A fill of its own."""
    reference: Element | None
    """The reference to a fill of the theme (``p:bgRef``), if it has no fill of its own."""


def stated_background(root: Element) -> StatedBackground | None:
    """The background in a part's root; None if it states none and shows its parent's."""
    holder = root.find(f"{qn('p:cSld')}/{qn('p:bg')}")
    if holder is None:
        return None
    fill = fill_of(holder.find(qn("p:bgPr")))
    return StatedBackground(fill, None if fill is not None else holder.find(qn("p:bgRef")))


def effective_background(sheet: Sheet) -> Effective[Fill]:
    """The background of a slide, layout or master, under its own colour map.

    A reference to a background style of the theme has the source ``theme``; if nothing is
    stated the background is the theme's ``bg1``. A slide that states to paint nothing
    (``a:noFill``, or a reference to style 0 or 1000) shows what its layout shows; a layout or
    master that states so shows the bare page, ``NO_FILL``. ISO/IEC 29500 leaves this open; it is
    what LibreOffice draws.
    """
    holder: Sheet | None = sheet
    while holder is not None:
        stated = None if holder.root is None else _stated(holder.root, holder.kind, holder, sheet)
        skipped = holder.kind == "slide" and stated is not None and stated.value == NO_FILL
        if stated is not None and not skipped:
            return stated
        holder = holder.parent
    return Effective(solid_fill(sheet.look.slot("bg1")), "default")


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
