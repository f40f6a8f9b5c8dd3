"""Why now: what the town burns, and what happens to its emissions."""

from pptx.chart.chart import Chart
from pptx.enum.chart import XL_CHART_TYPE, XL_LABEL_POSITION, XL_MARKER_STYLE
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.util import Pt

from generate.samples.charts import insert_chart, style_axes, style_legend
from generate.samples.filling import add_slide, fill_placeholder, paint, set_notes
from generate.samples.rich.design import CHART, FIRST
from generate.samples.timing import Step, animate

_YEARS = [str(year) for year in range(2024, 2036)]
_PATHWAYS = {
    "No network": (41.0, 40.6, 40.1, 39.4, 38.8, 38.1, 37.3, 36.5, 35.6, 34.8, 34.0, 33.1),
    "Harbour network": (41.0, 40.6, 39.0, 34.2, 30.1, 26.4, 23.0, 19.8, 17.1, 14.9, 13.2, 11.9),
}


def why_now(deck: Deck) -> Slide:
    """Section slide."""
    slide = add_slide(deck, "Section", "Why now")
    fill_placeholder(slide, FIRST, ["Half of the town's boilers are due for replacement by 2030."])
    fill_placeholder(slide, CHART, ["1"])
    set_notes(slide, "If people replace oil with oil, that choice stands for twenty years.")
    return slide


def fuels(deck: Deck) -> Slide:
    """A bar chart of heat demand by source, with takeaways beside it."""
    slide = add_slide(
        deck, "Chart and takeaways", "Two thirds of our heat still comes from oil and gas"
    )
    frame = insert_chart(
        slide, CHART, XL_CHART_TYPE.BAR_CLUSTERED,
        ["Wood and pellets", "Single heat pumps", "Direct electric", "Natural gas", "Heating oil"],
        {"Heat used in 2024": (14.2, 17.5, 19.8, 46.0, 58.5)},
        name="Heat by source", number_format="0.0",
        alt="Bar chart of heat used in 2024 in gigawatt hours: heating oil 58.5, natural gas 46, "
        "direct electric 19.8, single heat pumps 17.5, wood and pellets 14.2",
    )  # fmt: skip
    chart = frame.chart
    chart.has_title = False
    chart.has_legend = False
    style_axes(chart, size=14, color="tx1", grid="bg2", title="Gigawatt hours")
    _label_bars(chart)
    body = fill_placeholder(slide, FIRST, [
        "Oil and gas: 104 of 156 GWh",
        "Most of these boilers stand within 800 m of the quay",
        "\tthe old town",
        "\tboth schools",
        "\tthe hospital",
        "Each needs replacing anyway",
    ])  # fmt: skip
    animate(slide, [
        Step(frame, "wipe", duration_ms=800),
        Step(body, paragraph=0),
        Step(body, paragraph=1),
        *(Step(body, start="with", paragraph=n) for n in (2, 3, 4)),
        Step(body, paragraph=5),
    ])  # fmt: skip
    set_notes(slide, "Source: chimney sweep register 2024 and the utility's meter readings.")
    return slide


def _label_bars(chart: Chart) -> None:
    plot = chart.plots[0]
    plot.gap_width = 45
    plot.has_data_labels = True
    labels = plot.data_labels
    labels.position = XL_LABEL_POSITION.OUTSIDE_END
    labels.number_format, labels.number_format_is_linked = "0.0", False
    labels.font.size, labels.font.bold = Pt(14), True
    paint(labels.font, "tx2")
    series = plot.series[0]
    paint(series.format.fill, "accent1")
    for fossil in (3, 4):
        paint(series.points[fossil].format.fill, "accent2")


def pathways(deck: Deck) -> Slide:
    """A line chart of two futures."""
    slide = add_slide(deck, "Wide chart", "Emissions fall only if the network is built")
    frame = insert_chart(
        slide, CHART, XL_CHART_TYPE.LINE_MARKERS, _YEARS, _PATHWAYS, name="Emission pathways",
        number_format="0.0",
        alt="Line chart of carbon dioxide from heating, 2024 to 2035, in thousand tonnes: from 41 "
        "down to 33.1 without a network and to 11.9 with it",
    )  # fmt: skip
    chart = frame.chart
    chart.has_title = False
    style_axes(chart, size=14, color="tx1", grid="bg2", title="Thousand tonnes CO₂ a year")
    style_legend(chart, size=15, color="tx1")
    chart.value_axis.minimum_scale, chart.value_axis.maximum_scale = 0, 50
    chart.value_axis.major_unit = 10
    for series, color in zip(chart.plots[0].series, ("accent2", "accent1"), strict=True):
        series.smooth = False
        series.format.line.width = Pt(3.5)
        paint(series.format.line.fill, color)
        series.marker.style, series.marker.size = XL_MARKER_STYLE.CIRCLE, 8
        paint(series.marker.format.fill, color)
        paint(series.marker.format.line.fill, "bg1")
    strip = fill_placeholder(slide, FIRST, [
        "By 2035 the harbour network saves 21,200 tonnes a year, 64 % of what would remain."
    ])  # fmt: skip
    animate(slide, [Step(frame, "wipe", duration_ms=1200), Step(strip, start="after")])
    set_notes(slide, "The upper line already counts insulation at today's pace.")
    return slide
