"""Categories, series and values of charts, their formats, and what stays as it is."""

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt

from decklab.editing.chart_kinds import set_chart_type
from decklab.editing.chart_parts import (
    color_series,
    set_axis_bound,
    set_axis_title,
    set_number_format,
    show_gridlines,
)
from decklab.editing.charts import (
    add_category,
    add_series,
    delete_category,
    delete_series,
    kind_of_chart,
    number_format_of,
    set_chart_value,
)
from decklab.editing.finding import EditError


@pytest.fixture
def deck() -> Any:
    """A bar chart of two series with formats, labels, coloured points and a scale."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData(number_format="0.0%")
    data.categories = ["A", "B", "C"]
    data.add_series("One", (0.1, 0.2, 0.3))
    data.add_series("Two", (0.4, 0.5, 0.6))
    side = Inches(4)
    frame = slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, side, side, side, side, data)
    plot = frame.chart.plots[0]
    for series, color in zip(plot.series, ("111111", "222222"), strict=True):
        series.format.fill.solid()
        series.format.fill.fore_color.rgb = RGBColor.from_string(color)
    plot.series[0].points[2].format.fill.solid()
    plot.series[0].points[2].format.fill.fore_color.rgb = RGBColor.from_string("CC0000")
    plot.has_data_labels = True
    plot.data_labels.show_value = True
    axis = frame.chart.value_axis
    axis.minimum_scale, axis.maximum_scale, axis.has_major_gridlines = 0, 0.8, False
    return deck


def chart(deck: Any) -> Any:
    """The chart as python-pptx sees it."""
    return deck.slides[0].shapes[0].chart


def data(deck: Any) -> tuple[list[str], dict[str, tuple[float, ...]]]:
    """Categories, and series with their values."""
    plot = chart(deck).plots[0]
    return list(plot.categories), {one.name: tuple(one.values) for one in plot.series}


def workbook(deck: Any, part: str) -> str:
    """A part of the chart's workbook."""
    with ZipFile(BytesIO(chart(deck).part.chart_workbook.xlsx_part.blob)) as book:
        return book.read(part).decode()


def color(deck: Any, series: int, point: int) -> str:
    """The colour of a point."""
    return str(chart(deck).plots[0].series[series].points[point].format.fill.fore_color.rgb)


def test_formats_of_values_stay_in_the_chart_and_its_workbook(deck: Any) -> None:
    set_chart_value(deck, 1, ("B", "Two"), 0.9)
    add_category(deck, 1, "D", [0.7, 0.8])
    assert data(deck)[1]["Two"] == (0.4, 0.9, 0.6, 0.8)
    assert number_format_of(deck, 1) == "0.0%"
    assert 'formatCode="0.0%"' in workbook(deck, "xl/styles.xml")
    assert "<v>0.9</v>" in workbook(deck, "xl/worksheets/sheet1.xml")


def test_colours_stay_with_their_points_when_a_category_goes(deck: Any) -> None:
    delete_category(deck, 1, "a")
    assert data(deck) == (["B", "C"], {"One": (0.2, 0.3), "Two": (0.5, 0.6)})
    assert color(deck, 0, 1) == "CC0000"


def test_looks_stay_with_their_series_when_another_goes(deck: Any) -> None:
    delete_series(deck, 1, "One")
    assert data(deck)[1] == {"Two": (0.4, 0.5, 0.6)}
    assert str(chart(deck).plots[0].series[0].format.fill.fore_color.rgb) == "222222"
    with pytest.raises(EditError, match="only series"):
        delete_series(deck, 1, "Two")


def test_a_new_series_has_a_colour_of_its_own_and_the_chart_a_legend(deck: Any) -> None:
    chart(deck).has_legend = False
    add_series(deck, 1, "Three", [1, 2, 3])
    assert data(deck)[1]["Three"] == (1, 2, 3)
    assert chart(deck).plots[0].series[2].format.fill.type is None
    assert chart(deck).has_legend


@pytest.mark.parametrize(("edit", "why"), [
    (lambda deck: add_category(deck, 1, "D", [1]), "2 series"),
    (lambda deck: add_category(deck, 1, "a", [1, 2]), "already"),
    (lambda deck: add_series(deck, 1, "Three", [1]), "1 values for 3"),
    (lambda deck: delete_category(deck, 1, "X"), "no category"),
    (lambda deck: set_axis_bound(deck, 1, "category", "maximum", 1), "categories"),
    (lambda deck: set_axis_bound(deck, 1, "value", "minimum", 0.9), "end at 0.8"),
    (lambda deck: set_number_format(deck, 1, decimals=99), "0 to 9"),
])  # fmt: skip
def test_what_cannot_be_is_told(deck: Any, edit: Any, why: str) -> None:
    with pytest.raises(EditError, match=why):
        edit(deck)


def test_another_kind_keeps_scale_labels_and_colours(deck: Any) -> None:
    set_chart_type(deck, 1, "column")
    axis = chart(deck).value_axis
    assert (axis.minimum_scale, axis.maximum_scale) == (0, 0.8)
    assert not axis.has_major_gridlines
    assert chart(deck).plots[0].has_data_labels
    assert color(deck, 0, 2) == "CC0000"
    assert kind_of_chart(deck, 1) == "column"


def test_ends_gridlines_and_formats_are_those_asked_for(deck: Any) -> None:
    assert set_axis_bound(deck, 1, "horizontal", "maximum", 1)
    assert not set_axis_bound(deck, 1, "value", "maximum", 1)
    assert chart(deck).value_axis.maximum_scale == 1
    assert show_gridlines(deck, 1)
    assert not show_gridlines(deck, 1)
    assert chart(deck).value_axis.has_major_gridlines
    assert set_number_format(deck, 1, decimals=2)
    assert chart(deck).value_axis.tick_labels.number_format == "0.00%"
    assert chart(deck).plots[0].data_labels.number_format == "0.00%"


def test_an_axis_title_keeps_its_look(deck: Any) -> None:
    axis = chart(deck).value_axis
    axis.has_title = True
    axis.axis_title.text_frame.text = "Old"
    axis.axis_title.text_frame.paragraphs[0].runs[0].font.size = Pt(21)
    set_axis_title(deck, 1, "value", "New")
    (run,) = chart(deck).value_axis.axis_title.text_frame.paragraphs[0].runs
    assert (run.text, run.font.size) == ("New", Pt(21))


def test_markers_have_the_colour_of_their_line(deck: Any) -> None:
    set_chart_type(deck, 1, "line with markers")
    marker = chart(deck).plots[0].series[0].marker
    marker.format.fill.solid()
    marker.format.fill.fore_color.rgb = RGBColor.from_string("333333")
    color_series(deck, 1, "One", "#00AA00")
    series = chart(deck).plots[0].series[0]
    assert str(series.format.line.color.rgb) == "00AA00"
    assert str(series.marker.format.fill.fore_color.rgb) == "00AA00"
