"""Elements as shapes of a slide."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pptx.oxml import parse_xml
from pptx.slide import Slide

from decklab.deck.building.characters import quoted
from decklab.deck.building.charts import add_chart, can_build
from decklab.deck.building.frames import Paper, inside, xfrm
from decklab.deck.building.geometries import freeform_xml, preset_xml, rounded_adjustment
from decklab.deck.building.images import Gallery
from decklab.deck.building.links import link_xml
from decklab.deck.building.paints import crop_xml, line_xml, paint_xml, solid_xml
from decklab.deck.building.tables import table_xml
from decklab.deck.building.texts import body_xml, plain_paragraphs
from decklab.deck.frames import Frame
from decklab.deck.model.base import Action
from decklab.deck.model.shapes import Chart, Element, Group, Image, Line, Rect, Table, Text
from decklab.deck.model.text import RunFont
from decklab.ooxml.xml import NAMESPACES, qn
from decklab.ooxml.xml import Element as Xml

_DECLARED = " ".join(f'xmlns:{prefix}="{NAMESPACES[prefix]}"' for prefix in ("a", "p", "r"))
_UNIT = 100_000  # ST_Percentage counts thousandths of a percent
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
class Piece:
    """What becomes one shape: an element, and the text that stands in it."""

    element: Element
    text: Text | None = None


@dataclass(frozen=True)
class Bench:
    """What the shapes of one slide are built with."""

    slide: Slide
    paper: Paper
    gallery: Gallery
    slides: Mapping[int, Slide]
    """All slides by the ids that actions name."""
    groups: dict[int, Frame] = field(default_factory=dict)
    """The frames of the groups built so far, by id, each in the group around it."""

    def frame(self, element: Element) -> Frame:
        """The frame of an element in the innermost group around it."""
        frame = self.paper.frame(element)
        for id in element.groups:
            if id in self.groups:
                frame = inside(frame, self.groups[id])
        return frame

    def xfrm(self, element: Element, tag: str = "a:xfrm") -> str:
        """The position element of an element; empty where it has no place."""
        return xfrm(self.frame(element), tag) if element.placed else ""

    def embed(self, digest: str | None) -> str | None:
        """Relationship id of an image."""
        return self.gallery.embed(self.slide, digest)

    def link(self, tag: str, action: Action | None) -> str:
        """Link element of an action."""
        return link_xml(tag, action, self.slide, self.slides)


def build_piece(piece: Piece, id: int, bench: Bench) -> Xml | str:
    """The XML of a shape, or why there is none."""
    element = piece.element
    if isinstance(element, Chart):
        return _chart(element, id, bench)
    build = next((build for kind, build in _BUILDERS.items() if isinstance(element, kind)), None)
    if build is None:
        return f"{type(element).__name__.lower()} elements cannot be written"
    if isinstance(element, Image) and bench.embed(element.sha256) is None:
        return "the bytes of its image are not at hand"
    xml: Xml = parse_xml(build(piece, id, bench))
    return xml


def _names(element: Element, id: int, bench: Bench) -> str:
    """The ``p:cNvPr`` of an element."""
    texts = {"descr": element.alt_text, "title": element.alt_title}
    stated = "".join(f" {name}={quoted(text)}" for name, text in texts.items() if text)
    hidden = ' hidden="1"' if element.hidden else ""
    links = bench.link("a:hlinkClick", element.click) + bench.link("a:hlinkHover", element.hover)
    marks = "" if element.creation_id is None else _CREATION.format(quoted(element.creation_id))
    marks += _DECORATIVE if element.decorative else ""
    marks = f"<a:extLst>{marks}</a:extLst>" if marks else ""
    name = quoted(element.name or f"{type(element).__name__} {id}")
    return f'<p:cNvPr id="{id}" name={name}{stated}{hidden}>{links}{marks}</p:cNvPr>'


def _place(element: Element) -> str:
    """The ``p:nvPr``, which says whether a shape is a placeholder."""
    one = element.placeholder
    if one is None:
        return "<p:nvPr/>"
    idx = f' idx="{one.idx}"' if one.idx else ""
    return f"<p:nvPr><p:ph type={quoted(one.type)}{idx}/></p:nvPr>"


def _text_body(text: Text | None, bench: Bench) -> str:
    if text is None:
        return ""
    paragraphs = text.paragraphs
    font = RunFont(**dict(text.font))
    if not paragraphs and text.text:
        paragraphs = plain_paragraphs(text.text, font, text.align)
    empty = None if text.text else font
    return body_xml(paragraphs, text.body, bench.embed, bench.link, empty=empty)


def _shape(piece: Piece, id: int, bench: Bench) -> str:
    """A ``p:sp``: a painted area with or without text, a bare text, or a line with text."""
    element = piece.element
    box = ' txBox="1"' if isinstance(element, Text) and element.placeholder is None else ""
    return (
        f"<p:sp {_DECLARED}><p:nvSpPr>{_names(element, id, bench)}<p:cNvSpPr{box}/>"
        f"{_place(element)}</p:nvSpPr><p:spPr>{bench.xfrm(element)}{_look(element, bench)}</p:spPr>"
        f"{_text_body(piece.text, bench)}</p:sp>"
    )


def _look(element: Element, bench: Bench) -> str:
    """Geometry, fill and line."""
    if isinstance(element, Rect):
        fill = paint_xml(element.paint, bench.embed)
        if element.paint.kind == "none":
            fill = solid_xml(element.fill)
        line = line_xml(element.stroke, element.strokeWidth, element.pen, bench.embed)
        return f"{_geometry(element, bench.paper)}{fill}{line}<a:effectLst/>"
    if isinstance(element, Line):
        preset = preset_xml(element.geometry, element.adjustments)
        line = line_xml(element.stroke, element.strokeWidth, element.pen, bench.embed)
        return f"{preset}{line}<a:effectLst/>"
    return f"{preset_xml('rect', {})}<a:noFill/><a:ln><a:noFill/></a:ln><a:effectLst/>"


def _geometry(element: Rect | Image, paper: Paper) -> str:
    if element.path is not None:
        return freeform_xml(element.path)
    plain = isinstance(element, Rect) and element.geometry == "rect" and element.rx > 0
    if plain and isinstance(element, Rect):
        across = paper.down(1) / paper.across(1)
        share = rounded_adjustment(element.rx, across, element.w, element.h)
        return preset_xml("roundRect", {"adj": share})
    return preset_xml(element.geometry, element.adjustments)


def _line(piece: Piece, id: int, bench: Bench) -> str:
    line = piece.element
    if not isinstance(line, Line):
        return ""
    if piece.text is not None or not line.geometry.startswith(_CONNECTORS):
        return _shape(piece, id, bench)
    return (
        f"<p:cxnSp {_DECLARED}><p:nvCxnSpPr>{_names(line, id, bench)}<p:cNvCxnSpPr>"
        f"{_glue('a:stCxn', line.start, line.start_site)}"
        f"{_glue('a:endCxn', line.end, line.end_site)}"
        "</p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr>"
        f"<p:spPr>{bench.xfrm(line)}{_look(line, bench)}</p:spPr></p:cxnSp>"
    )


def _glue(tag: str, shape: int | None, site: int | None) -> str:
    return "" if shape is None else f'<{tag} id="{shape}" idx="{site or 0}"/>'


def _image(piece: Piece, id: int, bench: Bench) -> str:
    image = piece.element
    if not isinstance(image, Image):
        return ""
    faded = "" if image.alpha >= 1 else f'<a:alphaModFix amt="{round(image.alpha * _UNIT)}"/>'
    back = "" if image.paint.kind == "none" else paint_xml(image.paint, bench.embed)
    line = line_xml(image.stroke, image.strokeWidth, image.pen, bench.embed)
    return (
        f"<p:pic {_DECLARED}><p:nvPicPr>{_names(image, id, bench)}"
        f'<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr>{_place(image)}</p:nvPicPr>'
        f'<p:blipFill><a:blip r:embed="{bench.embed(image.sha256)}">{faded}</a:blip>'
        f"{crop_xml(image.crop)}<a:stretch><a:fillRect/></a:stretch></p:blipFill>"
        f"<p:spPr>{bench.xfrm(image)}{_geometry(image, bench.paper)}{back}{line}</p:spPr></p:pic>"
    )


def _table(piece: Piece, id: int, bench: Bench) -> str:
    table = piece.element
    if not isinstance(table, Table):
        return ""
    return (
        f"<p:graphicFrame {_DECLARED}><p:nvGraphicFramePr>{_names(table, id, bench)}"
        '<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr>'
        f"{_place(table)}</p:nvGraphicFramePr>{xfrm(bench.frame(table), 'p:xfrm')}"
        f'<a:graphic><a:graphicData uri="{NAMESPACES["table"]}">'
        f"{table_xml(table, bench.paper, bench.embed, bench.link)}"
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


def _group(piece: Piece, id: int, bench: Bench) -> str:
    """A group that counts as the slide does: it turns and flips its members, but scales none."""
    group = piece.element
    if not isinstance(group, Group):
        return ""
    frame = bench.frame(group)
    members = (
        f'<a:chOff x="{round(frame.left)}" y="{round(frame.top)}"/>'
        f'<a:chExt cx="{round(frame.width)}" cy="{round(frame.height)}"/>'
    )
    return (
        f"<p:grpSp {_DECLARED}><p:nvGrpSpPr>{_names(group, id, bench)}<p:cNvGrpSpPr/><p:nvPr/>"
        f"</p:nvGrpSpPr><p:grpSpPr>{xfrm(frame, more=members)}</p:grpSpPr></p:grpSp>"
    )


def _chart(chart: Chart, id: int, bench: Bench) -> Xml | str:
    if not can_build(chart):
        return f"a chart of {' and '.join(chart.plots) or chart.type} cannot be written"
    frame = add_chart(bench.slide, chart, bench.paper)
    holder = frame.find(qn("p:nvGraphicFramePr"))
    if holder is not None:
        named = parse_xml(_names(chart, id, bench).replace("<p:cNvPr", f"<p:cNvPr {_DECLARED}", 1))
        holder.replace(holder[0], named)
    return frame


_BUILDERS: dict[type[Element], Callable[[Piece, int, Bench], str]] = {
    Rect: _shape,
    Text: _shape,
    Line: _line,
    Image: _image,
    Table: _table,
    Group: _group,
}


def pieces_of(elements: Sequence[Element]) -> list[Piece]:
    """Elements of one shape brought together, in drawing order."""
    found: list[Piece] = []
    for element in elements:
        last = found[-1].element if found else None
        joined = (
            isinstance(element, Text)
            and isinstance(last, Rect | Line)
            and element.z is not None
            and element.z == last.z
        )
        if joined and isinstance(element, Text) and last is not None:
            found[-1] = Piece(last, element)
        else:
            found.append(Piece(element, element if isinstance(element, Text) else None))
    return found
