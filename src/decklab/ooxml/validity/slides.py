"""Checks of ids and lists: slides, masters, layouts, sections, shows; shapes, tables, charts."""

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from decklab.ooxml.slide_list import LEAST_SLIDE_ID, SLIDE_ID_END, list_items, read_list
from decklab.ooxml.units import parse_int
from decklab.ooxml.validity.inspection import Inspection, within_shape
from decklab.ooxml.xml import NAMESPACES, Element, local_name, qn

_SLIDE_IDS = range(LEAST_SLIDE_ID, SLIDE_ID_END)
_DESIGN_IDS = range(2**31, 2**32)
_Value = TypeVar("_Value", int, str)
_RENUMBER = "Give each an id of its own."


def check_lists(inspection: Inspection) -> None:
    """Every id once and in its range, every entry leading to a slide that is there."""
    main = inspection.package.main_part
    root = inspection.root(main)
    if root is None:
        return
    ids = [parse_int(item.get("id")) for item in list_items(root)]
    _check_ids(inspection, main, "slide", ids, _SLIDE_IDS)
    listed = read_list(root, inspection.links(main), inspection.package)
    for dead in listed.dead:
        fix = "Lead it to a slide, or take it out of the list."
        inspection.error("list.dead-entry", main, str(dead), fix)
    for entry in listed.slides:
        kind = inspection.links(main)[entry.link].kind
        if kind != "slide":
            detail = f"entry {entry.place} of the slide list refers to {entry.link!r}, a {kind}"
            fix = "Refer to a slide."
            inspection.error("reference.wrong-kind", main, f"{detail} and no slide", fix)
    parts = [entry.part for entry in listed.slides]
    for part in _repeated(parts):
        detail = f"the slide {part} is listed more than once"
        inspection.error("list.duplicate-slide", main, detail, "List it once, or clone it.")
    for part in inspection.related(main, "slide"):
        if part not in parts:
            detail = f"{part} belongs to the presentation, but is no slide of its list"
            inspection.warn("list.unlisted-slide", main, detail, "List it or take it out.")
    _check_designs(inspection, main, root)
    _check_sections(inspection, main, root, ids)
    _check_shows(inspection, main, root)


def _check_designs(inspection: Inspection, main: str, root: Element) -> None:
    listed = list(root.iterfind(f"{qn('p:sldMasterIdLst')}/{qn('p:sldMasterId')}"))
    if not listed:
        fix = "A presentation needs a master: add one and list it."
        inspection.error("list.no-master", main, "the presentation lists no master", fix)
    ids = [parse_int(item.get("id")) for item in listed if item.get("id") is not None]
    for item in listed:
        master = inspection.linked(main, item)
        inside = None if master is None else inspection.root(master)
        if inside is not None:
            layouts = inside.iterfind(f"{qn('p:sldLayoutIdLst')}/{qn('p:sldLayoutId')}")
            ids += [parse_int(entry.get("id")) for entry in layouts if entry.get("id") is not None]
    _check_ids(inspection, main, "master or layout", ids, _DESIGN_IDS)


def _check_ids(
    inspection: Inspection, part: str, what: str, ids: Iterable[int | None], allowed: range
) -> None:
    for again in _repeated(ids):
        detail = f"the {what} id {again} is used more than once"
        inspection.error("list.duplicate-id", part, detail, _RENUMBER)
    for id in dict.fromkeys(ids):
        if id is None or id not in allowed:
            detail = f"the {what} id {id} is not from {allowed.start} to {allowed.stop - 1}"
            inspection.error("list.id-out-of-range", part, detail, "Give it another id.")


def _check_sections(
    inspection: Inspection, main: str, root: Element, slides: list[int | None]
) -> None:
    sections = list(root.iter(qn("p14:section")))
    members = [
        parse_int(item.get("id")) for part in sections for item in part.iter(qn("p14:sldId"))
    ]
    for id in dict.fromkeys(members):
        if id not in slides:
            detail = f"a section holds the slide id {id}, and there is no such slide"
            inspection.error("section.missing-slide", main, detail, "Take it out of the section.")
    for id in _repeated(members):
        detail = f"the slide id {id} is in more than one section"
        inspection.error("section.duplicate-slide", main, detail, "Leave it in one section.")
    for key in _repeated(section.get("id") for section in sections):
        detail = f"two sections have the id {key}"
        inspection.error("section.duplicate-id", main, detail, _RENUMBER)
    for id in slides if sections else ():
        if id not in members:
            detail = f"the slide id {id} is in no section"
            inspection.warn("section.unlisted-slide", main, detail, "Put it into a section.")


def _check_shows(inspection: Inspection, main: str, root: Element) -> None:
    listed = set(inspection.related(main, "slide"))
    for show in root.iter(qn("p:custShow")):
        for item in show.iter(qn("p:sld")):
            part = inspection.linked(main, item)
            if part is not None and part not in listed:
                detail = f"the custom show {show.get('name')!r} holds {part}, which is no slide"
                inspection.error("show.missing-slide", main, detail, "Take it out of the show.")
    for id in _repeated(show.get("id") for show in root.iter(qn("p:custShow"))):
        detail = f"two custom shows have the id {id}"
        inspection.error("show.duplicate-id", main, detail, _RENUMBER)


def _repeated(values: Iterable[_Value | None]) -> list[_Value]:
    return [value for value, count in Counter(values).items() if count > 1 and value is not None]


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
            detail = f"a connector{within_shape(end)} is tied to the shape {end.get('id')}"
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
                detail = (
                    f"row {number} has {cells} cells for {columns} columns{within_shape(table)}"
                )
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
