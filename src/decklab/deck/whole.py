"""A whole deck as elements."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from decklab.deck.comments import read_authors
from decklab.deck.model.slide import (
    DeckElements,
    MediaPart,
    SlideElements,
    TemplateElements,
    ThemeElements,
)
from decklab.deck.part import Notes, Source
from decklab.deck.presentation import listed_slides, read_properties, read_sections, read_shows
from decklab.deck.shapes import shape_elements
from decklab.deck.sheets import Sheet, Sheets
from decklab.deck.slides import (
    missing_slide,
    named_template,
    read_slide,
    read_template,
    unused_layout,
)
from decklab.deck.styles.definitions import default_text, table_styles, theme_formats
from decklab.deck.styles.themes import Look
from decklab.deck.walking import Desk
from decklab.deck.walking import named as shape_name
from decklab.errors import DeckError, MalformedPart, UnsupportedFormat
from decklab.ooxml.package import Package
from decklab.ooxml.units import parse_emu, parse_int
from decklab.ooxml.xml import MAIN_CONTENT_TYPES, qn
from decklab.ooxml.xml import Element as Xml

_DEFAULT_SIZE = (9_144_000, 6_858_000)
"""Slide size in EMU where the deck states none: 10 by 7.5 inches, the 4:3 of old."""
_NOTHING: Mapping[str, Collection[int]] = {}
_MEDIA_TYPES = ("image/", "video/", "audio/")


def read_elements(package: Package) -> DeckElements:
    """Everything on and behind the slides of a presentation.

    A damaged part is noted in ``problems`` and the rest is read; a slide whose part is missing
    keeps its place, empty. Raises MissingPart, MalformedPart or TruncatedDeck where there is no
    readable presentation part, UnsupportedFormat where the package is no presentation, and
    LimitExceeded where any part breaks the package's limits.
    """
    root = _presentation(package)
    sheets = Sheets(package, Notes())
    main = sheets.main
    slides = tuple(listed_slides(root, main))
    size = _slide_size(root, main)
    desk = Desk(sheets, size, {part: id for id, part in slides if part})
    sections = read_sections(root)
    read = tuple(_slides(slides, desk, {id: one.name for one in sections for id in one.slides}))
    masters = _masters(root, sheets, slides)
    return DeckElements(
        size_pt=desk.size_pt,
        slides=read,
        layouts=tuple(item for one in masters for item in _layouts(one, desk, slides)),
        masters=tuple(read_template(master, desk) for master in masters),
        themes=tuple(_themes(masters, desk)),
        sections=sections,
        shows=read_shows(root, main, slides),
        media=_media(desk),
        properties=read_properties(main),
        default_text=default_text(root, Look() if not masters else masters[0].look, main, desk),
        table_styles=table_styles(sheets.table_styles.defined),
        problems=tuple(sheets.notes.problems),
    )


def read_slides(package: Package, numbers: Collection[int]) -> tuple[SlideElements, ...]:
    """Some slides of a presentation by their 1-based numbers, in the order of the deck.

    Nothing but these slides and what they inherit from is read. Raises what ``read_elements``
    raises, and DeckError where there is no slide of a number.
    """
    root = _presentation(package)
    sheets = Sheets(package, Notes())
    slides = tuple(listed_slides(root, sheets.main))
    _check(package, numbers, len(slides))
    desk = Desk(sheets, _slide_size(root, sheets.main), {part: id for id, part in slides if part})
    named = {id: one.name for one in read_sections(root) for id in one.slides}
    return tuple(_slides(slides, desk, named, numbers))


def read_part_of_deck(
    package: Package,
    numbers: Collection[int],
    *,
    layouts: Collection[str] = (),
    masters: Collection[str] = (),
    without: Mapping[str, Collection[int]] = _NOTHING,
    templates: dict[str, Sheet] | None = None,
) -> DeckElements:
    """A presentation with no other slides than those of some 1-based numbers.

    Of the layouts and masters behind these slides there are only names, as of the masters in the
    parts ``masters``; but the layouts in the parts ``layouts``, and their masters, are there in
    full. Shapes directly on a slide whose ids ``without`` lists by the slide's part are left out,
    groups with their members. There are no media. ``templates`` holds, by part, layouts and masters
    that were read before, from a package that holds the same ones; those read here are added.
    Raises what ``read_slides`` raises.
    """
    root = _presentation(package)
    sheets = Sheets(package, Notes(), {} if templates is None else dict(templates))
    main = sheets.main
    slides = tuple(listed_slides(root, main))
    _check(package, numbers, len(slides))
    desk = Desk(sheets, _slide_size(root, main), {part: id for id, part in slides if part})
    sections = read_sections(root)
    named = {id: one.name for one in sections for id in one.slides}
    read = tuple(_slides(slides, desk, named, numbers, without))
    behind = _behind(read, sheets, layouts)
    full = {*layouts, *(one.parent.source.part for one in behind if one.parent is not None)}
    above = dict.fromkeys(
        (
            *(one.parent for one in behind if one.parent is not None),
            *(sheets.sheet(part, "master") for part in masters),
        )
    )
    if templates is not None:
        templates.update({one.source.part: one for one in (*behind, *above)})
    every = [
        read_template(one, desk) if layouts and one.source.part in full
        else named_template(one, desk)
        for one in (*behind, *above)
    ]  # fmt: skip
    return DeckElements(
        size_pt=desk.size_pt,
        slides=read,
        layouts=tuple(one for one in every if one.kind == "layout"),
        masters=tuple(one for one in every if one.kind == "master"),
        themes=tuple(_themes(tuple(above), desk)),
        sections=sections,
        shows=read_shows(root, main, slides),
        properties=read_properties(main),
        problems=tuple(sheets.notes.problems),
    )


def _check(package: Package, numbers: Iterable[int], count: int) -> None:
    for number in sorted(numbers):
        if not 1 <= number <= count:
            raise DeckError(package.label, f"there is no slide {number}; the deck has {count}")


def _behind(
    slides: Iterable[SlideElements], sheets: Sheets, layouts: Collection[str]
) -> tuple[Sheet, ...]:
    """The layouts of slides, and those in some parts, as far as they have masters."""
    parts = dict.fromkeys((*(one.layout_part for one in slides if one.layout_part), *layouts))
    found = (sheets.sheet(part, "layout") for part in parts)
    return tuple(one for one in found if one.parent is not None)


def _presentation(package: Package) -> Xml:
    main = package.main_part
    root = package.xml(main)
    if root.tag != qn("p:presentation"):
        content_type = package.content_type(main)
        if content_type in MAIN_CONTENT_TYPES:
            raise MalformedPart(package.label, "it is no presentation inside", main)
        raise UnsupportedFormat(package.label, f"no presentation but {content_type}", main)
    return root


def _slides(
    listed: tuple[tuple[int, str], ...],
    desk: Desk,
    sections: dict[int, str],
    only: Collection[int] | None = None,
    without: Mapping[str, Collection[int]] = _NOTHING,
) -> Iterator[SlideElements]:
    authors = read_authors(desk)
    for number, (id, part) in enumerate(listed, start=1):
        if only is not None and number not in only:
            continue
        if not part:
            yield missing_slide(number, id, desk)
            continue
        sheet = desk.sheets.sheet(part, "slide")
        if part in without and sheet.tree is not None:
            _leave_out(sheet.tree, without[part])
        yield read_slide(sheet, desk, number=number, id=id, sections=sections, authors=authors)


def _leave_out(tree: Xml, ids: Collection[int]) -> None:
    for element in tuple(shape_elements(tree)):
        name, holder = shape_name(element), element.getparent()
        if name is not None and parse_int(name.get("id")) in ids and holder is not None:
            holder.remove(element)


def _masters(root: Xml, sheets: Sheets, slides: tuple[tuple[int, str], ...]) -> tuple[Sheet, ...]:
    """The masters that the deck lists, then any others that its slides use."""
    parts: dict[str, None] = {}
    for item in root.iterfind(f"{qn('p:sldMasterIdLst')}/*"):
        part = sheets.main.linked_part(item)
        if part is not None:
            parts[part] = None
    for _id, slide in slides:
        sheet = sheets.sheet(slide, "slide") if slide else None
        while sheet is not None:
            if sheet.kind == "master":
                parts[sheet.source.part] = None
            sheet = sheet.parent
    return tuple(sheets.sheet(part, "master") for part in parts)


def _layouts(
    master: Sheet, desk: Desk, slides: tuple[tuple[int, str], ...]
) -> Iterator[TemplateElements]:
    """The layouts that a master lists, then any others of it that slides use."""
    used: dict[str, Sheet] = {}
    for _id, slide in slides:
        layout = desk.sheets.sheet(slide, "slide").parent if slide else None
        if layout is not None and layout.parent is master:
            used[layout.source.part] = layout
    listed = () if master.root is None else master.root.iterfind(f"{qn('p:sldLayoutIdLst')}/*")
    parts = dict.fromkeys(part for item in listed if (part := master.source.linked_part(item)))
    for part in parts | dict.fromkeys(used):
        if part in used:
            yield read_template(used[part], desk)
        else:
            yield unused_layout(master.source.of(part), master, desk)


def _themes(masters: tuple[Sheet, ...], desk: Desk) -> Iterator[ThemeElements]:
    seen: set[str] = set()
    for master in masters:
        theme, part = master.look.theme, master.source.related("theme")
        if part is None or part in seen:
            continue
        seen.add(part)
        yield ThemeElements(
            part=part,
            name=desk.theme_name(master),
            colors=dict(theme.colors),
            major=theme.major.latin,
            minor=theme.minor.latin,
            major_east_asian=theme.major.east_asian,
            minor_east_asian=theme.minor.east_asian,
            major_complex_script=theme.major.complex_script,
            minor_complex_script=theme.minor.complex_script,
            formats=theme_formats(theme),
        )


def _media(desk: Desk) -> tuple[MediaPart, ...]:
    """The images, sounds and videos of the package, by content."""
    found: dict[str, MediaPart] = {}
    for name in sorted(desk.package.names):
        content_type = desk.package.content_type(name) or ""
        digest = desk.sha256(name) if content_type.startswith(_MEDIA_TYPES) else None
        if digest is None:
            continue
        known = found.get(digest)
        parts = (name,) if known is None else (*known.parts, name)
        size = desk.package.archive.size(name)
        found[digest] = MediaPart(sha256=digest, content_type=content_type, size=size, parts=parts)
    return tuple(found[digest] for digest in sorted(found))


def _slide_size(root: Xml, main: Source) -> tuple[int, int]:
    stated = root.find(qn("p:sldSz"))
    width = None if stated is None else parse_emu(stated.get("cx"))
    height = None if stated is None else parse_emu(stated.get("cy"))
    if not width or not height or width < 0 or height < 0:
        if stated is not None:
            main.notes.add(main.part, "the slide size is no size; 10 by 7.5 inches are taken")
        return _DEFAULT_SIZE
    return width, height
