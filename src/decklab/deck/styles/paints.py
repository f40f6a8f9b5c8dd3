"""Effective fills and lines as models."""

from decklab.deck.frames import rounded
from decklab.deck.model.base import Effective, Sources
from decklab.deck.model.paint import (
    NO_PAINT,
    Border,
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
from decklab.deck.sheets import DeckReading
from decklab.deck.styles.fills import BlipFill as StyledPicture
from decklab.deck.styles.fills import Fill, GradientFill, PatternFill, SolidFill, main_color
from decklab.deck.styles.lines import LineEnd, LineStyle

PLAIN_PEN = Pen()
_NO_BORDER = Border()


def paint_of(fill: Fill, reading: DeckReading) -> Paint:
    """A fill as a model."""
    if isinstance(fill, SolidFill):
        color = fill.color
        return Solid(kind="solid", color=color.hex, alpha=color.alpha, slot=color.slot)
    if isinstance(fill, GradientFill):
        return Gradient(
            kind="gradient",
            stops=tuple(
                Stop(
                    position=stop.position,
                    color=stop.color.hex,
                    alpha=stop.color.alpha,
                    slot=stop.color.slot,
                )
                for stop in fill.stops
            ),
            angle=None if fill.angle is None else rounded(fill.angle),
            path=fill.path,
        )
    if isinstance(fill, PatternFill):
        return Pattern(
            kind="pattern",
            preset=fill.preset,
            foreground=fill.foreground.hex,
            ground=fill.background.hex,
        )
    if isinstance(fill, StyledPicture):
        return PictureFill(
            kind="picture",
            sha256=reading.sha256(fill.part),
            link=fill.link,
            tiled=fill.tiled,
            alpha=fill.alpha,
            crop=Crop(**dict(zip(Crop.model_fields, fill.crop, strict=True))),
        )
    return NO_PAINT


def color_of(fill: Fill) -> str | None:
    """The one colour that stands for a fill: None for no fill and for pictures."""
    return None if fill.kind in ("none", "picture") else main_color(fill).hex


def stroke_of(line: LineStyle) -> tuple[str | None, float]:
    """Colour and width in points of a line; None and 0 where it is not drawn."""
    color = color_of(line.fill.value)
    return color, 0.0 if line.fill.value.kind == "none" else rounded(line.width_pt.value)


def pen_of(line: LineStyle, reading: DeckReading) -> Pen:
    """How a line is drawn; the plain pen where it is not drawn at all."""
    if line.fill.value.kind == "none":
        return PLAIN_PEN
    return Pen(
        paint=paint_of(line.fill.value, reading),
        dash=line.dash.value,
        cap=line.cap.value,
        compound=line.compound.value,
        join=line.join.value,
        head=_ending(line.head.value),
        tail=_ending(line.tail.value),
        sources=_line_sources(line),
    )


def border_of(line: LineStyle, reading: DeckReading) -> Border:
    """One side of a table cell."""
    if line.fill.value.kind == "none":
        return _NO_BORDER
    stroke, width = stroke_of(line)
    return Border(stroke=stroke, strokeWidth=width, pen=pen_of(line, reading))


def _line_sources(line: LineStyle) -> Sources:
    values: dict[str, Effective[object]] = {
        "stroke": line.fill,
        "strokeWidth": line.width_pt,
        "dash": line.dash,
        "cap": line.cap,
        "compound": line.compound,
        "join": line.join,
        "head": line.head,
        "tail": line.tail,
    }
    return {name: item.source for name, item in values.items() if item.source != "default"}


def _ending(end: LineEnd) -> Ending | None:
    if end.shape == "none":
        return None
    return Ending(shape=end.shape, width=end.width, length=end.length)
