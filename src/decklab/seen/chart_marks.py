"""Whether the marks of a chart can be seen: its bars, lines, slices and points."""

from collections.abc import Iterator
from math import isfinite
from typing import Final, NamedTuple

from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn
from decklab.seen.thresholds import FAINT

_BARS: Final = frozenset(map(qn, ("c:barChart", "c:bar3DChart", "c:areaChart", "c:area3DChart")))
"""Plots whose marks reach from 0 to their value."""
_LEAST_BAR: Final = 0.005
"""Share of its axis under which a bar is a line at best: a pixel or two of a slide. Ours."""
_LEAST_PLOT: Final = 0.05
"""Share of a chart's width and height under which its plot shows nothing. Ours."""


def why_no_marks(chart: Element) -> str:
    """Why no mark of a chart can be seen, from its XML; empty where one may be, or where the chart
    has no series.

    Its series are not painted (a single series without paint is often a spacer below others), its
    plot has no size, or all values lie outside of their axes, or so near to 0 on them that no bar
    is left.
    """
    series = list(chart.iter(qn("c:ser")))
    if not series:
        return ""
    if all(_is_bare(item) for item in series):
        return "none of its series is painted"
    if not _has_size(chart):
        return "its plot has no size"
    if not any(_is_on_axis(item, chart) for item in series if not _is_bare(item)):
        return "its axes do not reach what its series say"
    return ""


def _is_bare(series: Element) -> bool:
    """Whether a series states that it has no paint: no fill, no line and no markers."""
    points = series.findall(qn("c:dPt"))
    if points and len(points) >= len(list(_values(series))):
        return all(_is_unpainted(series, point.find(qn("c:spPr"))) for point in points)
    return _is_unpainted(series, series.find(qn("c:spPr")))


def _is_unpainted(series: Element, look: Element | None) -> bool:
    if look is None:
        return False
    line = look.find(qn("a:ln"))
    marker = series.find(qn("c:marker"))
    lined = marker is not None or series.find(qn("c:smooth")) is not None
    no_line = line is not None and is_clear(line)
    if lined:  # points of a scatter chart are marked if the file says nothing
        scattered = series.find(qn("c:xVal")) is not None
        return no_line and (not scattered if marker is None else _is_unmarked(marker))
    return is_clear(look) and (line is None or no_line)


def _is_unmarked(marker: Element) -> bool:
    """Whether the points of a series have no marks, or such that are not painted."""
    symbol, look = marker.find(qn("c:symbol")), marker.find(qn("c:spPr"))
    if symbol is not None and symbol.get("val") == "none":
        return True
    edge = None if look is None else look.find(qn("a:ln"))
    return look is not None and is_clear(look) and (edge is None or is_clear(edge))


def is_clear(look: Element) -> bool:
    """Whether something has no fill, or a transparent one."""
    if look.find(qn("a:noFill")) is not None:
        return True
    return any(
        (parse_int(alpha.get("val")) or 0) < FAINT * 100_000
        for fill in look.findall(qn("a:solidFill"))
        for alpha in fill.iter(qn("a:alpha"))
    )


def _has_size(chart: Element) -> bool:
    """Whether the place that a file states for the plot has a width and a height."""
    stated = chart.find(
        f"{qn('c:chart')}/{qn('c:plotArea')}/{qn('c:layout')}/{qn('c:manualLayout')}"
    )
    if stated is None:
        return True
    sides = [_number(stated.find(qn(f"c:{side}"))) for side in ("w", "h")]
    corner = [_number(stated.find(qn(f"c:{side}"))) for side in ("x", "y")]
    is_wide = all(side is None or side >= _LEAST_PLOT for side in sides)
    return is_wide and all(at is None or at < 1 - _LEAST_PLOT for at in corner)


class _Reach(NamedTuple):
    """The ends that an axis states; None if it ends by itself."""

    least: float | None
    most: float | None


def _is_on_axis(series: Element, chart: Element) -> bool:
    """Whether the span of a series has a visible part between the stated ends of its axis."""
    values = [value for value in _values(series) if isfinite(value)]
    plot = series.getparent()
    if not values or plot is None:
        return True
    for name, own in (("c:val", values), ("c:yVal", values), ("c:xVal", None)):
        holder = series.find(qn(name))
        if holder is None:
            continue
        spans = own if own is not None else list(_numbers(holder))
        spans = [*spans, *_stacked(plot)] if name == "c:val" else spans
        if spans and not _reaches(spans, _axis(plot, chart, name), bars=plot.tag in _BARS):
            return False
    return True


def _stacked(plot: Element) -> list[float]:
    """How high the bars of a plot stand on each other at most; empty where each starts at 0."""
    grouping = plot.find(qn("c:grouping"))
    if grouping is None or grouping.get("val") not in ("stacked", "percentStacked"):
        return []
    highest = [max(_values(item), default=0.0) for item in plot.findall(qn("c:ser"))]
    return [sum(highest)]


def _reaches(values: list[float], reach: _Reach, *, bars: bool) -> bool:
    low, high = min(values), max(values)
    if bars:
        low, high = min(0.0, low), max(0.0, high)
    if reach.least is not None and reach.least >= high > low:
        return False
    if reach.most is not None and reach.most <= low and high > low:
        return False
    least = low if reach.least is None else max(low, reach.least)
    most = high if reach.most is None else min(high, reach.most)
    if most < least:
        return False
    if not bars or high == low:
        return True
    start = min(0.0, low) if reach.least is None else reach.least
    end = max(0.0, high) if reach.most is None else reach.most
    return end <= start or most - least >= _LEAST_BAR * (end - start)


def _axis(plot: Element, chart: Element, values: str) -> _Reach:
    """The ends of the axis on which a plot shows its values; a scatter chart has two such, the
    first for ``c:xVal``."""
    ids = [item.get("val") for item in plot.findall(qn("c:axId"))]
    axes = [
        axis
        for id in ids
        for axis in chart.iter(qn("c:valAx"))
        if (own := axis.find(qn("c:axId"))) is not None and own.get("val") == id
    ]
    wanted = axes[:1] if values == "c:xVal" else axes[-1:]
    if not wanted or (values == "c:xVal" and len(axes) < 2):
        return _Reach(None, None)
    scaling = wanted[0].find(qn("c:scaling"))
    if scaling is None:
        return _Reach(None, None)
    return _Reach(_number(scaling.find(qn("c:min"))), _number(scaling.find(qn("c:max"))))


def _values(series: Element) -> Iterator[float]:
    for name in ("c:val", "c:yVal"):
        holder = series.find(qn(name))
        if holder is not None:
            yield from _numbers(holder)


def _numbers(holder: Element) -> Iterator[float]:
    for cache in holder.iter(qn("c:numCache"), qn("c:numLit")):
        for value in cache.iter(qn("c:v")):
            try:
                yield float(value.text or "")
            except ValueError:
                continue


def _number(item: Element | None) -> float | None:
    try:
        return None if item is None else float(item.get("val") or "")
    except ValueError:
        return None
