"""Checks of parts: content types, relationships, references by id, and parts that must exist."""

from collections import Counter, defaultdict

from decklab.ooxml.parts import (
    CONTENT_TYPES_PART,
    Relationship,
    leaves_package,
    lookup_key,
    relationships_part,
    resolve_target,
)
from decklab.ooxml.validity.inspection import Inspection, is_xml, within_shape
from decklab.ooxml.xml import NAMESPACES, Element, local_name, qn

_P = "application/vnd.openxmlformats-officedocument.presentationml."
_D = "application/vnd.openxmlformats-officedocument.drawingml."
_EXPECTED = {
    "slide": f"{_P}slide+xml",
    "slideLayout": f"{_P}slideLayout+xml",
    "slideMaster": f"{_P}slideMaster+xml",
    "notesSlide": f"{_P}notesSlide+xml",
    "notesMaster": f"{_P}notesMaster+xml",
    "handoutMaster": f"{_P}handoutMaster+xml",
    "commentAuthors": f"{_P}commentAuthors+xml",
    "presProps": f"{_P}presProps+xml",
    "viewProps": f"{_P}viewProps+xml",
    "tableStyles": f"{_P}tableStyles+xml",
    "tags": f"{_P}tags+xml",
    "theme": "application/vnd.openxmlformats-officedocument.theme+xml",
    "themeOverride": "application/vnd.openxmlformats-officedocument.themeOverride+xml",
    "chart": f"{_D}chart+xml",
    "diagramData": f"{_D}diagramData+xml",
    "diagramLayout": f"{_D}diagramLayout+xml",
    "diagramQuickStyle": f"{_D}diagramStyle+xml",
    "diagramColors": f"{_D}diagramColors+xml",
}
"""Kind of relationship to the content type that its target must have."""

_ROOTS = {
    f"{_P}slide+xml": "p:sld",
    f"{_P}slideLayout+xml": "p:sldLayout",
    f"{_P}slideMaster+xml": "p:sldMaster",
    f"{_P}notesSlide+xml": "p:notes",
    f"{_P}notesMaster+xml": "p:notesMaster",
    f"{_P}handoutMaster+xml": "p:handoutMaster",
    _EXPECTED["theme"]: "a:theme",
    _EXPECTED["chart"]: "c:chartSpace",
}
"""Content type to the root element of such a part."""

_BROKEN_ON_PURPOSE = ("null",)
"""Targets that PowerPoint itself writes for pictures it had lost already."""


def check_declarations(inspection: Inspection) -> None:
    """Content types of all parts, and every relationship's shape and target."""
    reached = inspection.reached
    for source in ("", *(name for name in inspection.package.names if name in reached)):
        outside = _check_entries(inspection, source)
        for link in inspection.links(source).values():
            if link.id not in outside:
                _check_target(inspection, source, link)
    _check_types(inspection, reached)
    _check_overrides(inspection)
    core = inspection.related("", "core-properties")
    if len(core) > 1:
        detail = f"the package has {len(core)} parts of core properties"
        inspection.error("part.core-properties", "", detail, "Keep one of them.")


def _check_entries(inspection: Inspection, source: str) -> set[str]:
    """Check that entries are whole and stay in the package; return the ids of those that leave."""
    outside: set[str] = set()
    name = inspection.package.find(relationships_part(source))
    root = None if name is None else inspection.root(name)
    if name is None or root is None:
        return outside
    items = [item for item in root if item.tag == qn("rel:Relationship")]
    for id, count in Counter(item.get("Id") for item in items).items():
        if id is not None and count > 1:
            detail = f"{count} relationships have the id {id!r}"
            inspection.error("relationship.duplicate-id", name, detail, "Number them anew.")
    for item in items:
        missing = [key for key in ("Id", "Type", "Target") if item.get(key) is None]
        if missing:
            detail = f"a relationship ({item.get('Id')}) has no {' or '.join(missing)}"
            inspection.error("relationship.incomplete", name, detail, "Complete it or drop it.")
        elif item.get("TargetMode") != "External":
            written = item.get("Target") or ""
            if leaves_package(source, written):
                place = resolve_target(source, written)
                found = place in inspection.package
                detail = f"{item.get('Id')} leads above the root of the package, to {written!r}"
                detail += f"; programs read that as /{place}" if found else ""
                fix = "Lead to a part of the package, or mark the target as external."
                note = inspection.warn if found else inspection.error
                note("relationship.outside", name, detail, fix)
                outside |= set() if found else {str(item.get("Id"))}
    return outside


def _check_target(inspection: Inspection, source: str, link: Relationship) -> None:
    if link.external:
        return
    where = source or "package"
    if link.target not in inspection.package:
        detail = f"{link.id} ({link.kind}) leads to {link.target}, which is not there"
        fix = "Add the part, or take out the relationship and what refers to it."
        broken = link.target.rpartition("/")[2].lower() in _BROKEN_ON_PURPOSE
        harmless = broken or link.kind == "hyperlink"
        note = inspection.warn if harmless else inspection.error
        note("relationship.missing-target", where, detail, fix)
        return
    wanted, stated = _EXPECTED.get(link.kind), inspection.package.content_type(link.target)
    if wanted is not None and stated is not None and stated != wanted:
        detail = f"{link.id} says {link.target} is a {link.kind}, but that says it is {stated}"
        fix = "Make the relationship's type and the part's content type agree."
        inspection.error("relationship.wrong-kind", where, detail, fix)


def _check_types(inspection: Inspection, reached: frozenset[str]) -> None:
    package = inspection.package
    for part in package.names:
        if part.endswith(".rels") or part == CONTENT_TYPES_PART:
            inspection.root(part)
            continue
        kind = package.content_type(part)
        if part not in reached:
            fix = "Take it out, unless something outside the package needs it."
            inspection.warn("part.orphan", part, "no relationship leads to it", fix)
        if kind is None:
            fix = f"Declare it in {CONTENT_TYPES_PART}."
            note = inspection.error if part in reached else inspection.warn
            note("content-type.missing", part, "its content type is not stated", fix)
        elif is_xml(kind) and (root := inspection.root(part)) is not None:
            wanted = _ROOTS.get(kind)
            if wanted is not None and root.tag != qn(wanted):
                detail = f"it says it is {kind}, but holds <{local_name(root.tag)}>"
                inspection.error("content-type.wrong", part, detail, "State what it is.")


def _check_overrides(inspection: Inspection) -> None:
    root = inspection.root(CONTENT_TYPES_PART)
    if root is None:
        return
    names = [item.get("PartName") or "" for item in root.iterfind(qn("ct:Override"))]
    extensions = [(item.get("Extension") or "").lower() for item in root.iterfind(qn("ct:Default"))]
    for name, count in Counter(lookup_key(name) for name in names).items():
        if count > 1:
            detail = f"the content type of {name} is stated {count} times"
            inspection.error("content-type.duplicate", CONTENT_TYPES_PART, detail, "State it once.")
    for extension, count in Counter(extensions).items():
        if count > 1:
            detail = f"the extension {extension!r} is declared {count} times"
            inspection.error("content-type.duplicate", CONTENT_TYPES_PART, detail, "State it once.")
    for name in names:
        if name.lstrip("/") not in inspection.package:
            detail = f"it states the content type of {name}, which is not there"
            inspection.warn("content-type.unused", CONTENT_TYPES_PART, detail, "Take it out.")


_FRAME = qn("a:graphicData")
_ATTRIBUTES = f"{{{NAMESPACES['r']}}}"
_REFERS_TO = {
    qn("p:sldMasterId"): ("slideMaster",),
    qn("p:sldLayoutId"): ("slideLayout",),
    qn("p:notesMasterId"): ("notesMaster",),
    qn("p:handoutMasterId"): ("handoutMaster",),
    qn("a:blip"): ("image",),
    qn("c:chart"): ("chart",),
}
"""Element to the kinds of relationship it may refer to."""
_MUST_REFER = frozenset(map(qn, ("p:sldMasterId", "p:sldLayoutId", "p:notesMasterId")))
_SLIDE = qn("p:sldId")


def check_references(inspection: Inspection) -> None:
    """Every ``r:`` attribute names a relationship of its part, and one of the right kind."""
    package = inspection.package
    for part in package.names:
        if not is_xml(package.content_type(part)) or part.endswith(".rels"):
            continue
        root = inspection.root(part)
        if root is None or NAMESPACES["r"].encode() not in package.read(part):
            continue
        links = inspection.links(part)
        for element in root.iter():
            if element.tag == _SLIDE:  # the check of lists has it
                continue
            if (element.tag in _MUST_REFER or _is_chart_frame(element)) and not element.get(
                qn("r:id")
            ):
                detail = f"<{local_name(element.tag)}>{within_shape(element)} has no r:id"
                inspection.error("reference.missing", part, detail, "Name its relationship.")
            for name, value in element.attrib.items():
                if str(name).startswith(_ATTRIBUTES) and value:
                    link = links.get(str(value))
                    _check(inspection, part, element, str(value), link)


def _is_chart_frame(element: Element) -> bool:
    """The element of one name inside a chart part is the chart itself."""
    parent = element.getparent()
    return element.tag == qn("c:chart") and parent is not None and parent.tag == _FRAME


def _check(
    inspection: Inspection, part: str, element: Element, id: str, link: Relationship | None
) -> None:
    kinds = _REFERS_TO.get(str(element.tag))
    if link is not None and (kinds is None or link.kind in kinds):
        return
    where = f"<{local_name(element.tag)}>{within_shape(element)}"
    if link is None:
        detail = f"{where} refers to the relationship {id!r}, which is not there"
        fix = "Add the relationship, or take out what refers to it."
        inspection.error("reference.unknown", part, detail, fix)
    elif kinds is not None:
        detail = f"{where} refers to {id!r}, a {link.kind} and no {kinds[0]}"
        inspection.error("reference.wrong-kind", part, detail, f"Refer to a {kinds[0]}.")


_NEEDS = {
    "presentationml.slide+xml": ("slideLayout", "layout"),
    "presentationml.slideLayout+xml": ("slideMaster", "master"),
    "presentationml.slideMaster+xml": ("theme", "theme"),
    "presentationml.notesSlide+xml": ("notesMaster", "master of notes"),
    "presentationml.notesMaster+xml": ("theme", "theme"),
    "presentationml.handoutMaster+xml": ("theme", "theme"),
}
"""Ending of a content type to the one related part that such parts need."""

_OWN = ("chart", "notesSlide", "comments", "diagramData")
"""Kinds of part that no two slides can share."""


def check_required_parts(inspection: Inspection) -> None:
    """Check that layouts, masters, themes and notes are there, and not shared where forbidden."""
    for ending, (kind, called) in _NEEDS.items():
        for part in inspection.of_kind(ending):
            count = len(inspection.related(part, kind))
            if count != 1:
                detail = f"it has {'no' if count == 0 else count} {called}{'s' * (count > 1)}"
                fix = f"Relate it to exactly one {called}."
                rule = f"need.{called.replace(' of ', '-')}"
                inspection.error(rule, part, detail, fix)
    _check_notes(inspection)
    _check_layout_lists(inspection)
    _check_sharing(inspection)


def _check_notes(inspection: Inspection) -> None:
    for slide in inspection.of_kind("presentationml.slide+xml"):
        for notes in inspection.related(slide, "notesSlide"):
            back = inspection.related(notes, "slide")
            if slide not in back:
                detail = f"the notes {notes} lead back to {', '.join(back) or 'no slide'}"
                fix = "Lead the notes back to the slide they belong to."
                inspection.error("need.notes-slide", slide, detail, fix)
    main = inspection.package.main_part
    root = inspection.root(main)
    listed = root is not None and root.find(qn("p:notesMasterIdLst")) is not None
    if inspection.of_kind("notesSlide+xml") and not inspection.related(main, "notesMaster"):
        detail = "there are notes, but the presentation has no master of notes"
        inspection.error("need.master-notes", main, detail, "Add one and list it.")
    elif inspection.related(main, "notesMaster") and not listed:
        detail = "the presentation has a master of notes that it does not list"
        inspection.warn("list.unlisted-notes-master", main, detail, "List it.")


def _check_layout_lists(inspection: Inspection) -> None:
    """A layout has to be listed by the master that it names as its own."""
    for master in inspection.of_kind("presentationml.slideMaster+xml"):
        root = inspection.root(master)
        if root is None:
            continue
        items = root.iterfind(f"{qn('p:sldLayoutIdLst')}/{qn('p:sldLayoutId')}")
        listed = {inspection.linked(master, item) for item in items}
        for layout in inspection.of_kind("presentationml.slideLayout+xml"):
            owned = master in inspection.related(layout, "slideMaster")
            if owned and layout not in listed:
                detail = f"{layout} names it as its master, but it does not list that layout"
                inspection.error("list.unlisted-layout", master, detail, "List the layout.")


def _check_sharing(inspection: Inspection) -> None:
    owners: dict[tuple[str, str], list[str]] = defaultdict(list)
    for slide in inspection.of_kind("presentationml.slide+xml"):
        for kind in _OWN:
            for part in dict.fromkeys(inspection.related(slide, kind)):
                owners[kind, part].append(slide)
    for (kind, part), slides in owners.items():
        if len(slides) > 1:
            detail = f"{len(slides)} slides share this {kind}: {', '.join(slides[:5])}"
            fix = "Give each slide a copy of its own."
            note = inspection.error if kind == "notesSlide" else inspection.warn
            note("part.shared", part, detail, fix)
