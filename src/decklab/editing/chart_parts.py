"""Parts of a chart: legend, data labels, axes with their titles, scales and gridlines, and the
colours of series and points; and the names of its categories and series.

A chart repeats the names of its categories for every series; here each of them is one name, which
stands in the chart's caches and in the cell that they were read from.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from pptx.enum.chart import XL_LEGEND_POSITION
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.core.errors import DeckError
from decklab.editing.charts import chart_data, chart_of, name_place, write_title
from decklab.editing.finding import EditError
from decklab.editing.formatting import THEME_COLORS, rgb
from decklab.editing.open_parts import edited
from decklab.editing.phrasing import chart_phrase
from decklab.editing.replacing import replaced
from decklab.ooxml.package import Package, package_bytes
from decklab.ooxml.workbook import CellRange, Workbook, cell_name, parse_reference
from decklab.ooxml.xml import NAMESPACES, parse_int, qn, serialize_xml

_NS = f'xmlns:c="{NAMESPACES["c"]}"'
_BEFORE_LINES = tuple(qn(f"c:{name}") for name in ("axId", "scaling", "delete", "axPos"))
_AHEAD = tuple(qn(f"c:{name}") for name in ("idx", "delete", "dLbl"))
_MOST_DECIMALS = 9


@chart_phrase(
    "set ({bound=minimum|maximum} [value] of {axis:axis}|{axis:axis} ['s] {bound=minimum|maximum}) "
    "[of {shape:chart}] to {value}",
    example="set the maximum of the value axis of the chart on slide 6 to 20")  # fmt: skip
def set_axis_bound(
    prs: Presentation,
    slide: int,
    axis: str,
    bound: str,
    value: float,
    *,
    shape: str | int | None = None,
) -> bool:
    """Let an axis of values end at a number; return whether it ended elsewhere.

    ``axis`` is as in ``set_axis_title``, ``bound`` "minimum" or "maximum".
    Raises EditError for an axis of categories, or a least value above the largest.

    Example: set_axis_bound(prs, 4, "value", "maximum", 100)
    """
    held = value_axis_of(prs, slide, axis, shape)
    is_low = bound == "minimum"
    other = held.maximum_scale if is_low else held.minimum_scale
    if other is not None and (value >= other if is_low else value <= other):
        raise EditError(f"the axis would end at {other:g} and begin there or above")
    before = held.minimum_scale if is_low else held.maximum_scale
    if is_low:
        held.minimum_scale = value
    else:
        held.maximum_scale = value
    return bool(before != value)


def value_axis_of(prs: Presentation, slide: int, axis: str, shape: str | int | None = None) -> Any:
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
    prs: Presentation, slide: int, on: bool = True, *, shape: str | int | None = None
) -> bool:
    """Draw the lines of a chart at the steps of its values, or, with ``on=False``, none.

    Return whether that is new.

    Example: show_gridlines(prs, 4, False)
    """
    chart = chart_of(prs, slide, shape)
    axes = list(chart._chartSpace.iter(qn("c:valAx"), qn("c:catAx"), qn("c:dateAx")))
    lines = [line for axis in axes for name in ("c:majorGridlines", "c:minorGridlines")
             for line in axis.findall(qn(name))]  # fmt: skip
    if not on:
        for line in lines:
            line.getparent().remove(line)
        return bool(lines)
    if lines:
        return False
    axis = value_axis_of(prs, slide, "value", shape)._element
    place = sum(item.tag in _BEFORE_LINES for item in axis)
    axis.insert(place, parse_xml(f"<c:majorGridlines {_NS}/>"))
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
    shape: str | int | None = None,
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
    prs: Presentation, slide: int, place: str | None = "right", *, shape: str | int | None = None
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
    prs: Presentation, slide: int, what: str | None = "values", *, shape: str | int | None = None
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
    prs: Presentation, slide: int, axis: str, title: str | None, *, shape: str | int | None = None
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
    prs: Presentation, slide: int, series: str, color: str, *, shape: str | int | None = None
) -> None:
    """Draw a series of a chart, given by its name, in a colour (as in ``format_text``).

    Example: color_series(prs, 4, "North", "accent2")
    """
    held = _series(chart_of(prs, slide, shape), slide, series)
    tag = held._element.getparent().tag
    drawn = held.format
    _paint(drawn.line.fill if tag.endswith(_LINES) else drawn.fill, color)
    marker = held._element.find(f"{qn('c:marker')}/{qn('c:spPr')}")
    if marker is not None and tag.endswith(_LINES):
        _paint(held.marker.format.fill, color)


@chart_phrase(
    "(color|fill|make|turn) [(point|bar|slice|column|segment)] {point} [(bar|slice|segment)] "
    "[of {shape:chart}] [(in|with)] {color}",
    "set color of [(point|bar|slice|column|segment)] {point} [(bar|slice|segment)] "
    "[of {shape:chart}] to {color}",
    example="set the color of the point 'North' in the chart on slide 6 to red",
    changes="chart style", follows="detail other style")  # fmt: skip
def color_point(
    prs: Presentation,
    slide: int,
    point: tuple[str, str | None],
    color: str,
    *,
    shape: str | int | None = None,
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
    place = name_place(labels, category, "category", slide)
    _paint(held.points[place].format.fill, color)


def _series(chart: Any, slide: int, name: str) -> Any:
    series = [item for plot in chart.plots for item in plot.series]
    return series[name_place([item.name for item in series], name, "series", slide)]


def _paint(fill: Any, color: str) -> None:
    fill.solid()
    if color in THEME_COLORS:
        fill.fore_color.theme_color = THEME_COLORS[color]
    else:
        fill.fore_color.rgb = rgb(color)


_LABELS = "{http://schemas.microsoft.com/office/drawing/2012/chart}"
_CACHES = {
    qn("c:strCache"): qn("c:f"),
    qn("c:multiLvlStrCache"): qn("c:f"),
    f"{_LABELS}dlblRangeCache": f"{_LABELS}f",
    qn("cx:strDim"): qn("cx:f"),
}
"""Elements that repeat texts of cells, and the one in or beside them that says of which."""


@dataclass(frozen=True)
class ChartName:
    """A name in a chart, with all elements that hold it."""

    cell: str
    """The cell it was read from, such as ``Sheet1!A2``, or a number for one without."""
    elements: tuple[Any, ...]

    @property
    def text(self) -> str:
        """The name."""
        return str(self.elements[0].text or "")

    def write(self, text: str) -> None:
        """Give the chart another name, not its workbook."""
        for item in self.elements:
            item.text = text

    def replace(self, pattern: re.Pattern[str], new: str) -> int:
        """Replace words of the name in the chart, not in its workbook; return how often."""
        fresh, count = replaced(self.text, pattern, new)
        if count:
            self.write(fresh)
        return count


def chart_names(root: Any) -> list[ChartName]:
    """The names in the root of a chart part, in the order in which they stand there first."""
    holders: dict[str, list[Any]] = {}
    for item in root.iter(qn("c:v"), qn("cx:pt"), qn("cx:v")):
        if item.text and _is_name(item):
            holders.setdefault(_cell(item) or f"{len(holders) + 1}", []).append(item)
    return [ChartName(cell, tuple(elements)) for cell, elements in holders.items()]


def _is_name(item: Any) -> bool:
    parent = item.getparent()
    if item.tag == qn("cx:v"):
        return bool(parent.tag == qn("cx:txData"))
    if parent.tag == qn("c:tx"):
        return True
    holders = {holder.tag for holder in item.iterancestors()}
    return bool(holders & {*_CACHES, qn("c:strLit")})


def _cell(item: Any) -> str | None:
    """The cell that a text in a cache was read from; None if it is unknown."""
    cache = next(item.iterancestors(*_CACHES), None)
    if cache is None:
        return None
    point = item if item.tag == qn("cx:pt") else item.getparent()
    holder = cache if item is point else cache.getparent()
    formula, index = holder.findtext(_CACHES[cache.tag]), parse_int(point.get("idx"))
    areas = parse_reference(formula or "")
    if areas is None or len(areas) != 1 or index is None:
        return None if index is None else f"{formula}#{index}"
    row, column = _place(areas[0], index, point.getparent(), cache)
    sheet = "" if areas[0].sheet is None else _quoted(areas[0].sheet) + "!"
    return f"{sheet}{cell_name(row, column)}"


def _place(area: CellRange, index: int, level: Any, cache: Any) -> tuple[int, int]:
    """Row and column of a point; levels of categories are listed from the innermost on."""
    levels = [*cache.iterfind(qn("c:lvl")), *cache.iterfind(qn("cx:lvl"))]
    deep = levels.index(level) if level in levels else 0
    width, height = (area.last_column - area.first_column + 1, area.last_row - area.first_row + 1)
    if width == max(1, len(levels)) and height >= width:
        return area.first_row + index, area.last_column - deep
    return area.last_row - deep, area.first_column + index


def _quoted(sheet: str) -> str:
    return sheet if re.fullmatch(r"[A-Za-z_]\w*", sheet) else "'" + sheet.replace("'", "''") + "'"


def rename_in_chart_part(part: Any, pattern: re.Pattern[str], new: str) -> int:
    """Rename categories and series of a chart that a pattern finds, in its workbook too."""
    count = 0
    with edited(part) as root:
        for name in chart_names(root):
            count += name.replace(pattern, new)
    if count:
        replace_in_workbook(part, pattern, new)
    return count


@chart_phrase("rename [(category|series)] {old:chart name} [of {shape:chart}] to {new:words}",
              "rename [(category|series)] {old:chart name} to {new:words} of {shape:chart}",
              example="rename the category 'North' to 'Nord' in the chart on slide 6")  # fmt: skip
def rename_in_chart(
    prs: Presentation, slide: int, old: str, new: str, *, shape: str | int | None = None
) -> None:
    """Rename a category or a series of a chart, in its workbook too.

    Raises EditError if there is no such name, or several.
    """
    held = chart_data(prs, slide, shape)
    name_place([*held["categories"], *held["series"]], old, "name", slide)
    part = chart_of(prs, slide, shape).part
    rename_in_chart_part(part, re.compile(rf"\A{re.escape(old)}\Z", re.IGNORECASE), new)


def write_in_workbook(part: Any, texts: dict[str, str]) -> None:
    """Write texts into cells of the workbook of a chart's part.

    A workbook of another format, and a cell that cannot be found, stay as they are.
    """
    cells = {cell: text for cell, text in texts.items() if parse_reference(cell)}
    for held in _workbooks(part) if cells else ():
        try:
            with Workbook.from_bytes(held.blob, "workbook") as book:
                held._blob = book.with_texts(cells)
        except DeckError:
            continue


def replace_in_workbook(part: Any, pattern: re.Pattern[str], new: str) -> None:
    """Replace words in all cells of a chart's workbook; one of another format stays as it is."""
    for held in _workbooks(part):
        try:
            with Package.from_bytes(held.blob, "workbook") as package:
                changed = dict(_changed_strings(package, pattern, new))
                if changed:
                    held._blob = package_bytes(package, replace=changed)
        except DeckError:
            continue


def _workbooks(part: Any) -> list[Any]:
    """The embedded workbooks of a chart's part."""
    links = part.rels.values()
    return [
        link.target_part
        for link in links
        if link.reltype == RELATIONSHIP_TYPE.PACKAGE and not link.is_external
    ]


def _changed_strings(
    package: Package, pattern: re.Pattern[str], new: str
) -> Iterator[tuple[str, bytes]]:
    for name in _string_parts(package.names):
        root = package.xml(name)
        count = 0
        for column in root.iter(qn("s:tableColumn")):  # has to equal the cell above the column
            fresh, more = replaced(column.get("name") or "", pattern, new)
            column.set("name", fresh)
            count += more
        for item in root.iter(qn("s:t")):
            fresh, more = replaced(item.text or "", pattern, new)
            item.text = fresh if more else item.text
            count += more
        if count:
            yield name, serialize_xml(root)


def _string_parts(names: Collection[str]) -> list[str]:
    """The parts of a workbook that hold words of cells and headers of its tables."""
    kinds = r"(sharedStrings|/sheet\d+|/table\d+)\.xml$"
    return [name for name in names if re.search(kinds, name)]
