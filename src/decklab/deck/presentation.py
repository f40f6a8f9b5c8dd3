"""A deck's statements about itself: size, slides, masters, sections, shows, media, properties."""

from collections.abc import Iterable, Iterator

from decklab.deck.model.slide import CustomShow, MediaPart, Section, ThemeElements
from decklab.deck.part import ReadingLog, Source
from decklab.deck.sheets import DeckReading, Sheet
from decklab.deck.styles.definitions import theme_formats
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import SlideEntry, read_list
from decklab.ooxml.units import parse_emu, parse_int
from decklab.ooxml.xml import Element, local_name, qn

_DEFAULT_SIZE = (9_144_000, 6_858_000)
"""Slide size in EMU where the deck states none: 10 by 7.5 inches, the 4:3 of old."""
_MEDIA_TYPES = ("image/", "video/", "audio/")
_PROPERTY_PARTS = ("core-properties", "extended-properties", "custom-properties")
_NOT_PROPERTIES = frozenset({"TitlesOfParts", "HeadingPairs", "HLinks", "DigSig", "property"})
"""Lists that repeat other properties, and containers of properties."""


def listed_slides(root: Element, main: Source) -> tuple[SlideEntry, ...]:
    """The slides in order; entries of the list that lead to no slide are recorded as problems.

    Raises MalformedPart or TruncatedDeck if the relationships of the presentation cannot be
    read: nobody knows its slides then.
    """
    listed = read_list(root, main.package.relationships(main.part), main.package)
    for entry in listed.dead:
        main.log.add(main.part, str(entry))
    return listed.slides


def slide_size(root: Element, main: Source) -> tuple[int, int]:
    """Width and height of the slides in EMU; an invalid size is recorded as a problem."""
    stated = root.find(qn("p:sldSz"))
    if stated is None:
        return _DEFAULT_SIZE
    width, height = parse_emu(stated.get("cx")), parse_emu(stated.get("cy"))
    if not width or not height or width < 0 or height < 0:
        main.log.add(main.part, "the slide size is no size; 10 by 7.5 inches are taken")
        return _DEFAULT_SIZE
    return width, height


def masters_of(reading: DeckReading) -> tuple[Sheet, ...]:
    """The masters that the deck lists, then any others that its slides use."""
    listed = reading.main.listed_parts(reading.root, "p:sldMasterIdLst")
    parts = dict.fromkeys(part for _, part in listed if part is not None)
    for entry in reading.slides:
        sheet: Sheet | None = reading.sheet(entry.part, "slide")
        while sheet is not None:
            if sheet.kind == "master":
                parts[sheet.part] = None
            sheet = sheet.parent
    return tuple(reading.sheet(part, "master") for part in parts)


def layouts_of(master: Sheet) -> dict[str, Sheet | None]:
    """The layouts that a master lists, then any others of it that slides use, by part; None for
    those that no slide uses."""
    reading = master.reading
    used: dict[str, Sheet | None] = {}
    for entry in reading.slides:
        layout = reading.sheet(entry.part, "slide").parent
        if layout is not None and layout.parent is master:
            used[layout.part] = layout
    listed = master.source.listed_parts(master.root, "p:sldLayoutIdLst")
    parts = dict.fromkeys(part for _, part in listed if part is not None)
    return parts | used


def read_themes(masters: Iterable[Sheet]) -> Iterator[ThemeElements]:
    """The themes of masters, each once."""
    seen: set[str] = set()
    for master in masters:
        theme, part = master.look.theme, master.source.related("theme")
        if part is None or part in seen:
            continue
        seen.add(part)
        yield ThemeElements(
            part=part,
            name=master.theme_name,
            colors=dict(theme.colors),
            major=theme.major.latin,
            minor=theme.minor.latin,
            major_east_asian=theme.major.east_asian,
            minor_east_asian=theme.minor.east_asian,
            major_complex_script=theme.major.complex_script,
            minor_complex_script=theme.minor.complex_script,
            formats=theme_formats(theme),
        )


def read_media_parts(reading: DeckReading) -> tuple[MediaPart, ...]:
    """The images, sounds and videos of the package, by content."""
    package = reading.package
    media: dict[str, MediaPart] = {}
    for name in sorted(package.names):
        content_type = package.content_type(name) or ""
        digest = reading.main.sha256(name) if content_type.startswith(_MEDIA_TYPES) else None
        if digest is None:
            continue
        known = media.get(digest)
        parts = (name,) if known is None else (*known.parts, name)
        size = package.archive.size(name)
        media[digest] = MediaPart(sha256=digest, content_type=content_type, size=size, parts=parts)
    return tuple(media[digest] for digest in sorted(media))


def read_sections(reading: DeckReading) -> tuple[Section, ...]:
    """The sections of a deck ([MS-PPTX] 2.4.3) with their slides, in order."""
    ids = {entry.id for entry in reading.slides}
    return tuple(
        Section(
            id=item.get("id") or "",
            name=item.get("name") or "",
            slides=tuple(
                id for entry in item.iter(qn("p14:sldId"))
                if (id := parse_int(entry.get("id"))) in ids and id is not None
            ),
        )
        for item in reading.root.iter(qn("p14:section"))
    )  # fmt: skip


def read_shows(reading: DeckReading) -> tuple[CustomShow, ...]:
    """The custom shows of a deck, in order."""
    ids, main = reading.slide_ids, reading.main
    return tuple(
        CustomShow(
            id=parse_int(item.get("id")) or 0,
            name=item.get("name") or "",
            slides=tuple(
                ids[part] for entry in item.iter(qn("p:sld"))
                if (part := main.linked_part(entry) or "") in ids
            ),
        )
        for item in reading.root.iterfind(f"{qn('p:custShowLst')}/{qn('p:custShow')}")
    )  # fmt: skip


def properties_of(package: Package) -> dict[str, str]:
    """The properties of a presentation, for a caller that reads nothing else."""
    return read_properties(Source(package, package.main_part, ReadingLog()))


def read_properties(main: Source) -> dict[str, str]:
    """Title, author, dates and the like, by element name, sorted; custom ones by their names."""
    package = Source(main.package, "", main.log)
    values: dict[str, str] = {}
    for kind in _PROPERTY_PARTS:
        part = package.related(kind)
        root = None if part is None else main.of(part).root()
        for item in () if root is None else root:
            name = local_name(str(item.tag))
            text = "".join(str(piece) for piece in item.itertext()).strip()
            if name == "property" and item.get("name"):
                values[str(item.get("name"))] = text
            elif name not in _NOT_PROPERTIES and text:
                values.setdefault(name, text)
    return dict(sorted(values.items()))
