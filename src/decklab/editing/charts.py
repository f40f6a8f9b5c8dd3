"""Charts added, and their data: numbers, series and categories, titles."""

from collections.abc import Mapping, Sequence
from typing import Any

from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.presentation import Presentation
from pptx.util import Pt

from decklab.editing.finding import EditError, GivenShape, find_graphic, slide_at
from decklab.editing.phrasing import chart_phrase, new_phrase
from decklab.editing.placing import PxBox, emu_lengths
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

PointNames = tuple[str, str | None]
"""Category and series; the series may be None if a chart has one."""
SeriesValues = Mapping[str, Sequence[float | None]]


def chart_data(prs: Presentation, slide: int, shape: GivenShape = None) -> dict[str, Any]:
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
)
def add_chart(
    prs: Presentation,
    slide: int,
    box: PxBox,
    kind: str,
    *,
    categories: Sequence[str],
    series: SeriesValues,
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
        _put_below(chart.legend)
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
    series: SeriesValues,
    *,
    shape: GivenShape = None,
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
    prs: Presentation, slide: int, title: str | None, *, shape: GivenShape = None
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
    if not (runs := frame.paragraphs[0].runs):
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
    for item in chart.findall(f".//{qn('c:radarChart')}/{qn('c:ser')}/{qn('c:smooth')}"):
        item.getparent().remove(item)


_new_data: Any = CategoryChartData  # python-pptx states no types for these


def chart_of(prs: Presentation, slide: int, shape: GivenShape = None) -> Any:
    """The chart of a slide as python-pptx sees it; raises EditError if there is none, or
    several of which none is named."""
    reference = find_graphic(prs, slide, shape, qn("c:chart"), "chart")
    part: Any = slide_at(prs, slide).part.related_part(reference.get(qn("r:id")))
    return part.chart


def kind_of_chart(prs: Presentation, slide: int, shape: GivenShape = None) -> str:
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
    path = f"{qn('c:val')}//{qn('c:formatCode')}"
    series = [item for plot in chart.plots for item in plot.series]
    return {item.name: code for item in series if (code := item._element.findtext(path))}


def _data(
    categories: Sequence[str], series: SeriesValues, formats: Mapping[str, str] | None = None
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


_POINTS = tuple(qn(f"c:{name}") for name in ("dPt", "dLbl"))
"""Elements of a series that belong to single points."""


@chart_phrase("set [(value|share) of] {point} [of {shape:chart}] [from {was:value}] to "
              "({value}|{share:percent})",
              "set [(value|share) of] {point} to ({value}|{share:percent}) of {shape:chart}",
              example="set 'North' in '2025' to 6 in the chart on slide 6")  # fmt: skip
def set_chart_value(
    prs: Presentation, slide: int, point: PointNames, value: float, *, shape: GivenShape = None
) -> bool:
    """Give one point of a chart, (category, series), a value, in its workbook too.

    The series may be None where there is one; all looks stay. Return whether the value is another.
    Raises EditError where there is no such point, or several.

    Example: set_chart_value(prs, 4, ("Q1", "North"), 3.5)
    """
    if point_value(prs, slide, point, shape=shape) == value:
        return False
    held = chart_data(prs, slide, shape)
    name, at = _point(held, point, slide)
    changed = {**held["series"], name: list(held["series"][name])}
    changed[name][at] = value
    set_chart_data(prs, slide, held["categories"], changed, shape=shape)
    return True


def point_value(
    prs: Presentation, slide: int, point: PointNames, *, shape: GivenShape = None
) -> float | None:
    """The value of a point of a chart, (category, series); raises EditError as
    ``set_chart_value``."""
    held = chart_data(prs, slide, shape)
    name, at = _point(held, point, slide)
    value: float | None = held["series"][name][at]
    return value


def number_format_of(prs: Presentation, slide: int, shape: GivenShape = None) -> str:
    """How a chart shows its values, as Excel writes it: ``0.0``, ``0%``."""
    root = chart_of(prs, slide, shape)._chartSpace
    formats = root.xpath(".//c:numFmt[@sourceLinked='0' or @sourceLinked='false']")
    own = [item.get("formatCode") or "" for item in formats]
    of_data = [item.text or "" for item in root.iterfind(f".//{qn('c:val')}//{qn('c:formatCode')}")]
    return next(iter((*own, *of_data)), "General")


@chart_phrase(
    "add category {name:single} with [(value|values)] {values:figures} [(to|of) {shape:chart}]",
    "add category {name:single} (to|of) {shape:chart} with [(value|values)] {values:figures}",
    example="add the category 'West' with the value 5 to the chart on slide 6")  # fmt: skip
def add_category(
    prs: Presentation, slide: int, name: str, values: Sequence[float], *, shape: GivenShape = None
) -> None:
    """Add a category at the end of a chart, with a value for each series.

    Example: add_category(prs, 4, "Q3", [4.5, 2.4])
    """
    held = chart_data(prs, slide, shape)
    _refuse_known(name, [*held["categories"], *held["series"]])
    if len(values) != len(held["series"]):
        raise EditError(f"the chart has {len(held['series'])} series, and takes a value for each")
    longer = zip(held["series"].items(), values, strict=True)
    series = {key: [*old, value] for (key, old), value in longer}
    set_chart_data(prs, slide, [*held["categories"], name], series, shape=shape)


@chart_phrase(
    "delete [(category|bar|slice)] {name:category} [(bar|slice|category)] [of {shape:chart}]",
    example="remove the category 'South' from the chart on slide 6")  # fmt: skip
def delete_category(prs: Presentation, slide: int, name: str, *, shape: GivenShape = None) -> None:
    """Take a category out of a chart; the other points keep their looks.

    Example: delete_category(prs, 4, "Q1")
    """
    held = chart_data(prs, slide, shape)
    at = name_place(held["categories"], name, "category", slide)
    if len(held["categories"]) == 1:
        raise EditError("it is the only category of the chart; delete the chart")
    for item in list(chart_of(prs, slide, shape)._chartSpace.iter(*_POINTS)):
        index = item.find(qn("c:idx"))
        if int(index.get("val")) == at:
            item.getparent().remove(item)
        elif int(index.get("val")) > at:
            index.set("val", str(int(index.get("val")) - 1))
    series = {key: _without(values, at) for key, values in held["series"].items()}
    set_chart_data(prs, slide, _without(held["categories"], at), series, shape=shape)


@chart_phrase(
    "add series {name:single} with [(value|values)] {values:figures} [(to|of) {shape:chart}]",
    "add series {name:single} (to|of) {shape:chart} with [(value|values)] {values:figures}",
    example="add the series '2026' with the values 5 and 7 to the chart on slide 6")  # fmt: skip
def add_series(
    prs: Presentation, slide: int, name: str, values: Sequence[float], *, shape: GivenShape = None
) -> None:
    """Add a series behind those of a chart, with a value for each category, in the next colour.

    A chart without a legend gets one, as its series could not be told apart.

    Example: add_series(prs, 4, "West", [3.0, 3.2])
    """
    held = chart_data(prs, slide, shape)
    _refuse_known(name, [*held["categories"], *held["series"]])
    chart = chart_of(prs, slide, shape)
    if {plot.tag for plot in _plots(chart)} & {qn("c:pieChart"), qn("c:doughnutChart")}:
        raise EditError("a pie or doughnut chart shows one series")
    series = {**held["series"], name: list(values)}
    set_chart_data(prs, slide, held["categories"], series, shape=shape)
    fresh = list(chart._chartSpace.iter(qn("c:ser")))[-1]
    for item in fresh.xpath("c:spPr | c:marker | c:dPt"):
        fresh.remove(item)
    if not chart.has_legend:
        chart.has_legend = True
        _put_below(chart.legend)


def _put_below(legend: Any) -> None:
    legend.position, legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False


@chart_phrase("delete [(series|line)] {name:series} [(series|line|bars)] [of {shape:chart}]",
              example="remove the series '2025' from the chart on slide 6")  # fmt: skip
def delete_series(prs: Presentation, slide: int, name: str, *, shape: GivenShape = None) -> None:
    """Take a series out of a chart; the others keep their looks.

    Example: delete_series(prs, 4, "North")
    """
    held = chart_data(prs, slide, shape)
    names = list(held["series"])
    at = name_place(names, name, "series", slide)
    if len(names) == 1:
        raise EditError("it is the only series of the chart; delete the chart")
    gone = list(chart_of(prs, slide, shape)._chartSpace.iter(qn("c:ser")))[at]
    gone.getparent().remove(gone)
    series = {key: values for key, values in held["series"].items() if key != names[at]}
    set_chart_data(prs, slide, held["categories"], series, shape=shape)


def _plots(chart: Any) -> list[Any]:
    area = chart._chartSpace.find(f".//{qn('c:plotArea')}")
    return [item for item in area if item.tag.endswith("Chart")]


def _without(items: Sequence[Any], at: int) -> list[Any]:
    return [*items[:at], *items[at + 1 :]]


def _refuse_known(name: str, names: Sequence[str]) -> None:
    if name.casefold() in [known.casefold() for known in names]:
        raise EditError(f"the chart has {name!r} already")


def _point(held: dict[str, Any], point: PointNames, slide: int) -> tuple[str, int]:
    """The series of a point, and the place of its category."""
    if not held["categories"]:
        raise EditError(
            f"the chart on slide {slide} has no categories, as scatter charts have none: change "
            "its points in its XML"
        )
    at = name_place(held["categories"], point[0], "category", slide)
    names = list(held["series"])
    only = point[1] is None and len(names) == 1
    return names[0 if only else name_place(names, point[1], "series", slide)], at


def name_place(names: list[str], name: str | None, what: str, slide: int) -> int:
    """The place of a category or series, case aside; raises EditError."""
    known = [held.casefold() for held in names]
    wanted = "" if name is None else name.casefold()
    if known.count(wanted) != 1:
        which = f"no {what} {name!r}, or several" if name else f"several {what}"
        there = ", ".join(map(repr, names))
        raise EditError(f"the chart on slide {slide} has {which}; it has {there}")
    return known.index(wanted)
