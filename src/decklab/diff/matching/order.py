"""What moved: the fewest items whose move explains a new order."""

from bisect import bisect_left
from collections.abc import Sequence

__all__ = ["moved"]


def moved(positions: Sequence[int]) -> list[int]:
    """Indexes of the items outside a longest increasing subsequence of their old positions.

    ``positions`` holds distinct old positions in the new order; the items left out kept their
    order among each other.

    >>> moved([0, 3, 1, 2])
    [1]
    >>> moved([0, 1, 2])
    []
    """
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
    return [index for index in range(len(positions)) if index not in kept]
