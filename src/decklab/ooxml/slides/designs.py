"""Masters with their layouts and theme, brought along from another deck."""

from collections.abc import Iterable

from lxml import etree

from decklab.errors import MissingPart
from decklab.ooxml.parts import Relationship
from decklab.ooxml.slides.copying import COPY, DROP, MEDIA_KINDS, Fate, copy_part, is_shared
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.fingerprints import layout_key, master_key
from decklab.ooxml.slides.listing import Parts
from decklab.ooxml.slides.media import bring_media
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn, relationship_type

LEAST_DESIGN_ID = 2**31
"""Ids of masters and layouts share one range from here on (ECMA-376 Part 1, 19.7.15)."""


def master_of(parts: Parts, layout: str) -> str:
    """The master of a layout; raises MissingPart."""
    for master in parts.related(layout, "slideMaster"):
        return master
    raise MissingPart(parts.label, "the layout has no master", layout)


def listed_masters(parts: Parts) -> tuple[str, ...]:
    """The masters in the order in which the presentation lists them."""
    links = parts.relationships(parts.main_part)
    items = parts.xml(parts.main_part).iterfind(f"{qn('p:sldMasterIdLst')}/{qn('p:sldMasterId')}")
    found = (links.get(item.get(qn("r:id")) or "") for item in items)
    return tuple(
        link.target for link in found if link and not link.external and link.target in parts
    )


def bring_layout(source: Parts, draft: Draft, layout: str) -> str:
    """The draft's part for a layout of ``source``: an equal one under an equal master where there
    is one, else a copy that comes with its whole master, theme and sister layouts.
    """
    master = master_of(source, layout)
    there = _equal_layout(source, draft, layout, master)
    if there is not None:
        return there
    known: dict[str, str] = {}

    def choose(owner: str, link: Relationship) -> str | Fate:
        if link.kind in ("theme", "slideLayout", "slideMaster"):
            return COPY
        return bring_related(source, draft, link)

    copied = copy_part(source, draft, master, choose, known)
    if layout not in known:  # a damaged deck: the layout knows its master, but not the other way
        lost = copy_part(source, draft, layout, choose, known)
        draft.link(copied, relationship_type("slideLayout"), lost)
    _enter_master(draft, copied)
    return known[layout]


def bring_related(source: Parts, draft: Draft, link: Relationship) -> str | Fate:
    """What becomes of a part that has no special place: media are merged, links to what stays
    behind dropped, all else copied."""
    if not is_shared(source, link):
        return COPY
    kind = source.content_type(link.target) or ""
    if kind.startswith(("image/", "audio/", "video/")) or link.kind in MEDIA_KINDS:
        return bring_media(source, draft, link)
    return DROP


def bring_notes_master(source: Parts, draft: Draft, notes_master: str) -> str:
    """The draft's master of notes; that of ``source`` is copied where there is none yet."""
    for there in draft.related(draft.main_part, "notesMaster"):
        return there

    def choose(owner: str, link: Relationship) -> str | Fate:
        return COPY if link.kind == "theme" else bring_related(source, draft, link)

    name = copy_part(source, draft, notes_master, choose, {})
    id = draft.link(draft.main_part, relationship_type("notesMaster"), name)
    root = draft.edit(draft.main_part)
    listed = root.find(qn("p:notesMasterIdLst"))
    if listed is None:
        listed = etree.Element(qn("p:notesMasterIdLst"))
        masters = root.find(qn("p:sldMasterIdLst"))
        root.insert(0 if masters is None else root.index(masters) + 1, listed)
    etree.SubElement(listed, qn("p:notesMasterId"), {qn("r:id"): id})
    return name


def _equal_layout(source: Parts, draft: Draft, layout: str, master: str) -> str | None:
    design, wanted = master_key(source, master), layout_key(source, layout)
    for other in listed_masters(draft):
        if master_key(draft, other) != design:
            continue
        for candidate in draft.related(other, "slideLayout"):
            if layout_key(draft, candidate) == wanted:
                return candidate
    return None


def _enter_master(draft: Draft, master: str) -> None:
    """List a new master and number it and its layouts."""
    taken = set(_design_ids(draft, listed_masters(draft)))
    link = draft.link(draft.main_part, relationship_type("slideMaster"), master)
    root = draft.edit(draft.main_part)
    listed = root.find(qn("p:sldMasterIdLst"))
    if listed is None:
        listed = etree.Element(qn("p:sldMasterIdLst"))
        root.insert(0, listed)
    number = _free_id(taken)
    etree.SubElement(listed, qn("p:sldMasterId"), {"id": str(number), qn("r:id"): link})
    for item in _listed_layouts(draft, master):
        item.set("id", str(_free_id(taken)))


def _listed_layouts(draft: Draft, master: str) -> Element:
    """The list of a master's layouts, mended: without those that are not there, with all that
    are."""
    root = draft.edit(master)
    listed = root.find(qn("p:sldLayoutIdLst"))
    if listed is None:
        listed = etree.Element(qn("p:sldLayoutIdLst"))
        colors = root.find(qn("p:clrMap"))
        root.insert(len(root) if colors is None else root.index(colors) + 1, listed)
    links = draft.relationships(master)
    for item in list(listed):
        if item.get(qn("r:id")) not in links:
            listed.remove(item)
    known = {item.get(qn("r:id")) for item in listed}
    for id, link in links.items():
        if link.kind == "slideLayout" and link.target in draft and id not in known:
            etree.SubElement(listed, qn("p:sldLayoutId"), {qn("r:id"): id})
    return listed


def _design_ids(draft: Draft, masters: Iterable[str]) -> Iterable[int]:
    roots: list[Element] = [draft.xml(draft.main_part), *(draft.xml(part) for part in masters)]
    for root in roots:
        for item in root.iter(qn("p:sldMasterId"), qn("p:sldLayoutId")):
            yield parse_int(item.get("id")) or 0


def _free_id(taken: set[int]) -> int:
    number = max([LEAST_DESIGN_ID - 1, *taken]) + 1
    if number >= 2**32:
        number = next(id for id in range(LEAST_DESIGN_ID, 2**32) if id not in taken)
    taken.add(number)
    return number
