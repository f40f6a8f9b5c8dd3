"""The slides of a deck, in the order in which the deck lists them."""

from collections.abc import Collection
from dataclasses import dataclass

from decklab.core.errors import DeckError, MalformedPart, MissingPart
from decklab.ooxml.parts import Parts, relationships_part
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn, serialize_xml


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


def listing_only(parts: Parts, slides: Collection[str]) -> Element:
    """The root of the presentation part, listing only the slides of these part names.

    Sections and custom shows, which name slides too, are left out.
    """
    root = parts.xml(parts.main_part)
    links = parts.relationships(parts.main_part)
    for item in root.findall(f"{qn('p:sldIdLst')}/{qn('p:sldId')}"):
        link = links.get(item.get(qn("r:id"), ""))
        parent = item.getparent()
        if parent is not None and (link is None or link.target not in slides):
            parent.remove(item)
    for extra in (*root.findall(qn("p:extLst")), *root.findall(qn("p:custShowLst"))):
        root.remove(extra)
    return root


def free_place(parts: Parts, position: int, slides: int) -> None:
    """Raise DeckError where ``position`` is not a place in a deck of ``slides`` slides."""
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
