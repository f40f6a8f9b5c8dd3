"""The charts of the paper's figures, from a summary."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from decklab.evals.slideeval.summary import SlideEvalSummary
from decklab.evals.slideeval.tables import FIGURE_2, FIGURE_7, FIGURE_8, MEASURES
from decklab.metrics.sensitivity.frontier import FrontierPoint, ModelAgreement
from decklab.pages.svg_charts import (
    Bar,
    LineSeries,
    Place,
    SvgChart,
    ValueSpread,
    bar_chart,
    line_chart,
    place_chart,
)

SERIES = 6
"""Number of colours; further judges share them and differ by letter."""

DAMAGE = -1
"""The series of the damage itself, which is not a judge."""

AXES = ("geometry", "text", "style")

_Rated = TypeVar("_Rated", FrontierPoint, ModelAgreement)


def mark(summary: SlideEvalSummary, judge: str) -> tuple[str, int]:
    """A judge's letter in charts (A, B and so on) and the number of its colour."""
    place = summary.judges.index(judge)
    return chr(ord("A") + place) if place < 26 else str(place + 1), place % SERIES


def headline_charts(summary: SlideEvalSummary) -> list[SvgChart]:
    """Figure 2."""
    return list(_measure_charts(summary, FIGURE_2))


def style_charts(summary: SlideEvalSummary) -> list[SvgChart]:
    """Figure 7."""
    return list(_measure_charts(summary, FIGURE_7))


def _measure_charts(summary: SlideEvalSummary, names: Sequence[str]) -> Iterator[SvgChart]:
    overall = [row for row in summary.measures if row.whole.where == "all"]
    for name in names:
        label = MEASURES[name]
        bars = [
            Bar(
                *mark(summary, row.judge),
                ValueSpread.of(row.whole.value, row.whole.interval),
                ValueSpread.of(row.parsed.value, row.parsed.interval) if label.doubled else None,
                ValueSpread.of(row.whole.coverage).value,
            )
            for row in overall
            if row.name == name
        ]
        if bars:
            yield bar_chart(label.label, bars, top=label.top, unit=label.unit)


def ordering_charts(summary: SlideEvalSummary) -> list[SvgChart]:
    """Figure 8."""
    charts = []
    for name in FIGURE_8:
        bars = [
            Bar(*mark(summary, each.judge), ValueSpread.of(row.value, row.interval))
            for each in summary.ordering
            for row in each.estimates
            if row.measure == f"ordering.{name}"
        ]
        if bars:
            charts.append(bar_chart(MEASURES[name].label, bars, top=1.0))
    return charts


def parseability_chart(summary: SlideEvalSummary) -> SvgChart | None:
    """Figure 6, without bins that have no replies; None where there is no bin."""
    bins = [item for each in summary.extraction for item in each.bins if item.label != "all"]
    filled = {item.label for item in bins if item.n}
    order = [label for label in dict.fromkeys(item.label for item in bins) if label in filled]
    if not order:
        return None
    lines = [
        LineSeries(
            *mark(summary, each.judge),
            tuple(
                (float(order.index(item.label)), ValueSpread.of(item.rate, item.interval))
                for item in each.bins
                if item.label in order
            ),
        )
        for each in summary.extraction
        if each.bins
    ]
    ticks = [(float(place), _short(label)) for place, label in enumerate(order)]
    return line_chart("Parse success", lines, ticks=ticks, across="elements on the slide")


def severity_charts(summary: SlideEvalSummary) -> list[SvgChart]:
    """Mean degradation by severity, a chart for each axis; the 100-point scale is dashed.

    The damage itself is one line for all judges who rated the same slides.
    """
    found, charts = summary.sensitivity, []
    ticks = [(share / 4, f"{share / 4:g}") for share in range(5)]
    for title, points in _by_axis(found.points):
        lines = []
        for point in points:
            name, series = mark(summary, point.model)
            name = f"{name}, {point.scale} points"
            lines.append(LineSeries(name, series, _curve(point.curve), point.scale != 5))
        tops = [top for point in points if (top := found.ceiling(point))]
        curves = dict.fromkeys(_curve(top.curve) for top in tops)
        lines += [LineSeries("the damage itself", DAMAGE, curve) for curve in curves]
        charts.append(line_chart(title, lines, ticks=ticks, across="severity", identity=True))
    return charts


def _curve(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, ValueSpread], ...]:
    return tuple((severity, ValueSpread(y)) for severity, y in points)


def frontier_charts(summary: SlideEvalSummary) -> list[SvgChart]:
    """Figure 3a, a chart for each axis."""
    found, charts = summary.sensitivity, []
    for title, points in _by_axis(found.points):
        places = [
            Place(
                *mark(summary, point.model), point.scale,
                ValueSpread.of(point.fidelity, point.fidelity_interval),
                ValueSpread.of(point.consistency, point.consistency_interval),
            )
            for point in points
        ]  # fmt: skip
        places += dict.fromkeys(
            Place("D", DAMAGE, 5, ValueSpread.of(top.fidelity), ValueSpread.of(top.consistency))
            for point in points
            if (top := found.ceiling(point))
        )
        charts.append(
            place_chart(title, places, across="fidelity (Spearman’s ρ)", up="consistency (POA)")
        )
    return charts


def agreement_charts(summary: SlideEvalSummary) -> list[SvgChart]:
    """Figure 3b, a chart for each axis: a line for each pair of judges and scale."""
    charts = []
    for title, found in _by_axis(summary.sensitivity.agreements):
        curves: dict[str, list[ModelAgreement]] = {}
        for item in found:
            pair = "".join(mark(summary, judge)[0] for judge in item.models)
            curves.setdefault(f"{pair}, {item.scale} points", []).append(item)
        lines = [
            LineSeries(
                name, place % SERIES,
                tuple((item.high, ValueSpread.of(item.rho)) for item in curve),
                curve[0].scale != 5,
            )
            for place, (name, curve) in enumerate(curves.items())
        ]  # fmt: skip
        if any(spread.known for line in lines for _, spread in line.values):
            ticks = [(high, f"{high:g}") for high in sorted({item.high for item in found})]
            charts.append(line_chart(title, lines, ticks=ticks, low=-1.0, across="severity up to"))
    return charts


def _by_axis(items: Iterable[_Rated]) -> Iterator[tuple[str, list[_Rated]]]:
    """The title and the items of each axis that has any."""
    found = list(items)
    for axis in AXES:
        of_axis = [item for item in found if item.axis == axis]
        if of_axis:
            yield axis.capitalize(), of_axis


def _short(label: str) -> str:
    """A short label for an interval: its upper end.

    >>> _short("(2, 4]"), _short("more than 32"), _short("0")
    ('≤ 4', '> 32', '0')
    """
    if label.startswith("more than"):
        return label.replace("more than", ">")
    return f"≤ {label.rpartition(' ')[2].rstrip(']')}" if label.startswith("(") else label
