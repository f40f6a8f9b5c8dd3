"""Reads a presentation package: its elements and its outline."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from decklab.core.errors import DeckError, MalformedPart, UnsupportedFormat
from decklab.deck.comments import read_authors
from decklab.deck.model.outline import DeckOutline
from decklab.deck.model.slide import DeckElements, SlideElements, TemplateElements
from decklab.deck.part import ReadingLog, Source
from decklab.deck.presentation import (
    layouts_of,
    listed_slides,
    masters_of,
    read_media_parts,
    read_properties,
    read_sections,
    read_shows,
    read_themes,
    slide_size,
)
from decklab.deck.shapes import ShapeNode, walk_shapes
from decklab.deck.sheets import DeckReading, Sheet
from decklab.deck.slides import named_template, read_slide, read_template, unused_layout
from decklab.deck.styles.definitions import default_text, table_styles
from decklab.deck.styles.themes import MappedTheme
from decklab.deck.views.outline import OutlineShapes, outline_of
from decklab.ooxml.package import Package
from decklab.ooxml.xml import MAIN_CONTENT_TYPES, qn

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
    root = package.xml(main)
    if root.tag != qn("p:presentation"):
        content_type = package.content_type(main)
        if content_type in MAIN_CONTENT_TYPES:
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
    an empty slide at its place. Raises MissingPart, MalformedPart or TruncatedDeck where the
    presentation part or its relationships cannot be read, UnsupportedFormat where the package is
    no presentation, and LimitExceeded where any part breaks the package's limits.
    """
    with open_reading(package) as reading:
        return outline_of(reading, OutlineShapes())


def read_elements(package: Package) -> DeckElements:
    """Everything on the slides, layouts and masters of a presentation.

    A damaged part is noted in ``problems`` and the rest is read; a slide whose part is damaged is
    an empty slide at its place. Raises MissingPart, MalformedPart or TruncatedDeck where the
    presentation part or its relationships cannot be read, UnsupportedFormat where the package is
    no presentation, and LimitExceeded where any part breaks the package's limits.
    """
    with open_reading(package) as reading:
        return _elements(reading, walk_shapes)


def read_slides(package: Package, numbers: Collection[int]) -> tuple[SlideElements, ...]:
    """Some slides of a presentation by their 1-based numbers, in the order of the deck.

    Nothing but these slides and what they inherit from is read. Raises what ``read_elements``
    raises, and DeckError where there is no slide of a number.
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
