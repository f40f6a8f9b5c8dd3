"""What the numbers of a table say of its rows and columns, in sentences."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final, TypeVar

from decklab.documents.model import DocumentTable
from decklab.evals.judges.quiz.amounts import meaning_of_text, number_with_unit

PERIOD: Final = re.compile(r"(?:1[5-9]|20)\d\d|Q[1-4](?:\s\d{4})?")
"""A year or quarter, as the label of a row or the head of a column."""
_MOST_SUMMED: Final = 8
_MOST_COLUMNS: Final = 6
"""Rows whose sums are worked out, two together and all; columns that are compared. Ours."""
_THAN: Final = frozenset(("than",))
_AS: Final = frozenset(("as",))
_TOGETHER: Final = frozenset(
    ("together", "combined", "altogether", "total", "sum", "both", "all", "overall", "add")
)

_T = TypeVar("_T")
Fact = tuple[frozenset[str], str]
"""Words of which a claim has one to mean it, and the sentence."""
_Cell = tuple[str, str, float]
"""The label of its row, its words, its value."""


def table_facts(table: DocumentTable) -> Iterator[Fact]:
    """Which rows have most and least, what two have together, how columns change from period to
    period, and how many times as many of one thing there are as of another."""
    head, rows = table.rows[0], table.rows[table.header_rows :]
    columns = [
        (name, [_cell(row, place, name) for row in rows if place < len(row)])
        for place, name in enumerate(head[1:], start=1)
    ]
    for name, cells in columns:
        known = [cell for cell in cells if cell is not None]
        if len(known) == len(rows) and len(known) > 1:
            yield from _ranked(name, known)
            yield from _summed(name, known)
            yield from _changed(name, known)
    for row in rows:
        named = [
            (name, cell)
            for place, name in enumerate(head[1:], start=1)
            if place < len(row) and (cell := _cell(row, place, name)) is not None
        ]
        yield from _in_row(row[0], named[:_MOST_COLUMNS])


def _cell(row: Sequence[str], place: int, name: str) -> _Cell | None:
    """A cell that states one number, with the unit of its column; None for any other."""
    with_unit = number_with_unit(row[place], name)
    if with_unit is not None:
        written = f"{with_unit.values[0]:.15g} {with_unit.unit}".strip()
        return row[0], written, with_unit.values[0]
    amounts = meaning_of_text(row[place]).amounts
    return (row[0], row[place], amounts[0].readings[0].values[0]) if len(amounts) == 1 else None


def _ranked(name: str, cells: Sequence[_Cell]) -> Iterator[Fact]:
    order = sorted(cells, key=lambda one: one[2])
    low, high = order[0], order[-1]
    if order[-2][2] < high[2]:
        yield frozenset(), f"{high[0]} has the highest {name}, {high[1]}"
    if order[1][2] > low[2]:
        yield frozenset(), f"{low[0]} has the lowest {name}, {low[1]}"
    for less, more in combinations(order, 2):
        if less[2] < more[2]:
            yield _THAN, f"{more[0]} has a higher {name}, {more[1]}, than {less[0]}, {less[1]}"


def _summed(name: str, cells: Sequence[_Cell]) -> Iterator[Fact]:
    if len(cells) > _MOST_SUMMED:
        return
    for one, other in combinations(cells, 2):
        yield _TOGETHER, f"{one[0]} and {other[0]} together have {_sum(one, other)} {name}"
    yield _TOGETHER, f"All together have {_sum(*cells)} {name}"


def _sum(*cells: _Cell) -> str:
    """The sum of cells, written as the first is."""
    total = f"{round(sum(one[2] for one in cells), 9):.15g}"
    return re.sub(r"\d[\d.,\s]*(?:thousand|million|billion)?", f"{total} ", cells[0][1], count=1)


def _changed(name: str, cells: Sequence[_Cell]) -> Iterator[Fact]:
    if all(PERIOD.fullmatch(one[0]) for one in cells):
        for before, after in _followed(cells):
            yield from _change(name, before, after)


def _in_row(label: str, cells: Sequence[tuple[str, _Cell]]) -> Iterator[Fact]:
    if len(cells) > 1 and all(PERIOD.fullmatch(name) for name, _ in cells):
        for (first, before), (last, after) in _followed(cells):
            yield from _change(label, (first, before[1], before[2]), (last, after[1], after[2]))
        return
    for one, other in combinations(cells, 2):
        for (name, cell), (beside, of) in ((one, other), (other, one)):
            if cell[2] > 0 and of[2] > 0:
                yield _AS, f"{label} has {cell[2] / of[2]:.4g} times as many {name} as {beside}"


def _followed(cells: Sequence[_T]) -> Iterator[tuple[_T, _T]]:
    """Neighbours, and the first with the last."""
    yield from pairwise(cells)
    if len(cells) > 2:
        yield cells[0], cells[-1]


def _change(name: str, before: _Cell, after: _Cell) -> Iterator[Fact]:
    if before[2] != after[2]:
        verb = "rose" if after[2] > before[2] else "fell"
        yield (
            frozenset(),
            f"{name} {verb} from {before[1]} ({before[0]}) to {after[1]} ({after[0]})",
        )
