"""The slides of a deck, in the order in which the deck lists them.

Only this module reads the list. Every entry has a place in it; only one that leads to a slide has a
number. An entry that leads to no slide is no slide to any reader, and is left as it is by edits.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from lxml import etree

from decklab.core.errors import DeckError, MalformedPart, MissingPart
from decklab.ooxml.parts import Parts, Relationship, relationships_part
from decklab.ooxml.xml import Element, parse_int, qn, relationship_type, serialize_xml, take_out

SLIDE_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.slide+xml"
"""The content type of slides."""
_ANY_XML = (None, "application/xml", "text/xml")
"""Content types that do not say what a part is."""

LIST = qn("p:sldIdLst")
LEAST_SLIDE_ID = 256
SLIDE_ID_END = 2**31
"""Slide ids lie between these (ECMA-376 Part 1, 19.7.13, ST_SlideId)."""


@dataclass(frozen=True)
class SlideEntry:
    """One slide as the deck lists it."""

    number: int
    """1-based, among the slides."""
    position: int
    """1-based, among all entries of the list."""
    id: int
    """The id that sections and links know it by; it stays when the slide moves. It is the stated
    one, or a free one if that is none, or that of a slide before: no two slides have the same.
    """
    link: str
    """Id of the presentation's relationship to it."""
    part: str
    """Name of its part; it stays when the slide moves."""
    stated_id: int | None
    """The id that the deck states; None for none."""


@dataclass(frozen=True)
class DeadEntry:
    """An entry of the list that leads to no slide."""

    position: int
    """1-based, among all entries of the list."""
    reason: str

    def __str__(self) -> str:
        return f"entry {self.position} of the slide list leads to no slide: {self.reason}"


@dataclass(frozen=True)
class SlideList:
    """The entries of a slide list, in order."""

    slides: tuple[SlideEntry, ...]
    dead: tuple[DeadEntry, ...]


def list_items(root: Element) -> list[Element]:
    """The entries of the list of a presentation, in order; ``root`` is the presentation's."""
    return root.findall(f"{LIST}/{qn('p:sldId')}")


def read_list(root: Element, links: Mapping[str, Relationship], parts: Parts) -> SlideList:
    """The slide list of a presentation, from its root and its relationships by id."""
    items = list_items(root)
    stated = [parse_int(item.get("id")) for item in items]
    free, seen = free_slide_ids({id for id in stated if id is not None}), set[int]()
    slides: list[SlideEntry] = []
    dead: list[DeadEntry] = []
    for position, (item, id) in enumerate(zip(items, stated, strict=True), start=1):
        name = item.get(qn("r:id")) or ""
        link = links.get(name)
        if (fault := _fault(name, link, parts)) or link is None:
            dead.append(DeadEntry(position, fault))
            continue
        own = next(free) if id is None or id in seen else id
        seen.add(own)
        slides.append(SlideEntry(len(slides) + 1, position, own, link.id, link.target, id))
    return SlideList(tuple(slides), tuple(dead))


def _fault(name: str, link: Relationship | None, parts: Parts) -> str:
    """Why an entry that names a relationship leads to no slide; empty if it leads to one."""
    if not name:
        return "it names no relationship"
    if link is None:
        return f"there is no relationship {name}"
    if link.external:
        return f"the relationship {name} leads out of the file"
    if link.target not in parts:
        return f"there is no part {link.target}"
    kind = parts.content_type(link.target)
    if kind == SLIDE_TYPE or (link.kind == "slide" and kind in _ANY_XML):
        return ""
    return f"{link.target} is no slide"


def free_slide_ids(used: Collection[int]) -> Iterator[int]:
    """Ids for new slides: those past the highest that is used, then the others that are free."""
    highest, taken = max([LEAST_SLIDE_ID - 1, *used]), frozenset(used)
    yield from range(highest + 1, SLIDE_ID_END)
    yield from (id for id in range(LEAST_SLIDE_ID, min(highest, SLIDE_ID_END)) if id not in taken)


def slide_list(parts: Parts) -> SlideList:
    """The slide list of a Package, a Draft or a deck open for editing.

    Raises MissingPart or MalformedPart if there is no readable presentation part.
    """
    if (root := parts.xml(parts.main_part)).tag != qn("p:presentation"):
        raise MalformedPart(parts.label, "it is no presentation inside", parts.main_part)
    return read_list(root, parts.relationships(parts.main_part), parts)


def slide_entries(parts: Parts) -> tuple[SlideEntry, ...]:
    """The slides of a deck in order; raises what ``slide_list`` raises."""
    return slide_list(parts).slides


def find_slide(parts: Parts, slide: int | str) -> SlideEntry:
    """A slide by its 1-based number or the name of its part; raises MissingPart."""
    entries = slide_entries(parts)
    wanted = parts.find(slide) if isinstance(slide, str) else slide
    for entry in entries:
        if wanted in (entry.number, entry.part):
            return entry
    called = f"slide {slide}" if isinstance(slide, int) else f"slide of the deck named {slide}"
    raise MissingPart(parts.label, f"there is no {called}; it has {_slides(len(entries))}")


def listing_only(parts: Parts, slides: Collection[str]) -> Element:
    """The root of the presentation part, listing only the slides of these part names.

    Sections and custom shows, which name slides too, are left out.
    """
    root = parts.xml(parts.main_part)
    listed = read_list(root, parts.relationships(parts.main_part), parts).slides
    _keep_items(root, {entry.position for entry in listed if entry.part in slides})
    for extra in (*root.findall(qn("p:extLst")), *root.findall(qn("p:custShowLst"))):
        root.remove(extra)
    return root


def without_dead_entries(parts: Parts) -> Element | None:
    """The root of the presentation part without entries that lead to no slide; None if there are no
    such entries."""
    root = parts.xml(parts.main_part)
    listed = read_list(root, parts.relationships(parts.main_part), parts)
    _keep_items(root, {entry.position for entry in listed.slides})
    return root if listed.dead else None


def _keep_items(root: Element, places: Collection[int]) -> None:
    for position, item in enumerate(list_items(root), start=1):
        if position not in places:
            take_out(item)


def free_place(parts: Parts, position: int, slides: int) -> None:
    """Raise DeckError if ``position`` is not a place in a deck of ``slides`` slides."""
    if not 1 <= position <= slides:
        detail = f"there is no place {position}; the deck would have {_slides(slides)}"
        raise DeckError(parts.label, detail, parts.main_part)


def _slides(count: int) -> str:
    return "1 slide" if count == 1 else f"{count} slides"


def presentation_only(package: Parts) -> dict[str, bytes]:
    """The part with the relationships of the package, with only that of the presentation.

    So a copy has neither thumbnail nor properties, such as its author: LibreOffice 7.4 dies of
    properties that are no XML.
    """
    part = package.find(relationships_part("")) or ""
    root = package.xml(part)
    for item in list(root):
        if not (item.get("Type") or "").endswith("/officeDocument"):
            root.remove(item)
    return {part: serialize_xml(root)}


_PROPERTIES = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
_BEFORE_SLIDES = ("p:sldMasterIdLst", "p:notesMasterIdLst", "p:handoutMasterIdLst")


class LinkedParts(Parts, Protocol):
    """Parts that can be changed and related."""

    def edit(self, name: str) -> Element:
        """The root of a part, for changes in place; raises MissingPart or MalformedPart."""
        ...

    def root(self, name: str) -> Element:
        """The present root of a part, for reading only."""
        ...

    def mentions(self, name: str, text: bytes) -> bool:
        """Whether the bytes of a part may contain a text; False means that a search is useless."""
        ...

    def link(self, part: str, type: str, target: str) -> str:
        """Relate a part to another and return the relationship's id."""
        ...


def add_to_list(deck: LinkedParts, part: str, position: int) -> int:
    """Enter a new slide at a 1-based place among the slides and return its id."""
    entries = slide_entries(deck)
    link = deck.link(deck.main_part, relationship_type("slide"), part)
    root = deck.edit(deck.main_part)
    items = list_items(root)
    stated = (parse_int(item.get("id")) for item in items)
    id = next(free_slide_ids({id for id in stated if id is not None}))
    item = etree.Element(qn("p:sldId"), {"id": str(id), qn("r:id"): link})
    if position <= len(entries):
        items[entries[position - 1].position - 1].addprevious(item)
    else:
        _added_list(root).append(item)
    return id


def _added_list(root: Element) -> Element:
    """The list of a presentation, added at its place if it is missing."""
    if (slides := root.find(LIST)) is None:
        slides = etree.Element(LIST)
        before = [child for tag in _BEFORE_SLIDES if (child := root.find(qn(tag))) is not None]
        root.insert(1 + root.index(before[-1]) if before else 0, slides)
    return slides


def settle_in_section(root: Element, id: int) -> None:
    """Put a slide that is new, or at a new place, into the section that belongs there.

    ``root`` is the presentation's. The slide stays in its section if a neighbour is in it; else
    it gets that of the slide before, then that of the slide after. Decks without sections get none,
    nor does a slide without an id of its own.
    """
    if not (sections := root.findall(f".//{qn('p14:section')}")):
        return
    order = [parse_int(item.get("id")) for item in list_items(root)]
    homes = {member: section for section in sections for member in _members(section)}
    if id not in order:
        return
    at = order.index(id)
    around = [homes.get(order[i]) for i in (at - 1, at + 1) if 0 <= i < len(order)]
    near = [section for section in around if section is not None]
    if (home := homes.get(id)) is None or home not in near:
        home = near[0] if near else home if home is not None else sections[0]
    leave_sections(root, id)
    _join(home, id, order)


def leave_sections(root: Element, id: int) -> None:
    """Remove a slide from every section; empty sections stay, as in PowerPoint."""
    for item in root.findall(f".//{qn('p14:sectionLst')}//{qn('p14:sldId')}"):
        parent = item.getparent()
        if parse_int(item.get("id")) == id and parent is not None:
            parent.remove(item)


def _members(section: Element) -> list[int | None]:
    return [parse_int(item.get("id")) for item in section.iter(qn("p14:sldId"))]


def _join(section: Element, id: int, order: list[int | None]) -> None:
    """Enter a slide among a section's members, in the deck's order."""
    if (listed := section.find(qn("p14:sldIdLst"))) is None:
        listed = etree.Element(qn("p14:sldIdLst"))
        section.insert(0, listed)
    earlier = set(order[: order.index(id)])
    index = sum(member in earlier for member in _members(section))
    listed.insert(index, etree.Element(qn("p14:sldId"), {"id": str(id)}))


def recount(deck: LinkedParts) -> None:
    """Bring the numbers of slides, hidden slides and notes up to date, if they are stated."""
    if (part := next(iter(deck.related("", "extended-properties")), None)) is None:
        return
    entries = slide_entries(deck)
    counts = {
        "Slides": len(entries),
        "HiddenSlides": sum(_is_hidden(deck, entry.part) for entry in entries),
        "Notes": sum(bool(deck.related(entry.part, "notesSlide")) for entry in entries),
    }
    try:
        root = deck.edit(part)
    except MalformedPart:  # no slide depends on it, and Office writes it anew
        return
    for name, count in counts.items():
        if (item := root.find(f"{{{_PROPERTIES}}}{name}")) is not None:
            item.text = str(count)


def _is_hidden(deck: LinkedParts, part: str) -> bool:
    """Whether a slide is hidden; parses it only if its bytes contain the attribute."""
    if not deck.mentions(part, b'show="') and not deck.mentions(part, b"show='"):
        return False
    return deck.root(part).get("show") in ("0", "false")
