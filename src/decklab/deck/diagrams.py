"""SmartArt: the texts of a diagram, in the order and depth of its data."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from decklab.deck.model.shapes import Node
from decklab.deck.text import paragraph_text
from decklab.deck.walking import Canvas, Found
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn

_TEXTS = ("node", "asst")
"""Types of the points that hold text; the others are connections and what is drawn for them."""


def diagram_fields(found: Found, canvas: Canvas) -> dict[str, Any]:
    """The fields of a diagram by the names of the model's."""
    ids = None if found.graphic is None else found.graphic.find(qn("dgm:relIds"))
    if ids is None:
        return {}
    model, layout = (_root(ids, attribute, canvas) for attribute in ("r:dm", "r:lo"))
    name = "" if layout is None else layout.get("uniqueId") or ""
    nodes = () if model is None else tuple(diagram_nodes(model))
    return {"layout": name.rpartition("/")[2], "nodes": nodes or tuple(_drawn_nodes(found))}


def _drawn_nodes(found: Found) -> Iterator[Node]:
    """The texts of the shapes that a diagram was last drawn with, for one without data."""
    for shape in found.styled.diagram:
        if shape.text is not None and shape.text.text.strip():
            yield Node(text=shape.text.text, depth=0)


def diagram_nodes(model: Element) -> Iterator[Node]:
    """The texts of a ``dgm:dataModel``, each before what hangs on it, siblings by ``srcOrd``.

    Texts that hang on nothing the document leads to come last, in the order of the file.
    """
    points = {point.get("modelId") or "": point for point in model.iter(qn("dgm:pt"))}
    below = _hierarchy(model)
    seen: set[str] = set()
    roots = [id for id, point in points.items() if point.get("type") == "doc"]
    for root in roots:
        seen.add(root)
        yield from _below(root, points, below, seen)
    for id, point in points.items():
        if id not in seen and (point.get("type") or "node") in _TEXTS:
            seen.add(id)
            yield _node(point, 0)
            yield from _below(id, points, below, seen)


def _below(
    top: str, points: Mapping[str, Element], below: Mapping[str, list[str]], seen: set[str]
) -> Iterator[Node]:
    """Depth first, without recursion: a file may nest as deep as it likes."""
    start = 0 if points[top].get("type") == "doc" else 1
    waiting = [(id, start) for id in reversed(below.get(top, []))]
    while waiting:
        id, depth = waiting.pop()
        if id in seen or id not in points:
            continue
        seen.add(id)
        point = points[id]
        if (point.get("type") or "node") in _TEXTS:
            yield _node(point, depth)
        waiting.extend((child, depth + 1) for child in reversed(below.get(id, [])))


def _hierarchy(model: Element) -> dict[str, list[str]]:
    children: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for link in model.iter(qn("dgm:cxn")):
        if (link.get("type") or "parOf") == "parOf":
            order = parse_int(link.get("srcOrd")) or 0
            children[link.get("srcId") or ""].append((order, link.get("destId") or ""))
    return {
        source: [id for _, id in sorted(found, key=lambda item: item[0])]
        for source, found in children.items()
    }


def _node(point: Element, depth: int) -> Node:
    body = point.find(qn("dgm:t"))
    paragraphs = () if body is None else body.iterfind(qn("a:p"))
    return Node(
        text="\n".join(paragraph_text(item) for item in paragraphs),
        depth=depth,
        assistant=point.get("type") == "asst",
    )


def _root(ids: Element, attribute: str, canvas: Canvas) -> Element | None:
    part = canvas.source.linked_part(ids, attribute)
    return None if part is None else canvas.source.of(part).root()
