"""Charts: their data and their title."""

from collections.abc import Mapping, Sequence
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.presentation import Presentation
from pptx.util import Pt

from decklab.editing.finding import EditError, find_graphic, slide_at
from decklab.editing.frames import PxBox, emu_lengths
from decklab.editing.phrasing import chart_phrase, new_phrase
from decklab.ooxml.xml import qn

CHART_TYPES = {
    "column": XL_CHART_TYPE.COLUMN_CLUSTERED,
    "stacked column": XL_CHART_TYPE.COLUMN_STACKED,
    "100% stacked column": XL_CHART_TYPE.COLUMN_STACKED_100,
    "bar": XL_CHART_TYPE.BAR_CLUSTERED,
    "stacked bar": XL_CHART_TYPE.BAR_STACKED,
    "line": XL_CHART_TYPE.LINE,
    "line with markers": XL_CHART_TYPE.LINE_MARKERS,
    "area": XL_CHART_TYPE.AREA,
    "stacked area": XL_CHART_TYPE.AREA_STACKED,
    "pie": XL_CHART_TYPE.PIE,
    "doughnut": XL_CHART_TYPE.DOUGHNUT,
    "radar": XL_CHART_TYPE.RADAR,
}
"""Kinds of chart over categories, by the names PowerPoint shows."""
ROUND = ("pie", "doughnut")
"""Kinds that show one series, without axes."""


def chart_data(prs: Presentation, slide: int, shape: str | int | None = None) -> dict[str, Any]:
    """The data of a chart: ``{"categories": [...], "series": {name: [values]}}``.

    ``shape`` may be left out where the slide has one chart.

    Example: chart_data(prs, 4)
    """
    plots = chart_of(prs, slide, shape).plots
    categories = [str(label) for label in plots[0].categories]
    series = {item.name: list(item.values) for plot in plots for item in plot.series}
    return {"categories": categories, "series": series}


@new_phrase(
    "add {kind:chart kind} chart (of|with) {named:numbered} [titled {title:words}] {on} [{box}]",
    example="add a pie chart of 'North' 4, 'South' 6 to slide 1 at 500, 200, 300 by 240",
)  # fmt: skip
def add_chart(
    prs: Presentation,
    slide: int,
    box: PxBox,
    kind: str,
    *,
    categories: Sequence[str],
    series: Mapping[str, Sequence[float | None]],
    title: str | None = None,
) -> int:
    """Add a chart with its workbook, in the colours of the theme; return its id.

    ``kind`` is as in ``set_chart_type``, ``series`` as in ``set_chart_data``; ``box`` is left, top,
    width and height in pixels of the 960x540 frame. Several series, and shares of a pie, get a
    legend; its text has 12 points.

    Example: add_chart(prs, 2, (60, 130, 840, 340), "pie", categories=["A"], series={"B": [3]})
    """
    check_kind(kind, len(series))
    if not categories or not series:
        raise EditError("a chart has one category and one series at least")
    data, sides = _data(categories, series), emu_lengths(prs, box)
    native: Any = slide_at(prs, slide).shapes.add_chart(CHART_TYPES[kind], *sides, data)
    chart = native.chart
    chart.font.size = Pt(12)
    chart.has_title = title is not None
    if title is not None:
        chart.chart_title.text_frame.text = title
    chart.has_legend = len(series) > 1 or kind in ROUND
    if chart.has_legend:
        chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
    mend_chart(chart._chartSpace)
    return int(native.shape_id)


def check_kind(kind: str, series: int) -> None:
    """Raise EditError for a kind of chart that there is not, or that shows fewer series."""
    if kind not in CHART_TYPES:
        raise EditError(f"{kind!r} is no kind of chart; there are {', '.join(CHART_TYPES)}")
    if kind in ROUND and series > 1:
        raise EditError(f"a {kind} chart shows one series; this one has {series}")


def set_chart_data(
    prs: Presentation,
    slide: int,
    categories: Sequence[str],
    series: Mapping[str, Sequence[float | None]],
    *,
    shape: str | int | None = None,
) -> None:
    """Give a chart other data, in its workbook too; colours and all other looks stay.

    Each series has a value, or None, for every category. Values are shown as those before.

    Example: set_chart_data(prs, 4, ["Q1", "Q2"], {"North": [3.5, 4.1], "South": [2.0, 2.2]})
    """
    chart = chart_of(prs, slide, shape)
    chart.replace_data(_data(categories, series, _formats(chart)))


@chart_phrase("set <title of {shape:chart}> to {title:words}",
              "(give|add) {shape:chart} title {title:words}",
              "add title {title:quoted} to {shape:chart}",
              example="set the title of the chart on slide 6 to 'Sales'")  # fmt: skip
@chart_phrase("delete <title of {shape:chart}>",
              example="remove the title of the chart on slide 6", title=None)  # fmt: skip
def set_chart_title(
    prs: Presentation, slide: int, title: str | None, *, shape: str | int | None = None
) -> None:
    """Give a chart a title, None takes it away.

    Example: set_chart_title(prs, 4, "Revenue by quarter")
    """
    chart = chart_of(prs, slide, shape)
    if title is None:
        if not chart.has_title:
            raise EditError(f"the chart on slide {slide} has no title")
        chart.has_title = False
        return
    write_title(chart.chart_title.text_frame, title)
    chart._chartSpace.chart.get_or_add_autoTitleDeleted().val = False


def write_title(frame: Any, title: str) -> None:
    """Give the title of a chart or axis another text in the look that it has."""
    runs = frame.paragraphs[0].runs
    if not runs:
        frame.text = title
        return
    for run in runs[1:]:
        run._r.getparent().remove(run._r)
    for paragraph in frame.paragraphs[1:]:
        paragraph._p.getparent().remove(paragraph._p)
    runs[0].text = title


def mend_chart(chart: Any) -> None:
    """Correct what python-pptx writes against the schema: smooth lines of radar series, and ids
    of axes with a sign."""
    drop_radar_smoothing(chart)
    for item in chart.iter(qn("c:axId"), qn("c:crossAx")):
        item.set("val", (item.get("val") or "").lstrip("-"))


def drop_radar_smoothing(chart: Any) -> None:
    """Remove ``c:smooth`` from radar series: python-pptx writes it, and only lines may have it."""
    for series in chart.findall(f".//{qn('c:radarChart')}/{qn('c:ser')}"):
        for item in series.findall(qn("c:smooth")):
            series.remove(item)


_new_data: Any = CategoryChartData  # python-pptx states no types for these


def chart_of(prs: Presentation, slide: int, shape: str | int | None = None) -> Any:
    """The chart of a slide as python-pptx sees it; raises EditError if there is none, or
    several of which none is named."""
    reference = find_graphic(prs, slide, shape, qn("c:chart"), "chart")
    part: Any = slide_at(prs, slide).part.related_part(reference.get(qn("r:id")))
    return part.chart


def kind_of_chart(prs: Presentation, slide: int, shape: str | int | None = None) -> str:
    """How a chart is drawn: ``column``, ``bar``, ``line``, ``pie``, ``doughnut`` and so on.

    Of a chart with several kinds of series it is the first.
    """
    plot = chart_of(prs, slide, shape)._chartSpace.find(f".//{qn('c:plotArea')}")
    drawn = next(item for item in plot if item.tag.endswith("Chart"))
    name = drawn.tag.rpartition("}")[2].removesuffix("Chart").removesuffix("3D")
    direction = drawn.find(qn("c:barDir"))
    return "column" if direction is not None and direction.get("val") == "col" else name


def _formats(chart: Any) -> dict[str, str]:
    """How the values of each series are written in the workbook, by the name of the series."""
    return {
        item.name: code
        for plot in chart.plots
        for item in plot.series
        if (code := item._element.findtext(f"{qn('c:val')}//{qn('c:formatCode')}"))
    }


def _data(
    categories: Sequence[str],
    series: Mapping[str, Sequence[float | None]],
    formats: Mapping[str, str] | None = None,
) -> Any:
    """Data as python-pptx takes it; a series of an unknown format is written as the first is."""
    held = formats or {}
    data: Any = _new_data(number_format=next(iter(held.values()), "General"))
    data.categories = list(categories)
    for name, values in series.items():
        if len(values) != len(categories):
            raise EditError(
                f"series {name!r} has {len(values)} values for {len(categories)} categories"
            )
        data.add_series(name, list(values), held.get(name))
    return data
