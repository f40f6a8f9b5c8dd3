"""What all shapes have: names and marks, a place, a geometry, an outline."""

from collections.abc import Callable, Iterator
from typing import Any

from decklab.deck.chart_fields import chart_fields
from decklab.deck.diagrams import diagram_fields
from decklab.deck.fills import shape_properties
from decklab.deck.frames import ends_of, glue_of, read_frame
from decklab.deck.freeforms import adjustments_of, path_of
from decklab.deck.images import crop_of, opacity_of, picture_fields
from decklab.deck.links import click_of, hover_of
from decklab.deck.measures import flag
from decklab.deck.model.base import Origin
from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Element,
    Group,
    Image,
    Line,
    Media,
    Other,
    Placeholder,
    Rect,
    Table,
    Text,
)
from decklab.deck.part import children
from decklab.deck.pictures import blip_fill
from decklab.deck.styles.cells import table_fields
from decklab.deck.styles.paints import color_of, paint_of, pen_of, stroke_of
from decklab.deck.styles.texts import body_of, main_align, main_font, paragraphs_of
from decklab.deck.walking import Canvas, Found, named, shapes_of
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element as Xml
from decklab.ooxml.xml import local_name, qn

_CREATION_ID = "{http://schemas.microsoft.com/office/drawing/2014/main}creationId"
_DECORATIVE = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"
_STYLE = qn("p:style")
_REFERENCES = {"line": "a:lnRef", "fill": "a:fillRef", "effect": "a:effectRef",
               "font": "a:fontRef"}  # fmt: skip
_ROUND_CORNERS = {
    "roundRect": "adj", "round1Rect": "adj", "round2SameRect": "adj1", "round2DiagRect": "adj1",
}  # fmt: skip
_ROUND_SHARE = 16_667  # of the shorter side, in 100,000ths: what these presets take by default
_MOST_ROUND = 50_000


def common_fields(found: Found, canvas: Canvas, **stated: Origin) -> dict[str, Any]:
    """What every element carries, by the names of the model's fields.

    ``stated`` says where the values of further fields are stated.
    """
    outline, names = found.outline, named(found.element)
    fields: dict[str, Any] = {
        "id": outline.id,
        "name": outline.name,
        "z": outline.z,
        "alt_text": outline.alt_text,
        "hidden": outline.hidden,
        "rotation": round(outline.rotation, 3) % 360,
        "groups": outline.groups,
        "effects": found.styled.effects.value,
        "theme_style": _theme_style(found.element),
        "placed": found.frame is not None,
        "sources": {
            name: source
            for name, source in (stated | {"effects": found.styled.effects.source}).items()
            if source != "default"
        },
    }
    if found.frame is not None:
        fields |= {"flip_h": found.frame.flip_h, "flip_v": found.frame.flip_v}
    if outline.placeholder is not None:
        fields["placeholder"] = Placeholder(
            type=outline.placeholder, idx=outline.placeholder_idx or 0
        )
    if names is not None:
        fields["alt_title"] = names.get("title") or ""
        if len(names):
            fields |= _named_things(names, canvas)
    return fields


def _theme_style(shape: Xml) -> dict[str, str]:
    style = next((child for child in shape if child.tag == _STYLE), None)
    references = {} if style is None else {str(child.tag): child for child in style}
    return {
        name: " ".join([one.get("idx") or "", *map(_handed_over, one.iterdescendants("*"))])
        for name, tag in _REFERENCES.items()
        if (one := references.get(qn(tag))) is not None
    }


def _handed_over(color: Xml) -> str:
    """A colour, or what is done to it, by its attributes."""
    return " ".join([*color.attrib.values()] or [local_name(str(color.tag))])


def _named_things(names: Xml, canvas: Canvas) -> dict[str, Any]:
    mark = next(names.iter(_CREATION_ID), None)
    decorative = next(names.iter(_DECORATIVE), None)
    return {
        "creation_id": None if mark is None else mark.get("id"),
        "decorative": decorative is not None and flag(decorative.get("val") or "1") is True,
        "click": click_of(names, canvas),
        "hover": hover_of(names, canvas),
    }


def box_fields(found: Found, canvas: Canvas) -> dict[str, Any]:
    """Where a shape is, in px; all zero where nothing says."""
    frame = found.frame
    if frame is None:
        return {"x": 0.0, "y": 0.0, "w": 0.0, "h": 0.0}
    return {
        "x": canvas.across(frame.left),
        "y": canvas.down(frame.top),
        "w": max(canvas.across(frame.width), 0.0),
        "h": max(canvas.down(frame.height), 0.0),
    }


def stroke_fields(found: Found, canvas: Canvas) -> dict[str, Any]:
    """Stroke and pen of anything that has a line."""
    stroke, width = stroke_of(found.styled.line)
    pen = pen_of(found.styled.line, canvas.desk)
    return {"stroke": stroke, "strokeWidth": width, "pen": pen}


def geometry_fields(found: Found, canvas: Canvas) -> dict[str, Any]:
    """Preset name and adjustments, or the path of a freeform."""
    for item in found.behind:
        properties = shape_properties(item)
        preset = None if properties is None else properties.find(qn("a:prstGeom"))
        custom = None if properties is None else properties.find(qn("a:custGeom"))
        if preset is not None:
            name = preset.get("prst") or "rect"
            return {"geometry": name, "adjustments": adjustments_of(preset)}
        if custom is not None:
            path = None if found.frame is None else path_of(custom, found.frame)
            return {"geometry": "custom", "path": path}
    return {}


def corner_radius(geometry: dict[str, Any], found: Found, canvas: Canvas) -> float:
    """Corner radius across, in px; 0 for presets whose corners are not round."""
    guide = _ROUND_CORNERS.get(geometry.get("geometry", ""))
    if guide is None or found.frame is None:
        return 0.0
    share = min(max(geometry["adjustments"].get(guide, _ROUND_SHARE), 0), _MOST_ROUND)
    return canvas.across(min(found.frame.width, found.frame.height) * share / 100_000)


_CLASS = "{http://schemas.microsoft.com/office/2006/activeX}classid"


def controls_of(canvas: Canvas, first: int) -> Iterator[Other]:
    """The controls of a sheet, over all its shapes; ``first`` is their place in drawing order."""
    root = canvas.sheet.root
    holder = None if root is None else root.find(f"{qn('p:cSld')}/{qn('p:controls')}")
    if holder is None:
        return
    found = (child for child in children(holder) if child.tag == qn("p:control"))
    for z, control in enumerate(found, start=first):
        yield _control(control, z, canvas)


def _control(control: Xml, z: int, canvas: Canvas) -> Other:
    picture = control.find(qn("p:pic"))
    names = None if picture is None else next(picture.iter(qn("p:cNvPr")), None)
    part = canvas.source.linked_part(control)
    root = None if part is None else canvas.source.of(part).root()
    return Other(
        id=(None if names is None else parse_int(names.get("id"))) or 0,
        name=control.get("name") or "control",
        z=z,
        what="control",
        detail="" if root is None else root.get(_CLASS) or "",
        sha256=canvas.desk.sha256(part),
        **_place(picture, canvas),
    )


def _place(picture: Xml | None, canvas: Canvas) -> dict[str, Any]:
    """Where the picture that stands for a control is; older files say it in VML only."""
    properties = None if picture is None else shape_properties(picture)
    frame = None if properties is None else read_frame(properties.find(qn("a:xfrm")))
    if frame is None:
        return {"x": 0.0, "y": 0.0, "w": 0.0, "h": 0.0, "placed": False}
    return {
        "x": canvas.across(frame.left),
        "y": canvas.down(frame.top),
        "w": max(canvas.across(frame.width), 0.0),
        "h": max(canvas.down(frame.height), 0.0),
    }


_LINES = frozenset({"line", "lineInv", "straightConnector1"}) | {
    f"{kind}Connector{bends}" for kind in ("bent", "curved") for bends in range(2, 6)
}
"""Presets that are lines, whether the file calls them connectors or shapes."""


def elements_of(canvas: Canvas) -> Iterator[Element]:
    """The elements of a sheet in drawing order, a shape's area before its text; controls last."""
    above = 0
    for found in shapes_of(canvas):
        yield from _elements(found, canvas)
        above = found.outline.z + 1
    yield from controls_of(canvas, above)


def _elements(found: Found, canvas: Canvas) -> Iterator[Element]:
    kind = found.outline.kind
    if kind == "connector" or (kind == "shape" and found.outline.geometry in _LINES):
        yield _line(found, canvas)
        yield from _text(found, canvas, always=False)
    elif kind == "shape":
        painted = _is_painted(found)
        if painted or found.styled.text is None:
            yield _rect(found, canvas)
        yield from _text(found, canvas, always=not painted)
    elif kind in _READERS:
        yield _READERS[kind](found, canvas)
    else:
        yield _other(found, canvas)


def _is_painted(found: Found) -> bool:
    styled = found.styled
    return styled.fill.value.kind != "none" or styled.line.fill.value.kind != "none"


def _rect(found: Found, canvas: Canvas) -> Rect:
    fill = found.styled.fill
    geometry = geometry_fields(found, canvas)
    return Rect(
        **common_fields(found, canvas, fill=fill.source),
        **box_fields(found, canvas),
        **stroke_fields(found, canvas),
        **geometry,
        rx=corner_radius(geometry, found, canvas),
        fill=color_of(fill.value),
        paint=paint_of(fill.value, canvas.desk),
    )


def _text(found: Found, canvas: Canvas, *, always: bool) -> Iterator[Text]:
    """The text of a shape; an empty one only where nothing else stands for the shape."""
    styled = found.styled.text
    if styled is None or not (always or styled.text.strip()):
        return
    body = next((c for c in found.element if str(c.tag).endswith("}txBody")), None)
    paragraphs = paragraphs_of(styled, body, canvas)
    font, font_sources = main_font(paragraphs, styled, canvas)
    align, align_sources = main_align(paragraphs)
    yield Text(
        **common_fields(found, canvas, **font_sources, **align_sources),
        **box_fields(found, canvas),
        text=styled.text,
        font=font,
        align=align,
        paragraphs=paragraphs,
        body=body_of(styled.body),
    )


def _line(found: Found, canvas: Canvas) -> Line:
    geometry = {k: v for k, v in geometry_fields(found, canvas).items() if k != "path"}
    frame = found.frame
    ends = ((0.0, 0.0), (0.0, 0.0))
    if frame is not None:
        ends = ends_of(frame, rising=geometry.get("geometry") == "lineInv")
    start, start_site, end, end_site = glue_of(found.element)
    return Line(
        **common_fields(found, canvas),
        **stroke_fields(found, canvas),
        **geometry,
        x1=canvas.across(ends[0][0]),
        y1=canvas.down(ends[0][1]),
        x2=canvas.across(ends[1][0]),
        y2=canvas.down(ends[1][1]),
        start=start,
        start_site=start_site,
        end=end,
        end_site=end_site,
    )


def _image(found: Found, canvas: Canvas) -> Image:
    fill = blip_fill(found.element)
    return Image(
        **common_fields(found, canvas, paint=found.styled.fill.source),
        **box_fields(found, canvas),
        **stroke_fields(found, canvas),
        **geometry_fields(found, canvas),
        **picture_fields(found.outline.picture, canvas.desk),
        crop=crop_of(fill),
        alpha=opacity_of(fill),
        paint=paint_of(found.styled.fill.value, canvas.desk),
    )


def _table(found: Found, canvas: Canvas) -> Element:
    if found.styled.table is None:
        return _other(found, canvas)
    return Table(
        **common_fields(found, canvas),
        **box_fields(found, canvas),
        **table_fields(found, found.styled.table, canvas),
    )


def _chart(found: Found, canvas: Canvas) -> Element:
    if found.outline.chart is None:
        return _other(found, canvas)
    fields = chart_fields(found.outline.chart, canvas)
    return Chart(**common_fields(found, canvas), **box_fields(found, canvas), **fields)


def _diagram(found: Found, canvas: Canvas) -> Diagram:
    fields = diagram_fields(found, canvas)
    return Diagram(**common_fields(found, canvas), **box_fields(found, canvas), **fields)


def _media(found: Found, canvas: Canvas) -> Element:
    media = found.outline.media
    if media is None:
        return _other(found, canvas)
    content_type = None if media.part is None else canvas.desk.package.content_type(media.part)
    return Media(
        **common_fields(found, canvas),
        **box_fields(found, canvas),
        **picture_fields(found.outline.picture, canvas.desk),
        medium=media.kind,
        media_sha256=canvas.desk.sha256(media.part),
        media_type=content_type,
        media_link=media.link,
        crop=crop_of(blip_fill(found.element)),
    )


def _group(found: Found, canvas: Canvas) -> Group:
    return Group(**common_fields(found, canvas), **box_fields(found, canvas))


def _other(found: Found, canvas: Canvas) -> Other:
    graphic = found.graphic
    embedded = next(found.element.iter(qn("p:oleObj")), None)
    kind = local_name(str(found.element.tag))
    if graphic is not None:
        kind = (graphic.get("uri") or "").rpartition("/")[2] or "graphic"
    fields: dict[str, Any] = {"what": "ole" if embedded is not None else kind}
    if embedded is not None:
        fields["detail"] = embedded.get("progId") or ""
        fields["sha256"] = canvas.desk.sha256(canvas.source.linked_part(embedded))
        fields["link"] = canvas.source.linked_address(embedded)
    text = "\n".join(item.text for item in found.element.iter(qn("a:t")) if item.text)
    return Other(**common_fields(found, canvas), **box_fields(found, canvas), **fields, text=text)


_READERS: dict[str, Callable[[Found, Canvas], Element]] = {
    "picture": _image,
    "table": _table,
    "chart": _chart,
    "smartart": _diagram,
    "media": _media,
    "group": _group,
}
