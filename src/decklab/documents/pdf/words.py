"""The words of a PDF page with their boxes and fonts, joined to pieces of lines.

Boxes are in points of the page as shown, origin top left. A box is as high as its font's ascent
and descent, whatever the letters, so that words of one line stand on one level.

Hebrew and Arabic text from the order in which it stands on a page to that in which it is read.

The reverse of the Unicode Bidirectional Algorithm (UAX 9) for one line, without its nested levels:
letters from right to left, numbers and Latin words in it from left to right.
"""

import ctypes
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import hypot
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from decklab.core.geometry import Box
from decklab.documents.pdf.objects import SeenObjects, with_addresses
from decklab.documents.texts import raised_text
from decklab.rendering.pdf import page_transform

_RIGHT = "\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_LETTER = re.compile(f"[{_RIGHT}]")
_OTHERS = re.compile(f"[^{_RIGHT}]+")
_RIGHT_RUN = re.compile(rf"[{_RIGHT}](?:[^A-Za-zÀ-ʯͰ-ӿ\d]*[{_RIGHT}])?")
_NUMBER = re.compile(r"[%‰°]?\d+(?:[.,:/]\d+)*[$€£₪]?")
_LATIN = re.compile(r"[A-Za-zÀ-ʯͰ-ӿ]")
_FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")


def has_right_to_left(text: str) -> bool:
    """Whether a text has a letter of a script that is written from right to left."""
    return not text.isascii() and _LETTER.search(text) is not None


def logical_order(line: str) -> str:
    """The characters of a line, given from left to right as they stand, in reading order.

    Letters in their presentation forms become plain ones.

    >>> logical_order("2024 תנשב") == "בשנת 2024"
    True
    """
    if not has_right_to_left(line):
        return line
    if len(_LETTER.findall(line)) < len(_LATIN.findall(line)):
        found = _RIGHT_RUN.sub(lambda run: run[0][::-1], line)
    else:
        found = _OTHERS.sub(_left_to_right, line[::-1])
    return _FORMS.sub(lambda forms: unicodedata.normalize("NFKC", forms[0]), found)


def _left_to_right(run: "re.Match[str]") -> str:
    """Turn back what is written from left to right: all with Latin letters, else each number."""
    text = run[0]
    if not _LATIN.search(text):
        return _NUMBER.sub(lambda number: number[0][::-1], text)
    inner = text.strip(" .,:;!?()[]\"'-–—")
    start = text.index(inner)
    return text[:start] + inner[::-1] + text[start + len(inner) :]


MAX_CHARACTERS = 200_000
"""Ours: characters of one page that are read."""
PIECE_GAP_EM = 0.95
"""Ours: a wider gap ends a piece of a line. Justified text stretches spaces to some 0.7 em, cells
of a table stand an em apart or more."""
_RIGHT_TO_LEFT_GAP = 0.16
"""Ours: em between two words; Arabic letters that do not join stand apart by up to 0.1."""
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
class CharacterStyle:
    """How characters of one text object are set. ``size`` in points."""

    name: str = ""
    size: float = 0.0
    bold: bool = False
    mono: bool = False
    math: bool = False
    turn: int = 0
    """Quarter turns clockwise that would make it run from left to right; 0 if it does."""
    font: int = 0
    """Tells fonts without a name apart; 0 for those that have one."""


class TurnedText(NamedTuple):
    """A word that does not run from left to right, such as the label of an axis."""

    box: Box
    turn: int
    """Quarter turns clockwise that would make it do so."""
    letters: int


@dataclass(slots=True)
class PdfWord:
    """Characters without a space between them, of one style and level."""

    text: str
    """From left to right as they stand, also if they are read from right to left."""
    box: Box
    style: CharacterStyle


@dataclass(slots=True)
class LinePiece:
    """Words of one line with no wide gap between them."""

    words: list[PdfWord]
    box: Box
    text: str = ""
    style: CharacterStyle = field(default_factory=CharacterStyle)
    """That of most of its characters."""

    @property
    def level(self) -> float:
        """The height on the page of the middle of the line."""
        return (self.box.top + self.box.bottom) / 2


def joined_piece(words: Iterable[PdfWord]) -> LinePiece:
    """A piece of words from left to right: their text, their box, their most frequent style."""
    listed = list(words)
    box = Box.around(word.box for word in listed) or Box(0, 0, 0, 0)
    return LinePiece(listed, box, _joined_text(listed), _main_style(listed))


def _main_style(words: Sequence[PdfWord]) -> CharacterStyle:
    if not words:
        return CharacterStyle()
    first = words[0].style
    if all(word.style is first for word in words):
        return first
    shares: dict[int, int] = {}
    styles: dict[int, CharacterStyle] = {}
    for word in words:
        shares[id(word.style)] = shares.get(id(word.style), 0) + len(word.text)
        styles[id(word.style)] = word.style
    return styles[max(shares, key=lambda key: shares[key])]


def _joined_text(words: list[PdfWord]) -> str:
    """Words with spaces in reading order, raised ones as ``raised_text`` has them; glued parts stay
    glued."""
    parts: list[str] = []
    previous: PdfWord | None = None
    for word in words:
        text = word.text
        if previous is not None:
            size, before = word.style.size, previous.style.size
            if size < before and _raised(previous, word):
                text = raised_text(previous.text, text)
            if not text:
                continue  # the number of a footnote
            gap = word.box[0] - previous.box[2]
            least = 0.05 if size == before else 0.12
            if has_right_to_left(word.text) and has_right_to_left(previous.text):
                least = _RIGHT_TO_LEFT_GAP
            if gap > least * max(size, before, 1):
                text = f" {word.text}"
        parts.append(text)
        previous = word
    return logical_order("".join(parts))


def _raised(below: PdfWord, word: PdfWord) -> bool:
    smaller = word.style.size < 0.85 * below.style.size
    return smaller and word.box.top + word.box.bottom < below.box.top + below.box.bottom - 1


_PLACE, _INDEX = ctypes.c_void_p, ctypes.c_int
_loose_box = with_addresses(pdfium.FPDFText_GetLooseCharBox, _INDEX, _PLACE, _INDEX, _PLACE)
_text_object = with_addresses(pdfium.FPDFText_GetTextObject, _PLACE, _PLACE, _INDEX)
_font_size = with_addresses(pdfium.FPDFTextObj_GetFontSize, _INDEX, _PLACE, _PLACE)
_matrix = with_addresses(pdfium.FPDFPageObj_GetMatrix, _INDEX, _PLACE, _PLACE)
_font_of = with_addresses(pdfium.FPDFTextObj_GetFont, _PLACE, _PLACE)


def page_pieces(page: Any, text_page: Any) -> tuple[list[LinePiece], list[TurnedText]]:
    """The text of a loaded page (raw handles) as pieces of lines in the order of the file.

    Characters without a meaning, cropped or hidden by a clip are left out. Of text that does not
    run from left to right, such as labels of axes, only places and directions are given.
    """
    count = min(pdfium.FPDFText_CountChars(text_page), MAX_CHARACTERS)
    if count <= 0:
        return [], []
    codes = _codes(text_page, count)
    boxes, objects = _geometry(page, text_page, count)
    styles = _Styles(page)
    seen = _in_crop(page, boxes) & _unclipped(objects)
    words = _words(np.where(seen, codes, 0), boxes, objects, styles)
    turned = [
        TurnedText(word.box, word.style.turn, len(word.text)) for word in words if word.style.turn
    ]
    upright = [word for word in words if not word.style.turn] if turned else words
    return _pieces(_from_left(upright)), turned


def _from_left(words: list[PdfWord]) -> list[PdfWord]:
    """The words; on pages with text from right to left those of each line as they stand."""
    if not any(has_right_to_left(word.text) for word in words):
        return words
    return [word for line in words_by_line(words) for word in line]


Placed = TypeVar("Placed", PdfWord, LinePiece)


def words_by_line(words: Iterable[Placed]) -> list[list[Placed]]:
    """Words, or pieces of lines, by lines from top to bottom, each from left to right."""
    found: list[list[Placed]] = []
    for word in sorted(words, key=lambda word: word.box.top + word.box.bottom):
        middle = (word.box.top + word.box.bottom) / 2
        if found and found[-1][0].box.top < middle < found[-1][0].box.bottom:
            found[-1].append(word)
        else:
            found.append([word])
    return [sorted(line, key=lambda word: word.box.left) for line in found]


def _in_crop(page: Any, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which boxes are on the page as shown, where the file shows a part of it only. Text that runs
    over the edge of the paper stays: its author meant it to be read."""
    if _box(pdfium.FPDFPage_GetCropBox, page) in (None, _box(pdfium.FPDFPage_GetMediaBox, page)):
        return np.ones(len(boxes), bool)
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    return np.asarray((boxes[:, 2:] > 0).all(1) & (boxes[:, :2] < [width, height]).all(1))


def _box(read: Any, page: Any) -> tuple[float, ...] | None:
    edges = [ctypes.c_float() for _ in range(4)]
    return tuple(edge.value for edge in edges) if read(page, *edges) else None


def _unclipped(objects: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which characters belong to objects that no clip hides."""
    look = SeenObjects()
    owners = [int(address) for address in np.unique(objects) if address]
    return ~np.isin(objects, [address for address in owners if look.hides_text(address)])


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
    """The styles of a page's text objects by their addresses, each read once."""

    def __init__(self, page: Any) -> None:
        matrix = page_transform(
            page, pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
        )
        self._across, self._down = matrix[:2].tolist()
        self._objects: dict[int, CharacterStyle] = {0: CharacterStyle()}
        self._settings: dict[tuple[float, ...], CharacterStyle] = {}
        self._fonts: dict[int, tuple[str, bool, bool, bool]] = {}
        self._same: dict[CharacterStyle, CharacterStyle] = {}
        self._size = ctypes.c_float()
        self._values = pdfium.FS_MATRIX()

    def of(self, address: int) -> CharacterStyle:
        """The style of the text object at an address; 0 is that of no object."""
        style = self._objects.get(address)
        if style is None:
            style = self._objects[address] = self._read(address)
        return style

    def _read(self, address: int) -> CharacterStyle:
        size, values = self._size, self._values
        _font_size(address, ctypes.addressof(size))
        _matrix(address, ctypes.addressof(values))
        font = _font_of(address) or 0
        key = (font, size.value, values.a, values.b, values.c, values.d)
        style = self._settings.get(key)
        if style is None:
            style = self._style(font, size.value, values)
            style = self._settings[key] = self._same.setdefault(style, style)
        return style

    def _style(self, font: int, size: float, values: Any) -> CharacterStyle:
        scale = hypot(values.c, values.d) or 1.0
        across = values.a * self._across[0] + values.b * self._down[0]
        down = values.a * self._across[1] + values.b * self._down[1]
        name, bold, mono, math = self._font(font)
        number = 0 if name else font
        size = round(size * scale, 1)
        turn = 0
        if across < abs(down):
            turn = 1 if down < -abs(across) else 3 if down > abs(across) else 2
        return CharacterStyle(name, size, bold, mono, math, turn, number)

    def _font(self, address: int) -> tuple[str, bool, bool, bool]:
        if address not in self._fonts:
            buffer = ctypes.create_string_buffer(256)
            font = ctypes.cast(address, pdfium.FPDF_FONT)
            pdfium.FPDFFont_GetBaseFontName(font, buffer, 256)
            name = re.sub(r"^[A-Z]{6}\+", "", buffer.value.decode("latin-1"))
            mono = bool(_MONO.search(name)) or bool(pdfium.FPDFFont_GetFlags(font) & 1)
            self._fonts[address] = name, bool(_BOLD.search(name)), mono, bool(_MATH.search(name))
        return self._fonts[address]


def _words(
    codes: NDArray[np.uint32],
    boxes: NDArray[np.float64],
    objects: NDArray[np.int64],
    styles: _Styles,
) -> list[PdfWord]:
    """The words in the order of the file."""
    codes = np.where((codes == 2) | (codes == 0xFFFE) | (codes == 0xAD), ord("-"), codes)
    _mend_codes(codes, objects, styles)
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
    letters = codes[places]
    right_to_left = ((letters >= 0x590) & (letters < 0x900)) | (
        (letters >= 0xFB1D) & (letters < 0xFEFD)
    )
    near &= ~(right_to_left[1:] & (at[1:, 0] < at[:-1, 0]))
    near |= at[1:, 0] == at[:-1, 0]  # the letters of a ligature share its box
    starts[1:] = ~(next_to & same_level & near)
    first = np.flatnonzero(starts)
    low, high = np.minimum.reduceat(at, first), np.maximum.reduceat(at, first)
    bounds = np.hstack([low[:, :2], high[:, 2:]]).tolist()
    begins = places[first].tolist()
    ends = places[np.append(first[1:], len(places)) - 1].tolist()
    owners = objects[places[first]].tolist()
    text = _string(codes)
    words = [
        PdfWord(_plain(text[start : end + 1]), Box(*bound), style)
        for start, end, owner, bound in zip(begins, ends, owners, bounds, strict=True)
        for style in [styles.of(owner)]
    ]
    if right_to_left.any():
        _turn_ligatures(words, np.maximum.reduceat(at, first)[:, 0].tolist())
    if any(not word.style.name for word in words):
        _mend_unnamed(words, places, objects, at, styles)
    return words


def _turn_ligatures(words: Sequence[PdfWord], last_lefts: Sequence[float]) -> None:
    """Put the letters of ligatures, which are in reading order, as they would stand apart."""
    for word, left in zip(words, last_lefts, strict=True):
        if len(word.text) > 1 and left == word.box.left and has_right_to_left(word.text):
            word.text = word.text[::-1]


def _mend_unnamed(
    words: Sequence[PdfWord],
    places: NDArray[np.intp],
    objects: NDArray[np.int64],
    at: NDArray[np.float64],
    styles: _Styles,
) -> None:
    """Tell typewriter fonts among those without names: nearly all their letters are about as wide
    (slanted ones differ by a few hundredths)."""
    widths: dict[CharacterStyle, list[float]] = {}
    for owner, width in zip(objects[places].tolist(), (at[:, 2] - at[:, 0]).tolist(), strict=True):
        style = styles.of(owner)
        if not style.name:
            widths.setdefault(style, []).append(round(width, 1))
    mono = {
        style: replace(style, mono=True)
        for style, found in widths.items()
        if len(found) >= 8 and _of_one_width(sorted(found))
    }
    for word in words:
        word.style = mono.get(word.style, word.style)


def _of_one_width(widths: Sequence[float]) -> bool:
    usual = widths[len(widths) // 2]
    near = sum(1 for width in widths if abs(width - usual) <= _SAME_WIDTH * usual)
    return near > 0.9 * len(widths)


_SAME_WIDTH = 0.07  # ours
_UNNAMED = {
    **dict(zip(range(0x0B, 0x10), "ﬀﬁﬂﬃﬄ", strict=True)),
    **dict(zip(range(0x1B, 0x20), "ﬀﬁﬂﬃﬄ", strict=True)),
    **dict(zip(range(0x10, 0x17), "“”„«»–—", strict=True)),
}
"""Characters of the codes of TeX's text fonts (encodings OT1 and T1) if a PDF does not say."""


_TEX_BULLET = 0x88
"""In TeX's text companion encoding (TS1); no character of Unicode."""


def _mend_codes(codes: NDArray[np.uint32], objects: NDArray[np.int64], styles: _Styles) -> None:
    """Put letters in the place of codes below 32 that text fonts of TeX draw ligatures with."""
    codes[codes == _TEX_BULLET] = ord("•")
    for index in np.flatnonzero((codes > 0x0A) & (codes < 0x20) & (objects != 0)).tolist():
        code = int(codes[index])
        if code in _UNNAMED and not styles.of(int(objects[index])).math:
            codes[index] = ord(_UNNAMED[code])


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


def _pieces(words: list[PdfWord]) -> list[LinePiece]:
    """Words joined to pieces of lines; one ends at another level, and at a wide or backward gap."""
    found: list[LinePiece] = []
    held: list[PdfWord] = []
    for word in words:
        if held and not _goes_on(held[-1], word):
            found.append(joined_piece(held))
            held = []
        held.append(word)
    if held:
        found.append(joined_piece(held))
    return found


def _goes_on(previous: PdfWord, word: PdfWord) -> bool:
    size = max(previous.style.size, word.style.size, 4.0)
    _, top, right, bottom = previous.box
    left, other_top, _, other_bottom = word.box
    if not -0.6 * size < left - right < PIECE_GAP_EM * size:
        return False
    overlap = min(bottom, other_bottom) - max(top, other_top)
    return overlap > 0.35 * min(bottom - top, other_bottom - other_top)
