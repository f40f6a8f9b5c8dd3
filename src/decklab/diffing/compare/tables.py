"""What differs between two tables: cells, rows, columns, and how they look."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from decklab.diffing.compare.difference import INHERITED, Difference, Json
from decklab.diffing.compare.look import paint_differences, pen_differences
from decklab.diffing.compare.text import text_differences
from decklab.diffing.match.sequences import Pairs, aligned, unpaired

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
        *_removed_and_added("row", *texts, rows),
        *_removed_and_added("column", _column_texts(texts[0]), _column_texts(texts[1]), columns),
    ]
    structure += [
        Difference("table", key, old.get(key), new.get(key))
        for key in _STYLING
        if old.get(key) != new.get(key)
    ]
    yield from structure
    for difference in _cells(a, b, rows, columns):
        if not (structure and _follows(difference)):
            yield difference
    yield from _measures("row height", old.get("heights", ()), new.get("heights", ()), rows)
    yield from _measures("column width", old.get("columns", ()), new.get("columns", ()), columns)


def _follows(difference: Difference) -> bool:
    """Whether a difference of a cell may come from the bands of the table's style, which count rows
    from the top, and not from the cell."""
    return (
        difference.kind == "style"
        and "table_style" in difference.origins
        and INHERITED.issuperset(difference.origins)
    )


def _texts(row: Sequence[Json]) -> list[str]:
    return [cell.get("text", "") for cell in row]


def aligned_cells(a: Sequence[Sequence[str]], b: Sequence[Sequence[str]]) -> tuple[Pairs, Pairs]:
    """Which rows and which columns of two tables correspond, by the texts of their cells.

    >>> aligned_cells([["a", "b"], ["c", "d"]], [["a", "b"], ["new", "row"], ["c", "d"]])
    ([(0, 0), (1, 2)], [(0, 0), (1, 1)])
    """
    rows = aligned(["\t".join(row) for row in a], ["\t".join(row) for row in b])
    if not rows:
        width = min(len(_column_texts(a)), len(_column_texts(b)))
        return rows, [(c, c) for c in range(width)]
    old, new = _column_texts([a[i] for i, _ in rows]), _column_texts([b[j] for _, j in rows])
    return rows, aligned(["\t".join(texts) for texts in old], ["\t".join(texts) for texts in new])


def _column_texts(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max(map(len, rows), default=0)
    return [[row[c] if c < len(row) else "" for row in rows] for c in range(width)]


def _removed_and_added(
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
