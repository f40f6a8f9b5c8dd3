"""Bars, lines and points of a chart that its file keeps from being seen."""

from collections.abc import Callable
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches

from decklab.seen.chart_marks import why_no_marks

C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
AXES = "its axes do not reach what its series say"


def chart(kind: XL_CHART_TYPE, *values: tuple[float, ...]) -> Any:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData()
    data.categories = [f"c{number}" for number in range(len(values[0]))] if values else ["c"]
    for number, own in enumerate(values):
        data.add_series(f"s{number}", own)
    return slide.shapes.add_chart(kind, 0, 0, Inches(4), Inches(3), data).chart


def told(made: Any) -> str:
    return why_no_marks(made._chartSpace)


def ends(made: Any, least: float | None, most: float | None) -> str:
    made.value_axis.minimum_scale, made.value_axis.maximum_scale = least, most
    return told(made)


@pytest.mark.parametrize(
    ("least", "most", "why"),
    [
        (None, None, ""), (0, 12, ""), (2, 5, ""), (10_000, 20_000, AXES), (None, 0, AXES),
        (0, 900_000, AXES), (11, None, AXES), (-5, 0, AXES),
    ],
)  # fmt: skip
def test_columns_are_seen_where_their_axis_reaches_them(
    least: float | None, most: float | None, why: str
) -> None:
    assert ends(chart(XL_CHART_TYPE.COLUMN_CLUSTERED, (4.5, 9.0, 11.0)), least, most) == why


def test_lines_are_seen_where_their_axis_reaches_their_values() -> None:
    assert ends(chart(XL_CHART_TYPE.LINE, (50.0, 52.0)), 45, 55) == ""
    assert ends(chart(XL_CHART_TYPE.LINE, (50.0, 52.0)), 0, 900_000) == ""
    assert ends(chart(XL_CHART_TYPE.LINE, (50.0, 52.0)), 0, 40) == AXES
    assert ends(chart(XL_CHART_TYPE.LINE, (50.0, 52.0), (10.0, 11.0)), 0, 40) == ""


def test_stacked_columns_are_seen_by_their_sum() -> None:
    assert ends(chart(XL_CHART_TYPE.COLUMN_STACKED, (6.0,), (7.0,)), 10, 20) == ""
    assert ends(chart(XL_CHART_TYPE.COLUMN_STACKED, (6.0,), (7.0,)), 14, 20) == AXES
    assert ends(chart(XL_CHART_TYPE.COLUMN_STACKED_100, (6.0,), (7.0,)), 0, 1) == ""


def test_points_have_two_axes() -> None:
    deck = Presentation()
    data = XyChartData()
    series = data.add_series("s")
    series.add_data_point(1, 100)
    series.add_data_point(2, 200)
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    made = slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, 0, 0, Inches(4), Inches(3), data).chart
    assert ends(made, 50, 250) == ""
    assert ends(made, 300, 400) == AXES
    made.value_axis.minimum_scale = made.value_axis.maximum_scale = None
    made.category_axis.minimum_scale = 10
    assert told(made) == AXES


def no_fill(made: Any) -> None:
    for series in made.plots[0].series:
        series.format.fill.background()
        series.format.line.fill.background()


def no_fill_by_points(made: Any) -> None:
    for series in made.plots[0].series:
        for number in range(2):
            series.points[number].format.fill.background()


def half_filled(made: Any) -> None:
    made.plots[0].series[0].points[0].format.fill.background()


def no_plot(made: Any) -> None:
    area = made._chartSpace.chart.plotArea
    for old in area.findall(f"{{{C}}}layout"):
        area.remove(old)
    area.insert(0, parse_xml(
        f'<c:layout xmlns:c="{C}"><c:manualLayout><c:w val="0"/><c:h val="0.8"/>'
        "</c:manualLayout></c:layout>"
    ))  # fmt: skip


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (no_fill, "none of its series is painted"),
        (no_fill_by_points, "none of its series is painted"),
        (half_filled, ""),
        (no_plot, "its plot has no size"),
    ],
)
def test_columns_without_paint_or_room_are_not_seen(spoil: Callable[[Any], None], why: str) -> None:
    made = chart(XL_CHART_TYPE.COLUMN_CLUSTERED, (3.0, 5.0))
    spoil(made)
    assert told(made) == why


@pytest.mark.parametrize("values", [(), ((0.0, 0.0),), ((None, None),)])
def test_a_chart_that_says_nothing_hides_nothing(values: Any) -> None:
    assert told(chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *values)) == ""
