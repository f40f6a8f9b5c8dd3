"""Open a deck of any kind as drawn slides."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from glob import glob, has_magic
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import (
    DeckError,
    DecklabError,
    RendererDied,
    RendererMissing,
    RenderError,
    RenderFailed,
    RenderTimeout,
    UnsupportedFormat,
)
from decklab.core.files import scratch_folder
from decklab.core.output_folder import files_below
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements, read_part_of_deck
from decklab.deck.views.drawn import merge_layout
from decklab.ooxml.package import Package, check_archive, sniff
from decklab.ooxml.signatures import IN_WORDS, POWERPOINT, FileKind
from decklab.ooxml.slide_list import slide_entries
from decklab.rendering.html import DEADLINE_SECONDS, HtmlDeck
from decklab.rendering.office_process import find_installation
from decklab.rendering.partial_copies import (
    CachedPage,
    KeptTexts,
    SlidesApart,
    cache_pages,
    cached_pages,
    convert_missing,
    draw_apart,
)
from decklab.rendering.pdf import PAGE_SECONDS, PDF_ENGINE, PageOptions, PdfDeck
from decklab.rendering.pictures import (
    IMAGE_SUFFIXES,
    DeckKind,
    ImageDeck,
    RenderedDeck,
    RenderedSlide,
    TextLayer,
    TextReader,
    can_read_pictures,
    fit,
    kept_picture_spans,
    picture_spans,
)
from decklab.rendering.renderer import Cache, Renderer, content_of
from decklab.rendering.slide_keys import SlideKeys

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
"""The way with a .pptx that LibreOffice dies on, or does not finish. Its slides are drawn apart; if
some cannot be drawn either: fail with an error that names them, or leave them out. Or fail at
once."""


def open_rendered(
    path: str | Path,
    *,
    renderer: Renderer | None = None,
    size: tuple[int, int] = (1280, 720),
    ocr: bool = True,
    deadly: DeadlySlides = "named",
) -> RenderedDeck:
    """A deck of any kind as drawn slides, each made when it is asked for.

    ``renderer`` draws it; the renderer's cache stores the PDFs of office decks, and of a .pptx only
    the slides that the cache lacks are drawn. Slides are drawn as large as ``size`` (width, height)
    allows in their own proportions. With ``ocr``, pictures and pages without any laid-out text have
    their text regions found in the picture. With ``deadly="left out"`` a .pptx of which some slides
    cannot be drawn, or a folder of which some pictures cannot be read, gives the others, and why in
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
            return _open_office(path, started, options, deadly)
    if kind == "pdf":
        return PdfDeck(path, content_of(path), options=options)
    if kind == "html":
        return HtmlDeck(path, size=size, deadline=renderer.deadline or DEADLINE_SECONDS)
    return ImageDeck(
        path, size=size, read_picture=options.read_picture, leave_out=deadly == "left out"
    )


def _open_office(
    path: Path, renderer: Renderer, options: PageOptions, deadly: DeadlySlides
) -> RenderedDeck:
    """A deck that LibreOffice draws, with a started renderer: slide by slide from its cache, or
    whole."""
    if renderer.cache is not None and sniff(path) is FileKind.PPTX:
        pages = _slide_pages(path, renderer, None, None, deadly)
        if pages is not None:
            return IncrementalDeck(path, pages, engine=_engine(renderer), options=options)
    return _open_whole(path, renderer, options, deadly)


def _open_whole(
    path: Path, renderer: Renderer, options: PageOptions, deadly: DeadlySlides
) -> RenderedDeck:
    """A deck that LibreOffice draws as one; its slides apart if that fails."""
    engine = _engine(renderer)
    try:
        content = renderer.pdf(path)
    except (RendererDied, RenderTimeout) as error:
        if deadly == "not looked for":
            raise
        pages, apart = _apart(path, renderer)
        drawn = 0 if pages is None else len(pages.pages)
        if pages is None or drawn < (pages.count if deadly == "named" else 1):
            raise _naming(error, apart) from None
        return IncrementalDeck(path, pages, engine=engine, options=options)
    return PdfDeck(
        path, content, kind="office", engine=engine, pages=_no_pages(path), options=options
    )


def _engine(renderer: Renderer) -> str:
    return f"{renderer.converter.engine}, {PDF_ENGINE}"


def _no_pages(path: Path) -> int | None:
    """0 for a .pptx that lists no slides, of which LibreOffice draws a blank page; None for
    others."""
    try:
        if sniff(path) is not FileKind.PPTX:
            return None
        with Package.open(path) as package:
            return None if slide_entries(package) else 0
    except DeckError:
        return None


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
    reader: TextReader | None = None
    results = None if renderer.cache is None else renderer.cache.results
    if ocr and can_read_pictures():
        reader = partial(kept_picture_spans, results) if results else picture_spans
    return PageOptions(size, reader, renderer.deadline or PAGE_SECONDS, results)


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
    dated: bool = False
    """Whether a requested slide shows the day, or the time of day."""


class IncrementalDeck(RenderedDeck):
    """Slides that are pages of PDFs, each drawn when it is requested.

    ``len`` counts the slides of the deck; ``numbers`` are the requested slides, in order; iteration
    gives only these, and draws a picture only if it is needed. ``keys`` has the key of each one's
    picture, by number: slides of equal keys look the same at the same size, so a result for a slide
    can be stored under its key, and two decks can be compared without drawing them; ``dated`` says
    whether they depend on the day as well. ``fresh`` holds the numbers of the slides that
    LibreOffice drew for this opening; all others were in the cache. ``faults`` are of requested
    slides.
    """

    def __init__(
        self, path: str | Path, pages: SlidePages, *, engine: str, options: PageOptions
    ) -> None:
        self.path = Path(path)
        self.kind, self.engine = "office", engine
        self.keys = dict(pages.keys)
        self.fresh = pages.fresh
        self.faults = dict(pages.faults)
        self.dated = pages.dated
        self.numbers = tuple(sorted(pages.pages))
        self._count = pages.count
        self._pages = dict(pages.pages)
        self._options = options
        self._open: dict[str, PdfDeck] = {}
        self._texts = KeptTexts(self.keys, options)
        self.slide_size_pt = self._first_size()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[RenderedSlide]:
        return map(self._slide, self.numbers)

    def slide(self, number: int) -> RenderedSlide:
        """Draw one slide; raises IndexError if there is none or it was not requested, RenderFailed
        if its page is damaged or LibreOffice cannot draw it, RenderTimeout past its deadline."""
        slide = self._slide(number)
        _ = slide.image
        return slide

    def _slide(self, number: int) -> RenderedSlide:
        """One slide, whose picture waits until it is needed if its text was kept."""
        pdf, page = self._place(number)
        if (kept := self._texts.of(number)) is not None:
            width, height = fit(*self.slide_size_pt, self._options.size)
            shape = (height, width, 3)
            return RenderedSlide(number, partial(self._image, number), *kept, shape)
        return self._texts.add(replace(pdf.slide(page), number=number))

    def _image(self, number: int) -> NDArray[np.uint8]:
        pdf, page = self._place(number)
        return pdf.image(page)

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
        """Close the PDFs and keep texts; drawing a slide opens its PDF again."""
        self._texts.keep()
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
            asked = None if slides is None else frozenset(slides)
            pages = _slide_pages(path, started, asked, now, "left out")
            options = _page_options(renderer, size, ocr=ocr)
            if pages is None:
                return _open_whole(path, started, options, "named")
            return IncrementalDeck(path, pages, engine=_engine(started), options=options)
    return open_rendered(path, renderer=renderer, size=size, ocr=ocr)


def _slide_pages(
    path: Path,
    renderer: Renderer,
    asked: frozenset[int] | None,
    now: datetime | None,
    deadly: DeadlySlides,
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
            dated = any(keys.fields(n).dated for n in names)
            slides = SlidePages(len(keys), pages, names, frozenset(), dated=dated)
            if not (unknown := [n for n in names if n not in pages]):
                return slides
            try:
                drawn = convert_missing(package, keys, unknown, renderer)
            except (RendererDied, RenderTimeout) as error:
                if deadly == "not looked for":
                    raise
                apart = draw_apart(package, keys, unknown, renderer)
                some = apart.pages or (pages and apart.faults)
                if not some or (deadly == "named" and apart.faults):
                    raise _naming(error, apart) from None
                return _with_apart(slides, apart, cache)
            if drawn is None:
                return None
            places = {keys.of(n): place for n, place in drawn.places.items()}
            cache_pages(cache, drawn.name, drawn.pdf, places)
    except DeckError:  # LibreOffice may still read it
        return None
    fresh = frozenset(n for n, name in names.items() if name in places)
    pages |= {n: CachedPage(drawn.name, drawn.pdf, places[names[n]]) for n in fresh}
    return replace(slides, pages=pages, fresh=fresh)


def _with_apart(pages: SlidePages, apart: SlidesApart, cache: Cache | None) -> SlidePages:
    """The slides with those that were drawn apart, which are stored in a cache."""
    if cache is not None:
        for number, place in apart.pages.items():
            cache_pages(cache, place.name, place.pdf, {pages.keys[number]: place.page})
    return replace(
        pages, pages={**pages.pages, **apart.pages}, fresh=frozenset(apart.pages),
        faults=apart.faults,
    )  # fmt: skip


@dataclass(frozen=True)
class PowerPointFile:
    """A deck as a PowerPoint file."""

    path: Path
    """The deck itself, or its copy."""
    converted: str = ""
    """The kind of file that LibreOffice converted, such as "an OpenDocument presentation"; empty
    for the deck itself."""


@contextmanager
def as_powerpoint(deck: str | Path, renderer: Renderer | None = None) -> Iterator[PowerPointFile]:
    """A deck as a PowerPoint file: itself, or for ``.odp`` and ``.ppt`` a copy that LibreOffice
    makes, which is removed after the block.

    By default the user's cache folder stores such copies. Raises UnsupportedFormat for other kinds,
    what ``sniff`` raises, and RenderError if LibreOffice is missing or cannot convert the deck.
    """
    path = Path(deck)
    if (kind := sniff(path)) is FileKind.PPTX:
        yield PowerPointFile(path)
        return
    if kind not in (FileKind.ODP, FileKind.PPT):
        detail = f"it is {IN_WORDS[kind]}, not {POWERPOINT}, .odp or .ppt"
        raise UnsupportedFormat(path, detail)
    if kind is FileKind.ODP:
        check_archive(path)
    with (
        scratch_folder("converted") as folder,
        (renderer or Renderer(cache=Cache())).started() as started,
    ):
        copy = folder / f"{path.stem}.pptx"
        copy.write_bytes(started.resaved(path))
        yield PowerPointFile(copy, IN_WORDS[kind])


@dataclass(frozen=True)
class LaidOutSlides:
    """Slides with ``drawn`` set on their texts."""

    slides: tuple[SlideElements, ...]
    matched: float | None
    """Mean share of the characters of a slide's texts that were found on its page, 0 to 1; None
    if no slide has text."""


def lay_out(path: Path, slides: Sequence[SlideElements]) -> LaidOutSlides:
    """Draw a deck, and set on some of its slides where and in what size their text was drawn.

    Raises DeckError if the file cannot be read and RenderError if it cannot be drawn.
    """
    with open_rendered(path, ocr=False) as drawn:
        merged = [merge_layout(slide, drawn.slide(slide.number).spans) for slide in slides]
    shares = [item.share_of_text for item in merged if item.share_of_text is not None]
    return LaidOutSlides(
        tuple(item.slide for item in merged), sum(shares) / len(shares) if shares else None
    )


def extract(path: str | Path, *, slides: Collection[int] | None = None) -> DeckElements:
    """Everything on the slides of a deck, with effective styles and where they are stated.

    With ``slides``, 1-based numbers, only these are read. Of ``.odp`` and ``.ppt`` a copy is read
    that LibreOffice converts; ``converted`` says so. Raises DeckError if the file cannot be
    read, and RenderError if it cannot be converted; parts that are damaged are left out and
    named in ``problems``.

    ::

        for slide in decklab.extract("talk.pptx").slides:
            print(slide.number, slide.title, [text.font.name for text in slide.texts])
    """
    with as_powerpoint(path) as deck, Package.open(deck.path) as package:
        read = read_elements(package) if slides is None else read_part_of_deck(package, slides)
    return read.model_copy(update={"converted": deck.converted}) if deck.converted else read


_DECKS = DECK_SUFFIXES - IMAGE_SUFFIXES


def find_decks(paths: Iterable[str | Path]) -> list[Path]:
    """The decks that ``paths`` name, each once, in the order given.

    A file is a deck, whatever its suffix. A folder gives all decks below it, found by their
    suffixes and sorted by path; a folder of slide images only is one deck. A pattern gives its
    matches. A path that does not exist, a folder without a deck, and folders below that cannot be
    listed are in the list too, so that they become failed rows and are not lost. In folders, lock
    files of office programs (``~$deck.pptx``) and the reports of earlier runs are left out.
    """
    decks: dict[Path, None] = {}
    for path in paths:
        for deck in _expand(str(path)):
            decks.setdefault(deck)
    return list(decks)


def check_decks(decks: Sequence[Path]) -> None:
    """Check that at least one deck can be read, and drawn here.

    Raises the error of the first deck: DeckError (of a kind), or RendererMissing if LibreOffice is
    missing, without which no deck that can be read can be drawn.
    """
    wrong: list[DeckError] = []
    missing: RendererMissing | None = None
    for deck in decks:
        try:
            if deck.is_dir() and not any(_in_folder(deck)):
                raise DeckError(deck, "there is no deck in this folder")
            if deck_kind(deck) == "office":
                find_installation()
            return
        except DeckError as error:
            wrong.append(error)
        except RendererMissing as error:
            missing = error
    if missing is not None:
        raise missing
    if not wrong:
        raise DecklabError("no decks were named")
    if len(wrong) > 1:
        first = wrong[0]
        detail = f"{first.detail}; nor can {len(wrong) - 1} more of the decks be read"
        raise DeckError(first.path, detail, first.part)
    raise wrong[0]


def _expand(text: str) -> Iterator[Path]:
    path = Path(text)
    if _is(path.is_dir):
        yield from list(_in_folder(path)) or [path]
    elif has_magic(text) and not _is(path.exists):
        matches = sorted(glob(text, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute
        for match in map(Path, matches):
            yield from _in_folder(match) if _is(match.is_dir) else [match]
        if not matches:
            yield path
    else:
        yield path


def _is(question: Callable[[], bool]) -> bool:
    """The answer of pathlib; False if a folder above, or the length of the name, prevents it."""
    try:
        return question()
    except OSError:
        return False


def _in_folder(folder: Path) -> Iterator[Path]:
    web_decks: set[Path] = set()
    closed: list[Path] = []
    for here, _, files in files_below(
        folder, unreadable=lambda error: closed.append(Path(error.filename))
    ):
        visible = [item for item in files if not item.startswith((".", "~$"))]
        decks = [item for item in visible if Path(item).suffix.lower() in _DECKS]
        yield from (here / item for item in decks)
        if any(Path(item).suffix.lower() in {".html", ".htm"} for item in decks):
            web_decks.add(here)
        images = [item for item in visible if Path(item).suffix.lower() in IMAGE_SUFFIXES]
        # Pictures beside or below a web page belong to the page and are no deck.
        if images and not decks and web_decks.isdisjoint((here, *here.parents)):
            yield here
    yield from closed
