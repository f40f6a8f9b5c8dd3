"""Plain text documents: paragraphs, headings, lists and tables by their looks, whether lines are
wrapped or not, and with or without empty lines between paragraphs; Markdown in them as such.

The rules are ours; what fits none of them is a paragraph.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, takewhile
from pathlib import Path
from typing import Final

from decklab.core.errors import Unavailable
from decklab.documents.bylines import is_byline
from decklab.documents.drafting import DocumentDraft
from decklab.documents.markdown import is_markdown, read_markdown, unmarked
from decklab.documents.model import Document
from decklab.documents.parts import heading_part

LONGEST_HEADING: Final = 80
"""Characters of a heading; ours, as long as a line."""
_MOST_WORDS: Final = 12
_LEAST_BELOW: Final = 80
"""Ours: characters of the paragraph below a short line that makes it a heading; names, addresses
and verses stand above short lines."""
_UNDERLINE = re.compile(r"[ \t]*(={3,}|-{3,}|~{3,}|\*{3,}|\^{3,}|#{3,})[ \t]*\Z")
_NUMBERED = re.compile(
    r"(?:(?:chapter|section|part|kapitel|teil)\s+)?"
    r"(\d{1,2}(?:\.\d{1,2}){0,4}|(?-i:[A-Z](?:\.\d{1,2}){1,4}|[IVX]{1,5}(?:-[A-Z])?|[A-Z]-[A-Z]))"
    r"[.):]?[ \t]+(?:[–—-]\s+)?(?=[^\W\d_])",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[ \t]*(?:(?:[-*•‣·–+]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+|o\t[ \t]*)(?=\S)")
_BULLET = re.compile(r"\A[ \t]*(?:[-*•‣·–+][ \t]+|o\t[ \t]*)")
_CHINESE = re.compile(
    r"(?:[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十\d]{1,3}[章节部]\s*|"
    r"(?P<inner>[（(][一二三四五六七八九十]{1,3}[）)]))[^。；！]{1,30}"
)
"""A heading with a Chinese number."""
_ENDS = tuple(".,;:!?…。，；：！？")
_SENTENCE_END = re.compile(r"[.!?:。！？]['\"”’)\]]*\Z")
_LABEL = re.compile(r"[ \t]*[A-ZÄÖÜÉ][\w&/. -]{0,24}:[ \t]+\S")
"""A label of a line that is one by itself, as in the head of a memo."""
_RULED = re.compile(r"[ \t]*[|+]?[-=+|: \t]*(?:--|==)[-=+|: \t]*\Z")
_BARRED = re.compile(r"[ \t]*\|.*\|[ \t]*\Z")
_CELLS = re.compile(r"[ \t]*\|[ \t]*|\t+|[ ]{2,}")
_LEAST_RUNNING = 3
_LONGEST_QUESTION = 120
_MOST_TITLE_LINES = 3
"""Ours: lines of a title and its subtitle."""
_WRAPPED = range(40, 111)
"""Ours: the width of lines that a program or a writer broke; longer lines are whole paragraphs."""


@dataclass(frozen=True)
class _Part:
    """Lines that belong together; ``level`` of what an underline makes a heading, else 0."""

    lines: tuple[str, ...]
    level: int = 0

    @property
    def text(self) -> str:
        return joined_lines(self.lines)


def joined_lines(lines: Sequence[str]) -> str:
    """Lines as one, with a space between two; none after a hyphen that ends a line.

    >>> joined_lines(["thirty-", "one ships", "came"])
    'thirty-one ships came'
    """
    text = ""
    for line in map(str.strip, lines):
        glued = text[-1:] == "-" and text[-2:-1].isalpha() and line[:1].islower()
        text += line if glued or not text else f" {line}"
    return text


def read_plain_text(path: Path, name: str, text: str) -> Document:
    """A plain text, read as Markdown if it holds that.

    Paragraphs are parted by empty lines; where lines are long, each is one; where they are wrapped,
    one ends with a sentence on a line that had room for the next word, or before an indented line.
    Headings are lines that are underlined; numbered as 1.2, above text; in capitals; named as an
    appendix or the literature is; or short, by themselves, without a full stop, above a longer
    paragraph. Such a line that begins a text with headings is its title. Lines that begin with
    bullets or numbers are items of a list; rows of as many cells with wide spaces are a table.
    """
    draft = DocumentDraft(path, name, "text")
    marked = is_markdown(text)
    if marked:
        try:
            document = read_markdown(path, name, text, kind="text")
        except Unavailable as error:
            draft.refuse(f"its Markdown is read as plain text: {error}")
        else:
            if document.headings:
                return document
            text = unmarked(text)
    add_plain_text(draft, text)
    return draft.finish()


def add_plain_text(draft: DocumentDraft, text: str, *, below: int = 0) -> None:
    """Add the paragraphs, headings, lists and tables of a plain text to a draft.

    Levels of headings are counted from ``below``, the level of the heading that they stand under.
    """
    lines = text.splitlines()
    wrapping = _wrapping(lines)
    whole = list(_parts(lines))
    parts = [
        part
        for run in [*_title_lines(whole[:1]), *whole[1:]]
        for piece in _tables_apart(run)
        for part in _split(piece, wrapping)
    ]
    levels = [part.level or _level(part, below) for part, below in pairwise([*parts, None]) if part]
    first = next((n for n in range(1, min(_MOST_TITLE_LINES + 1, len(parts)))
                  if _is_about(parts[n].text)), 0)  # fmt: skip
    about = takewhile(lambda n: n and _is_about(parts[n].text), range(first, len(parts)))
    for number in range(1, max(about, default=0) + 1):
        levels[number] = parts[number].level
    asked = [number for number, (part, below) in enumerate(pairwise(parts)) if _asks(part, below)]
    for number in asked if len(asked) > 1 else ():
        levels[number] = levels[number] or 2
    if any(levels) and not levels[0] and _could_be_title(parts[0]):
        levels[0] = 1
    for part, level in zip(parts, levels, strict=True):
        _add(draft, part, min(6, level + below) if level else 0)


def _add(draft: DocumentDraft, part: _Part, level: int) -> None:
    rows = [] if level else _rows(part.lines)
    if level:
        draft.add("heading", part.text, level=level)
    elif rows:
        draft.add_table(rows)
    elif _ITEM.match(part.lines[0]):
        for item in _items(part.lines):
            draft.add("item", _BULLET.sub("", item, count=1), level=1)
    else:
        draft.add("paragraph", part.text)


def _rows(lines: Sequence[str]) -> list[list[str]]:
    """The cells of lines that are a table: lines between bars, or three rows or more with as many
    cells and numbers in one column; else nothing."""
    written = [line.strip() for line in lines if not _RULED.match(line)]
    if len(written) > 1 and all(_BARRED.match(line) for line in written):
        return [[cell.strip() for cell in line.strip("| ").split("|")] for line in written]
    rows = [_CELLS.split(line.strip()) for line in written]
    counts = {len(row) for row in rows}
    if len(rows) < 3 or len(counts) != 1 or counts == {1} or _ITEM.match(lines[0]):
        return []
    columns = zip(*rows[1:], strict=True)
    numeric = any(all(re.search(r"\d", cell) for cell in column) for column in columns)
    prose = any(len(cell.split()) > 8 for row in rows for cell in row)
    return rows if numeric and not prose else []


def _title_lines(first: Sequence[_Part]) -> Iterator[_Part]:
    """The first lines of a text, each of a title, a subtitle, and names and dates by itself."""
    for part in first:
        lines = list(part.lines)
        titles = list(takewhile(lambda line: _could_be_title(_Part((line,))), lines))
        about = (number for number, line in enumerate(titles) if number and _is_about(line))
        peeled = min(next(about, len(titles)), _MOST_TITLE_LINES)
        if part.level or not (peeled < len(lines) and _is_about(lines[peeled])):
            peeled = 0
        while 0 < peeled < len(lines) - 1 and _is_about(lines[peeled]):
            peeled += 1
        yield from (_Part((line,)) for line in lines[:peeled])
        yield _Part(tuple(lines[peeled:]), part.level)


def _is_about(line: str) -> bool:
    """Whether a line says who wrote a text, or when, or another such thing with its label."""
    return is_byline(line) or bool(_LABEL.match(line))


def _asks(part: _Part, below: _Part) -> bool:
    """Whether a part is a question in one line, and what follows is no other one."""
    one = len(part.lines) == 1 and part.text.endswith("?") and len(part.text) <= _LONGEST_QUESTION
    return one and not below.text.endswith("?") and len(below.text.split()) > 1


def _tables_apart(whole: _Part) -> Iterator[_Part]:
    """Lines with those between bars apart from the others."""
    if whole.level:
        yield whole
        return
    for _, lines in groupby(whole.lines, lambda line: bool(_BARRED.match(line))):
        yield _Part(tuple(lines))


@dataclass(frozen=True)
class _Wrapping:
    """How the lines of a text were broken."""

    width: int
    """Characters of the longest lines; 0 if lines were not broken."""
    full: int
    """A line that with the next word would have fewer characters was ended on purpose."""


def _wrapping(lines: Sequence[str]) -> _Wrapping:
    lengths = [len(line.rstrip()) for line in lines if line.strip()]
    width = max((length for length in lengths if length <= _WRAPPED[-1]), default=0)
    long = sum(1 for length in lengths if length > _WRAPPED[-1])
    if width not in _WRAPPED or long > 0.02 * len(lengths):
        return _Wrapping(0, 0)
    running = sorted(
        _with_next_word(line, below)
        for line, below in pairwise(lines)
        if below[:1].islower() and len(line) > 0.5 * width
    )
    least = running[len(running) // 20] if len(running) >= _LEAST_RUNNING else int(0.85 * width)
    return _Wrapping(width, min(least, width))


def _with_next_word(line: str, below: str) -> int:
    return len(line.rstrip()) + 1 + len(below.split(maxsplit=1)[0])


def _split(whole: _Part, wrapping: _Wrapping) -> Iterator[_Part]:
    """The paragraphs, headings and lists of lines with no empty line between them."""
    if whole.level or len(whole.lines) == 1 or _rows(whole.lines):
        yield whole
        return
    held: list[str] = []
    following = [*whole.lines[1:], ""]
    for line, below in zip(whole.lines, following, strict=True):
        if held and _begins(held, line, below, wrapping):
            yield _Part(tuple(held))
            held = []
        held.append(line)
    yield _Part(tuple(held))


def _begins(held: Sequence[str], line: str, below: str, wrapping: _Wrapping) -> bool:
    """Whether a line begins another part than the lines above it."""
    above = held[-1]
    listed, was_listed = bool(_ITEM.match(line)), bool(_ITEM.match(held[0]))
    if listed and was_listed:
        return False
    if _CHINESE.fullmatch(line.strip()) or (len(held) == 1 and _CHINESE.fullmatch(above.strip())):
        return True
    if was_listed and len(held) == 1 and _heads(held[0], line, wrapping.width):
        return True
    width = wrapping.width
    if width == 0:
        return listed or not (was_listed and line[:1].isspace())
    if listed:
        return _SENTENCE_END.search(above.rstrip()) is not None or len(held) == 1
    if _LABEL.match(line) and (len(held) > 1 or _LABEL.match(above)):
        return True
    ended = bool(_SENTENCE_END.search(above.rstrip()))
    room = _with_next_word(above, line) < wrapping.full
    if len(held) == 1 and not was_listed and _is_title_line(above, line, width):
        return True
    deeper = _indent(line) - _indent(above)
    if was_listed:
        return ended and room and deeper < 0
    if ended and (room or 1 < deeper <= 8):
        return True
    return ended and _is_title_line(line, below, width)


def _is_title_line(line: str, below: str, width: int) -> bool:
    """Whether a line among wrapped ones could be a heading: short, no sentence, above a line that
    begins one."""
    words = line.strip()
    if not below.strip() or len(words) > 0.75 * width or not _could_be_heading(_Part((line,))):
        number = _NUMBERED.match(words)
        if not number or len(words) > 0.75 * width or words.endswith(_ENDS):
            return False
    starts = below.strip()[:1]
    return (
        bool(below.strip())
        and not starts.islower()
        and (len(below.rstrip()) > 0.6 * width or bool(_NUMBERED.match(below.strip())))
    )


def _heads(line: str, below: str, width: int) -> bool:
    """Whether a line that begins with a number is a heading and no item: the line below it is
    neither indented nor the middle of a sentence."""
    words = line.strip()
    short = not width or len(words) <= 0.75 * width
    begins = not below[:1].isspace() and not below[:1].islower()
    return bool(_NUMBERED.match(words)) and short and begins and not words.endswith(_ENDS)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parts(lines: Sequence[str]) -> Iterator[_Part]:
    """The parts of a text; a line with one of signs below it, or around it, is one by itself."""
    gathered: list[str] = []
    signs: list[str] = []
    for line, following in pairwise([*lines, "", ""]):
        under = _UNDERLINE.match(line)
        if under and gathered and _is_title(gathered[-1], under[1], alone=len(gathered) == 1):
            sign = under[1][0]
            signs += [sign] if sign not in signs else []
            if gathered[:-1]:
                yield _Part(tuple(gathered[:-1]))
            yield _Part((gathered[-1],), min(6, signs.index(sign) + 1))
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


def _is_title(line: str, signs: str, *, alone: bool) -> bool:
    """Whether signs below a line underline it: they are about as long, the more so if it does not
    stand ``alone``, and it could be a title."""
    words = line.strip()
    if len(words) > LONGEST_HEADING or "  " in words or "\t" in words:
        return False
    return 2 * len(signs) >= len(words) > 1 and (alone or abs(len(signs) - len(words)) <= 3)


def _could_be_heading(part: _Part) -> bool:
    """Whether a part is one short line without a full stop, and no item of a list."""
    text = part.text
    if len(part.lines) > 1 or len(text) > LONGEST_HEADING or len(text.split()) > _MOST_WORDS:
        return False
    if text.endswith(_ENDS) or _ITEM.match(text):
        return False
    return text[0].isalpha() and not text[0].islower()


def _could_be_title(part: _Part) -> bool:
    """Whether a first part is the title: it may be longer than a heading."""
    text = part.text
    if len(text) > 2 * LONGEST_HEADING or len(text.split()) > 2 * _MOST_WORDS or _ITEM.match(text):
        return False
    return not text.endswith(_ENDS) and text[0].isalpha() and not text[0].islower()


def _level(part: _Part, below: _Part | None) -> int:
    """The level of a heading that no line underlines; 0 for anything else."""
    if below is None:
        return 0
    chinese = _CHINESE.fullmatch(part.text)
    if chinese and len(part.lines) == 1:
        return 2 if chinese["inner"] else 1
    number = _NUMBERED.match(part.text)
    if number is not None:
        return _numbered_level(part, number[1], below)
    if not _could_be_heading(part):
        return 0
    shouted = _is_shouted(part.lines[0])
    listed = len(below.lines) > 1 and bool(_ITEM.match(below.lines[0]))
    if heading_part(part.text) not in {"body", "prompt"}:
        return 1
    if not listed and (below.level or _NUMBERED.match(below.text)):
        return 1 if shouted else 0
    return (1 if shouted else 2) if listed or len(below.text) >= _LEAST_BELOW else 0


def _numbered_level(part: _Part, number: str, below: _Part) -> int:
    """The level of a line that begins with a number; 0 for an item of a list."""
    name = _NUMBERED.sub("", part.text, count=1)
    depth = number.count(".") + number.count("-")
    other = _NUMBERED.match(below.text)
    if other is not None and other[1].count(".") + other[1].count("-") == depth:
        return 0
    return min(6, depth + 1) if _could_be_heading(replace(part, lines=(name,))) else 0


def _items(lines: Sequence[str]) -> Iterator[str]:
    """The items of a list, each with the lines that go on with it."""
    item: list[str] = []
    for line in lines:
        if item and _ITEM.match(line):
            yield joined_lines(item)
            item = []
        item.append(line.strip())
    yield joined_lines(item)
