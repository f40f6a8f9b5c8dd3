"""Places of the parts of a page that a style sheet cannot count: trees, lanes, rings, slices."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from decklab.board.blueprint import SlidePlan
from decklab.board.flowchart import flow_grid

_RADIUS = 39.0
"""Ours: of a ring of discs, in hundredths of its place, so that the discs are inside of it."""


@dataclass(frozen=True)
class GridCell:
    """Lines of a grid, which count from 1: the first one, and how many it spans, of a level."""

    first: int
    span: int
    level: int


@dataclass(frozen=True)
class PageGrid:
    """The cells of a page's parts in reading order, and how many lines and levels there are."""

    cells: tuple[GridCell, ...] = ()
    lines: int = 0
    levels: int = 0
    spots: tuple[tuple[float, float], ...] = ()
    """Of discs in a ring: across and down, in hundredths of the ring."""


def page_grid(slide: SlidePlan) -> PageGrid:
    """The grid of a slide of a tree, an organisation, lanes, a cycle or a flowchart; else empty."""
    match slide.layout:
        case "tree":
            return _tree([point.level for point in slide.body])
        case "org_chart":
            return _tree([person.level for person in slide.people])
        case "flowchart" if slide.flow is not None:
            flow = flow_grid(slide.flow)
            cells = tuple(GridCell(cell.line, 2, cell.layer) for cell in flow.cells)
            return PageGrid(cells, flow.lines, flow.layers)
        case "swimlanes":
            return _lanes(slide)
        case "cycle":
            return PageGrid(spots=_ring(len(slide.steps)))
    return PageGrid()


def _tree(levels: Sequence[int]) -> PageGrid:
    """Each item of a tree spans its leaves, and each leaf a line."""
    leaves = [not (after > level) for level, after in zip(levels, (*levels[1:], 0), strict=True)]
    cells = []
    for number, level in enumerate(levels):
        below = number + 1
        while below < len(levels) and levels[below] > level:
            below += 1
        cells.append(GridCell(sum(leaves[:number]) + 1, sum(leaves[number:below]), level))
    return PageGrid(tuple(cells), sum(leaves), max(levels) + 1)


def _lanes(slide: SlidePlan) -> PageGrid:
    """Each step stands in the row of its lane, and in the column of its time."""
    times = sorted({step.at for lane in slide.lanes for step in lane.steps})
    cells = [
        GridCell(times.index(step.at) + 1, 1, row)
        for row, lane in enumerate(slide.lanes)
        for step in lane.steps
    ]
    return PageGrid(tuple(cells), len(times), len(slide.lanes))


def _ring(count: int) -> tuple[tuple[float, float], ...]:
    """Discs in a ring, clockwise; as many are to the right as to the left, or one more below."""
    angles = [2 * pi * (number + 0.5) / count - pi / 2 for number in range(count)]
    return tuple(
        (round(50 + _RADIUS * cos(turn), 2), round(50 + _RADIUS * sin(turn), 2)) for turn in angles
    )
