"""Copies of a deck with only some of its slides, on which those look as in the whole deck."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from decklab.ooxml.content_types import CONTENT_TYPES_PART
from decklab.ooxml.names import NAMESPACES, qn, relationship_type
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import Element, parse_xml, serialize_xml
from decklab.ooxml.relationships import Relationship, read_relationships, relationships_part
from decklab.ooxml.slides.listing import slide_entries
from decklab.ooxml.writing import write_package
from decklab.rendering.incremental.blanks import Blank, blank_slide, blanks
from decklab.rendering.incremental.keys import SlideKeys

__all__ = ["can_copy", "write_copy"]

JUMP = "hlinksldjump"
"""Action of links to slides: LibreOffice 7.4 dies where such a slide is not in the deck."""

_ELSEWHERE = "https://example.invalid/"
_LINKS = tuple(qn(f"a:{name}") for name in ("hlinkClick", "hlinkHover", "hlinkMouseOver"))


def can_copy(keys: SlideKeys, numbers: Collection[int]) -> bool:
    """Whether a copy can show these slides as the whole deck does."""
    distinct = len(set(keys.slides)) == len(keys)
    foreign = any(keys.fields(number).foreign for number in numbers)
    return distinct and not foreign and all(keys.precedents.layouts)


def write_copy(
    package: Package, keys: SlideKeys, numbers: Collection[int], target: Path
) -> dict[int, int]:
    """Write a deck that shows the slides ``numbers`` and returns the page of each, from 0.

    Blank slides stand for earlier ones that make a difference: where a slide's number is drawn,
    for all before it. Links to slides lead elsewhere; sections, custom shows, notes and all parts
    that only other slides use are left out. ``can_copy`` has to hold.
    """
    stand_ins = blanks(keys, numbers)
    shown = sorted({*numbers, *stand_ins})
    changed = _listing(package, shown)
    for number, blank in stand_ins.items():
        changed.update(_emptied(package, keys.slides[number - 1], blank))
    slides = [keys.slides[number - 1] for number in numbers]
    layouts = {keys.precedents.layouts[number - 1] for number in shown}
    masters = {name for layout in layouts for name in package.related(layout, "slideMaster")}
    for part in (*slides, *sorted(layouts | masters)):
        changed.update(_loosened(package, part))
    write_package(package, target, replace=changed, remove=_unused(package, changed))
    return {number: shown.index(number) for number in numbers}


def _listing(package: Package, numbers: Collection[int]) -> dict[str, bytes]:
    """The presentation part and its relationships, with only the slides ``numbers``."""
    main = package.main_part
    links = package.find(relationships_part(main)) or ""
    kept = {entry.link for entry in slide_entries(package) if entry.number in numbers}
    root, listed = package.xml(main), package.xml(links)
    for slides in root.findall(qn("p:sldIdLst")):
        for item in slides.findall(qn("p:sldId")):
            if item.get(qn("r:id")) not in kept:
                slides.remove(item)
    for extra in (*root.findall(qn("p:extLst")), *root.findall(qn("p:custShowLst"))):
        root.remove(extra)
    for item in list(listed):
        if (item.get("Type") or "").endswith("/slide") and item.get("Id") not in kept:
            listed.remove(item)
    return {main: serialize_xml(root), links: serialize_xml(listed)}


def _unused(package: Package, changed: Mapping[str, bytes]) -> list[str]:
    """The parts that nothing leads to once the parts ``changed`` are."""
    used = {CONTENT_TYPES_PART}
    waiting = [""]
    while waiting:
        part = waiting.pop()
        links = package.find(relationships_part(part))
        if links is None:
            continue
        used.add(links)
        found = _links(package, part, changed.get(links))
        targets = {package.find(link.target) for link in found if not link.external}
        fresh = {name for name in targets if name is not None and name not in used}
        used |= fresh
        waiting += fresh
    return [name for name in package.names if name not in used]


def _links(package: Package, part: str, changed: bytes | None) -> Iterable[Relationship]:
    if changed is None:
        return package.relationships(part).values()
    root = parse_xml(changed, path=package.label, part=relationships_part(part))
    return read_relationships(part, root).values()


def _emptied(package: Package, slide: str, blank: Blank) -> dict[str, bytes]:
    kind = relationship_type("slideLayout")
    link = f'<Relationship Id="rId1" Type="{kind}" Target="/{blank.layout}"/>'
    links = f'<Relationships xmlns="{NAMESPACES["rel"]}">{link}</Relationships>'
    name = package.find(relationships_part(slide)) or ""
    return {slide: blank_slide(blank.plain), name: links.encode()}


def _loosened(package: Package, part: str) -> dict[str, bytes]:
    """The part and its relationships, as far as they change to let go of slides and notes.

    A link to a slide becomes one to elsewhere, which looks the same.
    """
    links = package.find(relationships_part(part))
    if links is None:
        return {}
    root, listed = package.xml(part), package.xml(links)
    jumps = set(_cut_jumps(root))
    gone = False
    for item in list(listed):
        if (item.get("Type") or "").endswith("/notesSlide"):
            listed.remove(item)
            gone = True
        elif item.get("Id") in jumps:
            item.set("Type", relationship_type("hyperlink"))
            item.set("Target", _ELSEWHERE)
            item.set("TargetMode", "External")
    changed = {links: serialize_xml(listed)} if gone or jumps else {}
    return changed | ({part: serialize_xml(root)} if jumps else {})


def _cut_jumps(root: Element) -> Iterator[str]:
    """Make links to slides plain ones and give the ids of their relationships."""
    for link in root.iter(*_LINKS):
        if JUMP in (link.get("action") or ""):
            del link.attrib["action"]
            yield link.get(qn("r:id")) or ""
