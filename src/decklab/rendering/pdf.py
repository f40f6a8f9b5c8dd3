"""PDF pages as slides: their laid-out text as spans, and each page with its text and without it.

Text that is covered, off the page, in the colour of its ground or fully transparent is in a PDF
like any other text. So a page is drawn again without its text: where nothing changes, nobody sees
the text.
"""

import ctypes
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

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
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.result_store import ResultStore
from decklab.rendering.pictures import (
    DeckKind,
    LayeredSpan,
    RenderedDeck,
    RenderedSlide,
    TextLayer,
    TextReader,
    TextSpan,
    fit,
)

GAP_EM = 1.5  # ours: wider than any word space, narrower than the gutter between two columns
BARE_GAP_EM = 0.8  # ours, where no space is drawn in it: labels of one diagram stand that close
BASELINE_EM = 0.5  # ours: raised and lowered characters stay on their line
SAME_DIRECTION = 0.99  # cosine; ours: 8 degrees, more than any slant of one line
MAX_CHARACTERS = 200_000

_UNITS = 1 << 20
_FILLED = {0, 2, 4, 6}  # text rendering modes that fill; ISO 32000-1, table 106
_STROKED = {1, 5}
_PRIVATE = ((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD))


class _Style(NamedTuple):
    """The style of one text object's characters; ``visible`` is false if nothing shows."""

    font: str
    size: float
    color: str
    visible: bool
    direction: tuple[float, float]


_UNSEEN = _Style("", 0.0, "", False, (1.0, 0.0))


class _Glyph(NamedTuple):
    """One drawn character; geometry in points of the page as shown, origin top left."""

    code: int
    box: Box
    x: float
    y: float
    style: _Style
    place: int
    """The index of the character on its page."""


@dataclass
class GlyphRun:
    """The characters of a span on its page, in points of the page as shown, origin top left."""

    style: _Style
    line: int
    text: list[int] = field(default_factory=list)
    box: Box | None = None
    boxes: list[Box] = field(default_factory=list)
    """Of each character that is drawn."""
    places: list[int] = field(default_factory=list)
    """The index of each of these among the characters of the page."""

    def span(self, scale: tuple[float, float]) -> TextSpan | None:
        """The span of the run, its box times ``scale``; None if it has no text or no box."""
        text = _string(self.text)
        if self.box is None or not text:
            return None
        return TextSpan(
            text=text,
            box=self.box.scaled(*scale),
            font=self.style.font,
            size_pt=self.style.size,
            color=self.style.color,
            line=self.line,
        )


def page_spans(page: Any, text_page: Any) -> tuple[TextSpan, ...]:
    """The visible text of a loaded page (raw handles), in the order of drawing.

    Text that is invisible (rendering modes 3 and 7, or fully transparent) is left out, and so are
    characters of private use and spans that hold nothing else: symbol fonts draw bullets and
    icons with them, which are no words. A span ends where font, size, colour or line changes,
    and at a gap of more than ``GAP_EM`` times the font size, or ``BARE_GAP_EM`` where the page
    draws no space there. A page's first 200,000 characters count.
    """
    runs, scale = page_runs(page, text_page)
    spans = (run.span(scale) for run in runs)
    return tuple(span for span in spans if span is not None)


@contextmanager
def open_text_page(page: Any) -> Iterator[Any]:
    """The text of a loaded page, both as raw handles; a null handle where pdfium cannot read it."""
    text_page = pdfium.FPDFText_LoadPage(page)
    try:
        yield text_page
    finally:
        if text_page:
            pdfium.FPDFText_ClosePage(text_page)


def page_runs(page: Any, text_page: Any) -> tuple[list[GlyphRun], tuple[float, float]]:
    """The characters of ``page_spans``, and the factors from points to px of the 960x540 frame."""
    count = min(pdfium.FPDFText_CountChars(text_page), MAX_CHARACTERS)
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    if count <= 0 or width <= 0 or height <= 0:
        return [], (1.0, 1.0)
    to_page = page_transform(page, width, height)
    return _gather(text_page, count, to_page), (FRAME_WIDTH / width, FRAME_HEIGHT / height)


def page_transform(page: Any, width: float, height: float) -> NDArray[np.float64]:
    """3x2 matrix from PDF user space to points of the page as shown, rotation and crop applied."""

    def shown(x: float, y: float) -> NDArray[np.float64]:
        column, row = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, _UNITS, _UNITS, 0, x, y, column, row)
        return np.array([column.value * width / _UNITS, row.value * height / _UNITS])

    origin = shown(0, 0)
    reach = 1000.0
    return np.stack(
        [(shown(reach, 0) - origin) / reach, (shown(0, reach) - origin) / reach, origin]
    )


def _gather(text_page: Any, count: int, to_page: NDArray[np.float64]) -> list[GlyphRun]:
    """Characters joined to runs of one style on one line."""
    codes, objects, boxes, origins = _characters(text_page, count)
    shown = _on_page(boxes, to_page).tolist()
    starts = (_homogeneous(origins) @ to_page).tolist()
    styles = _Styles(text_page, to_page)
    runs: list[GlyphRun] = []
    previous: _Glyph | None = None
    line = -1
    spaced = False
    for index, code in enumerate(codes):
        address = objects[index]
        box = Box(*shown[index])
        if address is None or code <= 0x20 or box.right <= box.left:  # a space, drawn or made up
            spaced |= address is not None
            if runs and code == 0x20:
                runs[-1].text.append(code)
            continue
        style = styles.of(address, index)
        if not style.visible:
            continue
        glyph = _Glyph(code, box, starts[index][0], starts[index][1], style, index)
        widest = GAP_EM if spaced else BARE_GAP_EM
        new_line = previous is None or _breaks(previous, glyph, widest)
        line += new_line
        if new_line or previous is None or style != previous.style:
            runs.append(GlyphRun(style, line))
        _add(runs[-1], glyph)
        previous, spaced = glyph, False
    return runs


def _characters(
    text_page: Any, count: int
) -> tuple[list[int], list[int | None], NDArray[np.float64], NDArray[np.float64]]:
    """Code, text object address, box and origin of each character, in PDF user space."""
    get_code, get_object = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetTextObject
    get_box, get_origin = pdfium.FPDFText_GetCharBox, pdfium.FPDFText_GetCharOrigin
    codes: list[int] = []
    objects: list[int | None] = []
    boxes, origins = np.zeros((count, 4)), np.zeros((count, 2))
    left, right, bottom, top, x, y = (ctypes.c_double() for _ in range(6))
    for index in range(count):
        codes.append(get_code(text_page, index))
        generated = pdfium.FPDFText_IsGenerated(text_page, index) == 1
        objects.append(None if generated else object_address(get_object(text_page, index)))
        get_box(text_page, index, left, right, bottom, top)
        get_origin(text_page, index, x, y)
        boxes[index] = left.value, bottom.value, right.value, top.value
        origins[index] = x.value, y.value
    return codes, objects, boxes, origins


def object_address(pointer: Any) -> int | None:
    """The address that all handles of one object share; None for a null handle."""
    return ctypes.addressof(pointer.contents) if pointer else None


def _homogeneous(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([points, np.ones(len(points))])


def _on_page(boxes: NDArray[np.float64], to_page: NDArray[np.float64]) -> NDArray[np.float64]:
    """Boxes (left, bottom, right, top) of user space as left, top, right, bottom of the page."""
    corner = _homogeneous(boxes[:, [0, 1]]) @ to_page
    opposite = _homogeneous(boxes[:, [2, 3]]) @ to_page
    return np.column_stack([np.minimum(corner, opposite), np.maximum(corner, opposite)])


class _Styles:
    """Styles by text object, each read once, which saves many calls of pdfium per character."""

    def __init__(self, text_page: Any, to_page: NDArray[np.float64]) -> None:
        self._text_page = text_page
        self._linear = to_page[:2]
        self._known: dict[int, _Style] = {}
        self._fonts: dict[int | None, str] = {}

    def of(self, address: int | None, index: int) -> _Style:
        """The style of the text object at ``address``, of which ``index`` is a character."""
        assert address is not None
        if (style := self._known.get(address)) is None:
            style = self._known[address] = self._read(index)
        return style

    def _read(self, index: int) -> _Style:
        item = pdfium.FPDFText_GetTextObject(self._text_page, index)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(item)
        if (color := _color(item, mode)) is None:
            return _UNSEEN
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(self._text_page, index, matrix)
        size = pdfium.FPDFText_GetFontSize(self._text_page, index) * float(
            np.hypot(matrix.c, matrix.d)
        )
        along = np.array([matrix.a, matrix.b]) @ self._linear
        length = float(np.hypot(*along))
        turned = along / (length or 1.0)
        direction = (float(turned[0]), float(turned[1])) if length else (1.0, 0.0)
        return _Style(self._font(item), round(size, 2), color, True, direction)

    def _font(self, item: Any) -> str:
        font = pdfium.FPDFTextObj_GetFont(item)
        if (address := object_address(font)) not in self._fonts:
            self._fonts[address] = font_name(font)
        return self._fonts[address]


def font_name(font: Any) -> str:
    """PostScript name of a font handle, without the six letters that mark a subset."""
    if (length := pdfium.FPDFFont_GetBaseFontName(font, None, 0)) <= 1:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, length)
    name = buffer.value.decode("utf-8", "replace")
    tag, plus, rest = name.partition("+")
    return rest if plus and len(tag) == 6 and tag.isupper() else name


def _color(item: Any, mode: int) -> str | None:
    """``#RRGGBB`` that the object's text is painted with; None if it paints nothing."""
    if mode in _FILLED:
        read = pdfium.FPDFPageObj_GetFillColor
    elif mode in _STROKED:
        read = pdfium.FPDFPageObj_GetStrokeColor
    else:
        return None
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not read(item, red, green, blue, alpha):
        return "#000000"
    if alpha.value == 0:
        return None
    return f"#{red.value:02X}{green.value:02X}{blue.value:02X}"


def _breaks(glyph: _Glyph, following: _Glyph, widest: float) -> bool:
    """Whether the next character starts a new line: other direction, other baseline, wide gap."""
    x, y = glyph.style.direction
    other_x, other_y = following.style.direction
    if x * other_x + y * other_y < SAME_DIRECTION:
        return True
    em = max(glyph.style.size, following.style.size)
    off_baseline = (following.y - glyph.y) * x - (following.x - glyph.x) * y
    if abs(off_baseline) > BASELINE_EM * em:
        return True
    start, end = _extent(glyph.box, x, y)
    next_start, next_end = _extent(following.box, x, y)
    return max(next_start - end, start - next_end) > widest * em


def _extent(box: Box, x: float, y: float) -> tuple[float, float]:
    """Where a box begins and ends along the direction (x, y)."""
    middle = ((box.left + box.right) * x + (box.top + box.bottom) * y) / 2
    half = (box.width * abs(x) + box.height * abs(y)) / 2
    return middle - half, middle + half


def _add(run: GlyphRun, glyph: _Glyph) -> None:
    if any(first <= glyph.code <= last for first, last in _PRIVATE):
        return
    run.text.append(glyph.code)
    run.boxes.append(glyph.box)
    run.places.append(glyph.place)
    run.box = glyph.box if run.box is None else run.box.union(glyph.box)


def _string(codes: list[int]) -> str:
    """Characters of UTF-16 or UTF-32 units, control characters left out, ends stripped."""
    units = "".join(chr(code) for code in codes if code >= 0x20 and code != 0xFFFE)
    whole = units.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return " ".join(whole.split())


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
    results: ResultStore | None = None
    """Where the text of pages that have keys is kept; None to keep none."""


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
        self.kind, self.engine = kind, engine
        self._options = options or PageOptions()
        self._document: Any = open_pdf(self.path, content)
        if (count := len(self._document)) > MAX_PAGES:
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

    def image(self, number: int) -> NDArray[np.uint8]:
        """The picture of one page without its text; raises what ``slide`` raises."""
        with self._page(number) as page:
            return self._raster(page, number)

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
        if not (page := pdfium.FPDF_LoadPage(self._document.raw, number - 1)):
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
