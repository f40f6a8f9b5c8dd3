"""Native charts whose embedded workbook holds the numbers that they draw."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pptx.chart.chart import Chart
from pptx.chart.data import CategoryChartData
from pptx.chart.xlsx import CategoryWorkbookWriter
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.oxml.ns import qn
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide
from pptx.util import Pt

from generate.samples.filling import describe, paint

MADE = datetime(2026, 1, 5, 9, 0, 0)
"""The date the samples bear, so that every build gives the same bytes."""


class _DatedWriter(CategoryWorkbookWriter):
    """python-pptx's workbook writer, without the hour of writing in the workbook."""

    def _populate_worksheet(self, workbook, worksheet):  # type: ignore[no-untyped-def]
        workbook.set_properties({"created": MADE})
        super()._populate_worksheet(workbook, worksheet)  # type: ignore[no-untyped-call]


class DatedChartData(CategoryChartData):
    """What a chart draws, with a workbook that is the same at any hour."""

    @property
    def _workbook_writer(self) -> _DatedWriter:
        return _DatedWriter(self)  # type: ignore[no-untyped-call]


def insert_chart(
    slide: Slide,
    idx: int,
    kind: XL_CHART_TYPE,
    categories: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    name: str,
    alt: str,
    number_format: str = "General",
) -> GraphicFrame:
    """Put a chart with an embedded workbook into the chart placeholder of that index."""
    data = DatedChartData(number_format=number_format)  # type: ignore[no-untyped-call]
    data.categories = categories
    for title, values in series.items():
        data.add_series(title, values)  # type: ignore[no-untyped-call]
    target = next(item for item in slide.placeholders if item.placeholder_format.idx == idx)
    frame: GraphicFrame = target.insert_chart(kind, data)
    frame.name = name
    describe(frame, alt)
    _make_ids_unsigned(frame.chart)
    return frame


def _make_ids_unsigned(chart: Chart) -> None:
    """python-pptx names bar chart axes by negative numbers; the schema wants unsigned ones."""
    for element in chart._chartSpace.iter(qn("c:axId"), qn("c:crossAx")):
        element.set("val", element.get("val").lstrip("-"))


def style_axes(chart: Chart, *, size: float, color: str, grid: str, title: str) -> None:
    """Quiet axes: small labels, thin grid, no axis line; ``title`` names the value axis."""
    value, category = chart.value_axis, chart.category_axis
    chart.font.size = Pt(size)
    paint(chart.font, color)
    paint(value.major_gridlines.format.line.fill, grid)
    value.major_gridlines.format.line.width = Pt(0.75)
    value.format.line.fill.background()
    paint(category.format.line.fill, grid)
    value.axis_title.text_frame.text = title
    run = value.axis_title.text_frame.paragraphs[0].runs[0]
    run.font.size, run.font.bold = Pt(size), False
    paint(run.font, color)


def style_legend(chart: Chart, *, size: float, color: str, side: str = "top") -> None:
    """Show the legend beside the plot, not over it."""
    chart.has_legend = True
    where = XL_LEGEND_POSITION.TOP if side == "top" else XL_LEGEND_POSITION.RIGHT
    chart.legend.position = where
    chart.legend.include_in_layout = False
    chart.legend.font.size = Pt(size)
    paint(chart.legend.font, color)
