"""What slides say of their own shapes: ids, animations, connectors, tables, charts."""

from collections import Counter

from decklab.ooxml.names import NAMESPACES, local_name, qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int
from decklab.ooxml.validity.inspection import Inspection, shape_name

__all__ = ["check_content"]

_SLIDES = ("slide+xml", "slideLayout+xml", "slideMaster+xml", "notesSlide+xml", "notesMaster+xml")
_ANIMATED = ("p:spTgt", "p:bldP", "p:bldGraphic", "p:bldDgm", "p:bldOleChart")
_CREATION_ID = "{http://schemas.microsoft.com/office/drawing/2014/main}creationId"
_SLIDE_CREATION_ID = f"{{{NAMESPACES['p14']}}}creationId"


def check_content(inspection: Inspection) -> None:
    """Ids of shapes and what refers to them; tables; axes of charts."""
    for ending in _SLIDES:
        for part in inspection.of_kind(f"presentationml.{ending}"):
            root = inspection.root(part)
            if root is not None:
                _check_shapes(inspection, part, root)
                _check_tables(inspection, part, root)
    for part in inspection.of_kind("drawingml.chart+xml"):
        root = inspection.root(part)
        if root is not None:
            _check_axes(inspection, part, root)
    _check_creation_ids(inspection)


def _check_shapes(inspection: Inspection, part: str, root: Element) -> None:
    ids = _shape_ids(root)
    for id, count in Counter(ids).items():
        if count > 1:
            detail = f"{count} shapes have the id {id}"
            inspection.warn("shape.duplicate-id", part, detail, "Number them anew.")
    known = {mark.get("id") for mark in root.iter("{*}cNvPr")}
    for timing in root.iter(qn("p:timing")):
        for item in timing.iter(*map(qn, _ANIMATED)):
            if item.get("spid") not in known:
                detail = f"an animation (<{local_name(item.tag)}>) is for the shape"
                detail += f" {item.get('spid')}, which is not there"
                fix = "Take the animation out, or name a shape of the slide."
                inspection.error("timing.missing-shape", part, detail, fix)
    for end in root.iter(qn("a:stCxn"), qn("a:endCxn")):
        if end.get("id") not in known:
            detail = f"a connector{shape_name(end)} is tied to the shape {end.get('id')}"
            fix = "Untie the connector, or tie it to a shape of the slide."
            inspection.warn("connector.missing-shape", part, f"{detail}, which is not there", fix)
    marks = [mark.get("id") for mark in root.iter(_CREATION_ID) if not _in_fallback(mark)]
    for key, count in Counter(marks).items():
        if count > 1 and key is not None and key.strip("{}0-"):
            detail = f"{count} elements have the creation id {key}"
            inspection.warn("shape.duplicate-creation-id", part, detail, "Make new ones.")


def _shape_ids(root: Element) -> list[str]:
    """Ids of shapes, of alternatives only the first: the others mean the same shape."""
    return [mark.get("id") or "" for mark in root.iter(qn("p:cNvPr")) if not _in_fallback(mark)]


def _in_fallback(element: Element) -> bool:
    return next(element.iterancestors(qn("mc:Fallback")), None) is not None


def _check_tables(inspection: Inspection, part: str, root: Element) -> None:
    for table in root.iter(qn("a:tbl")):
        columns = len(table.findall(f"{qn('a:tblGrid')}/{qn('a:gridCol')}"))
        for number, row in enumerate(table.findall(qn("a:tr")), start=1):
            cells = len(row.findall(qn("a:tc")))
            if cells != columns:
                detail = f"row {number} has {cells} cells for {columns} columns{shape_name(table)}"
                fix = "Give every row one cell per column, merged ones included."
                inspection.error("table.uneven-row", part, detail, fix)


def _check_axes(inspection: Inspection, part: str, root: Element) -> None:
    plot = root.find(f"{qn('c:chart')}/{qn('c:plotArea')}")
    if plot is None:
        return
    axes = [parse_int(item.get("val")) for item in plot.iterfind(f"*/{qn('c:axId')}")
            if _is_axis(item.getparent())]  # fmt: skip
    for id, count in Counter(axes).items():
        if count > 1:
            inspection.error("chart.duplicate-axis", part, f"{count} axes have the id {id}",
                             "Number them anew.")  # fmt: skip
    for item in plot.iterfind(f"*/{qn('c:crossAx')}"):
        if parse_int(item.get("val")) not in axes:
            detail = f"an axis crosses the axis {item.get('val')}, which is not there"
            inspection.error("chart.missing-axis", part, detail, "Name an axis of the chart.")


def _is_axis(element: Element | None) -> bool:
    return element is not None and local_name(element.tag) in ("catAx", "valAx", "dateAx", "serAx")


def _check_creation_ids(inspection: Inspection) -> None:
    found: dict[str, str] = {}
    for part in inspection.of_kind("presentationml.slide+xml"):
        root = inspection.root(part)
        path = f"{qn('p:cSld')}/{qn('p:extLst')}//{_SLIDE_CREATION_ID}"
        mark = None if root is None else root.find(path)
        value = None if mark is None else mark.get("val")
        if value is None:
            continue
        if value in found:
            detail = f"it has the creation id {value} of {found[value]}"
            inspection.warn("slide.duplicate-creation-id", part, detail, "Give it a new one.")
        found.setdefault(value, part)
