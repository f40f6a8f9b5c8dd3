"""Shapes that two states of a slide hold alike: they need no reading to be compared.

A stand-in takes the place of each, with what matching and references to shapes ask for.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from decklab.deck.frames import glue_of
from decklab.deck.part import shape_elements, shape_tree
from decklab.deck.shapes import non_visual_properties
from decklab.deck.views.snapshot import content_of_slide
from decklab.diffing.differences import Json
from decklab.ooxml.units import EMU_PER_POINT, parse_emu, parse_int
from decklab.ooxml.xml import Element, local_name, qn, serialize_xml

_GROUP, _CONNECTOR = qn("p:grpSp"), qn("p:cxnSp")
_KINDS = {_GROUP: "group", _CONNECTOR: "line"}
_APART = frozenset(qn(name) for name in ("p:bg", "p:spTree", "p:custDataLst", "p:extLst"))
"""Children of ``p:cSld`` on which no shape of the slide depends; but of the background those do
that are filled with it."""
_BACKGROUND = f"{qn('p:cSld')}/{qn('p:bg')}"
_FILLED_WITH_IT = b"useBgFill="
_PLAYED = frozenset(
    qn(name) for name in ("p:cSld", "p:transition", "p:timing", "p:extLst", "mc:AlternateContent")
)
"""Children of a slide on which none does; ``p:cSld`` is looked into."""
_CONTROLS = f"{qn('p:cSld')}/{qn('p:controls')}"
"""They are drawn over all shapes, from beside the tree."""


@dataclass(frozen=True)
class Kept:
    """The shapes that a slide keeps, and the order of all in both its states."""

    shapes: dict[int, Element]
    """By id, groups with their members; none of a group's members by itself."""
    orders: tuple[tuple[int, ...], tuple[int, ...]]
    """Ids of the shapes directly on the slide, in drawing order."""

    @cached_property
    def ids(self) -> frozenset[int]:
        """Of the shapes directly on the slide."""
        return frozenset(self.shapes)

    @cached_property
    def stand_ins(self) -> dict[int, tuple[Json, ...]]:
        """For each of them, groups with their members."""
        return {id: tuple(_stand_ins(element)) for id, element in self.shapes.items()}


def kept_shapes(old: Element, new: Element, others: Collection[str]) -> Kept | None:
    """Which shapes are written alike in two states of a slide, and lead to the same.

    ``others`` are the ids of relationships that do not lead to the same. None where something
    differs on which all shapes depend, or where ids do not tell shapes apart.
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
    return Kept(shapes, (tuple(was), tuple(now))) if shapes else None


def with_kept(slide: Json, kept: Kept, side: int) -> Json | None:
    """A slide of a snapshot that was taken without the kept shapes, with stand-ins for these.

    None where the shapes of the snapshot are not those that were to be read.
    """
    blocks = _blocks(slide["shapes"])
    order = kept.orders[side]
    if len(blocks) != sum(id not in kept.shapes for id in order):
        return None
    rest = iter(blocks)
    every = [
        shape for id in order for shape in (kept.stand_ins[id] if id in kept.shapes else next(rest))
    ]
    shapes = [{**shape, "z": z} for z, shape in enumerate(every)]
    whole = {**slide, "shapes": shapes}
    whole["content"] = content_of_slide(whole)
    return whole


def _blocks(shapes: list[Json]) -> list[list[Json]]:
    """Shapes directly on the slide, each with the members that follow it."""
    found: list[list[Json]] = []
    for shape in shapes:
        if shape.get("groups") and found:
            found[-1].append(shape)
        else:
            found.append([shape])
    return found


def _around(slide: Element) -> list[bytes]:
    """What all shapes of a slide depend on, its layout aside."""
    found = [child for child in slide if child.tag not in _PLAYED]
    found += [child for child in slide.iterfind(f"{qn('p:cSld')}/*") if child.tag not in _APART]
    return [serialize_xml(child) for child in found]


def _written(slide: Element, path: str) -> list[bytes]:
    return [serialize_xml(child) for child in slide.iterfind(path)]


def _by_id(tree: Element) -> dict[int, Element] | None:
    """The shapes directly on a slide; None where any shape has no id or one that others have."""
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


def _stand_ins(element: Element, groups: tuple[int, ...] = ()) -> Iterator[Json]:
    """What matching asks for of a shape, then of the members of a group."""
    name = non_visual_properties(element)
    found: Json = {
        "kind": _KINDS.get(str(element.tag), "kept"),
        "content": hashlib.sha256(serialize_xml(element)).hexdigest(),
        "id": _id(element),
        "name": "" if name is None else name.get("name") or local_name(str(element.tag)),
        **_place(element),
    }
    if groups:
        found["groups"] = list(groups)
    if element.tag == _CONNECTOR:
        ends = ("start", "start_site", "end", "end_site")
        glue = zip(ends, glue_of(element), strict=True)
        found["line"] = {end: value for end, value in glue if value is not None}
    if element.tag != _GROUP:
        said = " ".join(item.text for item in element.iter(qn("a:t")) if item.text)
        yield {**found, "other": {"text": said}}
        return
    yield found
    for member in shape_elements(element):
        yield from _stand_ins(member, (*groups, found["id"]))


def _place(element: Element) -> Json:
    """About where a shape says it stands, in points."""
    place = next(element.iter(qn("a:off")), None)
    extent = next(element.iter(qn("a:ext")), None)
    stated = [(place, "x", "x"), (place, "y", "y"), (extent, "w", "cx"), (extent, "h", "cy")]
    return {
        key: (parse_emu(item.get(attribute)) or 0) / EMU_PER_POINT
        for item, key, attribute in stated
        if item is not None
    }
