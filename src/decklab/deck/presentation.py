"""What a deck says of itself: slides in order, sections, custom shows, properties."""

from collections.abc import Iterator, Sequence

from decklab.deck.model.slide import CustomShow, Section
from decklab.deck.part import Source
from decklab.ooxml.units import parse_int
from decklab.ooxml.xml import Element, local_name, qn

_PROPERTY_PARTS = ("core-properties", "extended-properties", "custom-properties")
_NOT_PROPERTIES = frozenset({"TitlesOfParts", "HeadingPairs", "HLinks", "DigSig", "property"})
"""Lists that repeat what stands elsewhere, and containers of others."""


def listed_slides(root: Element, main: Source) -> Iterator[tuple[int, str]]:
    """Slide id and part of each slide in order; the part is empty where it is not there."""
    for item in root.iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}"):
        id, part = parse_int(item.get("id")) or 0, main.linked_part(item)
        if part is None:
            main.notes.add(main.part, f"slide {id} ({item.get(qn('r:id'))}) leads to no part")
        yield id, part or ""


def read_sections(root: Element) -> tuple[Section, ...]:
    """The sections of a deck ([MS-PPTX] 2.4.3), in order."""
    return tuple(
        Section(
            id=item.get("id") or "",
            name=item.get("name") or "",
            slides=tuple(
                id for entry in item.iter(qn("p14:sldId"))
                if (id := parse_int(entry.get("id"))) is not None
            ),
        )
        for item in root.iter(qn("p14:section"))
    )  # fmt: skip


def read_shows(root: Element, main: Source, slides: Sequence[tuple[int, str]]) -> tuple[
    CustomShow, ...
]:  # fmt: skip
    """The custom shows of a deck, in order."""
    ids = {part: id for id, part in slides if part}
    return tuple(
        CustomShow(
            id=parse_int(item.get("id")) or 0,
            name=item.get("name") or "",
            slides=tuple(
                ids[part] for entry in item.iter(qn("p:sld"))
                if (part := main.linked_part(entry) or "") in ids
            ),
        )
        for item in root.iterfind(f"{qn('p:custShowLst')}/{qn('p:custShow')}")
    )  # fmt: skip


def read_properties(main: Source) -> dict[str, str]:
    """Title, author, dates and their like, by element name, sorted; own ones by their names."""
    package = Source(main.package, "", main.notes)
    found: dict[str, str] = {}
    for kind in _PROPERTY_PARTS:
        part = package.related(kind)
        root = None if part is None else main.of(part).root()
        for item in () if root is None else root:
            name = local_name(str(item.tag))
            text = "".join(str(piece) for piece in item.itertext()).strip()
            if name == "property" and item.get("name"):
                found[str(item.get("name"))] = text
            elif name not in _NOT_PROPERTIES and text:
                found.setdefault(name, text)
    return dict(sorted(found.items()))
