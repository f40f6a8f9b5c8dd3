"""Reads a presentation package: its slides, layouts and masters as elements, its outline, and its
statements about itself: size, sections, shows, media, properties."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from decklab.core.errors import DeckError, MalformedPart, UnsupportedFormat
from decklab.deck.elements import (
    default_text,
    elements_of,
    list_styles,
    table_styles,
    text_styles,
    theme_formats,
)
from decklab.deck.model.base import Sources
from decklab.deck.model.outline import DeckOutline
from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Element,
    Group,
    Image,
    Line,
    Media,
    Other,
    Rect,
    Table,
    Text,
)
from decklab.deck.model.slide import (
    KINDS,
    CustomShow,
    DeckElements,
    MediaPart,
    Section,
    SlideElements,
    TemplateElements,
    ThemeElements,
)
from decklab.deck.part import ReadingLog, Source
from decklab.deck.shapes import ShapeNode, walk_shapes
from decklab.deck.sheets import (
    DeckReading,
    Sheet,
    effective_background,
    stated_color_map,
    stated_name,
)
from decklab.deck.slide_facts import (
    Authors,
    animations_of,
    comments_of,
    notes_of,
    read_authors,
    transition_of,
)
from decklab.deck.styles.fills import Fill
from decklab.deck.styles.themes import WHITE, MappedTheme, mixed
from decklab.deck.views.outline import OutlineShapes, outline_of
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import SlideEntry, read_list
from decklab.ooxml.xml import MAIN_CONTENT_TYPES, flag, local_name, parse_emu, parse_int, qn
from decklab.ooxml.xml import Element as Xml

_DEFAULT_SIZE = (9_144_000, 6_858_000)
"""Slide size in EMU where the deck states none: 10 by 7.5 inches, the 4:3 of old."""
_MEDIA_TYPES = ("image/", "video/", "audio/")
_PROPERTY_PARTS = ("core-properties", "extended-properties", "custom-properties")
_NOT_PROPERTIES = frozenset({"TitlesOfParts", "HeadingPairs", "HLinks", "DigSig", "property"})
"""Lists that repeat other properties, and containers of properties."""


def listed_slides(root: Xml, main: Source) -> tuple[SlideEntry, ...]:
    """The slides in order; entries of the list that lead to no slide are recorded as problems.

    Raises MalformedPart or TruncatedDeck if the relationships of the presentation cannot be
    read: nobody knows its slides then.
    """
    listed = read_list(root, main.package.relationships(main.part), main.package)
    for entry in listed.dead:
        main.log.add(main.part, str(entry))
    return listed.slides


def slide_size(root: Xml, main: Source) -> tuple[int, int]:
    """Width and height of the slides in EMU; an invalid size is recorded as a problem."""
    if (stated := root.find(qn("p:sldSz"))) is None:
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
    sections = []
    for item in reading.root.iter(qn("p14:section")):
        listed = (parse_int(entry.get("id")) for entry in item.iter(qn("p14:sldId")))
        slides = tuple(id for id in listed if id is not None and id in ids)
        own, name = item.get("id") or "", item.get("name") or ""
        sections.append(Section(id=own, name=name, slides=slides))
    return tuple(sections)


def read_shows(reading: DeckReading) -> tuple[CustomShow, ...]:
    """The custom shows of a deck, in order."""
    ids, main = reading.slide_ids, reading.main
    shows = []
    for item in reading.root.iterfind(f"{qn('p:custShowLst')}/{qn('p:custShow')}"):
        parts = (main.linked_part(entry) or "" for entry in item.iter(qn("p:sld")))
        slides = tuple(ids[part] for part in parts if part in ids)
        id, name = parse_int(item.get("id")) or 0, item.get("name") or ""
        shows.append(CustomShow(id=id, name=name, slides=slides))
    return tuple(shows)


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


_LISTS: dict[type[Element], str] = {
    Text: "texts", Rect: "rects", Line: "lines", Image: "images", Table: "tables",
    Chart: "charts", Diagram: "diagrams", Media: "media", Group: "groups", Other: "others",
}  # fmt: skip
_FURNITURE = {"hdr": "header", "ftr": "footer", "dt": "date", "sldNum": "slide_number"}
_TITLES = ("title", "ctrTitle")
_CREATION_ID = qn("p14:creationId")


def read_slide(
    sheet: Sheet,
    shapes: Iterable[ShapeNode],
    entry: SlideEntry,
    *,
    sections: Mapping[int, str],
    authors: Authors,
) -> SlideElements:
    """One slide with everything on it; ``shapes`` are those of the sheet."""
    contents = _contents(sheet, shapes)
    layout = sheet.parent
    master = None if layout is None else layout.parent
    fields: dict[str, Any] = {
        "number": entry.number,
        "id": entry.id,
        "part": sheet.part,
        "section": sections.get(entry.id),
        "layout": "" if layout is None else layout.name,
        "layout_part": "" if layout is None else layout.part,
        "master": "" if master is None else master.name,
        "theme": sheet.theme_name,
        "notes": notes_of(sheet.source),
        "comments": comments_of(sheet, authors),
    }
    if sheet.root is not None:
        fields |= _slide_fields(sheet.root)
    return SlideElements(**contents, **fields, **_placeholder_texts(contents["texts"]))


def read_template(sheet: Sheet, shapes: Iterable[ShapeNode]) -> TemplateElements:
    """One layout or master with everything on it; ``shapes`` are those of the sheet."""
    return TemplateElements(
        **_contents(sheet, shapes),
        **_template_fields(sheet),
        shows_master=sheet.root is None or flag(sheet.root.get("showMasterSp")) is not False,
        text_styles=text_styles(sheet),
        list_styles=list_styles(sheet),
    )


def named_template(sheet: Sheet) -> TemplateElements:
    """One layout or master, only its names."""
    size = sheet.reading.size_pt
    fields = _template_fields(sheet)
    return TemplateElements(background=WHITE.hex, size_pt=size, **fields, used=False)


def unused_layout(part: str, master: Sheet) -> TemplateElements:
    """A layout that no slide uses, by its names."""
    root = master.reading.sheet_root(part)
    return TemplateElements(
        background=WHITE.hex,
        size_pt=master.reading.size_pt,
        kind="layout",
        name=stated_name(root),
        part=part,
        type="" if root is None else root.get("type") or "",
        parent=master.part,
        theme=master.theme_name,
        used=False,
    )


def _template_fields(sheet: Sheet) -> dict[str, Any]:
    return {
        "kind": "layout" if sheet.kind == "layout" else "master",
        "name": sheet.name,
        "part": sheet.part,
        "type": "" if sheet.root is None else sheet.root.get("type") or "",
        "parent": None if sheet.parent is None else sheet.parent.part,
        "theme": sheet.theme_name,
    }


def _contents(sheet: Sheet, shapes: Iterable[ShapeNode]) -> dict[str, Any]:
    background = effective_background(sheet)
    sources: Sources = {}
    if background.source != "default":
        sources["background"] = background.source
    lists: dict[str, list[Element]] = {kind: [] for kind in KINDS}
    for element in elements_of(sheet, shapes):
        lists[_LISTS[type(element)]].append(element)
    return {
        "background": _on_paper(background.value),
        "background_paint": background.value.paint,
        "size_pt": sheet.reading.size_pt,
        "color_map": {} if sheet.root is None else stated_color_map(sheet.root),
        "sources": sources,
        **{kind: tuple(items) for kind, items in lists.items()},
    }


def _on_paper(fill: Fill) -> str:
    """The one colour for a background, on a white page; white for none and for pictures."""
    if fill.kind in ("none", "picture"):
        return WHITE.hex
    return mixed(WHITE, fill.color, fill.color.alpha).hex


def _slide_fields(root: Xml) -> dict[str, Any]:
    content = root.find(qn("p:cSld"))
    mark = None if content is None else content.find(f"{qn('p:extLst')}//{_CREATION_ID}")
    return {
        "name": "" if content is None else content.get("name") or "",
        "creation_id": None if mark is None else mark.get("val"),
        "hidden": flag(root.get("show")) is False,
        "shows_master": flag(root.get("showMasterSp")) is not False,
        "transition": transition_of(root),
        "animations": animations_of(root),
    }


def _placeholder_texts(texts: tuple[Text, ...]) -> dict[str, Any]:
    """Title, header, footer, date and slide number, by the names of the slide's fields."""
    footers: dict[str, Any] = {}
    for text in texts:
        kind = "" if text.placeholder is None else text.placeholder.type
        if (name := "title" if kind in _TITLES else _FURNITURE.get(kind)) is not None:
            footers.setdefault(name, text.text)
    return footers


_NOTHING: Mapping[str, Collection[int]] = {}

_Walk = Callable[[Sheet], Iterable[ShapeNode]]
"""From a sheet to its shapes."""


@dataclass(frozen=True)
class ReadDeck:
    """A presentation as it was read."""

    elements: DeckElements
    """Everything on its slides, layouts and masters, with effective styles."""
    outline: DeckOutline
    """The objects of its slides, layouts and masters."""


@contextmanager
def open_reading(package: Package, numbers: Collection[int] = ()) -> Iterator[DeckReading]:
    """A new reading of a presentation, which must have slides of the given 1-based numbers.

    Raises what ``read_slides`` raises. Its sheets are released at the end.
    """
    main = package.main_part
    if (root := package.xml(main)).tag != qn("p:presentation"):
        if (content_type := package.content_type(main)) in MAIN_CONTENT_TYPES:
            raise MalformedPart(package.label, "it is no presentation inside", main)
        raise UnsupportedFormat(package.label, f"no presentation but {content_type}", main)
    source = Source(package, main, ReadingLog())
    slides = listed_slides(root, source)
    for number in sorted(numbers):
        if not 1 <= number <= len(slides):
            detail = f"there is no slide {number}; the deck has {len(slides)}"
            raise DeckError(package.label, detail)
    reading = DeckReading(package, root, slides, slide_size(root, source), source.log)
    try:
        yield reading
    finally:
        reading.forget_sheets()


def read_deck(package: Package) -> ReadDeck:
    """The elements and the outline of a presentation, from one reading of its parts.

    The problems of the outline are those of the elements, then its own. Raises what
    ``read_elements`` and ``read_outline`` raise.
    """
    shapes = OutlineShapes()
    with open_reading(package) as reading:
        elements = _elements(reading, shapes.walk)
        reading.log.restart()
        outline = outline_of(reading, shapes)
    problems = dict.fromkeys((*elements.problems, *outline.problems))
    return ReadDeck(elements, replace(outline, problems=tuple(problems)))


def read_outline(package: Package) -> DeckOutline:
    """The outline of a presentation package (.pptx, .potx, .ppsx and their macro kinds).

    A damaged part is noted in ``problems`` and the rest is read; a slide whose part is damaged is
    an empty slide at its place. Raises MissingPart, MalformedPart or TruncatedDeck if the
    presentation part or its relationships cannot be read, UnsupportedFormat if the package is
    no presentation, and LimitExceeded if any part breaks the package's limits.
    """
    with open_reading(package) as reading:
        return outline_of(reading, OutlineShapes())


def read_elements(package: Package) -> DeckElements:
    """Everything on the slides, layouts and masters of a presentation.

    A damaged part is noted in ``problems`` and the rest is read; a slide whose part is damaged is
    an empty slide at its place. Raises MissingPart, MalformedPart or TruncatedDeck if the
    presentation part or its relationships cannot be read, UnsupportedFormat if the package is
    no presentation, and LimitExceeded if any part breaks the package's limits.
    """
    with open_reading(package) as reading:
        return _elements(reading, walk_shapes)


def read_slides(package: Package, numbers: Collection[int]) -> tuple[SlideElements, ...]:
    """Some slides of a presentation by their 1-based numbers, in the order of the deck.

    Nothing but these slides and what they inherit from is read. Raises what ``read_elements``
    raises, and DeckError if there is no slide of a number.
    """
    with open_reading(package, numbers) as reading:
        return tuple(_slides(reading, walk_shapes, numbers))


def read_part_of_deck(
    package: Package,
    numbers: Collection[int],
    *,
    layouts: Collection[str] = (),
    masters: Collection[str] = (),
    without: Mapping[str, Collection[int]] = _NOTHING,
    templates: dict[str, Sheet] | None = None,
) -> DeckElements:
    """Some slides of a presentation, by their 1-based numbers, with what they inherit from.

    The layouts and masters of these slides are read by name only, and so are the masters in the
    parts ``masters``; the layouts in the parts ``layouts``, and their masters, are read in full.
    Shapes directly on a slide whose ids ``without`` lists by the slide's part are left out, groups
    with their members. There are no media. ``templates`` holds, by part, layouts and masters that
    were read before, from a package with the same ones; those read here are added. Raises what
    ``read_slides`` raises.
    """
    with open_reading(package, numbers) as reading:
        reading.use_templates(templates or {})
        slides = tuple(_slides(reading, partial(_walk_without, without), numbers))
        used = _used_layouts(slides, reading, layouts)
        parents = dict.fromkeys(sheet.parent for sheet in used if sheet.parent is not None)
        full = {*layouts, *(sheet.part for sheet in parents)} if layouts else set()
        parents |= dict.fromkeys(reading.sheet(part, "master") for part in masters)
        if templates is not None:
            templates.update({sheet.part: sheet for sheet in (*used, *parents)})
        read = [
            read_template(sheet, walk_shapes(sheet))
            if sheet.part in full
            else named_template(sheet)
            for sheet in (*used, *parents)
        ]
        return DeckElements(
            size_pt=reading.size_pt,
            slides=slides,
            layouts=tuple(item for item in read if item.kind == "layout"),
            masters=tuple(item for item in read if item.kind == "master"),
            themes=tuple(read_themes(parents)),
            sections=read_sections(reading),
            shows=read_shows(reading),
            properties=read_properties(reading.main),
            problems=tuple(reading.log.problems),
        )


def _elements(reading: DeckReading, walk: _Walk) -> DeckElements:
    slides = tuple(_slides(reading, walk))
    masters = masters_of(reading)
    return DeckElements(
        size_pt=reading.size_pt,
        slides=slides,
        layouts=tuple(item for master in masters for item in _layouts(master, walk)),
        masters=tuple(read_template(master, walk(master)) for master in masters),
        themes=tuple(read_themes(masters)),
        sections=read_sections(reading),
        shows=read_shows(reading),
        media=read_media_parts(reading),
        properties=read_properties(reading.main),
        default_text=default_text(reading, masters[0].look if masters else MappedTheme()),
        table_styles=table_styles(reading.table_styles.defined),
        problems=tuple(reading.log.problems),
    )


def _slides(
    reading: DeckReading, walk: _Walk, only: Collection[int] | None = None
) -> Iterator[SlideElements]:
    authors = read_authors(reading)
    sections = {id: item.name for item in read_sections(reading) for id in item.slides}
    for entry in reading.slides:
        if only is None or entry.number in only:
            sheet = reading.sheet(entry.part, "slide")
            yield read_slide(sheet, walk(sheet), entry, sections=sections, authors=authors)


def _layouts(master: Sheet, walk: _Walk) -> Iterator[TemplateElements]:
    for part, layout in layouts_of(master).items():
        if layout is None:
            yield unused_layout(part, master)
        else:
            yield read_template(layout, walk(layout))


def _walk_without(without: Mapping[str, Collection[int]], sheet: Sheet) -> Iterator[ShapeNode]:
    return walk_shapes(sheet, without=without.get(sheet.part, ()))


def _used_layouts(
    slides: Iterable[SlideElements], reading: DeckReading, layouts: Collection[str]
) -> tuple[Sheet, ...]:
    """The layouts of slides, and those in some parts, if they have masters."""
    parts = dict.fromkeys((*(item.layout_part for item in slides if item.layout_part), *layouts))
    sheets = (reading.sheet(part, "layout") for part in parts)
    return tuple(sheet for sheet in sheets if sheet.parent is not None)
