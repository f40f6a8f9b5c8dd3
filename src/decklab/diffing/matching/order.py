"""What moved: the fewest items whose move explains a new order."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise


def moved(positions: Sequence[int], weights: Sequence[float] | None = None) -> list[int]:
    """Indexes of the items outside a longest increasing subsequence of their old positions.

    ``positions`` holds distinct old positions in the new order; the items left out kept their
    order among each other. With ``weights`` the subsequence is the heaviest one.

    >>> moved([0, 3, 1, 2])
    [1]
    >>> moved([0, 1, 2])
    []
    >>> moved([1, 0], [1.0, 2.0])
    [0]
    """
    if all(a < b for a, b in pairwise(positions)):
        return []
    kept = _longest(positions) if weights is None else _heaviest(positions, weights)
    return [index for index in range(len(positions)) if index not in kept]


def _heaviest(positions: Sequence[int], weights: Sequence[float]) -> set[int]:
    best: list[tuple[float, int]] = []
    for index, position in enumerate(positions):
        before = [(best[other][0], other) for other in range(index) if positions[other] < position]
        weight, last = max(before, default=(0.0, -1))
        best.append((weight + weights[index], last))
    at = max(range(len(best)), key=lambda index: best[index][0], default=-1)
    kept = set()
    while at >= 0:
        kept.add(at)
        at = best[at][1]
    return kept


def _longest(positions: Sequence[int]) -> set[int]:
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for index, position in enumerate(positions):
        place = bisect_left(tails, position)
        previous.append(ends[place - 1] if place else -1)
        if place == len(tails):
            tails.append(position)
            ends.append(index)
        else:
            tails[place] = position
            ends[place] = index
    kept = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        kept.add(at)
        at = previous[at]
    return kept
