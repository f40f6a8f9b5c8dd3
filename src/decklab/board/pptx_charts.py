"""Native charts with their workbooks: one series in the accent colour, labels beside the marks."""

from collections.abc import Sequence
from typing import Any, Final
from xml.sax.saxutils import escape

from pptx.chart.data import CategoryChartData, XyChartData
from pptx.chart.series import LineSeries
from pptx.enum.chart import (
    XL_CHART_TYPE,
    XL_LABEL_POSITION,
    XL_LEGEND_POSITION,
    XL_MARKER_STYLE,
    XL_TICK_LABEL_POSITION,
    XL_TICK_MARK,
)
from pptx.enum.dml import MSO_LINE, MSO_THEME_COLOR
from pptx.oxml import parse_xml
from pptx.slide import Slide
from pptx.util import Emu, Pt

from decklab.board.blueprint import ChartPlan
from decklab.board.boxes import ChartBox, Token
from decklab.board.chart_frame import ChartFrame, frame_chart
from decklab.board.chart_looks import (
    AxisScale,
    line_dash,
    point_colors,
    readable_on,
    series_colors,
    value_format,
)
from decklab.board.native.markup import emu
from decklab.board.themes import SCHEME, Colors
from decklab.board.typography import Face
from decklab.ooxml.xml import NAMESPACES, qn

_TYPES: Final = {
    "column": XL_CHART_TYPE.COLUMN_CLUSTERED,
    "combination": XL_CHART_TYPE.COLUMN_CLUSTERED,
    "stacked": XL_CHART_TYPE.COLUMN_STACKED,
    "share": XL_CHART_TYPE.COLUMN_STACKED_100,
    "line": XL_CHART_TYPE.LINE_MARKERS,
    "area": XL_CHART_TYPE.AREA_STACKED,
    "pie": XL_CHART_TYPE.PIE,
    "scatter": XL_CHART_TYPE.XY_SCATTER,
}
_LYING: Final = {
    "column": XL_CHART_TYPE.BAR_CLUSTERED,
    "bar": XL_CHART_TYPE.BAR_CLUSTERED,
    "stacked": XL_CHART_TYPE.BAR_STACKED,
    "share": XL_CHART_TYPE.BAR_STACKED_100,
}
_DECLARED = f'xmlns:c="{NAMESPACES["c"]}" xmlns:a="{NAMESPACES["a"]}"'
_SECOND_AXES = ("50010", "50020")
"""Ids of the axes of the lines of a combination: categories and values."""


def add_native_chart(slide: Slide, item: ChartBox, face: Face, colors: Colors) -> Any:
    """Put a chart on a slide; returns the XML element of its frame."""
    frame = frame_chart(item.chart, face, item.size, item.box.width, item.box.height)
    graphic = _added(slide, item, frame)
    _Dresser(graphic.chart, item, frame, colors).dress()
    return graphic._element


def _added(slide: Slide, item: ChartBox, frame: ChartFrame) -> Any:
    """The chart with its data and workbook, not dressed yet."""
    chart, box = item.chart, item.box
    data: Any = CategoryChartData(number_format=value_format(chart))  # type: ignore[no-untyped-call]
    data.categories = list(chart.categories)
    for series in chart.series:
        data.add_series(series.name, series.values)
    kind = (_LYING if frame.lying else _TYPES)[chart.kind]
    if chart.kind == "area" and len(chart.series) == 1:
        kind = XL_CHART_TYPE.AREA
    drawn = data if chart.kind != "scatter" else _points(chart)
    graphic: Any = slide.shapes.add_chart(
        kind, Emu(emu(box.left)), Emu(emu(box.top)), Emu(emu(box.width)), Emu(emu(box.height)),
        drawn,
    )  # fmt: skip
    if chart.kind == "scatter":
        graphic.chart.part.chart_workbook.update_from_xlsx_blob(data._workbook_writer.xlsx_blob)
        _refer_to_columns(graphic.chart, chart)
    return graphic


def _points(chart: ChartPlan) -> Any:
    data: Any = XyChartData()  # type: ignore[no-untyped-call]
    series = data.add_series(chart.series[1].name)
    for _, x, y in chart.points:
        series.add_data_point(x, y)
    return data


def _refer_to_columns(native: Any, chart: ChartPlan) -> None:
    """Have a scatter read a workbook of names, values across and values up, side by side."""
    last = len(chart.categories) + 1
    (series,) = native._chartSpace.iter(qn("c:ser"))
    places = {"c:tx": "$C$1", "c:xVal": f"$B$2:$B${last}", "c:yVal": f"$C$2:$C${last}"}
    for tag, cells in places.items():
        source = series.find(qn(tag))
        next(source.iter(qn("c:f"))).text = f"Sheet1!{cells}"
        for cache in source.iter(qn("c:numCache")):
            cache.find(qn("c:ptCount")).set("val", str(len(chart.categories)))
            for point, (number, *_) in zip(cache.iter(qn("c:pt")), chart.points, strict=True):
                point.set("idx", str(number))


class _Dresser:
    """Gives a chart with its data the looks of a theme."""

    def __init__(self, native: Any, item: ChartBox, frame: ChartFrame, colors: Colors) -> None:
        self.native, self.chart, self.frame, self.colors = native, item.chart, frame, colors
        self.size = item.size

    def dress(self) -> None:
        """Set all that a reader of the chart sees beside its data."""
        native, chart = self.native, self.chart
        native.has_title = False
        native.font.size = Pt(self.size)
        self._paint(native.font.color, "text")
        if chart.kind == "pie":
            self._pie()
        elif chart.kind == "scatter":
            self._value_axis(native.value_axis, self.frame.scales[1])
            self._value_axis(native.category_axis, self.frame.scales[0])
            self._cross_at_low_ends()
            self._scatter()
        else:
            self._value_axis(native.value_axis, self.frame.scales[0])
            self._category_axis(native.category_axis)
            if chart.kind == "combination":
                self._split_lines()
            self._series()
            self._labels()
        self._titles()
        native.has_legend = bool(self.frame.legend)
        if native.has_legend:
            native.legend.position = XL_LEGEND_POSITION.TOP
            native.legend.include_in_layout = False
        self._plot_area()
        for axis in native._chartSpace.iter(qn("c:axId"), qn("c:crossAx")):
            axis.set("val", (axis.get("val") or "").lstrip("-"))  # the schema wants them unsigned

    def _paint(self, color: Any, token: Token) -> None:
        """Give a colour of the theme, or a shade of the accent."""
        shade = token in ("pale", "deep")
        color.theme_color = MSO_THEME_COLOR.from_xml(SCHEME["accent" if shade else token])
        if shade:
            color.brightness = self.colors.brightness(token)

    def _fill(self, look: Any, token: Token) -> None:
        look.fill.solid()
        self._paint(look.fill.fore_color, token)

    def _value_axis(self, axis: Any, scale: AxisScale) -> None:
        bare = self.frame.labelled
        axis.has_major_gridlines = not bare
        axis.visible = not bare
        if not bare:
            self._paint(axis.major_gridlines.format.line.color, "line")
            axis.major_gridlines.format.line.width = Pt(0.75)
            axis.format.line.fill.background()
            axis.tick_labels.number_format = scale.number_format
            axis.tick_labels.number_format_is_linked = False
            axis.major_tick_mark = XL_TICK_MARK.NONE
        axis.minimum_scale, axis.maximum_scale = scale.low, scale.high
        axis.major_unit = scale.step

    def _category_axis(self, axis: Any) -> None:
        self._paint(axis.format.line.color, "muted")
        axis.major_tick_mark = XL_TICK_MARK.NONE
        axis.has_major_gridlines = False
        axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW
        turned = self.frame.style == "turned"
        axis.tick_labels.font.size = Pt(self.size)
        settings = axis._element.find(qn("c:txPr")).find(qn("a:bodyPr"))
        settings.set("rot", "-2700000" if turned else "0")
        settings.set("vert", "horz")
        if self.frame.every > 1:
            ahead = axis._element.find(qn("c:noMultiLvlLbl"))
            ahead.addprevious(parse_xml(f'<c:tickLblSkip {_DECLARED} val="{self.frame.every}"/>'))
        if self.frame.lying:
            axis.reverse_order = True
            # Values then stand at the foot; python-pptx states this for value axes only.
            self.native.value_axis._element.find(qn("c:crosses")).set("val", "max")

    def _cross_at_low_ends(self) -> None:
        """Have the axes of a scatter stand at its left and at its foot."""
        for axis in (self.native.value_axis, self.native.category_axis):
            axis.tick_label_position = XL_TICK_LABEL_POSITION.LOW
            axis._element.find(qn("c:crosses")).set("val", "min")

    def _split_lines(self) -> None:
        """Move the series of the second unit to a plot of lines on axes of their own."""
        columns = self.native.plots[0]._element
        category, value = _SECOND_AXES
        lines = parse_xml(
            f'<c:lineChart {_DECLARED}><c:grouping val="standard"/><c:varyColors val="0"/>'
            f'<c:marker val="1"/><c:axId val="{category}"/><c:axId val="{value}"/></c:lineChart>'
        )
        columns.addnext(lines)
        series = columns.findall(qn("c:ser"))
        for number in self.chart.lines:
            for flag in series[number].findall(qn("c:invertIfNegative")):
                series[number].remove(flag)
            lines.find(qn("c:marker")).addprevious(series[number])
        scale = self.frame.scales[1]
        last = list(lines.getparent().iter(qn("c:valAx")))[-1]
        for axis in reversed(list(parse_xml(_second_axes(scale)))):
            last.addnext(axis)

    def _series(self) -> None:
        chart, plots = self.chart, list(self.native.plots)
        tokens = series_colors(chart, self.colors)
        bars = plots[0]
        if chart.kind not in ("line", "area"):
            bars.gap_width = self.frame.gap
            stacked = chart.kind in ("stacked", "share")
            bars.overlap = 100 if stacked else -5 if len(bars.series) > 1 else 0
        for drawn in (series for plot in plots for series in plot.series):
            token = tokens[drawn._element.idx.val]
            if isinstance(drawn, LineSeries):
                self._line(drawn, token)
                continue
            self._fill(drawn.format, token)
            if chart.kind != "area":
                drawn.invert_if_negative = False
            if token == "tint" or chart.kind in ("stacked", "share", "area"):
                edge: Token = "accent" if token == "tint" else "background"
                self._paint(drawn.format.line.color, edge)
                drawn.format.line.width = Pt(1)
        one_series = len(chart.series) == 1 and chart.kind in ("column", "bar", "stacked")
        if one_series and chart.accent_category is not None:
            for number, token in enumerate(point_colors(chart)):
                self._fill(bars.series[0].points[number].format, token)

    def _line(self, drawn: Any, token: Token) -> None:
        drawn.smooth = False
        self._paint(drawn.format.line.color, token)
        drawn.format.line.width = Pt(3 if token == "accent" else 2)
        dash = line_dash(self.chart, drawn._element.idx.val)
        drawn.format.line.dash_style = MSO_LINE.from_xml(dash)
        crowded = self.frame.step < 2 * self.size
        drawn.marker.style = XL_MARKER_STYLE.CIRCLE
        drawn.marker.size = (7 if token == "accent" else 5) - 2 * crowded
        self._fill(drawn.marker.format, token)
        self._paint(drawn.marker.format.line.color, token)

    def _labels(self) -> None:
        if self.frame.labelled:
            plot = self.native.plots[0]
            plot.has_data_labels = True
            labels = plot.data_labels
            labels.show_value = True
            self._number(labels)
            above = XL_LABEL_POSITION.ABOVE
            labels.position = above if self.chart.kind == "line" else XL_LABEL_POSITION.OUTSIDE_END
        elif self.chart.kind == "line" and len(self.chart.series) > 1 and not self.frame.legend:
            self._name_lines()
        for number, held in enumerate(self.frame.parts):
            if any(held):
                self._label_parts(number, held)

    def _number(self, labels: Any) -> None:
        form = value_format(self.chart)
        labels.number_format, labels.number_format_is_linked = form, False

    def _label_parts(self, number: int, held: Sequence[bool]) -> None:
        """Write values into the parts of a series that hold them."""
        series = self.native.plots[0].series[number]
        labels = series.data_labels
        labels.show_value = True
        self._number(labels)
        labels.position = XL_LABEL_POSITION.CENTER
        token = series_colors(self.chart, self.colors)[number]
        labels.font.size = Pt(self.size)
        self._paint(labels.font.color, readable_on(token, self.colors))
        missing = [place for place, holds in enumerate(held) if not holds]
        for place in reversed(missing):
            labels._element.insert(
                0,
                parse_xml(
                    f'<c:dLbl {_DECLARED}><c:idx val="{place}"/><c:delete val="1"/></c:dLbl>'
                ),
            )

    def _name_lines(self) -> None:
        """Write the name of each series beside its last point."""
        tokens = series_colors(self.chart, self.colors)
        for drawn, token, (place, y, name_y) in zip(
            self.native.plots[0].series, tokens, self.frame.line_ends(), strict=True
        ):
            label = drawn.points[place].data_label
            label.position = XL_LABEL_POSITION.RIGHT
            label.font.size = Pt(self.size)
            label.font.bold = token == "accent"
            self._paint(label.font.color, token if token == "accent" else "muted")
            for tag, on in (("c:showVal", "0"), ("c:showSerName", "1"), ("c:showLegendKey", "0")):
                found = label._dLbl.find(qn(tag))
                if found is not None:
                    found.set("val", on)
            if abs(name_y - y) > 1:
                self._move(label._dLbl, 0, name_y - y)

    def _move(self, label: Any, right: float, down: float) -> None:
        """Draw a label so many pixels from its place."""
        box = self.frame.box
        label.find(qn("c:idx")).addnext(
            parse_xml(
                f'<c:layout {_DECLARED}><c:manualLayout><c:x val="{right / box.width:.4f}"/>'
                f'<c:y val="{down / box.height:.4f}"/></c:manualLayout></c:layout>'
            )
        )

    def _plot_area(self) -> None:
        """Keep the plot where the frame has it, so that labels beside it have room."""
        area = self.native._chartSpace.find(f".//{qn('c:plotArea')}")
        old = area.find(qn("c:layout"))
        if old is not None:
            area.remove(old)
        plot, box = self.frame.plot, self.frame.box
        area.insert(
            0,
            parse_xml(
                f'<c:layout {_DECLARED}><c:manualLayout><c:layoutTarget val="inner"/>'
                '<c:xMode val="edge"/><c:yMode val="edge"/>'
                f'<c:x val="{plot.left / box.width:.4f}"/><c:y val="{plot.top / box.height:.4f}"/>'
                f'<c:w val="{plot.width / box.width:.4f}"/>'
                f'<c:h val="{plot.height / box.height:.4f}"/>'
                "</c:manualLayout></c:layout>"
            ),
        )

    def _titles(self) -> None:
        """Name what each of two axes shows."""
        axes = list(self.native._chartSpace.iter(qn("c:valAx")))
        for axis, words in zip(axes, self.frame.titles, strict=False):
            title = parse_xml(_title(words, self.size, upright=_is_upright(axis)))
            before = [axis.find(qn(tag)) for tag in ("c:majorGridlines", "c:axPos")]
            next(item for item in before if item is not None).addnext(title)

    def _scatter(self) -> None:
        series = self.native.plots[0].series[0]
        series.format.line.fill.background()
        series.marker.style, series.marker.size = XL_MARKER_STYLE.CIRCLE, 9
        self._fill(series.marker.format, "accent")
        series.marker.format.line.fill.background()
        tokens = point_colors(self.chart)
        for number, _, _ in self.chart.points:
            if tokens[number] != "accent":
                look = series.points[number].marker.format
                self._fill(look, tokens[number])
                look.line.fill.background()
        for number, side in self.frame.points:
            label = series.points[number].data_label
            label.text_frame.text = self.chart.categories[number]
            label.position = XL_LABEL_POSITION.RIGHT if side == "right" else XL_LABEL_POSITION.LEFT
            font = label.text_frame.paragraphs[0].runs[0].font
            font.size, font.bold = Pt(self.size), number == self.chart.accent_category
            self._paint(font.color, "text")

    def _pie(self) -> None:
        plot = self.native.plots[0]
        for number, token in enumerate(point_colors(self.chart)):
            look = plot.series[0].points[number].format
            self._fill(look, token)
            self._paint(look.line.color, "background")
            look.line.width = Pt(2)
        plot.has_data_labels = True
        labels = plot.data_labels
        labels.show_category_name, labels.show_value = True, True
        labels.show_percentage = False
        self._number(labels)
        labels.position = XL_LABEL_POSITION.OUTSIDE_END
        moved = [
            (number, place)
            for number, place in enumerate(self.frame.slices)
            if abs(place.x - place.edge_x) + abs(place.y - place.edge_y) > 1
        ]
        for number, place in reversed(moved):
            single = parse_xml(_slice_label(number, value_format(self.chart)))
            labels._element.insert(0, single)
            self._move(single, place.x - place.edge_x, place.y - place.edge_y)


def _slice_label(number: int, form: str) -> str:
    """A label of one slice with its name and value, as all have it."""
    shown = (("LegendKey", 0), ("Val", 1), ("CatName", 1), ("SerName", 0), ("Percent", 0))
    flags = "".join(f'<c:show{name} val="{on}"/>' for name, on in (*shown, ("BubbleSize", 0)))
    return (
        f'<c:dLbl {_DECLARED}><c:idx val="{number}"/>'
        f'<c:numFmt formatCode="{form}" sourceLinked="0"/><c:spPr/><c:dLblPos val="outEnd"/>'
        f"{flags}</c:dLbl>"
    )


def _is_upright(axis: Any) -> bool:
    return axis.find(qn("c:axPos")).get("val") in ("l", "r")


def _title(words: str, size: float, *, upright: bool) -> str:
    turn = ' rot="-5400000" vert="horz"' if upright else ""
    return (
        f"<c:title {_DECLARED}><c:tx><c:rich><a:bodyPr{turn}/><a:p><a:pPr><a:defRPr "
        f'sz="{round(size * 100)}" b="0"/></a:pPr><a:r><a:rPr sz="{round(size * 100)}" b="0"/>'
        f"<a:t>{escape(words)}</a:t></a:r></a:p></c:rich></c:tx>"
        '<c:overlay val="0"/></c:title>'
    )


def _second_axes(scale: AxisScale) -> str:
    """The axes of lines beside columns: values to the right, categories not shown again."""
    category, value = _SECOND_AXES
    return (
        f"<c:plotArea {_DECLARED}>"
        f'<c:valAx><c:axId val="{value}"/><c:scaling><c:orientation val="minMax"/>'
        f'<c:max val="{scale.high!r}"/><c:min val="{scale.low!r}"/></c:scaling>'
        '<c:delete val="0"/><c:axPos val="r"/>'
        f'<c:numFmt formatCode="{scale.number_format}" sourceLinked="0"/>'
        '<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>'
        "<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>"
        f'<c:crossAx val="{category}"/><c:crosses val="max"/><c:crossBetween val="between"/>'
        f'<c:majorUnit val="{scale.step!r}"/></c:valAx>'
        f'<c:catAx><c:axId val="{category}"/><c:scaling><c:orientation val="minMax"/></c:scaling>'
        '<c:delete val="1"/><c:axPos val="b"/><c:majorTickMark val="none"/>'
        '<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>'
        f'<c:crossAx val="{value}"/><c:crosses val="autoZero"/><c:auto val="1"/>'
        '<c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>'
        "</c:plotArea>"
    )
