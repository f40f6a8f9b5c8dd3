"""Lists and ids of the presentation: slides, masters, layouts, sections, custom shows."""

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from decklab.ooxml.names import qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int
from decklab.ooxml.validity.inspection import Inspection

__all__ = ["check_lists"]

_SLIDE_IDS = range(256, 2**31)
_DESIGN_IDS = range(2**31, 2**32)
_Value = TypeVar("_Value", int, str)
_RENUMBER = "Give each an id of its own."


def check_lists(inspection: Inspection) -> None:
    """Every id once and in its range, every entry leading to a slide that is there."""
    main = inspection.package.main_part
    root = inspection.root(main)
    if root is None:
        return
    slides = list(root.iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}"))
    ids = [parse_int(item.get("id")) for item in slides]
    _check_ids(inspection, main, "slide", ids, _SLIDE_IDS)
    parts = [part for item in slides if (part := inspection.linked(main, item)) is not None]
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
