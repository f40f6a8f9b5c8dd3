"""Copies of a deck with only some of its slides, on which those look as in the whole deck."""

from collections.abc import Collection, Iterator
from pathlib import Path

from decklab.ooxml.names import NAMESPACES, qn, relationship_type
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import Element, serialize_xml
from decklab.ooxml.relationships import relationships_part
from decklab.ooxml.slides import slide_entries
from decklab.ooxml.writing import write_package
from decklab.render.incremental.blanks import Blank, blank_slide, blanks
from decklab.render.incremental.keys import SlideKeys

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
    for all before it. Links to slides lead elsewhere; sections, custom shows and notes are left
    out. ``can_copy`` has to hold.
    """
    stand_ins = blanks(keys, numbers)
    shown = sorted({*numbers, *stand_ins})
    changed = {package.main_part: serialize_xml(_listing(package, shown))}
    for number, blank in stand_ins.items():
        changed.update(_emptied(keys.slides[number - 1], blank))
    slides = [keys.slides[number - 1] for number in numbers]
    layouts = {keys.precedents.layouts[number - 1] for number in shown}
    masters = {name for layout in layouts for name in package.related(layout, "slideMaster")}
    for part in (*slides, *sorted(layouts | masters)):
        changed.update(_loosened(package, part))
    write_package(package, target, replace=changed)
    return {number: shown.index(number) for number in numbers}


def _listing(package: Package, numbers: Collection[int]) -> Element:
    """The presentation part, listing only the slides ``numbers``."""
    kept = {entry.link for entry in slide_entries(package) if entry.number in numbers}
    root = package.xml(package.main_part)
    for item in root.findall(f"{qn('p:sldIdLst')}/{qn('p:sldId')}"):
        parent = item.getparent()
        if parent is not None and item.get(qn("r:id")) not in kept:
            parent.remove(item)
    for extra in (*root.findall(qn("p:extLst")), *root.findall(qn("p:custShowLst"))):
        root.remove(extra)
    return root


def _emptied(slide: str, blank: Blank) -> dict[str, bytes]:
    kind = relationship_type("slideLayout")
    link = f'<Relationship Id="rId1" Type="{kind}" Target="/{blank.layout}"/>'
    links = f'<Relationships xmlns="{NAMESPACES["rel"]}">{link}</Relationships>'
    return {slide: blank_slide(blank.plain), relationships_part(slide): links.encode()}


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
