"""Sections of a deck ([MS-PPTX] 2.4.3), kept in step with the list of slides."""

from lxml import etree

from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn


def settle_in_section(root: Element, id: int) -> None:
    """Put a slide that is new, or at a new place, into the section that belongs there.

    ``root`` is the presentation's. The slide's own section is kept where a neighbour is of it;
    else that of the slide before decides, then that of the slide after. Decks without sections
    stay without.
    """
    sections = root.findall(f".//{qn('p14:section')}")
    if not sections:
        return
    order = [parse_int(item.get("id")) for item in root.iterfind(f".//{qn('p:sldId')}")]
    homes = {member: section for section in sections for member in _members(section)}
    at = order.index(id)
    around = [homes.get(order[i]) for i in (at - 1, at + 1) if 0 <= i < len(order)]
    near = [section for section in around if section is not None]
    home = homes.get(id)
    if home is None or home not in near:
        home = near[0] if near else home if home is not None else sections[0]
    leave_sections(root, id)
    _join(home, id, order)


def leave_sections(root: Element, id: int) -> None:
    """Take a slide out of every section; sections left empty stay, as PowerPoint keeps them."""
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
