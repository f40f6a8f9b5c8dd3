"""A deck's outline, read from its XML without changing anything."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from decklab.deck.backgrounds import read_background
from decklab.deck.model.outline import DeckOutline, Slide
from decklab.deck.part import Notes, Source
from decklab.deck.roots import shape_tree, slide_colors
from decklab.deck.shapes import Scene, read_shapes
from decklab.deck.styles.colors import ColorScheme
from decklab.deck.styles.themes import Theme
from decklab.deck.templates import Templates, nothing_behind
from decklab.deck.timing import advance_after_ms, animated_shapes, transition_name
from decklab.errors import MalformedPart, UnsupportedFormat
from decklab.ooxml.package import Package
from decklab.ooxml.units import parse_emu, parse_int
from decklab.ooxml.xml import MAIN_CONTENT_TYPES, Element, local_name, qn

_DEFAULT_SIZE = (9_144_000, 6_858_000)
"""Slide size in EMU where the deck states none: 10 by 7.5 inches, the 4:3 of old."""


def read_outline(package: Package) -> DeckOutline:
    """The outline of a presentation package (.pptx, .potx, .ppsx and their macro kinds).

    A damaged part is noted in ``problems`` and the rest is read; a slide whose part is damaged
    or missing stays in its place without shapes. Raises MissingPart, MalformedPart or
    TruncatedDeck where there is no readable presentation part, UnsupportedFormat where the
    package is no presentation, and LimitExceeded where any part breaks the package's limits.
    """
    main = package.main_part
    content_type = package.content_type(main)
    root = package.xml(main)
    if root.tag != qn("p:presentation"):
        if content_type in MAIN_CONTENT_TYPES:
            raise MalformedPart(package.label, "it is no presentation inside", main)
        raise UnsupportedFormat(package.label, f"no presentation but {content_type}", main)
    source = Source(package, main, Notes())
    size = _slide_size(root, source)
    templates = Templates(source, size)
    for part in _listed(root, "p:sldMasterIdLst", source):
        templates.add_master(part)
    slides = _slides(_slide_parts(root, source), templates)
    return DeckOutline(
        path=package.path,
        size_emu=size,
        slides=tuple(slides),
        layouts=tuple(template.outline for template in templates.layouts.values()),
        masters=tuple(template.outline for template in templates.masters.values()),
        problems=tuple(source.notes.problems),
    )


def _slide_size(root: Element, source: Source) -> tuple[int, int]:
    stated = root.find(qn("p:sldSz"))
    if stated is None:
        return _DEFAULT_SIZE
    width, height = parse_emu(stated.get("cx")), parse_emu(stated.get("cy"))
    if not width or not height or width < 0 or height < 0:
        source.notes.add(source.part, "the slide size is no size; 10 by 7.5 inches are taken")
        return _DEFAULT_SIZE
    return width, height


def _listed(root: Element, tag: str, source: Source) -> Iterator[str]:
    """Existing parts that a list of ids leads to, in order."""
    for item in root.iterfind(f"{qn(tag)}/*"):
        part = source.linked_part(item)
        if part is None:
            kind = local_name(str(item.tag))
            source.notes.add(source.part, f"{kind} {item.get(qn('r:id'))} leads to no part")
        else:
            yield part


def _slide_parts(root: Element, source: Source) -> Iterator[tuple[int, str]]:
    """Slide id and part of each slide of the show; the part is empty where it is not there."""
    for item in root.iterfind(f"{qn('p:sldIdLst')}/{qn('p:sldId')}"):
        part = source.linked_part(item)
        id = parse_int(item.get("id")) or 0
        if part is None:
            detail = f"slide {id} ({item.get(qn('r:id'))}) leads to no part"
            source.notes.add(source.part, detail)
        yield id, part or ""


def _slides(listed: Iterable[tuple[int, str]], templates: Templates) -> Iterator[Slide]:
    """The slides in order; a part that is listed again is not read again.

    One that is not there stays as an empty slide, as LibreOffice has it: numbers and pages agree.
    """
    known = {"": Slide(0, "", 0, False, None, (), None, None, None, ())}
    source = templates.source
    for number, (id, part) in enumerate(listed, start=1):
        if part not in known:
            known[part] = _read_slide(number, id, source.of(part), templates)
        else:
            source.notes.spend(1 + len(known[part].shapes), source.package)
        yield replace(known[part], number=number, id=id)


def _read_slide(number: int, id: int, source: Source, templates: Templates) -> Slide:
    layout_part = source.related("slideLayout")
    layout = None if layout_part is None else templates.layout(layout_part)
    if layout is None:
        source.notes.add(source.part, "it has no layout")
    root = source.root()
    if root is None:
        return Slide(number, source.part, id, False, layout_part, (), None, None, None, ())
    colors = ColorScheme() if layout is None else layout.colors
    scene = Scene(
        source=source,
        size_emu=templates.size_emu,
        colors=slide_colors(root, colors),
        behind=nothing_behind if layout is None else layout.behind,
    )
    tree = shape_tree(root)
    if tree is None:
        source.notes.add(source.part, "it has no shape tree")
    return Slide(
        number=number,
        part=source.part,
        id=id,
        hidden=root.get("show") in ("0", "false"),
        layout=layout_part,
        shapes=() if tree is None else tuple(read_shapes(tree, scene)),
        background=read_background(root, source, Theme() if layout is None else layout.theme),
        transition=transition_name(root),
        advances_after_ms=advance_after_ms(root),
        animated=animated_shapes(root),
    )
