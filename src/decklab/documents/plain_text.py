"""Plain text documents: paragraphs between empty lines, headings and lists by their looks.

The rules are ours; what fits none of them is a paragraph.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from decklab.documents.drafting import DocumentDraft
from decklab.documents.model import Document

LONGEST_HEADING: Final = 80
"""Characters of a heading; ours, as long as a line."""
_MOST_WORDS: Final = 12
_LEAST_BELOW: Final = 80
"""Ours: characters of the paragraph below a short line that makes it a heading; names, addresses
and verses stand above short lines."""
_UNDERLINE = re.compile(r"[ \t]*(={3,}|-{3,}|~{3,}|\*{3,}|\^{3,}|#{3,})[ \t]*\Z")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?[ \t]+(?=[^\W\d_])")
_ITEM = re.compile(r"[ \t]*(?:[-*•‣–+]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?=\S)")
_BULLET = re.compile(r"[ \t]*[-*•‣–+][ \t]+")
_ENDS = tuple(".,;:!?…。，；：！？")


@dataclass(frozen=True)
class _Part:
    """Lines between empty lines; ``level`` of what an underline makes a heading, else 0."""

    lines: tuple[str, ...]
    level: int = 0

    @property
    def text(self) -> str:
        return " ".join(line.strip() for line in self.lines)


def read_plain_text(path: Path, name: str, text: str) -> Document:
    """A plain text: paragraphs are parted by empty lines.

    Headings are lines that are underlined; numbered as 1.2, above text; in capitals, above indented
    text; or short, alone between empty lines, without a full stop, above a longer paragraph. Such a
    line that begins a text with headings is its title. Lines that begin with bullets or numbers are
    items of a list.
    """
    draft = DocumentDraft(path, name, "text")
    parts = list(_parts(text.splitlines()))
    levels = [part.level or _level(part, below) for part, below in pairwise([*parts, None]) if part]
    if any(levels) and not levels[0] and _could_be_heading(parts[0]):
        levels[0] = 1
    for part, level in zip(parts, levels, strict=True):
        if level:
            draft.add("heading", part.text, level=level)
        elif _ITEM.match(part.lines[0]):
            for item in _items(part.lines):
                draft.add("item", _BULLET.sub("", item, count=1), level=1)
        else:
            draft.add("paragraph", part.text)
    return draft.finish()


def _parts(lines: Sequence[str]) -> Iterator[_Part]:
    """The parts of a text; a line with one of signs below it, or around it, is one by itself."""
    gathered: list[str] = []
    signs: list[str] = []
    for line, following in pairwise([*lines, "", ""]):
        under = _UNDERLINE.match(line)
        if under and len(gathered) == 1 and _is_title(gathered[0], under[1]):
            sign = under[1][0]
            signs += [sign] if sign not in signs else []
            yield _Part((gathered[0],), min(6, signs.index(sign) + 1))
            gathered = []
        elif under or not line.strip():
            if gathered:
                yield _Part(tuple(gathered))
            gathered = []
        elif not gathered and _is_shouted(line) and following[:1].isspace() and following.strip():
            yield _Part((line,), 1)
        else:
            gathered.append(line)


def _is_shouted(line: str) -> bool:
    """Whether a line at the margin is in capitals, words rather than signs."""
    letters = sum(char.isalpha() or char.isspace() for char in line)
    return line.isupper() and not line[0].isspace() and letters >= 0.8 * len(line)


def _is_title(line: str, signs: str) -> bool:
    """Whether signs below a line underline it: they are about as long, and it could be one."""
    words = line.strip()
    return len(words) <= LONGEST_HEADING and 2 * len(signs) >= len(words) > 1


def _could_be_heading(part: _Part) -> bool:
    """Whether a part is one short line without a full stop, and no item of a list."""
    text = part.text
    if len(part.lines) > 1 or len(text) > LONGEST_HEADING or len(text.split()) > _MOST_WORDS:
        return False
    if text.endswith(_ENDS) or _ITEM.match(text):
        return False
    return text[0].isalpha() and not text[0].islower()


def _level(part: _Part, below: _Part | None) -> int:
    """The level of a heading that no line underlines; 0 for anything else."""
    if below is None:
        return 0
    number = _NUMBERED.match(part.text)
    if number is not None:
        return _numbered_level(part, number[1], below)
    if not _could_be_heading(part):
        return 0
    shouted = _is_shouted(part.lines[0])
    if below.level or _NUMBERED.match(below.text):
        return 1 if shouted else 0
    return (1 if shouted else 2) if len(below.text) >= _LEAST_BELOW else 0


def _numbered_level(part: _Part, number: str, below: _Part) -> int:
    """The level of a line that begins with a number; 0 for an item of a list."""
    name = _NUMBERED.sub("", part.text, count=1)
    depth = number.count(".")
    other = _NUMBERED.match(below.text)
    if other is not None and other[1].count(".") == depth:
        return 0
    return min(6, depth + 1) if _could_be_heading(replace(part, lines=(name,))) else 0


def _items(lines: Sequence[str]) -> Iterator[str]:
    """The items of a list, each with the lines that go on with it."""
    item: list[str] = []
    for line in lines:
        if item and _ITEM.match(line):
            yield " ".join(item)
            item = []
        item.append(line.strip())
    yield " ".join(item)
