"""Pairs of two lists; fewest moves, against trying all subsets; edits of words, by making them; the
assignment of least cost, beside SciPy's.
"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from decklab.diffing.sequences import (
    aligned,
    best_assignment,
    best_pairs,
    blocks,
    moved,
    word_edits,
)

TEXTS = st.text("ab ,\n", max_size=40)


def test_equal_lists_pair_in_order() -> None:
    assert aligned(["a", "a", "b"], ["a", "a", "b"]) == [(0, 0), (1, 1), (2, 2)]


def test_replaced_stretches_of_equal_length_pair_item_by_item() -> None:
    assert aligned(["x", "one", "two", "y"], ["x", "eins", "zwei", "y"]) == [
        (0, 0), (1, 1), (2, 2), (3, 3),
    ]  # fmt: skip


def test_unequal_stretches_pair_by_their_words() -> None:
    old = ["the red fox runs", "a last line"]
    new = ["something new", "the red fox walks", "another thing"]
    assert aligned(old, new) == [(0, 1)]


def test_empty_lists() -> None:
    assert aligned([], []) == aligned([], ["a"]) == aligned(["a"], []) == []


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


def applied(old: str, new: str) -> str:
    for edit in reversed(word_edits(old, new)):
        end = edit.position + len(edit.old)
        assert old[edit.position : end] == edit.old
        old = old[: edit.position] + edit.new + old[end:]
    return old


@given(TEXTS, TEXTS)
def test_making_the_edits_gives_the_newer_text(old: str, new: str) -> None:
    assert applied(old, new) == new


@given(TEXTS, TEXTS)
def test_blocks_cover_both_texts_and_equal_ones_are_equal(old: str, new: str) -> None:
    found = blocks(old, new)
    assert "".join(old[one.a0 : one.a1] for one in found) == old
    assert "".join(new[one.b0 : one.b1] for one in found) == new
    for one in found:
        assert not one.same or old[one.a0 : one.a1] == new[one.b0 : one.b1]


def test_words_are_never_cut() -> None:
    (edit,) = word_edits("interest rates rise", "interests rates rise")
    assert (edit.action, edit.old, edit.new, edit.position) == (
        "replace", "interest", "interests", 0,
    )  # fmt: skip


def test_equal_texts_have_no_edits() -> None:
    assert word_edits("same", "same") == word_edits("", "") == ()


def test_huge_rewritten_texts_are_replaced_whole() -> None:
    old, new = "a " * 3000, "b " * 3000
    assert [edit.action for edit in word_edits(old, new)] == ["replace"]


def test_of_equal_scores_the_pair_at_the_same_place_of_both_lists_wins() -> None:
    alike, unlike = [0.9, 0.9, 0.9], [0.0, 0.0, 0.0]
    assert best_pairs([unlike, unlike, alike], 0.5) == [(2, 2)]
    assert best_pairs([unlike, alike, unlike], 0.5) == [(1, 1)]


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("kinds", [2, 5, None], ids=["two costs", "five costs", "any costs"])
def test_pairs_are_scipys_ties_included(kinds: int | None, maximize: bool) -> None:
    rng = np.random.default_rng(7)
    for _ in range(150):
        shape = rng.integers(0, 14, 2)
        cost = rng.random(shape) if kinds is None else rng.integers(0, kinds, shape) / 4
        ours = best_assignment(cost, maximize=maximize)
        theirs = linear_sum_assignment(cost, maximize=maximize)
        assert list(ours) == [side.tolist() for side in theirs]


def test_equal_costs_give_each_row_the_column_of_its_number() -> None:
    assert best_assignment(np.ones((3, 4))) == ([0, 1, 2], [0, 1, 2])


def test_large_matrices_too() -> None:
    cost = np.random.default_rng(3).random((120, 90))
    rows, columns = best_assignment(cost)
    assert cost[rows, columns].sum() == pytest.approx(cost[linear_sum_assignment(cost)].sum())


@pytest.mark.parametrize("cost", [[[1.0], [1.0, 2.0]], [[1.0, float("inf")]], [[float("nan")]]])
def test_other_costs_are_refused(cost: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="finite"):
        best_assignment(cost)
