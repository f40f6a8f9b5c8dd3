"""The deck's list of slides: who is on it, and where new ones go."""

from dataclasses import dataclass
from typing import Protocol

from lxml import etree

from decklab.errors import DeckError, MalformedPart, MissingPart
from decklab.ooxml.parts import Relationship
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn, relationship_type

LEAST_SLIDE_ID = 256
SLIDE_ID_END = 2**31
"""Slide ids lie between these (ECMA-376 Part 1, 19.7.13, ST_SlideId)."""

_BEFORE_SLIDES = ("p:sldMasterIdLst", "p:notesMasterIdLst", "p:handoutMasterIdLst")


class Parts(Protocol):
    """What a package and a draft have in common: parts that can be read."""

    @property
    def label(self) -> str: ...
    @property
    def main_part(self) -> str: ...
    def find(self, name: str) -> str | None: ...
    def __contains__(self, name: object) -> bool: ...
    def content_type(self, name: str) -> str | None: ...
    def read(self, name: str) -> bytes: ...
    def xml(self, name: str) -> Element: ...
    def relationships(self, part: str = "") -> dict[str, Relationship]: ...
    def related(self, part: str, kind: str) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class SlideEntry:
    """One slide as the deck lists it."""

    number: int
    """1-based place in the deck."""
    id: int
    """The id that sections and links know it by; it stays when the slide moves."""
    link: str
    """Id of the presentation's relationship to it."""
    part: str
    """Name of its part; it stays when the slide moves."""


def slide_entries(parts: Parts) -> tuple[SlideEntry, ...]:
    """The slides in order; entries of the list that lead to no part are left out, uncounted.

    Takes a Package or a Draft. Raises MissingPart or MalformedPart where there is no readable
    presentation part.
    """
    root = parts.xml(parts.main_part)
    if root.tag != qn("p:presentation"):
        raise MalformedPart(parts.label, "it is no presentation inside", parts.main_part)
    links = parts.relationships(parts.main_part)
    found: list[SlideEntry] = []
    for item in root.iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}"):
        link = links.get(item.get(qn("r:id")) or "")
        if link is not None and not link.external and link.target in parts:
            id = parse_int(item.get("id")) or 0
            found.append(SlideEntry(len(found) + 1, id, link.id, link.target))
    return tuple(found)


def find_slide(parts: Parts, slide: int | str) -> SlideEntry:
    """A slide by its 1-based number or the name of its part; raises MissingPart."""
    entries = slide_entries(parts)
    wanted = parts.find(slide) if isinstance(slide, str) else slide
    for entry in entries:
        if wanted in (entry.number, entry.part):
            return entry
    called = f"slide {slide}" if isinstance(slide, int) else f"slide of the deck named {slide}"
    raise MissingPart(parts.label, f"there is no {called}; it has {_slides(len(entries))}")


def free_place(parts: Parts, position: int, slides: int) -> None:
    """Raise DeckError where ``position`` is no place among ``slides`` slides."""
    if not 1 <= position <= slides:
        detail = f"there is no place {position}; the deck would have {_slides(slides)}"
        raise DeckError(parts.label, detail, parts.main_part)


def _slides(count: int) -> str:
    return "1 slide" if count == 1 else f"{count} slides"


def slide_list(root: Element) -> Element:
    """The ``p:sldIdLst`` of a presentation, put in its place where there is none yet."""
    found = root.find(qn("p:sldIdLst"))
    if found is None:
        found = etree.Element(qn("p:sldIdLst"))
        before = [child for tag in _BEFORE_SLIDES if (child := root.find(qn(tag))) is not None]
        root.insert(1 + root.index(before[-1]) if before else 0, found)
    return found


def add_to_list(draft: Draft, part: str, position: int) -> int:
    """Enter a new slide at a 1-based place and return its id."""
    entries = slide_entries(draft)
    link = draft.link(draft.main_part, relationship_type("slide"), part)
    items = slide_list(draft.edit(draft.main_part))
    id = _free_slide_id([parse_int(item.get("id")) or 0 for item in items])
    item = etree.Element(qn("p:sldId"), {"id": str(id), qn("r:id"): link})
    items.insert(_place(items, entries, position), item)
    return id


def _place(items: Element, entries: tuple[SlideEntry, ...], position: int) -> int:
    """Index in the list, which may hold entries that count for nothing."""
    if position <= len(entries):
        following = entries[position - 1].link
        for index, item in enumerate(items):
            if item.get(qn("r:id")) == following:
                return index
    return len([item for item in items if item.tag == qn("p:sldId")])


def _free_slide_id(used: list[int]) -> int:
    highest = max([LEAST_SLIDE_ID - 1, *used])
    if highest + 1 < SLIDE_ID_END:
        return highest + 1
    taken = set(used)
    return next(id for id in range(LEAST_SLIDE_ID, SLIDE_ID_END) if id not in taken)
