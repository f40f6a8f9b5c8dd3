"""Heads of tables in several rows joined to one: "2024" over "Sales" and "Costs" is "2024 / Sales"
and "2024 / Costs".

Which columns a heading stands over is told by the rule below it, by the vertical rules beside it,
or, without both, where it stands in the middle of one run of columns only. A method of our own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from decklab.core.geometry import Box

_CENTRED = 0.18
"""Ours: of the width of the columns below, how far a heading may stand from their middle."""
_MOST_COLUMNS = 14
"""Ours: columns of a table whose head is joined without rules."""
_MOST_HEADINGS = 6
_LEVEL = 4.0  # ours: points between a rule and the row above or below it


@dataclass
class HeadCell:
    """Words of one row that stand close, and where: a cell, or a heading over several columns."""

    text: str
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Between its two ends."""
        return (self.left + self.right) / 2


@dataclass(frozen=True)
class HeadRow:
    """A row of a head from left to right, with its upper and lower edge."""

    cells: tuple[HeadCell, ...]
    top: float
    bottom: float


def joined_head(
    rows: Sequence[HeadRow],
    columns: Sequence[tuple[float, float]],
    across: Sequence[Box],
    down: Sequence[Box],
) -> list[str] | None:
    """One heading for each column of a table; None if it is not certain.

    ``columns`` are the left and right ends of the columns' cells below the head; ``across`` and
    ``down`` the rules in the table and near it.
    """
    parts: list[list[str]] = [[] for _ in columns]
    for row, below in pairwise([*rows, None]):
        if row is None:
            break
        spans = (
            _single(row, columns) if below is None else _spans(row, below, columns, across, down)
        )
        if spans is None:
            return None
        for cell, (first, last) in zip(row.cells, spans, strict=True):
            for column in range(first, last + 1):
                parts[column].append(cell.text)
    return [" / ".join(dict.fromkeys(texts)) for texts in parts]


def _single(row: HeadRow, columns: Sequence[tuple[float, float]]) -> list[tuple[int, int]] | None:
    """For each cell the one column in which it stands; None if one has none, or two have one."""
    found = []
    for cell in row.cells:
        over = [
            number
            for number, (left, right) in enumerate(columns)
            if cell.left < right and cell.right > left
        ]
        if len(over) != 1:
            return None
        found.append((over[0], over[0]))
    return found if len(set(found)) == len(found) else None


def _spans(
    row: HeadRow,
    below: HeadRow,
    columns: Sequence[tuple[float, float]],
    across: Sequence[Box],
    down: Sequence[Box],
) -> list[tuple[int, int]] | None:
    """For each cell of an upper row the first and last column that it stands over."""
    rules = [
        rule
        for rule in across
        if row.bottom - _LEVEL <= rule.top <= below.top + _LEVEL and len(_under(rule, columns)) > 1
    ]
    whole = columns[-1][1] - columns[0][0]
    rules = [rule for rule in rules if rule.width < 0.9 * whole]
    sides = [
        line.left for line in down if line.top <= row.top + _LEVEL and line.bottom > row.bottom
    ]
    found: list[tuple[int, int] | None] = []
    for cell in row.cells:
        rule = next(
            (rule for rule in rules if rule.left - 2 <= cell.middle <= rule.right + 2), None
        )
        if rule is not None:
            under = _under(rule, columns)
        elif len(sides) >= 2:
            under = _between(sides, cell, columns)
        else:
            under = []
        found.append((under[0], under[-1]) if under else None)
    known = [span for span in found if span is not None]
    if not known:
        return _only_partition(row, columns)
    singles = _single(HeadRow(tuple(cell for cell, span in zip(row.cells, found, strict=True)
                                    if span is None), row.top, row.bottom), columns)  # fmt: skip
    if singles is None:
        return None
    rest = iter(singles)
    spans = [span if span is not None else next(rest) for span in found]
    covered = [column for first, last in spans for column in range(first, last + 1)]
    return spans if len(set(covered)) == len(covered) else None


def _under(rule: Box, columns: Sequence[tuple[float, float]]) -> list[int]:
    """The columns whose middle is below a rule."""
    return [
        number
        for number, (left, right) in enumerate(columns)
        if rule.left - 3 <= (left + right) / 2 <= rule.right + 3
    ]


def _between(
    sides: Sequence[float], cell: HeadCell, columns: Sequence[tuple[float, float]]
) -> list[int]:
    """The columns between the vertical rules beside a cell."""
    low = max((side for side in sides if side <= cell.middle), default=float("-inf"))
    high = min((side for side in sides if side > cell.middle), default=float("inf"))
    return [
        number for number, (left, right) in enumerate(columns) if low <= (left + right) / 2 <= high
    ]


def _only_partition(
    row: HeadRow, columns: Sequence[tuple[float, float]]
) -> list[tuple[int, int]] | None:
    """The one way to part the columns so that each cell stands in the middle of its run; the first
    column may stand alone. None if there is none or several, or if no cell is over two columns."""
    count = len(columns)
    if not 1 <= len(row.cells) <= _MOST_HEADINGS or count > _MOST_COLUMNS:
        return None
    if not any(_crosses(cell, columns) for cell in row.cells):
        return None
    fitting = [
        runs
        for first in (0, 1)
        for runs in _partitions(first, count, len(row.cells))
        if all(_is_centred(cell, run, columns) for cell, run in zip(row.cells, runs, strict=True))
    ]
    return fitting[0] if len(fitting) == 1 else None


def _crosses(cell: HeadCell, columns: Sequence[tuple[float, float]]) -> bool:
    return any(
        cell.left < (right + left) / 2 < cell.right for (_, right), (left, _) in pairwise(columns)
    )


def _partitions(first: int, count: int, parts: int) -> Iterator[list[tuple[int, int]]]:
    """The columns from ``first`` on parted into runs, in every way."""
    for cuts in combinations(range(first + 1, count), parts - 1):
        edges = [first, *cuts, count]
        yield [(low, high - 1) for low, high in pairwise(edges)]


def _is_centred(
    cell: HeadCell, run: tuple[int, int], columns: Sequence[tuple[float, float]]
) -> bool:
    left, right = columns[run[0]][0], columns[run[1]][1]
    return abs(cell.middle - (left + right) / 2) <= _CENTRED * (right - left)
