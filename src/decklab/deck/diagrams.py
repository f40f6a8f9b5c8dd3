"""SmartArt: the texts of a diagram's data, and the shapes it was last drawn with."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from decklab.deck.model.shapes import Node
from decklab.deck.part import Source
from decklab.deck.styles.text import paragraph_text
from decklab.ooxml.xml import NAMESPACES, Element, parse_int, qn

_TEXTS = ("node", "asst")
"""Types of the points that hold text; the others are connections and their drawings."""
_DATA_MODEL_EXT = qn("dsp:dataModelExt")
_DRAWING = "diagramDrawing"
_SHAPES = (qn("dsp:sp"), qn("dsp:grpSp"))


def diagram_data(graphic: Element | None, source: Source) -> Element | None:
    """The root of the data that an ``a:graphicData`` refers to; None if it is no diagram."""
    part = _linked(graphic, "r:dm", source)
    return None if part is None else source.of(part).root()


def diagram_drawing(
    graphic: Element | None, data: Element | None, source: Source
) -> tuple[Element, ...]:
    """The shape elements (``dsp:sp``) that a diagram was last drawn with, in order.

    Empty for any other shape, and if the deck stores no drawing.
    """
    if graphic is None or graphic.get("uri") != NAMESPACES["dgm"]:
        return ()
    part = _only_drawing(source) if data is None else _drawing_part(data, source)
    drawn = None if part is None else source.of(part).root()
    tree = None if drawn is None else drawn.find(qn("dsp:spTree"))
    return () if tree is None else tuple(item for item in tree if item.tag in _SHAPES)


def diagram_fields(
    graphic: Element | None, data: Element | None, source: Source, drawn: Iterable[str]
) -> dict[str, Any]:
    """The fields of a diagram by the names of the model's.

    ``drawn`` are the texts of the shapes it was last drawn with, for a diagram without data.
    """
    if graphic is None or graphic.find(qn("dgm:relIds")) is None:
        return {}
    part = _linked(graphic, "r:lo", source)
    layout = None if part is None else source.of(part).root()
    name = "" if layout is None else layout.get("uniqueId") or ""
    nodes = () if data is None else tuple(diagram_nodes(data))
    return {
        "layout": name.rpartition("/")[2],
        "nodes": nodes or tuple(Node(text=text, depth=0) for text in drawn),
    }


def diagram_nodes(model: Element) -> Iterator[Node]:
    """The texts of a ``dgm:dataModel``, each before its children, siblings by ``srcOrd``.

    Texts that are no descendants of the document come last, in the order of the file.
    """
    points = {point.get("modelId") or "": point for point in model.iter(qn("dgm:pt"))}
    children = _hierarchy(model)
    used: set[str] = set()
    roots = [id for id, point in points.items() if point.get("type") == "doc"]
    for root in roots:
        used.add(root)
        yield from _descendants(root, points, children, used)
    for id, point in points.items():
        if id not in used and (point.get("type") or "node") in _TEXTS:
            used.add(id)
            yield _node(point, 0)
            yield from _descendants(id, points, children, used)


def _descendants(
    top: str, points: Mapping[str, Element], children: Mapping[str, list[str]], used: set[str]
) -> Iterator[Node]:
    """Depth first, without recursion: a file may nest as deep as it likes."""
    start = 0 if points[top].get("type") == "doc" else 1
    waiting = [(id, start) for id in reversed(children.get(top, []))]
    while waiting:
        id, depth = waiting.pop()
        if id in used or id not in points:
            continue
        used.add(id)
        point = points[id]
        if (point.get("type") or "node") in _TEXTS:
            yield _node(point, depth)
        waiting.extend((child, depth + 1) for child in reversed(children.get(id, [])))


def _hierarchy(model: Element) -> dict[str, list[str]]:
    children: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for link in model.iter(qn("dgm:cxn")):
        if (link.get("type") or "parOf") == "parOf":
            order = parse_int(link.get("srcOrd")) or 0
            children[link.get("srcId") or ""].append((order, link.get("destId") or ""))
    return {
        source: [id for _, id in sorted(targets, key=lambda item: item[0])]
        for source, targets in children.items()
    }


def _node(point: Element, depth: int) -> Node:
    body = point.find(qn("dgm:t"))
    paragraphs = () if body is None else body.iterfind(qn("a:p"))
    return Node(
        text="\n".join(paragraph_text(item) for item in paragraphs),
        depth=depth,
        assistant=point.get("type") == "asst",
    )


def _linked(graphic: Element | None, attribute: str, source: Source) -> str | None:
    if graphic is None or graphic.get("uri") != NAMESPACES["dgm"]:
        return None
    ids = graphic.find(qn("dgm:relIds"))
    return None if ids is None else source.linked_part(ids, attribute)


def _drawing_part(model: Element, source: Source) -> str | None:
    """The drawing that belongs to a diagram's data: the slide's relationship names it."""
    extension = next(model.iter(_DATA_MODEL_EXT), None)
    link = None if extension is None else source.link(extension.get("relId"))
    if link is None or link.external or link.target not in source.package:
        return None
    return link.target


def _only_drawing(source: Source) -> str | None:
    """The drawing of a diagram without data: the slide's only drawing; None if it has several."""
    drawings = [
        link.target
        for link in source.links().values()
        if link.kind == _DRAWING and not link.external and link.target in source.package
    ]
    return drawings[0] if len(drawings) == 1 else None
