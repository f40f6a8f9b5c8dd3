"""Shapes that are byte-equal in both versions of a slide; they are not read again.

A short summary takes the place of each in the snapshots. It has the keys that matching uses, and
the keys that refer to other shapes.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from decklab.deck.frames import glue_of
from decklab.deck.part import shape_elements, shape_tree
from decklab.deck.shapes import non_visual_properties
from decklab.deck.views.snapshot import content_of_slide
from decklab.diffing.compare.difference import Json
from decklab.ooxml.units import EMU_PER_POINT, parse_emu, parse_int
from decklab.ooxml.xml import Element, local_name, qn, serialize_xml

_GROUP, _CONNECTOR = qn("p:grpSp"), qn("p:cxnSp")
_KINDS = {_GROUP: "group", _CONNECTOR: "line"}
_APART = frozenset(qn(name) for name in ("p:bg", "p:spTree", "p:custDataLst", "p:extLst"))
"""Children of ``p:cSld`` on which no shape of the slide depends, except that shapes may be filled
with the background."""
_BACKGROUND = f"{qn('p:cSld')}/{qn('p:bg')}"
_FILLED_WITH_IT = b"useBgFill="
_PLAYED = frozenset(
    qn(name) for name in ("p:cSld", "p:transition", "p:timing", "p:extLst", "mc:AlternateContent")
)
"""Children of a slide on which no shape depends; the children of ``p:cSld`` are compared."""
_CONTROLS = f"{qn('p:cSld')}/{qn('p:controls')}"
"""ActiveX controls: they are drawn over all shapes but are not in the shape tree."""


@dataclass(frozen=True)
class SharedShapes:
    """Shapes that are the same in both versions of a slide, and the order of all shapes."""

    shapes: dict[int, Element]
    """By id; only shapes directly on the slide, a group with its members."""
    orders: tuple[tuple[int, ...], tuple[int, ...]]
    """Ids of all shapes directly on the slide in drawing order: older, newer version."""

    @cached_property
    def ids(self) -> frozenset[int]:
        """Ids of the unchanged shapes."""
        return frozenset(self.shapes)

    @cached_property
    def summaries(self) -> dict[int, tuple[Json, ...]]:
        """The entries of each unchanged shape that matching needs; of a group also its members."""
        return {id: tuple(_summaries(element)) for id, element in self.shapes.items()}


def shared_shapes(old: Element, new: Element, others: Collection[str]) -> SharedShapes | None:
    """Which shapes are byte-equal in two versions of a slide, with equal relationship targets.

    ``others`` are the ids of relationships whose targets differ. None if something differs on which
    all shapes depend, or if ids are missing or not unique.
    """
    if any(root.find(_CONTROLS) is not None for root in (old, new)) or _around(old) != _around(new):
        return None
    trees = shape_tree(old), shape_tree(new)
    was = None if trees[0] is None else _by_id(trees[0])
    now = None if trees[1] is None else _by_id(trees[1])
    if was is None or now is None:
        return None
    ground = _written(old, _BACKGROUND) == _written(new, _BACKGROUND)
    shapes = {
        id: element
        for id, element in was.items()
        if id in now
        and (xml := serialize_xml(element)) == serialize_xml(now[id])
        and (ground or _FILLED_WITH_IT not in xml)
        and not (others and _leads_to(element, others))
    }
    return SharedShapes(shapes, (tuple(was), tuple(now))) if shapes else None


def with_shared(slide: Json, shared: SharedShapes, side: int) -> Json | None:
    """Add the summaries of unchanged shapes to a slide whose snapshot was taken without them.

    ``side`` is 0 for the older version, 1 for the newer. None if the snapshot does not hold the
    shapes that should have been read.
    """
    blocks = _blocks(slide["shapes"])
    order = shared.orders[side]
    if len(blocks) != sum(id not in shared.shapes for id in order):
        return None
    rest = iter(blocks)
    entries = [
        shape
        for id in order
        for shape in (shared.summaries[id] if id in shared.shapes else next(rest))
    ]
    shapes = [{**shape, "z": z} for z, shape in enumerate(entries)]
    whole = {**slide, "shapes": shapes}
    whole["content"] = content_of_slide(whole)
    return whole


def _blocks(shapes: list[Json]) -> list[list[Json]]:
    """Shapes directly on the slide, each followed by its members."""
    blocks: list[list[Json]] = []
    for shape in shapes:
        if shape.get("groups") and blocks:
            blocks[-1].append(shape)
        else:
            blocks.append([shape])
    return blocks


def _around(slide: Element) -> list[bytes]:
    """The XML that all shapes of a slide depend on, except its layout."""
    children = [child for child in slide if child.tag not in _PLAYED]
    children += [child for child in slide.iterfind(f"{qn('p:cSld')}/*") if child.tag not in _APART]
    return [serialize_xml(child) for child in children]


def _written(slide: Element, path: str) -> list[bytes]:
    return [serialize_xml(child) for child in slide.iterfind(path)]


def _by_id(tree: Element) -> dict[int, Element] | None:
    """The shapes directly on a slide; None if the id of any shape is missing or not unique."""
    ids = [_id(element) for element in _every_shape(tree)]
    if not all(ids) or len(set(ids)) < len(ids):
        return None
    return {_id(element): element for element in shape_elements(tree)}


def _every_shape(tree: Element) -> Iterator[Element]:
    for element in shape_elements(tree):
        yield element
        if element.tag == _GROUP:
            yield from _every_shape(element)


def _id(element: Element) -> int:
    name = non_visual_properties(element)
    return 0 if name is None else parse_int(name.get("id")) or 0


def _leads_to(element: Element, others: Collection[str]) -> bool:
    return any(value in others for item in element.iter() for value in item.attrib.values())


def _summaries(element: Element, groups: tuple[int, ...] = ()) -> Iterator[Json]:
    """The entries that matching needs: of a shape, then of the members of a group."""
    name = non_visual_properties(element)
    entry: Json = {
        "kind": _KINDS.get(str(element.tag), "kept"),
        "content": hashlib.sha256(serialize_xml(element)).hexdigest(),
        "id": _id(element),
        "name": "" if name is None else name.get("name") or local_name(str(element.tag)),
        **_place(element),
    }
    if groups:
        entry["groups"] = list(groups)
    if element.tag == _CONNECTOR:
        ends = ("start", "start_site", "end", "end_site")
        glue = zip(ends, glue_of(element), strict=True)
        entry["line"] = {end: value for end, value in glue if value is not None}
    if element.tag != _GROUP:
        text = " ".join(item.text for item in element.iter(qn("a:t")) if item.text)
        yield {**entry, "other": {"text": text}}
        return
    yield entry
    for member in shape_elements(element):
        yield from _summaries(member, (*groups, entry["id"]))


def _place(element: Element) -> Json:
    """The stated position and size of a shape, in points, as far as they are stated."""
    place = next(element.iter(qn("a:off")), None)
    extent = next(element.iter(qn("a:ext")), None)
    stated = [(place, "x", "x"), (place, "y", "y"), (extent, "w", "cx"), (extent, "h", "cy")]
    return {
        key: (parse_emu(item.get(attribute)) or 0) / EMU_PER_POINT
        for item, key, attribute in stated
        if item is not None
    }
