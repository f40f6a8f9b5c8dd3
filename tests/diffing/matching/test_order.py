"""The fewest moves, against trying all subsets."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from decklab.diffing.matching.order import moved


def fewest(positions: list[int]) -> int:
    """By brute force: the least number to leave out so that the rest increases."""
    for count in range(len(positions) + 1):
        for left_out in combinations(range(len(positions)), count):
            rest = [one for i, one in enumerate(positions) if i not in left_out]
            if rest == sorted(rest):
                return count
    raise AssertionError("unreachable: nothing at all is in order")


@given(st.permutations(range(7)))
def test_what_is_left_is_in_order_and_no_fewer_moves_would_do(positions: list[int]) -> None:
    found = moved(positions)
    rest = [one for i, one in enumerate(positions) if i not in found]
    assert rest == sorted(rest)
    assert len(found) == fewest(positions)


def test_nothing_moves_in_an_empty_list() -> None:
    assert moved([]) == []
