"""Copies of a deck with some of its slides, converted to PDF, and their pages in the cache.

Drawing the slides of a deck apart, where LibreOffice dies on the whole of it.
"""

import json
import math
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pypdfium2

from decklab.core.errors import RendererDied, RenderError, RenderFailed, RenderTimeout
from decklab.core.files import scratch_folder
from decklab.core.result_store import code_stamp
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.parts import (
    CONTENT_TYPES_PART,
    Relationship,
    read_relationships,
    relationships_part,
)
from decklab.ooxml.slide_list import listing_only, presentation_only, slide_entries
from decklab.ooxml.xml import NAMESPACES, Element, parse_xml, qn, relationship_type, serialize_xml
from decklab.rendering.office import DrawsOnce
from decklab.rendering.pdf import PDF_ENGINE, PageOptions
from decklab.rendering.pictures import (
    RenderedSlide,
    TextSource,
    TextSpan,
    look_key,
    plain_spans,
    spans_of,
)
from decklab.rendering.renderer import Cache, Renderer, cache_key
from decklab.rendering.slide_keys import SlideKeys

_TEXT = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="text"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
    '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="457200"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
    "<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>text</a:t></a:r></a:p></p:txBody></p:sp>"
)
_SLIDE = (
    '<p:sld xmlns:a="{a}" xmlns:p="{p}" showMasterSp="0"><p:cSld><p:bg><p:bgPr><a:solidFill>'
    '<a:srgbClr val="FFFFFF"/></a:solidFill><a:effectLst/></p:bgPr></p:bg><p:spTree><p:nvGrpSpPr>'
    '<p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{shapes}'
    "</p:spTree></p:cSld></p:sld>"
)


@dataclass(frozen=True)
class BlankSlide:
    """A blank slide: its layout, and whether it has text that is never shrunk."""

    layout: str
    plain: bool


def blank_slides_for(keys: SlideKeys, numbers: Collection[int]) -> dict[int, BlankSlide]:
    """The blank slides that a copy with the slides ``numbers`` needs, by the number they replace.

    Slides whose text may shrink get a first slide on their layout, one with plain text, and the
    slide just before them, if the deck has these (see ``Precedents``); slides that show their
    number get all slides before them.
    """
    precedents = keys.precedents
    wanted, plain = set[int](), set[int]()
    last_numbered = max((n for n in numbers if keys.fields(n).numbered), default=0)
    for number in numbers:
        if precedents.shrinks(number):
            wanted |= {precedents.first_alike(number), max(1, number - 1)}
            if precedents.first_plain < number:
                plain.add(precedents.first_plain)
    fillers = set(range(1, last_numbered))
    blanks: dict[int, BlankSlide] = {}
    layout = ""
    for number in sorted(wanted | plain | fillers | set(numbers)):
        if number in wanted or number in numbers or not layout:
            layout = precedents.layouts[number - 1] or layout
        if number not in numbers:
            blanks[number] = BlankSlide(layout, number in plain)
    return blanks


def blank_slide(plain: bool) -> bytes:
    """The part of a slide that shows nothing or, where ``plain``, one word."""
    shapes = _TEXT if plain else ""
    return _SLIDE.format(a=NAMESPACES["a"], p=NAMESPACES["p"], shapes=shapes).encode()


JUMP = "hlinksldjump"
"""Action of links to slides: LibreOffice 7.4 crashes where such a slide is not in the deck."""

_ELSEWHERE = "https://example.invalid/"
_LINKS = tuple(qn(f"a:{name}") for name in ("hlinkClick", "hlinkHover", "hlinkMouseOver"))


def can_write_partial_copy(keys: SlideKeys, numbers: Collection[int]) -> bool:
    """Whether a copy can show these slides as the whole deck does: they and the blank slides in
    the copy need a layout."""
    distinct = len(set(keys.slides)) == len(keys)
    foreign = any(keys.fields(number).foreign for number in numbers)
    if not distinct or foreign or not all(keys.precedents.layouts[n - 1] for n in numbers):
        return False
    return all(blank.layout for blank in blank_slides_for(keys, numbers).values())


def write_partial_copy(
    package: Package, keys: SlideKeys, numbers: Collection[int], target: Path
) -> dict[int, int]:
    """Write a deck that shows the slides ``numbers`` and returns the page of each, from 0.

    Blank slides replace earlier ones that make a difference: where a slide's number is drawn, for
    all before it. Links to slides get another target; sections, custom shows, notes, the deck's
    properties, which kill LibreOffice 7.4 if they are damaged, and all parts that only other slides
    use are left out. ``can_write_partial_copy`` must be True.
    """
    stand_ins = blank_slides_for(keys, numbers)
    shown = sorted({*numbers, *stand_ins})
    changed = _listing(package, shown) | presentation_only(package)
    for number, blank in stand_ins.items():
        changed.update(_as_blank(package, keys.slides[number - 1], blank))
    slides = [keys.slides[number - 1] for number in numbers]
    layouts = {keys.precedents.layouts[number - 1] for number in numbers}
    layouts |= {blank.layout for blank in stand_ins.values()}
    masters = {name for layout in layouts for name in package.related(layout, "slideMaster")}
    for part in (*slides, *sorted(layouts | masters)):
        changed.update(_without_slide_links(package, part))
    write_package(package, target, replace=changed, remove=_unused(package, changed))
    return {number: shown.index(number) for number in numbers}


def write_bare_copy(package: Package, target: Path) -> None:
    """Write a deck with all slides, but without properties and thumbnail."""
    changed = presentation_only(package)
    write_package(package, target, replace=changed, remove=_unused(package, changed))


def _listing(package: Package, numbers: Collection[int]) -> dict[str, bytes]:
    """The presentation part and its relationships, with only the slides ``numbers``."""
    main = package.main_part
    links = package.find(relationships_part(main)) or ""
    shown = [entry for entry in slide_entries(package) if entry.number in numbers]
    wanted = {entry.link for entry in shown}
    root, listed = listing_only(package, {entry.part for entry in shown}), package.xml(links)
    for item in list(listed):
        if (item.get("Type") or "").endswith("/slide") and item.get("Id") not in wanted:
            listed.remove(item)
    return {main: serialize_xml(root), links: serialize_xml(listed)}


def _unused(package: Package, changed: Mapping[str, bytes]) -> list[str]:
    """The parts that no relationship leads to after the parts ``changed`` are changed."""
    used = {CONTENT_TYPES_PART}
    waiting = [""]
    while waiting:
        part = waiting.pop()
        if (links := package.find(relationships_part(part))) is None:
            continue
        used.add(links)
        links_of_part = _links(package, part, changed.get(links))
        targets = {package.find(link.target) for link in links_of_part if not link.external}
        fresh = {name for name in targets if name is not None and name not in used}
        used |= fresh
        waiting += fresh
    return [name for name in package.names if name not in used]


def _links(package: Package, part: str, changed: bytes | None) -> Iterable[Relationship]:
    if changed is None:
        return package.relationships(part).values()
    root = parse_xml(changed, path=package.label, part=relationships_part(part))
    return read_relationships(part, root).values()


def _as_blank(package: Package, slide: str, blank: BlankSlide) -> dict[str, bytes]:
    kind = relationship_type("slideLayout")
    link = f'<Relationship Id="rId1" Type="{kind}" Target="/{blank.layout}"/>'
    links = f'<Relationships xmlns="{NAMESPACES["rel"]}">{link}</Relationships>'
    name = package.find(relationships_part(slide)) or ""
    return {slide: blank_slide(blank.plain), name: links.encode()}


def _without_slide_links(package: Package, part: str) -> dict[str, bytes]:
    """The part and its relationships, where they change because links to slides and notes go.

    A link to a slide becomes a link with another target, which looks the same.
    """
    if (links := package.find(relationships_part(part))) is None:
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
    """Replace links to slides by plain ones and return the ids of their relationships."""
    for link in root.iter(*_LINKS):
        if JUMP in (link.get("action") or ""):
            del link.attrib["action"]
            yield link.get(qn("r:id")) or ""


@dataclass(frozen=True)
class CachedPage:
    """One page of a PDF."""

    name: str
    """The cache's key of the PDF."""
    pdf: bytes
    page: int
    """From 0."""


def cached_pages(cache: Cache, keys: Iterable[str]) -> dict[str, CachedPage]:
    """The cached pages of slides with these keys."""
    pdfs: dict[str, bytes | None] = {}
    pages = {}
    for key, entry in cache.results.get(list(dict.fromkeys(keys))).items():
        if (place := _place(entry)) is None:
            continue
        name, page = place
        if name not in pdfs:
            pdfs[name] = cache.get(name)
        if (pdf := pdfs[name]) is not None:
            pages[key] = CachedPage(name, pdf, page)
    return pages


def cache_pages(cache: Cache, name: str, pdf: bytes, pages: Mapping[str, int]) -> None:
    """Store a PDF under ``name``, and under each slide's key the page that shows the slide."""
    if cache.put(name, pdf):
        cache.results.put(
            {key: json.dumps({"pdf": name, "page": page}).encode() for key, page in pages.items()}
        )


def _place(entry: bytes) -> tuple[str, int] | None:
    try:
        stored: Any = json.loads(entry)
    except ValueError:
        return None
    if not isinstance(stored, dict):
        return None
    name, page = stored.get("pdf"), stored.get("page")
    return (name, page) if isinstance(name, str) and isinstance(page, int) else None


class KeptTexts:
    """The laid-out texts of slides that were drawn before, by the keys of the slides' pictures in
    ``options``, which are 1-based."""

    def __init__(self, keys: Mapping[int, str], options: PageOptions) -> None:
        read = options.read_picture is not None
        facts = {"text of": options.size, "by": [PDF_ENGINE, code_stamp()], "read": read}
        self._keys = {number: cache_key(key.encode(), facts) for number, key in keys.items()}
        self._results = options.results
        self._known = {} if self._results is None else self._results.get([*self._keys.values()])
        self._fresh: dict[str, bytes] = {}

    def of(self, number: int) -> tuple[tuple[TextSpan, ...], TextSource, str] | None:
        """The text of a slide, its source and the slide's key; None if none was kept."""
        if (known := self._known.get(self._keys[number])) is None:
            return None
        spans, source, key = json.loads(known)
        return spans_of(spans), source, key

    def add(self, slide: RenderedSlide) -> RenderedSlide:
        """Remember the text of a slide that was drawn; gives the slide with its key."""
        slide = replace(slide, key=look_key(slide))
        text = json.dumps([plain_spans(slide.spans), slide.text_source, slide.key]).encode()
        name = self._keys[slide.number]
        self._known[name] = self._fresh[name] = text
        return slide

    def keep(self) -> None:
        """Keep what was added."""
        if self._results is not None:
            self._results.put(self._fresh)
        self._fresh = {}


MOST = 0.5  # ours: with more than this share of slides unknown, the whole deck costs no more


@dataclass(frozen=True)
class ConvertedPages:
    """A PDF, the cache's key of it, and the page, from 0, of each slide that is in it."""

    name: str
    pdf: bytes
    places: Mapping[int, int]


def convert_missing(
    package: Package, keys: SlideKeys, unknown: list[int], renderer: Renderer
) -> ConvertedPages | None:
    """The slides ``unknown``, at least one, converted alone or with all others.

    ``renderer`` is started, with a cache. None if LibreOffice finds another number of slides
    than the deck lists. The PDF of a whole deck is stored where ``open_rendered`` looks for it, and
    taken from there, except if any slide shows a date, which may have passed. Raises RenderError
    if the deck cannot be drawn.
    """
    if len(unknown) <= MOST * len(keys) and can_write_partial_copy(keys, unknown):
        drawn = _convert_copy(package, keys, unknown, renderer)
        if drawn is not None:
            return drawn
    name = cache_key(package.path.read_bytes(), renderer.facts(package.path))
    places = {number: number - 1 for number in range(1, len(keys) + 1)}
    dated = any(keys.fields(number).dated for number in places)
    if (pdf := None if dated else renderer.store.get(name)) is None:
        pdf = renderer.converter.pdf(package.path)
    if page_count(pdf) == len(places):
        return ConvertedPages(name, pdf, places)
    renderer.store.put(name, pdf)
    return None


def _convert_copy(
    package: Package, keys: SlideKeys, numbers: list[int], renderer: Renderer
) -> ConvertedPages | None:
    """None if LibreOffice refuses the copy, or draws another number of slides."""
    with scratch_folder("office") as room:
        copy = room / f"deck{package.path.suffix}"
        places = write_partial_copy(package, keys, numbers, copy)
        name = cache_key(copy.read_bytes(), renderer.facts(package.path))
        try:
            pdf = renderer.converter.pdf(copy)
        except RenderFailed:
            return None
    return (
        ConvertedPages(name, pdf, places) if page_count(pdf) == max(places.values()) + 1 else None
    )


def page_count(pdf: bytes) -> int:
    """The number of pages of a PDF; 0 if it cannot be read."""
    try:
        document = pypdfium2.PdfDocument(pdf)
    except pypdfium2.PdfiumError:
        return 0
    count = len(document)
    document.close()
    return count


MOST_DEATHS = 5
"""So often LibreOffice may die, or take too long, in copies of one deck; it did so twice on the
whole deck before. Ours."""

MOST_SECONDS = 240.0
"""No copy is started later than this after the first one. Ours."""

_DEADLY = "LibreOffice dies on it"
_SLOW = "LibreOffice does not finish it"
_WHOLE_ONLY = "LibreOffice fails on the whole deck, and a copy cannot show this slide as it is"


@dataclass
class SlidesApart:
    """Slides that were drawn apart: their pages and faults, by number."""

    pages: dict[int, CachedPage] = field(default_factory=dict)
    faults: dict[int, str] = field(default_factory=dict)
    """Why a slide has no page."""
    unlisted: str = ""
    """Why no slide could be drawn apart: the part that cannot be read."""

    @property
    def summary(self) -> str:
        """One line that names the slides of each fault: ``slide 7: LibreOffice dies on it``."""
        numbers: dict[str, list[int]] = {}
        for number, fault in sorted(self.faults.items()):
            numbers.setdefault(fault, []).append(number)
        return self.unlisted or "; ".join(
            f"slide{'s' * (len(group) > 1)} {', '.join(map(str, group))}: {fault}"
            for fault, group in numbers.items()
        )


def draw_apart(
    package: Package, keys: SlideKeys, numbers: Sequence[int], renderer: Renderer
) -> SlidesApart:
    """Draw the slides ``numbers`` in small copies of the deck, and find those that cannot be drawn.

    ``renderer`` is started. Copies hold about the square root of the number of slides each; the
    slides of a copy that fails are drawn one by one. Slides that are left when LibreOffice has died
    ``MOST_DEATHS`` times, or ``MOST_SECONDS`` have passed, are not tried. If a small copy cannot
    show some of the slides as the deck does, all are drawn in one without the deck's properties; if
    that fails, these slides are not drawn. Both are empty if these are all.
    """
    done = SlidesApart()
    whole_only = []
    if not can_write_partial_copy(keys, numbers):
        whole_only = [n for n in numbers if not can_write_partial_copy(keys, [n])]
    if whole_only:
        with suppress(RenderError):
            return SlidesApart(_pages_of(package, keys, numbers, renderer, whole=True))
    if not (numbers := [n for n in numbers if n not in whole_only]):
        return done
    done.faults.update(dict.fromkeys(whole_only, _WHOLE_ONLY))
    share = math.ceil(math.sqrt(len(numbers)))
    waiting = [list(numbers[at : at + share]) for at in range(0, len(numbers), share)]
    end, deaths = time.monotonic() + MOST_SECONDS, 0
    while waiting:
        group = waiting.pop(0)
        if deaths >= MOST_DEATHS or time.monotonic() > end:
            left = "not tried, because LibreOffice failed too often on other slides"
            done.faults.update(dict.fromkeys(group, left))
            continue
        try:
            done.pages.update(_pages_of(package, keys, group, renderer))
        except RenderError as error:
            died = isinstance(error, (RendererDied, RenderTimeout))
            deaths += died
            if len(group) > 1:
                waiting = [[number] for number in group] + waiting
            else:
                done.faults[group[0]] = _fault(error)
    return done


def _fault(error: RenderError) -> str:
    if isinstance(error, RenderTimeout):
        return _SLOW
    return _DEADLY if isinstance(error, RendererDied) else error.detail


def _pages_of(
    package: Package,
    keys: SlideKeys,
    numbers: Sequence[int],
    renderer: Renderer,
    *,
    whole: bool = False,
) -> dict[int, CachedPage]:
    """The pages of slides in one copy, drawn at the first try; raises RenderError."""
    converter = renderer.converter
    with scratch_folder("office") as room:
        copy = room / f"deck{package.path.suffix}"
        if whole:
            write_bare_copy(package, copy)
            places = {number: number - 1 for number in range(1, len(keys) + 1)}
        else:
            places = write_partial_copy(package, keys, numbers, copy)
        name = cache_key(copy.read_bytes(), renderer.facts(package.path))
        draw = converter.pdf_once if isinstance(converter, DrawsOnce) else converter.pdf
        pdf = draw(copy)
    if page_count(pdf) != max(places.values()) + 1:
        raise RenderError(package.path, "LibreOffice draws another number of slides")
    return {number: CachedPage(name, pdf, places[number]) for number in numbers}
