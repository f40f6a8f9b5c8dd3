"""Lines (outlines of shapes, connectors, borders of table cells) and effects."""

from collections.abc import Mapping, Sequence
from typing import Any

from decklab.deck.frames import rounded
from decklab.deck.model.base import Effective, Origin, effective_values, places_of, stated_values
from decklab.deck.model.paint import Border, Ending, Pen
from decklab.deck.part import Source
from decklab.deck.styles.colors import Color
from decklab.deck.styles.fills import NO_FILL, Fill, fill_in, shape_properties
from decklab.deck.styles.themes import MappedTheme, Stated, style_reference
from decklab.ooxml.units import EMU_PER_POINT, parse_emu
from decklab.ooxml.xml import Element, local_name, qn

_DEFAULT_WIDTH_PT = 0.75  # PowerPoint draws 9,525 EMU where no width is stated
_OF_BORDER = ("stroke", "strokeWidth")
_ENDS = ("head", "tail")
_JOINS = {qn("a:round"): "round", qn("a:bevel"): "bevel", qn("a:miter"): "miter"}


NO_LINE = Border()
"""The default line, if nothing states one."""

_DEFAULTS = effective_values(
    "default", stroke=NO_FILL, strokeWidth=_DEFAULT_WIDTH_PT, dash="solid", cap="flat",
    compound="sng", join="round", head=Ending(shape="none"), tail=Ending(shape="none"),
)  # fmt: skip


def shape_line(
    shapes: Sequence[Stated], look: MappedTheme, group: Effective[Fill] | None = None
) -> Border:
    """The line of a shape: its own, then that of the placeholders it inherits from, then its
    style's.

    ``shapes`` are the shape and what it inherits from, nearest first; ``group`` is the fill of
    the enclosing group, for ``a:grpFill``.
    """
    merged: dict[str, Effective[Any]] = {}
    reference = style_reference(shapes, "a:lnRef", look)
    if reference is not None and 0 < reference.index <= len(look.theme.lines):
        element = look.theme.lines[reference.index - 1]
        merged |= stated_line(element, "theme", look, look.theme.source, reference.color)
    for item in reversed(shapes):
        properties = shape_properties(item.element)
        line = None if properties is None else properties.find(qn("a:ln"))
        if line is not None:
            merged |= stated_line(line, item.origin, look, item.source)
            if group is not None and line.find(qn("a:grpFill")) is not None:
                merged["stroke"] = Effective(group.value, "group")
    return line_of(merged)


def line_of(*stated: Mapping[str, Effective[Any]]) -> Border:
    """A line from stated values, later ones over earlier ones, with defaults for the rest."""
    merged = dict(_DEFAULTS)
    for item in stated:
        merged |= item
    fill = merged["stroke"].value
    if fill.kind == "none":
        return NO_LINE
    values = {name: item.value for name, item in merged.items() if name not in _OF_BORDER}
    ends = {side: None if values[side].shape == "none" else values[side] for side in _ENDS}
    pen = Pen(paint=fill.paint, sources=places_of(merged), **values | ends)
    return Border(stroke=fill.hex, strokeWidth=rounded(merged["strokeWidth"].value), pen=pen)


def stated_line(
    line: Element,
    origin: Origin,
    look: MappedTheme,
    source: Source | None,
    placeholder: Color | None = None,
) -> dict[str, Effective[Any]]:
    """The values that an ``a:ln`` element states itself, by the names of the models' fields."""
    return stated_values(
        origin,
        stroke=fill_in(line, look, source, placeholder),
        strokeWidth=_width(line),
        dash=_dash(line),
        cap=line.get("cap"),
        compound=line.get("cmpd"),
        join=next((_JOINS[str(item.tag)] for item in line if item.tag in _JOINS), None),
        head=_end(line.find(qn("a:headEnd"))),
        tail=_end(line.find(qn("a:tailEnd"))),
    )


def _width(line: Element) -> float | None:
    width = parse_emu(line.get("w"))
    return None if width is None or width < 0 else width / EMU_PER_POINT


def _dash(line: Element) -> str | None:
    for item in line:
        name = local_name(str(item.tag))
        if name == "prstDash":
            return item.get("val") or "solid"
        if name == "custDash":
            return "custom"
    return None


def _end(element: Element | None) -> Ending | None:
    if element is None:
        return None
    return Ending(
        shape=element.get("type") or "none",
        width=element.get("w") or "med",
        length=element.get("len") or "med",
    )


def shape_effects(shapes: Sequence[Stated], look: MappedTheme) -> Effective[tuple[str, ...]]:
    """Names of the effects (``outerShdw``, ``glow``, ``reflection`` ...) of a shape, in order.

    ``shapes`` are the shape and what it inherits from, nearest first. An empty list of effects
    counts: it removes the inherited effects.
    """
    for item in shapes:
        names = _listed(shape_properties(item.element))
        if names is not None:
            return Effective(names, item.origin)
    reference = style_reference(shapes, "a:effectRef", look)
    if reference is not None and 0 < reference.index <= len(look.theme.effects):
        return Effective(_listed(look.theme.effects[reference.index - 1]) or (), "theme")
    return Effective((), "default")


def _listed(holder: Element | None) -> tuple[str, ...] | None:
    if holder is None:
        return None
    effects = holder.find(qn("a:effectLst"))
    if effects is None:
        effects = holder.find(qn("a:effectDag"))
    return None if effects is None else tuple(local_name(str(item.tag)) for item in effects)
