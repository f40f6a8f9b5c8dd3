"""Problems of a package beyond the order and values of single elements: parts, relationships, ids,
lists and tables; and one look for problems, with what is read for it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeVar

from decklab.core.errors import LimitExceeded, MalformedPart, MissingPart, TruncatedDeck
from decklab.core.naming import shape_label
from decklab.ooxml.package import Package
from decklab.ooxml.parts import (
    CONTENT_TYPES_PART,
    Relationship,
    leaves_package,
    lookup_key,
    reachable,
    relationships_part,
    resolve_target,
)
from decklab.ooxml.slide_list import LEAST_SLIDE_ID, SLIDE_ID_END, list_items, read_list
from decklab.ooxml.xml import NAMESPACES, Element, local_name, parse_int, qn

Severity = Literal["error", "warning"]
"""``error``: PowerPoint would offer to repair the file, or refuse it. ``warning``: harmless, yet
not as it should be."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a package."""

    rule: str
    """Stable id, such as ``relationship.missing-target``."""
    severity: Severity
    part: str
    """Where: the name of a part, ``""`` for the package as a whole."""
    detail: str
    """One sentence on the problem."""
    fix: str
    """The change that would fix it, as an instruction."""


_STRICT = b"http://purl.oclc.org/ooxml/presentationml"


@dataclass
class Inspection:
    """A package under check. A part that cannot be read is reported once and then left alone."""

    package: Package
    problems: dict[Problem, None] = field(default_factory=dict)
    """Problems in the order found, each once."""
    known: Collection[str] = ()
    """Parts whose insides need no look: they are those of another deck."""
    _roots: dict[str, Element | None] = field(default_factory=dict)

    def error(self, rule: str, part: str, detail: str, fix: str) -> None:
        """Note something that PowerPoint would want to repair."""
        self._note(rule, "error", part, detail, fix)

    def warn(self, rule: str, part: str, detail: str, fix: str) -> None:
        """Note something harmless."""
        self._note(rule, "warning", part, detail, fix)

    def root(self, part: str) -> Element | None:
        """The root of an XML part, not to be changed; None if it cannot be read."""
        if part not in self._roots:
            self._roots[part] = self._read(part)
        return self._roots[part]

    def links(self, part: str) -> dict[str, Relationship]:
        """The relationships of a part; none if they cannot be read."""
        if part and self.package.find(part) is None:
            return {}
        if (name := self.package.find(relationships_part(part))) is None or self.root(name) is None:
            return {}
        return self.package.relationships(part)

    def related(self, part: str, kind: str) -> tuple[str, ...]:
        """Existing parts that a part leads to by a kind of relationship."""
        links = (link for link in self.links(part).values() if link.kind == kind)
        return tuple(to.target for to in links if not to.external and to.target in self.package)

    def linked(self, part: str, element: Element) -> str | None:
        """The part that the ``r:id`` of an element leads to; None if it does not exist."""
        link = self.links(part).get(element.get(qn("r:id")) or "")
        if link is None or link.external or link.target not in self.package:
            return None
        return link.target

    @cached_property
    def strict(self) -> bool:
        """Whether the deck is written in the strict edition (ISO/IEC 29500 part 1)."""
        main = self.package.main_part
        return self.package.find(main) is not None and _STRICT in self.package.read(main)

    @cached_property
    def reached(self) -> frozenset[str]:
        """The parts that relationships lead to from the package; programs see no others."""
        return frozenset(reachable(self.package, links=self.links))

    def of_kind(self, ending: str) -> tuple[str, ...]:
        """Parts within reach whose content type ends so."""
        names = [name for name in self.package.names if name in self.reached]
        return tuple(n for n in names if (self.package.content_type(n) or "").endswith(ending))

    def _read(self, part: str) -> Element | None:
        try:
            return self.package.xml(part)
        except (MalformedPart, MissingPart, TruncatedDeck) as error:
            fix = "Write the part anew as well-formed XML."
            self.error("part.malformed", part, error.detail, fix)
        except LimitExceeded as error:
            self.warn("part.not-checked", part, error.detail, "Make the part smaller.")
        return None

    def _note(self, rule: str, severity: Severity, part: str, detail: str, fix: str) -> None:
        self.problems[Problem(rule, severity, part, " ".join(detail.split()), fix)] = None


def is_xml(content_type: str | None) -> bool:
    """Whether a content type promises XML."""
    return (content_type or "").endswith(("+xml", "/xml"))


def within_shape(element: Element) -> str:
    """The shape an element is in, as ``, in Title 1 (id 2)``; empty outside of shapes."""
    for parent in (element, *element.iterancestors()):
        for child in parent:
            names = child if child.tag == qn("p:cNvPr") else child.find(qn("p:cNvPr"))
            if names is not None and parent.tag != qn("p:spTree"):
                return f", in {shape_label(repr(names.get('name', '')[:60]), names.get('id'))}"
    return ""


_SLIDE_IDS = range(LEAST_SLIDE_ID, SLIDE_ID_END)
_DESIGN_IDS = range(2**31, 2**32)
_Value = TypeVar("_Value", int, str)
_RENUMBER = "Give each an id of its own."


def check_lists(inspection: Inspection) -> None:
    """Every id once and in its range, every entry leading to a slide that is there."""
    main = inspection.package.main_part
    if (root := inspection.root(main)) is None:
        return
    ids = [parse_int(item.get("id")) for item in list_items(root)]
    _check_ids(inspection, main, "slide", ids, _SLIDE_IDS)
    listed = read_list(root, inspection.links(main), inspection.package)
    for dead in listed.dead:
        fix = "Lead it to a slide, or take it out of the list."
        inspection.error("list.dead-entry", main, str(dead), fix)
    for entry in listed.slides:
        if (kind := inspection.links(main)[entry.link].kind) != "slide":
            detail = f"entry {entry.position} of the slide list refers to {entry.link!r}, a {kind}"
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
    if not (listed := list(root.iterfind(f"{qn('p:sldMasterIdLst')}/{qn('p:sldMasterId')}"))):
        fix = "A presentation needs a master: add one and list it."
        inspection.error("list.no-master", main, "the presentation lists no master", fix)
    ids = [parse_int(item.get("id")) for item in listed if item.get("id") is not None]
    for item in listed:
        master = inspection.linked(main, item)
        if (inside := None if master is None else inspection.root(master)) is not None:
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
    entries = (item for part in sections for item in part.iter(qn("p14:sldId")))
    members = [parse_int(item.get("id")) for item in entries]
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
            if (part := inspection.linked(main, item)) is not None and part not in listed:
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
            if (root := inspection.root(part)) is not None:
                _check_shapes(inspection, part, root)
                _check_tables(inspection, part, root)
    for part in inspection.of_kind("drawingml.chart+xml"):
        if (root := inspection.root(part)) is not None:
            _check_axes(inspection, part, root)
    _check_creation_ids(inspection)


def _check_shapes(inspection: Inspection, part: str, root: Element) -> None:
    ids = [mark.get("id") or "" for mark in root.iter(qn("p:cNvPr")) if not _in_fallback(mark)]
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


def _in_fallback(element: Element) -> bool:
    return next(element.iterancestors(qn("mc:Fallback")), None) is not None


def _check_tables(inspection: Inspection, part: str, root: Element) -> None:
    for table in root.iter(qn("a:tbl")):
        columns = len(table.findall(f"{qn('a:tblGrid')}/{qn('a:gridCol')}"))
        for number, row in enumerate(table.findall(qn("a:tr")), start=1):
            if (cells := len(row.findall(qn("a:tc")))) != columns:
                detail = (
                    f"row {number} has {cells} cells for {columns} columns{within_shape(table)}"
                )
                fix = "Give every row one cell per column, merged ones included."
                inspection.error("table.uneven-row", part, detail, fix)


def _check_axes(inspection: Inspection, part: str, root: Element) -> None:
    if (plot := root.find(f"{qn('c:chart')}/{qn('c:plotArea')}")) is None:
        return
    items = (item for item in plot.iterfind(f"*/{qn('c:axId')}") if _is_axis(item.getparent()))
    axes = [parse_int(item.get("val")) for item in items]
    for id, count in Counter(axes).items():
        if count > 1:
            inspection.error(
                "chart.duplicate-axis", part, f"{count} axes have the id {id}", "Number them anew."
            )
    for item in plot.iterfind(f"*/{qn('c:crossAx')}"):
        if parse_int(item.get("val")) not in axes:
            detail = f"an axis crosses the axis {item.get('val')}, which is not there"
            inspection.error("chart.missing-axis", part, detail, "Name an axis of the chart.")


def _is_axis(element: Element | None) -> bool:
    return element is not None and local_name(element.tag) in ("catAx", "valAx", "dateAx", "serAx")


def _check_creation_ids(inspection: Inspection) -> None:
    known: dict[str, str] = {}
    for part in inspection.of_kind("presentationml.slide+xml"):
        root = inspection.root(part)
        path = f"{qn('p:cSld')}/{qn('p:extLst')}//{_SLIDE_CREATION_ID}"
        mark = None if root is None else root.find(path)
        if (value := None if mark is None else mark.get("val")) is None:
            continue
        if value in known:
            detail = f"it has the creation id {value} of {known[value]}"
            inspection.warn("slide.duplicate-creation-id", part, detail, "Give it a new one.")
        known.setdefault(value, part)


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
                target = resolve_target(source, written)
                exists = target in inspection.package
                detail = f"{item.get('Id')} leads above the root of the package, to {written!r}"
                detail += f"; programs read that as /{target}" if exists else ""
                fix = "Lead to a part of the package, or mark the target as external."
                note = inspection.warn if exists else inspection.error
                note("relationship.outside", name, detail, fix)
                outside |= set() if exists else {str(item.get("Id"))}
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
    if (root := inspection.root(CONTENT_TYPES_PART)) is None:
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
            if (count := len(inspection.related(part, kind))) != 1:
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
        if (root := inspection.root(master)) is None:
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
