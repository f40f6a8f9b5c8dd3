"""The words of a PDF page with their boxes and fonts, joined to pieces of lines.

Boxes are in points of the page as shown, origin top left. A box is as high as its font's ascent
and descent, whatever the letters, so that words of one line stand on one level.
"""

import ctypes
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from decklab.geometry import Box
from decklab.rendering.pdf_text import page_transform

MAX_CHARACTERS = 200_000
"""Ours: characters of one page that are read."""
PIECE_GAP_EM = 0.95
"""Ours: a wider gap ends a piece of a line. Justified text stretches spaces to some 0.7 em, cells
of a table stand an em apart or more."""
_BOLD = re.compile(
    r"bold|black|heavy|demi|-medi|cmbx|cmssbx|sfbx|sfsx|ecbx|cmb\d|lmb", re.IGNORECASE
)
_MONO = re.compile(
    r"mono|courier|typewriter|cmtt|cmsltt|cmvtt|sftt|ectt|lmtt|consol|menlo|txtt|nimbusmon|"
    r"inconsolata|cour(?:ier)?\b|fixed|vera.?sans.?m|utmr|zi4|zcoN",
    re.IGNORECASE,
)
_MATH = re.compile(
    r"cmmi|cmsy|cmex|cmmib|cmbsy|msbm|msam|rsfs|eufm|lmmathi|math|txsy|txmi|pxsy|stix.*math|"
    r"^symbol|eusm|wasy|zplm|fplm|pazomath",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class FontStyle:
    """How characters of one text object are set. ``size`` in points."""

    name: str = ""
    size: float = 0.0
    bold: bool = False
    mono: bool = False
    math: bool = False
    upright: bool = True
    """Whether it runs from left to right across the page."""


@dataclass(slots=True)
class Word:
    """Characters without a space between them, of one style and level."""

    text: str
    box: Box
    style: FontStyle


@dataclass(slots=True)
class LinePiece:
    """Words of one line with no wide gap between them."""

    words: list[Word]
    box: Box
    text: str = ""
    style: FontStyle = field(default_factory=FontStyle)
    """That of most of its characters."""

    @property
    def level(self) -> float:
        """The height on the page of the middle of the line."""
        return (self.box.top + self.box.bottom) / 2


def joined_piece(words: Iterable[Word]) -> LinePiece:
    """A piece of words from left to right: their text, their box, their most frequent style."""
    listed = list(words)
    box = Box.around(word.box for word in listed) or Box(0, 0, 0, 0)
    shares: dict[FontStyle, int] = {}
    for word in listed:
        shares[word.style] = shares.get(word.style, 0) + len(word.text)
    style = max(shares, key=lambda item: shares[item]) if shares else FontStyle()
    return LinePiece(listed, box, _joined_text(listed), style)


def _joined_text(words: list[Word]) -> str:
    """Words with spaces; a raised digit after a digit is an exponent, glued parts stay glued."""
    parts: list[str] = []
    previous: Word | None = None
    for word in words:
        if previous is not None:
            gap = word.box.left - previous.box.right
            size = max(word.style.size, previous.style.size, 1)
            if gap > 0.12 * size or (gap > 0.05 * size and word.style.size == previous.style.size):
                parts.append(" ")
            elif _raised(previous, word) and previous.text[-1].isdigit():
                parts.append("^")
        parts.append(word.text)
        previous = word
    return "".join(parts)


def _raised(below: Word, word: Word) -> bool:
    smaller = word.style.size < 0.85 * below.style.size
    return smaller and word.box.top + word.box.bottom < below.box.top + below.box.bottom - 1


# pdfium's functions again with plain integers as handles: three times as quick for each character.
_loose_box = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(pdfium.FPDFText_GetLooseCharBox, ctypes.c_void_p).value or 0
)
_text_object = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(
    ctypes.cast(pdfium.FPDFText_GetTextObject, ctypes.c_void_p).value or 0
)


def page_pieces(page: Any, text_page: Any) -> list[LinePiece]:
    """The text of a loaded page (raw handles) as pieces of lines in the order of the file.

    Text that does not run from left to right is left out, as are characters without a meaning.
    """
    count = min(pdfium.FPDFText_CountChars(text_page), MAX_CHARACTERS)
    if count <= 0:
        return []
    codes = _codes(text_page, count)
    boxes, objects = _geometry(page, text_page, count)
    styles = _Styles(page, text_page)
    return _pieces(_words(codes, boxes, objects, styles))


def _codes(text_page: Any, count: int) -> NDArray[np.uint32]:
    buffer = (ctypes.c_ushort * (count + 1))()
    if pdfium.FPDFText_GetText(text_page, 0, count, buffer) == count + 1:
        return np.array(buffer[:count], np.uint32)
    units = (pdfium.FPDFText_GetUnicode(text_page, index) for index in range(count))
    return np.fromiter(units, np.uint32, count)


def _geometry(
    page: Any, text_page: Any, count: int
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Boxes (N, 4) as left, top, right, bottom of the page as shown, and text objects (N,)."""
    raw = np.zeros((count, 4), np.float32)
    handle = ctypes.cast(text_page, ctypes.c_void_p).value
    start = raw.ctypes.data
    for index in range(count):
        _loose_box(handle, index, start + 16 * index)
    objects = np.fromiter(
        (_text_object(handle, index) or 0 for index in range(count)), np.int64, count
    )
    return shown_boxes(page, raw[:, [0, 3, 2, 1]].astype(np.float64)), objects


def shown_boxes(page: Any, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Boxes (N, 4) of PDF user space (left, bottom, right, top) on the page as shown."""
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    matrix = page_transform(page, width, height)
    first = boxes[:, :2] @ matrix[:2] + matrix[2]
    second = boxes[:, 2:] @ matrix[:2] + matrix[2]
    return np.hstack([np.minimum(first, second), np.maximum(first, second)])


class _Styles:
    """The styles of a page's text objects, each read once."""

    def __init__(self, page: Any, text_page: Any) -> None:
        self._matrix = page_transform(
            page, pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
        )
        self._text_page = text_page
        self._known: dict[int, FontStyle] = {}
        self._fonts: dict[int, tuple[str, bool, bool, bool]] = {}
        self._same: dict[FontStyle, FontStyle] = {}

    def of(self, address: int, index: int) -> FontStyle:
        """The style of the text object at ``address``, which holds the character ``index``."""
        if address not in self._known:
            style = self._read(index) if address else FontStyle()
            self._known[address] = self._same.setdefault(style, style)
        return self._known[address]

    def _read(self, index: int) -> FontStyle:
        item = pdfium.FPDFText_GetTextObject(self._text_page, index)
        size = ctypes.c_float()
        pdfium.FPDFTextObj_GetFontSize(item, size)
        values = pdfium.FS_MATRIX()
        pdfium.FPDFPageObj_GetMatrix(item, values)
        scale = float(np.hypot(values.c, values.d)) or 1.0
        across, down = np.array([values.a, values.b]) @ self._matrix[:2]
        name, bold, mono, math = self._font(pdfium.FPDFTextObj_GetFont(item))
        upright = across >= abs(down)
        return FontStyle(name, round(size.value * scale, 1), bold, mono, math, upright)

    def _font(self, font: Any) -> tuple[str, bool, bool, bool]:
        address = ctypes.cast(font, ctypes.c_void_p).value or 0
        if address not in self._fonts:
            buffer = ctypes.create_string_buffer(256)
            pdfium.FPDFFont_GetBaseFontName(font, buffer, 256)
            name = buffer.value.decode("latin-1").partition("+")[2] or buffer.value.decode(
                "latin-1"
            )
            mono = bool(_MONO.search(name)) or bool(pdfium.FPDFFont_GetFlags(font) & 1)
            self._fonts[address] = name, bool(_BOLD.search(name)), mono, bool(_MATH.search(name))
        return self._fonts[address]


def _words(
    codes: NDArray[np.uint32],
    boxes: NDArray[np.float64],
    objects: NDArray[np.int64],
    styles: _Styles,
) -> list[Word]:
    """The words in the order of the file."""
    codes = np.where((codes == 2) | (codes == 0xFFFE) | (codes == 0xAD), ord("-"), codes)
    solid = (codes > 0x20) & (codes != 0xA0) & ((codes < 0xE000) | (codes > 0xF8FF))
    solid &= boxes[:, 2] > boxes[:, 0]
    places = np.flatnonzero(solid)
    if not places.size:
        return []
    at = boxes[places]
    heights = np.maximum(at[:, 3] - at[:, 1], 1.0)
    middles = (at[:, 1] + at[:, 3]) / 2
    starts = np.ones(len(places), bool)
    next_to = np.diff(places) == 1
    gap = at[1:, 0] - at[:-1, 2]
    same_level = np.abs(np.diff(middles)) < 0.12 * heights[1:]
    near = (gap < 0.3 * heights[1:]) & (gap > -0.6 * heights[1:])
    near |= at[1:, 0] == at[:-1, 0]  # the letters of a ligature share its box
    starts[1:] = ~(next_to & same_level & near)
    first = np.flatnonzero(starts)
    low, high = np.minimum.reduceat(at, first), np.maximum.reduceat(at, first)
    ends = np.append(first[1:], len(places)) - 1
    text = _string(codes)
    found: list[Word] = []
    for number, begin in enumerate(first.tolist()):
        start, end = int(places[begin]), int(places[ends[number]])
        style = styles.of(int(objects[start]), start)
        if style.upright:
            box = Box(*low[number, :2].tolist(), *high[number, 2:].tolist())
            found.append(Word(_plain(text[start : end + 1]), box, style))
    return found


def _string(codes: NDArray[np.uint32]) -> str:
    return "".join(map(chr, codes.tolist()))


_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)


def _plain(text: str) -> str:
    """A word with ligatures as letters and pairs of surrogates joined."""
    if not text.isascii():
        text = text.translate(_LIGATURES)
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _pieces(words: list[Word]) -> list[LinePiece]:
    """Words joined to pieces of lines; one ends at another level, and at a wide or backward gap."""
    found: list[LinePiece] = []
    held: list[Word] = []
    for word in words:
        if held and not _goes_on(held[-1], word):
            found.append(joined_piece(held))
            held = []
        held.append(word)
    if held:
        found.append(joined_piece(held))
    return found


def _goes_on(previous: Word, word: Word) -> bool:
    size = max(previous.style.size, word.style.size, 4.0)
    gap = word.box.left - previous.box.right
    overlap = min(previous.box.bottom, word.box.bottom) - max(previous.box.top, word.box.top)
    lower = min(previous.box.height, word.box.height)
    return -0.6 * size < gap < PIECE_GAP_EM * size and overlap > 0.35 * lower
