"""Fills and lines as DrawingML."""

from collections.abc import Callable

from decklab.deck.building.characters import quoted
from decklab.deck.model.paint import (
    Crop,
    Ending,
    Gradient,
    Paint,
    Pattern,
    Pen,
    PictureFill,
    Solid,
    Stop,
)
from decklab.ooxml.units import EMU_PER_POINT

Embed = Callable[[str | None], str | None]
"""From the hash of an image to the relationship id it has on the slide; None where its bytes are
not at hand."""

_UNIT = 100_000  # ST_Percentage counts thousandths of a percent
_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_JOINS = {"round": "<a:round/>", "bevel": "<a:bevel/>", "miter": '<a:miter lim="800000"/>'}
_NO_FILL = "<a:noFill/>"
_CUSTOM_DASH = '<a:custDash><a:ds d="400000" sp="300000"/></a:custDash>'


def color_xml(color: str, alpha: float = 1.0) -> str:
    """A colour element."""
    inner = "" if alpha >= 1 else f'<a:alpha val="{round(alpha * _UNIT)}"/>'
    return f'<a:srgbClr val="{color[1:]}">{inner}</a:srgbClr>'


def solid_xml(color: str | None, alpha: float = 1.0) -> str:
    """A fill of one colour; no fill for None."""
    return _NO_FILL if color is None else f"<a:solidFill>{color_xml(color, alpha)}</a:solidFill>"


def paint_xml(paint: Paint, embed: Embed) -> str:
    """A fill element; no fill for a picture whose bytes are not at hand."""
    if isinstance(paint, Solid):
        return solid_xml(paint.color, paint.alpha)
    if isinstance(paint, Gradient):
        return _gradient(paint)
    if isinstance(paint, Pattern):
        return (
            f"<a:pattFill prst={quoted(paint.preset)}>"
            f"<a:fgClr>{color_xml(paint.foreground)}</a:fgClr>"
            f"<a:bgClr>{color_xml(paint.ground)}</a:bgClr></a:pattFill>"
        )
    if isinstance(paint, PictureFill):
        return _picture(paint, embed)
    return _NO_FILL


def line_xml(stroke: str | None, width: float, pen: Pen, embed: Embed, tag: str = "a:ln") -> str:
    """A line element; a line without a stroke is stated as not drawn."""
    if stroke is None and pen.paint.kind == "none":
        return f"<{tag}>{_NO_FILL}</{tag}>"
    paint = solid_xml(stroke) if pen.paint.kind == "none" else paint_xml(pen.paint, embed)
    dash = f"<a:prstDash val={quoted(pen.dash)}/>" if pen.dash != "custom" else _CUSTOM_DASH
    return (
        f'<{tag} w="{round(width * EMU_PER_POINT)}" cap={quoted(pen.cap)} '
        f"cmpd={quoted(pen.compound)}>{paint}{dash}{_JOINS.get(pen.join, _JOINS['round'])}"
        f"{_ending('a:headEnd', pen.head)}{_ending('a:tailEnd', pen.tail)}</{tag}>"
    )


def crop_xml(crop: Crop) -> str:
    """What is cut off an image; empty for a whole one."""
    edges = (("l", crop.left), ("t", crop.top), ("r", crop.right), ("b", crop.bottom))
    cut = "".join(f' {name}="{round(value * _UNIT)}"' for name, value in edges if value)
    return f"<a:srcRect{cut}/>" if cut else ""


def _gradient(paint: Gradient) -> str:
    stops = "".join(_stop(stop) for stop in paint.stops)
    if paint.path is not None:
        way = (
            f"<a:path path={quoted(paint.path)}>"
            '<a:fillToRect l="50000" t="50000" r="50000" b="50000"/></a:path>'
        )
    else:
        way = f'<a:lin ang="{round((paint.angle or 0.0) * _ANGLE_UNIT)}" scaled="0"/>'
    return f'<a:gradFill rotWithShape="1"><a:gsLst>{stops}</a:gsLst>{way}</a:gradFill>'


def _stop(stop: Stop) -> str:
    return f'<a:gs pos="{round(stop.position * _UNIT)}">{color_xml(stop.color, stop.alpha)}</a:gs>'


def _picture(paint: PictureFill, embed: Embed) -> str:
    link = embed(paint.sha256)
    if link is None:
        return _NO_FILL
    faded = "" if paint.alpha >= 1 else f'<a:alphaModFix amt="{round(paint.alpha * _UNIT)}"/>'
    cut = crop_xml(paint.crop)
    way = "<a:tile/>" if paint.tiled else "<a:stretch><a:fillRect/></a:stretch>"
    return f'<a:blipFill><a:blip r:embed="{link}">{faded}</a:blip>{cut}{way}</a:blipFill>'


def _ending(tag: str, end: Ending | None) -> str:
    if end is None:
        return f'<{tag} type="none"/>'
    return f"<{tag} type={quoted(end.shape)} w={quoted(end.width)} len={quoted(end.length)}/>"
