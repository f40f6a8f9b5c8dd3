"""Native charts: what kind they are, what they say, and with what."""

from collections.abc import Iterator
from typing import Any, Literal

from decklab.deck.measures import flag
from decklab.deck.model.outline import Chart, ChartSeries
from decklab.deck.model.shapes import Axis, Series
from decklab.deck.part import Source
from decklab.deck.sheets import Sheet
from decklab.deck.styles.fills import fill_of, read_fill
from decklab.deck.styles.paints import color_of
from decklab.ooxml.xml import Element, local_name, qn

_AXES: dict[str, Literal["category", "value", "date", "series"]] = {
    "catAx": "category",
    "valAx": "value",
    "dateAx": "date",
    "serAx": "series",
}


def chart_fields(chart: Chart, sheet: Sheet) -> dict[str, Any]:
    """The fields of a chart by the names of the model's."""
    here = None if chart.part is None else sheet.source.of(chart.part)
    root = None if here is None else here.root()
    fields: dict[str, Any] = {
        "type": "unknown",
        "workbook": sheet.reading.sha256(chart.workbook),
        "workbook_link": chart.workbook_link,
    }
    if root is None or here is None:
        return fields
    if root.tag == qn("cx:chartSpace"):
        series = tuple(_series(item, None, "", sheet, here) for item in chart.series)
        first = chart.kinds[0] if chart.kinds else "unknown"
        return fields | {
            "type": first,
            "plots": chart.kinds,
            "series": series,
            "title": _extended_title(root),
        }
    return fields | _standard(root, chart, sheet, here)


def _standard(root: Element, chart: Chart, sheet: Sheet, here: Source) -> dict[str, Any]:
    area = root.find(f"{qn('c:chart')}/{qn('c:plotArea')}")
    plots = list(_plots(area))
    pairs = [(ser, _type(plot)) for plot in plots for ser in plot.iterfind(qn("c:ser"))]
    series = tuple(
        _series(item, ser, kind, sheet, here)
        for item, (ser, kind) in zip(chart.series, pairs, strict=False)
    )
    legend = root.find(f"{qn('c:chart')}/{qn('c:legend')}")
    first = plots[0] if plots else None
    return {
        "type": "unknown" if first is None else _type(first),
        "grouping": None if first is None else _value(first, "c:grouping"),
        "plots": tuple(_type(plot) for plot in plots),
        "title": _title(root.find(f"{qn('c:chart')}/{qn('c:title')}")),
        "series": series,
        "axes": tuple(_axes(area)),
        "legend": None if legend is None else _value(legend, "c:legendPos") or "r",
        "labels": any(_labelled(plot) for plot in plots),
    }


def _plots(area: Element | None) -> Iterator[Element]:
    for item in () if area is None else area:
        if local_name(str(item.tag)).endswith("Chart"):
            yield item


def _type(plot: Element) -> str:
    """The element's name without ``Chart``; upright bars are columns."""
    name = local_name(str(plot.tag)).removesuffix("Chart")
    if name in ("bar", "bar3D") and _value(plot, "c:barDir") != "bar":
        return name.replace("bar", "column")
    return name


def _value(element: Element, tag: str) -> str | None:
    found = element.find(qn(tag))
    return None if found is None else found.get("val")


def _series(
    item: ChartSeries, ser: Element | None, plot: str, sheet: Sheet, here: Source
) -> Series:
    return Series(
        name=item.name,
        values=item.values,
        categories=tuple(_plain(text) for text in item.categories),
        category_levels=item.category_levels,
        sizes=item.sizes,
        plot=plot,
        color=None if ser is None else _color(ser, sheet, here),
        values_ref=item.values_ref,
        categories_ref=item.categories_ref,
    )


def _plain(category: str) -> str:
    """A category; a whole number without the point that some programs write (``2.0``)."""
    whole = category.removesuffix(".0")
    return whole if whole.lstrip("-").isdecimal() else category


def _color(ser: Element, sheet: Sheet, here: Source) -> str | None:
    """Of the series' area, or of its line where it has none."""
    properties = ser.find(qn("c:spPr"))
    line = None if properties is None else properties.find(qn("a:ln"))
    for holder in (properties, line):
        element = fill_of(holder)
        fill = None if element is None else read_fill(element, sheet.look, here)
        if fill is not None:
            return color_of(fill)
    return None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def _axes(area: Element | None) -> Iterator[Axis]:
    for item in () if area is None else area:
        kind = _AXES.get(local_name(str(item.tag)))
        if kind is None:
            continue
        scaling = item.find(qn("c:scaling"))
        yield Axis(
            kind=kind,
            title=_title(item.find(qn("c:title"))),
            minimum=None if scaling is None else _number(_value(scaling, "c:min")),
            maximum=None if scaling is None else _number(_value(scaling, "c:max")),
            hidden=_switched(item, "c:delete"),
        )


def _switched(element: Element, tag: str) -> bool:
    """A switch of the chart vocabulary: on where it is there and does not say otherwise."""
    found = element.find(qn(tag))
    return found is not None and flag(found.get("val") or "1") is True


def _labelled(plot: Element) -> bool:
    shown = ("showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize")
    return any(
        _switched(labels, f"c:{name}") for labels in plot.iter(qn("c:dLbls")) for name in shown
    )


def _title(title: Element | None) -> str | None:
    """A title's text; None without one, empty where the program makes it up."""
    if title is None:
        return None
    paragraphs = [
        "".join(text.text or "" for text in item.iter(qn("a:t"))) for item in title.iter(qn("a:p"))
    ]
    cached = [item.text or "" for item in title.iter(qn("c:v"))]
    return "\n".join(item for item in paragraphs if item) or " ".join(cached)


def _extended_title(root: Element) -> str | None:
    title = root.find(f"{qn('cx:chart')}/{qn('cx:title')}")
    if title is None:
        return None
    texts = [item.text or "" for item in title.iter(qn("a:t"))]
    return "".join(texts) or "".join(item.text or "" for item in title.iter(qn("cx:v")))
