"""Markdown as the parts that slides are made of, each with its line.

CommonMark with tables, read by markdown-it-py, and what programs for slides add: front matter
(Marp, Slidev, Pandoc), comments with directives (Marp), ``Note:`` (reveal.js), and what
``markdown_dialects`` writes as such.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import unescape
from itertools import count, groupby, repeat, takewhile
from typing import Any, Final, Literal

from decklab.board.marked_text import (
    TextSpan,
    address_of,
    cut,
    is_text_tag,
    joined,
    markdown_parser,
    spans_of,
    spans_of_tokens,
    text_of,
    text_of_markdown,
)
from decklab.writer.markdown_dialects import common_lines

PartKind = Literal[
    "break", "heading", "paragraph", "list", "quote", "table", "fence", "picture", "directive",
    "notes", "html",
]  # fmt: skip

Side = Literal["start", "center", "end", ""]

DIRECTIVES: Final = (
    "layout", "section", "subtitle", "byline", "role", "source", "chart", "chart-source", "unit",
    "units", "accent", "highlight", "change", "column",
)  # fmt: skip
"""Settings that comments of the form ``<!-- name: value -->`` make; others are notes."""
_FRONT: Final = (
    "title",
    "subtitle",
    "author",
    "date",
    "theme",
    "language",
    "lang",
    "footer",
    "title-page",
    "headingDivider",
)
_OTHERS: Final = frozenset(
    (
        "marp", "paginate", "class", "size", "style", "header", "footer", "math",
        "backgroundColor", "color", "backgroundImage", "backgroundSize",
        "backgroundPosition", "backgroundRepeat", "transition", "drawings", "mdc", "highlighter",
        "colorSchema", "aspectRatio", "canvasWidth", "background", "fonts", "lineNumbers", "theme",
    )
)  # fmt: skip
"""Settings of Marp and Slidev that decklab has no use for."""
_DIRECTIVE = re.compile(r"\s*_?([A-Za-z][\w-]*)\s*(?::\s*(.*?))?\s*\Z", re.DOTALL)
_SETTING = re.compile(r"([A-Za-z][\w-]*)\s*:\s*(.*?)\s*\Z")
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_PICTURES: Final = ("image", "background", "backgroundImage")
"""Settings of a slide that name a picture (Slidev, Marp)."""
_BEHIND = re.compile(
    r"""(?:url\(\s*)?["']?([^"'():]+\.(?:png|jpe?g|gif|webp|bmp|svg))["']?\s*\)?""", re.I
)
_NOTE = re.compile(r"notes?:[ \t]*", re.IGNORECASE)
_ATTRIBUTES = re.compile(r"\s*\{[#.][^{}]*\}\Z")
"""Of a heading in Pandoc, such as ``{#costs .unnumbered}``."""
_SILENT = re.compile(r"(?is)<(style|script)\b.*?</\1\s*>|<br\s*/?>")
"""HTML that shows no words."""
_ELEMENT = re.compile(r"</?([A-Za-z][\w.:-]*)(?:\s(?:[^<>\"']|\"[^\"]*\"|'[^']*')*)?/?>")
_ATTRIBUTE = re.compile(r"""\b(src|alt|title)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_WRAPPERS: Final = frozenset(
    ("div", "p", "span", "center", "section", "article", "main", "figure", "figcaption", "header",
     "footer", "small", "big", "font", "h1", "h2", "h3", "h4", "h5", "h6", "img", "br", "b", "i",
     "em", "strong", "a", "transform")
)  # fmt: skip
"""Elements of HTML whose words and pictures are read, and nothing else; so are those of clicks and
icons (Slidev), such as ``<v-click>`` and ``<carbon:edit />``."""
_BLOCKS = re.compile(r"(?i)</?(?:div|p|center|section|article|figure|figcaption|h\d)\b[^>]*>")
_PAUSE: Final = ". . ."


@dataclass(frozen=True)
class ListItem:
    """One item of a list, or a paragraph. ``label`` is the bold text that it begins with, ``rest``
    what follows, ``mark`` what stands before it."""

    text: str
    level: int
    label: str = ""
    rest: str = ""
    mark: str = "•"


@dataclass(frozen=True)
class MarkdownPart:
    """One block of Markdown. Which fields are filled depends on its kind."""

    kind: PartKind
    line: int
    text: str = ""
    """Words; the value of a directive, the content of a fence, what a picture shows."""
    name: str = ""
    """Of a directive its name, of a fence its info string, of a picture its address."""
    level: int = 0
    items: tuple[ListItem, ...] = ()
    start: int = 0
    """The number of the first item of a numbered list; 0 for bullets."""
    rows: tuple[tuple[str, ...], ...] = ()
    sides: tuple[Side, ...] = ()
    """Where the cells of each column of a table stand; empty if the table does not say."""
    by: str = ""
    """Whose words a quote is; of a picture its title."""


@dataclass(frozen=True)
class FrontMatter:
    """The settings above the slides; ``end`` is the number of lines that they take."""

    values: dict[str, str] = field(default_factory=dict)
    end: int = 0
    told: tuple[str, ...] = ()
    marp: bool = False
    """Whether it says that the file is for Marp, where headings begin no slide."""


class Unused:
    """Settings of other programs that have no use here, by the lines that they stand on."""

    def __init__(self) -> None:
        self._lines: dict[str, list[int]] = {}

    def add(self, name: str, line: int) -> None:
        """Remember a setting."""
        self._lines.setdefault(name, []).append(line)

    @property
    def told(self) -> list[str]:
        """All of them in a line; none if there are none."""
        if not self._lines:
            return []
        first = min(line for lines in self._lines.values() for line in lines)
        return [f"line {first}: not used: {', '.join(self._lines)}"]


def front_matter(text: str) -> FrontMatter:
    """The settings between ``---`` lines at the beginning, each ``name: value`` on a line.

    >>> front_matter("---\\ntitle: Cranes\\nlang: de\\n---\\n# One").values
    {'title': 'Cranes', 'language': 'de'}
    """
    lines = text.splitlines()
    if text.startswith("% "):
        return _title_block(lines)
    if not lines or lines[0].strip() != "---":
        return FrontMatter()
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() in ("---", "...")), 0)
    inside = lines[1:end]
    if not end or not any(_SETTING.match(line) for line in inside if line.strip()):
        return FrontMatter()
    values: dict[str, str] = {}
    unused, name = Unused(), ""
    for number, line in enumerate(inside, start=2):
        setting = _SETTING.match(line)
        if setting:
            name = "language" if setting[1] == "lang" else setting[1]
        if setting and name in _FRONT:
            values[name] = _plain_value(setting[2])
        elif item := name in _FRONT and re.match(r"\s*-\s+(?=\S)", line):
            text = _plain_value(line[item.end() :])
            values[name] = f"{values[name]}, {text}" if values[name] else text
        elif setting and name == "header":
            values["header"] = _plain_value(setting[2])
        elif setting and not line.startswith("marp:"):
            unused.add(setting[1], number)
        elif not setting and not name and line.strip() and not line.lstrip().startswith("#"):
            unused.add(line.strip()[:60], number)
    values = _read_marks(values)
    if header := values.pop("header", ""):  # it stands where all slides have such a text
        values["footer"] = " · ".join(filter(None, (header, values.get("footer", ""))))
    marp = any(re.match(r"marp:\s*true", line) for line in inside)
    return FrontMatter(values, end + 1, tuple(unused.told), marp)


def _title_block(lines: Sequence[str]) -> FrontMatter:
    """Title, authors and date in lines that begin with a per cent sign (Pandoc)."""
    block = list(takewhile(lambda line: line.startswith(("% ", "%", "  ")), lines))[:12]
    texts: list[str] = []
    for line in block:
        if line.startswith("%"):
            texts.append(line[1:].strip())
        else:
            texts[-1] += f" {line.strip()}"
    names = ("title", "author", "date")
    values = {name: text.replace(";", ",") if name == "author" else text
              for name, text in zip(names, texts, strict=False) if text}  # fmt: skip
    return FrontMatter(_read_marks(values), len(block))


def _read_marks(values: Mapping[str, str]) -> dict[str, str]:
    """Settings that are not empty, those that slides show as texts."""
    return {
        name: text_of_markdown(value) if name in ("title", "subtitle", "author") else value
        for name, value in values.items()
        if value
    }


def _plain_value(text: str) -> str:
    if text.startswith('"'):
        try:
            return str(json.loads(text)).strip()
        except ValueError:
            pass
    return text.strip("'\" ")


class MarkdownParts:
    """Reads Markdown text below its front matter. ``told`` is what of it was not understood."""

    def __init__(self, text: str, skipped: int = 0) -> None:
        lines = text.splitlines()
        self._lines = ["" for _ in lines[:skipped]] + lines[skipped:]
        self.told: list[str] = []
        self._unused = Unused()

    def read(self) -> list[MarkdownPart]:
        """The parts in the order of the file. Raises Unavailable without ``decklab[write]``."""
        text = "\n".join(common_lines(self._lines))
        parts = list(self._parts(markdown_parser().parse(text)))
        self.told += self._unused.told
        return parts

    def _parts(self, tokens: Sequence[Any]) -> Iterator[MarkdownPart]:
        place = 0
        while place < len(tokens):
            token = tokens[place]
            line = token.map[0] + 1 if token.map else 0
            end = _end_of(tokens, place)
            inner = tokens[place + 1 : end]
            if token.type == "hr":
                yield MarkdownPart("break", line)
            elif token.type == "html_block":
                yield from self._html(token.content, line)
            elif token.type in ("fence", "code_block"):
                yield MarkdownPart("fence", line, token.content, name=token.info.strip())
            elif token.type == "table_open":
                rows, sides = tuple(self._rows(inner)), tuple(map(_side, _first_row(inner)))
                yield MarkdownPart("table", line, rows=rows, sides=sides if any(sides) else ())
            elif token.type == "blockquote_open":
                yield self._quote(inner, line)
            elif token.type in ("bullet_list_open", "ordered_list_open"):
                yield from self._list(tokens[place : end + 1], line)
            elif token.type == "heading_open":
                yield from self._heading(token, inner[0], line)
            elif token.type == "paragraph_open":
                yield from self._paragraph(inner[0], line)
            place = end + 1

    def _heading(self, token: Any, inline: Any, line: int) -> Iterator[MarkdownPart]:
        """A heading; one of settings between two breaks is the front matter of a slide (Slidev)."""
        settings = [_SETTING.match(row.strip()) for row in inline.content.splitlines()]
        if token.markup == "-" and settings and all(settings):
            for number, found in enumerate(settings):
                if found:
                    yield from self._directive(found[1], _plain_value(found[2]), line + number)
            return
        text = _words(inline)
        pictures = list(self._aside(inline, line))
        if attributes := _ATTRIBUTES.search(text):
            text = cut(text, 0, attributes.start())
        yield MarkdownPart("heading", line, text, level=int(token.tag[1:]))
        yield from pictures

    def _paragraph(self, inline: Any, line: int) -> Iterator[MarkdownPart]:
        note = _NOTE.match(inline.content)
        if note:
            yield MarkdownPart("notes", line, inline.content[note.end() :].strip(), name="rest")
            return
        pictures = list(self._aside(inline, line))
        for text in _by_formulas(spans_of_tokens(inline.children or ())):
            if text == _PAUSE:
                self.told.append(f"line {line}: a pause is not kept")
            else:
                yield MarkdownPart("paragraph", line, text)
        yield from pictures

    def _list(self, tokens: Sequence[Any], line: int) -> Iterator[MarkdownPart]:
        """A list with all below it; pictures in it and what else stands in items follow it."""
        items: list[ListItem] = []
        aside: list[MarkdownPart] = []
        marks: list[Iterator[str]] = []
        begins, mark = False, ""
        for token in tokens:
            own = token.map[0] + 1 if token.map else line
            if token.type in ("bullet_list_open", "ordered_list_open"):
                marks.append(_marks(token))
            elif token.type in ("bullet_list_close", "ordered_list_close"):
                marks.pop()
            elif token.type == "list_item_open":
                begins, mark = True, next(marks[-1])
            elif token.type == "inline":
                item = _item(token, len(marks) - 1, mark)
                aside += self._aside(token, own)
                if item.text and (begins or not items):
                    items.append(item)
                elif item.text:
                    last = items[-1]
                    items[-1] = replace(last, text=joined(" ", (last.text, item.text)),
                                        rest=joined(" ", (last.rest, item.text)))  # fmt: skip
                begins = begins and not item.text
            elif token.type in ("fence", "code_block"):
                aside.append(MarkdownPart("fence", own, token.content, name=token.info.strip()))
            elif token.type == "html_block":
                aside += self._html(token.content, own)
        start = 0
        if tokens[0].type == "ordered_list_open":
            start = int(tokens[0].attrs.get("start", 1))
        if items:
            yield MarkdownPart("list", line, items=tuple(items), start=start)
        yield from aside

    def _rows(self, tokens: Sequence[Any]) -> Iterator[tuple[str, ...]]:
        row: list[str] = []
        for token in tokens:
            if token.type == "inline":
                row.append(_words(token))
            elif token.type == "tr_close":
                yield tuple(row)
                row = []

    def _quote(self, tokens: Sequence[Any], line: int) -> MarkdownPart:
        texts = [_words(token) for token in tokens if token.type == "inline"]
        texts = [text for text in texts if text]
        by = ""
        if len(texts) > 1 and (found := re.match(r"(?:—|–|--?)\s*(?=\S)", texts[-1])):
            by = cut(texts.pop(), found.end())
        return MarkdownPart("quote", line, joined(" ", texts), by=by)

    def _html(self, text: str, line: int) -> Iterator[MarkdownPart]:
        """Comments as directives or notes; other HTML is told."""
        place = 0
        for found in _COMMENT.finditer(text):
            yield from self._other_html(text[place : found.start()], line)
            own = line + text.count("\n", 0, found.start())
            yield from self._comment(found[1], own)
            place = found.end()
        yield from self._other_html(text[place:], line)

    def _other_html(self, text: str, line: int) -> Iterator[MarkdownPart]:
        if re.search(r"<style\b", text, re.IGNORECASE):
            self._unused.add("style", line)
        text = _SILENT.sub(" ", text)
        if any(not _is_wrapper(element[1]) for element in _ELEMENT.finditer(text)):
            yield MarkdownPart("html", line, " ".join(text.split()))
            return
        for block in _BLOCKS.split(text):
            yield from map(
                partial(_picture_of, line), filter(_is_picture, _ELEMENT.finditer(block))
            )
            words = " ".join(unescape(_ELEMENT.sub("", block)).split())
            if words:
                yield MarkdownPart("paragraph", line, text_of([TextSpan(words)]))

    def _comment(self, text: str, line: int) -> Iterator[MarkdownPart]:
        found = _DIRECTIVE.match(text)
        name = found[1] if found else ""
        if found and (name in DIRECTIVES or (name in _OTHERS and found[2] is not None)):
            yield from self._directive(name, (found[2] or "").strip(), line)
        elif found and name == "fit" and found[2] is None:
            self._unused.add("fit", line)
        elif found and name.casefold() in ("note", "notes") and found[2] is not None:
            yield MarkdownPart("notes", line, found[2].strip().replace(r"--\>", "-->"))
        elif text.strip():
            yield MarkdownPart("notes", line, text.strip().replace(r"--\>", "-->"))

    def _directive(self, name: str, value: str, line: int) -> Iterator[MarkdownPart]:
        picture = _BEHIND.fullmatch(value) if name in _PICTURES else None
        if name in DIRECTIVES:
            words = " ".join(value.split())
            shown = name in ("subtitle", "byline", "source")
            text = text_of_markdown(words) if shown else words
            yield MarkdownPart("directive", line, text, name=name)
        elif picture:
            yield MarkdownPart("picture", line, "bg", name=picture[1])
        else:
            self._unused.add(name, line)

    def _aside(self, token: Any, line: int) -> Iterator[MarkdownPart]:
        """Pictures, comments, HTML and the addresses of links of an inline token."""
        children = token.children or ()
        own = line
        for child in children:
            own += child.type in ("softbreak", "hardbreak")
            if child.type == "image":
                address = str(child.attrs.get("src", ""))
                title = str(child.attrs.get("title", ""))
                yield MarkdownPart("picture", own, child.content.strip(), name=address, by=title)
            elif child.type == "link_open" and not (address := str(child.attrs["href"])).isspace():
                if not address_of(address):
                    self.told.append(f"line {own}: the link to {address[:80]} leads nowhere")
            elif child.type == "html_inline":
                comment = _COMMENT.fullmatch(child.content)
                if comment:
                    yield from self._comment(comment[1], own)
                elif not is_text_tag(child.content):
                    yield from self._other_html(child.content, own)


def _is_wrapper(name: str) -> bool:
    name = name.lower()
    icon = ":" in name
    return icon or name in _WRAPPERS or name.startswith(("v-click", "v-after", "v-switch"))


def _is_picture(element: re.Match[str]) -> bool:
    return element[1].lower() == "img"


def _picture_of(line: int, element: re.Match[str]) -> MarkdownPart:
    """The picture of an ``<img>``."""
    said = {name.lower(): unescape(first or second)
            for name, first, second in _ATTRIBUTE.findall(element[0])}  # fmt: skip
    return MarkdownPart("picture", line, said.get("alt", ""), name=said.get("src", ""))


def _words(token: Any) -> str:
    """The text of an inline token."""
    return text_of(replace(span, display=False) for span in spans_of_tokens(token.children or ()))


def _by_formulas(spans: Iterable[TextSpan]) -> Iterator[str]:
    """The texts of a paragraph: formulas that have lines of their own, and what is between."""
    for alone, group in groupby(spans, key=lambda span: span.display):
        whole = tuple(group)
        pieces = [(span,) for span in whole] if alone else [whole]
        yield from filter(None, map(text_of, pieces))


def _item(token: Any, level: int, mark: str) -> ListItem:
    """The item of a list that begins with an inline token; a task's box is its mark."""
    text = _words(token)
    if box := re.match(r"[☐☑]\s+", text):
        text, mark = cut(text, box.end()), text[0]
    bold = list(takewhile(lambda span: span.bold and not span.link, spans_of(text)))
    label = text_of(replace(span, bold=False) for span in bold)
    rest = cut(text, len("".join(span.words for span in bold)))
    lead = re.match(r"\s*(?::|[–—]\s|-\s)?\s*", rest)
    if label and lead:
        rest = cut(rest, lead.end())
    return ListItem(
        text, level, cut(label, 0, len(label.rstrip(": "))), rest if label else "", mark
    )


def _first_row(tokens: Sequence[Any]) -> Iterator[Any]:
    """The tokens that open the cells of a table's first row."""
    first = takewhile(lambda token: token.type != "tr_close", tokens)
    return (token for token in first if token.type == "th_open")


def _side(cell: Any) -> Side:
    sides: dict[str, Side] = {"left": "start", "center": "center", "right": "end"}
    return sides.get(str(cell.attrs.get("style", "")).removeprefix("text-align:"), "")


def _marks(token: Any) -> Iterator[str]:
    """The marks of the items of a list: bullets, or numbers from its first one."""
    if token.type == "bullet_list_open":
        return repeat("•")
    return (f"{number}{token.markup}" for number in count(int(token.attrs.get("start", 1))))


def _end_of(tokens: Sequence[Any], start: int) -> int:
    """The place of the token that closes the one at ``start``; its own where it stands alone."""
    if tokens[start].nesting != 1:
        return start
    level = tokens[start].level
    return next(
        at for at in range(start + 1, len(tokens))
        if tokens[at].nesting == -1 and tokens[at].level == level
    )  # fmt: skip


_LOOKS: Final = (
    "blur", "brightness", "contrast", "drop-shadow", "grayscale", "hue-rotate", "invert", "opacity",
    "saturate", "sepia",
)  # fmt: skip
_BESIDE_BG: Final = ("bg", "contain", "cover", "fit", "auto", "left", "right", "vertical")
_KEYWORD = re.compile(
    rf"(?:(?P<side>w|h|width|height):(?P<length>auto|[\d.]+(?:%|px|in|cm|mm)?)"
    rf"|(?:{'|'.join(_LOOKS)})(?::\S+)?|center)(?=\s|\Z)"
)
_BACKGROUND = re.compile(rf"bg(?:\s+(?:{'|'.join((*_BESIDE_BG, *_LOOKS))}|\d)[\w.:%-]*)*\Z")
_PER_PAGE: Final = {"%": 100.0, "px": 1280.0, "": 1280.0, "in": 40 / 3, "cm": 33.867, "mm": 338.67}
"""The width of a page in units of length, those of Marp among them."""
_WIDEST: Final = 0.9


def picture_words(text: str) -> tuple[str, str, float | None]:
    """Where a picture stands behind a slide (empty if it does not), its words without the settings
    among them, and its width as a share of that of the page (None if it has none).

    >>> picture_words("The crane w:640px")
    ('', 'The crane', 0.5)
    >>> picture_words("bg right:40%")
    ('bg right:40%', '', None)
    """
    if _BACKGROUND.match(text):
        return text, "", None
    width: float | None = None
    words = []
    for word in text.split():
        keyword = _KEYWORD.fullmatch(word)
        if keyword is None:
            words.append(word)
        elif keyword["side"] in ("w", "width") and keyword["length"] != "auto":
            number, unit = re.fullmatch(r"([\d.]*)(.*)", keyword["length"]).groups()  # type: ignore[union-attr]
            width = min(float(number or 0) / _PER_PAGE[unit], _WIDEST) or None
    return "", " ".join(words), width
