"""Plain text documents: paragraphs, headings, lists, tables and code by their looks, whether lines
are wrapped or not, and with or without empty lines between paragraphs.

The rules are ours; what fits none of them is a paragraph.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise, takewhile
from typing import Final, Literal

from decklab.documents.bylines import CONTACT, is_byline
from decklab.documents.contents import listed_contents
from decklab.documents.drafting import DocumentDraft
from decklab.documents.parts import heading_part
from decklab.documents.preformatted import is_code, is_plain, is_preformatted, is_prose, table_rows

LONGEST_HEADING: Final = 80
"""Characters of a heading; ours, as long as a line."""
_MOST_WORDS: Final = 12
_LEAST_BELOW: Final = 80
"""Ours: characters of the paragraph below a short line that makes it a heading; names, addresses
and verses stand above short lines."""
_UNDERLINE = re.compile(r"[ \t]*(={3,}|-{3,}|~{3,}|\*{3,}|\^{3,}|#{3,}|_{3,})[ \t]*\Z")
_NUMBERED = re.compile(
    r"(?:(?:chapter|section|part|kapitel|teil)\s+)?"
    r"(\d{1,2}(?:\.\d{1,2}){0,4}|(?-i:[A-Z](?:\.\d{1,2}){1,4}|[IVX]{1,5}(?:-[A-Z])?|[A-Z]-[A-Z]))"
    r"[.):]?[ \t]+(?:[–—-]\s+)?(?=[^\W\d_]|[\"'“(/<$.~](?=\w))",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"[ \t]*(?:(?:[-*•‣·–+]|\[[ xX]?\]|#\d{2,6}|\(?\d{1,3}[.)]|\(?[a-z][.)]|\([A-Z]\)"
    r"|\(?[ivx]{2,5}[.)])[ \t]+"
    r"|o(?:\t[ \t]*|[ ]+(?=[A-ZÀ-Þ])))(?=\S)"
)
_BULLET = re.compile(r"\A[ \t]*(?:(?:[-*•‣·–+]|\[[ xX]?\])[ \t]+|o(?:\t[ \t]*|[ ]+(?=[A-ZÀ-Þ])))")
_CHINESE = re.compile(
    r"(?:[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十\d]{1,3}[章节部]\s*|"
    r"(?P<inner>[（(][一二三四五六七八九十]{1,3}[）)]))[^。；！]{1,30}"
)
"""A heading with a Chinese number."""
_ENDS = tuple(".,;:!?…。，；：！？")
_SENTENCE_END = re.compile(r"[.!?:。！？]['\"”’)\]]*\Z")
_LABEL = re.compile(r"[ \t]*[A-ZÄÖÜÉ][\w&/. -]{0,24}:[ \t]+\S")
"""A label of a line that is one by itself, as in the head of a memo."""
_HUNG = re.compile(r"[ \t]{1,8}[^\W\d_A-ZÀ-Þ][\w/-]{0,11}:[ \t]+\S")
"""A label in small letters of a line that is indented."""
_DEFINED = re.compile(
    r"[ \t]*(?P<term>[\w$%<\[\"'./-]\S*(?:,? \S+){0,3}?)(?:[ \t]+(?:=|--?|–)[ \t]+|[ \t]{2,})"
    r"(?P<text>\S.*)"
)
"""A term and its meaning on one line: "gsed = GNU sed", "-v   tell more"."""
_GOES_ON = re.compile(r"(?:,|\b(?:an?|and|by|for|in|of|or|that|the|to|with))\s*\Z")
"""The end of a line that the next one goes on with."""
_COLUMN = re.compile(r"[^\s.!?:;]\s{2,}\S")
"""A third column, which the output of a program has and a meaning has not."""
_COLUMNS = re.compile(r"\A\S.*\S(?:\t|[ ]{3,})\S")
"""A line whose parts stand left and right."""
_SMALL = re.compile(r"\s*[a-z/<$%_.{\[(\\-]")
"""The beginning of a command: a small letter or a sign."""
_BARRED = re.compile(r"[ \t]*\|.*\|[ \t]*\Z")
_STARRED = re.compile(
    r"[ \t]*(?:([*=#~-]{2,}) (?P<name>\w.*\S) \1"
    r"|(\*{1,2}|_{1,2})(?P<stressed>\w[^*_]{0,78}[^\s*_.,;])\3)[ \t]*"
)
"""A heading between signs, or a line that is stressed as a whole."""
_LEAST_RUNNING = 3
_LONGEST_QUESTION = 160
_MOST_QUESTION_LINES = 3
_MOST_TITLE_LINES = 3
"""Ours: lines of a title and its subtitle."""
_WRAPPED = range(40, 111)
"""Ours: the width of lines that a program or a writer broke; longer lines are whole paragraphs."""
_USUAL_WIDTH, _LEAST_CENTRED = 72, 10
"""Ours: characters of a line, and of the indent of a title in its middle."""
_LONGEST_TERM = 48
_COUNTED = re.compile(r"(\d{1,2})[.)][ \t]+(\S.{1,78})")
_LEAST_COUNTED, _LEAST_NAMED = 3, 2
"""Ours: lines with numbers over text of their own that make these and the others headings, and
headings of a text whose other short lines over one sentence are headings too."""
_LEAST_TOLD, _NAME_WORDS, _HEAD_LINES = 50, 2, 10
"""Ours: characters of a line of prose, words of a name in capitals, and lines that may belong to a
letter-head."""


@dataclass(frozen=True)
class _Part:
    """Lines that belong together; ``level`` of what an underline makes a heading, else 0."""

    lines: tuple[str, ...]
    level: int = 0
    kind: Literal["text", "code", "contents"] = "text"

    @cached_property
    def text(self) -> str:
        return joined_lines(self.lines)

    @property
    def indent(self) -> int:
        return _indent(self.lines[0])


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


def add_plain_text(draft: DocumentDraft, text: str, *, below: int = 0) -> None:
    """Add the paragraphs, headings, lists, tables and code of a plain text to a draft.

    Levels of headings are counted from ``below``, the level of the heading that they stand under.
    """
    lines = text.splitlines()
    layout = _layout(lines)
    whole = list(_parts(lines))
    for number in listed_contents([part.lines for part in whole]):
        whole[number] = _Part(whole[number].lines, kind="contents")
    runs = [*_title_lines(whole[:1]), *whole[1:]]
    pieces = (piece for run in runs for piece in _preformatted_apart(run))
    parts = [part for piece in pieces for part in _split(piece, layout)]
    levels = _levels(parts, layout)
    writer = _Writer(draft, layout, below)
    for part, level in zip(parts, levels, strict=True):
        writer.add(part, level)


def _levels(parts: Sequence[_Part], layout: "_Layout") -> list[int]:
    """The level of each part that is a heading, and 0 of all others."""
    levels = [0] * len(parts)
    numbered = 0
    for number, (part, below) in enumerate(pairwise([*parts, None])):
        if part is None or part.kind != "text":
            continue
        counted = _NUMBERED.match(part.text) if part.level else None
        levels[number] = part.level or _level(part, below, layout)
        if counted and "." in counted[1]:
            levels[number] = min(6, counted[1].count(".") + 1)
        if _NUMBERED.match(part.text) and levels[number]:
            numbered = levels[number]
        elif levels[number] == 2 and not part.level and numbered:
            levels[number] = min(6, numbered + 1)
    first = next((n for n in range(1, min(_MOST_TITLE_LINES + 1, len(parts)))
                  if _is_about(parts[n].text)), 0)  # fmt: skip
    about = takewhile(lambda n: n and _is_about(parts[n].text), range(first, len(parts)))
    for number in range(1, max(about, default=0) + 1):
        levels[number] = parts[number].level
    for number, (above, part) in enumerate(pairwise(parts), start=1):
        if levels[number] > 1 and not part.level and ": " in above.text and ": " in part.text:
            levels[number] = 0  # the last of some lines with labels
    asked = [number for number, (part, below) in enumerate(pairwise(parts)) if _asks(part, below)]
    for number in asked if len(asked) > 1 else ():
        levels[number] = levels[number] or 2
    for number in _named_alike(parts, levels):
        levels[number] = levels[number] or 2
    start = next((n for n, part in enumerate(parts) if not _LABEL.match(part.text)), 0)
    while start + 1 < len(parts) and (
        _COLUMNS.search(parts[start].lines[0]) or CONTACT.search(parts[start].text)
    ):  # a letter-head
        levels[start] = 0
        start += 1
    if any(levels) and not levels[start] and _could_be_title(parts[start]):
        levels[start] = 1
    return levels


def _named_alike(parts: Sequence[_Part], levels: Sequence[int]) -> Iterator[int]:
    """The places of short lines that are headings as others of their text are: over a single short
    sentence, or with a colon where several lines over sentences have one."""
    over = [
        (number, part) for number, (part, below) in enumerate(pairwise(parts))
        if part.kind == "text" and not levels[number] and len(part.lines) == 1
        and not levels[number + 1] and not _is_about(part.text)
        and (_ITEM.match(below.lines[0]) or _SENTENCE_END.search(below.text))
    ]  # fmt: skip
    ended = [number for number, part in over if _could_be_heading(_Part((part.text.rstrip(":"),)))
             and part.text.endswith(":")]  # fmt: skip
    prose = [number for number in ended if not _ITEM.match(parts[number + 1].lines[0])]
    if sum(level > 1 for level in levels) >= _LEAST_NAMED:
        yield from (number for number, part in over if number and _could_be_heading(part)
                    and not parts[number - 1].text.endswith(":"))  # fmt: skip
    elif len(prose) >= _LEAST_NAMED and sum(map(bool, levels)) <= 1:
        yield from ended


class _Writer:
    """Adds parts to a draft in order, with the depth of the list that is open."""

    def __init__(self, draft: DocumentDraft, layout: "_Layout", below: int) -> None:
        self._draft, self._layout, self._below = draft, layout, below
        self._open: list[tuple[int, int]] = []
        """The indents of the markers and texts of the items that are open, outermost first."""

    def add(self, part: _Part, level: int) -> None:
        """Add a part; ``level`` is that of a heading, else 0."""
        listed = part.kind == "text" and not level and bool(_ITEM.match(part.lines[0]))
        if level or (not listed and self._open and part.indent < self._open[0][1]):
            self._open.clear()
        columns = part.kind != "contents" and not (level or listed)
        rows = table_rows(part.lines) if columns else []
        if level:
            level = min(6, level + self._below)
            self._draft.add("heading", _unstressed(part.text).rstrip(":"), level=level)
        elif part.kind == "contents":
            for line in part.lines:
                self._draft.add("item", line, level=1)
        elif rows and not self._after_code:
            self._draft.add_table(rows, caption=self._announced())
        elif listed:
            for item in _items(part.lines):
                self._item(item)
        elif not rows and (defined := _definitions(part, self._layout)):
            for line in defined:
                self._draft.add("item", line, level=1)
        elif rows or self._is_code(part):
            self._draft.add("code", "\n".join(_dedented(part.lines)))
        elif self._open:
            self._draft.add("item", _unstressed(part.text), level=len(self._open))
        else:
            self._draft.add("paragraph", _unstressed(part.text))

    @property
    def _after_code(self) -> bool:
        """Whether columns that were no table stand right above, such as a head in two rows."""
        return bool(self._draft.blocks) and self._draft.blocks[-1].kind == "code"

    def _announced(self) -> str:
        """The short line with a colon right above a table, which is taken for its caption."""
        above = self._draft.blocks[-1] if self._draft.blocks else None
        text = above.text if above and above.kind in ("paragraph", "item") else ""
        if not text.endswith(":") or len(text.split()) > _MOST_WORDS or len(text) > LONGEST_HEADING:
            return ""
        self._draft.blocks.pop()
        return text.rstrip(": ")

    def _item(self, lines: Sequence[str]) -> None:
        marker = _ITEM.match(lines[0])
        indent = _indent(lines[0])
        while self._open and self._open[-1][0] >= indent:
            self._open.pop()
        self._open.append((indent, len(marker[0].expandtabs()) if marker else indent))
        text = _BULLET.sub("", joined_lines(lines), count=1)
        self._draft.add("item", _unstressed(text), level=len(self._open))

    def _is_code(self, part: _Part) -> bool:
        """Whether lines are set apart as code is: drawn, or deeper than the text and no prose."""
        if part.kind == "code" or part.lines[0].lstrip().startswith("$ "):
            return True
        margin = self._open[-1][1] if self._open else self._layout.margin
        said = not self._draft.blocks and is_prose(part.lines)  # the first words are no commands
        if is_code(part.lines) or (self._is_broken(part.lines) and not said):
            return True
        return part.indent >= margin + 2 and not (is_prose(part.lines) or _is_centred(part.lines))

    def _is_broken(self, lines: Sequence[str]) -> bool:
        """Whether lines without capitals and full stops were ended on purpose, as commands are."""
        small = sum(1 for line in lines if _SMALL.match(line))
        if 3 * small < 2 * len(lines) or _SENTENCE_END.search(lines[-1].rstrip()):
            return False
        room = int(0.8 * self._layout.full)
        if len(lines) == 1:
            return len(lines[0].strip()) < room and not is_plain(lines[0])
        return all(_with_next_word(line, below) < room for line, below in pairwise(lines))


def _is_centred(lines: Sequence[str]) -> bool:
    """Whether lines stand in the middle of a usual line, as titles do."""
    wide = [line.rstrip().expandtabs() for line in lines]
    return all(
        _indent(line) >= _LEAST_CENTRED and abs(_indent(line) + len(line) - _USUAL_WIDTH) <= 8
        for line in wide
    )


_STRESS = re.compile(r"(?<![\w*])(\*{1,2})(?=\w)([^*\n]{1,60}?)(?<=[\w.!?])\1(?![\w*])|"
                     r"(?<![\w/])_(?=[^\W\d_])([^_\n]{1,40}?)(?<=\w)_(?![\w/])")  # fmt: skip


def _unstressed(text: str) -> str:
    """A text without the signs of stress around words, as in *this* and _that_."""
    return _STRESS.sub(lambda found: found[2] or found[3], text)


def _dedented(lines: Sequence[str]) -> list[str]:
    margin = min(map(_indent, lines))
    return [line.expandtabs()[margin:].rstrip() for line in lines]


def _definitions(part: _Part, layout: "_Layout") -> list[str]:
    """Terms and their meanings, each as one line: those of lines such as "RE = regular expression",
    and a short first line above what is indented below it; else nothing."""
    if part.kind == "text" and len(part.lines) > 1 and (found := _defined(part.lines)):
        return found
    first, *rest = part.lines
    term = first.strip()
    if part.kind == "code" or not rest or len(term) > _LONGEST_TERM or not is_prose(rest):
        return []
    if _NUMBERED.match(term) or _ITEM.match(first) or re.match(r"[$%#>]\s", term):
        return []
    deeper = min(map(_indent, rest)) - _indent(first)
    room = _with_next_word(first, rest[0]) < layout.full and rest[0].strip()[:1].isupper()
    headed = deeper == 0 and layout.is_hung and _indent(first) >= layout.margin and room
    if (
        (deeper > 1 or headed)
        and not term.endswith(_ENDS)
        and len(term.split()) <= _MOST_WORDS // 2
    ):
        return [_unstressed(f"{term}: {joined_lines(rest)}")]
    return []


def _terms_in(whole: _Part) -> list[_Part]:
    """Lines that are two or more terms, each above its meaning, which is indented, term by term;
    else nothing."""
    margin = min(map(_indent, whole.lines))
    starts = [number for number, line in enumerate(whole.lines) if _indent(line) == margin]
    ends = [*starts[1:], len(whole.lines)]
    terms = [whole.lines[start] for start in starts]
    bare = any(end - at < 2 for at, end in zip(starts, ends, strict=True))
    if len(starts) < 2 or starts[0] or bare:
        return []
    if any(_ITEM.match(term) or term.rstrip().endswith(_ENDS) for term in terms):
        return []
    return [_Part(whole.lines[at:end]) for at, end in zip(starts, ends, strict=True)]


def _defined(lines: Sequence[str]) -> list[str]:
    """Lines as terms with their meanings; nothing if one is none."""
    lined = (_DEFINED.fullmatch(line.expandtabs()) for line in lines)
    found = [match for match in lined if match and not re.search(r"[;{}()|*]", match["term"])]
    meant = [match["text"] for match in found if match["text"][0].isalnum()]
    if len(meant) < len(lines) or not (len(lines) > 1 and is_prose(meant)):
        return []
    if any(map(_GOES_ON.search, meant[:-1])) or any(map(_COLUMN.search, meant)):
        return []
    return [f"{match['term'].rstrip(':')}: {match['text']}" for match in found]


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
        yield replace(part, lines=tuple(lines[peeled:]))


def _is_about(line: str) -> bool:
    """Whether a line says who wrote a text, or when, or another such thing with its label."""
    if _is_shouted(line.strip()) and len(line.split()) > _NAME_WORDS:
        return False
    return is_byline(line) or (len(line) <= 2 * LONGEST_HEADING and bool(_LABEL.match(line)))


def _asks(part: _Part, below: _Part) -> bool:
    """Whether a part is a question, and what follows is no other one."""
    text = part.text
    short = len(part.lines) <= _MOST_QUESTION_LINES and len(text) <= _LONGEST_QUESTION
    one = short and text.endswith("?") and not re.search(r"[.!?]\s", text[4:])
    bare = part.kind == "text" and not re.match(r"[ \t]*[-*•]", part.lines[0])
    return one and bare and not below.text.endswith("?") and len(below.text.split()) > 1


def _preformatted_apart(whole: _Part) -> Iterator[_Part]:
    """Lines with those between bars, and code that stands deeper among them, apart from the others;
    what is a drawing or has columns is code as a whole."""
    if whole.level or whole.kind != "text":
        yield whole
        return
    listed = bool(_ITEM.match(whole.lines[0]) or _NUMBERED.match(whole.lines[0].strip()))
    above = sum(1 for _ in takewhile(lambda line: not is_preformatted([line]), whole.lines))
    rows = whole.lines[above:]
    if len(rows) > 1 and not listed and is_preformatted(rows):
        plain = _defined(rows) or table_rows(rows)
        yield from (_Part(lines) for lines in (whole.lines[:above],) if lines)
        yield _Part(rows, kind="text" if plain else "code")
        return
    margin = base = min(map(_indent, whole.lines)) + 1

    def kind(line: str) -> int:
        nonlocal base
        if marker := _ITEM.match(line):
            base = len(marker[0].expandtabs()) + 1
            return 0
        base = margin if _indent(line) <= margin else base
        return 2 if _BARRED.match(line) else int(_indent(line) > base)

    groups = [(deep, tuple(lines)) for deep, lines in groupby(whole.lines, kind)]
    held: list[str] = []
    for number, (deep, lines) in enumerate(groups):
        apart = deep == 2 or (deep == 1 and number and not listed and not is_prose(lines))
        apart = apart and not _is_centred(lines)
        if not apart:
            held += lines
            continue
        if held:
            yield _Part(tuple(held))
        held = []
        yield _Part(lines, kind="text" if deep == 2 else "code")
    if held:
        yield _Part(tuple(held))


@dataclass(frozen=True)
class _Layout:
    """How the lines of a text were broken and indented."""

    width: int
    """Characters of the longest lines; 0 if lines were not broken."""
    full: int
    """A line that with the next word would have fewer characters was ended on purpose."""
    margin: int
    """The indent of most lines."""
    is_hung: bool
    """Whether numbered or underlined headings stand left of the text."""


def _layout(lines: Sequence[str]) -> _Layout:
    written = [line.rstrip().expandtabs() for line in lines if line.strip()]
    lengths = [len(line) for line in written]
    long_lines = Counter(
        _indent(line)
        for line in written
        if len(line.strip()) > _WRAPPED[0] and not is_preformatted([line])
    )
    margin = long_lines.most_common(1)[0][0] if long_lines else 0
    heads = (line for above, line in pairwise(["", *lines]) if line.strip() and not above.strip())
    left = sum(1 for line in heads if _indent(line) < margin and _NUMBERED.match(line.strip()))
    left += sum(
        1 for line, below in pairwise(lines)
        if line.strip() and _indent(line) < margin and _UNDERLINE.match(below)
    )  # fmt: skip
    hung = left >= _LEAST_RUNNING
    width = max((length for length in lengths if length <= _WRAPPED[-1]), default=0)
    long = sum(1 for length in lengths if length > _WRAPPED[-1])
    if width not in _WRAPPED or long > 0.02 * len(lengths):
        return _Layout(0, 0, margin, hung)
    running = [
        (line, below)
        for line, below in pairwise(lines)
        if below.strip()[:1].islower()
        and not _ITEM.match(below)
        and len(line) > 0.5 * width
        and _indent(below) >= _indent(line)
    ]
    if len(running) < _LEAST_RUNNING:
        return _Layout(width, int(0.85 * width), margin, hung)
    filled = sorted(_with_next_word(line, below) for line, below in running)
    width = max(len(line.rstrip().expandtabs()) for line, _ in running)
    return _Layout(width, min(filled[len(filled) // 20], width), margin, hung)


def _with_next_word(line: str, below: str) -> int:
    return len(line.rstrip().expandtabs()) + 1 + len(below.split(maxsplit=1)[0])


def _split(whole: _Part, layout: _Layout) -> Iterator[_Part]:
    """The paragraphs, headings and lists of lines with no empty line between them."""
    if terms := _terms_in(whole):
        yield from terms
        return
    alone = whole.level or whole.kind != "text" or len(whole.lines) == 1
    if alone or table_rows(whole.lines) or _definitions(whole, layout):
        yield whole
        return
    held: list[str] = []
    following = [*whole.lines[1:], ""]
    for line, below in zip(whole.lines, following, strict=True):
        if held and _begins(held, line, below, layout):
            yield _Part(tuple(held))
            held = []
        held.append(line)
    yield _Part(tuple(held))


def _begins(held: Sequence[str], line: str, below: str, layout: _Layout) -> bool:
    """Whether a line begins another part than the lines above it."""
    above = held[-1]
    listed, was_listed = bool(_ITEM.match(line)), bool(_ITEM.match(held[0]))
    if listed and was_listed:
        return False
    if _CHINESE.fullmatch(line.strip()) or (len(held) == 1 and _CHINESE.fullmatch(above.strip())):
        return True
    if was_listed and len(held) == 1 and _heads(held[0], line, layout.width):
        return True
    if layout.width == 0:
        return listed or not (was_listed and line[:1].isspace())
    if listed:
        ended = _SENTENCE_END.search(above.rstrip()) is not None
        return ended or len(held) == 1 or _indent(line) > _indent(above)
    ended = bool(_SENTENCE_END.search(above.rstrip()))
    room = _with_next_word(above, line) < layout.full
    if (
        _LABEL.match(line)
        and not was_listed
        and (_LABEL.match(above) or (len(held) > 1 and (ended or room)))
    ):
        return True
    if len(held) == 1 and not was_listed and _is_title_line(above, line, layout):
        return True
    deeper = _indent(line) - _indent(above)
    if _HUNG.match(line) and (_HUNG.match(held[0]) or deeper > 0 or _indent(held[0]) == 0):
        return True
    if was_listed:
        return (ended and room and deeper < 0) or _indent(line) < _indent(held[0])
    if ended and (room or 1 < deeper <= 8):
        return True
    return ended and _is_title_line(line, below, layout)


def _is_title_line(line: str, below: str, layout: _Layout) -> bool:
    """Whether a line among wrapped ones could be a heading: short, no sentence, with room for the
    first word of the line below it, which begins a sentence."""
    words = line.strip()
    if not below.strip() or len(words) > 0.75 * layout.width or words.endswith(_ENDS):
        return False
    number = bool(_NUMBERED.match(words))
    if not number and not _could_be_heading(_Part((line,))):
        return False
    if not number and _with_next_word(line, below) >= layout.full:
        return False
    starts = below.strip()[:1]
    long = len(below.rstrip()) > 0.6 * layout.width
    return not starts.islower() and (long or bool(_NUMBERED.match(below.strip())))


def _heads(line: str, below: str, width: int) -> bool:
    """Whether a line that begins with a number is a heading and no item: the line below it is
    neither indented nor the middle of a sentence."""
    words = line.strip()
    short = not width or len(words) <= 0.75 * width
    begins = not below[:1].isspace() and not below[:1].islower()
    return bool(_NUMBERED.match(words)) and short and begins and not words.endswith(_ENDS)


def _indent(line: str) -> int:
    wide = line.expandtabs()
    return len(wide) - len(wide.lstrip())


def _counted_headings(lines: Sequence[str]) -> set[int]:
    """The places of lines at the margin that are numbered through and stand over text of their own,
    so that they are headings and no list."""
    written = [number for number, line in enumerate(lines) if line.strip()]
    counted: list[int] = []
    for number in written:
        found = _COUNTED.fullmatch(lines[number])
        apart = number == 0 or not lines[number - 1].strip()
        if found and apart and int(found[1]) == len(counted) + 1 and not found[2].endswith(_ENDS):
            counted.append(number)
    below = dict(pairwise(written))
    over = [
        number for number in counted if (at := below.get(number)) is not None
        and at not in counted and (_ITEM.match(lines[at]) or not lines[at][:1].isspace())
    ]  # fmt: skip
    return {*counted} if len(over) >= _LEAST_COUNTED and 2 * len(over) > len(counted) else set()


def _parts(lines: Sequence[str]) -> Iterator[_Part]:
    """The parts of a text; a line with one of signs below it, or around it, is one by itself."""
    gathered: list[str] = []
    signs: list[str] = []
    counted = _counted_headings(lines)
    for number, (line, following) in enumerate(pairwise([*lines, "", ""])):
        under = _UNDERLINE.match(line)
        if number in counted and not (_UNDERLINE.match(following) and following.strip()):
            yield _Part((line,), 1)
        elif under and gathered and _is_title(gathered[-1], under[1], alone=len(gathered) == 1):
            sign = under[1][0]
            signs += [sign] if sign not in signs else []
            if gathered[:-1]:
                yield _Part(tuple(gathered[:-1]))
            yield _Part((gathered[-1],), min(6, signs.index(sign) + 1))
            gathered = []
        elif (starred := _STARRED.fullmatch(line)) and not gathered:
            yield _Part((starred["name"] or starred["stressed"].rstrip(":"),), 2)
        elif under or not line.strip():
            if gathered:
                yield _Part(tuple(gathered))
            gathered = []
        elif (
            not gathered
            and _is_shouted(line)
            and (_is_below(following) or (number > _HEAD_LINES and following.strip(" -=_")))
        ):
            yield _Part((line,), 1)
        else:
            gathered.append(line)


def _is_below(line: str) -> bool:
    """Whether a line stands below one in capitals as its text: indented, in small letters, an item
    of a list, or several words that are no address."""
    told = len(line) >= _LEAST_TOLD or _SENTENCE_END.search(line.rstrip()) is not None
    plain = told and not (line.isupper() or _is_about(line) or CONTACT.search(line))
    return bool(line.strip()) and (
        line[0].isspace() or line[0].islower() or plain or _ITEM.match(line) is not None
    )


def _is_shouted(line: str) -> bool:
    """Whether a line at the margin is in capitals, words rather than signs."""
    if not line.isupper() or line[0].isspace():
        return False
    return sum(char.isalpha() or char.isspace() for char in line) >= 0.8 * len(line)


def _is_title(line: str, signs: str, *, alone: bool) -> bool:
    """Whether signs below a line underline it: they are about as long, the more so if it does not
    stand ``alone``, and it could be a title."""
    words = line.strip()
    marker = _ITEM.match(line)
    bare = line[marker.end() if marker else 0 :].strip()
    number = _NUMBERED.match(bare)
    named = bare[number.end() if number else 0 :]
    if len(words) > LONGEST_HEADING or re.search(r"\S(?:\t|  )", named):
        return False
    return 2 * len(signs) >= len(words) > 1 and (alone or abs(len(signs) - len(words)) <= 3)


def _could_be_heading(part: _Part) -> bool:
    """Whether a part is one short line without a full stop, and no item of a list."""
    text = part.text
    if len(part.lines) > 1 or len(text) > LONGEST_HEADING or len(text.split()) > _MOST_WORDS:
        return False
    if (text.endswith(_ENDS) and not text.endswith((" etc.", "?"))) or _ITEM.match(text):
        return False
    return text[0].isalpha() and not text[0].islower()


def _could_be_title(part: _Part) -> bool:
    """Whether a first part is the title: it may be longer than a heading."""
    text = part.text
    if len(text) > 2 * LONGEST_HEADING or len(text.split()) > 2 * _MOST_WORDS or _ITEM.match(text):
        return False
    return not text.endswith(_ENDS) and text[0].isalpha() and not text[0].islower()


def _level(part: _Part, below: _Part | None, layout: _Layout) -> int:
    """The level of a heading that no line underlines; 0 for anything else."""
    if below is None:
        return 0
    chinese = _CHINESE.fullmatch(part.text)
    if chinese and len(part.lines) == 1:
        return 2 if chinese["inner"] else 1
    number = _NUMBERED.match(part.text)
    if number is not None and layout.is_hung and part.indent > layout.margin:
        return 0
    if number is not None:
        return _numbered_level(part, number[1], below)
    short = len(part.lines) == 1 and len(part.text) <= LONGEST_HEADING
    if short and heading_part(part.text) not in {"body", "prompt"} and not _ITEM.match(part.text):
        return 1
    if not _could_be_heading(part) or part.text.endswith("?"):
        return 0
    shouted = _is_shouted(part.lines[0])
    if layout.is_hung and part.indent >= layout.margin and not shouted:
        return 0
    listed = len(below.lines) > 1 and bool(_ITEM.match(below.lines[0]))
    counted = _NUMBERED.match(below.text) and len(below.text) < _LEAST_BELOW
    if not listed and (below.level or below.kind != "text" or counted):
        return 1 if shouted else 0
    if part.indent > layout.margin + 1 and not is_prose(below.lines):
        return 0
    return (1 if shouted else 2) if listed or len(below.text) >= _LEAST_BELOW else 0


def _numbered_level(part: _Part, number: str, below: _Part) -> int:
    """The level of a line that begins with a number; 0 for an item of a list."""
    name = _NUMBERED.sub("", part.text, count=1)
    if part.text.startswith(f"{number} ") and number.isdecimal() and re.search(r"\d", name):
        return 0  # a date or an address
    depth = number.count(".") + number.count("-")
    other = _NUMBERED.match(below.text)
    if other is not None and other[1].count(".") + other[1].count("-") == depth:
        return 0
    if "." in number or name.endswith("?"):  # no item has such a number
        short = len(part.text) <= _LONGEST_QUESTION and len(part.lines) <= _MOST_QUESTION_LINES
        heads = short and (name.endswith("?") or not name.endswith(_ENDS))
        hangs = _indent(part.lines[-1]) > part.indent
        heads = heads and (len(part.lines) == 1 or name.endswith("?") or hangs)
        return min(6, depth + 1) if heads else 0
    return min(6, depth + 1) if _could_be_heading(replace(part, lines=(name,))) else 0


def _items(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines of each item of a list."""
    item: list[str] = []
    for line in lines:
        if item and _ITEM.match(line):
            yield item
            item = []
        item.append(line)
    yield item
