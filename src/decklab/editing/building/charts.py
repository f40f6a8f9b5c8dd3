"""Native charts with their workbooks, by way of python-pptx."""

from typing import Any

from pptx.chart.chart import Chart as NativeChart
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.slide import Slide
from pptx.util import Emu

from decklab.deck.model.shapes import Chart, Series
from decklab.editing.building.drawing import FrameSize, legal
from decklab.editing.charts import mend_chart
from decklab.editing.formatting import rgb
from decklab.ooxml.xml import Element as Xml

_TYPES = {
    ("column", "clustered"): XL_CHART_TYPE.COLUMN_CLUSTERED,
    ("column", "stacked"): XL_CHART_TYPE.COLUMN_STACKED,
    ("column", "percentStacked"): XL_CHART_TYPE.COLUMN_STACKED_100,
    ("bar", "clustered"): XL_CHART_TYPE.BAR_CLUSTERED,
    ("bar", "stacked"): XL_CHART_TYPE.BAR_STACKED,
    ("bar", "percentStacked"): XL_CHART_TYPE.BAR_STACKED_100,
    ("line", "standard"): XL_CHART_TYPE.LINE,
    ("line", "stacked"): XL_CHART_TYPE.LINE_STACKED,
    ("line", "percentStacked"): XL_CHART_TYPE.LINE_STACKED_100,
    ("area", "standard"): XL_CHART_TYPE.AREA,
    ("area", "stacked"): XL_CHART_TYPE.AREA_STACKED,
    ("area", "percentStacked"): XL_CHART_TYPE.AREA_STACKED_100,
    ("pie", None): XL_CHART_TYPE.PIE,
    ("doughnut", None): XL_CHART_TYPE.DOUGHNUT,
    ("radar", None): XL_CHART_TYPE.RADAR,
    ("scatter", None): XL_CHART_TYPE.XY_SCATTER,
    ("bubble", None): XL_CHART_TYPE.BUBBLE,
}
_GROUPINGS = {"column": "clustered", "bar": "clustered", "line": "standard", "area": "standard"}
"""The default if a chart does not state the grouping of its series."""
_POINTS = ("scatter", "bubble")
"""Charts whose points have two values; python-pptx cannot label them all at once."""
_LEGENDS = {
    "r": XL_LEGEND_POSITION.RIGHT, "l": XL_LEGEND_POSITION.LEFT, "t": XL_LEGEND_POSITION.TOP,
    "b": XL_LEGEND_POSITION.BOTTOM, "tr": XL_LEGEND_POSITION.CORNER,
}  # fmt: skip


def can_build(chart: Chart) -> bool:
    """Whether a chart has series and is of one kind that can be written."""
    single = len(set(chart.plots or (chart.type,))) == 1
    return single and _key(chart) in _TYPES and bool(chart.series)


def build_chart(slide: Slide, chart: Chart, slide_size: FrameSize) -> Xml:
    """Put a native chart on a slide; returns its graphic frame."""
    frame = slide.shapes.add_chart(
        _TYPES[_key(chart)],
        Emu(slide_size.across(chart.x)),
        Emu(slide_size.down(chart.y)),
        Emu(slide_size.across(chart.w)),
        Emu(slide_size.down(chart.h)),
        _data(chart),
    )
    native: NativeChart = frame.chart  # type: ignore[attr-defined]
    native.has_title = chart.title is not None
    if chart.title:
        native.chart_title.text_frame.text = legal(chart.title)
    native.has_legend = chart.legend is not None
    if chart.legend is not None:
        native.legend.position = _LEGENDS.get(chart.legend, XL_LEGEND_POSITION.RIGHT)
        native.legend.include_in_layout = False
    if chart.type not in _POINTS:
        native.plots[0].has_data_labels = chart.labels
        if chart.labels:
            native.plots[0].data_labels.show_value = True
    _colour(native, chart)
    _name_axes(native, chart)
    mend_chart(native._chartSpace)
    element: Xml = frame._element
    return element


def _key(chart: Chart) -> tuple[str, str | None]:
    return chart.type, chart.grouping or _GROUPINGS.get(chart.type)


def _data(chart: Chart) -> Any:
    if chart.type in _POINTS:
        return _points(chart)
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = [legal(text) for text in chart.series[0].categories] or [
        str(i + 1) for i in range(max(len(item.values) for item in chart.series))
    ]
    for item in chart.series:
        data.add_series(legal(item.name or ""), item.values)
    return data


def _points(chart: Chart) -> Any:
    bubbles = chart.type == "bubble"
    data: Any = (BubbleChartData if bubbles else XyChartData)()  # type: ignore[no-untyped-call]
    for item in chart.series:
        series = data.add_series(legal(item.name or ""))
        for number, value in enumerate(item.values):
            place = (_x(item, number), value)
            if bubbles:
                size = item.sizes[number] if number < len(item.sizes) else None
                series.add_data_point(*place, 1.0 if size is None else size)
            else:
                series.add_data_point(*place)
    return data


def _x(item: Series, number: int) -> float:
    """The x value of a point; its index in the series if none is stated."""
    try:
        return float(item.categories[number])
    except (IndexError, ValueError):
        return float(number + 1)


def _colour(native: NativeChart, chart: Chart) -> None:
    for drawn, item in zip(native.plots[0].series, chart.series, strict=False):
        if item.color is None:
            continue
        color = rgb(item.color)
        if chart.type in ("line", "radar", "scatter"):
            drawn.format.line.color.rgb = color
        else:
            drawn.format.fill.solid()
            drawn.format.fill.fore_color.rgb = color


def _name_axes(native: NativeChart, chart: Chart) -> None:
    if chart.type in ("pie", "doughnut"):
        return
    for axis in chart.axes[:2]:
        drawn = native.value_axis
        if axis is chart.axes[0] and chart.type not in _POINTS:
            drawn = native.category_axis
        if axis.title:
            drawn.has_title = True
            drawn.axis_title.text_frame.text = axis.title
        if axis.kind == "value":
            drawn.minimum_scale, drawn.maximum_scale = axis.minimum, axis.maximum
        drawn.visible = not axis.hidden
