"""The slide list of a deck as python-pptx can take it, and afterwards as it was.

python-pptx takes every entry of the list for a slide. So entries that lead to no slide become
relationships that lead nowhere before it opens a deck, and go back into the list of the saved file.
Each slide gets the id that the slide list knows it by.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from lxml import etree

from decklab.ooxml.package import Package
from decklab.ooxml.parts import CONTENT_TYPES_PART, declare_types, relationships_part
from decklab.ooxml.slide_list import (
    LIST,
    SLIDE_TYPE,
    SlideEntry,
    free_slide_ids,
    list_items,
    read_list,
)
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, parse_xml, qn, serialize_xml

_STORED = re.compile(r"decklab-entry:(\d{1,6}):(.*)", re.DOTALL)
"""Target of a relationship that stores an entry: its index in the list, and its XML."""
_TYPE = "https://decklab.invalid/entry"
_COMMENT = b"<!--"


def without_dead_entries(package: Package, changed: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts of a deck with new bytes by which python-pptx finds the slides of the list.

    ``changed`` has parts that change for other reasons. Raises DeckError where the list cannot be
    read.
    """
    main = package.main_part
    root, rels = package.xml(main), package.find(relationships_part(main))
    listed = read_list(root, package.relationships(main), package)
    types = _stated_types(package, listed.slides)
    lists = root.findall(LIST)
    sound = not listed.dead and all(one.id == one.stated_id for one in listed.slides)
    if rels is None or (sound and len(lists) < 2 and _COMMENT not in package.read(main)):
        return types
    links = _root_of(package, rels, changed)
    items = list_items(root)
    for other in lists[1:]:
        lists[0].extend(other)
        root.remove(other)
    for entry in listed.slides:
        items[entry.place - 1].set("id", str(entry.id))
    names = {link.get("Id") for link in links}
    for dead in listed.dead:
        _store(items[dead.place - 1], dead.place - 1, links, names)
        lists[0].remove(items[dead.place - 1])
    return types | {main: serialize_xml(root), rels: serialize_xml(links)}


def _stated_types(package: Package, slides: tuple[SlideEntry, ...]) -> dict[str, bytes]:
    """The part with the content types, where it does not state those of all slides."""
    untyped = [one.part for one in slides if package.content_type(one.part) != SLIDE_TYPE]
    if not untyped:
        return {}
    types = package.xml(CONTENT_TYPES_PART)
    root = declare_types(types, dict.fromkeys(untyped, SLIDE_TYPE), ())
    return {CONTENT_TYPES_PART: serialize_xml(root)}


def _store(item: Element, index: int, links: Element, names: set[str | None]) -> None:
    """Store an entry in a new relationship; ``names`` are the ids of all, and gets that of the new.

    Where it names a relationship that is not there, the new one has that id: an id that python-pptx
    gives to something new would make the entry lead there.
    """
    wanted = item.get(qn("r:id")) or ""
    name = wanted if wanted and wanted not in names else f"decklab-entry-{index}"
    names.add(name)
    attributes = {
        "Id": name,
        "Type": _TYPE,
        "Target": f"decklab-entry:{index}:{quote(etree.tostring(item, encoding='unicode'))}",
        "TargetMode": "External",
    }
    etree.SubElement(links, qn("rel:Relationship"), attributes)


def with_dead_entries(package: Package, changed: Mapping[str, bytes]) -> dict[str, bytes]:
    """The parts of a saved deck with new bytes by which the stored entries are in the list again.

    An entry with the id of a slide, such as a new one, gets another id. ``changed`` has parts that
    change for other reasons. Raises DeckError where these parts cannot be read.
    """
    main = package.main_part
    rels = package.find(relationships_part(main))
    if rels is None:
        return {}
    links = _root_of(package, rels, changed)
    stored: list[tuple[int, Element]] = []
    for link in list(links):
        match = _STORED.fullmatch(link.get("Target") or "")
        if match is not None:
            links.remove(link)
            data = unquote(match[2]).encode()
            stored.append((int(match[1]), parse_xml(data, path=package.label, part=rels)))
    if not stored:
        return {}
    root = package.xml(main)
    slides = root.find(LIST)
    if slides is not None:
        used = {id for item in slides if (id := parse_int(item.get("id"))) is not None}
        kept = {id for _, item in stored if (id := parse_int(item.get("id"))) is not None}
        free = free_slide_ids(used | kept)
        for index, item in sorted(stored, key=lambda entry: entry[0]):
            if parse_int(item.get("id")) in used:
                item.set("id", str(next(free)))
            slides.insert(index, item)
    return {main: serialize_xml(root), rels: serialize_xml(links)}


def drop_unlisted(part: Any) -> None:
    """Drop the stored entries of an open presentation, by its part, and relationships to slides
    that its list does not have: they are not written then."""
    named = {item.get(qn("r:id")) for item in list_items(part._element)}
    for id, link in list(part.rels.items()):
        if link.reltype == _TYPE or (link.reltype.endswith("/slide") and id not in named):
            part.rels.pop(id)


def _root_of(package: Package, part: str, changed: Mapping[str, bytes]) -> Element:
    data = changed.get(part)
    return package.xml(part) if data is None else parse_xml(data, path=package.label, part=part)
