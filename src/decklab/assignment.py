"""Which row goes with which column: the assignment of least total cost."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Indexes = NDArray[np.intp]


def best_assignment(cost: ArrayLike, *, maximize: bool = False) -> tuple[Indexes, Indexes]:
    """Rows and columns of the pairs with the least total of ``cost``, shape (m, n), finite.

    Both results have min(m, n) items, rows in ascending order; each row and each column is in one
    pair at most. With ``maximize`` the total is the largest. Of equal totals it takes the one that
    SciPy's ``linear_sum_assignment`` takes, which is several times slower to import than most
    matrices here are to solve. Shortest augmenting paths: Crouse 2016, "On implementing 2D
    rectangular assignment algorithms", section II. Raises ValueError for other shapes and for
    costs that are not finite.

    >>> [side.tolist() for side in best_assignment([[4, 1, 3], [2, 0, 5]])]
    [[0, 1], [1, 0]]
    """
    costs = np.array(cost, float)
    if costs.ndim != 2 or not np.isfinite(costs).all():
        raise ValueError("an assignment needs a matrix of finite costs")
    if maximize:
        costs = -costs
    if costs.shape[0] <= costs.shape[1]:
        return np.arange(costs.shape[0]), _columns(costs)
    rows = _columns(np.ascontiguousarray(costs.T))
    order = np.argsort(rows)
    return rows[order], order


def _columns(cost: NDArray[np.float64]) -> Indexes:
    """The column of each row; there are no more rows than columns."""
    height, width = cost.shape
    row_price, column_price = np.zeros(height), np.zeros(width)
    column_of, row_of = np.full(height, -1), np.full(width, -1)
    for start in range(height):
        shortest = np.full(width, np.inf)
        before = np.full(width, -1)
        # From the last to the first: equal costs then give each row the column of its number.
        remaining = np.arange(width)[::-1].copy()
        rows, seen = [start], []
        row, length = start, 0.0
        while True:
            step = length + cost[row, remaining] - row_price[row] - column_price[remaining]
            nearer = step < shortest[remaining]
            columns = remaining[nearer]
            before[columns], shortest[columns] = row, step[nearer]
            index = _nearest(shortest[remaining], row_of[remaining] < 0)
            column = int(remaining[index])
            length = float(shortest[column])
            seen.append(column)
            if row_of[column] < 0:
                break
            row = int(row_of[column])
            rows.append(row)
            remaining[index] = remaining[-1]
            remaining = remaining[:-1]
        row_price[start] += length
        passed = rows[1:]
        row_price[passed] += length - shortest[column_of[passed]]
        column_price[seen] -= length - shortest[seen]
        _augment(column, start, before, column_of, row_of)
    return column_of


def _nearest(lengths: NDArray[np.float64], free: NDArray[np.bool_]) -> int:
    """Where the shortest length is: of equal ones the last free column, else the first."""
    nearest = np.flatnonzero(lengths == lengths.min())
    ends = nearest[free[nearest]]
    return int(ends[-1] if len(ends) else nearest[0])


def _augment(column: int, start: int, before: Indexes, column_of: Indexes, row_of: Indexes) -> None:
    """Exchange pairs along the path that ends in a free column."""
    while True:
        row = int(before[column])
        row_of[column] = row
        column_of[row], column = column, int(column_of[row])
        if row == start:
            return
