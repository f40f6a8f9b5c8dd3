"""The laid-out text of a PDF page as spans: the text, its place, size and colour."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.rendering.model import TextSpan

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
    return ctypes.cast(pointer, ctypes.c_void_p).value


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
        style = self._known.get(address)
        if style is None:
            style = self._known[address] = self._read(index)
        return style

    def _read(self, index: int) -> _Style:
        item = pdfium.FPDFText_GetTextObject(self._text_page, index)
        mode = pdfium.FPDFTextObj_GetTextRenderMode(item)
        color = _color(item, mode)
        if color is None:
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
        address = object_address(font)
        if address not in self._fonts:
            self._fonts[address] = font_name(font)
        return self._fonts[address]


def font_name(font: Any) -> str:
    """PostScript name of a font handle, without the six letters that mark a subset."""
    length = pdfium.FPDFFont_GetBaseFontName(font, None, 0)
    if length <= 1:
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
