"""Graphic frames: native charts with their cached values, the cells these came from and their
workbooks; and SmartArt, with the texts of its data and the shapes it was last drawn with.

Both the charts of the standard (``c:chartSpace``) and the newer kinds of Office 2016
(``cx:chartSpace``: waterfall, treemap, histogram ...) are read into one form.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isclose, isfinite
from typing import Any, Literal

from decklab.core.errors import (
    DeckError,
    LimitExceeded,
    MalformedPart,
    MissingPart,
    UnsupportedFormat,
)
from decklab.deck.model.outline import OutlineChart, WorkbookState
from decklab.deck.model.shapes import Axis, Node, Series
from decklab.deck.part import Source
from decklab.deck.sheets import Sheet
from decklab.deck.styles.fills import fill_of, read_fill
from decklab.deck.styles.text import paragraph_text
from decklab.ooxml.package import Package
from decklab.ooxml.workbook import CellRange, CellValue, Workbook, cell_name, parse_reference
from decklab.ooxml.xml import NAMESPACES, Element, flag, local_name, parse_int, qn

_TEXTS = ("node", "asst")
"""Types of the points that hold text; the others are connections and their drawings."""
_DATA_MODEL_EXT = qn("dsp:dataModelExt")
_DRAWING = "diagramDrawing"
_SHAPES = (qn("dsp:sp"), qn("dsp:grpSp"))


def diagram_data(graphic: Element | None, source: Source) -> Element | None:
    """The root of the data that an ``a:graphicData`` refers to; None if it is no diagram."""
    part = _linked(graphic, "r:dm", source)
    return None if part is None else source.of(part).root()


def diagram_drawing(
    graphic: Element | None, data: Element | None, source: Source
) -> tuple[Element, ...]:
    """The shape elements (``dsp:sp``) that a diagram was last drawn with, in order.

    Empty for any other shape, and if the deck stores no drawing.
    """
    if graphic is None or graphic.get("uri") != NAMESPACES["dgm"]:
        return ()
    part = _only_drawing(source) if data is None else _drawing_part(data, source)
    drawn = None if part is None else source.of(part).root()
    tree = None if drawn is None else drawn.find(qn("dsp:spTree"))
    return () if tree is None else tuple(item for item in tree if item.tag in _SHAPES)


def diagram_fields(
    graphic: Element | None, data: Element | None, source: Source, drawn: Iterable[str]
) -> dict[str, Any]:
    """The fields of a diagram by the names of the model's.

    ``drawn`` are the texts of the shapes it was last drawn with, for a diagram without data.
    """
    if graphic is None or graphic.find(qn("dgm:relIds")) is None:
        return {}
    part = _linked(graphic, "r:lo", source)
    layout = None if part is None else source.of(part).root()
    name = "" if layout is None else layout.get("uniqueId") or ""
    nodes = () if data is None else tuple(diagram_nodes(data))
    return {
        "layout": name.rpartition("/")[2],
        "nodes": nodes or tuple(Node(text=text, depth=0) for text in drawn),
    }


def diagram_nodes(model: Element) -> Iterator[Node]:
    """The texts of a ``dgm:dataModel``, each before its children, siblings by ``srcOrd``.

    Texts that are no descendants of the document come last, in the order of the file.
    """
    points = {point.get("modelId") or "": point for point in model.iter(qn("dgm:pt"))}
    children = _hierarchy(model)
    used: set[str] = set()
    roots = [id for id, point in points.items() if point.get("type") == "doc"]
    for root in roots:
        used.add(root)
        yield from _descendants(root, points, children, used)
    for id, point in points.items():
        if id not in used and (point.get("type") or "node") in _TEXTS:
            used.add(id)
            yield _node(point, 0)
            yield from _descendants(id, points, children, used)


def _descendants(
    top: str, points: Mapping[str, Element], children: Mapping[str, list[str]], used: set[str]
) -> Iterator[Node]:
    """Depth first, without recursion: a file may nest as deep as it likes."""
    start = 0 if points[top].get("type") == "doc" else 1
    waiting = [(id, start) for id in reversed(children.get(top, []))]
    while waiting:
        id, depth = waiting.pop()
        if id in used or id not in points:
            continue
        used.add(id)
        point = points[id]
        if (point.get("type") or "node") in _TEXTS:
            yield _node(point, depth)
        waiting.extend((child, depth + 1) for child in reversed(children.get(id, [])))


def _hierarchy(model: Element) -> dict[str, list[str]]:
    children: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for link in model.iter(qn("dgm:cxn")):
        if (link.get("type") or "parOf") == "parOf":
            order = parse_int(link.get("srcOrd")) or 0
            children[link.get("srcId") or ""].append((order, link.get("destId") or ""))
    return {
        source: [id for _, id in sorted(targets, key=lambda item: item[0])]
        for source, targets in children.items()
    }


def _node(point: Element, depth: int) -> Node:
    body = point.find(qn("dgm:t"))
    paragraphs = () if body is None else body.iterfind(qn("a:p"))
    text = "\n".join(paragraph_text(item) for item in paragraphs)
    return Node(text=text, depth=depth, assistant=point.get("type") == "asst")


def _linked(graphic: Element | None, attribute: str, source: Source) -> str | None:
    if graphic is None or graphic.get("uri") != NAMESPACES["dgm"]:
        return None
    ids = graphic.find(qn("dgm:relIds"))
    return None if ids is None else source.linked_part(ids, attribute)


def _drawing_part(model: Element, source: Source) -> str | None:
    """The drawing that belongs to a diagram's data: the slide's relationship names it."""
    extension = next(model.iter(_DATA_MODEL_EXT), None)
    link = None if extension is None else source.link(extension.get("relId"))
    if link is None or link.external or link.target not in source.package:
        return None
    return link.target


def _only_drawing(source: Source) -> str | None:
    """The drawing of a diagram without data: the slide's only drawing; None if it has several."""
    links = (link for link in source.links().values() if link.kind == _DRAWING)
    drawings = [to.target for to in links if not to.external and to.target in source.package]
    return drawings[0] if len(drawings) == 1 else None


CELL_TOLERANCE = 1e-6
"""Largest relative difference between a cell and the value the chart draws: caches are written
with 15 digits, so anything more is another number."""

OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of files in the old binary formats (.xls)."""


@dataclass(frozen=True)
class WorkbookCheck:
    """The state of a chart's workbook, and where it holds other numbers than the chart draws."""

    state: WorkbookState
    detail: str = ""
    compared: int = 0
    """How many numbers were compared."""
    mismatches: tuple[str, ...] = ()
    """Sentences, such as "B3 holds 8.5, the chart draws 7"."""


def read_workbook(package: Package, chart: OutlineChart) -> WorkbookCheck:
    """Open the workbook of a chart and compare its cells with what the chart draws."""
    if chart.part is None:
        return WorkbookCheck("missing", "the chart itself is missing")
    if chart.workbook is None:
        link = chart.workbook_link
        return WorkbookCheck("linked", link) if link else WorkbookCheck("missing")
    try:
        if (data := package.read(chart.workbook)).startswith(OLE_MAGIC):
            return WorkbookCheck("foreign", "a workbook of the old binary format")
        with Workbook.from_bytes(data, chart.workbook, package.limits) as book:
            return _compared(book, chart)
    except UnsupportedFormat as error:
        return WorkbookCheck("foreign", error.detail)
    except DeckError as error:
        return WorkbookCheck("unreadable", error.detail)


def _compared(book: Workbook, chart: OutlineChart) -> WorkbookCheck:
    compared, mismatches, remarks = 0, list[str](), list[str]()
    for series in chart.series:
        try:
            pairs = list(_pairs(book, series))
        except MissingPart as error:
            mismatches.append(error.detail)
        except (MalformedPart, LimitExceeded) as error:
            remarks.append(error.detail)
        else:
            compared += len(pairs)
            mismatches += [_words(*pair) for pair in pairs if not _agree(pair[1], pair[2])]
            if series.values_ref is None and series.values:
                mismatches.append(f"{_name(series)} is typed into the chart and has no cells")
    return WorkbookCheck("readable", "; ".join(remarks), compared, tuple(mismatches))


def _name(series: Series) -> str:
    return f"series “{series.name}”" if series.name else "a series"


def _pairs(book: Workbook, series: Series) -> Iterator[tuple[str, CellValue, float | None]]:
    """Cell name, cell value and drawn value of each point that can be identified.

    A chart leaves out hidden rows, so with fewer values than filled cells nothing is compared.
    """
    if series.values_ref is None:
        return
    cells = book.values(series.values_ref)
    if any(cell is not None for cell in cells[len(series.values) :]):
        return
    names = _cell_names(series.values_ref)
    for index, drawn in enumerate(series.values):
        if index < len(cells):
            yield names[index], cells[index], drawn
        elif drawn is not None:
            yield "no cell", None, drawn


def _cell_names(reference: str) -> list[str]:
    areas: tuple[CellRange, ...] = parse_reference(reference) or ()
    return [cell_name(*position) for area in areas for position in area.cells()]


def _agree(cell: CellValue, drawn: float | None) -> bool:
    if cell is None or isinstance(cell, str):
        return drawn is None or drawn == 0  # blanks and texts are drawn as gaps or as zero
    if drawn is None:
        return False
    return isclose(float(cell), drawn, rel_tol=CELL_TOLERANCE, abs_tol=CELL_TOLERANCE**2)


def _words(name: str, cell: CellValue, drawn: float | None) -> str:
    text = "nothing" if cell is None else f"{cell:g}" if isinstance(cell, float) else repr(cell)
    return f"{name} holds {text}, the chart draws {'nothing' if drawn is None else f'{drawn:g}'}"


_SPARSE_ALLOWANCE = 4096
_SPARSE_FACTOR = 64
"""A cache may state more points than it holds (blank cells), but only up to a limit: else the file
would decide how much memory its reader takes."""

_MOST_SERIES = 1000
"""PowerPoint draws 255 in one chart."""

_AXES: dict[str, Literal["category", "value", "date", "series"]] = {
    "catAx": "category",
    "valAx": "value",
    "dateAx": "date",
    "serAx": "series",
}
_PLOT_AREA = f"{qn('c:chart')}/{qn('c:plotArea')}"
_CATEGORY_SOURCES = ("c:cat", "c:xVal")
_VALUE_SOURCES = ("c:val", "c:yVal")
_SIZE_SOURCES = ("c:bubbleSize",)
_MOST_LEVELS = 20
"""Of categories above each other; Excel's pivot charts seldom have more than three."""
_CACHES = tuple(
    qn(name) for name in ("c:numCache", "c:strCache", "c:numLit", "c:strLit", "c:multiLvlStrCache")
)


def read_chart(part: str | None, source: Source) -> OutlineChart:
    """The chart in a part; an unknown chart if there is no part or it is damaged.

    ``source`` is the part that shows the chart.
    """
    if part is None:
        return OutlineChart(None, (), (), None, None)
    charts = source.log.charts
    if part not in charts:
        here = source.of(part)
        root = here.root()
        charts[part] = _read_part(part, root, here), root
    return charts[part][0]


def _read_part(part: str, root: Element | None, here: Source) -> OutlineChart:
    if root is None:
        return OutlineChart(part, (), (), None, None)
    if root.tag == qn("cx:chartSpace"):
        kinds, series = _extended(root, here)
        external = root.find(f"{qn('cx:chartData')}/{qn('cx:externalData')}")
    else:
        kinds, series = _standard(root, here)
        external = root.find(qn("c:externalData"))
    workbook = address = None
    if external is not None:
        workbook = here.linked_part(external)
        address = here.linked_address(external)
    return OutlineChart(part, kinds, series, workbook, address)


def _standard(root: Element, here: Source) -> tuple[tuple[str, ...], tuple[Series, ...]]:
    plots = _plots(root)
    items = [item for plot in plots for item in plot.iterfind(qn("c:ser"))]
    series = tuple(_series(item, here) for item in _at_most(items, here))
    return tuple(local_name(str(plot.tag)) for plot in plots), series


def _at_most(series: list[Element], here: Source) -> list[Element]:
    if len(series) > _MOST_SERIES:
        detail = f"{len(series):,} series; the first {_MOST_SERIES:,} are read"
        here.log.add(here.part, detail)
    return series[:_MOST_SERIES]


def _series(ser: Element, here: Source) -> Series:
    values = _data_source(ser, _VALUE_SOURCES)
    categories = _data_source(ser, _CATEGORY_SOURCES)
    return Series(
        name=_series_name(ser),
        values=tuple(_number(text) for text in _points(values, here)),
        values_ref=_formula(values),
        categories=tuple(text or "" for text in _points(categories, here)),
        categories_ref=_formula(categories),
        category_levels=_outer_levels(_cache(categories), "c:lvl", here),
        sizes=tuple(_number(text) for text in _points(_data_source(ser, _SIZE_SOURCES), here)),
    )


def _series_name(ser: Element) -> str | None:
    if (tx := ser.find(qn("c:tx"))) is None:
        return None
    if (literal := tx.findtext(qn("c:v"))) is not None:
        return literal
    pieces = [value.text or "" for value in tx.iter(qn("c:v"))]
    return " ".join(pieces) if pieces else None


def _data_source(ser: Element, names: Iterable[str]) -> Element | None:
    return next((item for name in names if (item := ser.find(qn(name))) is not None), None)


def _formula(data: Element | None) -> str | None:
    return None if data is None else next((f.text for f in data.iter(qn("c:f")) if f.text), None)


def _points(data: Element | None, here: Source) -> tuple[str | None, ...]:
    if (cache := _cache(data)) is None:
        return ()
    level = cache.find(qn("c:lvl"))
    count = cache.find(qn("c:ptCount"))
    stated = None if count is None else parse_int(count.get("val"))
    return _dense(_labels(cache if level is None else level), stated, here)


def _cache(data: Element | None) -> Element | None:
    """The first cache inside a data source; None if it has none."""
    return None if data is None else next((i for i in data.iter() if i.tag in _CACHES), None)


def _labels(level: Element) -> dict[int, str | None]:
    """The points of a cache or of one of its levels, by index; of both vocabularies."""
    return {
        idx: point.text if point.tag == qn("cx:pt") else point.findtext(qn("c:v"))
        for point in level.iterfind("{*}pt")
        if (idx := parse_int(point.get("idx"))) is not None and idx >= 0
    }


def _outer_levels(holder: Element | None, tag: str, here: Source) -> tuple[tuple[str, ...], ...]:
    """The levels above the innermost one, which comes first in the file."""
    levels = [] if holder is None else holder.findall(qn(tag))[:_MOST_LEVELS]
    if len(levels) < 2:
        return ()
    length = max(max(_labels(level), default=-1) for level in levels) + 1
    stated = [_dense(_labels(level), length, here) for level in reversed(levels[1:])]
    return tuple(tuple(_spanned(level)) for level in stated)


def _spanned(level: Iterable[str | None]) -> Iterator[str]:
    """Each label, repeated in place of the blanks after it, which it spans."""
    label = ""
    for item in level:
        label = label if item is None else item
        yield label


def _dense(
    points: dict[int, str | None], stated: int | None, here: Source
) -> tuple[str | None, ...]:
    """All points in order, blanks between and after them, within the allowance."""
    length = max([stated or 0, *(idx + 1 for idx in points)])
    most = _SPARSE_FACTOR * len(points) + _SPARSE_ALLOWANCE
    if length > most:
        detail = f"a series states {length:,} points but holds {len(points):,}; {most:,} are read"
        here.log.add(here.part, detail)
        length = most
    return tuple(points.get(i) for i in range(length))


def _number(text: str | None) -> float | None:
    """A cached value; None for blanks and for errors such as ``#N/A``."""
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if isfinite(value) else None


def _extended(root: Element, here: Source) -> tuple[tuple[str, ...], tuple[Series, ...]]:
    data = {item.get("id"): item for item in root.iter(qn("cx:data"))}
    series = _at_most(list(root.iter(qn("cx:series"))), here)
    kinds = dict.fromkeys(item.get("layoutId") or "unknown" for item in series)
    return tuple(kinds), tuple(_extended_series(item, data, here) for item in series)


def _extended_series(series: Element, data: dict[str | None, Element], here: Source) -> Series:
    link = series.find(qn("cx:dataId"))
    block = None if link is None else data.get(link.get("val"))
    numbers = None if block is None else block.find(qn("cx:numDim"))
    labels = None if block is None else block.find(qn("cx:strDim"))
    name = series.find(f"{qn('cx:tx')}/{qn('cx:txData')}/{qn('cx:v')}")
    return Series(
        name=None if name is None else name.text,
        values=tuple(_number(text) for text in _level(numbers, here)),
        values_ref=None if numbers is None else numbers.findtext(qn("cx:f")),
        categories=tuple(text or "" for text in _level(labels, here)),
        categories_ref=None if labels is None else labels.findtext(qn("cx:f")),
        category_levels=_outer_levels(labels, "cx:lvl", here),
    )


def _level(dimension: Element | None, here: Source) -> tuple[str | None, ...]:
    level = None if dimension is None else dimension.find(qn("cx:lvl"))
    return () if level is None else _dense(_labels(level), parse_int(level.get("ptCount")), here)


def chart_fields(chart: OutlineChart, sheet: Sheet) -> dict[str, Any]:
    """The fields of a chart by the names of the model's."""
    here = None if chart.part is None else sheet.source.of(chart.part)
    root = None if here is None else here.log.charts[here.part][1]
    fields: dict[str, Any] = {
        "type": "unknown",
        "workbook": sheet.source.sha256(chart.workbook),
        "workbook_link": chart.workbook_link,
    }
    if root is None or here is None:
        return fields
    if root.tag == qn("cx:chartSpace"):
        series = tuple(_finished_series(item, None, "", sheet, here) for item in chart.series)
        first = chart.kinds[0] if chart.kinds else "unknown"
        title = _extended_title(root)
        return fields | {"type": first, "plots": chart.kinds, "series": series, "title": title}
    return fields | _standard_fields(root, chart, sheet, here)


def _standard_fields(
    root: Element, chart: OutlineChart, sheet: Sheet, here: Source
) -> dict[str, Any]:
    plots = _plots(root)
    pairs = [(ser, _type(plot)) for plot in plots for ser in plot.iterfind(qn("c:ser"))]
    series = tuple(
        _finished_series(item, ser, kind, sheet, here)
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
        "axes": tuple(_axes(root)),
        "legend": None if legend is None else _value(legend, "c:legendPos") or "r",
        "labels": any(_labelled(plot) for plot in plots),
    }


def _plots(root: Element) -> list[Element]:
    area = root.find(_PLOT_AREA)
    items = () if area is None else area
    return [item for item in items if local_name(str(item.tag)).endswith("Chart")]


def _type(plot: Element) -> str:
    """The element's name without ``Chart``; upright bars are columns."""
    name = local_name(str(plot.tag)).removesuffix("Chart")
    if name in ("bar", "bar3D") and _value(plot, "c:barDir") != "bar":
        return name.replace("bar", "column")
    return name


def _value(element: Element, tag: str) -> str | None:
    child = element.find(qn(tag))
    return None if child is None else child.get("val")


def _finished_series(
    item: Series, ser: Element | None, plot: str, sheet: Sheet, here: Source
) -> Series:
    categories = tuple(_plain(text) for text in item.categories)
    color = None if ser is None else _color(ser, sheet, here)
    return item.model_copy(update={"categories": categories, "plot": plot, "color": color})


def _plain(category: str) -> str:
    """A category; a whole number without the point that some programs write (``2.0``)."""
    whole = category.removesuffix(".0")
    return whole if whole.lstrip("-").isdecimal() else category


def _color(ser: Element, sheet: Sheet, here: Source) -> str | None:
    """The colour of the series' area, or of its line if it has no area."""
    properties = ser.find(qn("c:spPr"))
    line = None if properties is None else properties.find(qn("a:ln"))
    for holder in (properties, line):
        element = fill_of(holder)
        fill = None if element is None else read_fill(element, sheet.look, here)
        if fill is not None:
            return fill.hex
    return None


def _axes(root: Element) -> Iterator[Axis]:
    for item in root.iterfind(f"{_PLOT_AREA}/*"):
        if (kind := _AXES.get(local_name(str(item.tag)))) is None:
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
    """A switch of the chart vocabulary: on if it is present and not set to off."""
    child = element.find(qn(tag))
    return child is not None and flag(child.get("val") or "1") is True


def _labelled(plot: Element) -> bool:
    shown = ("showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize")
    return any(_switched(item, f"c:{name}") for item in plot.iter(qn("c:dLbls")) for name in shown)


def _title(title: Element | None) -> str | None:
    """The text of a title; None without a title, empty if the program writes it."""
    if title is None:
        return None
    paragraphs = [
        "".join(text.text or "" for text in item.iter(qn("a:t"))) for item in title.iter(qn("a:p"))
    ]
    cached = [item.text or "" for item in title.iter(qn("c:v"))]
    return "\n".join(item for item in paragraphs if item) or " ".join(cached)


def _extended_title(root: Element) -> str | None:
    if (title := root.find(f"{qn('cx:chart')}/{qn('cx:title')}")) is None:
        return None
    texts = [item.text or "" for item in title.iter(qn("a:t"))]
    return "".join(texts) or "".join(item.text or "" for item in title.iter(qn("cx:v")))
