"""Shapes of a slide, layout or master, in drawing order, members of groups included."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from decklab.deck.charts import read_chart
from decklab.deck.fills import fill_of, is_filled, is_outlined, own_color, shape_properties
from decklab.deck.frames import Frame, Group, frame_on_slide, read_frame, read_group, to_frame
from decklab.deck.media import read_media
from decklab.deck.model.outline import Chart, Picture, Shape, ShapeKind
from decklab.deck.part import Source, children
from decklab.deck.pictures import blip_fill, read_picture
from decklab.deck.placeholders import Placeholder, placeholder_of
from decklab.deck.styles.colors import ColorScheme
from decklab.deck.text import read_text
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import NAMESPACES, Element, local_name, qn

Behind = Callable[[Placeholder], Sequence[Element]]
"""From a placeholder to the shape elements it inherits from, nearest first."""

_SKIPPED = frozenset(qn(name) for name in ("p:nvGrpSpPr", "p:grpSpPr", "p:extLst", "p:custDataLst"))
_KINDS: dict[str, ShapeKind] = {
    qn("p:sp"): "shape",
    qn("p:pic"): "picture",
    qn("p:cxnSp"): "connector",
    qn("p:grpSp"): "group",
}
_FRAME_KINDS: dict[str, ShapeKind] = {
    NAMESPACES["c"]: "chart",
    NAMESPACES["cx"]: "chart",
    NAMESPACES["table"]: "table",
    NAMESPACES["dgm"]: "smartart",
    NAMESPACES["ole"]: "ole",
}
_OWN_XFRMS = (qn("p:xfrm"), qn("p14:xfrm"))
_CHART_REFERENCES = (qn("c:chart"), qn("cx:chart"))


@dataclass(frozen=True)
class Scene:
    """What the shapes of one part are read against, and the groups around them so far."""

    source: Source
    size_emu: tuple[int, int]
    colors: ColorScheme
    behind: Behind
    order: "count[int]" = field(default_factory=count)
    groups: tuple[Group, ...] = ()
    """Enclosing groups that place their members, innermost first."""
    group_ids: tuple[int, ...] = ()
    group_filled: bool = False
    group_hidden: bool = False


def shape_elements(tree: Element) -> Iterator[Element]:
    """The shape elements directly in a shape tree or group, unknown kinds included."""
    return (child for child in children(tree) if child.tag not in _SKIPPED)


def read_shapes(tree: Element, scene: Scene) -> Iterator[Shape]:
    """The shapes in a ``p:spTree`` or ``p:grpSp``, each group before its members."""
    for element in shape_elements(tree):
        shape = _read_shape(element, scene)
        yield shape
        if element.tag == qn("p:grpSp"):
            yield from read_shapes(element, _inside(element, shape, scene))


def _inside(element: Element, shape: Shape, scene: Scene) -> Scene:
    group = read_group(_xfrm(element))
    return replace(
        scene,
        groups=scene.groups if group is None else (group, *scene.groups),
        group_ids=(*scene.group_ids, shape.id),
        group_filled=is_filled(element, (), scene.group_filled),
        group_hidden=shape.hidden,
    )


def _read_shape(element: Element, scene: Scene) -> Shape:
    scene.source.notes.spend(1 + len(scene.group_ids), scene.source.package)
    names = _names(element)
    placeholder = placeholder_of(element)
    inherited = () if placeholder is None else scene.behind(placeholder)
    media = read_media(_application_properties(element), scene.source)
    kind = _kind(element) if media is None else "media"
    frame = _frame(element, inherited, scene)
    return Shape(
        id=parse_int(names.get("id")) or 0,
        name=names.get("name") or local_name(str(element.tag)),
        kind=kind,
        box=None if frame is None else to_frame(frame, scene.size_emu),
        rotation=0.0 if frame is None else frame.rotation,
        z=next(scene.order),
        groups=scene.group_ids,
        placeholder=None if placeholder is None else placeholder.type,
        placeholder_idx=None if placeholder is None else placeholder.idx,
        geometry=_geometry(element, inherited),
        filled=is_filled(element, inherited, scene.group_filled),
        outlined=is_outlined(element, inherited),
        fill_color=own_color(element, scene.colors),
        text=read_text(element, inherited),
        picture=_picture(element, scene.source),
        chart=_chart(element, scene.source) if kind == "chart" else None,
        media=media,
        connects=_connects(element),
        hidden=scene.group_hidden or names.get("hidden") in ("1", "true"),
        alt_text=names.get("descr") or "",
    )


def _non_visual(element: Element) -> Element | None:
    """The ``p:nvSpPr``, ``p:nvPicPr`` ... of a shape element."""
    return next((child for child in element if local_name(str(child.tag)).startswith("nv")), None)


def _names(element: Element) -> Mapping[str, str]:
    """The attributes that name a shape (``cNvPr`` of whatever namespace); may be empty."""
    holder = _non_visual(element)
    names = next((element if holder is None else holder).iter("{*}cNvPr"), None)
    return {} if names is None else {str(key): str(value) for key, value in names.items()}


def _application_properties(element: Element) -> Element | None:
    holder = _non_visual(element)
    return None if holder is None else holder.find(qn("p:nvPr"))


def _kind(element: Element) -> ShapeKind:
    if element.tag == qn("p:graphicFrame"):
        data = _graphic_data(element)
        return _FRAME_KINDS.get("" if data is None else data.get("uri") or "", "unknown")
    return _KINDS.get(str(element.tag), "unknown")


def _graphic_data(element: Element) -> Element | None:
    return element.find(f"{qn('a:graphic')}/{qn('a:graphicData')}")


def _xfrm(element: Element) -> Element | None:
    """The position of a shape element, which graphic frames and ink keep in places of their own."""
    properties = shape_properties(element)
    if properties is not None:
        return properties.find(qn("a:xfrm"))
    return next((child for child in element if child.tag in _OWN_XFRMS), None)


def _frame(element: Element, inherited: Sequence[Element], scene: Scene) -> Frame | None:
    """The first full position that the shape or a placeholder behind it states, on the slide."""
    stated = (read_frame(_xfrm(item)) for item in (element, *inherited))
    return frame_on_slide(stated, scene.groups)


def _geometry(element: Element, inherited: Sequence[Element]) -> str | None:
    for item in (element, *inherited):
        properties = shape_properties(item)
        if properties is None:
            continue
        preset = properties.find(qn("a:prstGeom"))
        if preset is not None:
            return preset.get("prst")
        if properties.find(qn("a:custGeom")) is not None:
            return "custom"
    return None


def _picture(element: Element, source: Source) -> Picture | None:
    if element.tag == qn("p:pic"):
        return read_picture(blip_fill(element), source)
    fill = fill_of(shape_properties(element))
    if fill is None or fill.tag != qn("a:blipFill"):
        return None
    return read_picture(fill, source)


def _chart(element: Element, source: Source) -> Chart:
    data = _graphic_data(element)
    found = None if data is None else next((c for c in data if c.tag in _CHART_REFERENCES), None)
    part = None if found is None else source.linked_part(found)
    if part is None:
        source.notes.add(source.part, f"the chart of {_names(element).get('name')} is not there")
    return read_chart(part, source)


def _connects(element: Element) -> tuple[int | None, int | None]:
    ends = (qn("a:stCxn"), qn("a:endCxn"))
    if element.tag != qn("p:cxnSp"):
        return None, None
    start, end = (next(element.iter(tag), None) for tag in ends)
    return (
        None if start is None else parse_int(start.get("id")),
        None if end is None else parse_int(end.get("id")),
    )
