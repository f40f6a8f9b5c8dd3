"""Compares the shapes of two slides, layouts or masters, with their tables and charts."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from decklab.diffing.changes import (
    INHERITED,
    Difference,
    FieldRules,
    Json,
    Placed,
    field_differences,
    key_difference,
    merged,
    without_consequences,
)
from decklab.diffing.compare.geometry import GroupFrame, geometry_differences, sized_once
from decklab.diffing.compare.text import (
    area_differences,
    line_differences,
    paint_differences,
    pen_differences,
    picture_differences,
    text_differences,
)
from decklab.diffing.matching import match_shapes
from decklab.diffing.sequences import Pairs, aligned, moved, unpaired
from decklab.diffing.wording import shape_name

_APART = frozenset({"type", "plots", "grouping", "series", "axes", "workbook", "sources"})
_DATA = ("values", "categories", "sizes")
_REFERENCES = frozenset({"values_ref", "categories_ref"})
"""Where the workbook holds the data; more data take more cells."""
_SERIES_APART = frozenset({*_DATA, "name", "plot", "color", "sources"})


def chart_differences(old: Json, new: Json) -> Iterator[Difference]:
    """Differences of the ``chart`` of two shapes. A workbook that changed along with its data is
    not reported."""
    if old == new:
        return
    types = _type(old), _type(new)
    if types[0] != types[1]:
        yield Difference("chart", "type", *types)
    else:
        yield from key_difference("chart", "grouping", old, new)
    data = list(_all_series(old.get("series", ()), new.get("series", ())))
    yield from data
    if not data:
        yield from key_difference("chart", "workbook", old, new)
    yield from _axes(old.get("axes", ()), new.get("axes", ()))
    yield from field_differences(old, new, FieldRules("chart", skip=_APART))


def _type(chart: Json) -> Any:
    plots = chart.get("plots", [])
    return plots if len(plots) > 1 else chart.get("type")


def _all_series(a: Sequence[Json], b: Sequence[Json]) -> Iterator[Difference]:
    pairs = _pairs(a, b)
    removed, added = unpaired(a, b, pairs)
    for i, series in removed:
        yield Difference("chart", "series removed", _summary(series), None, _label(series, i))
    for j, series in added:
        yield Difference("chart", "series added", None, _summary(series), _label(series, j))
    both = [(a[i], b[j]) for i, j in pairs]
    if (common := _common_categories(both)) is not None:
        yield from _removed_and_added_categories(both, common)
    for i, j in pairs:
        if a[i] != b[j]:
            differences = _series(a[i], b[j], _label(b[j], j))
            if common is not None and _same_values(common, a[i], b[j]):
                differences = (
                    difference for difference in differences if difference.property not in _DATA
                )
            yield from differences
    if common is None:
        yield from _categories(both)


def _common_categories(series: Sequence[tuple[Json, Json]]) -> Pairs | None:
    """Pairs of common categories if others were only added or only removed; else None."""
    sides = {(_chart_texts(old), _chart_texts(new)) for old, new in series}
    if len(sides) != 1:
        return None
    old, new = sides.pop()
    pairs = aligned(old, new)
    same = bool(pairs) and len(pairs) == min(len(old), len(new)) and len(old) != len(new)
    return pairs if same and all(old[i] == new[j] for i, j in pairs) else None


def _chart_texts(series: Json) -> tuple[str, ...]:
    return tuple(map(str, series.get("categories", ())))


def _same_values(common: Pairs, old: Json, new: Json) -> bool:
    """Whether a series has the same numbers for the categories that both charts have."""
    return all(
        _at(old.get(key, ()), i) == _at(new.get(key, ()), j)
        for key in ("values", "sizes")
        for i, j in common
    )


def _at(values: Sequence[Any], at: int) -> Any:
    return values[at] if at < len(values) else None


def _removed_and_added_categories(
    series: Sequence[tuple[Json, Json]], common: Pairs
) -> Iterator[Difference]:
    """One difference for each category, with its numbers in all series."""
    removed, added = unpaired(_chart_texts(series[0][0]), _chart_texts(series[0][1]), common)
    for i, name in removed:
        numbers = _numbers([old for old, _new in series], i)
        yield Difference("chart", "category removed", numbers, None, f"category {name}")
    for j, name in added:
        numbers = _numbers([new for _old, new in series], j)
        yield Difference("chart", "category added", None, numbers, f"category {name}")


def _numbers(all_series: Sequence[Json], at: int) -> Json:
    """The values of one category, by the name of the series."""
    return {
        series.get("name") or str(number): _at(series.get("values", ()), at)
        for number, series in enumerate(all_series, start=1)
    }


def _pairs(a: Sequence[Json], b: Sequence[Json]) -> Pairs:
    if len(a) == len(b):
        return [(i, i) for i in range(len(a))]
    return aligned([item.get("name") or "" for item in a], [item.get("name") or "" for item in b])


def _label(series: Json, index: int) -> str:
    return f"series {series.get('name') or index + 1}"


def _summary(series: Json) -> Json:
    return {key: series.get(key) for key in ("name", "values")}


def _series(old: Json, new: Json, label: str) -> Iterator[Difference]:
    yield from key_difference("chart", "name", old, new, name="series name", part=label)
    for key in ("values", "sizes"):
        yield from key_difference("chart", key, old, new, [], part=label)
    yield from key_difference("style", "color", old, new, name="series color", part=label)
    moved = any(len(old.get(key, [])) != len(new.get(key, [])) for key in _DATA)
    skip = _SERIES_APART | (_REFERENCES if moved else set())
    yield from field_differences(old, new, FieldRules("chart", skip=skip), part=label)


def _categories(series: Iterable[tuple[Json, Json]]) -> Iterator[Difference]:
    """Yield each change of categories once, although several series hold the same ones."""
    both = [(old.get("categories", []), new.get("categories", [])) for old, new in series]
    reported: list[tuple[list[Any], list[Any]]] = []
    for old, new in sorted(both, key=lambda pair: -len(pair[0])):
        known = any(was[: len(old)] == old and now[: len(new)] == new for was, now in reported)
        if old != new and not known:
            reported.append((old, new))
            yield Difference("chart", "categories", old, new)


def _axes(a: Sequence[Json], b: Sequence[Json]) -> Iterator[Difference]:
    if len(a) != len(b):
        was, now = ([axis.get("kind") for axis in side] for side in (a, b))
        yield Difference("chart", "axes", was, now)
        return
    if Counter(map(_axis_kind, a)) == Counter(map(_axis_kind, b)):
        # Programs list them in any order.
        a, b = (sorted(side, key=_axis_kind) for side in (a, b))
    for index, (old, new) in enumerate(zip(a, b, strict=True), start=1):
        part = f"{new.get('kind', '')} axis {index}".strip()
        yield from field_differences(old, new, FieldRules("chart", "axis.", {"sources"}), part=part)


def _axis_kind(axis: Json) -> str:
    return str(axis.get("kind", ""))


_STYLING = (
    "style_id", "first_row", "last_row", "first_column", "last_column", "row_bands",
    "column_bands",
)  # fmt: skip
_SIDES = ("left", "top", "right", "bottom")
_INVISIBLE_PX = 0.05


def table_differences(old: Json, new: Json) -> Iterator[Difference]:
    """How the ``table`` of two shapes differs; structure first, then cell by cell."""
    if old == new:
        return
    a, b = old.get("rows", ()), new.get("rows", ())
    texts = [_texts(row) for row in a], [_texts(row) for row in b]
    rows, columns = aligned_cells(*texts)
    structure = [
        *_lost_and_new("row", *texts, rows),
        *_lost_and_new("column", _column_texts(texts[0]), _column_texts(texts[1]), columns),
    ]
    structure += [style for key in _STYLING for style in key_difference("table", key, old, new)]
    yield from structure
    for difference in _cells(a, b, rows, columns):
        if not (structure and _follows(difference)):
            yield difference
    yield from _measures("row height", old.get("heights", ()), new.get("heights", ()), rows)
    yield from _measures("column width", old.get("columns", ()), new.get("columns", ()), columns)


def _follows(difference: Difference) -> bool:
    """Whether a cell's difference may come from the bands of its table's style."""
    origins = set(difference.origins)
    return difference.kind == "style" and "table_style" in origins and origins <= INHERITED


def _texts(row: Sequence[Json]) -> list[str]:
    return [cell.get("text", "") for cell in row]


def aligned_cells(a: Sequence[Sequence[str]], b: Sequence[Sequence[str]]) -> tuple[Pairs, Pairs]:
    """Which rows and which columns of two tables correspond, by the texts of their cells.

    >>> aligned_cells([["a", "b"], ["c", "d"]], [["a", "b"], ["new", "row"], ["c", "d"]])
    ([(0, 0), (1, 2)], [(0, 0), (1, 1)])
    """
    if not (rows := aligned(["\t".join(row) for row in a], ["\t".join(row) for row in b])):
        width = min(len(_column_texts(a)), len(_column_texts(b)))
        return rows, [(c, c) for c in range(width)]
    old, new = _column_texts([a[i] for i, _ in rows]), _column_texts([b[j] for _, j in rows])
    return rows, aligned(["\t".join(texts) for texts in old], ["\t".join(texts) for texts in new])


def _column_texts(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max(map(len, rows), default=0)
    return [[row[c] if c < len(row) else "" for row in rows] for c in range(width)]


def _lost_and_new(
    what: str, a: list[list[str]], b: list[list[str]], pairs: Pairs
) -> Iterator[Difference]:
    removed, added = unpaired(a, b, pairs)
    for i, texts in removed:
        yield Difference("table", f"{what} removed", texts, None, f"{what} {i + 1}")
    for j, texts in added:
        yield Difference("table", f"{what} added", None, texts, f"{what} {j + 1}")


def _cells(
    a: Sequence[Sequence[Json]], b: Sequence[Sequence[Json]], rows: Pairs, columns: Pairs
) -> Iterator[Difference]:
    for i, j in rows:
        for c, d in columns:
            if c < len(a[i]) and d < len(b[j]) and a[i][c] != b[j][d]:
                yield from _cell(a[i][c], b[j][d], f"row {j + 1}, column {d + 1}")


def _cell(old: Json, new: Json, part: str) -> Iterator[Difference]:
    for difference in text_differences(old, new, where=part):
        if difference.kind == "text":
            yield replace(difference, kind="table", property="cell text")
        else:
            yield difference
    origins = old.get("sources", {}).get("fill", ""), new.get("sources", {}).get("fill", "")
    yield from paint_differences("cell.fill", old.get("paint"), new.get("paint"), origins, part)
    for side in _SIDES:
        for difference in pen_differences(old.get(side, {}), new.get(side, {}), part):
            yield replace(difference, property=f"cell.{side}.{difference.property}")
    spans = [[cell.get("row_span", 1), cell.get("column_span", 1)] for cell in (old, new)]
    if spans[0] != spans[1]:
        yield Difference("table", "cell span", spans[0], spans[1], part)


def _measures(
    name: str, a: Sequence[float], b: Sequence[float], pairs: Pairs
) -> Iterator[Difference]:
    what = name.partition(" ")[0]
    for i, j in pairs:
        if i < len(a) and j < len(b) and a[i] != b[j]:
            noise = abs(a[i] - b[j]) <= _INVISIBLE_PX
            yield Difference("table", name, a[i], b[j], f"{what} {j + 1}", noise=noise)


_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr"})


@dataclass(frozen=True)
class ShapeComparison:
    """The pairs of two lists of shapes, and their differences."""

    placed: tuple[Placed, ...]
    ids: dict[int, int]
    """Newer id of each paired shape by its older id."""
    pairs: tuple[tuple[Json, Json], ...]


def compare_shapes(before: Sequence[Json], after: Sequence[Json]) -> ShapeComparison:
    """Pair shapes; find which were added, removed, changed or moved in drawing order."""
    if before == after:
        ids = {shape["id"]: shape["id"] for shape in after if shape.get("id")}
        return ShapeComparison((), ids, tuple(zip(before, after, strict=True)))
    matches = match_shapes(before, after)
    pairs = tuple((before[i], after[j]) for i, j in matches)
    ids = {a["id"]: b["id"] for a, b in pairs if a.get("id") and b.get("id")}
    placed = [
        *_removed_and_added(before, after, matches),
        *_without_followers(list(_changed(pairs, ids)), ids),
        *_restacked(pairs, ids),
    ]
    return ShapeComparison(tuple(placed), ids, pairs)


def _removed_and_added(
    before: Sequence[Json], after: Sequence[Json], pairs: Sequence[tuple[int, int]]
) -> Iterator[Placed]:
    """Shapes without a counterpart, removed ones first."""
    removed, added = unpaired(before, after, pairs)
    kept = [before[i] for i, _j in pairs], [after[j] for _i, j in pairs]
    for shape in _without_members([shape for _i, shape in removed]):
        members, summary = _kept_members(shape, kept[0], kept[0]), shape_summary(shape)
        gone = Difference("removed", shape["kind"], summary, None, members=members)
        yield Placed(shape, None, gone)
    for shape in _without_members([shape for _j, shape in added]):
        members, summary = _kept_members(shape, kept[1], kept[0]), shape_summary(shape)
        new = Difference("added", shape["kind"], None, summary, members=members)
        yield Placed(None, shape, new)


def _kept_members(group: Json, kept: Sequence[Json], older: Sequence[Json]) -> tuple[str, ...]:
    """Words for the members of an added or removed group that both versions have."""
    if group["kind"] != "group" or not group.get("id"):
        return ()
    both = zip(kept, older, strict=True)
    return tuple(shape_name(was) for shape, was in both if _parent(shape) == group["id"])


def _without_members(shapes: Sequence[Json]) -> Iterator[Json]:
    """Shapes whose groups are not among ``shapes``: a group's change covers its members."""
    groups = {shape["id"] for shape in shapes if shape["kind"] == "group" and shape.get("id")}
    return (shape for shape in shapes if not groups & set(shape.get("groups", ())))


def _changed(pairs: Sequence[tuple[Json, Json]], ids: dict[int, int]) -> Iterator[Placed]:
    groups = {new["id"]: (old, new) for old, new in pairs if new["kind"] == "group" and "id" in new}
    for old, new in pairs:
        frame = None
        if (parent := _parent(new)) in groups and ids.get(_parent(old) or 0) == parent:
            frame = GroupFrame(*groups[parent])
        differences = list(shape_differences(old, new, frame, ids))
        differences = list(sized_once(old, new, differences))
        for difference in merged(without_consequences(differences)):
            yield Placed(old, new, difference)
        yield from (Placed(old, new, difference) for difference in _regrouped(old, new, ids))


def _steadiness(shape: Json) -> float:
    """Weight of a shape for the fewest moves: programs put footers and numbers on top."""
    return 1.0 if shape.get("placeholder", {}).get("type") in _FURNITURE else 1.0001


def _without_followers(differences: list[Placed], ids: dict[int, int]) -> Iterator[Placed]:
    """The differences without connector ends that moved with the shapes they are glued to."""
    moved = {
        placed.new["id"]
        for placed in differences
        if placed.difference.kind == "geometry" and placed.new is not None and placed.new.get("id")
        and placed.new["kind"] != "line"
    }  # fmt: skip
    for placed in differences:
        end = placed.difference.property
        if moved and end in ("start", "end") and placed.new is not None and placed.old is not None:
            glued = [shape.get("line", {}).get(end) for shape in (placed.old, placed.new)]
            if ids.get(glued[0] or 0) == glued[1] and glued[1] in moved:
                continue
        yield placed


def _parent(shape: Json) -> int | None:
    groups = shape.get("groups")
    return groups[-1] if groups else None


def _regrouped(old: Json, new: Json, ids: dict[int, int]) -> Iterator[Difference]:
    """The change of a shape's group, if both decks have both groups."""
    before, after = _parent(old), _parent(new)
    common = set(ids.values())
    mapped = None if before is None else ids.get(before, 0)
    if mapped not in (after, 0) and (after is None or after in common):
        yield Difference("geometry", "group", mapped, after)


def _restacked(pairs: Sequence[tuple[Json, Json]], ids: dict[int, int]) -> Iterator[Placed]:
    """Shapes that moved in the drawing order of their group or slide."""
    families: dict[int | None, list[tuple[Json, Json]]] = defaultdict(list)
    for old, new in pairs:
        parent, before = _parent(new), _parent(old)
        if parent is None or ids.get(before or 0) == parent:
            families[parent].append((old, new))
    for family in families.values():
        order = [old.get("z") or 0 for old, _new in family]
        for index in moved(order, [_steadiness(new) for _old, new in family]):
            old, new = family[index]
            at = sorted(order).index(order[index]) + 1
            yield Placed(old, new, Difference("z-order", "z", at, index + 1))


_NAMED = ("name", "id")
_PLACES = frozenset(
    {"x", "y", "w", "h", "x1", "y1", "x2", "y2", "rotation", "flip_h", "flip_v", "placed"}
)
_HANDLED = _PLACES | {
    "kind", "content", "z", "groups", "id", "name", "creation_id", "sources", "text", "shape",
    "line", "image", "table", "chart", "diagram", "media", "group", "other", "alt_text",
    "alt_title", "decorative", "click", "hover", "effects", "hidden",
}  # fmt: skip
_SUMMARY_LENGTH = 200  # characters of text that identify a shape


def shape_differences(
    old: Json, new: Json, frame: GroupFrame | None, shape_ids: dict[int, int]
) -> Iterator[Difference]:
    """All differences of two states of a shape, except its place in the drawing order.

    ``frame`` is the enclosing group's box, ``shape_ids`` the newer ids of the slide's shapes.
    """
    if (kind := new["kind"]) == "line":
        yield from _glue(old.get("line", {}), new.get("line", {}), shape_ids)
    if old == new:
        return
    yield from geometry_differences(old, new, frame)
    yield from _common(old, new)
    yield from text_differences(old.get("text", {}), new.get("text", {}))
    if (comparer := COMPARERS.get(kind)) is not None:
        yield from comparer(old.get(kind, {}), new.get(kind, {}))
    for key in _NAMED:
        yield from (replace(item, noise=True) for item in key_difference("name", key, old, new))
    yield from field_differences(old, new, FieldRules("other", skip=_HANDLED))


def shape_summary(shape: Json) -> Json:
    """Kind, name, text and place of an added or removed shape."""
    text = shape.get("text", {}).get("text", "")
    summary = {"kind": shape["kind"], "name": shape.get("name", "")}
    if text:
        summary["text"] = text[:_SUMMARY_LENGTH]
    return summary | {key: shape[key] for key in sorted(_PLACES & set(shape)) if key != "placed"}


def _common(old: Json, new: Json) -> Iterator[Difference]:
    for key, name in (("alt_text", "description"), ("alt_title", "title")):
        yield from key_difference("alt text", key, old, new, "", name=name)
    yield from key_difference("alt text", "decorative", old, new, False)
    for key in ("click", "hover"):
        yield from key_difference("link", key, old, new)
    for key, none in (("effects", []), ("hidden", False)):
        if old.get(key, none) != new.get(key, none):
            origins = (
                _effect_origin(old) if key == "effects" else "",
                _effect_origin(new) if key == "effects" else "",
            )
            yield Difference("style", key, old.get(key, none), new.get(key, none), origins=origins)


def _effect_origin(shape: Json) -> str:
    content = shape.get(shape["kind"], {})
    origin: Any = content.get("sources", {}).get("effects", "")
    return str(origin)


def _glue(old: Json, new: Json, shape_ids: dict[int, int]) -> Iterator[Difference]:
    """Differences of a connector's glue; the site counts only if the shape is the same."""
    for end in ("start", "end"):
        if (stated := old.get(end)) is not None and stated not in shape_ids:
            continue
        before = None if stated is None else shape_ids[stated]
        glued = before, new.get(end)
        sites = old.get(f"{end}_site"), new.get(f"{end}_site")
        if glued[0] != glued[1]:
            yield Difference("geometry", f"connected {end}", *glued)
        elif glued[0] is not None and sites[0] != sites[1]:
            yield Difference("geometry", f"connected {end} site", *sites)


def _diagram(old: Json, new: Json) -> Iterator[Difference]:
    nodes = old.get("nodes", []), new.get("nodes", [])
    if nodes[0] != nodes[1]:
        values = [list(map(_node, side)) for side in nodes]
        yield Difference("diagram", "nodes", values[0], values[1])
    yield from field_differences(old, new, FieldRules("diagram", skip={"nodes", "sources"}))


def _node(node: Json) -> Any:
    return "  " * node.get("depth", 0) + node.get("text", "")


def _media(old: Json, new: Json) -> Iterator[Difference]:
    yield from picture_differences(old, new, "media")


def _other(old: Json, new: Json) -> Iterator[Difference]:
    yield from field_differences(old, new, FieldRules("other", skip={"sources"}))


COMPARERS: dict[str, Callable[[Json, Json], Iterator[Difference]]] = {
    "shape": area_differences,
    "line": line_differences,
    "image": picture_differences,
    "table": table_differences,
    "chart": chart_differences,
    "diagram": _diagram,
    "media": _media,
    "other": _other,
}
"""Comparers of the content of a shape, by its kind; a new comparer is one line."""
