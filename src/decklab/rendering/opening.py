"""One way in for every kind of deck: a path goes in, drawn slides come out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from decklab.errors import DeckError
from decklab.ooxml.package import Package
from decklab.ooxml.sniffing import FileKind, sniff
from decklab.rendering.browser import DEADLINE_SECONDS
from decklab.rendering.cache import Cache, cache_key
from decklab.rendering.fonts import font_set_hash
from decklab.rendering.html import HtmlDeck
from decklab.rendering.incremental.copies import PageOf, draw, known_pages, remember
from decklab.rendering.incremental.keys import SlideKeys
from decklab.rendering.model import DeckKind, RenderedDeck, RenderedSlide, TextLayer, TextReader
from decklab.rendering.office.office import Converter, Office
from decklab.rendering.pdf import PAGE_SECONDS, PDF_ENGINE, PdfDeck
from decklab.rendering.pictures import IMAGE_SUFFIXES, ImageDeck, can_read_pictures, picture_spans

DECK_SUFFIXES = frozenset(
    (
        *(".pptx", ".potx", ".ppsx", ".pptm", ".potm", ".ppsm", ".odp", ".otp"),
        *(".ppt", ".pot", ".pps"),
        *(".pdf", ".html", ".htm"),
        *IMAGE_SUFFIXES,
    )
)
"""Suffixes that decks go by, in lower case, with their dot; what opens one is its content."""

_KINDS: dict[FileKind, DeckKind] = {
    FileKind.PPTX: "office",
    FileKind.ODP: "office",
    FileKind.PPT: "office",
    FileKind.PDF: "pdf",
    FileKind.IMAGE: "images",
    FileKind.HTML: "html",
}


def deck_kind(path: str | Path) -> DeckKind:
    """By which way a deck comes in: a folder holds pictures, a file is told by its content.

    Raises DeckError (of a kind) where the file is no deck, encrypted, damaged or not there.
    """
    path = Path(path)
    return "images" if path.is_dir() else _KINDS[sniff(path)]


def open_rendered(
    path: str | Path,
    *,
    office: Converter | None = None,
    cache: Cache | None = None,
    size: tuple[int, int] = (1280, 720),
    ocr: bool = True,
    deadline: float | None = None,
    expected_slides: int | None = None,
) -> RenderedDeck:
    """A deck of any kind as drawn slides, each made when it is asked for.

    ``office`` turns office decks into PDF; without one LibreOffice is started for this call.
    ``cache`` keeps those PDFs. Slides are drawn as large as ``size`` (width, height) allows in
    their own proportions. With ``ocr``, pictures and pages without any laid-out text have their
    text regions found in the picture. ``deadline`` bounds, in seconds, each answer of the browser
    that shows a web deck and the drawing of each page; without one they have their own bounds.
    ``expected_slides`` is the number of slides the file is
    known to hold: LibreOffice draws one blank page for a deck that has none.

    Raises DeckError (of a kind) where the file cannot be read and RenderError where it cannot be
    drawn.
    """
    path = Path(path)
    kind = deck_kind(path)
    reader = picture_spans if ocr and can_read_pictures() else None
    if kind == "office":
        content, engine = _converted(path, office, cache)
        return PdfDeck(
            path, content, kind="office", engine=f"{engine}, {PDF_ENGINE}", size=size,
            pages=expected_slides, read_picture=reader, page_deadline=deadline or PAGE_SECONDS,
        )  # fmt: skip
    if kind == "pdf":
        return PdfDeck(
            path, _content(path), size=size, read_picture=reader,
            page_deadline=deadline or PAGE_SECONDS,
        )  # fmt: skip
    if kind == "html":
        return HtmlDeck(path, size=size, deadline=deadline or DEADLINE_SECONDS)
    return ImageDeck(path, size=size, read_picture=reader)


def _converted(path: Path, office: Converter | None, cache: Cache | None) -> tuple[bytes, str]:
    """The PDF of an office deck, and what drew it."""
    if office is None:
        with Office() as own:
            return _converted(path, own, cache)
    content = _content(path)
    key = cache_key(
        content,
        {
            "engine": office.engine,
            "options": dict(office.options),
            "fonts": font_set_hash(),
            "suffix": path.suffix.lower(),
        },
    )
    pdf = None if cache is None else cache.get(key)
    if pdf is None:
        pdf = office.pdf(path)
        if cache is not None:
            cache.put(key, pdf)
    return pdf, office.engine


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DeckError(path, f"cannot be read: {error.strerror}") from None


class IncrementalDeck(RenderedDeck):
    """Slides that are pages of PDFs, drawn when they are asked for.

    ``len`` counts the slides of the deck; ``numbers`` are those that were asked for, in order, and
    the only ones that iteration gives. ``keys`` names each one's picture, by number: slides of
    equal keys look the same at the same size, so what was made of a slide can be kept under its
    key, and two decks can be compared without drawing them. ``fresh`` holds the numbers of the
    slides that LibreOffice drew for this opening; all others were known.
    """

    def __init__(
        self,
        path: str | Path,
        count: int,
        pages: Mapping[int, PageOf],
        keys: Mapping[int, str],
        *,
        engine: str,
        fresh: frozenset[int],
        size: tuple[int, int] = (1280, 720),
        read_picture: TextReader | None = None,
        page_deadline: float | None = None,
    ) -> None:
        self.path = Path(path)
        self.kind = "office"
        self.engine = engine
        self.keys = dict(keys)
        self.fresh = fresh
        self.numbers = tuple(sorted(pages))
        self._count = count
        self._pages = dict(pages)
        self._size = size
        self._read_picture = read_picture
        self._page_deadline = page_deadline or PAGE_SECONDS
        self._open: dict[str, PdfDeck] = {}
        self.slide_size_pt = self._first_size()

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[RenderedSlide]:
        return (self.slide(number) for number in self.numbers)

    def slide(self, number: int) -> RenderedSlide:
        """Draw one slide; IndexError where there is none or it was not asked for, RenderFailed
        where its page is damaged, RenderTimeout past its deadline."""
        pdf, page = self._place(number)
        return replace(pdf.slide(page), number=number)

    def layers(self, number: int) -> list[TextLayer]:
        """One slide with and without its text: see ``text_layers``."""
        pdf, page = self._place(number)
        return pdf.layers(page)

    @property
    def fonts(self) -> tuple[str, ...]:
        """PostScript names of the fonts that visible text is drawn in, sorted."""
        places = [self._place(number) for number in self.numbers]
        names = {span.font for pdf, page in places for span in pdf.spans(page)}
        return tuple(sorted(names - {""}))

    def close(self) -> None:
        """Release the PDFs; drawing a slide opens its own again."""
        for pdf in self._open.values():
            pdf.close()
        self._open.clear()

    def _place(self, number: int) -> tuple[PdfDeck, int]:
        """The PDF that a slide is in, and its 1-based page there."""
        self._check(number)
        if number not in self._pages:
            raise IndexError(f"slide {number} of {self.path} was not asked for")
        place = self._pages[number]
        if place.name not in self._open:
            self._open[place.name] = PdfDeck(
                self.path, place.pdf, kind="office", engine=self.engine, size=self._size,
                read_picture=self._read_picture, page_deadline=self._page_deadline,
            )  # fmt: skip
        return self._open[place.name], place.page + 1

    def _first_size(self) -> tuple[float, float]:
        """All slides of a deck are of one size."""
        return self._place(self.numbers[0])[0].slide_size_pt if self.numbers else (0.0, 0.0)


def open_incremental(
    path: str | Path,
    *,
    cache: Cache,
    office: Converter | None = None,
    slides: Iterable[int] | None = None,
    size: tuple[int, int] = (1280, 720),
    ocr: bool = True,
    deadline: float | None = None,
    now: datetime | None = None,
) -> RenderedDeck:
    """A deck as drawn slides, of which LibreOffice draws only those that ``cache`` lacks.

    Slides look as ``open_rendered`` shows them. The first time the whole deck is drawn and its
    pages kept under the keys of its slides (see :class:`SlideKeys`); later a copy with just the
    unknown slides is. With ``slides``, 1-based numbers, only these are drawn and can be shown;
    numbers that the deck does not have are passed over.

    For a .pptx an :class:`IncrementalDeck` comes back, which says what was drawn; decks of other
    kinds, and damaged ones whose slides cannot be told apart, come whole through
    ``open_rendered``. ``now`` is the moment that fields with a date are taken to show. Other
    arguments, and errors raised, are those of ``open_rendered``.
    """
    path = Path(path)
    if not path.is_dir() and sniff(path) is FileKind.PPTX:
        if office is None:
            with Office() as own:
                return open_incremental(
                    path, cache=cache, office=own, slides=slides, size=size, ocr=ocr,
                    deadline=deadline, now=now,
                )  # fmt: skip
        found = _pages(path, cache, office, None if slides is None else frozenset(slides), now)
        if found is not None:
            count, pages, keys, fresh = found
            return IncrementalDeck(
                path, count, pages, keys, engine=f"{office.engine}, {PDF_ENGINE}", fresh=fresh,
                size=size, read_picture=picture_spans if ocr and can_read_pictures() else None,
                page_deadline=deadline,
            )  # fmt: skip
    return open_rendered(path, office=office, cache=cache, size=size, ocr=ocr, deadline=deadline)


_Found = tuple[int, dict[int, PageOf], dict[int, str], frozenset[int]]
"""How many slides the deck has; of those asked for page and key; which were drawn now."""


def _pages(
    path: Path, cache: Cache, office: Converter, asked: frozenset[int] | None, now: datetime | None
) -> _Found | None:
    """None where the slides of the deck cannot be told apart."""
    facts: dict[str, object] = {
        "engine": office.engine,
        "options": dict(office.options),
        "fonts": font_set_hash(),
        "suffix": path.suffix.lower(),
    }
    try:
        with Package.open(path) as package:
            keys = SlideKeys(package, facts, now=now)
            numbers = range(1, len(keys) + 1)
            names = {n: keys.of(n) for n in numbers if asked is None or n in asked}
            known = known_pages(cache, names.values())
            pages = {n: known[name] for n, name in names.items() if name in known}
            unknown = [n for n in names if n not in pages]
            if not unknown:
                return len(keys), pages, names, frozenset()
            drawn = draw(package, keys, unknown, office=office, cache=cache, facts=facts)
            if drawn is None:
                return None
            places = {keys.of(n): place for n, place in drawn.places.items()}
            remember(cache, drawn.name, drawn.pdf, places)
    except DeckError:  # LibreOffice may still read what we do not
        return None
    fresh = frozenset(n for n, name in names.items() if name in places)
    pages |= {n: PageOf(drawn.name, drawn.pdf, places[names[n]]) for n in fresh}
    return len(keys), pages, names, fresh
