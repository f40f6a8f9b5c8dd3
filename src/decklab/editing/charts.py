"""Charts: their data, their kind, their title."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.chart.xmlwriter import ChartXmlWriter
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.util import Pt

from decklab.editing.finding import EditError, find_graphic, slide_at
from decklab.editing.frames import PxBox, emu_lengths
from decklab.editing.phrasing import phrase
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
_ROUND = ("pie", "doughnut")
_BEFORE_TITLE = ("axId", "scaling", "delete", "axPos", "majorGridlines", "minorGridlines")
"""What the schema puts before the title of an axis (ECMA-376 Part 1, 21.2.2.25)."""
_AXES = tuple(qn(f"c:{name}") for name in ("catAx", "dateAx", "valAx"))


def chart_data(prs: Presentation, slide: int, shape: str | int | None = None) -> dict[str, Any]:
    """The data of a chart: ``{"categories": [...], "series": {name: [values]}}``.

    ``shape`` may be left out where the slide has one chart.

    Example: chart_data(prs, 4)
    """
    plots = chart_of(prs, slide, shape).plots
    categories = [str(label) for label in plots[0].categories]
    series = {item.name: list(item.values) for plot in plots for item in plot.series}
    return {"categories": categories, "series": series}


@phrase(
    "add {kind=column|bar|line|area|pie|doughnut|radar|stacked column|stacked bar} chart of "
    "{named:numbered} [titled {title:words}] {on} [{box}]",
    example="add a pie chart of 'North' 4, 'South' 6 to slide 1 at 500, 200, 300 by 240",
    changes="added",
    follows="detail other media",
    needs_slide=True,
)
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
    _check_kind(kind, len(series))
    if not categories or not series:
        raise EditError("a chart has one category and one series at least")
    data, sides = _data(categories, series), emu_lengths(prs, box)
    native: Any = slide_at(prs, slide).shapes.add_chart(CHART_TYPES[kind], *sides, data)
    chart = native.chart
    chart.font.size = Pt(12)
    chart.has_title = title is not None
    if title is not None:
        chart.chart_title.text_frame.text = title
    chart.has_legend = len(series) > 1 or kind in _ROUND
    if chart.has_legend:
        chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False
    mend_chart(chart._chartSpace)
    return int(native.shape_id)


def _check_kind(kind: str, series: int) -> None:
    if kind not in CHART_TYPES:
        raise EditError(f"{kind!r} is no kind of chart; there are {', '.join(CHART_TYPES)}")
    if kind in _ROUND and series > 1:
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

    Each series has a value, or None, for every category.

    Example: set_chart_data(prs, 4, ["Q1", "Q2"], {"North": [3.5, 4.1], "South": [2.0, 2.2]})
    """
    chart = chart_of(prs, slide, shape)
    chart.replace_data(_data(categories, series))


@phrase(
    "(make|turn|change) {shape:chart} [(into|to)] {kind=column|bar|line|area|pie|doughnut|radar"
    "|stacked column|stacked bar|stacked area} chart",
    "(show|draw) {shape:chart} as {kind=column|bar|line|area|pie|doughnut|radar|stacked column"
    "|stacked bar|stacked area} [chart]",
    "set chart type {on} to {kind=column|bar|line|area|pie|doughnut|radar|stacked column"
    "|stacked bar|stacked area}",
    "set [chart] type of {shape:chart} to {kind=column|bar|line|area|pie|doughnut|radar"
    "|stacked column|stacked bar|stacked area}",
    example="turn the chart on slide 6 into a line chart",
    changes="chart",
    follows="detail other chart",
    shape="chart",
)
def set_chart_type(
    prs: Presentation, slide: int, kind: str, *, shape: str | int | None = None
) -> None:
    """Draw the data of a chart another way; its title, legend and colours of series stay.

    ``kind`` is "column", "stacked column", "100% stacked column", "bar", "stacked bar", "line",
    "line with markers", "area", "stacked area", "pie", "doughnut" or "radar".

    Example: set_chart_type(prs, 4, "line")
    """
    before = chart_data(prs, slide, shape)
    chart = chart_of(prs, slide, shape)
    _check_kind(kind, len(before["series"]))
    data = _data(before["categories"], before["series"])
    written = parse_xml(_written(CHART_TYPES[kind], data).xml.encode())
    plot = chart._chartSpace.find(f".//{qn('c:plotArea')}")
    old = list(plot.iter(qn("c:ser")))
    looks = [series.find(qn("c:spPr")) for series in old]
    references = [[item.text or "" for item in series.iter(qn("c:f"))] for series in old]
    drop_radar_smoothing(written)
    fresh = written.find(f".//{qn('c:plotArea')}")
    for series, look, names in zip(fresh.iter(qn("c:ser")), looks, references, strict=True):
        _copy_look(series, look, kind)
        _repoint(series, names)
    _keep_axis_titles(plot, fresh)
    for item in list(plot):
        if item.tag not in (qn("c:layout"), qn("c:spPr"), qn("c:extLst")):
            plot.remove(item)
    place = plot.find(qn("c:layout"))
    for item in reversed([item for item in fresh if item.tag != qn("c:layout")]):
        plot.insert(0 if place is None else 1, item)


@phrase(
    "set title of {shape:chart} to {title:words}",
    "set chart title {on} to {title:words}",
    example="set the title of the chart on slide 6 to 'Sales'",
    changes="chart",
    follows="detail other",
    shape="chart",
)
@phrase(
    "delete title of {shape:chart}",
    "delete chart title",
    example="remove the title of the chart on slide 6",
    changes="chart",
    follows="detail other",
    shape="chart",
    title=None,
)
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
    runs = chart.chart_title.text_frame.paragraphs[0].runs if chart.has_title else ()
    if runs:
        for run in runs[1:]:
            run._r.getparent().remove(run._r)
        runs[0].text = title
    else:
        chart.chart_title.text_frame.text = title


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
_written: Any = ChartXmlWriter


def chart_of(prs: Presentation, slide: int, shape: str | int | None = None) -> Any:
    """The chart of a slide as python-pptx sees it; raises EditError where there is none, or
    several of which none is named."""
    reference = find_graphic(prs, slide, shape, qn("c:chart"), "chart")
    part: Any = slide_at(prs, slide).part.related_part(reference.get(qn("r:id")))
    return part.chart


def _data(categories: Sequence[str], series: Mapping[str, Sequence[float | None]]) -> Any:
    data: Any = _new_data()
    data.categories = list(categories)
    for name, values in series.items():
        if len(values) != len(categories):
            raise EditError(
                f"series {name!r} has {len(values)} values for {len(categories)} categories"
            )
        data.add_series(name, list(values))
    return data


def _keep_axis_titles(plot: Any, fresh: Any) -> None:
    """Give the new axes the titles of the old ones: of categories, and of values."""
    for kinds in (_AXES[:2], _AXES[2:]):
        old, new = (next(area.iterchildren(*kinds), None) for area in (plot, fresh))
        title = None if old is None else old.find(qn("c:title"))
        if title is None or new is None:
            continue
        for item in new.findall(qn("c:title")):
            new.remove(item)
        title = deepcopy(title)
        if _is_upright(old) != _is_upright(new):
            for turned in title.iter(qn("a:bodyPr")):
                turned.attrib.pop("rot", None)
                turned.attrib.pop("vert", None)
        before = [item for name in _BEFORE_TITLE for item in new.findall(qn(f"c:{name}"))]
        new.insert(len(before), title)


def _is_upright(axis: Any) -> bool:
    place = axis.find(qn("c:axPos"))
    return place is not None and place.get("val") in ("l", "r")


def _repoint(series: Any, names: list[str]) -> None:
    """Refer to the same cells of the workbook as before."""
    fresh = list(series.iter(qn("c:f")))
    if len(fresh) == len(names):
        for item, name in zip(fresh, names, strict=True):
            item.text = name


def _copy_look(series: Any, look: Any, kind: str) -> None:
    """Give a new series the fill and line of the old one, where its kind shows them."""
    if look is None or kind in _ROUND:
        return
    fresh = deepcopy(look)
    for old in series.findall(qn("c:spPr")):
        series.remove(old)
    if kind in ("line", "line with markers", "radar"):
        _as_line(fresh)
    after = next(item for name in ("tx", "order") for item in series.iterfind(qn(f"c:{name}")))
    after.addnext(fresh)


def _as_line(look: Any) -> None:
    """Use the fill of a series drawn as an area for its line."""
    fill = look.find(qn("a:solidFill"))
    line = look.find(qn("a:ln"))
    if fill is None or (line is not None and line.find(qn("a:solidFill")) is not None):
        return
    look.remove(fill)
    if line is not None:
        look.remove(line)
    drawn = parse_xml(f'<a:ln xmlns:a="{fill.nsmap["a"]}" w="28575"/>')
    drawn.append(fill)
    look.insert(0, drawn)
