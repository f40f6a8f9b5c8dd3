"""The words of a slide with their places: as the browser shows it, and as LibreOffice draws it."""

import ctypes
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium

from decklab.core.geometry import Box

GAP_EM: Final = 0.6
"""Ours: more than a word space or wide letter spacing, less than the gap between table cells."""
SPACED_EM: Final = 0.15
"""Ours: letters of one word do not stand so far apart unless they are spaced."""
RAISED_EM: Final = 0.5
"""Ours: raised and lowered characters stay in their word and on their line."""


@dataclass(frozen=True)
class Word:
    """A word, or one character of Chinese and Japanese; places in CSS pixels of the slide."""

    text: str
    """Normalised: NFKC, small letters."""
    ink: Box
    baseline: float
    size: float
    """The font's size in pixels."""
    block: int = 0
    """Which element lays it out, counted on its slide; 0 for drawn words."""
    turned: bool = False
    """Whether it stands on a baseline that is not level."""


def normal(text: str) -> str:
    """A word in the form in which words are compared.

    >>> normal("ﬁnd"), normal("Straße"), normal("A\u00adB")
    ('find', 'strasse', 'ab')
    """
    return unicodedata.normalize("NFKC", text).replace("\u00ad", "").casefold()


def is_east_asian(char: str) -> bool:
    """Whether a character is a word of its own here: Chinese, Japanese and their punctuation."""
    return (
        "\u3000" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff"
        or "\uf900" <= char <= "\ufaff" or "\uff00" <= char <= "\uffef"
    )  # fmt: skip


def split_words(text: str) -> Iterator[str]:
    """The normalised words of a text; Chinese and Japanese characters one by one.

    >>> list(split_words("Two words, 図書館"))
    ['two', 'words,', '図', '書', '館']
    """
    word = ""
    for char in text + " ":
        if char.isspace() or is_east_asian(char):
            if word:
                yield normal(word)
            word = ""
            if not char.isspace():
                yield normal(char)
        else:
            word += char


def browser_word(item: Mapping[str, Any]) -> Word:
    """A word of ``words.js``."""
    ink = Box(item["left"], item["top"], item["right"], item["bottom"])
    text = normal(item["text"])
    return Word(text, ink, item["baseline"], item["size"], item["block"], item["turned"])


class _Break(Enum):
    """A space between words: drawn, or pdfium's guess at a gap."""

    DRAWN = 1
    GUESSED = 2


@dataclass(frozen=True)
class _Char:
    char: str
    box: Box
    x: float
    y: float
    size: float


def drawn_words(page: pypdfium2.PdfPage, width: float, height: float) -> list[Word]:
    """The words of a PDF page whose slide is ``width`` by ``height`` pixels, as they are drawn.

    Characters of private use (bullets of symbol fonts) are left out.
    """
    across, down = page.get_size()
    scale = width / across, height / down
    words: list[Word] = []
    letters: list[_Char] = []
    for char in _chars(page, down, scale):
        if letters and (not isinstance(char, _Char) or _parted(letters, char)):
            if char is _Break.GUESSED and _may_be_spaced(letters):
                continue
            words.append(_word(letters))
            letters = []
        if isinstance(char, _Char):
            letters.append(char)
    if letters:
        words.append(_word(letters))
    return words


def _parted(letters: list[_Char], char: _Char) -> bool:
    """Whether a character begins a new word without a space before it."""
    last = letters[-1]
    gap = max(char.box.left - last.box.right, last.box.left - char.box.right)
    size = max(last.size, char.size)
    return (
        gap > GAP_EM * size
        or abs(char.y - last.y) > RAISED_EM * size
        or is_east_asian(last.char)
        or is_east_asian(char.char)
    )


def _may_be_spaced(letters: list[_Char]) -> bool:
    """Whether these may be the first letters of a word with wide letter spacing."""
    gaps = [b.box.left - a.box.right for a, b in pairwise(letters)]
    return all(letter.char.isalnum() for letter in letters) and all(
        gap > SPACED_EM * letters[0].size for gap in gaps
    )


def _word(letters: list[_Char]) -> Word:
    boxes = [letter.box for letter in letters]
    ink = Box(
        min(box.left for box in boxes), min(box.top for box in boxes),
        max(box.right for box in boxes), max(box.bottom for box in boxes),
    )  # fmt: skip
    text = normal("".join(letter.char for letter in letters))
    return Word(text, ink, letters[0].y, letters[0].size)


def _chars(
    page: pypdfium2.PdfPage, down: float, scale: tuple[float, float]
) -> Iterator[_Char | _Break]:
    """The drawn characters in order, and the spaces between them."""
    text = page.get_textpage()
    x, y = ctypes.c_double(), ctypes.c_double()
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    high = ""
    for at in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text, at)
        if 0xD800 <= code <= 0xDBFF:
            high = chr(code)  # the first half of a character
            continue
        char, high = high + chr(code), ""
        char = char.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if char.isspace() or char < " " or unicodedata.category(char) == "Co":
            guessed = pdfium.FPDFText_IsGenerated(text, at) == 1
            yield _Break.GUESSED if guessed else _Break.DRAWN
            continue
        pdfium.FPDFText_GetCharOrigin(text, at, x, y)
        pdfium.FPDFText_GetCharBox(text, at, left, right, bottom, top)
        size = pdfium.FPDFText_GetFontSize(text, at) * scale[1]
        box = Box(left.value, down - top.value, right.value, down - bottom.value).scaled(*scale)
        yield _Char(char, box, x.value * scale[0], (down - y.value) * scale[1], size)
    text.close()
