"""Charts of means with their intervals: one column of a table, and systems in four quadrants.

An axis covers the scale of its metric, or the range of the reference decks and what is drawn: it
never shrinks to the systems shown, so that a small difference looks small.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.evals.results.means import NO_SPREAD, MeanOf
from decklab.evals.results.tables import ResultColumn, ResultRow, ResultTable
from decklab.metrics.statistics import Interval
from decklab.pages.svg_charts import SvgChart, SvgShape
from decklab.pages.wording import clean_line, shorten

Scale = Callable[[float], float]
_WIDTH, _ROW, _TOP = 720, 30, 8
_LEFT, _RIGHT = 190, 30
_NAME: Final = 24
_SQUARE: Final = Box(46, 14, 706, 414)
_STEP: Final = 5.0
_AROUND: Final = ((11, -9), (-11, -9), (11, 17), (-11, 17), (0, -14), (0, 24))
"""Where the number of a dot may stand, from its middle."""


def interval_chart(table: ResultTable, column: ResultColumn) -> SvgChart | None:
    """A column of a table on its whole scale, each row a dot with a line for its interval; None if
    nothing is known."""
    drawn = [(row, row.cells[column.key]) for row in table.rows]
    if not (known := [end for _, cell in drawn for end in _ends(cell)]):
        return None
    low, high = column.scale or (min(0.0, *known), max(known) or 1.0)

    def x(value: float) -> float:
        return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)

    bottom = _TOP + _ROW * len(drawn)
    shapes: list[SvgShape] = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        value = low + share * (high - low)
        shapes.append(SvgShape("path", "grid", d=f"M{x(value):.1f} {_TOP}V{bottom}"))
        label = f"{value * column.factor:.3g}"
        shapes.append(SvgShape("text", "", x(value), bottom + 18, text=label, anchor="middle"))
    for number, (row, cell) in enumerate(drawn):
        y = _TOP + _ROW * (number + 0.5)
        name = shorten(clean_line(row.name), _NAME)
        shapes.append(SvgShape("text", "strong", _LEFT - 14, y + 4, text=name, anchor="end"))
        shapes += _row_shapes(row, cell, column, x, y)
    words = "; ".join(f"{row.name} {column.words(cell)}" for row, cell in drawn)
    label = f"{column.heading}: {words}"
    return SvgChart(column.heading, _WIDTH, bottom + 26, label, tuple(shapes))


def _ends(cell: MeanOf) -> list[float]:
    known = [] if isinstance(cell.mean, NotScored) else [cell.mean]
    interval = () if isinstance(cell.interval, NotScored) else cell.interval
    return [*known, *interval, *(cell.possible or ())]


def _row_shapes(
    row: ResultRow, cell: MeanOf, column: ResultColumn, x: Scale, y: float
) -> Iterator[SvgShape]:
    tooltip = f"{row.name}: {column.words(cell)} ({column.ends(cell) or 'no interval'})"
    if cell.possible is not None:
        low, high = map(x, cell.possible)
        yield SvgShape("rect", "possible", low, y - 6, max(1.0, high - low), 12, text=tooltip)
    if not isinstance(cell.interval, NotScored):
        low, high = map(x, cell.interval)
        yield SvgShape("path", "spread", d=f"M{low:.1f} {y:.1f}H{high:.1f}")
    if not isinstance(cell.mean, NotScored):
        yield SvgShape("circle", "mean", x(cell.mean), y, width=4.5, text=tooltip)
    elif cell.possible is None:
        yield SvgShape("text", "", _LEFT + 4, y + 4, text="not scored")


@dataclass(frozen=True)
class QuadrantAxes:
    """The two axes, and where each is divided. ``extent`` is the least range of an axis."""

    across: str
    up: str
    divided: tuple[float, float]
    extent: tuple[Interval, Interval]
    names: tuple[str, str, str, str]
    """Names of the quadrants: above right, above left, below left, below right."""

    def quadrant(self, across: MeanOf, up: MeanOf) -> str:
        """The name of the one quadrant that holds both intervals; empty if they reach over a
        boundary or are not known."""
        right, above = _side(across, self.divided[0]), _side(up, self.divided[1])
        if right is None or above is None:
            return ""
        return self.names[(0 if right else 1) if above else (3 if right else 2)]


def _side(cell: MeanOf, boundary: float) -> bool | None:
    """Whether a mean is at or above a boundary; None if its interval does not tell."""
    ends = _ends(cell)
    if isinstance(cell.interval, NotScored) and cell.interval != NO_SPREAD:
        return None
    if min(ends) >= boundary:
        return True
    return False if max(ends) < boundary else None


def quadrant_chart(
    title: str, axes: QuadrantAxes, points: Mapping[str, tuple[MeanOf, MeanOf]]
) -> SvgChart | None:
    """Systems by two means with their intervals, as numbered dots; None if none has both.

    Numbers count the points from 1, as ``quadrant_lines`` does.
    """
    known = {number: pair for number, pair in enumerate(points.values(), 1) if _both(pair)}
    if not known:
        return None
    x_range, y_range = (
        _axis(side, axes.extent[side], [pair[side] for pair in known.values()]) for side in (0, 1)
    )

    def x(value: float) -> float:
        return _share(value, x_range) * _SQUARE.width + _SQUARE.left

    def y(value: float) -> float:
        return _SQUARE.bottom - _share(value, y_range) * _SQUARE.height

    shapes = [*_corners(axes, x(axes.divided[0]), y(axes.divided[1]))]
    shapes += _ticks(x_range, y_range, x, y)
    taken: list[Box] = []
    for across, up in known.values():
        shapes += _cross(across, up, x, y)
        taken.append(_dot_box(x(_value(across)), y(_value(up))))
    for number, (across, up) in known.items():
        shapes.append(_numbered(str(number), x(_value(across)), y(_value(up)), taken))
    label = f"{title}: {axes.across} from left to right, {axes.up} from bottom to top"
    shapes += _axis_names(axes)
    return SvgChart(title, 720, 452, label, tuple(shapes))


def quadrant_lines(
    axes: QuadrantAxes, points: Mapping[str, tuple[MeanOf, MeanOf]]
) -> Iterator[str]:
    """The meaning of each number, and the quadrant of those that are in one."""
    for number, (name, pair) in enumerate(points.items(), 1):
        if not _both(pair):
            yield f"{number} {name}: not scored"
        else:
            where = axes.quadrant(*pair) or "open, for its interval reaches over a boundary"
            lone = any(cell.scored < 2 for cell in pair)
            yield f"{number} {name}: {'open, for one deck has no interval' if lone else where}"


def _both(pair: tuple[MeanOf, MeanOf]) -> bool:
    return not any(cell.reason for cell in pair)


def _value(cell: MeanOf) -> float:
    return 0.0 if isinstance(cell.mean, NotScored) else cell.mean


def _axis(side: int, extent: Interval, cells: Sequence[MeanOf]) -> Interval:
    ends = [*extent, *(end for cell in cells for end in _ends(cell))]
    if side == 0:
        return min(ends), max(ends)
    return floor(min(ends) / _STEP) * _STEP, ceil(max(ends) / _STEP) * _STEP


def _share(value: float, ends: Interval) -> float:
    return (value - ends[0]) / (ends[1] - ends[0])


def _corners(axes: QuadrantAxes, x: float, y: float) -> Iterator[SvgShape]:
    box = _SQUARE
    yield SvgShape("rect", "quadrant best", x, box.top, box.right - x, y - box.top)
    yield SvgShape("rect", "quadrant", box.left, box.top, x - box.left, y - box.top)
    yield SvgShape("rect", "quadrant", x, y, box.right - x, box.bottom - y)
    yield SvgShape("path", "boundary", d=f"M{x:.1f} {box.top}V{box.bottom}")
    yield SvgShape("path", "boundary", d=f"M{box.left} {y:.1f}H{box.right}")
    right, left = box.right - 8, box.left + 8
    high, low = box.top + 18, box.bottom - 9
    above_right, above_left, below_left, below_right = axes.names
    for name, down in ((above_right, high), (below_right, low)):
        yield SvgShape("text", "strong", right, down, text=name, anchor="end")
    for name, down in ((above_left, high), (below_left, low)):
        yield SvgShape("text", "strong", left, down, text=name)


def _ticks(x_range: Interval, y_range: Interval, x: Scale, y: Scale) -> Iterator[SvgShape]:
    for value in range(ceil(x_range[0]), floor(x_range[1]) + 1):
        at, below = x(value), _SQUARE.bottom + 18
        yield SvgShape("text", "", at, below, text=f"{value}", anchor="middle")
    steps = round((y_range[1] - y_range[0]) / _STEP)
    for step in range(0, steps + 1, 1 + steps // 10):
        level = y_range[0] + step * _STEP
        at = _SQUARE.left - 8
        yield SvgShape("text", "", at, y(level) + 4, text=f"{level:g}", anchor="end")


def _axis_names(axes: QuadrantAxes) -> Iterator[SvgShape]:
    below = _SQUARE.bottom + 36
    yield SvgShape("text", "", _SQUARE.right, below, text=f"{axes.across} →", anchor="end")
    yield SvgShape("text", "", _SQUARE.left, below, text=f"up: {axes.up}")


def _cross(across: MeanOf, up: MeanOf, x: Scale, y: Scale) -> Iterator[SvgShape]:
    at, down = x(_value(across)), y(_value(up))
    if not isinstance(across.interval, NotScored):
        low, high = map(x, across.interval)
        yield SvgShape("path", "spread", d=f"M{low:.1f} {down:.1f}H{high:.1f}")
    if not isinstance(up.interval, NotScored):
        low, high = map(y, up.interval)
        yield SvgShape("path", "spread", d=f"M{at:.1f} {low:.1f}V{high:.1f}")
    yield SvgShape("circle", "mean", at, down, width=5)


def _dot_box(x: float, y: float) -> Box:
    return Box(x - 6, y - 6, x + 6, y + 6)


def _numbered(number: str, x: float, y: float, taken: list[Box]) -> SvgShape:
    """The number of a dot at the first free place around it."""
    boxes = [Box(x + dx - 5, y + dy - 11, x + dx + 5, y + dy + 2) for dx, dy in _AROUND]
    free = (box for box in boxes if not any(box.intersection(other).area for other in taken))
    spot = next(free, boxes[0])
    taken.append(spot)
    middle = (spot.left + spot.right) / 2
    return SvgShape(
        "text", "strong halo-text", middle, spot.bottom - 2, text=number, anchor="middle"
    )
