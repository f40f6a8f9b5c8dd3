"""Compares two charts: data, type, titles, axes and style."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from decklab.diffing.compare.difference import Difference, FieldRules, Json, field_differences
from decklab.diffing.match.sequences import Pairs, aligned, unpaired

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
    elif old.get("grouping") != new.get("grouping"):
        yield Difference("chart", "grouping", old.get("grouping"), new.get("grouping"))
    data = list(_all_series(old.get("series", ()), new.get("series", ())))
    yield from data
    if old.get("workbook") != new.get("workbook") and not data:
        yield Difference("chart", "workbook", old.get("workbook"), new.get("workbook"))
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
    common = _common_categories(both)
    if common is not None:
        yield from _removed_and_added_categories(both, common)
    for i, j in pairs:
        if a[i] != b[j]:
            differences = _series(a[i], b[j], _label(b[j], j))
            if common is not None and _same_values(common, a[i], b[j]):
                differences = (one for one in differences if one.property not in _DATA)
            yield from differences
    if common is None:
        yield from _categories(both)


def _common_categories(series: Sequence[tuple[Json, Json]]) -> Pairs | None:
    """Pairs of the categories that both charts have, if others were only added or only removed;
    else None."""
    sides = {(_texts(old), _texts(new)) for old, new in series}
    if len(sides) != 1:
        return None
    old, new = sides.pop()
    pairs = aligned(old, new)
    same = bool(pairs) and len(pairs) == min(len(old), len(new)) and len(old) != len(new)
    return pairs if same and all(old[i] == new[j] for i, j in pairs) else None


def _texts(series: Json) -> tuple[str, ...]:
    return tuple(map(str, series.get("categories", ())))


def _same_values(common: Pairs, old: Json, new: Json) -> bool:
    """Whether a series has the same numbers for the categories that both charts have."""
    return all(
        _at(old.get(key, ()), i) == _at(new.get(key, ()), j)
        for key in ("values", "sizes")
        for i, j in common
    )


def _at(values: Sequence[Any], place: int) -> Any:
    return values[place] if place < len(values) else None


def _removed_and_added_categories(
    series: Sequence[tuple[Json, Json]], common: Pairs
) -> Iterator[Difference]:
    """One difference for each category, with its numbers in all series."""
    removed, added = unpaired(_texts(series[0][0]), _texts(series[0][1]), common)
    for i, name in removed:
        numbers = _numbers([old for old, _new in series], i)
        yield Difference("chart", "category removed", numbers, None, f"category {name}")
    for j, name in added:
        numbers = _numbers([new for _old, new in series], j)
        yield Difference("chart", "category added", None, numbers, f"category {name}")


def _numbers(all_series: Sequence[Json], place: int) -> Json:
    """The values of one category, by the name of the series."""
    return {
        series.get("name") or str(number): _at(series.get("values", ()), place)
        for number, series in enumerate(all_series, start=1)
    }


def _pairs(a: Sequence[Json], b: Sequence[Json]) -> Pairs:
    if len(a) == len(b):
        return [(i, i) for i in range(len(a))]
    return aligned([one.get("name") or "" for one in a], [one.get("name") or "" for one in b])


def _label(series: Json, index: int) -> str:
    return f"series {series.get('name') or index + 1}"


def _summary(series: Json) -> Json:
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
        yield Difference("chart", "axes", [axis.get("kind") for axis in a],
                         [axis.get("kind") for axis in b])  # fmt: skip
        return
    if Counter(map(_axis_kind, a)) == Counter(map(_axis_kind, b)):
        a, b = (
            sorted(a, key=_axis_kind),
            sorted(b, key=_axis_kind),
        )  # programs list them in any order
    for index, (old, new) in enumerate(zip(a, b, strict=True), start=1):
        part = f"{new.get('kind', '')} axis {index}".strip()
        yield from field_differences(old, new, FieldRules("chart", "axis.", {"sources"}), part=part)


def _axis_kind(axis: Json) -> str:
    return str(axis.get("kind", ""))
