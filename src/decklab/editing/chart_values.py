"""Single values, categories and series of a chart, given by their names."""

from collections.abc import Sequence
from typing import Any

from pptx.enum.chart import XL_LEGEND_POSITION
from pptx.presentation import Presentation

from decklab.editing.charts import chart_data, chart_of, set_chart_data
from decklab.editing.finding import EditError
from decklab.editing.phrasing import chart_phrase
from decklab.ooxml.xml import qn

_POINTS = tuple(qn(f"c:{name}") for name in ("dPt", "dLbl"))
"""Elements of a series that belong to single points."""


@chart_phrase("set [(value|share) of] {point} [of {shape:chart}] [from {was:value}] to "
              "({value}|{share:percent})",
              "set [(value|share) of] {point} to ({value}|{share:percent}) of {shape:chart}",
              example="set 'North' in '2025' to 6 in the chart on slide 6")  # fmt: skip
def set_chart_value(
    prs: Presentation,
    slide: int,
    point: tuple[str, str | None],
    value: float,
    *,
    shape: str | int | None = None,
) -> bool:
    """Give one point of a chart, (category, series), a value, in its workbook too.

    The series may be None where there is one; all looks stay. Return whether the value is another.
    Raises EditError where there is no such point, or several.

    Example: set_chart_value(prs, 4, ("Q1", "North"), 3.5)
    """
    if point_value(prs, slide, point, shape=shape) == value:
        return False
    held = chart_data(prs, slide, shape)
    name, place = _point(held, point, slide)
    changed = {**held["series"], name: list(held["series"][name])}
    changed[name][place] = value
    set_chart_data(prs, slide, held["categories"], changed, shape=shape)
    return True


def point_value(
    prs: Presentation, slide: int, point: tuple[str, str | None], *, shape: str | int | None = None
) -> float | None:
    """The value of a point of a chart, (category, series); raises EditError as
    ``set_chart_value``."""
    held = chart_data(prs, slide, shape)
    name, place = _point(held, point, slide)
    value: float | None = held["series"][name][place]
    return value


def number_format_of(prs: Presentation, slide: int, shape: str | int | None = None) -> str:
    """How a chart shows its values, as Excel writes it: ``0.0``, ``0%``."""
    root = chart_of(prs, slide, shape)._chartSpace
    own = [item.get("formatCode") or "" for item in root.iter(qn("c:numFmt"))
           if item.get("sourceLinked") in ("0", "false")]  # fmt: skip
    of_data = [item.text or "" for item in root.iterfind(f".//{qn('c:val')}//{qn('c:formatCode')}")]
    return next(iter((*own, *of_data)), "General")


@chart_phrase(
    "add category {name:single} with [(value|values)] {values:figures} [(to|of) {shape:chart}]",
    "add category {name:single} (to|of) {shape:chart} with [(value|values)] {values:figures}",
    example="add the category 'West' with the value 5 to the chart on slide 6")  # fmt: skip
def add_category(
    prs: Presentation,
    slide: int,
    name: str,
    values: Sequence[float],
    *,
    shape: str | int | None = None,
) -> None:
    """Add a category at the end of a chart, with a value for each series.

    Example: add_category(prs, 4, "Q3", [4.5, 2.4])
    """
    held = chart_data(prs, slide, shape)
    _refuse_known(name, [*held["categories"], *held["series"]])
    if len(values) != len(held["series"]):
        raise EditError(f"the chart has {len(held['series'])} series, and takes a value for each")
    series = {key: [*old, value] for (key, old), value in
              zip(held["series"].items(), values, strict=True)}  # fmt: skip
    set_chart_data(prs, slide, [*held["categories"], name], series, shape=shape)


@chart_phrase(
    "delete [(category|bar|slice)] {name:category} [(bar|slice|category)] [of {shape:chart}]",
    example="remove the category 'South' from the chart on slide 6")  # fmt: skip
def delete_category(
    prs: Presentation, slide: int, name: str, *, shape: str | int | None = None
) -> None:
    """Take a category out of a chart; the other points keep their looks.

    Example: delete_category(prs, 4, "Q1")
    """
    held = chart_data(prs, slide, shape)
    place = _place(held["categories"], name, "category", slide)
    if len(held["categories"]) == 1:
        raise EditError("it is the only category of the chart; delete the chart")
    for item in list(chart_of(prs, slide, shape)._chartSpace.iter(*_POINTS)):
        index = item.find(qn("c:idx"))
        if int(index.get("val")) == place:
            item.getparent().remove(item)
        elif int(index.get("val")) > place:
            index.set("val", str(int(index.get("val")) - 1))
    series = {key: _without(values, place) for key, values in held["series"].items()}
    set_chart_data(prs, slide, _without(held["categories"], place), series, shape=shape)


@chart_phrase(
    "add series {name:single} with [(value|values)] {values:figures} [(to|of) {shape:chart}]",
    "add series {name:single} (to|of) {shape:chart} with [(value|values)] {values:figures}",
    example="add the series '2026' with the values 5 and 7 to the chart on slide 6")  # fmt: skip
def add_series(
    prs: Presentation,
    slide: int,
    name: str,
    values: Sequence[float],
    *,
    shape: str | int | None = None,
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
    for item in [*fresh.findall(qn("c:spPr")), *fresh.findall(qn("c:marker")),
                 *fresh.findall(qn("c:dPt"))]:  # fmt: skip
        fresh.remove(item)
    if not chart.has_legend:
        chart.has_legend = True
        chart.legend.position, chart.legend.include_in_layout = XL_LEGEND_POSITION.BOTTOM, False


@chart_phrase("delete [(series|line)] {name:series} [(series|line|bars)] [of {shape:chart}]",
              example="remove the series '2025' from the chart on slide 6")  # fmt: skip
def delete_series(
    prs: Presentation, slide: int, name: str, *, shape: str | int | None = None
) -> None:
    """Take a series out of a chart; the others keep their looks.

    Example: delete_series(prs, 4, "North")
    """
    held = chart_data(prs, slide, shape)
    names = list(held["series"])
    place = _place(names, name, "series", slide)
    if len(names) == 1:
        raise EditError("it is the only series of the chart; delete the chart")
    gone = list(chart_of(prs, slide, shape)._chartSpace.iter(qn("c:ser")))[place]
    gone.getparent().remove(gone)
    series = {key: values for key, values in held["series"].items() if key != names[place]}
    set_chart_data(prs, slide, held["categories"], series, shape=shape)


def _plots(chart: Any) -> list[Any]:
    area = chart._chartSpace.find(f".//{qn('c:plotArea')}")
    return [item for item in area if item.tag.endswith("Chart")]


def _without(items: Sequence[Any], place: int) -> list[Any]:
    return [*items[:place], *items[place + 1 :]]


def _refuse_known(name: str, names: Sequence[str]) -> None:
    if name.casefold() in [one.casefold() for one in names]:
        raise EditError(f"the chart has {name!r} already")


def _point(held: dict[str, Any], point: tuple[str, str | None], slide: int) -> tuple[str, int]:
    """The series of a point, and the place of its category."""
    place = _place(held["categories"], point[0], "category", slide)
    names = list(held["series"])
    only = point[1] is None and len(names) == 1
    return names[0 if only else _place(names, point[1], "series", slide)], place


def _place(names: list[str], name: str | None, what: str, slide: int) -> int:
    """The place of a category or series, case aside; raises EditError."""
    there = ", ".join(map(repr, names))
    wanted = "" if name is None else name.casefold()
    if [one.casefold() for one in names].count(wanted) != 1:
        which = f"no {what} {name!r}, or several" if name else f"several {what}"
        raise EditError(f"the chart on slide {slide} has {which}; it has {there}")
    return [one.casefold() for one in names].index(wanted)
