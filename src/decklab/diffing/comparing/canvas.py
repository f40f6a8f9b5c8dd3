"""What differs between the shapes of two slides, layouts or masters."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decklab.diffing.comparing.geometry import Frame, sized_once
from decklab.diffing.comparing.shapes import shape_differences, shape_summary
from decklab.diffing.differences import Difference, Json, Placed, merged
from decklab.diffing.inheritance import without_consequences
from decklab.diffing.matching.order import moved
from decklab.diffing.matching.shapes import match_shapes

_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr"})


@dataclass(frozen=True)
class Canvas:
    """Two lists of shapes, who is who among them, and what differs."""

    found: tuple[Placed, ...]
    ids: dict[int, int]
    """Newer id of each matched shape by its older one."""
    pairs: tuple[tuple[Json, Json], ...]


def compare_shapes(before: Sequence[Json], after: Sequence[Json]) -> Canvas:
    """Match shapes and tell how they differ: who came, who went, who changed, who moved in z."""
    if before == after:
        ids = {shape["id"]: shape["id"] for shape in after if shape.get("id")}
        return Canvas((), ids, tuple(zip(before, after, strict=True)))
    matches = match_shapes(before, after)
    pairs = tuple((before[i], after[j]) for i, j in matches)
    ids = {a["id"]: b["id"] for a, b in pairs if a.get("id") and b.get("id")}
    found = [
        *_gone(before, {i for i, _ in matches}),
        *_come(after, {j for _, j in matches}),
        *_less_followers(list(_changed(pairs, ids)), ids),
        *_restacked(pairs, ids),
    ]
    return Canvas(tuple(found), ids, pairs)


def _gone(before: Sequence[Json], kept: set[int]) -> Iterator[Placed]:
    """Members of a group that went go with it."""
    lost = [shape for i, shape in enumerate(before) if i not in kept]
    groups = {shape["id"] for shape in lost if shape["kind"] == "group" and shape.get("id")}
    for shape in lost:
        if not groups & set(shape.get("groups", ())):
            yield Placed(
                shape, None, Difference("removed", shape["kind"], shape_summary(shape), None)
            )


def _come(after: Sequence[Json], kept: set[int]) -> Iterator[Placed]:
    gained = [shape for j, shape in enumerate(after) if j not in kept]
    groups = {shape["id"] for shape in gained if shape["kind"] == "group" and shape.get("id")}
    for shape in gained:
        if not groups & set(shape.get("groups", ())):
            yield Placed(
                None, shape, Difference("added", shape["kind"], None, shape_summary(shape))
            )


def _changed(pairs: Sequence[tuple[Json, Json]], ids: dict[int, int]) -> Iterator[Placed]:
    groups = {new["id"]: (old, new) for old, new in pairs if new["kind"] == "group" and "id" in new}
    for old, new in pairs:
        frame = None
        parent = _parent(new)
        if parent in groups and ids.get(_parent(old) or 0) == parent:
            frame = Frame(*groups[parent])
        found = list(shape_differences(old, new, frame, ids))
        found = list(sized_once(old, new, found))
        for difference in merged(without_consequences(found)):
            yield Placed(old, new, difference)
        yield from (Placed(old, new, one) for one in _regrouped(old, new, ids))


def _steadiness(shape: Json) -> float:
    """Of two that changed places the slide number, date or footer moved: programs put them on
    top."""
    return 1.0 if shape.get("placeholder", {}).get("type") in _FURNITURE else 1.0001


def _less_followers(found: list[Placed], ids: dict[int, int]) -> Iterator[Placed]:
    """The differences less the ends of connectors that went with the shapes they are glued to."""
    moved = {
        placed.new["id"]
        for placed in found
        if placed.found.kind == "geometry" and placed.new is not None and placed.new.get("id")
        and placed.new["kind"] != "line"
    }  # fmt: skip
    for placed in found:
        end = placed.found.property
        if moved and end in ("start", "end") and placed.new is not None and placed.old is not None:
            glued = [one.get("line", {}).get(end) for one in (placed.old, placed.new)]
            if ids.get(glued[0] or 0) == glued[1] and glued[1] in moved:
                continue
        yield placed


def _parent(shape: Json) -> int | None:
    groups = shape.get("groups")
    return groups[-1] if groups else None


def _regrouped(old: Json, new: Json, ids: dict[int, int]) -> Iterator[Difference]:
    """A shape that went from one lasting group to another; groups that come or go tell
    themselves."""
    before, after = _parent(old), _parent(new)
    lasting = set(ids.values())
    mapped = None if before is None else ids.get(before, 0)
    if mapped not in (after, 0) and (after is None or after in lasting):
        yield Difference("geometry", "group", mapped, after)


def _restacked(pairs: Sequence[tuple[Json, Json]], ids: dict[int, int]) -> Iterator[Placed]:
    """Shapes that changed places with others of their group or slide."""
    families: dict[int | None, list[tuple[Json, Json]]] = defaultdict(list)
    for old, new in pairs:
        parent, before = _parent(new), _parent(old)
        if parent is None or ids.get(before or 0) == parent:
            families[parent].append((old, new))
    for family in families.values():
        order = [old.get("z") or 0 for old, _new in family]
        for index in moved(order, [_steadiness(new) for _old, new in family]):
            old, new = family[index]
            places = sorted(order)
            place = places.index(order[index]) + 1
            yield Placed(old, new, Difference("z-order", "z", place, index + 1))
