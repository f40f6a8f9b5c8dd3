"""Whether the marks of a chart can be seen: its bars, lines, slices and points.

How the texts of a chart are set, as its XML says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Final, Literal, NamedTuple

from decklab.ooxml.xml import Element, flag, parse_int, qn
from decklab.seen.seen_slide import FAINT

ChartPart = Literal["title", "categories", "values", "series", "labels"]
"""Categories and values are written on the axes, the names of series in the legend."""

_DEFAULT_SIZE: Final = 10.0
"""Points of the text of a chart that states none (PowerPoint's)."""
_TITLE: Final = 1.2
"""How much larger its title is (PowerPoint's)."""
_CATEGORY_AXES: Final = ("c:catAx", "c:dateAx", "c:serAx")
_LABEL_FLAGS: Final = ("c:showVal", "c:showCatName", "c:showSerName", "c:showPercent")


@dataclass(frozen=True)
class ChartTextLook:
    """How a text of a chart is set."""

    size: float
    """Points."""
    alpha: float = 1.0
    color: str | None = None
    """``#RRGGBB``; None if the theme gives it."""


_BASE: Final = ChartTextLook(_DEFAULT_SIZE)


def chart_texts(chart: Element) -> Mapping[ChartPart, ChartTextLook]:
    """The texts that a chart shows; of several of a kind, such as two axes, the largest."""
    base = _look(chart.find(qn("c:txPr")), _BASE)
    looks: dict[ChartPart, ChartTextLook] = {}
    for part, look in _texts(chart, base):
        if part not in looks or look.size > looks[part].size:
            looks[part] = look
    return looks


def chart_ground(chart: Element) -> str | None:
    """The colour that a chart fills its whole area with, ``#RRGGBB``; None if it does not, or
    the theme gives it."""
    area = chart.find(qn("c:spPr"))
    return None if area is None else _color(area)


def _texts(chart: Element, base: ChartTextLook) -> Iterator[tuple[ChartPart, ChartTextLook]]:
    if (inner := chart.find(qn("c:chart"))) is None:
        return
    if (title := inner.find(qn("c:title"))) is not None:
        yield "title", _title(title, base)
    plot = inner.find(qn("c:plotArea"))
    is_scattered = any(
        next(inner.iter(qn(tag)), None) is not None for tag in ("c:scatterChart", "c:bubbleChart")
    )
    for axis in () if plot is None else plot:
        if axis.tag in map(qn, (*_CATEGORY_AXES, "c:valAx")) and not _is_off(axis):
            look = _look(axis.find(qn("c:txPr")), base)
            yield "categories" if axis.tag != qn("c:valAx") else "values", look
            if is_scattered:
                yield "categories", look
    round_plots = ("c:pieChart", "c:doughnutChart", "c:ofPieChart", "c:pie3DChart")
    is_round = any(next(inner.iter(qn(tag)), None) is not None for tag in round_plots)
    if (legend := inner.find(qn("c:legend"))) is not None:
        # The slices of a pie are its categories.
        yield "categories" if is_round else "series", _look(legend.find(qn("c:txPr")), base)
    if _names_itself(inner):
        yield "series", ChartTextLook(base.size * _TITLE, base.alpha, base.color)
    if (table := inner.find(f"{qn('c:plotArea')}/{qn('c:dTable')}")) is not None:
        parts: tuple[ChartPart, ...] = ("categories", "series", "values")
        yield from ((part, _look(table.find(qn("c:txPr")), base)) for part in parts)
    for labels in inner.iter(qn("c:dLbls")):
        shown = {tag for tag in _LABEL_FLAGS if _is_on(labels.find(qn(tag)))}
        look = _look(labels.find(qn("c:txPr")), base)
        if shown:
            yield "labels", look
        if "c:showCatName" in shown:
            yield "categories", look
        if "c:showSerName" in shown:
            yield "series", look


def _title(title: Element, base: ChartTextLook) -> ChartTextLook:
    larger = ChartTextLook(base.size * _TITLE, base.alpha, base.color)
    whole = _look(title.find(qn("c:txPr")), larger)
    runs = list(title.iter(qn("a:r")))
    defaults = next(title.iter(qn("a:defRPr")), None)
    whole = whole if defaults is None else _styled(defaults, whole)
    looks = [_styled(run.find(qn("a:rPr")), whole) for run in runs] or [whole]
    return max(looks, key=lambda look: look.size)


def _look(properties: Element | None, inherited: ChartTextLook) -> ChartTextLook:
    default = None if properties is None else next(properties.iter(qn("a:defRPr")), None)
    return _styled(default, inherited)


def _styled(style: Element | None, inherited: ChartTextLook) -> ChartTextLook:
    if style is None:
        return inherited
    size = parse_int(style.get("sz"))
    fill = style.find(qn("a:solidFill"))
    alpha = None if fill is None else next(fill.iter(qn("a:alpha")), None)
    opacity = inherited.alpha if fill is None else 1.0
    if alpha is not None:
        opacity = (parse_int(alpha.get("val")) or 0) / 100_000
    if style.find(qn("a:noFill")) is not None:
        opacity = 0.0
    color = inherited.color if fill is None else _color(style)
    return ChartTextLook(inherited.size if size is None else size / 100, opacity, color)


def _color(holder: Element) -> str | None:
    """The colour of a solid fill that states it as it is."""
    color = holder.find(f"{qn('a:solidFill')}/{qn('a:srgbClr')}")
    if color is None or any(child.tag != qn("a:alpha") for child in color):
        return None
    value = color.get("val") or ""
    is_hex = len(value) == 6 and all(c in "0123456789abcdefABCDEF" for c in value)
    return f"#{value.upper()}" if is_hex else None


def _names_itself(inner: Element) -> bool:
    """Whether PowerPoint titles a chart by the name of its only series."""
    title = inner.find(qn("c:title"))
    automatic = title is None or title.find(qn("c:tx")) is None
    only = len(list(inner.iter(qn("c:ser")))) == 1
    return automatic and only and not _is_on(inner.find(qn("c:autoTitleDeleted")))


def _is_on(switch: Element | None) -> bool:
    return switch is not None and flag(switch.get("val") or "1") is True


def _is_off(axis: Element) -> bool:
    if _is_on(axis.find(qn("c:delete"))):
        return True
    labels = axis.find(qn("c:tickLblPos"))
    return labels is not None and labels.get("val") == "none"


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
    if not (series := list(chart.iter(qn("c:ser")))):
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
        if (holder := series.find(qn(name))) is None:
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
    if (scaling := wanted[0].find(qn("c:scaling"))) is None:
        return _Reach(None, None)
    return _Reach(_number(scaling.find(qn("c:min"))), _number(scaling.find(qn("c:max"))))


def _values(series: Element) -> Iterator[float]:
    for name in ("c:val", "c:yVal"):
        if (holder := series.find(qn(name))) is not None:
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
