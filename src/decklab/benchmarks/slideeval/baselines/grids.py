"""Tables: rules that cross, and the texts between them."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from decklab.benchmarks.slideeval.baselines.reading import Line
from decklab.geometry import Box

# All ours, in px of the frame.
_TOUCH = 6.0  # across which rules still meet
_THIN = 8.0  # of the box of a level or upright rule
_LEAST_EACH_WAY = 2
_LEAST_RULES = 5
_THROUGH = 0.7  # of a table's side that its rules go along
_LEAST_CELLS = 6  # two by two are rather four boxes
_LEAST_TEXTS = 4
_LEAST_AREAS = 4
_COVERED = 0.8  # of a table's box that the grounds of its cells fill at least
_NESTED = 1.05  # and at most: cells do not lie in one another
_CELL = 12.0  # apart at the least, rules that bound a row or column


@dataclass(frozen=True)
class Grid:
    """A table as it is seen."""

    box: Box
    cells: tuple[tuple[str, ...], ...]


def crossing(rules: Sequence[Box]) -> bool:
    """Whether enough of the rules meet to be a table's."""
    return any(len(group) >= _LEAST_RULES for group in _crossing(rules))


def find_grids(rules: Sequence[Box], areas: Sequence[Box], lines: Sequence[Line]) -> list[Grid]:
    """The tables among rules and areas, given by their boxes, with the lines of text inside them.

    Areas that lie edge to edge are the grounds of cells.
    """
    found = _tiled(areas, lines)
    for group in _crossing([rule for rule in rules if min(rule.width, rule.height) <= _THIN]):
        level = [rule for rule in group if rule.width > rule.height]
        upright = [rule for rule in group if rule.width <= rule.height]
        box = group[0]
        for rule in group:
            box = box.union(rule)
        if any(grid.box.intersection(box).area > box.area / 2 for grid in found):
            continue
        inside = [line for line in lines if box.intersection(line.box).area > line.box.area / 2]
        cells = _cells(box, level, upright, inside)
        if _is_lattice(box, group) and len(cells) * len(cells[0]) >= _LEAST_CELLS and inside:
            found.append(Grid(box, cells))
    return found


def _is_lattice(box: Box, rules: Sequence[Box]) -> bool:
    """Whether enough rules go all the way across and down a box: those between boxes do not."""
    across = sum(rule.width >= _THROUGH * box.width for rule in rules)
    down = sum(rule.height >= _THROUGH * box.height for rule in rules)
    return min(across, down) >= _LEAST_EACH_WAY and across + down >= _LEAST_RULES


def _tiled(areas: Sequence[Box], lines: Sequence[Line]) -> list[Grid]:
    """Tables whose cells are areas side by side, in two columns and two rows at the least."""
    found = []
    for group in _crossing([area for area in areas if min(area.width, area.height) > _CELL]):
        box = group[0]
        for area in group:
            box = box.union(area)
        columns = _edges(box.left, box.right, [area.left for area in group])
        rows = _edges(box.top, box.bottom, [area.top for area in group])
        inside = [line for line in lines if box.intersection(line.box).area > line.box.area / 2]
        covered = sum(area.area for area in group) / max(box.area, 1.0)
        fit = min(len(columns), len(rows)) > 2 and len(group) >= _LEAST_AREAS
        if fit and _COVERED <= covered <= _NESTED and len(inside) >= _LEAST_TEXTS:
            found.append(Grid(box, _cells(box, _tops(group), _lefts(group), inside)))
    return found


def _tops(areas: Sequence[Box]) -> list[Box]:
    return [Box(area.left, area.top, area.right, area.top) for area in areas]


def _lefts(areas: Sequence[Box]) -> list[Box]:
    return [Box(area.left, area.top, area.left, area.bottom) for area in areas]


def _crossing(rules: Sequence[Box]) -> list[list[Box]]:
    """Groups of rules that touch one another, by way of others too."""
    groups: list[list[Box]] = []
    for rule in rules:
        wide = Box(*(edge + by for edge, by in zip(rule, (-_TOUCH, -_TOUCH, _TOUCH, _TOUCH))))  # noqa: B905
        met = [group for group in groups if any(wide.intersection(one).area for one in group)]
        groups = [group for group in groups if group not in met]
        groups.append([rule, *(one for group in met for one in group)])
    return groups


def _cells(
    box: Box, level: Sequence[Box], upright: Sequence[Box], lines: Sequence[Line]
) -> tuple[tuple[str, ...], ...]:
    rows = _edges(box.top, box.bottom, [rule.top for rule in level])
    columns = _edges(box.left, box.right, [rule.left for rule in upright])
    cells = [["" for _ in columns[1:]] for _ in rows[1:]]
    for line in sorted(lines, key=lambda item: (item.box.top, item.box.left)):
        x, y = (line.box.left + line.box.right) / 2, (line.box.top + line.box.bottom) / 2
        row = min(max(bisect_right(rows, y) - 1, 0), len(cells) - 1)
        column = min(max(bisect_right(columns, x) - 1, 0), len(cells[0]) - 1)
        cells[row][column] = f"{cells[row][column]}\n{line.text}".strip()
    return tuple(tuple(row) for row in cells)


def _edges(first: float, last: float, between: Sequence[float]) -> list[float]:
    """Edges of rows or columns from the first to the last, none closer than a cell."""
    places = sorted([first, *between])
    kept = [first, *(b for a, b in pairwise(places) if b - a >= _CELL and last - b >= _CELL)]
    return [*kept, last]
