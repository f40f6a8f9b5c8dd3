"""PDF pages as slides: pictures and laid-out text, by pypdfium2."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from decklab.errors import EncryptedDeck, LimitExceeded, RenderFailed, RenderTimeout, TruncatedDeck
from decklab.rendering.model import (
    DeckKind,
    RenderedDeck,
    RenderedSlide,
    TextLayer,
    TextReader,
    TextSpan,
    fit,
)
from decklab.rendering.pdf_text import page_spans
from decklab.rendering.text_layers import page_layers

__all__ = ["PDF_ENGINE", "PdfDeck"]

PDF_ENGINE = f"PDFium {pypdfium2.PDFIUM_INFO.version}"
MAX_PAGES = 5000  # ours: ten times the longest talk we know of
PAGE_SECONDS = 60.0
_WHITE = 0xFFFFFFFF


class PdfDeck(RenderedDeck):
    """The pages of a PDF file, or of the PDF that an office program made of a deck.

    ``content`` is the PDF; ``pages`` bounds the slides to the first pages (a deck without slides
    gives one blank page). ``read_picture`` finds text in the pictures of pages that have none
    laid out. ``page_deadline`` bounds the seconds that drawing one page may take. Raises
    EncryptedDeck, TruncatedDeck and LimitExceeded.
    """

    def __init__(
        self,
        path: str | Path,
        content: bytes,
        *,
        kind: DeckKind = "pdf",
        engine: str = PDF_ENGINE,
        size: tuple[int, int] = (1280, 720),
        pages: int | None = None,
        read_picture: TextReader | None = None,
        page_deadline: float = PAGE_SECONDS,
    ) -> None:
        self.path = Path(path)
        self.kind = kind
        self.engine = engine
        self._size = size
        self._page_deadline = page_deadline
        self._read_picture = read_picture
        self._document: Any = _open(self.path, content)
        count = len(self._document)
        if count > MAX_PAGES:
            self.close()
            raise LimitExceeded(path, f"{count} pages; at most {MAX_PAGES} are drawn")
        self._count = count if pages is None else min(count, pages)
        self.slide_size_pt = self._first_size()

    def __len__(self) -> int:
        return self._count

    def slide(self, number: int) -> RenderedSlide:
        """Draw one page; RenderFailed where it is damaged, RenderTimeout past its deadline."""
        with self._page(number) as page:
            image = self._raster(page, number)
            spans = _spans(page)
            height_pt = pdfium.FPDF_GetPageHeightF(page)
        if not spans and self._read_picture is not None:
            return RenderedSlide(number, image, self._read_picture(image, height_pt), "ocr")
        return RenderedSlide(number, image, spans, "layout")

    def spans(self, number: int) -> tuple[TextSpan, ...]:
        """The laid-out text of one page, without drawing it."""
        with self._page(number) as page:
            return _spans(page)

    def layers(self, number: int) -> list[TextLayer]:
        """One page with and without its text: see ``text_layers``."""
        with self._page(number) as page:
            return _layers(page)

    @property
    def fonts(self) -> tuple[str, ...]:
        """PostScript names of the fonts that visible text is drawn in, sorted."""
        numbers = range(1, len(self) + 1)
        names = {span.font for number in numbers for span in self.spans(number)}
        return tuple(sorted(names - {""}))

    @contextmanager
    def _page(self, number: int) -> Iterator[Any]:
        self._check(number)
        page = pdfium.FPDF_LoadPage(self._document.raw, number - 1)
        if not page:
            raise RenderFailed(self.path, f"page {number} is damaged")
        try:
            yield page
        finally:
            pdfium.FPDF_ClosePage(page)

    def close(self) -> None:
        """Release the document."""
        self._document.close()

    def _first_size(self) -> tuple[float, float]:
        return self._document.get_page_size(0) if self._count else (0.0, 0.0)

    def _raster(self, page: Any, number: int) -> NDArray[np.uint8]:
        """The page on white, red green blue, drawn straight into the array's memory."""
        width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
        if not (width > 0 and height > 0):
            raise RenderFailed(self.path, f"page {number} has no area")
        columns, rows = fit(width, height, self._size)
        image = np.empty((rows, columns, 3), np.uint8)
        bitmap = pdfium.FPDFBitmap_CreateEx(
            columns, rows, pdfium.FPDFBitmap_BGR, image.ctypes.data, columns * 3
        )
        if not bitmap:
            raise RenderFailed(self.path, f"page {number} could not be drawn")
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, columns, rows, _WHITE)
        status = _draw(page, bitmap, (columns, rows), time.monotonic() + self._page_deadline)
        pdfium.FPDFBitmap_Destroy(bitmap)
        if status == pdfium.FPDF_RENDER_TOBECONTINUED:
            detail = f"page {number} is not drawn after {self._page_deadline:g} seconds"
            raise RenderTimeout(self.path, detail)
        if status != pdfium.FPDF_RENDER_DONE:
            raise RenderFailed(self.path, f"page {number} could not be drawn")
        return image


def _draw(page: Any, bitmap: Any, size: tuple[int, int], deadline: float) -> int:
    """Draw until done or, between two objects, past the deadline; returns pdfium's status."""
    pause = pdfium.IFSDK_PAUSE()
    pause.version = 1
    pause.NeedToPauseNow = type(pause.NeedToPauseNow)(lambda _: time.monotonic() > deadline)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
    status = pdfium.FPDF_RenderPageBitmap_Start(bitmap, page, 0, 0, *size, 0, flags, pause)
    pdfium.FPDF_RenderPage_Close(page)
    return int(status)


def _open(path: Path, content: bytes) -> Any:
    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise EncryptedDeck(path, "the PDF needs a password") from None
        raise TruncatedDeck(path, "the PDF is damaged, ends early or has no pages") from None


def _spans(page: Any) -> tuple[TextSpan, ...]:
    text_page = pdfium.FPDFText_LoadPage(page)
    if not text_page:
        return ()
    try:
        return page_spans(page, text_page)
    finally:
        pdfium.FPDFText_ClosePage(text_page)


def _layers(page: Any) -> list[TextLayer]:
    text_page = pdfium.FPDFText_LoadPage(page)
    if not text_page:
        return []
    try:
        return page_layers(page, text_page)
    finally:
        pdfium.FPDFText_ClosePage(text_page)
