"""The paper's figures from views: which charts, of what."""

from collections.abc import Sequence

from decklab.benchmarks.slideeval.summary_views import SlideEvalView
from decklab.benchmarks.slideeval.tables import FIGURE_2, FIGURE_7, FIGURE_8, MEASURES
from decklab.reports.svg_charts import (
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
"""Colours there are; further judges share them and are told apart by letter."""

DAMAGE = -1
"""The series of what the damage itself says, which is no judge."""

AXES = ("geometry", "text", "style")


def letter(view: SlideEvalView, judge: str) -> str:
    """What stands for a judge in charts: A, B and so on."""
    place = view.judges.index(judge)
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def headline_charts(view: SlideEvalView) -> list[SvgChart]:
    """Figure 2."""
    return _measure_charts(view, FIGURE_2)


def style_charts(view: SlideEvalView) -> list[SvgChart]:
    """Figure 7."""
    return _measure_charts(view, FIGURE_7)


def _measure_charts(view: SlideEvalView, names: Sequence[str]) -> list[SvgChart]:
    charts = []
    for name in names:
        found = [item for item in view.measures if item.name == name and item.where == "all"]
        bars = [
            Bar(
                letter(view, item.judge), _series(view, item.judge), item.whole,
                item.parsed if MEASURES[name].doubled else None, item.coverage,
            )
            for item in found
        ]  # fmt: skip
        label = MEASURES[name]
        if bars:
            charts.append(bar_chart(label.label, bars, top=label.top, unit=label.unit))
    return charts


def ordering_charts(view: SlideEvalView) -> list[SvgChart]:
    """Figure 8."""
    charts = []
    for name in FIGURE_8:
        bars = [
            Bar(letter(view, item.judge), _series(view, item.judge), item.value)
            for item in view.orders
            if item.name == name
        ]
        if bars:
            charts.append(bar_chart(MEASURES[name].label, bars, top=1.0))
    return charts


def parseability_chart(view: SlideEvalView) -> SvgChart | None:
    """Figure 6; bins without replies have no place on it."""
    labels = [item.label for item in view.bins if item.label != "all" and item.n]
    order = [
        label
        for label in dict.fromkeys(item.label for item in view.bins if item.label != "all")
        if label in labels
    ]
    if not order:
        return None
    lines = [
        LineSeries(
            letter(view, judge), _series(view, judge),
            tuple(
                (float(order.index(item.label)), item.rate)
                for item in view.bins
                if item.judge == judge and item.label in order
            ),
        )
        for judge in dict.fromkeys(item.judge for item in view.bins)
    ]  # fmt: skip
    ticks = [(float(place), _short(label)) for place, label in enumerate(order)]
    return line_chart("Parse success", lines, ticks=ticks, across="elements on the slide")


def severity_charts(view: SlideEvalView) -> list[SvgChart]:
    """Mean degradation by severity, an axis each; the 100-point scale is dashed.

    With what the damage itself says, once for all judges who rated the same slides.
    """
    charts = []
    for axis in AXES:
        lines = [
            LineSeries(
                f"{letter(view, point.judge)}, {point.scale} points", _series(view, point.judge),
                tuple((severity, ValueSpread(y)) for severity, y in point.curve), point.scale != 5,
            )
            for point in view.points
            if point.axis == axis
        ]  # fmt: skip
        curves = dict.fromkeys(point.ceiling.curve for point in view.points
                               if point.axis == axis and point.ceiling is not None)  # fmt: skip
        lines += [
            LineSeries(
                "the damage itself",
                DAMAGE,
                tuple((severity, ValueSpread(y)) for severity, y in curve),
            )
            for curve in curves
        ]
        if lines:
            ticks = [(share / 4, f"{share / 4:g}") for share in range(5)]
            title = axis.capitalize()
            charts.append(
                line_chart(title, lines, ticks=ticks, across="severity", identity=True)
            )  # fmt: skip
    return charts


def frontier_charts(view: SlideEvalView) -> list[SvgChart]:
    """Figure 3a, an axis each."""
    charts = []
    for axis in AXES:
        places = [
            Place(
                letter(view, point.judge), _series(view, point.judge), point.scale,
                point.fidelity, point.consistency,
            )
            for point in view.points
            if point.axis == axis
        ]  # fmt: skip
        ceilings = dict.fromkeys(
            (point.ceiling.fidelity, point.ceiling.consistency)
            for point in view.points
            if point.axis == axis and point.ceiling is not None
        )
        places += [Place("D", DAMAGE, 5, across, up) for across, up in ceilings]
        if places:
            title = axis.capitalize()
            charts.append(
                place_chart(title, places, across="fidelity (Spearman’s ρ)", up="consistency (POA)")
            )
    return charts


def agreement_charts(view: SlideEvalView) -> list[SvgChart]:
    """Figure 3b, an axis each: a line per pair of judges and scale; none for a single judge."""
    charts = []
    for axis in AXES:
        mine = [item for item in view.agreements if item.axis == axis]
        keys = dict.fromkeys((item.first, item.second, item.scale) for item in mine)
        lines = [
            LineSeries(
                f"{letter(view, first)}{letter(view, second)}, {scale} points", place % SERIES,
                tuple(
                    (item.high, item.rho)
                    for item in mine
                    if (item.first, item.second, item.scale) == (first, second, scale)
                ),
                scale != 5,
            )
            for place, (first, second, scale) in enumerate(keys)
        ]  # fmt: skip
        if any(spread.known for line in lines for _, spread in line.values):
            ticks = [(high, f"{high:g}") for high in sorted({item.high for item in mine})]
            charts.append(
                line_chart(axis.capitalize(), lines, ticks=ticks, low=-1.0, across="severity up to")
            )
    return charts


def _series(view: SlideEvalView, judge: str) -> int:
    return view.judges.index(judge) % SERIES


def _short(label: str) -> str:
    """An interval's upper end, as an axis has room for.

    >>> _short("(2, 4]"), _short("more than 32"), _short("0")
    ('≤ 4', '> 32', '0')
    """
    if label.startswith("more than"):
        return label.replace("more than", ">")
    return f"≤ {label.rpartition(' ')[2].rstrip(']')}" if label.startswith("(") else label
