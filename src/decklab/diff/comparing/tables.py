"""What differs between two tables: cells, rows, columns, and how they look."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from decklab.diff.comparing.paints import paint_differences, pen_differences
from decklab.diff.comparing.texts import text_differences
from decklab.diff.differences import Difference, Json
from decklab.diff.matching.sequences import aligned

__all__ = ["table_differences"]

_STYLING = (
    "style_id", "first_row", "last_row", "first_column", "last_column", "row_bands",
    "column_bands",
)  # fmt: skip
_SIDES = ("left", "top", "right", "bottom")
_INVISIBLE_PX = 0.05

Pairs = list[tuple[int, int]]


def table_differences(old: Json, new: Json) -> Iterator[Difference]:
    """How the ``table`` of two shapes differs; structure first, then cell by cell."""
    if old == new:
        return
    a, b = old.get("rows", ()), new.get("rows", ())
    rows = _aligned_rows(a, b)
    columns = _aligned_columns(a, b, rows)
    structure = [
        *_came_and_went("row", [_texts(row) for row in a], [_texts(row) for row in b], rows),
        *_came_and_went("column", _column_texts(a), _column_texts(b), columns),
    ]
    structure += [
        Difference("table", key, old.get(key), new.get(key))
        for key in _STYLING
        if old.get(key) != new.get(key)
    ]
    yield from structure
    for found in _cells(a, b, rows, columns):
        if not (structure and found.kind == "style" and "table_style" in found.origins):
            yield found  # else it follows from the table's style, and bands count rows anew
    yield from _measures("row height", old.get("heights", ()), new.get("heights", ()), rows)
    yield from _measures("column width", old.get("columns", ()), new.get("columns", ()), columns)


def _texts(row: Sequence[Json]) -> list[str]:
    return [cell.get("text", "") for cell in row]


def _column_texts(rows: Sequence[Sequence[Json]]) -> list[list[str]]:
    width = max(map(len, rows), default=0)
    return [[_texts(row)[c] if c < len(row) else "" for row in rows] for c in range(width)]


def _aligned_rows(a: Sequence[Sequence[Json]], b: Sequence[Sequence[Json]]) -> Pairs:
    return aligned(["\t".join(_texts(row)) for row in a], ["\t".join(_texts(row)) for row in b])


def _aligned_columns(
    a: Sequence[Sequence[Json]], b: Sequence[Sequence[Json]], rows: Pairs
) -> Pairs:
    old, new = _column_texts([a[i] for i, _ in rows]), _column_texts([b[j] for _, j in rows])
    if not rows:
        width = min(len(_column_texts(a)), len(_column_texts(b)))
        return [(c, c) for c in range(width)]
    return aligned(["\t".join(column) for column in old], ["\t".join(column) for column in new])


def _came_and_went(
    what: str, a: list[list[str]], b: list[list[str]], pairs: Pairs
) -> Iterator[Difference]:
    kept_a, kept_b = {i for i, _ in pairs}, {j for _, j in pairs}
    for i, texts in enumerate(a):
        if i not in kept_a:
            yield Difference("table", f"{what} removed", texts, None, f"{what} {i + 1}")
    for j, texts in enumerate(b):
        if j not in kept_b:
            yield Difference("table", f"{what} added", None, texts, f"{what} {j + 1}")


def _cells(
    a: Sequence[Sequence[Json]], b: Sequence[Sequence[Json]], rows: Pairs, columns: Pairs
) -> Iterator[Difference]:
    for i, j in rows:
        for c, d in columns:
            if c < len(a[i]) and d < len(b[j]) and a[i][c] != b[j][d]:
                yield from _cell(a[i][c], b[j][d], f"row {j + 1}, column {d + 1}")


def _cell(old: Json, new: Json, part: str) -> Iterator[Difference]:
    for found in text_differences(old, new, where=part):
        if found.kind == "text":
            yield replace(found, kind="table", property="cell text")
        else:
            yield found
    origins = old.get("sources", {}).get("fill", ""), new.get("sources", {}).get("fill", "")
    yield from paint_differences("cell.fill", old.get("paint"), new.get("paint"), origins, part)
    for side in _SIDES:
        for found in pen_differences(old.get(side, {}), new.get(side, {}), part):
            yield replace(found, property=f"cell.{side}.{found.property}")
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
