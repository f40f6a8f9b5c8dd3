"""Native charts with their workbooks: one series in the accent colour, labels beside the marks."""

from typing import Any, Final

from pptx.chart.data import CategoryChartData
from pptx.chart.series import LineSeries
from pptx.enum.chart import (
    XL_CHART_TYPE,
    XL_LABEL_POSITION,
    XL_LEGEND_POSITION,
    XL_MARKER_STYLE,
    XL_TICK_LABEL_POSITION,
    XL_TICK_MARK,
)
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.oxml import parse_xml
from pptx.slide import Slide
from pptx.util import Emu, Pt

from decklab.board.blueprint import ChartPlan
from decklab.board.boxes import ChartBox, Token
from decklab.board.chart_looks import (
    labels_all,
    number_format,
    point_colors,
    series_colors,
    value_scale,
)
from decklab.board.fitting import Fitter
from decklab.board.pptx_text import SCHEME, emu
from decklab.board.typography import Face, text_width
from decklab.ooxml.xml import NAMESPACES, qn

_TYPES: Final = {
    "column": XL_CHART_TYPE.COLUMN_CLUSTERED,
    "bar": XL_CHART_TYPE.BAR_CLUSTERED,
    "line": XL_CHART_TYPE.LINE_MARKERS,
    "pie": XL_CHART_TYPE.PIE,
}
_DECLARED = f'xmlns:c="{NAMESPACES["c"]}"'


def add_native_chart(slide: Slide, item: ChartBox, fitter: Fitter) -> Any:
    """Put a chart on a slide; returns the XML element of its frame."""
    chart, box = item.chart, item.box
    data: Any = CategoryChartData(number_format=number_format(chart))  # type: ignore[no-untyped-call]
    data.categories = list(chart.categories)
    for series in chart.series:
        data.add_series(series.name, series.values)
    frame: Any = slide.shapes.add_chart(
        _TYPES[chart.kind],
        Emu(emu(box.left)),
        Emu(emu(box.top)),
        Emu(emu(box.width)),
        Emu(emu(box.height)),
        data,
    )
    native = frame.chart
    native.has_title = False
    native.font.size = Pt(item.size)
    native.font.color.theme_color = _color("text")
    if chart.kind == "pie":
        _dress_pie(native, chart)
    else:
        _dress_axes(native, chart)
        _dress_series(native, chart)
    if chart.kind == "line":
        _name_lines(native, item, fitter)
    native.has_legend = chart.kind in ("column", "bar") and len(chart.series) > 1
    if native.has_legend:
        native.legend.position = XL_LEGEND_POSITION.TOP
        native.legend.include_in_layout = False
        _leave_room_for_legend(native, item, fitter)
    for axis in native._chartSpace.iter(qn("c:axId"), qn("c:crossAx")):
        axis.set("val", (axis.get("val") or "").lstrip("-"))  # the schema wants them unsigned
    return frame._element


def _color(token: Token) -> Any:
    return MSO_THEME_COLOR.from_xml(SCHEME[token])


def _dress_axes(native: Any, chart: ChartPlan) -> None:
    values, categories = native.value_axis, native.category_axis
    bare = labels_all(chart)
    values.has_major_gridlines = not bare
    values.visible = not bare
    if not bare:
        values.major_gridlines.format.line.color.theme_color = _color("line")
        values.major_gridlines.format.line.width = Pt(0.75)
        values.format.line.fill.background()
        values.tick_labels.number_format = number_format(chart)
        values.tick_labels.number_format_is_linked = False
        values.major_tick_mark = XL_TICK_MARK.NONE
    scale = value_scale(chart)
    values.minimum_scale, values.maximum_scale = scale.low, scale.high
    values.major_unit = scale.step
    categories.format.line.color.theme_color = _color("muted")
    categories.major_tick_mark = XL_TICK_MARK.NONE
    categories.has_major_gridlines = False
    categories.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    if chart.kind == "bar":
        categories.reverse_order = True
        # Values then stand at the foot; python-pptx states this for value axes only.
        values._element.find(qn("c:crosses")).set("val", "max")


def _dress_series(native: Any, chart: ChartPlan) -> None:
    plot = native.plots[0]
    if chart.kind != "line":
        plot.gap_width = 60
        plot.overlap = -5 if len(chart.series) > 1 else 0
    for drawn, token in zip(plot.series, series_colors(chart), strict=True):
        if isinstance(drawn, LineSeries):
            drawn.smooth = False
            drawn.format.line.color.theme_color = _color(token)
            drawn.format.line.width = Pt(3 if token == "accent" else 2)
            _mark_line(drawn, token)
            continue
        drawn.invert_if_negative = False
        drawn.format.fill.solid()
        drawn.format.fill.fore_color.theme_color = _color(token)
    if len(chart.series) == 1 and chart.accent_category is not None and chart.kind != "line":
        for number, token in enumerate(point_colors(chart)):
            fill = plot.series[0].points[number].format.fill
            fill.solid()
            fill.fore_color.theme_color = _color(token)
    if labels_all(chart):
        plot.has_data_labels = True
        labels = plot.data_labels
        labels.show_value = True
        labels.number_format, labels.number_format_is_linked = number_format(chart), False
        above = XL_LABEL_POSITION.ABOVE
        labels.position = above if chart.kind == "line" else XL_LABEL_POSITION.OUTSIDE_END


def _mark_line(drawn: Any, token: Token) -> None:
    drawn.marker.style = XL_MARKER_STYLE.CIRCLE
    drawn.marker.size = 7 if token == "accent" else 5
    drawn.marker.format.fill.solid()
    drawn.marker.format.fill.fore_color.theme_color = _color(token)
    drawn.marker.format.line.color.theme_color = _color(token)


def _name_lines(native: Any, item: ChartBox, fitter: Fitter) -> None:
    """Write the name of each series, where there are several, beside its last point."""
    chart = item.chart
    if len(chart.series) == 1:
        return
    for drawn, series, token in zip(
        native.plots[0].series, chart.series, series_colors(chart), strict=True
    ):
        known = [number for number, value in enumerate(series.values) if value is not None]
        if not known:
            continue
        label = drawn.points[known[-1]].data_label
        label.position = XL_LABEL_POSITION.RIGHT
        label.font.size = Pt(item.size)
        label.font.bold = token == "accent"
        label.font.color.theme_color = _color(token if token == "accent" else "muted")
        for tag, on in (("c:showVal", "0"), ("c:showSerName", "1"), ("c:showLegendKey", "0")):
            found = label._dLbl.find(qn(tag))
            if found is not None:
                found.set("val", on)
    face = Face(fitter.theme.fonts.body, True, fitter.language)
    names = max(text_width(series.name, face, item.size) for series in chart.series) + 20
    _plot_area(native, left=0.07, width=max(0.5, 0.91 - names / item.box.width))


def _leave_room_for_legend(native: Any, item: ChartBox, fitter: Fitter) -> None:
    """Keep the plot below the legend and, for bars, right of the names of the categories."""
    left = 0.02 if labels_all(item.chart) else 0.07
    if item.chart.kind == "bar":
        face = Face(fitter.theme.fonts.body, False, fitter.language)
        names = max(text_width(name, face, item.size) for name in item.chart.categories)
        left = min((names + 12) / item.box.width, 0.4)
    top = 2 * item.size / item.box.height
    _plot_area(native, left=left, width=0.97 - left, top=top)


def _plot_area(native: Any, *, left: float, width: float, top: float = 0.04) -> None:
    """Keep the plot in a share of the chart, so that labels beside it have room."""
    area = native._chartSpace.find(f".//{qn('c:plotArea')}")
    old = area.find(qn("c:layout"))
    if old is not None:
        area.remove(old)
    area.insert(
        0,
        parse_xml(
            f'<c:layout {_DECLARED}><c:manualLayout><c:layoutTarget val="inner"/>'
            '<c:xMode val="edge"/><c:yMode val="edge"/>'
            f'<c:x val="{left:.4f}"/><c:y val="{top:.4f}"/><c:w val="{width:.4f}"/>'
            f'<c:h val="{0.88 - top:.4f}"/>'
            "</c:manualLayout></c:layout>"
        ),
    )


def _dress_pie(native: Any, chart: ChartPlan) -> None:
    plot = native.plots[0]
    for number, token in enumerate(point_colors(chart)):
        look = plot.series[0].points[number].format
        look.fill.solid()
        look.fill.fore_color.theme_color = _color(token)
        look.line.color.theme_color = _color("background")
        look.line.width = Pt(2)
    plot.has_data_labels = True
    labels = plot.data_labels
    labels.show_category_name, labels.show_value = True, True
    labels.show_percentage = False
    labels.number_format, labels.number_format_is_linked = number_format(chart), False
    labels.position = XL_LABEL_POSITION.OUTSIDE_END
