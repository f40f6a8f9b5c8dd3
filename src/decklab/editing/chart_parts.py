"""Parts of a chart: legend, data labels, axes with their titles, scales and gridlines, and the
colours of series and points."""

from typing import Any

from pptx.enum.chart import XL_LEGEND_POSITION
from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.charts import PointNames, chart_of, name_place, write_title
from decklab.editing.finding import EditError, GivenShape
from decklab.editing.formatting import paint
from decklab.editing.phrasing import chart_phrase
from decklab.ooxml.xml import NAMESPACES, qn

_NS = f'xmlns:c="{NAMESPACES["c"]}"'
_BEFORE_LINES = tuple(qn(f"c:{name}") for name in ("axId", "scaling", "delete", "axPos"))
_AHEAD = tuple(qn(f"c:{name}") for name in ("idx", "delete", "dLbl"))
_MOST_DECIMALS = 9


@chart_phrase(
    "set ({bound=minimum|maximum} [value] of {axis:axis}|{axis:axis} ['s] {bound=minimum|maximum}) "
    "[of {shape:chart}] to {value}",
    example="set the maximum of the value axis of the chart on slide 6 to 20")  # fmt: skip
def set_axis_bound(
    prs: Presentation, slide: int, axis: str, bound: str, value: float, *, shape: GivenShape = None
) -> bool:
    """Let an axis of values end at a number; return whether it ended elsewhere.

    ``axis`` is as in ``set_axis_title``, ``bound`` "minimum" or "maximum".
    Raises EditError for an axis of categories, or a least value above the largest.

    Example: set_axis_bound(prs, 4, "value", "maximum", 100)
    """
    held = value_axis_of(prs, slide, axis, shape)
    is_low = bound == "minimum"
    name, opposite = ("minimum_scale", "maximum_scale")[:: 1 if is_low else -1]
    other, before = getattr(held, opposite), getattr(held, name)
    if other is not None and (value >= other if is_low else value <= other):
        raise EditError(f"the axis would end at {other:g} and begin there or above")
    setattr(held, name, value)
    return bool(before != value)


def value_axis_of(prs: Presentation, slide: int, axis: str, shape: GivenShape = None) -> Any:
    """The axis of values of a chart, named as in ``set_axis_title``, as python-pptx sees it.

    Raises EditError for a chart without one, or an axis of categories.
    """
    chart = chart_of(prs, slide, shape)
    if _axis_kind(chart, axis) != "value":
        raise EditError(f"that axis of the chart on slide {slide} shows categories, no numbers")
    return _axis(chart, slide, axis)


def _axis_kind(chart: Any, axis: str) -> str:
    """Whether an axis shows the ``category`` or the ``value``, as the chart is drawn."""
    if axis not in ("horizontal", "vertical"):
        return axis
    lies = any(item.get("val") == "bar" for item in chart._chartSpace.iter(qn("c:barDir")))
    return "value" if lies == (axis == "horizontal") else "category"


def _axis(chart: Any, slide: int, axis: str) -> Any:
    kind = _axis_kind(chart, axis)
    try:
        return chart.value_axis if kind == "value" else chart.category_axis
    except ValueError:
        raise EditError(f"the chart on slide {slide} has no {kind} axis") from None


@chart_phrase("(show|add) gridlines [(to|of) {shape:chart}]",
              example="show the gridlines of the chart on slide 6")  # fmt: skip
@chart_phrase("(delete|hide|no) gridlines [of {shape:chart}]",
              example="remove the gridlines of the chart on slide 6", on=False)  # fmt: skip
def show_gridlines(
    prs: Presentation, slide: int, on: bool = True, *, shape: GivenShape = None
) -> bool:
    """Draw the lines of a chart at the steps of its values, or, with ``on=False``, none.

    Return whether that is new.

    Example: show_gridlines(prs, 4, False)
    """
    chart = chart_of(prs, slide, shape)
    axes = list(chart._chartSpace.iter(qn("c:valAx"), qn("c:catAx"), qn("c:dateAx")))
    kinds = [qn("c:majorGridlines"), qn("c:minorGridlines")]
    lines = [line for axis in axes for kind in kinds for line in axis.findall(kind)]
    if not on:
        for line in lines:
            line.getparent().remove(line)
        return bool(lines)
    if lines:
        return False
    axis = value_axis_of(prs, slide, "value", shape)._element
    at = sum(item.tag in _BEFORE_LINES for item in axis)
    axis.insert(at, parse_xml(f"<c:majorGridlines {_NS}/>"))
    return True


@chart_phrase("show (values|data labels|numbers) [of {shape:chart}] with {decimals:number} "
              "(decimals|decimal) [(places|place)] [of {shape:chart}]",
              "set number format of {shape:chart} to {code:quoted}",
              example="show the values of the chart on slide 6 with one decimal")  # fmt: skip
def set_number_format(
    prs: Presentation,
    slide: int,
    *,
    decimals: int | None = None,
    code: str | None = None,
    shape: GivenShape = None,
) -> bool:
    """Write the data labels and the value axis of a chart in another format.

    ``code`` is as Excel writes it, such as ``0.0`` or ``#,##0``; with ``decimals`` the numbers
    have so many, and stay shares in percent where they are. Return whether that is new.

    Example: set_number_format(prs, 4, decimals=1)
    """
    root = chart_of(prs, slide, shape)._chartSpace
    formats = [item.text or "" for item in root.iterfind(f".//{qn('c:val')}//{qn('c:formatCode')}")]
    if code is None:
        if decimals is None or not 0 <= decimals <= _MOST_DECIMALS:
            raise EditError(f"say how many decimals, from 0 to {_MOST_DECIMALS}, or a format")
        code = "0" + ("." + "0" * decimals if decimals else "")
        code += "%" if any("%" in held for held in formats) else ""
    changed = False
    for holder in root.iter(qn("c:dLbls"), qn("c:valAx")):
        changed |= _write_format(holder, code)
    if not changed and not list(root.iter(qn("c:numFmt"))):
        raise EditError(f"the chart on slide {slide} shows no values; show its data labels first")
    return changed


def _write_format(holder: Any, code: str) -> bool:
    old = holder.find(qn("c:numFmt"))
    before = None if old is None else (old.get("formatCode"), old.get("sourceLinked"))
    if old is None:
        old = parse_xml(f'<c:numFmt {_NS} formatCode="General" sourceLinked="0"/>')
        names = ("axId", "scaling", "delete", "axPos", "majorGridlines", "minorGridlines", "title")
        ahead = _AHEAD if holder.tag == qn("c:dLbls") else tuple(qn(f"c:{name}") for name in names)
        holder.insert(sum(item.tag in ahead for item in holder), old)
    old.set("formatCode", code)
    old.set("sourceLinked", "0")
    return before != (code, "0")


_PLACES = {
    "bottom": XL_LEGEND_POSITION.BOTTOM, "top": XL_LEGEND_POSITION.TOP,
    "left": XL_LEGEND_POSITION.LEFT, "right": XL_LEGEND_POSITION.RIGHT,
}  # fmt: skip
_LINES = ("lineChart", "radarChart", "scatterChart")


@chart_phrase(
    "(add|show) legend [(to|of) {shape:chart}] [(at|on|to) {place=bottom|top|left|right}]",
    "(move|set|put) <legend of {shape:chart}> (to|at|on) {place=bottom|top|left|right}",
    "(move|set|put) legend {on} (to|at|on) {place=bottom|top|left|right}",
    example="show the legend of the chart on slide 6 at the bottom")  # fmt: skip
@chart_phrase("(delete|hide) (<legend of {shape:chart}>|legend)",
              example="remove the legend of the chart on slide 6", place=None)  # fmt: skip
def set_legend(
    prs: Presentation, slide: int, place: str | None = "right", *, shape: GivenShape = None
) -> bool:
    """Show the legend of a chart at a side, None takes it away; return whether that is new.

    ``place`` is "bottom", "top", "left" or "right".

    Example: set_legend(prs, 4, "bottom")
    """
    chart = chart_of(prs, slide, shape)
    if place is None:
        had = bool(chart.has_legend)
        chart.has_legend = False
        return had
    if place not in _PLACES:
        raise EditError(f"{place!r} is no place for a legend; there are {', '.join(_PLACES)}")
    same = chart.has_legend and chart.legend.position == _PLACES[place]
    if not chart.has_legend:
        chart.has_legend = True
        chart.legend.include_in_layout = False
    chart.legend.position = _PLACES[place]
    return not same


@chart_phrase("(add|show) (data labels|values) [(to|of) {shape:chart}]",
              example="show data labels in the chart on slide 6")  # fmt: skip
@chart_phrase(
    "(add|show) {what=percentages|category names} [as data labels] [(to|of) {shape:chart}]",
    example="show percentages as data labels in the chart on slide 6")  # fmt: skip
@chart_phrase("(delete|hide) (<(data labels|values) of {shape:chart}>|data labels)",
              example="hide the data labels of the chart on slide 6", what=None)  # fmt: skip
def show_data_labels(
    prs: Presentation, slide: int, what: str | None = "values", *, shape: GivenShape = None
) -> None:
    """Show labels at the points of a chart, None takes them away.

    ``what`` is "values", "percentages" (of a pie or doughnut) or "category names".

    Example: show_data_labels(prs, 4, "percentages")
    """
    for plot in chart_of(prs, slide, shape).plots:
        if what is None:
            plot.has_data_labels = False
            for series in plot.series:
                for labels in series._element.xpath("c:dLbls"):
                    series._element.remove(labels)
            continue
        plot.has_data_labels = True
        labels = plot.data_labels
        labels.show_value = what == "values"
        labels.show_percentage = what == "percentages"
        labels.show_category_name = what == "category names"


@chart_phrase(
    "set (title of {axis:axis}|{axis:axis} ['s] title) [of {shape:chart}] to {title:words}",
    "add title {title:quoted} to {axis:axis} [of {shape:chart}]",
    example="set the title of the value axis of the chart on slide 6 to 'Sales'")  # fmt: skip
@chart_phrase(
    "delete (title of {axis:axis}|{axis:axis} ['s] title) [of {shape:chart}]",
    example="remove the title of the value axis of the chart on slide 6", title=None)  # fmt: skip
def set_axis_title(
    prs: Presentation, slide: int, axis: str, title: str | None, *, shape: GivenShape = None
) -> bool:
    """Give an axis of a chart a title, None takes it away; return whether that is new.

    ``axis`` is "category" or "value", or "horizontal" or "vertical" as the chart is drawn. Raises
    EditError for a chart without axes, such as a pie.

    Example: set_axis_title(prs, 4, "value", "Million euros")
    """
    held = _axis(chart_of(prs, slide, shape), slide, axis)
    before = held.axis_title.text_frame.text if held.has_title else None
    held.has_title = title is not None
    if title is not None:
        write_title(held.axis_title.text_frame, title)
    return bool(before != title)


@chart_phrase(
    "(color|fill|make|turn) [series] {series} [(line|bars|series|columns)] [of {shape:chart}] "
    "[(in|with)] {color}",
    "set color of [series] {series} [(line|bars|series)] [of {shape:chart}] to {color}",
    example="set the color of the series '2025' in the chart on slide 6 to red",
    changes="chart style", follows="detail other style")  # fmt: skip
def color_series(
    prs: Presentation, slide: int, series: str, color: str, *, shape: GivenShape = None
) -> None:
    """Draw a series of a chart, given by its name, in a colour (as in ``format_text``).

    Example: color_series(prs, 4, "North", "accent2")
    """
    held = _series(chart_of(prs, slide, shape), slide, series)
    tag = held._element.getparent().tag
    drawn = held.format
    paint(drawn.line.fill if tag.endswith(_LINES) else drawn.fill, color)
    marker = held._element.find(f"{qn('c:marker')}/{qn('c:spPr')}")
    if marker is not None and tag.endswith(_LINES):
        paint(held.marker.format.fill, color)


@chart_phrase(
    "(color|fill|make|turn) [(point|bar|slice|column|segment)] {point} [(bar|slice|segment)] "
    "[of {shape:chart}] [(in|with)] {color}",
    "set color of [(point|bar|slice|column|segment)] {point} [(bar|slice|segment)] "
    "[of {shape:chart}] to {color}",
    example="set the color of the point 'North' in the chart on slide 6 to red",
    changes="chart style", follows="detail other style")  # fmt: skip
def color_point(
    prs: Presentation, slide: int, point: PointNames, color: str, *, shape: GivenShape = None
) -> None:
    """Draw a point of a chart in a colour; it is given by (category, series).

    The series may be None where the chart has one.

    Example: color_point(prs, 4, ("Q1", "North"), "#C00000")
    """
    chart = chart_of(prs, slide, shape)
    category, series = point
    names = [item.name for plot in chart.plots for item in plot.series]
    if series is None and len(names) != 1:
        raise EditError(f"the chart on slide {slide} has {len(names)} series; name one of {names}")
    held = _series(chart, slide, names[0] if series is None else series)
    labels = [str(label) for label in chart.plots[0].categories]
    at = name_place(labels, category, "category", slide)
    paint(held.points[at].format.fill, color)


def _series(chart: Any, slide: int, name: str) -> Any:
    series = [item for plot in chart.plots for item in plot.series]
    return series[name_place([item.name for item in series], name, "series", slide)]
