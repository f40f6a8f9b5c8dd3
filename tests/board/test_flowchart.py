"""Flowcharts: layers, bends and ways back."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from decklab.board.flowchart import FlowGrid, FlowLink, FlowNode, FlowPlan, flow_grid


def flow(count: int, *ends: tuple[int, int]) -> FlowPlan:
    return FlowPlan(
        nodes=tuple(FlowNode(text=f"n{number}") for number in range(count)),
        links=tuple(FlowLink(first=first, second=second) for first, second in ends),
    )


def layers(grid: FlowGrid, count: int) -> list[int]:
    return [cell.layer for cell in grid.cells[:count]]


def test_steps_stand_below_all_that_lead_to_them() -> None:
    grid = flow_grid(flow(4, (0, 1), (0, 2), (1, 3), (2, 3)))
    assert layers(grid, 4) == [0, 1, 1, 2]
    assert grid.cells[0].line == grid.cells[3].line == 2


def test_a_link_over_layers_bends_in_those_between() -> None:
    grid = flow_grid(flow(3, (0, 1), (1, 2), (0, 2)))
    assert grid.paths == ((0, 1), (1, 2), (0, 3, 2))
    assert grid.cells[3].layer == 1 and grid.cells[3].line != grid.cells[1].line


def test_a_way_back_has_no_path_and_moves_no_step() -> None:
    grid = flow_grid(flow(3, (0, 1), (1, 2), (2, 0), (1, 1)))
    assert layers(grid, 3) == [0, 1, 2]
    assert grid.paths == ((0, 1), (1, 2), (), ())


def test_neighbours_are_ordered_so_that_no_links_cross() -> None:
    grid = flow_grid(flow(6, (0, 1), (0, 2), (1, 4), (2, 3), (3, 5), (4, 5)))
    lines = [cell.line for cell in grid.cells]
    assert (lines[1] < lines[2]) == (lines[4] < lines[3])


def test_a_link_to_a_step_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no step 5"):
        flow(2, (0, 5))


@examples(60)
@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), min_size=1, max_size=16))
def test_any_flowchart_has_places_of_its_own(ends: list[tuple[int, int]]) -> None:
    grid = flow_grid(flow(8, *ends))
    assert all(a != b for a, b in combinations(grid.cells, 2))
    assert all(0 < cell.line < grid.lines for cell in grid.cells)
    for path in filter(None, grid.paths):
        steps = [grid.cells[number].layer for number in path]
        assert all(after == before + 1 for before, after in pairwise(steps))
