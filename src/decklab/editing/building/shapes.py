"""Elements as shapes of a slide, charts too, with their images and links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from pptx.chart.chart import Chart as NativeChart
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.oxml import parse_xml
from pptx.slide import Slide
from pptx.util import Emu

from decklab.deck.frames import Frame
from decklab.deck.model.base import Action
from decklab.deck.model.shapes import (
    Chart,
    Element,
    Group,
    Image,
    Line,
    Rect,
    RunFont,
    Series,
    Table,
    Text,
)
from decklab.editing.building.drawing import (
    STRETCHED,
    FrameSize,
    blip_xml,
    body_xml,
    crop_xml,
    freeform_xml,
    inside,
    legal,
    line_xml,
    paint_xml,
    plain_paragraphs,
    preset_xml,
    quoted,
    rounded_adjustment,
    solid_xml,
    table_xml,
    xfrm,
)
from decklab.editing.charts import mend_chart
from decklab.editing.formatting import rgb
from decklab.ooxml.xml import NAMESPACES, qn
from decklab.ooxml.xml import Element as Xml

_TYPES = {
    ("column", "clustered"): XL_CHART_TYPE.COLUMN_CLUSTERED,
    ("column", "stacked"): XL_CHART_TYPE.COLUMN_STACKED,
    ("column", "percentStacked"): XL_CHART_TYPE.COLUMN_STACKED_100,
    ("bar", "clustered"): XL_CHART_TYPE.BAR_CLUSTERED,
    ("bar", "stacked"): XL_CHART_TYPE.BAR_STACKED,
    ("bar", "percentStacked"): XL_CHART_TYPE.BAR_STACKED_100,
    ("line", "standard"): XL_CHART_TYPE.LINE,
    ("line", "stacked"): XL_CHART_TYPE.LINE_STACKED,
    ("line", "percentStacked"): XL_CHART_TYPE.LINE_STACKED_100,
    ("area", "standard"): XL_CHART_TYPE.AREA,
    ("area", "stacked"): XL_CHART_TYPE.AREA_STACKED,
    ("area", "percentStacked"): XL_CHART_TYPE.AREA_STACKED_100,
    ("pie", None): XL_CHART_TYPE.PIE,
    ("doughnut", None): XL_CHART_TYPE.DOUGHNUT,
    ("radar", None): XL_CHART_TYPE.RADAR,
    ("scatter", None): XL_CHART_TYPE.XY_SCATTER,
    ("bubble", None): XL_CHART_TYPE.BUBBLE,
}
_GROUPINGS = {"column": "clustered", "bar": "clustered", "line": "standard", "area": "standard"}
"""The default if a chart does not state the grouping of its series."""
_POINTS = ("scatter", "bubble")
"""Charts whose points have two values; python-pptx cannot label them all at once."""
_LEGENDS = {
    "r": XL_LEGEND_POSITION.RIGHT, "l": XL_LEGEND_POSITION.LEFT, "t": XL_LEGEND_POSITION.TOP,
    "b": XL_LEGEND_POSITION.BOTTOM, "tr": XL_LEGEND_POSITION.CORNER,
}  # fmt: skip


def can_build(chart: Chart) -> bool:
    """Whether a chart has series and is of one kind that can be written."""
    single = len(set(chart.plots or (chart.type,))) == 1
    return single and _key(chart) in _TYPES and bool(chart.series)


def build_chart(slide: Slide, chart: Chart, slide_size: FrameSize) -> Xml:
    """Put a native chart on a slide; returns its graphic frame."""
    left, width = (Emu(slide_size.across(value)) for value in (chart.x, chart.w))
    top, height = (Emu(slide_size.down(value)) for value in (chart.y, chart.h))
    kind, data = _TYPES[_key(chart)], _data(chart)
    frame = slide.shapes.add_chart(kind, left, top, width, height, data)
    native: NativeChart = frame.chart  # type: ignore[attr-defined]
    native.has_title = chart.title is not None
    if chart.title:
        native.chart_title.text_frame.text = legal(chart.title)
    native.has_legend = chart.legend is not None
    if chart.legend is not None:
        native.legend.position = _LEGENDS.get(chart.legend, XL_LEGEND_POSITION.RIGHT)
        native.legend.include_in_layout = False
    if chart.type not in _POINTS:
        native.plots[0].has_data_labels = chart.labels
        if chart.labels:
            native.plots[0].data_labels.show_value = True
    _colour(native, chart)
    _name_axes(native, chart)
    mend_chart(native._chartSpace)
    element: Xml = frame._element
    return element


def _key(chart: Chart) -> tuple[str, str | None]:
    return chart.type, chart.grouping or _GROUPINGS.get(chart.type)


def _data(chart: Chart) -> Any:
    if chart.type in _POINTS:
        return _points(chart)
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = [legal(text) for text in chart.series[0].categories] or [
        str(i + 1) for i in range(max(len(item.values) for item in chart.series))
    ]
    for item in chart.series:
        data.add_series(legal(item.name or ""), item.values)
    return data


def _points(chart: Chart) -> Any:
    bubbles = chart.type == "bubble"
    data: Any = (BubbleChartData if bubbles else XyChartData)()  # type: ignore[no-untyped-call]
    for item in chart.series:
        series = data.add_series(legal(item.name or ""))
        for number, value in enumerate(item.values):
            at = (_x(item, number), value)
            if bubbles:
                size = item.sizes[number] if number < len(item.sizes) else None
                series.add_data_point(*at, 1.0 if size is None else size)
            else:
                series.add_data_point(*at)
    return data


def _x(item: Series, number: int) -> float:
    """The x value of a point; its index in the series if none is stated."""
    try:
        return float(item.categories[number])
    except (IndexError, ValueError):
        return float(number + 1)


def _colour(native: NativeChart, chart: Chart) -> None:
    for drawn, item in zip(native.plots[0].series, chart.series, strict=False):
        if item.color is None:
            continue
        color = rgb(item.color)
        if chart.type in ("line", "radar", "scatter"):
            drawn.format.line.color.rgb = color
        else:
            drawn.format.fill.solid()
            drawn.format.fill.fore_color.rgb = color


def _name_axes(native: NativeChart, chart: Chart) -> None:
    if chart.type in ("pie", "doughnut"):
        return
    for axis in chart.axes[:2]:
        drawn = native.value_axis
        if axis is chart.axes[0] and chart.type not in _POINTS:
            drawn = native.category_axis
        if axis.title:
            drawn.has_title = True
            drawn.axis_title.text_frame.text = axis.title
        if axis.kind == "value":
            drawn.minimum_scale, drawn.maximum_scale = axis.minimum, axis.maximum
        drawn.visible = not axis.hidden


_STARTS = (
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"GIF8", "image/gif", "gif"),
    (b"BM", "image/bmp", "bmp"),
    (b"II*\x00", "image/tiff", "tif"),
    (b"MM\x00*", "image/tiff", "tif"),
    (b"\x01\x00\x00\x00", "image/x-emf", "emf"),
    (b"\xd7\xcd\xc6\x9a", "image/x-wmf", "wmf"),
    (b"<svg", "image/svg+xml", "svg"),
    (b"<?xml", "image/svg+xml", "svg"),
    (b"RIFF", "image/webp", "webp"),
)
_UNKNOWN = ("application/octet-stream", "bin")


@dataclass
class ImageStore:
    """The available images by hash, and those that are in the deck already."""

    images: Mapping[str, bytes]
    parts: dict[str, Part] = field(default_factory=dict)

    def embed(self, slide: Slide, digest: str | None) -> str | None:
        """The relationship id of an image on a slide; None if its bytes are not available."""
        if digest is None or digest not in self.images:
            return None
        if digest not in self.parts:
            self.parts[digest] = self._part(slide, self.images[digest])
        return str(slide.part.relate_to(self.parts[digest], RELATIONSHIP_TYPE.IMAGE))

    def _part(self, slide: Slide, data: bytes) -> Part:
        start = data.lstrip()[:16]
        content_type, ending = next(
            ((kind, ending) for mark, kind, ending in _STARTS if start.startswith(mark)), _UNKNOWN
        )
        package = slide.part.package
        return Part(package.next_image_partname(ending), content_type, package, data)


def link_xml(tag: str, action: Action | None, slide: Slide, slides: Mapping[int, Slide]) -> str:
    """The element of an action; empty for no action, and for kinds that leave the deck other than
    by an address. ``slides`` are those of the deck by the ids that actions name."""
    if action is None:
        return ""
    id, verb = _reached(action, slide, slides)
    if id is None:
        return ""
    spelled = f" action={quoted(verb)}" if verb else ""
    tip = f" tooltip={quoted(action.tooltip)}" if action.tooltip else ""
    return f'<{tag} r:id="{id}"{spelled}{tip}></{tag}>'


def _reached(action: Action, slide: Slide, slides: Mapping[int, Slide]) -> tuple[str | None, str]:
    """Relationship id and action; None as id if the action cannot be written."""
    address = legal(action.target)
    if action.kind == "url" and address:
        link = slide.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
        return str(link), ""
    if action.kind == "jump":
        return "", f"ppaction://hlinkshowjump?jump={action.target}"
    if action.kind == "macro":
        return "", f"ppaction://macro?name={quote(address)}"
    if action.kind == "none":
        return "", "ppaction://noaction"
    named = action.kind == "slide" and action.target.isdecimal()
    if (target := slides.get(int(action.target)) if named else None) is not None:
        link = slide.part.relate_to(target.part, RELATIONSHIP_TYPE.SLIDE)
        return str(link), "ppaction://hlinksldjump"
    return None, ""


_DECLARED = " ".join(f'xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in ("a", "p", "r"))
_CREATION = (
    '<a:ext uri="{{FF2B5EF4-FFF2-40B4-BE49-F238E27FC236}}"><a16:creationId '
    'xmlns:a16="http://schemas.microsoft.com/office/drawing/2014/main" id={}/></a:ext>'
)
_DECORATIVE = (
    '<a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative '
    'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext>'
)
_CONNECTORS = ("straightConnector", "bentConnector", "curvedConnector", "line")


@dataclass(frozen=True)
class ShapeSource:
    """An element that becomes a shape, with the text inside it."""

    element: Element
    text: Text | None = None


@dataclass(frozen=True)
class SlideBuilder:
    """Deck, images, links and groups that the shapes of one slide need."""

    slide: Slide
    slide_size: FrameSize
    store: ImageStore
    slides: Mapping[int, Slide]
    """All slides by the ids that actions name."""
    groups: dict[int, Frame] = field(default_factory=dict)
    """The frames of the groups built so far, by id, each in the group around it."""

    def frame(self, element: Element) -> Frame:
        """The frame of an element in the innermost group around it."""
        frame = self.slide_size.frame(element)
        for id in element.groups:
            if id in self.groups:
                frame = inside(frame, self.groups[id])
        return frame

    def xfrm(self, element: Element, tag: str = "a:xfrm") -> str:
        """The position element of an element; empty if it has no place."""
        return xfrm(self.frame(element), tag) if element.placed else ""

    def embed(self, digest: str | None) -> str | None:
        """Relationship id of an image."""
        return self.store.embed(self.slide, digest)

    def link(self, tag: str, action: Action | None) -> str:
        """Link element of an action."""
        return link_xml(tag, action, self.slide, self.slides)


def build_shape(source: ShapeSource, id: int, builder: SlideBuilder) -> Xml | str:
    """The XML of a shape, or the reason why there is none."""
    element = source.element
    if isinstance(element, Chart):
        return _chart(element, id, builder)
    if isinstance(element, Image) and builder.embed(element.sha256) is None:
        return "the bytes of its image are not at hand"
    if (text := _shape_text(source, id, builder)) is None:
        return f"{type(element).__name__.lower()} elements cannot be written"
    xml: Xml = parse_xml(text)
    return xml


def _shape_text(source: ShapeSource, id: int, builder: SlideBuilder) -> str | None:
    """The XML of a shape as text; None for kinds of elements that cannot be written."""
    element = source.element
    if isinstance(element, Line) and source.text is None and _is_connector(element):
        return _connector(element, id, builder)
    if isinstance(element, Rect | Text | Line):
        return _shape(source, id, builder)
    if isinstance(element, Image):
        return _image(element, id, builder)
    if isinstance(element, Table):
        return _table(element, id, builder)
    return _group(element, id, builder) if isinstance(element, Group) else None


def _is_connector(line: Line) -> bool:
    return line.geometry.startswith(_CONNECTORS)


def _names(element: Element, id: int, builder: SlideBuilder) -> str:
    """The ``p:cNvPr`` of an element."""
    texts = {"descr": element.alt_text, "title": element.alt_title}
    stated = "".join(f" {name}={quoted(text)}" for name, text in texts.items() if text)
    hidden = ' hidden="1"' if element.hidden else ""
    links = builder.link("a:hlinkClick", element.click) + builder.link(
        "a:hlinkHover", element.hover
    )
    marks = "" if element.creation_id is None else _CREATION.format(quoted(element.creation_id))
    marks += _DECORATIVE if element.decorative else ""
    marks = f"<a:extLst>{marks}</a:extLst>" if marks else ""
    name = quoted(element.name or f"{type(element).__name__} {id}")
    return f'<p:cNvPr id="{id}" name={name}{stated}{hidden}>{links}{marks}</p:cNvPr>'


def _place(element: Element) -> str:
    """The ``p:nvPr``, which says whether a shape is a placeholder."""
    if (placeholder := element.placeholder) is None:
        return "<p:nvPr/>"
    idx = f' idx="{placeholder.idx}"' if placeholder.idx else ""
    return f"<p:nvPr><p:ph type={quoted(placeholder.type)}{idx}/></p:nvPr>"


def _text_body(text: Text | None, builder: SlideBuilder) -> str:
    if text is None:
        return ""
    paragraphs = text.paragraphs
    font = RunFont(**dict(text.font))
    if not paragraphs and text.text:
        paragraphs = plain_paragraphs(text.text, font, text.align)
    empty = None if text.text else font
    return body_xml(paragraphs, text.body, builder.embed, builder.link, empty=empty)


def _shape(source: ShapeSource, id: int, builder: SlideBuilder) -> str:
    """A ``p:sp``: a painted area with or without text, a bare text, or a line with text."""
    element = source.element
    box = ' txBox="1"' if isinstance(element, Text) and element.placeholder is None else ""
    return (
        f"<p:sp {_DECLARED}><p:nvSpPr>{_names(element, id, builder)}<p:cNvSpPr{box}/>"
        f"{_place(element)}</p:nvSpPr>"
        f"<p:spPr>{builder.xfrm(element)}{_look(element, builder)}</p:spPr>"
        f"{_text_body(source.text, builder)}</p:sp>"
    )


def _look(element: Element, builder: SlideBuilder) -> str:
    """Geometry, fill and line."""
    if isinstance(element, Rect):
        fill = paint_xml(element.paint, builder.embed)
        if element.paint.kind == "none":
            fill = solid_xml(element.fill)
        line = line_xml(element.stroke, element.strokeWidth, element.pen, builder.embed)
        return f"{_geometry(element, builder.slide_size)}{fill}{line}<a:effectLst/>"
    if isinstance(element, Line):
        preset = preset_xml(element.geometry, element.adjustments)
        line = line_xml(element.stroke, element.strokeWidth, element.pen, builder.embed)
        return f"{preset}{line}<a:effectLst/>"
    return f"{preset_xml('rect', {})}<a:noFill/><a:ln><a:noFill/></a:ln><a:effectLst/>"


def _geometry(element: Rect | Image, slide_size: FrameSize) -> str:
    if element.path is not None:
        return freeform_xml(element.path)
    plain = isinstance(element, Rect) and element.geometry == "rect" and element.rx > 0
    if plain and isinstance(element, Rect):
        across = slide_size.down(1) / slide_size.across(1)
        share = rounded_adjustment(element.rx, across, element.w, element.h)
        return preset_xml("roundRect", {"adj": share})
    return preset_xml(element.geometry, element.adjustments)


def _connector(line: Line, id: int, builder: SlideBuilder) -> str:
    return (
        f"<p:cxnSp {_DECLARED}><p:nvCxnSpPr>{_names(line, id, builder)}<p:cNvCxnSpPr>"
        f"{_glue('a:stCxn', line.start, line.start_site)}"
        f"{_glue('a:endCxn', line.end, line.end_site)}"
        "</p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr>"
        f"<p:spPr>{builder.xfrm(line)}{_look(line, builder)}</p:spPr></p:cxnSp>"
    )


def _glue(tag: str, shape: int | None, site: int | None) -> str:
    return "" if shape is None else f'<{tag} id="{shape}" idx="{site or 0}"/>'


def _image(image: Image, id: int, builder: SlideBuilder) -> str:
    blip = blip_xml(str(builder.embed(image.sha256)), image.alpha)
    back = "" if image.paint.kind == "none" else paint_xml(image.paint, builder.embed)
    line = line_xml(image.stroke, image.strokeWidth, image.pen, builder.embed)
    return (
        f"<p:pic {_DECLARED}><p:nvPicPr>{_names(image, id, builder)}"
        f'<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr>{_place(image)}</p:nvPicPr>'
        f"<p:blipFill>{blip}{crop_xml(image.crop)}{STRETCHED}</p:blipFill>"
        f"<p:spPr>{builder.xfrm(image)}{_geometry(image, builder.slide_size)}{back}{line}</p:spPr>"
        "</p:pic>"
    )


def _table(table: Table, id: int, builder: SlideBuilder) -> str:
    return (
        f"<p:graphicFrame {_DECLARED}><p:nvGraphicFramePr>{_names(table, id, builder)}"
        '<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr>'
        f"{_place(table)}</p:nvGraphicFramePr>{xfrm(builder.frame(table), 'p:xfrm')}"
        f'<a:graphic><a:graphicData uri="{NAMESPACES["table"]}">'
        f"{table_xml(table, builder.slide_size, builder.embed, builder.link)}"
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


def _group(group: Group, id: int, builder: SlideBuilder) -> str:
    """A group with the units of the slide: it turns and flips its members, but scales none."""
    frame = builder.frame(group)
    members = (
        f'<a:chOff x="{round(frame.left)}" y="{round(frame.top)}"/>'
        f'<a:chExt cx="{round(frame.width)}" cy="{round(frame.height)}"/>'
    )
    return (
        f"<p:grpSp {_DECLARED}><p:nvGrpSpPr>{_names(group, id, builder)}<p:cNvGrpSpPr/><p:nvPr/>"
        f"</p:nvGrpSpPr><p:grpSpPr>{xfrm(frame, more=members)}</p:grpSpPr></p:grpSp>"
    )


def _chart(chart: Chart, id: int, builder: SlideBuilder) -> Xml | str:
    if not can_build(chart):
        return f"a chart of {' and '.join(chart.plots) or chart.type} cannot be written"
    frame = build_chart(builder.slide, chart, builder.slide_size)
    if (holder := frame.find(qn("p:nvGraphicFramePr"))) is not None:
        named = parse_xml(
            _names(chart, id, builder).replace("<p:cNvPr", f"<p:cNvPr {_DECLARED}", 1)
        )
        holder.replace(holder[0], named)
    return frame


def sources_of(elements: Sequence[Element]) -> list[ShapeSource]:
    """Elements grouped by shape, in drawing order."""
    sources: list[ShapeSource] = []
    for element in elements:
        last = sources[-1].element if sources else None
        text = element if isinstance(element, Text) else None
        if text and isinstance(last, Rect | Line) and text.z is not None and text.z == last.z:
            sources[-1] = ShapeSource(last, text)
        else:
            sources.append(ShapeSource(element, text))
    return sources
