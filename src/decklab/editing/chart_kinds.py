"""How a chart is drawn: its kind is changed in place, so that all stays that the new kind has too.

The tables of elements follow ECMA-376 Part 1, 21.2.2 (CT_BarChart, CT_BarSer and so on).
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.charts import ROUND, chart_of, check_kind
from decklab.editing.finding import EditError, GivenShape
from decklab.editing.phrasing import chart_phrase
from decklab.ooxml.xml import NAMESPACES, qn

_NS = f'xmlns:c="{NAMESPACES["c"]}" xmlns:a="{NAMESPACES["a"]}"'
_PLOTS: dict[str, tuple[str, dict[str, str]]] = {
    "column": ("barChart", {"barDir": "col", "grouping": "clustered"}),
    "stacked column": ("barChart", {"barDir": "col", "grouping": "stacked"}),
    "100% stacked column": ("barChart", {"barDir": "col", "grouping": "percentStacked"}),
    "bar": ("barChart", {"barDir": "bar", "grouping": "clustered"}),
    "stacked bar": ("barChart", {"barDir": "bar", "grouping": "stacked"}),
    "line": ("lineChart", {"grouping": "standard"}),
    "line with markers": ("lineChart", {"grouping": "standard"}),
    "area": ("areaChart", {"grouping": "standard"}),
    "stacked area": ("areaChart", {"grouping": "stacked"}),
    "pie": ("pieChart", {}),
    "doughnut": ("doughnutChart", {}),
    "radar": ("radarChart", {"radarStyle": "marker"}),
}
"""The plot of each kind of chart, and the settings that make it this kind."""
_IN_PLOT = {
    "barChart": "barDir grouping varyColors ser dLbls gapWidth overlap serLines axId extLst",
    "lineChart": "grouping varyColors ser dLbls dropLines hiLowLines upDownBars marker smooth axId "
    "extLst",
    "areaChart": "grouping varyColors ser dLbls dropLines axId extLst",
    "pieChart": "varyColors ser dLbls firstSliceAng extLst",
    "doughnutChart": "varyColors ser dLbls firstSliceAng holeSize extLst",
    "radarChart": "radarStyle varyColors ser dLbls axId extLst",
}
_IN_SERIES = {
    "barChart": "idx order tx spPr invertIfNegative pictureOptions dPt dLbls trendline errBars cat "
    "val shape extLst",
    "lineChart": "idx order tx spPr marker pictureOptions dPt dLbls trendline errBars cat val "
    "smooth extLst",
    "areaChart": "idx order tx spPr pictureOptions dPt dLbls trendline errBars cat val extLst",
    "pieChart": "idx order tx spPr pictureOptions explosion dPt dLbls cat val extLst",
    "doughnutChart": "idx order tx spPr pictureOptions explosion dPt dLbls cat val extLst",
    "radarChart": "idx order tx spPr pictureOptions marker dPt dLbls cat val extLst",
}
_IN_AXIS = (
    "axId scaling delete axPos majorGridlines minorGridlines title numFmt majorTickMark "
    "minorTickMark tickLblPos spPr txPr crossAx crosses crossesAt crossBetween auto lblAlgn "
    "lblOffset tickLblSkip tickMarkSkip majorUnit minorUnit dispUnits noMultiLvlLbl extLst"
)
_LABEL_PLACES = {
    "clustered": ("ctr", "inEnd", "inBase", "outEnd"), "stacked": ("ctr", "inEnd", "inBase"),
    "percentStacked": ("ctr", "inEnd", "inBase"), "lineChart": ("t", "b", "l", "r", "ctr"),
    "pieChart": ("bestFit", "ctr", "inEnd", "outEnd"),
}  # fmt: skip
"""Where data labels may stand, by the grouping of bars or by the plot; elsewhere PowerPoint wants
to repair a chart that says so."""
_WORDS = {
    "gapWidth": "gap width", "overlap": "overlap", "serLines": "series lines",
    "dropLines": "drop lines", "hiLowLines": "high-low lines", "upDownBars": "up/down bars",
    "firstSliceAng": "angle of the first slice", "holeSize": "hole size",
    "explosion": "pulled-out slices", "dPt": "looks of single points", "trendline": "trendlines",
    "errBars": "error bars", "marker": "markers", "smooth": "smoothed lines",
    "invertIfNegative": "inverted negative bars", "shape": "3-D shapes",
}  # fmt: skip
"""Looks that a plot or series may lose, by their element."""
_PLAIN = {"gapWidth": "150", "overlap": "0", "firstSliceAng": "0", "holeSize": "50",
          "explosion": "0", "smooth": "0", "invertIfNegative": "0"}  # fmt: skip
"""Values that look as if nothing were set."""
_FILLED, _LINES = ("barChart", "pieChart", "doughnutChart"), ("lineChart", "radarChart")
_TURNED = {"l": "b", "b": "l", "r": "t", "t": "r"}
_3D_PARTS = ("view3D", "floor", "sideWall", "backWall")
_NEW_AXES = f"""<c:plotArea {_NS}>
<c:catAx><c:axId val="111111111"/><c:scaling><c:orientation val="minMax"/></c:scaling>
<c:delete val="0"/><c:axPos val="b"/><c:majorTickMark val="out"/><c:minorTickMark val="none"/>
<c:tickLblPos val="nextTo"/><c:crossAx val="222222222"/><c:crosses val="autoZero"/>
<c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="0"/></c:catAx>
<c:valAx><c:axId val="222222222"/><c:scaling><c:orientation val="minMax"/></c:scaling>
<c:delete val="0"/><c:axPos val="l"/><c:majorGridlines/>
<c:majorTickMark val="out"/>
<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="111111111"/>
<c:crosses val="autoZero"/><c:crossBetween val="between"/></c:valAx></c:plotArea>"""


@chart_phrase(
    "(make|turn|change) {shape:chart} [to] {kind:chart kind} chart",
    "(show|draw) {shape:chart} as {kind:chart kind} [chart]",
    "set <[chart] type of {shape:chart}> to {kind:chart kind} [chart]",
    example="turn the chart on slide 6 into a line chart", follows="detail other chart",
)  # fmt: skip
def set_chart_type(
    prs: Presentation, slide: int, kind: str, *, shape: GivenShape = None
) -> tuple[str, ...]:
    """Draw the data of a chart another way; what both kinds have stays, return what was lost.

    ``kind`` is "column", "stacked column", "100% stacked column", "bar", "stacked bar", "line",
    "line with markers", "area", "stacked area", "pie", "doughnut" or "radar". Lost are formats
    that the new kind does not have, such as "gap width". Raises EditError for another kind, a pie
    of several series, and a chart without categories.

    Example: set_chart_type(prs, 4, "line")
    """
    inner = chart_of(prs, slide, shape)._chartSpace.find(qn("c:chart"))
    area = inner.find(qn("c:plotArea"))
    olds = [item for item in area if item.tag.endswith("Chart")]
    series = [item for plot in olds for item in plot.findall(qn("c:ser"))]
    check_kind(kind, len(series))
    if any(item.find(qn("c:val")) is None for item in series):
        raise EditError(f"the chart on slide {slide} has no categories, as {kind} charts have")
    lost = [*_fit_series(olds, kind), *_drop_3d(inner, olds)]
    was_percent = _grouping(olds[0]) == "percentStacked"
    plot, dropped = _new_plot(olds, series, kind)
    lost += [*dropped, *_fit_labels(plot, kind)]
    olds[0].addprevious(plot)
    for old in olds:
        area.remove(old)
    lost += _fit_axes(area, plot, family_changes=_name(olds[0]) != _name(plot))
    lost += _fit_scale(area, plot, was_percent)
    return tuple(dict.fromkeys(lost))


def _name(item: Any) -> str:
    """The name of an element; that of a three-dimensional plot is as if it were flat."""
    return str(item.tag).rpartition("}")[2].replace("3DChart", "Chart")


def _put(holder: Any, order: str, name: str, value: str) -> None:
    """Give a child with this name a value, new or as it stands."""
    if (item := holder.find(qn(f"c:{name}"))) is None:
        item = parse_xml(f"<c:{name} {_NS}/>")
        _insert(holder, order, item)
    item.set("val", value)


def _insert(holder: Any, order: str, item: Any) -> None:
    """Add a child where the schema has it."""
    names = order.split()
    ahead = names[: names.index(_name(item))]
    holder.insert(sum(_name(child) in ahead for child in holder), item)


def _keep(holder: Any, names: list[str]) -> Iterator[str]:
    """Remove other children; give words for those that showed."""
    for item in [item for item in holder if _name(item) not in names]:
        holder.remove(item)
        if _shows(item):
            yield _WORDS[_name(item)]


def _shows(item: Any) -> bool:
    """Whether an element of a plot or series makes a difference that there are words for."""
    name = _name(item)
    symbol = item.find(qn("c:symbol"))
    is_switch = name == "marker" and item.get("val") is not None
    is_empty = symbol is not None and symbol.get("val") == "none"
    is_plain = name in _PLAIN and item.get("val", "") == _PLAIN[name]
    return name in _WORDS and not (is_switch or is_empty or is_plain)


def _grouping(plot: Any) -> str:
    item = plot.find(qn("c:grouping"))
    return "" if item is None else str(item.get("val", ""))


def _new_plot(olds: list[Any], series: list[Any], kind: str) -> tuple[Any, list[str]]:
    """A plot with all series and what the first plot has and the new one may have; what is lost."""
    name, settings = _PLOTS[kind]
    order, stays = _IN_PLOT[name], _name(olds[0]) == name
    held = deepcopy(olds[0])
    lost = list(_keep(held, _kept_of_plot(held, kind)))
    plot = parse_xml(f"<c:{name} {_NS}/>")
    plot.extend([item for item in held if _name(item) != "ser"])
    at = sum(_name(item) in ("barDir", "grouping", "radarStyle", "varyColors") for item in plot)
    plot[at:at] = series
    wanted = dict(settings)
    if name == "barChart" and "tacked" in settings["grouping"]:
        wanted |= {"overlap": "100"} if plot.find(qn("c:overlap")) is None else {}
    elif name == "lineChart":
        wanted["marker"] = "1"
    elif name == "doughnutChart" and not stays:
        wanted["holeSize"] = "50"
    if not stays:
        wanted["varyColors"] = "1" if kind in ROUND else "0"
    for setting, value in wanted.items():
        _put(plot, order, setting, value)
    return plot, lost


def _kept_of_plot(held: Any, kind: str) -> list[str]:
    """Elements that the new plot keeps of an old one, without an overlap that stacking implied."""
    name, settings = _PLOTS[kind]
    was_stacked = "tacked" in _grouping(held)
    kept = _IN_PLOT[name].split()
    if _name(held) != name:
        kept.remove("extLst")
    if name != "barChart" or was_stacked != ("tacked" in settings["grouping"]):
        kept = [child for child in kept if child != "overlap"]
        for overlap in held.findall(qn("c:overlap")):
            if was_stacked and overlap.get("val") == "100":
                held.remove(overlap)
    return kept


def _fit_series(olds: list[Any], kind: str) -> Iterator[str]:
    """Leave in the series what those of the new kind have."""
    name, settings = _PLOTS[kind]
    is_stacked = "tacked" in settings.get("grouping", "")
    for old in olds:
        was = _name(old)
        has_points = was == name or any(was in tag and name in tag for tag in (_FILLED, _LINES))
        apart = {"dPt"} if not has_points else set()
        apart |= {"trendline"} if is_stacked else set()
        apart |= {"pictureOptions"} if was != name else set()
        kept = [tag for tag in _IN_SERIES[name].split() if tag not in apart]
        labels = old.find(qn("c:dLbls"))
        for series in old.findall(qn("c:ser")):
            yield from _keep(series, kept)
            yield from _fit_points(series, name)
            yield from _fit_look(series, was, name)
            yield from _fit_marks(series, kind)
            if name == "lineChart" and series.find(qn("c:smooth")) is None:
                _put(series, _IN_SERIES[name], "smooth", "0")
            if name == "barChart" and was != name:
                _put(series, _IN_SERIES[name], "invertIfNegative", "0")
            if len(olds) > 1 and labels is not None and series.find(qn("c:dLbls")) is None:
                _insert(series, _IN_SERIES[name], deepcopy(labels))


def _fit_points(series: Any, name: str) -> Iterator[str]:
    foreign = {"explosion"} if name not in ("pieChart", "doughnutChart") else set()
    foreign |= {"marker"} if name not in _LINES else set()
    for point in series.findall(qn("c:dPt")):
        yield from _keep(point, [_name(item) for item in point if _name(item) not in foreign])


def _fit_look(series: Any, was: str, name: str) -> Iterator[str]:
    """Let fills become lines, and lines fills; slices have colours of their own."""
    if (look := series.find(qn("c:spPr"))) is None:
        return
    if name in ("pieChart", "doughnutChart"):
        if was not in ("pieChart", "doughnutChart", "ofPieChart"):
            series.remove(look)
            yield "colours of series"
    elif name in _LINES and was not in _LINES:
        yield from _as_line(look)
    elif was in _LINES and name not in _LINES:
        yield from _as_fill(look)


def _as_line(look: Any) -> Iterator[str]:
    """Use the fill of a series drawn as an area for its line."""
    fill, line = look.find(qn("a:solidFill")), look.find(qn("a:ln"))
    if fill is None:
        return
    if line is not None:
        look.remove(line)
        if line.find(qn("a:noFill")) is None:
            yield "outlines"
    drawn = parse_xml(f'<a:ln {_NS} w="28575"/>')
    fill.addprevious(drawn)
    drawn.append(fill)


def _as_fill(look: Any) -> Iterator[str]:
    """Use the colour of a line for the fill of a series drawn as an area."""
    if (line := look.find(qn("a:ln"))) is None:
        return
    look.remove(line)
    fill = line.find(qn("a:solidFill"))
    has_fill = any(_name(item).endswith("Fill") for item in look)
    if fill is not None and not has_fill:
        look.insert(sum(_name(item) in ("xfrm", "custGeom", "prstGeom") for item in look), fill)
    if {"w", "cap"} & set(line.attrib) or line.find(qn("a:prstDash")) is not None:
        yield "width and dashes of lines"


def _fit_marks(series: Any, kind: str) -> Iterator[str]:
    """Hide the marks of a line without, show those of a line with them."""
    if kind not in ("line", "line with markers", "radar"):
        return
    marker = series.find(qn("c:marker"))
    symbol = None if marker is None else marker.find(qn("c:symbol"))
    if kind == "line with markers":
        if symbol is not None and symbol.get("val") == "none":
            marker.remove(symbol)
        return
    if marker is None:
        marker = parse_xml(f"<c:marker {_NS}/>")
        _insert(series, _IN_SERIES[_PLOTS[kind][0]], marker)
    elif symbol is None or symbol.get("val") != "none":
        yield _WORDS["marker"]
    _put(marker, "symbol size spPr", "symbol", "none")


def _fit_labels(plot: Any, kind: str) -> Iterator[str]:
    """Leave data labels where those of the new kind may stand."""
    name, settings = _PLOTS[kind]
    grouping = settings.get("grouping", "") if name == "barChart" else ""
    allowed = _LABEL_PLACES.get(grouping or name, ())
    for item in list(plot.iter(qn("c:dLblPos"))):
        if item.get("val") not in allowed:
            item.getparent().remove(item)
            yield "label positions"


def _drop_3d(inner: Any, olds: list[Any]) -> Iterator[str]:
    if any("3DChart" in plot.tag for plot in olds):
        for item in [item for item in inner if _name(item) in _3D_PARTS]:
            inner.remove(item)
        yield "3-D view"


def _fit_axes(area: Any, plot: Any, *, family_changes: bool) -> Iterator[str]:
    """Leave the axes of the plot, turned as it is drawn; give it axes if it needs some."""
    every = [item for item in area if _name(item) in ("catAx", "dateAx", "valAx", "serAx")]
    has_axes = "axId" in _IN_PLOT[_name(plot)]
    ids = [item.get("val") for item in plot.findall(qn("c:axId"))]
    own = {_name(item)[:3]: item for item in every if _id(item) in ids and _name(item) != "serAx"}
    own = own if has_axes and len(own) > 1 else {}
    own = {("val" if key == "val" else "cat"): axis for key, axis in own.items()}
    for item in [item for item in every if item not in own.values()]:
        area.remove(item)
        is_depth = _name(item) == "serAx"
        yield "depth axis" if is_depth else "secondary axes" if own else "axes"
    if not has_axes:
        return
    if not own:
        own = dict(zip(("cat", "val"), parse_xml(_NEW_AXES), strict=True))
        for axis in reversed(own.values()):
            plot.addnext(axis)
    for item in plot.findall(qn("c:axId")):
        plot.remove(item)
    at = sum(_name(item) != "extLst" for item in plot)
    plot[at:at] = [deepcopy(axis.find(qn("c:axId"))) for axis in own.values()]
    lies = any(item.get("val") == "bar" for item in plot.findall(qn("c:barDir")))
    _turn(own["cat"], upright=lies)
    _turn(own["val"], upright=not lies)
    if family_changes:
        between = "midCat" if _name(plot) == "areaChart" else "between"
        _put(own["val"], _IN_AXIS, "crossBetween", between)
    if _name(plot) == "radarChart" and _name(own["cat"]) == "dateAx":
        yield from _as_categories(own["cat"])


def _id(axis: Any) -> str:
    return str(axis.find(qn("c:axId")).get("val"))


def _turn(axis: Any, *, upright: bool) -> None:
    if (at := axis.find(qn("c:axPos"))) is None or (at.get("val") in ("l", "r")) == upright:
        return
    at.set("val", _TURNED.get(at.get("val"), "b"))
    for item in axis.iterfind(f"{qn('c:title')}//{qn('a:bodyPr')}"):
        item.attrib.pop("rot", None)
        item.attrib.pop("vert", None)


def _as_categories(axis: Any) -> Iterator[str]:
    """Draw an axis of dates as one of categories."""
    fresh = parse_xml(f"<c:catAx {_NS}/>")
    apart = ("baseTimeUnit", "majorUnit", "majorTimeUnit", "minorUnit", "minorTimeUnit", "extLst")
    fresh.extend([item for item in axis if _name(item) not in apart])
    axis.getparent().replace(axis, fresh)
    yield "steps of dates"


def _fit_scale(area: Any, plot: Any, was_percent: bool) -> Iterator[str]:
    """Free the ends of the value axis if it shows shares of 100 % only now, or no longer."""
    axis, is_percent = area.find(qn("c:valAx")), _grouping(plot) == "percentStacked"
    if axis is None or was_percent == is_percent:
        return
    names = ("max", "min", "majorUnit", "minorUnit", "dispUnits")
    ends = [item for item in axis.iter() if _name(item) in names]
    for item in ends:
        item.getparent().remove(item)
        yield "scale of the value axis"
    written = axis.find(qn("c:numFmt"))
    own = written is not None and written.get("sourceLinked") in ("0", "false")
    if own and is_percent != ("%" in written.get("formatCode", "")):
        written.set("formatCode", "0%" if is_percent else "General")
        yield "number format of the value axis"
