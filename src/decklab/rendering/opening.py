"""Open a deck of any kind as drawn slides."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from decklab.core.errors import DeckError, RendererDied, RenderError, RenderFailed, RenderTimeout
from decklab.ooxml.package import Package, sniff
from decklab.ooxml.signatures import FileKind
from decklab.rendering.html import DEADLINE_SECONDS, HtmlDeck
from decklab.rendering.incremental.copies import (
    CachedPage,
    SlidesApart,
    cache_pages,
    cached_pages,
    convert_missing,
    draw_apart,
)
from decklab.rendering.incremental.keys import SlideKeys
from decklab.rendering.pdf import PAGE_SECONDS, PDF_ENGINE, PageOptions, PdfDeck
from decklab.rendering.pictures import (
    IMAGE_SUFFIXES,
    DeckKind,
    ImageDeck,
    RenderedDeck,
    RenderedSlide,
    TextLayer,
    can_read_pictures,
    picture_spans,
)
from decklab.rendering.renderer import Cache, Renderer, content_of

DECK_SUFFIXES = frozenset(
    (
        *(".pptx", ".potx", ".ppsx", ".pptm", ".potm", ".ppsm", ".odp", ".otp"),
        *(".ppt", ".pot", ".pps"),
        *(".pdf", ".html", ".htm"),
        *IMAGE_SUFFIXES,
    )
)
"""Suffixes of decks, in lower case, with their dot; how a file is opened depends on its content."""

_KINDS: dict[FileKind, DeckKind] = {
    FileKind.PPTX: "office",
    FileKind.ODP: "office",
    FileKind.PPT: "office",
    FileKind.PDF: "pdf",
    FileKind.IMAGE: "images",
    FileKind.HTML: "html",
}


def deck_kind(path: str | Path) -> DeckKind:
    """The kind of a deck: a folder holds pictures, the kind of a file follows from its content.

    Raises DeckError (of a kind) if the file is no deck, encrypted, damaged or not there.
    """
    path = Path(path)
    return "images" if path.is_dir() else _KINDS[sniff(path)]


DeadlySlides = Literal["named", "left out", "not looked for"]
"""What to do about a .pptx that LibreOffice dies on, or does not finish. Its slides are drawn
apart; if some cannot be drawn either: fail with an error that names them, or leave them out. Or
fail at once."""


def open_rendered(
    path: str | Path,
    *,
    renderer: Renderer | None = None,
    size: tuple[int, int] = (1280, 720),
    ocr: bool = True,
    expected_slides: int | None = None,
    deadly: DeadlySlides = "named",
) -> RenderedDeck:
    """A deck of any kind as drawn slides, each made when it is asked for.

    ``renderer`` draws it; the renderer's cache stores the PDFs of office decks. Slides are drawn as
    large as ``size`` (width, height) allows in their own proportions. With ``ocr``, pictures and
    pages without any laid-out text have their text regions found in the picture.
    ``expected_slides`` is the number of slides that the file holds: LibreOffice draws one blank
    page for a deck that has none. With ``deadly="left out"`` a .pptx of which some slides cannot be
    drawn, or a folder of which some pictures cannot be read, gives the others, and why in
    ``faults``; only one without any other slide raises.

    Raises DeckError (of a kind) if the file cannot be read and RenderError if it cannot be
    drawn: its text names the slides of a .pptx that LibreOffice dies on, or does not finish.
    """
    path = Path(path)
    kind = deck_kind(path)
    renderer = renderer or Renderer()
    options = _page_options(renderer, size, ocr=ocr)
    if kind == "office":
        with renderer.started() as started:
            engine = f"{started.converter.engine}, {PDF_ENGINE}"
            try:
                content = started.pdf(path)
            except (RendererDied, RenderTimeout) as error:
                if deadly == "not looked for":
                    raise
                pages, apart = _apart(path, started)
                drawn = 0 if pages is None else len(pages.pages)
                if pages is None or drawn < (pages.count if deadly == "named" else 1):
                    raise _naming(error, apart) from None
                return IncrementalDeck(path, pages, engine=engine, options=options)
        return PdfDeck(
            path, content, kind="office", engine=engine, pages=expected_slides, options=options
        )
    if kind == "pdf":
        return PdfDeck(path, content_of(path), options=options)
    if kind == "html":
        return HtmlDeck(path, size=size, deadline=renderer.deadline or DEADLINE_SECONDS)
    return ImageDeck(
        path, size=size, read_picture=options.read_picture, leave_out=deadly == "left out"
    )


def _apart(path: Path, renderer: Renderer) -> tuple["SlidePages | None", SlidesApart]:
    """The slides of a deck from the cache or drawn apart; None if they cannot be listed."""
    try:
        if sniff(path) is not FileKind.PPTX:
            return None, SlidesApart()
        with Package.open(path) as package:
            keys = SlideKeys(package, renderer.facts(path))
            names = {number: keys.of(number) for number in range(1, len(keys) + 1)}
            cache = renderer.cache
            known = {} if cache is None else cached_pages(cache, names.values())
            pages = {number: known[name] for number, name in names.items() if name in known}
            apart = draw_apart(package, keys, [n for n in names if n not in pages], renderer)
    except DeckError as error:
        cause = f"{error.part}: {error.detail}" if error.part else error.detail
        return None, SlidesApart(unlisted=cause)
    return _with_apart(SlidePages(len(keys), pages, names, frozenset()), apart, cache), apart


def _naming(error: RenderError, apart: SlidesApart) -> RenderError:
    """The same kind of error, whose text also names the slides that cannot be drawn."""
    if not apart.summary:
        return error
    return type(error)(error.path, f"{error.detail} ({apart.summary})")


def _page_options(renderer: Renderer, size: tuple[int, int], *, ocr: bool) -> PageOptions:
    reader = picture_spans if ocr and can_read_pictures() else None
    return PageOptions(size, reader, renderer.deadline or PAGE_SECONDS)


@dataclass(frozen=True)
class SlidePages:
    """Where the slides of a deck are drawn."""

    count: int
    """Of all slides of the deck; the other fields are of the requested slides, by number."""
    pages: Mapping[int, CachedPage]
    keys: Mapping[int, str]
    fresh: frozenset[int]
    """Numbers of the slides that LibreOffice drew now."""
    faults: Mapping[int, str] = field(default_factory=dict)
    """Why a requested slide has no page."""


class IncrementalDeck(RenderedDeck):
    """Slides that are pages of PDFs, each drawn when it is requested.

    ``len`` counts the slides of the deck; ``numbers`` are the requested slides, in order; iteration
    gives only these. ``keys`` has the key of each one's picture, by number: slides of equal keys
    look the same at the same size, so a result for a slide can be stored under its key, and two
    decks can be compared without drawing them. ``fresh`` holds the numbers of the slides that
    LibreOffice drew for this opening; all others were in the cache. ``faults`` are of requested
    slides.
    """

    def __init__(
        self, path: str | Path, pages: SlidePages, *, engine: str, options: PageOptions
    ) -> None:
        self.path = Path(path)
        self.kind = "office"
        self.engine = engine
        self.keys = dict(pages.keys)
        self.fresh = pages.fresh
        self.faults = dict(pages.faults)
        self.numbers = tuple(sorted(pages.pages))
        self._count = pages.count
        self._pages = dict(pages.pages)
        self._options = options
        self._open: dict[str, PdfDeck] = {}
        self.slide_size_pt = self._first_size()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[RenderedSlide]:
        return (self.slide(number) for number in self.numbers)

    def slide(self, number: int) -> RenderedSlide:
        """Draw one slide; raises IndexError if there is none or it was not requested,
        RenderFailed if its page is damaged or LibreOffice cannot draw it, RenderTimeout past
        its deadline."""
        pdf, page = self._place(number)
        return replace(pdf.slide(page), number=number)

    def layers(self, number: int) -> list[TextLayer]:
        """One slide with and without its text: see ``page_layers``."""
        pdf, page = self._place(number)
        return pdf.layers(page)

    @property
    def fonts(self) -> tuple[str, ...]:
        """PostScript names of the fonts that visible text is drawn in, sorted."""
        places = [self._place(number) for number in self.numbers]
        names = {span.font for pdf, page in places for span in pdf.spans(page)}
        return tuple(sorted(names - {""}))

    def close(self) -> None:
        """Close the PDFs; drawing a slide opens its PDF again."""
        for pdf in self._open.values():
            pdf.close()
        self._open.clear()

    def _place(self, number: int) -> tuple[PdfDeck, int]:
        """The PDF that a slide is in, and its 1-based page there."""
        self._check(number)
        if number in self.faults:
            raise RenderFailed(self.path, f"slide {number}: {self.faults[number]}")
        if number not in self._pages:
            raise IndexError(f"slide {number} of {self.path} was not asked for")
        place = self._pages[number]
        if place.name not in self._open:
            self._open[place.name] = PdfDeck(
                self.path, place.pdf, kind="office", engine=self.engine, options=self._options
            )
        return self._open[place.name], place.page + 1

    def _first_size(self) -> tuple[float, float]:
        """All slides of a deck have one size."""
        return self._place(self.numbers[0])[0].slide_size_pt if self.numbers else (0.0, 0.0)


def open_incremental(
    path: str | Path,
    *,
    renderer: Renderer | None = None,
    slides: Iterable[int] | None = None,
    size: tuple[int, int] = (1280, 720),
    ocr: bool = True,
    now: datetime | None = None,
) -> RenderedDeck:
    """A deck as drawn slides, of which LibreOffice draws only those that the cache lacks.

    Slides look as ``open_rendered`` shows them. The first time the whole deck is drawn, and its
    pages are stored under the keys of its slides (see :class:`SlideKeys`); later a copy with only
    the missing slides is drawn. With ``slides``, 1-based numbers, only these slides are drawn and
    available; numbers that the deck does not have are ignored.

    Where LibreOffice dies on a .pptx, or does not finish it, its slides are drawn apart
    (:func:`draw_apart`): those that cannot be drawn are the ``faults`` of the deck, and only a deck
    without any other slide raises.

    Returns an :class:`IncrementalDeck` for a .pptx, which reports what was drawn; decks of other
    kinds, and damaged ones whose slides cannot be listed, are opened by ``open_rendered``. ``now``
    is the time that fields with a date show. Other arguments, and errors raised, are those of
    ``open_rendered``.
    """
    path = Path(path)
    renderer = renderer or Renderer()
    if not path.is_dir() and sniff(path) is FileKind.PPTX:
        with renderer.started(own_cache=True) as started:
            pages = _slide_pages(path, started, None if slides is None else frozenset(slides), now)
            if pages is None:
                return open_rendered(path, renderer=started, size=size, ocr=ocr)
            engine = f"{started.converter.engine}, {PDF_ENGINE}"
        return IncrementalDeck(
            path, pages, engine=engine, options=_page_options(renderer, size, ocr=ocr)
        )
    return open_rendered(path, renderer=renderer, size=size, ocr=ocr)


def _slide_pages(
    path: Path, renderer: Renderer, asked: frozenset[int] | None, now: datetime | None
) -> SlidePages | None:
    """Draw the missing slides; None if the slides of the deck cannot be listed."""
    facts, cache = renderer.facts(path), renderer.store
    try:
        with Package.open(path) as package:
            keys = SlideKeys(package, facts, now=now)
            numbers = range(1, len(keys) + 1)
            names = {n: keys.of(n) for n in numbers if asked is None or n in asked}
            known = cached_pages(cache, names.values())
            pages = {n: known[name] for n, name in names.items() if name in known}
            unknown = [n for n in names if n not in pages]
            if not unknown:
                return SlidePages(len(keys), pages, names, frozenset())
            try:
                drawn = convert_missing(package, keys, unknown, renderer)
            except (RendererDied, RenderTimeout) as error:
                apart = draw_apart(package, keys, unknown, renderer)
                if not apart.pages and not (pages and apart.faults):
                    raise _naming(error, apart) from None
                return _with_apart(SlidePages(len(keys), pages, names, frozenset()), apart, cache)
            if drawn is None:
                return None
            places = {keys.of(n): place for n, place in drawn.places.items()}
            cache_pages(cache, drawn.name, drawn.pdf, places)
    except DeckError:  # LibreOffice may still read it
        return None
    fresh = frozenset(n for n, name in names.items() if name in places)
    pages |= {n: CachedPage(drawn.name, drawn.pdf, places[names[n]]) for n in fresh}
    return SlidePages(len(keys), pages, names, fresh)


def _with_apart(pages: SlidePages, apart: SlidesApart, cache: Cache | None) -> SlidePages:
    """The slides with those that were drawn apart, which are stored in a cache."""
    if cache is not None:
        for number, place in apart.pages.items():
            cache_pages(cache, place.name, place.pdf, {pages.keys[number]: place.page})
    return replace(
        pages, pages={**pages.pages, **apart.pages}, fresh=frozenset(apart.pages),
        faults=apart.faults,
    )  # fmt: skip
