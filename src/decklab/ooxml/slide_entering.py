"""Slides entered into the deck's list of slides, its sections, and its count of slides.

The deck is a ``Draft`` of a file, or one open in python-pptx (``decklab.editing.open_parts``).
"""

from typing import Protocol

from lxml import etree

from decklab.core.errors import MalformedPart
from decklab.ooxml.parts import Parts
from decklab.ooxml.slide_list import LIST, free_slide_ids, list_items, slide_entries
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn, relationship_type

_PROPERTIES = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
_BEFORE_SLIDES = ("p:sldMasterIdLst", "p:notesMasterIdLst", "p:handoutMasterIdLst")


class LinkedParts(Parts, Protocol):
    """Parts that can be changed and related."""

    def edit(self, name: str) -> Element:
        """The root of a part, for changes in place."""
        ...

    def root(self, name: str) -> Element:
        """The present root of a part, for reading only."""
        ...

    def mentions(self, name: str, text: bytes) -> bool:
        """Whether the bytes of a part may contain a text."""
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
        items[entries[position - 1].place - 1].addprevious(item)
    else:
        _added_list(root).append(item)
    return id


def _added_list(root: Element) -> Element:
    """The list of a presentation, added at its place where it is missing."""
    slides = root.find(LIST)
    if slides is None:
        slides = etree.Element(LIST)
        before = [child for tag in _BEFORE_SLIDES if (child := root.find(qn(tag))) is not None]
        root.insert(1 + root.index(before[-1]) if before else 0, slides)
    return slides


def settle_in_section(root: Element, id: int) -> None:
    """Put a slide that is new, or at a new place, into the section that belongs there.

    ``root`` is the presentation's. The slide stays in its section where a neighbour is in it; else
    it gets that of the slide before, then that of the slide after. Decks without sections get none,
    nor does a slide without an id of its own.
    """
    sections = root.findall(f".//{qn('p14:section')}")
    if not sections:
        return
    order = [parse_int(item.get("id")) for item in list_items(root)]
    homes = {member: section for section in sections for member in _members(section)}
    if id not in order:
        return
    at = order.index(id)
    around = [homes.get(order[i]) for i in (at - 1, at + 1) if 0 <= i < len(order)]
    near = [section for section in around if section is not None]
    home = homes.get(id)
    if home is None or home not in near:
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
    listed = section.find(qn("p14:sldIdLst"))
    if listed is None:
        listed = etree.Element(qn("p14:sldIdLst"))
        section.insert(0, listed)
    earlier = set(order[: order.index(id)])
    place = sum(member in earlier for member in _members(section))
    listed.insert(place, etree.Element(qn("p14:sldId"), {"id": str(id)}))


def recount(deck: LinkedParts) -> None:
    """Bring the numbers of slides, hidden slides and notes up to date, where they are stated."""
    part = next(iter(deck.related("", "extended-properties")), None)
    if part is None:
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
        item = root.find(f"{{{_PROPERTIES}}}{name}")
        if item is not None:
            item.text = str(count)


def _is_hidden(deck: LinkedParts, part: str) -> bool:
    """Whether a slide is hidden; parses it only if its bytes contain the attribute."""
    if not deck.mentions(part, b'show="') and not deck.mentions(part, b"show='"):
        return False
    return deck.root(part).get("show") in ("0", "false")
