"""A page with its text, without it, and the text alone: what shows whether text can be seen.

Text that is covered, off the page, in the colour of its ground or fully transparent is in a PDF
like any other. So the page is drawn again without it: where nothing changes, nobody sees it.
"""

import ctypes
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from decklab.errors import EncryptedDeck, LimitExceeded, RenderFailed, RenderTimeout, TruncatedDeck
from decklab.geometry import Box
from decklab.rendering.model import (
    DeckKind,
    LayeredSpan,
    RenderedDeck,
    RenderedSlide,
    TextLayer,
    TextReader,
    TextSpan,
    fit,
)
from decklab.rendering.pdf_text import GlyphRun, page_runs, page_spans

LAYER_SIZE = (1920, 1080)
"""Pixels that a page is drawn in here at most. Ours: two for each point of
a slide of 960 by 540, so that the cores of small letters have the colour of the ink."""
_MOST_LAYERS = 6
"""Ours: texts that lie on top of each other are taken out one after the other, up to so many."""

Picture = NDArray[np.uint8]


def page_layers(page: Any, text_page: Any) -> list[TextLayer]:
    """The text of a loaded page (raw handles) in layers; none where it shows no text.

    Spans are those of ``page_spans``.
    """
    runs, scale = page_runs(page, text_page)
    told = [(run, span) for run in runs if (span := run.span(scale)) is not None]
    if not told:
        return []
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    size = fit(width, height, LAYER_SIZE)
    across, down = size[0] / width, size[1] / height
    shrunk = min(960 / width, 540 / height)
    everything = list(_leaves(page))
    full = _drawn(page, size)
    layers = []
    for numbers in _apart([run for run, _ in told]):
        mine = {_address(pdfium.FPDFText_GetTextObject(text_page, index))
                for number in numbers for index in told[number][0].places}  # fmt: skip
        spans = tuple(
            LayeredSpan(
                told[number][1],
                tuple(box.scaled(across, down) for box in told[number][0].boxes),
                told[number][0].style.size * shrunk,
            )
            for number in numbers
        )
        without, ink = _taken_out(page, everything, mine, size)
        layers.append(TextLayer(spans, full, without, ink))
    return layers


def _apart(runs: Sequence[GlyphRun]) -> list[list[int]]:
    """Numbers of runs in lists within which none overlaps another."""
    found: list[tuple[list[int], list[Box]]] = []
    for number, run in enumerate(runs):
        assert run.box is not None
        place = run.box
        for numbers, boxes in found:
            if len(found) == _MOST_LAYERS and numbers is found[-1][0]:
                break
            if not any(_meet(place, other) for other in boxes):
                break
        else:
            numbers, boxes = [], []
            found.append((numbers, boxes))
        numbers.append(number)
        boxes.append(place)
    return [numbers for numbers, _ in found]


def _meet(one: Box, other: Box) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


def _taken_out(
    page: Any, everything: Sequence[Any], mine: set[int | None], size: tuple[int, int]
) -> tuple[Picture, NDArray[np.uint8]]:
    """The page without the objects ``mine``, and the ink of these alone."""
    own = [_address(item) in mine for item in everything]
    try:
        _show(everything, [not is_own for is_own in own])
        without = _drawn(page, size)
        _show(everything, own)
        ink = _ink(page, size)
    finally:
        _show(everything, [True] * len(own))
    return without, ink


def _show(items: Sequence[Any], shown: Sequence[bool]) -> None:
    for item, is_shown in zip(items, shown, strict=True):
        pdfium.FPDFPageObj_SetIsActive(item, is_shown)


def _leaves(page: Any) -> Iterator[Any]:
    """The objects of a page that draw something, those inside forms too."""
    waiting = [
        pdfium.FPDFPage_GetObject(page, i) for i in range(pdfium.FPDFPage_CountObjects(page))
    ]
    while waiting:
        item = waiting.pop()
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_FORM:
            inside = range(pdfium.FPDFFormObj_CountObjects(item))
            waiting += [pdfium.FPDFFormObj_GetObject(item, i) for i in inside]
        else:
            yield item


def _address(pointer: Any) -> int | None:
    return ctypes.cast(pointer, ctypes.c_void_p).value


def _drawn(page: Any, size: tuple[int, int]) -> Picture:
    """The page on white."""
    return _raster(page, size, pdfium.FPDFBitmap_BGR, 3, 0xFFFFFFFF)


def _ink(page: Any, size: tuple[int, int]) -> NDArray[np.uint8]:
    """How much of each pixel the page covers, 0 to 255."""
    on_nothing = _raster(page, size, pdfium.FPDFBitmap_BGRA, 4, 0)
    return np.ascontiguousarray(on_nothing[:, :, 3])


def _raster(page: Any, size: tuple[int, int], kind: int, channels: int, ground: int) -> Picture:
    width, height = size
    image = np.empty((height, width, channels), np.uint8)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, kind, image.ctypes.data, width * channels)
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, ground)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    pdfium.FPDFBitmap_Destroy(bitmap)
    return image


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
