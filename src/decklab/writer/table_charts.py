"""Which chart says what a grid of values holds: its kind, its series, what stands out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import isclose
from textwrap import shorten
from typing import Final

from pydantic import ValidationError

from decklab.board.blueprint import ChartKind, ChartPlan, SeriesPlan
from decklab.documents.table_times import Grain
from decklab.writer.table_series import (
    MOST_SERIES,
    Grid,
    TableSeries,
    axes_of,
    is_better_low,
    without_label,
)

_LEAST_POINTS: Final = 3
_MOST_BARS: Final = 36
"""Bars of all series that one chart shows at a readable size. Ours."""
_MOST_ON_TWO_AXES: Final = 3
_MOST_PARTS: Final = 6
_SAME_CURVE, _MOVES = 1.2, 2.0
"""How far apart the ratios of two series may be that look the same, and their own values at least.
Ours."""
_UNSEEN: Final = 1 / 200
"""Of the highest bar, below which another one is not seen. Ours."""
LONGEST_LABEL, _LONG_LABEL, _LONGEST_UNIT = 40, 10, 60
_LEAST_SCATTER: Final = 8
_PARTS_OF_YEAR: Final[dict[Grain, int]] = {
    "decade": 1, "year": 1, "half": 2, "quarter": 4, "month": 12, "week": 53, "day": 372, "hour": 1,
}  # fmt: skip


def charts_of(grid: Grid, source: str, caption: str = "") -> Iterator[tuple[ChartPlan, Grid]]:
    """The charts of a grid, the one that shows most first, each with the part that it shows.

    Series of two units over time are a combination of columns and lines, and each unit has a chart
    of its own. Too few numbers give no chart.
    """
    axes = axes_of(grid.series, over_time=bool(grid.times))
    two = len(axes) == 2 and len(grid.series) <= _MOST_ON_TWO_AXES
    if two and grid.times and _is_one_curve(axes):
        axes, two = [next((axis for axis in axes if axis[0].unit), axes[0])], False
    if two and grid.times and len(grid.labels) >= _LEAST_POINTS:
        yield from _of_two_units(grid, axes, "combination", source)
    for axis in axes if grid.times else sorted(axes, key=_first_shown):
        part = _readable(replace(grid, series=tuple(axis)))
        told = without_label(caption) if caption else ""
        unit = axis[0].unit or (part.series[0].name if len(part.series) == 1 else told)
        kind = chart_kind(part)
        short = unit if len(unit) <= _LONGEST_UNIT else None
        yield from _plan(replace(part, parts=kind in ("stacked", "area")), kind, source, short)
    if two and not grid.times and len(grid.labels) >= _LEAST_SCATTER and not grid.rest:
        yield from _of_two_units(grid, [axis[:1] for axis in axes], "scatter", source)


def _first_shown(axis: Sequence[TableSeries]) -> tuple[int, bool, bool]:
    """The rank of an axis among others: most series first, then shares and other rates, which say
    more than counts that are large where much is counted."""
    return -len(axis), axis[0].is_additive, axis[0].kind != "share"


def _is_one_curve(axes: Sequence[Sequence[TableSeries]]) -> bool:
    """Whether two series are about the same multiple of each other everywhere, as bags and their
    weight, so that two axes would show one thing twice."""
    first, second = (axis[0].values for axis in axes)
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a and a > 0 and b and b > 0]
    if max(map(len, axes)) > 1 or len(pairs) < max(_LEAST_POINTS, len(first)):
        return False
    ratios, amounts = [b / a for a, b in pairs], [a for a, _ in pairs]
    moves = max(amounts) >= _MOVES * min(amounts)
    return moves and max(ratios) <= _SAME_CURVE * min(ratios)


def _of_two_units(
    grid: Grid, axes: Sequence[Sequence[TableSeries]], kind: ChartKind, source: str
) -> Iterator[tuple[ChartPlan, Grid]]:
    """A chart with two axes; what has no unit counts what its series name."""
    named = tuple(
        replace(series, unit=axis[0].unit or " / ".join(one.name for one in axis))
        for axis in axes
        for series in axis
    )
    kept = tuple(series for axis in axes for series in axis)
    for chart, _ in _plan(replace(grid, series=named), kind, source, None):
        yield chart, replace(grid, series=kept)


def short_text(text: str, most: int) -> str:
    """A text of at most ``most`` characters: it ends with a whole word and "…" if it is longer.

    >>> short_text("Repairs of the northern quay", 18), short_text("North", 18)
    ('Repairs of the…', 'North')
    """
    cut = shorten(text, most, placeholder="…")
    return cut if cut != "…" else f"{text[: most - 1]}…"


def chart_kind(grid: Grid) -> ChartKind:
    """The kind of chart for series that share an axis."""
    count, many = len(grid.labels), len(grid.series)
    values = [value for series in grid.series for value in series.values]
    parts = None not in values and all((value or 0.0) >= 0 for value in values)
    if many > 1 and parts and _whole_rows(grid):
        return "share"
    if many > 1 and parts and grid.parts and not grid.rest:
        return "area" if grid.times and count > 12 and _even(grid) else "stacked"
    if grid.times and count > 3 and _even(grid):
        return "line"
    if many == 1 and not grid.times and parts and 2 < count <= _MOST_PARTS and _is_whole(values):
        return "pie"
    long = max(map(len, grid.labels)) > _LONG_LABEL or count > 6
    return "bar" if long and not grid.times and (many == 1 or count * many <= 20) else "column"


def _whole_rows(grid: Grid) -> bool:
    """Whether the series are percentages that add up to 100 at every label."""
    rows = zip(*(series.values for series in grid.series), strict=True)
    shares = all(series.kind == "share" for series in grid.series)
    return shares and all(_is_whole(row) for row in rows)


def _is_whole(values: Sequence[float | None]) -> bool:
    return isclose(sum(value or 0.0 for value in values), 100.0, abs_tol=1.5)


def _even(grid: Grid) -> bool:
    """Whether the times of a grid follow each other at about equal distances, as on a line."""
    places = [
        time.year * _PARTS_OF_YEAR[time.grain] + (31 * (time.part - 1) + time.day
        if time.grain == "day" else time.part)
        for time in grid.times
    ]  # fmt: skip
    steps = [after - before for before, after in pairwise(places)]
    return bool(steps) and min(steps) > 0 and max(steps) <= 3 * min(steps)


def _readable(grid: Grid) -> Grid:
    """A grid with as many series as can be told apart; the largest stay, in their order."""
    most = MOST_SERIES if grid.times else max(1, min(MOST_SERIES, _MOST_BARS // len(grid.labels)))
    if len(grid.series) <= most:
        return grid
    order = sorted(range(len(grid.series)), key=lambda at: -grid.series[at].largest)
    kept = tuple(grid.series[at] for at in sorted(order[:most]))
    return replace(grid, series=kept, parts=False)


def _plan(
    grid: Grid, kind: ChartKind, source: str, unit: str | None
) -> Iterator[tuple[ChartPlan, Grid]]:
    """A chart as a plan, if it has enough points and the form takes it."""
    known = sum(value is not None for series in grid.series for value in series.values)
    if len(grid.labels) * len(grid.series) < _LEAST_POINTS or min(known, len(grid.labels)) < 2:
        return
    if kind in ("bar", "column") and any(map(_hides, grid.series)):
        return
    own = kind in ("combination", "scatter")
    try:
        chart = ChartPlan(
            kind=kind,
            categories=tuple(short_text(label, LONGEST_LABEL) for label in grid.labels),
            series=tuple(
                SeriesPlan(
                    name=short_text(series.name, LONGEST_LABEL) or "–", values=series.values,
                    **({"unit": series.unit} if own else {}),
                )
                for series in grid.series
            ),
            unit=None if own else unit or None,
            source=source,
            accent=0 if own else len(grid.series) - 1,
            accent_category=_standing_out(grid) if not own else None,
        )  # fmt: skip
    except ValidationError:
        return
    yield chart, grid


def _hides(series: TableSeries) -> bool:
    """Whether a third of the bars of a series cannot be seen beside the highest."""
    amounts = [abs(value) for value in series.values if value]
    unseen = sum(amount < _UNSEEN * series.largest for amount in amounts)
    return 3 * unseen >= len(amounts) > 0


def _standing_out(grid: Grid) -> int | None:
    """The largest value of a single series, of options by cost the smallest; None of times, of
    several series, and of equals."""
    if len(grid.series) > 1 or grid.times:
        return None
    values = grid.series[0].values[: len(grid.labels) - grid.rest]
    known = [value for value in values if value is not None]
    best = min if grid.ranged and is_better_low(grid.topic) else max
    if not known or known.count(best(known)) > 1:
        return None
    return values.index(best(known))
