"""The chart of an example with other data, in its own looks."""

from typing import Any

from pptx.presentation import Presentation

from decklab.board.blueprint import ChartPlan
from decklab.board.chart_looks import chart_words
from decklab.board.templates.places import LayoutPlace
from decklab.core.geometry import Box
from decklab.editing.chart_kinds import set_chart_type
from decklab.editing.charts import set_chart_data, set_chart_title
from decklab.editing.finding import find_graphic, slide_at
from decklab.editing.placing import place_shape
from decklab.editing.texts import set_alt_text
from decklab.ooxml.xml import EMU_PER_POINT, qn


def refill_chart(
    prs: Presentation, number: int, shown: ChartPlan, place: LayoutPlace, box: Box
) -> None:
    """Give the chart of a slide other data and another place, in points.

    Raises EditError where it cannot be changed so.
    """
    id = place.id
    series = {item.name: list(item.values) for item in shown.series}
    set_chart_data(prs, number, list(shown.categories), series, shape=id)
    if _family(getattr(place.shown, "type", "")) != shown.kind:
        set_chart_type(prs, number, shown.kind, shape=id)
    if shown.unit or _chart_of(prs, number, id).has_title:
        set_chart_title(prs, number, shown.unit, shape=id)
    set_alt_text(prs, number, id, chart_words(shown))
    place_shape(
        prs, number, id, left=box.left * EMU_PER_POINT, top=box.top * EMU_PER_POINT,
        width=box.width * EMU_PER_POINT, height=box.height * EMU_PER_POINT,
    )  # fmt: skip
    space = _chart_of(prs, number, id)._chartSpace
    clear_chart(space, len(shown.series), len(shown.categories))


def _chart_of(prs: Presentation, number: int, id: int) -> Any:
    frame = find_graphic(prs, number, id, qn("c:chart"), "chart")
    part: Any = slide_at(prs, number).part.related_part(frame.get(qn("r:id")))
    return part.chart


def clear_chart(space: Any, series: int, categories: int) -> None:
    """Take from a chart what was said of its old data: titles of axes, limits, forms of numbers,
    labels of single values, looks of points that are gone, drawings on it."""
    for name in ("c:catAx", "c:valAx", "c:dateAx", "c:serAx"):
        for axis in space.iter(qn(name)):
            for title in axis.findall(qn("c:title")):
                axis.remove(title)
            scaling = axis.find(qn("c:scaling"))
            for limit in ("c:max", "c:min", "c:logBase"):
                for item in scaling.findall(qn(limit)) if scaling is not None else ():
                    scaling.remove(item)
            for unit in ("c:majorUnit", "c:minorUnit", "c:dispUnits"):
                for item in axis.findall(qn(unit)):
                    axis.remove(item)
    for form in space.iter(qn("c:numFmt")):
        form.set("formatCode", "General")
        form.set("sourceLinked", "0")
    for single in list(space.iter(qn("c:dLbl"), qn("c:trendline"), qn("c:errBars"))):
        single.getparent().remove(single)
    for point in list(space.iter(qn("c:dPt"))):
        index = point.find(qn("c:idx"))
        if index is None or series > 1 or int(index.get("val")) >= categories:
            point.getparent().remove(point)
    for drawn in list(space.iter(qn("c:userShapes"))):
        drawn.getparent().remove(drawn)


def _family(kind: str) -> str:
    return {"area": "line", "doughnut": "pie"}.get(kind, kind)
