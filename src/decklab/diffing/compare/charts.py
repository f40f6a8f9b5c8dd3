"""What differs between two charts: data, type, titles and how they are dressed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from decklab.diffing.compare.difference import Difference, Json, field_differences
from decklab.diffing.match.sequences import aligned

_APART = frozenset({"type", "plots", "grouping", "series", "axes", "workbook", "sources"})
_DATA = ("values", "categories", "sizes")
_REFERENCES = frozenset({"values_ref", "categories_ref"})
"""Where the workbook holds the data: more data take more cells."""
_SERIES_APART = frozenset({*_DATA, "name", "plot", "color", "sources"})


def chart_differences(old: Json, new: Json) -> Iterator[Difference]:
    """How the ``chart`` of two shapes differs.

    A workbook that changed along with the data it feeds is not told again.
    """
    if old == new:
        return
    types = _type(old), _type(new)
    if types[0] != types[1]:
        yield Difference("chart", "type", *types)
    elif old.get("grouping") != new.get("grouping"):
        yield Difference("chart", "grouping", old.get("grouping"), new.get("grouping"))
    data = list(_all_series(old.get("series", ()), new.get("series", ())))
    yield from data
    if old.get("workbook") != new.get("workbook") and not data:
        yield Difference("chart", "workbook", old.get("workbook"), new.get("workbook"))
    yield from _axes(old.get("axes", ()), new.get("axes", ()))
    yield from field_differences(old, new, "chart", skip=_APART)


def _type(chart: Json) -> Any:
    plots = chart.get("plots", [])
    return plots if len(plots) > 1 else chart.get("type")


def _all_series(a: Sequence[Json], b: Sequence[Json]) -> Iterator[Difference]:
    pairs = _pairs(a, b)
    gone, come = {i for i, _ in pairs}, {j for _, j in pairs}
    for i, series in enumerate(a):
        if i not in gone:
            yield Difference("chart", "series removed", _told(series), None, _label(series, i))
    for j, series in enumerate(b):
        if j not in come:
            yield Difference("chart", "series added", None, _told(series), _label(series, j))
    both = [(a[i], b[j]) for i, j in pairs]
    kept = _kept_categories(both)
    if kept is not None:
        yield from _came_and_went(both, kept)
    for i, j in pairs:
        if a[i] != b[j]:
            found = _series(a[i], b[j], _label(b[j], j))
            if kept is not None and _same_but_for(kept, a[i], b[j]):
                found = (one for one in found if one.property not in _DATA)
            yield from found
    if kept is None:
        yield from _categories(both)


def _kept_categories(series: Sequence[tuple[Json, Json]]) -> list[tuple[int, int]] | None:
    """Which categories are which, where some came or went and the others are the same; else
    None."""
    sides = {(_texts(old), _texts(new)) for old, new in series}
    if len(sides) != 1:
        return None
    old, new = sides.pop()
    pairs = aligned(old, new)
    same = bool(pairs) and len(pairs) == min(len(old), len(new)) and len(old) != len(new)
    return pairs if same and all(old[i] == new[j] for i, j in pairs) else None


def _texts(series: Json) -> tuple[str, ...]:
    return tuple(map(str, series.get("categories", ())))


def _same_but_for(kept: Sequence[tuple[int, int]], old: Json, new: Json) -> bool:
    """Whether a series has the same numbers for the categories that stayed."""
    return all(
        [_at(old.get(key, ()), i) for i, _ in kept] == [_at(new.get(key, ()), j) for _, j in kept]
        for key in ("values", "sizes")
    )


def _at(values: Sequence[Any], place: int) -> Any:
    return values[place] if place < len(values) else None


def _came_and_went(
    series: Sequence[tuple[Json, Json]], kept: Sequence[tuple[int, int]]
) -> Iterator[Difference]:
    """A category with its numbers is one change."""
    stayed = {i for i, _ in kept}, {j for _, j in kept}
    for side, word in ((0, "removed"), (1, "added")):
        every = [pair[side] for pair in series]
        for place, name in enumerate(_texts(every[0])):
            if place not in stayed[side]:
                told = {
                    one.get("name") or str(number): _at(one.get("values", ()), place)
                    for number, one in enumerate(every, start=1)
                }
                gone, come = (None, told) if side else (told, None)
                yield Difference("chart", f"category {word}", gone, come, f"category {name}")


def _pairs(a: Sequence[Json], b: Sequence[Json]) -> list[tuple[int, int]]:
    if len(a) == len(b):
        return [(i, i) for i in range(len(a))]
    return aligned([one.get("name") or "" for one in a], [one.get("name") or "" for one in b])


def _label(series: Json, index: int) -> str:
    return f"series {series.get('name') or index + 1}"


def _told(series: Json) -> Json:
    return {key: series.get(key) for key in ("name", "values")}


def _series(old: Json, new: Json, label: str) -> Iterator[Difference]:
    if old.get("name") != new.get("name"):
        yield Difference("chart", "series name", old.get("name"), new.get("name"), label)
    if old.get("values", []) != new.get("values", []):
        yield Difference("chart", "values", old.get("values", []), new.get("values", []), label)
    if old.get("sizes", []) != new.get("sizes", []):
        yield Difference("chart", "sizes", old.get("sizes", []), new.get("sizes", []), label)
    if old.get("color") != new.get("color"):
        yield Difference("style", "series color", old.get("color"), new.get("color"), label)
    moved = any(len(old.get(key, [])) != len(new.get(key, [])) for key in _DATA)
    skip = _SERIES_APART | (_REFERENCES if moved else set())
    yield from field_differences(old, new, "chart", part=label, skip=skip)


def _categories(series: Iterable[tuple[Json, Json]]) -> Iterator[Difference]:
    """Series share their categories, all or the first of them: what one tells goes for others."""
    both = [(old.get("categories", []), new.get("categories", [])) for old, new in series]
    told: list[tuple[list[Any], list[Any]]] = []
    for old, new in sorted(both, key=lambda pair: -len(pair[0])):
        known = any(was[: len(old)] == old and now[: len(new)] == new for was, now in told)
        if old != new and not known:
            told.append((old, new))
            yield Difference("chart", "categories", old, new)


def _axes(a: Sequence[Json], b: Sequence[Json]) -> Iterator[Difference]:
    if len(a) != len(b):
        yield Difference("chart", "axes", [one.get("kind") for one in a],
                         [one.get("kind") for one in b])  # fmt: skip
        return
    if Counter(map(_axis_kind, a)) == Counter(map(_axis_kind, b)):
        a, b = sorted(a, key=_axis_kind), sorted(b, key=_axis_kind)  # programs list them anyhow
    for index, (old, new) in enumerate(zip(a, b, strict=True), start=1):
        part = f"{new.get('kind', '')} axis {index}".strip()
        yield from field_differences(old, new, "chart", prefix="axis.", part=part, skip={"sources"})


def _axis_kind(axis: Json) -> str:
    return str(axis.get("kind", ""))
