"""Shapes as elements: the fields of all kinds, and the fields of each kind. And inherited styles,
as stated: text styles by level, formats of themes, table styles.

Stated values are plain JSON by name: values of text are named as in a comparison of texts
(``font.size``, ``paragraph.margin_left``), values of formats by their path in the XML. Typefaces of
the theme keep their reference (``+mj-lt``), paints the slot of the theme's colour.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from decklab.deck.frames import (
    Frame,
    adjustments_of,
    ends_of,
    glue_of,
    path_of,
    read_frame,
    rounded,
)
from decklab.deck.graphic_frames import chart_fields, diagram_fields
from decklab.deck.model.base import Origin, Statements
from decklab.deck.model.shapes import (
    Bullet,
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
from decklab.deck.part import Source, blip_fill, children, crop_of, opacity_of
from decklab.deck.shapes import ShapeNode
from decklab.deck.sheets import DeckReading, Sheet
from decklab.deck.styles.characters import spacing_of, stated_paragraph, stated_run
from decklab.deck.styles.fills import Fill, shape_properties
from decklab.deck.styles.table_styles import TableStyle
from decklab.deck.styles.text import click_of, hover_of, main_align, main_font
from decklab.deck.styles.themes import MappedTheme, Theme
from decklab.ooxml.xml import Element as Xml
from decklab.ooxml.xml import flag, local_name, qn, shape_id

_CREATION_ID = "{http://schemas.microsoft.com/office/drawing/2014/main}creationId"
_DECORATIVE = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"
_STYLE = qn("p:style")
_REFERENCES = {"line": "a:lnRef", "fill": "a:fillRef", "effect": "a:effectRef", "font": "a:fontRef"}
_ROUND_CORNERS = {
    "roundRect": "adj", "round1Rect": "adj", "round2SameRect": "adj1", "round2DiagRect": "adj1",
}  # fmt: skip
_ROUND_SHARE = 16_667  # of the shorter side, in 100,000ths: what these presets take by default
_MOST_ROUND = 50_000


def common_fields(node: ShapeNode, **stated: Origin) -> dict[str, Any]:
    """The fields that every element has, by the names of the model's fields.

    ``stated`` says where the values of further fields are stated.
    """
    names = node.names
    fields: dict[str, Any] = {
        "id": node.id,
        "name": node.name,
        "z": node.z,
        "alt_text": node.alt_text,
        "hidden": node.hidden,
        "rotation": round((0.0 if node.frame is None else node.frame.rotation), 3) % 360,
        "groups": node.groups,
        "effects": node.effects.value,
        "theme_style": _theme_style(node.element),
        "placed": node.frame is not None,
        "sources": {
            name: source
            for name, source in (stated | {"effects": node.effects.source}).items()
            if source != "default"
        },
    }
    if node.frame is not None:
        fields |= {"flip_h": node.frame.flip_h, "flip_v": node.frame.flip_v}
    if node.placeholder is not None:
        fields["placeholder"] = Placeholder(type=node.placeholder.type, idx=node.placeholder.idx)
    if names is not None:
        fields["alt_title"] = names.get("title") or ""
        if len(names):
            fields |= _named_things(names, node.sheet)
    return fields


def _theme_style(shape: Xml) -> dict[str, str]:
    style = next((child for child in shape if child.tag == _STYLE), None)
    references = {} if style is None else {str(child.tag): child for child in style}
    theme_style = {}
    for name, tag in _REFERENCES.items():
        if (reference := references.get(qn(tag))) is not None:
            colors = map(_spelled_color, reference.iterdescendants("*"))
            theme_style[name] = " ".join([reference.get("idx") or "", *colors])
    return theme_style


def _spelled_color(color: Xml) -> str:
    """A colour, or a change of it, by its attributes."""
    return " ".join([*color.attrib.values()] or [local_name(str(color.tag))])


def _named_things(names: Xml, sheet: Sheet) -> dict[str, Any]:
    mark = next(names.iter(_CREATION_ID), None)
    decorative = next(names.iter(_DECORATIVE), None)
    return {
        "creation_id": None if mark is None else mark.get("id"),
        "decorative": decorative is not None and flag(decorative.get("val") or "1") is True,
        "click": click_of(names, sheet),
        "hover": hover_of(names, sheet),
    }


def box_fields(node: ShapeNode) -> dict[str, Any]:
    """Where a shape is, in px; all zero if nothing states it."""
    return _box(node.frame, node.reading)


def _box(frame: Frame | None, reading: DeckReading) -> dict[str, Any]:
    if frame is None:
        return {"x": 0.0, "y": 0.0, "w": 0.0, "h": 0.0}
    corner = {"x": reading.across(frame.left), "y": reading.down(frame.top)}
    width, height = reading.across(frame.width), reading.down(frame.height)
    return {**corner, "w": max(width, 0.0), "h": max(height, 0.0)}


def stroke_fields(node: ShapeNode) -> dict[str, Any]:
    """Stroke and pen of an element that has a line."""
    line = node.line
    return {"stroke": line.stroke, "strokeWidth": line.strokeWidth, "pen": line.pen}


def geometry_fields(node: ShapeNode) -> dict[str, Any]:
    """Preset name and adjustments, or the path of a freeform."""
    if (stated := node.geometry) is None:
        return {}
    if stated.tag == qn("a:prstGeom"):
        return {"geometry": stated.get("prst") or "rect", "adjustments": adjustments_of(stated)}
    path = None if node.frame is None else path_of(stated, node.frame)
    return {"geometry": "custom", "path": path}


def corner_radius(geometry: dict[str, Any], node: ShapeNode) -> float:
    """Horizontal corner radius in px; 0 for presets whose corners are not round."""
    if (guide := _ROUND_CORNERS.get(geometry.get("geometry", ""))) is None or node.frame is None:
        return 0.0
    share = min(max(geometry["adjustments"].get(guide, _ROUND_SHARE), 0), _MOST_ROUND)
    return node.reading.across(min(node.frame.width, node.frame.height) * share / 100_000)


_CLASS = "{http://schemas.microsoft.com/office/2006/activeX}classid"


def controls_of(sheet: Sheet, first: int) -> Iterator[Other]:
    """The controls of a sheet, over all its shapes; ``first`` is their place in drawing order."""
    root = sheet.root
    holder = None if root is None else root.find(f"{qn('p:cSld')}/{qn('p:controls')}")
    if holder is None:
        return
    items = (child for child in children(holder) if child.tag == qn("p:control"))
    yield from (_control(control, z, sheet) for z, control in enumerate(items, start=first))


def _control(control: Xml, z: int, sheet: Sheet) -> Other:
    picture = control.find(qn("p:pic"))
    part = sheet.source.linked_part(control)
    root = None if part is None else sheet.source.of(part).root()
    return Other(
        id=0 if picture is None else shape_id(picture),
        name=control.get("name") or "control",
        z=z,
        what="control",
        detail="" if root is None else root.get(_CLASS) or "",
        sha256=sheet.source.sha256(part),
        **_place(picture, sheet),
    )


def _place(picture: Xml | None, sheet: Sheet) -> dict[str, Any]:
    """The place of a control's picture; older files state it in VML only."""
    properties = None if picture is None else shape_properties(picture)
    frame = None if properties is None else read_frame(properties.find(qn("a:xfrm")))
    return _box(frame, sheet.reading) | ({"placed": False} if frame is None else {})


_LINES = frozenset({"line", "lineInv", "straightConnector1"}) | {
    f"{kind}Connector{bends}" for kind in ("bent", "curved") for bends in range(2, 6)
}
"""Presets that are lines, whether the file calls them connectors or shapes."""


def elements_of(sheet: Sheet, shapes: Iterable[ShapeNode]) -> Iterator[Element]:
    """The elements of a sheet in drawing order, a shape's area before its text; controls last.

    ``shapes`` are those of the sheet.
    """
    top = 0
    for node in shapes:
        for shape in (node, *node.drawn_shapes):
            _ = shape.fill, shape.line, shape.effects, shape.text, shape.table
        yield from _elements(node)
        top = node.z + 1
    yield from controls_of(sheet, top)


def _elements(node: ShapeNode) -> Iterator[Element]:
    if node.kind == "connector" or (node.kind == "shape" and _is_line(node)):
        yield _line(node)
        yield from _text(node, always=False)
    elif node.kind == "shape":
        painted = node.fill.value.kind != "none" or node.line.pen.paint.kind != "none"
        if painted or node.text is None:
            yield _rect(node)
        yield from _text(node, always=not painted)
    elif node.kind in _READERS:
        yield _READERS[node.kind](node)
    else:
        yield _other(node)


def _is_line(node: ShapeNode) -> bool:
    return node.geometry is not None and node.geometry.get("prst") in _LINES


def _rect(node: ShapeNode) -> Rect:
    fill, geometry = node.fill, geometry_fields(node)
    fields = common_fields(node, fill=fill.source) | box_fields(node) | stroke_fields(node)
    rx, color, paint = corner_radius(geometry, node), fill.value.hex, fill.value.paint
    return Rect(**fields, **geometry, rx=rx, fill=color, paint=paint)


def _text(node: ShapeNode, *, always: bool) -> Iterator[Text]:
    """The text of a shape; an empty text only if the shape has no other element."""
    if (styled := node.text) is None or not (always or styled.text.strip()):
        return
    font, font_sources = main_font(styled, node.sheet.look)
    align, align_sources = main_align(styled.paragraphs)
    yield Text(
        **common_fields(node, **font_sources, **align_sources),
        **box_fields(node),
        text=styled.text,
        font=font,
        align=align,
        paragraphs=styled.paragraphs,
        body=styled.body,
    )


def _line(node: ShapeNode) -> Line:
    geometry = {k: v for k, v in geometry_fields(node).items() if k != "path"}
    frame = node.frame
    ends = ((0.0, 0.0), (0.0, 0.0))
    if frame is not None:
        ends = ends_of(frame, rising=geometry.get("geometry") == "lineInv")
    start, start_site, end, end_site = glue_of(node.element)
    (x1, y1), (x2, y2) = ((node.reading.across(x), node.reading.down(y)) for x, y in ends)
    ties = {"start": start, "start_site": start_site, "end": end, "end_site": end_site}
    fields = common_fields(node) | stroke_fields(node) | geometry | ties
    return Line(**fields, x1=x1, y1=y1, x2=x2, y2=y2)


def _image(node: ShapeNode) -> Image:
    fill = blip_fill(node.element)
    fields = common_fields(node, paint=node.fill.source) | box_fields(node) | stroke_fields(node)
    fields |= geometry_fields(node) | _picture_fields(node)
    crop, alpha = crop_of(fill), opacity_of(fill)
    return Image(**fields, crop=crop, alpha=alpha, paint=node.fill.value.paint)


def _picture_fields(node: ShapeNode) -> dict[str, Any]:
    if (picture := node.picture) is None:
        return {}
    return {
        "sha256": node.source.sha256(picture.part),
        "content_type": picture.content_type,
        "pixels": picture.pixels or (),
        "link": picture.link,
    }


def _table(node: ShapeNode) -> Element:
    if node.table is None:
        return _other(node)
    return Table(**common_fields(node), **box_fields(node), **node.table)


def _chart(node: ShapeNode) -> Element:
    if node.chart is None:
        return _other(node)
    fields = chart_fields(node.chart, node.sheet)
    return Chart(**common_fields(node), **box_fields(node), **fields)


def _diagram(node: ShapeNode) -> Diagram:
    drawn = (shape.text for shape in node.drawn_shapes)
    texts = (text.text for text in drawn if text is not None and text.text.strip())
    fields = diagram_fields(node.graphic, node.diagram_data, node.source, texts)
    return Diagram(**common_fields(node), **box_fields(node), **fields)


def _media(node: ShapeNode) -> Element:
    if (media := node.media) is None:
        return _other(node)
    content_type = None if media.part is None else node.reading.package.content_type(media.part)
    return Media(
        **common_fields(node),
        **box_fields(node),
        **_picture_fields(node),
        medium=media.kind,
        media_sha256=node.source.sha256(media.part),
        media_type=content_type,
        media_link=media.link,
        crop=crop_of(blip_fill(node.element)),
    )


def _group(node: ShapeNode) -> Group:
    return Group(**common_fields(node), **box_fields(node))


def _other(node: ShapeNode) -> Other:
    graphic = node.graphic
    embedded = next(node.element.iter(qn("p:oleObj")), None)
    kind = local_name(str(node.element.tag))
    if graphic is not None:
        kind = (graphic.get("uri") or "").rpartition("/")[2] or "graphic"
    fields: dict[str, Any] = {"what": "ole" if embedded is not None else kind}
    if embedded is not None:
        fields["detail"] = embedded.get("progId") or ""
        fields["sha256"] = node.source.sha256(node.source.linked_part(embedded))
        fields["link"] = node.source.linked_address(embedded)
    text = "\n".join(item.text for item in node.element.iter(qn("a:t")) if item.text)
    return Other(**common_fields(node), **box_fields(node), **fields, text=text)


_READERS: dict[str, Callable[[ShapeNode], Element]] = {
    "picture": _image,
    "table": _table,
    "chart": _chart,
    "smartart": _diagram,
    "media": _media,
    "group": _group,
}

_MASTER_STYLES = {"title style": "p:titleStyle", "body style": "p:bodyStyle",
                  "other style": "p:otherStyle"}  # fmt: skip
_LEVELS = 9
_FORMATS = {"fill style": "fills", "line style": "lines", "effect style": "effects",
            "background style": "backgrounds"}  # fmt: skip
_TABLE_PARTS = {
    "tblBg": "background", "wholeTbl": "whole table", "band1H": "odd rows", "band2H": "even rows",
    "band1V": "odd columns", "band2V": "even columns", "firstRow": "first row",
    "lastRow": "last row", "firstCol": "first column", "lastCol": "last column",
    "neCell": "top right cell", "nwCell": "top left cell", "seCell": "bottom right cell",
    "swCell": "bottom left cell",
}  # fmt: skip


def text_styles(sheet: Sheet) -> dict[str, Statements]:
    """Values that a master's text styles state, by style and level; empty for other sheets."""
    styles = None if sheet.root is None else sheet.root.find(qn("p:txStyles"))
    if styles is None:
        return {}
    return {
        f"{name}, {level}": stated
        for name, tag in _MASTER_STYLES.items()
        for level, stated in _levels(styles.find(qn(tag)), sheet.look, sheet.source)
    }


def list_styles(sheet: Sheet) -> dict[str, dict[str, Statements]]:
    """Values that the list styles of a template's placeholders state, by shape id and level."""
    stated: dict[str, dict[str, Statements]] = {}
    for key in sheet.placeholders:
        styles = key.element.find(f"{qn('p:txBody')}/{qn('a:lstStyle')}")
        name = next(key.element.iter(qn("p:cNvPr")), None)
        if (levels := dict(_levels(styles, sheet.look, sheet.source))) and name is not None:
            stated[name.get("id") or ""] = levels
    return stated


def default_text(reading: DeckReading, look: MappedTheme) -> dict[str, Statements]:
    """Values that a presentation's default text style states, by level."""
    styles = reading.root.find(qn("p:defaultTextStyle"))
    return dict(_levels(styles, look, reading.main))


def theme_formats(theme: Theme) -> dict[str, Statements]:
    """Values that a theme's format scheme states, by kind of style and its number."""
    return {
        f"{name} {number}": dict(_spelled(element))
        for name, field in _FORMATS.items()
        for number, element in enumerate(getattr(theme, field), start=1)
    }


def table_styles(defined: Mapping[str, Xml]) -> dict[str, dict[str, Statements]]:
    """Values that a deck's own table styles state, by id and part of a table."""
    styles = (TableStyle.read(element) for element in defined.values())
    listed: dict[str, dict[str, Statements]] = {}
    for style in styles:
        parts = {_TABLE_PARTS.get(name, name): style.parts[name] for name in style.parts}
        listed[style.id] = {"name": {"name": style.name}}
        listed[style.id] |= {name: dict(_spelled(part)) for name, part in parts.items()}
    return listed


def _levels(
    styles: Xml | None, look: MappedTheme, source: Source
) -> Iterator[tuple[str, Statements]]:
    if styles is None:
        return
    for number in range(1, _LEVELS + 1):
        if (level := styles.find(qn(f"a:lvl{number}pPr"))) is not None:
            yield f"level {number}", _level(level, look, source)


def _level(level: Xml, look: MappedTheme, source: Source) -> Statements:
    values: Statements = {}
    for name, stated in stated_paragraph(level, "master", look, source).items():
        values[f"paragraph.{name.replace('bullet_', 'bullet.')}"] = _plain(name, stated.value)
    if (characters := level.find(qn("a:defRPr"))) is not None:
        for name, stated in stated_run(characters, "master", look, source).items():
            values[f"font.{name}"] = _plain(name, stated.value)
    return values


def _plain(name: str, value: Any) -> Any:
    if value is None:  # a bullet's font, colour or size follows the text
        return "none" if name == "bullet" else "as the text"
    if isinstance(value, Fill):
        return value.paint.model_dump(mode="json", exclude_defaults=True)
    if isinstance(value, tuple):
        return spacing_of(value).model_dump(mode="json")
    if isinstance(value, Bullet):
        return value.model_dump(mode="json", exclude_defaults=True)
    return rounded(value) if isinstance(value, float) else value


def _spelled(element: Xml) -> Iterator[tuple[str, str]]:
    """The attributes in an element by their path from it; repeated tags are numbered."""
    yield "", local_name(str(element.tag))
    for name, value in element.attrib.items():
        yield local_name(str(name)), str(value)
    yield from _inner(element, "")


def _inner(element: Xml, path: str) -> Iterator[tuple[str, str]]:
    counts: dict[str, int] = {}
    for child in element.iterchildren("*"):
        tag = local_name(str(child.tag))
        counts[tag] = counts.get(tag, 0) + 1
        child_path = f"{path}{tag}{counts[tag] if counts[tag] > 1 else ''}"
        yield child_path, ""
        for name, value in child.attrib.items():
            yield f"{child_path}.{local_name(str(name))}", str(value)
        yield from _inner(child, f"{child_path}.")
