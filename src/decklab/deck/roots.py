"""What the root of a slide, layout or master holds for all who read it."""

from collections.abc import Mapping

from decklab.deck.styles.colors import ColorScheme
from decklab.ooxml.xml import Element, qn


def shape_tree(root: Element) -> Element | None:
    """The ``p:spTree`` of a slide, layout or master."""
    return root.find(f"{qn('p:cSld')}/{qn('p:spTree')}")


def slide_colors(root: Element, inherited: ColorScheme) -> ColorScheme:
    """The colours of a slide or layout: its parent's, unless it maps them anew."""
    override = root.find(f"{qn('p:clrMapOvr')}/{qn('a:overrideClrMapping')}")
    return inherited if override is None else inherited.remapped(color_map(override))


def color_map(element: Element | None) -> Mapping[str, str]:
    """Names to theme slots, from a ``p:clrMap`` or ``a:overrideClrMapping``."""
    return {} if element is None else {str(k): str(v) for k, v in element.attrib.items()}


def stated_color_map(root: Element) -> dict[str, str]:
    """The colour map that a slide, layout or master states itself; empty where it has its
    parent's."""
    found = root.find(qn("p:clrMap"))
    if found is None:
        found = root.find(f"{qn('p:clrMapOvr')}/{qn('a:overrideClrMapping')}")
    return dict(color_map(found))
