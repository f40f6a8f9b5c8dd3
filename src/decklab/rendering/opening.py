"""One way in for every kind of deck: a path goes in, drawn slides come out."""

from pathlib import Path

from decklab.errors import DeckError
from decklab.ooxml.sniffing import FileKind, sniff
from decklab.rendering.cache import Cache, cache_key
from decklab.rendering.fonts.installed import font_set_hash
from decklab.rendering.html.browser import DEADLINE_SECONDS
from decklab.rendering.html.deck import HtmlDeck
from decklab.rendering.images import IMAGE_SUFFIXES, ImageDeck
from decklab.rendering.model import DeckKind, RenderedDeck
from decklab.rendering.ocr import can_read_pictures, picture_spans
from decklab.rendering.office.office import Office
from decklab.rendering.office.recorded import Converter
from decklab.rendering.pdf import PAGE_SECONDS, PDF_ENGINE, PdfDeck

__all__ = ["DECK_SUFFIXES", "deck_kind", "open_rendered"]

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
