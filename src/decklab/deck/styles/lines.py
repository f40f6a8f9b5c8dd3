"""Effective lines (outlines of shapes, connectors, borders of table cells) and effects."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from decklab.deck.model.base import Effective, Origin
from decklab.deck.part import Source
from decklab.deck.styles.colors import Color
from decklab.deck.styles.fills import NO_FILL, Fill, fill_in, shape_properties
from decklab.deck.styles.themes import MappedTheme, Stated, style_reference
from decklab.ooxml.units import EMU_PER_POINT, parse_emu
from decklab.ooxml.xml import Element, local_name, qn

_DEFAULT_WIDTH_PT = 0.75  # PowerPoint draws 9,525 EMU where no width is stated
_JOINS = {qn("a:round"): "round", qn("a:bevel"): "bevel", qn("a:miter"): "miter"}


@dataclass(frozen=True, slots=True)
class LineEnd:
    """What a line ends in."""

    shape: str
    """``none``, ``triangle``, ``stealth``, ``diamond``, ``oval`` or ``arrow``."""
    width: str = "med"
    length: str = "med"


NO_END = LineEnd("none")


@dataclass(frozen=True, slots=True)
class LineStyle:
    """A line; one that is not drawn has no fill."""

    fill: Effective[Fill]
    width_pt: Effective[float]
    dash: Effective[str]
    """Preset name such as ``solid``, ``dash`` or ``sysDot``; ``custom`` for a stated pattern."""
    cap: Effective[str]
    """``flat``, ``rnd`` or ``sq``."""
    compound: Effective[str]
    """``sng``, ``dbl``, ``thickThin``, ``thinThick`` or ``tri``."""
    join: Effective[str]
    """``round``, ``bevel`` or ``miter``."""
    head: Effective[LineEnd]
    """Where the line begins."""
    tail: Effective[LineEnd]
    """Where it ends."""


_DEFAULTS: dict[str, Effective[Any]] = {
    "fill": Effective(NO_FILL, "default"),
    "width_pt": Effective(_DEFAULT_WIDTH_PT, "default"),
    "dash": Effective("solid", "default"),
    "cap": Effective("flat", "default"),
    "compound": Effective("sng", "default"),
    "join": Effective("round", "default"),
    "head": Effective(NO_END, "default"),
    "tail": Effective(NO_END, "default"),
}

NO_LINE = LineStyle(**_DEFAULTS)
"""What is drawn where nothing states a line."""


def shape_line(
    shapes: Sequence[Stated], look: MappedTheme, group: Effective[Fill] | None = None
) -> LineStyle:
    """The line of a shape: its own, then of the placeholders behind it, then its style's.

    ``shapes`` are the shape and what it inherits from, nearest first.
    """
    merged = dict(_DEFAULTS)
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
                merged["fill"] = Effective(group.value, "group")
    return LineStyle(**merged)


def line_of(*stated: dict[str, Effective[Any]]) -> LineStyle:
    """A line of what was stated, the last over the others, with defaults for the rest."""
    merged = dict(_DEFAULTS)
    for item in stated:
        merged |= item
    return LineStyle(**merged)


def stated_line(
    line: Element,
    origin: Origin,
    look: MappedTheme,
    source: Source | None,
    placeholder: Color | None = None,
) -> dict[str, Effective[Any]]:
    """What an ``a:ln`` element states itself, by the names of LineStyle's fields."""
    found: dict[str, Any] = {
        "fill": fill_in(line, look, source, placeholder),
        "width_pt": _width(line),
        "dash": _dash(line),
        "cap": line.get("cap"),
        "compound": line.get("cmpd"),
        "join": next((_JOINS[str(item.tag)] for item in line if item.tag in _JOINS), None),
        "head": _end(line.find(qn("a:headEnd"))),
        "tail": _end(line.find(qn("a:tailEnd"))),
    }
    return {name: Effective(value, origin) for name, value in found.items() if value is not None}


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


def _end(element: Element | None) -> LineEnd | None:
    if element is None:
        return None
    return LineEnd(
        element.get("type") or "none", element.get("w") or "med", element.get("len") or "med"
    )


def shape_effects(shapes: Sequence[Stated], look: MappedTheme) -> Effective[tuple[str, ...]]:
    """Names of the effects (``outerShdw``, ``glow``, ``reflection`` ...) of a shape, in order.

    ``shapes`` are the shape and what it inherits from, nearest first. An empty list of effects
    counts: it takes away what would be inherited.
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
