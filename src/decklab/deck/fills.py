"""What a shape paints: its area, its outline, and the colour it gives itself."""

from collections.abc import Sequence

from decklab.deck.styles.colors import ColorScheme, stated_color
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn

_FILLS = {qn(f"a:{name}"): name for name in (
    "noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill",
)}  # fmt: skip
_PROPERTIES = (qn("p:spPr"), qn("p:grpSpPr"))


def shape_properties(shape: Element) -> Element | None:
    """The ``p:spPr`` or ``p:grpSpPr`` of a shape element."""
    return next((child for child in shape if child.tag in _PROPERTIES), None)


def fill_of(holder: Element | None) -> Element | None:
    """The fill element that stands in shape, line or background properties."""
    if holder is None:
        return None
    return next((child for child in holder if child.tag in _FILLS), None)


def is_filled(shape: Element, inherited: Sequence[Element], group_filled: bool) -> bool:
    """Whether a shape paints its area: by its own fill, a placeholder's behind it, or its style.

    ``group_filled`` says what ``a:grpFill`` stands for.
    """
    if shape.get("useBgFill") in ("1", "true"):
        return True
    for item in (shape, *inherited):
        fill = fill_of(shape_properties(item))
        if fill is not None:
            kind = _FILLS[str(fill.tag)]
            return group_filled if kind == "grpFill" else kind != "noFill"
    return _style_index(shape, "a:fillRef") > 0


def is_outlined(shape: Element, inherited: Sequence[Element]) -> bool:
    """Whether a shape draws its outline: by its own line, a placeholder's, or its style."""
    for item in (shape, *inherited):
        properties = shape_properties(item)
        line = None if properties is None else properties.find(qn("a:ln"))
        fill = fill_of(line)
        if fill is not None:
            return _FILLS[str(fill.tag)] != "noFill"
    return _style_index(shape, "a:lnRef") > 0


def own_color(shape: Element, scheme: ColorScheme) -> str | None:
    """``#RRGGBB`` of a solid fill that the shape states itself."""
    fill = fill_of(shape_properties(shape))
    if fill is None or _FILLS[str(fill.tag)] != "solidFill":
        return None
    return stated_color(fill, scheme)


def _style_index(shape: Element, reference: str) -> int:
    """Index into the theme's style matrix; 0 paints nothing."""
    item = shape.find(f"{qn('p:style')}/{qn(reference)}")
    return 0 if item is None else parse_int(item.get("idx")) or 0
