"""Effective fills: what paints an area, a line, a background or the glyphs of a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from decklab.deck.model.base import Effective
from decklab.deck.part import Source
from decklab.deck.pictures import Edges, cut_off, opacity_of, read_picture
from decklab.deck.styles.colors import BLACK, Color, mixed
from decklab.deck.styles.themes import MappedTheme, Stated, style_reference
from decklab.ooxml.units import degrees, share
from decklab.ooxml.xml import Element, local_name, qn

_NO_STYLE = (0, 1000)  # ST_StyleMatrixColumnIndex
_MIDDLE = 0.5
_PROPERTIES = ("}spPr", "}grpSpPr")
_FILLS = frozenset(qn(f"a:{name}") for name in (
    "noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class NoFill:
    """Nothing is painted."""

    kind: Literal["none"] = "none"


@dataclass(frozen=True, slots=True)
class SolidFill:
    """One colour."""

    color: Color
    kind: Literal["solid"] = "solid"


@dataclass(frozen=True, slots=True)
class GradientStop:
    """A colour of a gradient, at a position from 0 to 1."""

    position: float
    color: Color


@dataclass(frozen=True, slots=True)
class GradientFill:
    """Colours that run into each other."""

    stops: tuple[GradientStop, ...]
    """In order of position."""
    angle: float | None
    """Direction in degrees clockwise from left to right; None where it follows a path."""
    path: str | None
    """``circle``, ``rect`` or ``shape``; None where it is linear."""
    kind: Literal["gradient"] = "gradient"


@dataclass(frozen=True, slots=True)
class PatternFill:
    """A two-coloured pattern."""

    preset: str
    """Name of the pattern, such as ``pct50``."""
    foreground: Color
    background: Color
    kind: Literal["pattern"] = "pattern"


@dataclass(frozen=True, slots=True)
class BlipFill:
    """A picture, stretched or tiled."""

    part: str | None
    """Name of the image part; None where it is missing or linked from outside."""
    link: str | None
    """Target of a linked image, never followed."""
    tiled: bool
    alpha: float
    kind: Literal["picture"] = "picture"
    crop: Edges = (0.0, 0.0, 0.0, 0.0)


Fill = NoFill | SolidFill | GradientFill | PatternFill | BlipFill
"""``kind`` tells them apart."""

NO_FILL = NoFill()


def shape_properties(shape: Element) -> Element | None:
    """The ``spPr`` or ``grpSpPr`` of a shape element, of slides and of drawn diagrams."""
    for child in shape:
        if str(child.tag).endswith(_PROPERTIES):
            return child
    return None


def fill_of(holder: Element | None) -> Element | None:
    """The fill element that stands in shape, line or background properties."""
    return None if holder is None else next((c for c in holder if c.tag in _FILLS), None)


def fill_in(
    holder: Element | None,
    look: MappedTheme,
    source: Source | None,
    placeholder: Color | None = None,
) -> Fill | None:
    """The fill that stands in shape, line, run or background properties; None where none does.

    ``a:grpFill`` is no fill of its own: None as well.
    """
    element = fill_of(holder)
    return None if element is None else read_fill(element, look, source, placeholder)


def read_fill(
    element: Element, look: MappedTheme, source: Source | None, placeholder: Color | None = None
) -> Fill | None:
    """The fill an element such as ``a:solidFill`` is; None where its colour cannot be resolved.

    ``placeholder`` is the colour that ``phClr`` stands for in the theme's format scheme.
    """
    kind = local_name(str(element.tag))
    if kind == "noFill":
        return NO_FILL
    if kind == "solidFill":
        color = look.color(element, placeholder)
        return None if color is None else SolidFill(color)
    if kind == "gradFill":
        return _gradient(element, look, placeholder)
    if kind == "pattFill":
        foreground = look.color(element.find(qn("a:fgClr")), placeholder)
        background = look.color(element.find(qn("a:bgClr")), placeholder)
        return PatternFill(
            element.get("prst") or "pct5", foreground or BLACK, background or look.slot("bg1")
        )
    if kind == "blipFill" and source is not None:
        return _picture(element, source)
    return None


def main_color(fill: Fill) -> Color:
    """The one colour that stands for a fill: half way through a gradient, a pattern's foreground.

    Nothing painted is fully transparent black, and so is a picture, whose colour is not known.
    """
    if isinstance(fill, SolidFill):
        return fill.color
    if isinstance(fill, GradientFill):
        return _halfway(fill.stops)
    if isinstance(fill, PatternFill):
        return fill.foreground
    return Color(BLACK.hex, 0.0)


def _halfway(stops: Sequence[GradientStop]) -> Color:
    """The colour at position 0.5, between the stops on either side of it."""
    before = [stop for stop in stops if stop.position <= _MIDDLE]
    after = [stop for stop in stops if stop.position >= _MIDDLE]
    if not before or not after:
        return (before[-1] if before else after[0]).color
    first, second = before[-1], after[0]
    length = second.position - first.position
    share_of_second = (_MIDDLE - first.position) / length if length else 0.0
    return mixed(first.color, second.color, share_of_second)


def fill_style(index: int, color: Color | None, look: MappedTheme) -> Fill | None:
    """A fill of the theme's format scheme by its index; None where there is no such.

    Index 0 and 1000 are no fill; 1 and up the fill styles, 1001 and up the background fills.
    """
    if index in _NO_STYLE:
        return NO_FILL
    stated = look.theme.fill(index)
    return None if stated is None else read_fill(stated, look, look.theme.source, color)


def shape_fill(
    shapes: Sequence[Stated], look: MappedTheme, group: Effective[Fill] | None = None
) -> Effective[Fill]:
    """The fill of a shape: its own, that of the placeholders behind it, or its style's.

    ``shapes`` are the shape and what it inherits from, nearest first; ``group`` is the fill of
    the enclosing group, for ``a:grpFill``.
    """
    for item in shapes:
        element = fill_of(shape_properties(item.element))
        if element is None:
            continue
        if element.tag == qn("a:grpFill"):
            return Effective(NO_FILL if group is None else group.value, "group")
        fill = read_fill(element, look, item.source)
        if fill is not None:
            return Effective(fill, item.origin)
    reference = style_reference(shapes, "a:fillRef", look)
    styled = None if reference is None else fill_style(reference.index, reference.color, look)
    return Effective(NO_FILL, "default") if styled is None else Effective(styled, "theme")


def _gradient(element: Element, look: MappedTheme, placeholder: Color | None) -> Fill | None:
    stops = [
        GradientStop(min(max(share(stop.get("pos")) or 0.0, 0.0), 1.0), color)
        for stop in element.iterfind(f"{qn('a:gsLst')}/{qn('a:gs')}")
        if (color := look.color(stop, placeholder)) is not None
    ]
    if not stops:
        return None
    ordered = tuple(sorted(stops, key=lambda stop: stop.position))
    path = element.find(qn("a:path"))
    if path is not None:
        return GradientFill(ordered, None, path.get("path") or "rect")
    linear = element.find(qn("a:lin"))
    return GradientFill(ordered, 0.0 if linear is None else degrees(linear.get("ang")), None)


def _picture(element: Element, source: Source) -> Fill | None:
    picture = read_picture(element, source)
    if picture is None:
        return None
    return BlipFill(
        picture.part,
        picture.link,
        element.find(qn("a:tile")) is not None,
        opacity_of(element),
        crop=cut_off(element),
    )
