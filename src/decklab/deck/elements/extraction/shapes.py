"""The shapes of a sheet as elements."""

from collections.abc import Callable, Iterator
from typing import Any

from decklab.deck.elements.extraction.canvas import Canvas
from decklab.deck.elements.extraction.charts import chart_fields
from decklab.deck.elements.extraction.controls import controls_of
from decklab.deck.elements.extraction.diagrams import diagram_fields
from decklab.deck.elements.extraction.ends import ends_of, glue_of
from decklab.deck.elements.extraction.frames import (
    box_fields,
    common_fields,
    corner_radius,
    geometry_fields,
    stroke_fields,
)
from decklab.deck.elements.extraction.images import crop_of, opacity_of, picture_fields
from decklab.deck.elements.extraction.paints import color_of, paint_of
from decklab.deck.elements.extraction.tables import table_fields
from decklab.deck.elements.extraction.texts import (
    body_of,
    main_align,
    main_font,
    paragraphs_of,
)
from decklab.deck.elements.extraction.walking import Found, shapes_of
from decklab.deck.elements.model.shapes import (
    Chart,
    Diagram,
    Element,
    Group,
    Image,
    Line,
    Media,
    Other,
    Rect,
    Table,
    Text,
)
from decklab.deck.pictures import blip_fill
from decklab.ooxml.names import local_name, qn

__all__ = ["elements_of"]

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
