"""Fills: what paints an area, a line, a background or the glyphs of a text.

Lines (outlines of shapes, connectors, borders of table cells) and effects.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from decklab.deck.frames import rounded
from decklab.deck.model.base import Effective, Origin, effective_values, places_of, stated_values
from decklab.deck.model.shapes import (
    NO_PAINT,
    Border,
    Ending,
    Gradient,
    Paint,
    Pattern,
    Pen,
    PictureFill,
    Solid,
    Stop,
)
from decklab.deck.part import Source, crop_of, opacity_of, read_picture
from decklab.deck.styles.themes import BLACK, Color, MappedTheme, Stated, mixed, style_reference
from decklab.ooxml.xml import EMU_PER_POINT, Element, degrees, local_name, parse_emu, qn, share

_NO_STYLE = (0, 1000)  # ST_StyleMatrixColumnIndex
_MIDDLE = 0.5
_PROPERTIES = ("}spPr", "}grpSpPr")
_FILLS = frozenset(qn(f"a:{name}") for name in (
    "noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fill:
    """Fill of an area, a line, a background or glyphs."""

    stated: Paint
    """As the file states it, without the hash of its image."""
    color: Color
    """Its one representative colour: half way through a gradient, a pattern's foreground. Fully
    transparent black if nothing is painted, and for a picture, whose colour is not known."""
    image: Source | None = None
    """The part of its image; None if that is missing or linked from outside."""

    @property
    def kind(self) -> Literal["none", "solid", "gradient", "pattern", "picture"]:
        """The kind of paint."""
        return self.stated.kind

    @property
    def paint(self) -> Paint:
        """The whole paint; its image is read only when this is requested."""
        if self.image is None:
            return self.stated
        return self.stated.model_copy(update={"sha256": self.image.sha256(self.image.part)})

    @property
    def hex(self) -> str | None:
        """``#RRGGBB`` of the one colour; None for no fill and for pictures."""
        return None if self.kind in ("none", "picture") else self.color.hex


NO_FILL = Fill(NO_PAINT, Color(BLACK.hex, 0.0))


def solid_fill(color: Color) -> Fill:
    """A fill of one colour."""
    return Fill(Solid(kind="solid", **_tint(color)), color)


def _tint(color: Color) -> dict[str, Any]:
    return {"color": color.hex, "alpha": color.alpha, "slot": color.slot}


def shape_properties(shape: Element) -> Element | None:
    """The ``spPr`` or ``grpSpPr`` of a shape element, of slides and of drawn diagrams; None if it
    has none."""
    return next((child for child in shape if str(child.tag).endswith(_PROPERTIES)), None)


def fill_of(holder: Element | None) -> Element | None:
    """The fill element in shape, line or background properties; None if they state no fill."""
    return None if holder is None else next((c for c in holder if c.tag in _FILLS), None)


def fill_in(
    item: Element | None, look: MappedTheme, source: Source | None, placeholder: Color | None = None
) -> Fill | None:
    """The fill in shape, line, run or background properties; None if they state none.

    ``a:grpFill`` is no fill of its own and gives None.
    """
    element = fill_of(item)
    return None if element is None else read_fill(element, look, source, placeholder)


def read_fill(
    element: Element, look: MappedTheme, source: Source | None, placeholder: Color | None = None
) -> Fill | None:
    """The fill of an element such as ``a:solidFill``; None if its colour cannot be resolved.

    ``placeholder`` is the colour that ``phClr`` stands for in the theme's format scheme.
    """
    if (kind := local_name(str(element.tag))) == "noFill":
        return NO_FILL
    if kind == "solidFill":
        color = look.color(element, placeholder)
        return None if color is None else solid_fill(color)
    if kind == "gradFill":
        return _gradient(element, look, placeholder)
    if kind == "pattFill":
        return _pattern(element, look, placeholder)
    if kind == "blipFill" and source is not None:
        return _picture(element, source)
    return None


def fill_style(index: int, color: Color | None, look: MappedTheme) -> Fill | None:
    """A fill of the theme's format scheme by its index; None if there is no such fill.

    Index 0 and 1000 are no fill; 1 and up the fill styles, 1001 and up the background fills.
    """
    if index in _NO_STYLE:
        return NO_FILL
    stated = look.theme.fill(index)
    return None if stated is None else read_fill(stated, look, look.theme.source, color)


def shape_fill(
    shapes: Sequence[Stated], look: MappedTheme, group: Effective[Fill] | None = None
) -> Effective[Fill]:
    """The fill of a shape: its own, that of the placeholders it inherits from, or its style's.

    ``shapes`` are the shape and what it inherits from, nearest first; ``group`` is the fill of
    the enclosing group, for ``a:grpFill``.
    """
    for item in shapes:
        if (element := fill_of(shape_properties(item.element))) is None:
            continue
        if element.tag == qn("a:grpFill"):
            return Effective(NO_FILL if group is None else group.value, "group")
        if (fill := read_fill(element, look, item.source)) is not None:
            return Effective(fill, item.origin)
    reference = style_reference(shapes, "a:fillRef", look)
    styled = None if reference is None else fill_style(reference.index, reference.color, look)
    return Effective(NO_FILL, "default") if styled is None else Effective(styled, "theme")


def _gradient(element: Element, look: MappedTheme, placeholder: Color | None) -> Fill | None:
    colors = [
        (min(max(share(stop.get("pos")) or 0.0, 0.0), 1.0), color)
        for stop in element.iterfind(f"{qn('a:gsLst')}/{qn('a:gs')}")
        if (color := look.color(stop, placeholder)) is not None
    ]
    if not colors:
        return None
    colors.sort(key=lambda item: item[0])
    path, linear = element.find(qn("a:path")), element.find(qn("a:lin"))
    angle = 0.0 if linear is None else degrees(linear.get("ang"))
    gradient = Gradient(
        kind="gradient",
        stops=tuple(Stop(position=position, **_tint(color)) for position, color in colors),
        angle=rounded(angle) if path is None else None,
        path=None if path is None else path.get("path") or "rect",
    )
    return Fill(gradient, _halfway(colors))


def _halfway(colors: Sequence[tuple[float, Color]]) -> Color:
    """The colour at position 0.5, between the stops on either side of it."""
    before = [item for item in colors if item[0] <= _MIDDLE]
    after = [item for item in colors if item[0] >= _MIDDLE]
    if not before or not after:
        return (before[-1] if before else after[0])[1]
    (start, first), (end, second) = before[-1], after[0]
    return mixed(first, second, (_MIDDLE - start) / (end - start) if end > start else 0.0)


def _pattern(element: Element, look: MappedTheme, placeholder: Color | None) -> Fill:
    color = look.color(element.find(qn("a:fgClr")), placeholder) or BLACK
    ground = look.color(element.find(qn("a:bgClr")), placeholder) or look.slot("bg1")
    preset = element.get("prst") or "pct5"
    pattern = Pattern(kind="pattern", preset=preset, foreground=color.hex, ground=ground.hex)
    return Fill(pattern, color)


def _picture(element: Element, source: Source) -> Fill | None:
    if (picture := read_picture(element, source)) is None:
        return None
    paint = PictureFill(
        kind="picture",
        link=picture.link,
        tiled=element.find(qn("a:tile")) is not None,
        alpha=opacity_of(element),
        crop=crop_of(element),
    )
    return Fill(paint, NO_FILL.color, None if picture.part is None else source.of(picture.part))


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
    if (fill := merged["stroke"].value).kind == "none":
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
        if (name := local_name(str(item.tag))) == "prstDash":
            return item.get("val") or "solid"
        if name == "custDash":
            return "custom"
    return None


def _end(element: Element | None) -> Ending | None:
    if element is None:
        return None
    shape, width = element.get("type") or "none", element.get("w") or "med"
    return Ending(shape=shape, width=width, length=element.get("len") or "med")


def shape_effects(shapes: Sequence[Stated], look: MappedTheme) -> Effective[tuple[str, ...]]:
    """Names of the effects (``outerShdw``, ``glow``, ``reflection`` ...) of a shape, in order.

    ``shapes`` are the shape and what it inherits from, nearest first. An empty list of effects
    counts: it removes the inherited effects.
    """
    for item in shapes:
        if (names := _listed(shape_properties(item.element))) is not None:
            return Effective(names, item.origin)
    reference = style_reference(shapes, "a:effectRef", look)
    if reference is not None and 0 < reference.index <= len(look.theme.effects):
        return Effective(_listed(look.theme.effects[reference.index - 1]) or (), "theme")
    return Effective((), "default")


def _listed(holder: Element | None) -> tuple[str, ...] | None:
    if holder is None:
        return None
    if (effects := holder.find(qn("a:effectLst"))) is None:
        effects = holder.find(qn("a:effectDag"))
    return None if effects is None else tuple(local_name(str(item.tag)) for item in effects)
