"""What presentation parts say: of their slides, of what these share, and of the rest."""

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass

from decklab.ooxml.package import Package
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, qn, serialize_xml

_LISTS = ("p:sldIdLst", "p:custShowLst", "p:extLst")
"""What a presentation says of its slides as a whole; compared for itself."""
_MASTERS = f"{qn('p:sldMasterIdLst')}/*"
_SHARED = frozenset({"tableStyles", "commentAuthors", "authors"})


@dataclass(frozen=True)
class Listed:
    """A slide as the presentation lists it."""

    number: int
    """1-based."""
    id: int
    """0 where none is stated."""
    part: str
    """Empty where it leads to no part."""


def listed_slides(package: Package, root: Element) -> tuple[Listed, ...]:
    """The slides that a presentation lists; ``root`` is that of its part."""
    links = package.relationships(package.main_part)
    found = []
    items = root.iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}")
    for number, item in enumerate(items, start=1):
        link = links.get(item.get(qn("r:id")) or "")
        part = "" if link is None or link.external or link.target not in package else link.target
        found.append(Listed(number, parse_int(item.get("id")) or 0, part))
    return tuple(found)


def slide_ids(every: tuple[Listed, ...]) -> dict[str, int]:
    """Slide id by part; slides whose id another one has, and parts listed twice, have id 0."""
    listed = [one for one in every if one.part]
    ids, parts = Counter(one.id for one in listed), Counter(one.part for one in listed)
    return {one.part: one.id if ids[one.id] == parts[one.part] == 1 else 0 for one in listed}


def listed_masters(package: Package, root: Element) -> list[str]:
    """The parts of the masters that a presentation lists, in order."""
    links = package.relationships(package.main_part)
    found = (links.get(item.get(qn("r:id")) or "") for item in root.iterfind(_MASTERS))
    return [link.target for link in found if link is not None]


def shared_parts(package: Package) -> frozenset[tuple[str, str]]:
    """Kind and part of what all slides share but masters, layouts and themes."""
    links = package.relationships(package.main_part).values()
    return frozenset((link.kind, link.target) for link in links if link.kind in _SHARED)


def used_sheets(package: Package, root: Element, slides: Iterable[str]) -> frozenset[str]:
    """The parts of all masters, and of the layouts that slides use."""
    layouts = {part for slide in slides for part in package.related(slide, "slideLayout")}
    behind = {part for layout in layouts for part in package.related(layout, "slideMaster")}
    return frozenset({*layouts, *behind, *listed_masters(package, root)})


def without_slides(root: Element) -> bytes:
    """What a presentation says, but of its slides."""
    rest = deepcopy(root)
    for name in _LISTS:
        for item in rest.findall(qn(name)):
            rest.remove(item)
    return serialize_xml(rest)
