"""PDF pages as slides, and each page with its text and without it.

Text that is covered, off the page, in the colour of its ground or fully transparent is in a PDF
like any other text. So a page is drawn again without its text: where nothing changes, nobody sees
the text.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from decklab.core.errors import (
    EncryptedDeck,
    LimitExceeded,
    RenderFailed,
    RenderTimeout,
    TruncatedDeck,
)
from decklab.core.geometry import Box
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
from decklab.rendering.pdf_text import (
    GlyphRun,
    object_address,
    open_text_page,
    page_runs,
    page_spans,
)

LAYER_SIZE = (1920, 1080)
"""Pixels that a page is drawn in here at most. Ours: two for each point of
a slide of 960 by 540, so that the cores of small letters have the colour of the ink."""
_MOST_LAYERS = 6
"""Ours: texts that overlap are taken out one after the other, up to this many layers."""
_WHITE = 0xFFFFFFFF
_FLAGS = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER

Picture = NDArray[np.uint8]


def page_layers(page: Any, text_page: Any) -> list[TextLayer]:
    """The text of a loaded page (raw handles) in layers; none if it shows no text.

    Spans are those of ``page_spans``.
    """
    runs, scale = page_runs(page, text_page)
    shown = [(run, span) for run in runs if (span := run.span(scale)) is not None]
    if not shown:
        return []
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    size = fit(width, height, LAYER_SIZE)
    across, down = size[0] / width, size[1] / height
    shrunk = min(960 / width, 540 / height)
    everything = list(_leaves(page))
    full = _drawn(page, size)
    layers = []
    for numbers in _layers_of([run for run, _ in shown]):
        mine = {object_address(pdfium.FPDFText_GetTextObject(text_page, index))
                for number in numbers for index in shown[number][0].places}  # fmt: skip
        spans = tuple(
            LayeredSpan(
                shown[number][1],
                tuple(box.scaled(across, down) for box in shown[number][0].boxes),
                shown[number][0].style.size * shrunk,
            )
            for number in numbers
        )
        without, ink = _taken_out(page, everything, mine, size)
        layers.append(TextLayer(spans, full, without, ink))
    return layers


def _layers_of(runs: Sequence[GlyphRun]) -> list[list[int]]:
    """Numbers of runs in lists within which none overlaps another."""
    layers: list[tuple[list[int], list[Box]]] = []
    for number, run in enumerate(runs):
        assert run.box is not None
        place = run.box
        for numbers, boxes in layers:
            if len(layers) == _MOST_LAYERS and numbers is layers[-1][0]:
                break
            if not any(_overlap(place, other) for other in boxes):
                break
        else:
            numbers, boxes = [], []
            layers.append((numbers, boxes))
        numbers.append(number)
        boxes.append(place)
    return [numbers for numbers, _ in layers]


def _overlap(first: Box, second: Box) -> bool:
    return (
        first.left < second.right
        and second.left < first.right
        and first.top < second.bottom
        and second.top < first.bottom
    )


def _taken_out(
    page: Any, everything: Sequence[Any], mine: set[int | None], size: tuple[int, int]
) -> tuple[Picture, NDArray[np.uint8]]:
    """The page without the objects ``mine``, and the ink of these objects alone."""
    own = [object_address(item) in mine for item in everything]
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
    """The objects of a page that draw something, including objects inside forms."""
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


def _drawn(page: Any, size: tuple[int, int]) -> Picture:
    """The page on white."""
    return _raster(page, *_bitmap(size))


def _ink(page: Any, size: tuple[int, int]) -> NDArray[np.uint8]:
    """How much of each pixel the page covers, 0 to 255."""
    on_nothing = _raster(page, *_bitmap(size, transparent=True))
    return np.ascontiguousarray(on_nothing[:, :, 3])


def _bitmap(size: tuple[int, int], *, transparent: bool = False) -> tuple[Picture, Any]:
    """An array (H, W, 3) of white or, ``transparent``, (H, W, 4), and a bitmap (raw handle, null
    if pdfium makes none) that draws into its memory."""
    width, height = size
    channels = 4 if transparent else 3
    kind = pdfium.FPDFBitmap_BGRA if transparent else pdfium.FPDFBitmap_BGR
    image = np.empty((height, width, channels), np.uint8)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, kind, image.ctypes.data, width * channels)
    ground = 0 if transparent else _WHITE
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, ground)
    return image, bitmap


def _raster(page: Any, image: Picture, bitmap: Any) -> Picture:
    height, width = image.shape[:2]
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, _FLAGS)
    pdfium.FPDFBitmap_Destroy(bitmap)
    return image


PDF_ENGINE = f"PDFium {pypdfium2.PDFIUM_INFO.version}"
MAX_PAGES = 5000  # ours: ten times the longest talk we know of
PAGE_SECONDS = 60.0


@dataclass(frozen=True)
class PageOptions:
    """How pages are drawn."""

    size: tuple[int, int] = (1280, 720)
    """Width and height in pixels that a page may take."""
    read_picture: TextReader | None = None
    """Finds text in the pictures of pages without laid-out text."""
    deadline: float = PAGE_SECONDS
    """Bounds the seconds that drawing one page may take."""


class PdfDeck(RenderedDeck):
    """The pages of a PDF file, or of the PDF that an office program made of a deck.

    ``content`` is the PDF; ``pages`` bounds the slides to the first pages (a deck without slides
    gives one blank page). Raises EncryptedDeck, TruncatedDeck and LimitExceeded.
    """

    def __init__(
        self,
        path: str | Path,
        content: bytes,
        *,
        kind: DeckKind = "pdf",
        engine: str = PDF_ENGINE,
        pages: int | None = None,
        options: PageOptions | None = None,
    ) -> None:
        self.path = Path(path)
        self.kind = kind
        self.engine = engine
        self._options = options or PageOptions()
        self._document: Any = open_pdf(self.path, content)
        count = len(self._document)
        if count > MAX_PAGES:
            self.close()
            raise LimitExceeded(path, f"{count} pages; at most {MAX_PAGES} are drawn")
        self._count = count if pages is None else min(count, pages)
        self.slide_size_pt = self._first_size()

    def __len__(self) -> int:
        return self._count

    def slide(self, number: int) -> RenderedSlide:
        """Draw one page; RenderFailed if it is damaged, RenderTimeout past its deadline."""
        with self._page(number) as page:
            image = self._raster(page, number)
            spans = _spans(page)
            height_pt = pdfium.FPDF_GetPageHeightF(page)
        read_picture = self._options.read_picture
        if not spans and read_picture is not None:
            return RenderedSlide(number, image, read_picture(image, height_pt), "ocr")
        return RenderedSlide(number, image, spans, "layout")

    def spans(self, number: int) -> tuple[TextSpan, ...]:
        """The laid-out text of one page, without drawing it."""
        with self._page(number) as page:
            return _spans(page)

    def layers(self, number: int) -> list[TextLayer]:
        """One page with and without its text: see ``page_layers``."""
        with self._page(number) as page, open_text_page(page) as text_page:
            return page_layers(page, text_page) if text_page else []

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
        size = fit(width, height, self._options.size)
        image, bitmap = _bitmap(size)
        if not bitmap:
            raise RenderFailed(self.path, f"page {number} could not be drawn")
        seconds = self._options.deadline
        status = _draw(page, bitmap, size, time.monotonic() + seconds)
        pdfium.FPDFBitmap_Destroy(bitmap)
        if status == pdfium.FPDF_RENDER_TOBECONTINUED:
            detail = f"page {number} is not drawn after {seconds:g} seconds"
            raise RenderTimeout(self.path, detail)
        if status != pdfium.FPDF_RENDER_DONE:
            raise RenderFailed(self.path, f"page {number} could not be drawn")
        return image


def _draw(page: Any, bitmap: Any, size: tuple[int, int], deadline: float) -> int:
    """Draw until done or, between two objects, past the deadline; returns pdfium's status."""
    pause = pdfium.IFSDK_PAUSE()
    pause.version = 1
    # "deadline < now", in C throughout: ctypes drops what a signal raises in Python code that it
    # calls, and an interrupt would be lost.
    late = map(deadline.__lt__, iter(time.monotonic, None))
    pause.NeedToPauseNow = type(pause.NeedToPauseNow)(partial(next, late))
    try:
        status = pdfium.FPDF_RenderPageBitmap_Start(bitmap, page, 0, 0, *size, 0, _FLAGS, pause)
    finally:
        pdfium.FPDF_RenderPage_Close(page)
    return int(status)


def open_pdf(path: Path, content: bytes) -> Any:
    """A PDF by its bytes, as a document of pypdfium2, which the caller closes; ``path`` names it.

    Raises EncryptedDeck if it needs a password, TruncatedDeck if it is damaged.
    """
    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise EncryptedDeck(path, "the PDF needs a password") from None
        raise TruncatedDeck(path, "the PDF is damaged, ends early or has no pages") from None


def _spans(page: Any) -> tuple[TextSpan, ...]:
    with open_text_page(page) as text_page:
        return page_spans(page, text_page) if text_page else ()
