"""Which row goes with which column: the assignment of least total cost."""

from collections.abc import Iterable
from math import inf, isfinite

Indexes = list[int]


def best_assignment(
    cost: Iterable[Iterable[float]], *, maximize: bool = False
) -> tuple[Indexes, Indexes]:
    """Rows and columns of the pairs with the least total of ``cost``, m rows of n finite numbers.

    Both results have min(m, n) items, rows in ascending order; each row and each column is in one
    pair at most. With ``maximize`` the total is the largest. Of equal totals it takes the one that
    SciPy's ``linear_sum_assignment`` takes, which takes longer to import than most matrices here
    take to solve. Shortest augmenting paths: Crouse 2016, "On implementing 2D rectangular
    assignment algorithms", section II. Raises ValueError for rows of different lengths and for
    costs that are not finite.

    >>> best_assignment([[4, 1, 3], [2, 0, 5]])
    ([0, 1], [1, 0])
    """
    sign = -1.0 if maximize else 1.0
    costs = [[sign * float(one) for one in row] for row in cost]
    if len({len(row) for row in costs}) > 1 or not all(isfinite(c) for row in costs for c in row):
        raise ValueError("an assignment needs a matrix of finite costs")
    if not costs or len(costs) <= len(costs[0]):
        return list(range(len(costs))), _columns(costs)
    rows = _columns([list(column) for column in zip(*costs, strict=True)])
    order = sorted(range(len(rows)), key=rows.__getitem__)
    return [rows[column] for column in order], order


def _columns(cost: list[list[float]]) -> Indexes:
    """The column of each row; there are no more rows than columns."""
    width = len(cost[0]) if cost else 0
    row_price, column_price = [0.0] * len(cost), [0.0] * width
    column_of, row_of = [-1] * len(cost), [-1] * width
    for start in range(len(cost)):
        shortest, before = [inf] * width, [-1] * width
        # From the last to the first: equal costs then give each row the column of its number.
        remaining = list(range(width))[::-1]
        rows, seen = [start], []
        row, length = start, 0.0
        while True:
            paid = row_price[row]
            nearest, place = inf, -1
            for at, column in enumerate(remaining):
                path = length + cost[row][column] - paid - column_price[column]
                if path < shortest[column]:
                    shortest[column], before[column] = path, row
                path = shortest[column]
                if path < nearest or (path == nearest and row_of[column] < 0):
                    nearest, place = path, at
            column, length = remaining[place], nearest
            seen.append(column)
            row = row_of[column]
            if row < 0:
                break
            rows.append(row)
            last = remaining.pop()
            if place < len(remaining):
                remaining[place] = last
        row_price[start] += length
        for row in rows[1:]:
            row_price[row] += length - shortest[column_of[row]]
        for one in seen:
            column_price[one] -= length - shortest[one]
        _augment(column, start, before, column_of, row_of)
    return column_of


def _augment(column: int, start: int, before: Indexes, column_of: Indexes, row_of: Indexes) -> None:
    """Exchange pairs along the path that ends in a free column."""
    while True:
        row = before[column]
        row_of[column] = row
        column_of[row], column = column, column_of[row]
        if row == start:
            return
