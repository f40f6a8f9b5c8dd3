"""Fills, borders and shadows of measured boxes as DrawingML."""

from itertools import pairwise
from math import atan2, degrees, hypot

from decklab.board.native.scale import Scale
from decklab.deck.model.shapes import NO_PAINT, Gradient, Paint, Solid, Stop
from decklab.editing.building.drawing import WHOLE, color_xml, paint_xml
from decklab.rendering.measured import (
    ColorStop,
    Edge,
    Fill,
    LinearFill,
    RadialFill,
    Rgba,
    Shadow,
    SolidFill,
)

_NEARLY = 12
"""Ours: levels by which nobody sees a colour differ."""
_DASHES = {"dashed": "dash", "dotted": "sysDot"}


def hex_of(color: Rgba) -> str:
    """A colour as ``#RRGGBB``.

    >>> hex_of((255, 0, 16, 0.5))
    '#FF0010'
    """
    return "#{:02X}{:02X}{:02X}".format(*color[:3])


def paint_of(fill: Fill | None) -> Paint:
    """A fill as a paint of elements."""
    if fill is None:
        return NO_PAINT
    if isinstance(fill, SolidFill):
        return Solid(kind="solid", color=hex_of(fill.color), alpha=fill.color[3])
    if isinstance(fill, LinearFill):
        stops = tuple(map(_stop, _inside(fill.stops)))
        return Gradient(kind="gradient", stops=stops, angle=(fill.angle - 90) % 360)
    return Gradient(kind="gradient", stops=tuple(map(_stop, _inside(fill.stops))), path="circle")


def two_stops(fill: Fill) -> list[Fill]:
    """A linear gradient of three opaque stops as two of two, the second over the first.

    LibreOffice 7.4 draws no gradient of more; one whose middle is nearly on the way stays.
    """
    if not isinstance(fill, LinearFill) or len(fill.stops) != 3:
        return [fill]
    first, middle, last = fill.stops
    if any(stop.color[3] < 1 for stop in fill.stops) or not 0 < middle.at < 1:
        return [fill]
    way = _between([first, last], middle.at)
    if max(abs(a - b) for a, b in zip(way[:3], middle.color[:3], strict=True)) <= _NEARLY:
        return [fill.model_copy(update={"stops": (first, last)})]
    clear: Rgba = (*last.color[:3], 0.0)
    lower = (first, middle, ColorStop(at=1.0, color=middle.color))
    upper = (ColorStop(at=0.0, color=clear), ColorStop(at=middle.at, color=clear), last)
    return [fill.model_copy(update={"stops": stops}) for stops in (lower, upper)]


def _stop(stop: ColorStop) -> Stop:
    return Stop(color=hex_of(stop.color), alpha=stop.color[3], position=stop.at)


def _inside(stops: tuple[ColorStop, ...]) -> list[ColorStop]:
    """Stops between 0 and 1 that look the same: colours beyond are cut at the ends.

    What is clear takes the colour of its neighbour, as CSS mixes colours with their opacity.
    """
    shown = [_colored(stops, at) for at in range(len(stops))]
    ends = []
    if shown[0].at > 0:
        ends.append(ColorStop(at=0.0, color=shown[0].color))
    ends += [stop for stop in shown if 0 <= stop.at <= 1]
    if shown[0].at < 0:
        ends.insert(0, ColorStop(at=0.0, color=_between(shown, 0.0)))
    if shown[-1].at > 1:
        ends.append(ColorStop(at=1.0, color=_between(shown, 1.0)))
    elif shown[-1].at < 1:
        ends.append(ColorStop(at=1.0, color=shown[-1].color))
    return ends


def _colored(stops: tuple[ColorStop, ...], at: int) -> ColorStop:
    stop = stops[at]
    if stop.color[3] > 0:
        return stop
    near = [other for other in (*stops[at - 1 : at], *stops[at + 1 : at + 2]) if other.color[3] > 0]
    return ColorStop(at=stop.at, color=(*near[0].color[:3], 0.0)) if near else stop


def _between(stops: list[ColorStop], at: float) -> Rgba:
    for first, second in pairwise(stops):
        if first.at <= at <= second.at:
            share = (at - first.at) / (second.at - first.at) if second.at > first.at else 0.0
            red, green, blue, alpha = (
                a + (b - a) * share for a, b in zip(first.color, second.color, strict=True)
            )
            return round(red), round(green), round(blue), alpha
    return stops[-1].color


def fill_xml(fill: Fill | None) -> str:
    """A fill element; no fill for None."""
    xml = paint_xml(paint_of(fill), lambda _digest: None)
    if isinstance(fill, RadialFill):
        x, y = round(fill.x * WHOLE), round(fill.y * WHOLE)
        middle = f'<a:fillToRect l="{x}" t="{y}" r="{WHOLE - x}" b="{WHOLE - y}"/>'
        xml = xml.replace('<a:fillToRect l="50000" t="50000" r="50000" b="50000"/>', middle)
    return xml


def line_xml(fill: Fill | None, width_emu: int, style: str = "solid", more: str = "") -> str:
    """A line element; one without colour is stated as not drawn."""
    if fill is None or width_emu <= 0:
        return "<a:ln><a:noFill/></a:ln>"
    dash = f'<a:prstDash val="{_DASHES[style]}"/>' if style in _DASHES else ""
    compound = ' cmpd="dbl"' if style == "double" else ""
    return f'<a:ln w="{width_emu}"{compound}>{fill_xml(fill)}{dash}{more}</a:ln>'


def edge_fill(edge: Edge) -> Fill | None:
    """The colour of a border; None if it is not drawn."""
    if edge.width <= 0 or edge.color[3] <= 0:
        return None
    return SolidFill(kind="solid", color=edge.color)


def shadow_xml(shadow: Shadow | None, scale: Scale, width: float, height: float) -> str:
    """The effects of a shape: its shadow, or none at all."""
    if shadow is None:
        return "<a:effectLst/>"
    direction = round(degrees(atan2(shadow.y, shadow.x)) % 360 * 60_000)
    sizes = ""
    if shadow.spread and width > 0 and height > 0:
        across = round((1 + 2 * shadow.spread / width) * WHOLE)
        down = round((1 + 2 * shadow.spread / height) * WHOLE)
        sizes = f' sx="{max(across, 1)}" sy="{max(down, 1)}"'
    return (
        f'<a:effectLst><a:outerShdw blurRad="{scale.emu(shadow.blur)}" '
        f'dist="{scale.emu(hypot(shadow.x, shadow.y))}" dir="{direction}"{sizes} algn="ctr" '
        f'rotWithShape="0">{color_xml(hex_of(shadow.color), shadow.color[3])}</a:outerShdw>'
        "</a:effectLst>"
    )
