"""Text measured in real fonts before anything is drawn: widths, lines and heights.

Words are shaped by HarfBuzz in the font file that fontconfig gives for a family, characters that
the font lacks in the file that has them; lines break where Unicode allows it (UAX 14), and a word
longer than its line breaks between characters, as office programs break it.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from decklab.core.errors import Unavailable
from decklab.core.lazy import extra_module
from decklab.deck.styles.themes import NO_FONT

SAFETY: Final = 0.985
"""Share of a line's width that text may take: programs round the widths of letters differently."""

_MOST_LINES = 400
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
_QUERY_SECONDS = 20
_LEAST_STAND_IN_PITCH = 1.21
"""Measured: LibreOffice 7.4 sets Arabic and Chinese lines in stand-in fonts 1.20 sizes apart,
whatever the fonts say."""
_SCALABLE = (".ttf", ".otf", ".ttc", ".otc")


@dataclass(frozen=True)
class Face:
    """A family at a weight, in the language of the text."""

    family: str
    bold: bool = False
    language: str = "en"


@dataclass(frozen=True)
class _FontFile:
    font: Any
    units: int
    pitch: float
    """Distance of lines as a multiple of the size."""


def text_width(text: str, face: Face, size: float) -> float:
    """Width of a text in one line, in points.

    Raises Unavailable where uharfbuzz, fontconfig or any font is missing.
    """
    return _ems(text, face) * size


def line_pitch(text: str, face: Face) -> float:
    """Distance of the lines of a text as a multiple of its size: the largest of its fonts."""
    main = _file(face, "")
    pitches = [
        file.pitch if file is main else max(file.pitch, _LEAST_STAND_IN_PITCH)
        for file, _piece in _pieces(text or "x", face)
    ]
    return max(pitches)


def wrap(text: str, face: Face, size: float, width: float) -> list[str]:
    """The lines of a paragraph in a column of ``width`` points, filled one after the other."""
    room = width * SAFETY / size
    lines: list[str] = []
    line, used = "", 0.0
    for word in _words(text):
        wide, bare = _ems(word, face), _ems(word.rstrip(), face)
        if line and used + bare > room:
            lines.append(line)
            line, used = "", 0.0
        if not line and bare > room:
            *whole, word = _cut(word, face, room)  # noqa: PLW2901 - what is left of the word
            lines += whole
            wide = _ems(word, face)
        line, used = line + word, used + wide
        if len(lines) > _MOST_LINES:
            break
    return [*lines, line] if line or not lines else lines


def widest_word(text: str, face: Face, size: float) -> float:
    """Width of the widest piece of a text that no line breaks, in points."""
    return max((_ems(word.rstrip(), face) * size for word in _words(text)), default=0.0)


def _cut(word: str, face: Face, room: float) -> list[str]:
    """A word that is too long for a line, in pieces that are not."""
    pieces, piece = [], ""
    for character in word:
        if piece and _ems(piece + character, face) > room:
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    """The text in pieces between which a line may break."""
    return tuple(
        extra_module("uniseg.linebreak", "composing slides", "write").line_break_units(text)
    )


@lru_cache(maxsize=65536)
def _ems(text: str, face: Face) -> float:
    """Width of a text as a multiple of its size."""
    return sum(_advance(file, piece) / file.units for file, piece in _pieces(text, face))


def _advance(file: _FontFile, text: str) -> int:
    harfbuzz = _harfbuzz()
    buffer = harfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    harfbuzz.shape(file.font, buffer)
    return sum(position.x_advance for position in buffer.glyph_positions)


def _pieces(text: str, face: Face) -> Iterator[tuple[_FontFile, str]]:
    """The text in runs of one font each; marks and spaces stay with what is before them."""
    main = _file(face, "")
    start, current = 0, main
    for place, character in enumerate(text):
        wanted = current
        if not (character.isspace() or character in _JOINERS):
            wanted = main if _has(main, character) else _file(face, character)
        if wanted is not current:
            if place > start:
                yield current, text[start:place]
            start, current = place, wanted
    if start < len(text):
        yield current, text[start:]


def _has(file: _FontFile, character: str) -> bool:
    found = file.font.get_nominal_glyph(ord(character))
    return found is not None and found != 0


@lru_cache(maxsize=16384)
def _file(face: Face, character: str) -> _FontFile:
    """The font of a face; with a character, the first in fontconfig's order that has it."""
    sources = _sources(face)
    if character:
        for path, index in sources:
            file = _load(path, index)
            if _has(file, character):
                return file
    return _load(*sources[0])


@lru_cache(maxsize=256)
def _sources(face: Face) -> tuple[tuple[str, int], ...]:
    """Path and index of the font of a face and of all that may stand in for it, best first."""
    more = f":lang={face.language.split('-', 1)[0]}" + (":bold" if face.bold else "")
    answer = _matched(face.family, "%{file}\t%{index}\n", "-s", more=more)
    rows = [line.split("\t") for line in answer.splitlines() if "\t" in line]
    scalable = [
        (path, int(index or 0) & 0xFFFF) for path, index in rows if path.lower().endswith(_SCALABLE)
    ]
    if not scalable:
        raise Unavailable(NO_FONT)
    return tuple(scalable)


@lru_cache(maxsize=256)
def stand_in(family: str) -> str:
    """The installed family that fontconfig takes for one."""
    return _matched(family, "%{family[0]}").strip() or family


@lru_cache(maxsize=512)
def _load(path: str, index: int) -> _FontFile:
    harfbuzz = _harfbuzz()
    face = harfbuzz.Face(harfbuzz.Blob.from_file_path(path), index)
    font = harfbuzz.Font(face)
    extents = font.get_font_extents("ltr")
    height = extents.ascender - extents.descender + extents.line_gap
    return _FontFile(font, face.upem, height / face.upem)


def _harfbuzz() -> Any:
    return extra_module("uharfbuzz", "composing slides", "write")


def _matched(family: str, form: str, *options: str, more: str = "") -> str:
    """The answer of fontconfig about the fonts for a family."""
    program = shutil.which("fc-match")
    if program is None:
        raise Unavailable("fontconfig (fc-match) is not installed: text cannot be measured")
    pattern = re.sub(r"([-,:\\])", r"\\\1", family) + more
    answer = subprocess.run(
        [program, *options, "-f", form, pattern], capture_output=True, text=True,
        timeout=_QUERY_SECONDS, check=False,
    )  # fmt: skip
    return answer.stdout


def lines_height(lines: Sequence[str], face: Face, size: float) -> float:
    """Height of lines below one another, in points."""
    return sum(line_pitch(line, face) * size for line in lines)
