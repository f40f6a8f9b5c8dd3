"""The assignment of least cost, beside SciPy's."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from decklab.diffing.match.sequences import best_assignment


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
