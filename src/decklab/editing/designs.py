"""Masters with their layouts and theme, copied from another deck unless the deck has equal ones.

Names, ids and spelling of the XML do not count when two designs are compared.
"""

from collections.abc import Iterable
from hashlib import sha256

from lxml import etree

from decklab.core.errors import MissingPart
from decklab.editing.open_parts import EditableParts
from decklab.editing.part_copies import (
    COPY,
    DROP,
    LINK_ATTRIBUTE,
    MEDIA_KINDS,
    LinkFate,
    bring_media,
    copy_part,
    is_shared,
)
from decklab.ooxml.parts import Parts, Relationship
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
    targets = (links.get(item.get(qn("r:id")) or "") for item in items)
    return tuple(
        link.target for link in targets if link and not link.external and link.target in parts
    )


def bring_layout(source: Parts, deck: EditableParts, layout: str) -> str:
    """The deck's part for a layout of ``source``: an equal layout of an equal master if there is
    one, else a copy with its whole master, theme and other layouts.
    """
    master = master_of(source, layout)
    equal = _equal_layout(source, deck, layout, master)
    if equal is not None:
        return equal
    known: dict[str, str] = {}

    def choose(owner: str, link: Relationship) -> str | LinkFate:
        if link.kind in ("theme", "slideLayout", "slideMaster"):
            return COPY
        return bring_related(source, deck, link)

    copied = copy_part(source, deck, master, choose, known)
    if layout not in known:  # a damaged deck: the master does not lead back to the layout
        lost = copy_part(source, deck, layout, choose, known)
        deck.link(copied, relationship_type("slideLayout"), lost)
    _enter_master(deck, copied)
    return known[layout]


def bring_related(source: Parts, deck: EditableParts, link: Relationship) -> str | LinkFate:
    """The rule for all other related parts: media are merged, links to shared parts are dropped,
    the others are copied."""
    if not is_shared(source, link):
        return COPY
    kind = source.content_type(link.target) or ""
    if kind.startswith(("image/", "audio/", "video/")) or link.kind in MEDIA_KINDS:
        return bring_media(source, deck, link)
    return DROP


def bring_notes_master(source: Parts, deck: EditableParts, notes_master: str) -> str:
    """The deck's master of notes; that of ``source`` is copied if there is none yet."""
    for present in deck.related(deck.main_part, "notesMaster"):
        return present

    def choose(owner: str, link: Relationship) -> str | LinkFate:
        return COPY if link.kind == "theme" else bring_related(source, deck, link)

    name = copy_part(source, deck, notes_master, choose, {})
    id = deck.link(deck.main_part, relationship_type("notesMaster"), name)
    root = deck.edit(deck.main_part)
    listed = root.find(qn("p:notesMasterIdLst"))
    if listed is None:
        listed = etree.Element(qn("p:notesMasterIdLst"))
        masters = root.find(qn("p:sldMasterIdLst"))
        root.insert(0 if masters is None else root.index(masters) + 1, listed)
    etree.SubElement(listed, qn("p:notesMasterId"), {qn("r:id"): id})
    return name


def _equal_layout(source: Parts, deck: EditableParts, layout: str, master: str) -> str | None:
    design, wanted = master_key(source, master), part_key(source, layout)
    for other in listed_masters(deck):
        if master_key(deck, other) != design:
            continue
        for candidate in deck.related(other, "slideLayout"):
            if part_key(deck, candidate) == wanted:
                return candidate
    return None


def _enter_master(deck: EditableParts, master: str) -> None:
    """List a new master and number it and its layouts."""
    used = set(_design_ids(deck, listed_masters(deck)))
    link = deck.link(deck.main_part, relationship_type("slideMaster"), master)
    root = deck.edit(deck.main_part)
    listed = root.find(qn("p:sldMasterIdLst"))
    if listed is None:
        listed = etree.Element(qn("p:sldMasterIdLst"))
        root.insert(0, listed)
    number = _free_id(used)
    etree.SubElement(listed, qn("p:sldMasterId"), {"id": str(number), qn("r:id"): link})
    for item in _listed_layouts(deck, master):
        item.set("id", str(_free_id(used)))


def _listed_layouts(deck: EditableParts, master: str) -> Element:
    """The list of a master's layouts, repaired: missing layouts removed, unlisted ones added."""
    root = deck.edit(master)
    listed = root.find(qn("p:sldLayoutIdLst"))
    if listed is None:
        listed = etree.Element(qn("p:sldLayoutIdLst"))
        colors = root.find(qn("p:clrMap"))
        root.insert(len(root) if colors is None else root.index(colors) + 1, listed)
    links = deck.relationships(master)
    for item in list(listed):
        if item.get(qn("r:id")) not in links:
            listed.remove(item)
    known = {item.get(qn("r:id")) for item in listed}
    for id, link in links.items():
        if link.kind == "slideLayout" and link.target in deck and id not in known:
            etree.SubElement(listed, qn("p:sldLayoutId"), {qn("r:id"): id})
    return listed


def _design_ids(deck: EditableParts, masters: Iterable[str]) -> Iterable[int]:
    roots: list[Element] = [deck.xml(deck.main_part), *(deck.xml(part) for part in masters)]
    for root in roots:
        for item in root.iter(qn("p:sldMasterId"), qn("p:sldLayoutId")):
            yield parse_int(item.get("id")) or 0


def _free_id(used: set[int]) -> int:
    number = max([LEAST_DESIGN_ID - 1, *used]) + 1
    if number >= 2**32:
        number = next(id for id in range(LEAST_DESIGN_ID, 2**32) if id not in used)
    used.add(number)
    return number


def master_key(parts: Parts, master: str) -> bytes:
    """A digest of a master with its theme and their pictures; its layouts do not count."""
    themes = parts.related(master, "theme")
    keys = [part_key(parts, part) for part in (master, *themes)]
    return sha256(b"".join(keys)).digest()


def part_key(parts: Parts, part: str) -> bytes:
    """A digest of a layout, master or theme with its pictures, without the list of layouts.

    Two layouts with one digest look the same on masters that look the same.
    """
    root = parts.xml(part)
    for listed in root.findall(qn("p:sldLayoutIdLst")):
        root.remove(listed)
    links = parts.relationships(part)
    for element in root.iter():
        _resolve(parts, links, element)
    return sha256(etree.tostring(root, method="c14n")).digest()


def _resolve(parts: Parts, links: dict[str, Relationship], element: Element) -> None:
    """Replace each relationship's id by its target."""
    for name, value in element.attrib.items():
        if not str(name).startswith(LINK_ATTRIBUTE):
            continue
        link = links.get(str(value))
        if link is None or link.external or link.target not in parts:
            element.set(name, "" if link is None else link.target)
        else:
            element.set(name, sha256(parts.read(link.target)).hexdigest())
