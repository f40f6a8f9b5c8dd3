"""Text with marks in it: emphasis, links, code, raised letters and formulas.

A text is a string of its words for all who read it. One with marks is a ``MarkedText``, which knows
its spans too, and becomes HTML in pages; a plan holds it as ``{"markdown": "..."}``.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
)

from decklab.board.formulas import linear, math_root, mathml
from decklab.core.lazy import extra_module

_LEADS = re.compile(r"(?:https?|mailto|tel|ftp):|#", re.IGNORECASE)
_SPECIAL = re.compile(r"([\\`*_\[\]<>&|~$^])")
_FORMULA = re.compile(
    r"\$\$((?:[^$\\]|\\.)+)\$\$|\$(?=\S)((?:[^$\\]|\\.)*(?:[^\s\\$]|\\.))\$(?!\d)", re.S
)
"""TeX between dollar signs, told from amounts of money as Pandoc does."""
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)\b([^>]*?)/?>\Z", re.S)
_HREF = re.compile(r"""\bhref\s*=\s*["']?([^"'\s>]+)""", re.I)

MARKS: Final = ("bold", "italic", "strike", "underline", "highlight", "raised", "lowered", "code")
"""Of a span, from the outermost element of HTML to the innermost."""
_ELEMENTS: Final = dict(
    zip(MARKS, ("strong", "em", "s", "u", "mark", "sup", "sub", "code"), strict=True)
)
TAGS: Final = {
    **{element: mark for mark, element in _ELEMENTS.items()}, "b": "bold", "i": "italic",
    "del": "strike", "ins": "underline", "kbd": "code", "samp": "code", "tt": "code",
}  # fmt: skip
"""Elements of HTML that may stand in a text, and the marks that they make."""
_SIGNS: Final = {"strike": "~~", "italic": "*", "bold": "**"}


@dataclass(frozen=True)
class TextSpan:
    """Characters with the same marks; those of a formula are TeX."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    underline: bool = False
    highlight: bool = False
    raised: bool = False
    lowered: bool = False
    code: bool = False
    link: str = ""
    formula: bool = False
    display: bool = False
    """Whether a formula stands on lines of its own."""

    @property
    def words(self) -> str:
        """The characters as they are read."""
        markup = mathml(self.text) if self.formula else None
        return self.text if markup is None else linear(math_root(markup))

    @property
    def html(self) -> str:
        """The span as HTML."""
        markup = mathml(self.text, display=self.display) if self.formula else None
        inner = escape(self.text) if markup is None else markup
        for mark in reversed(MARKS):
            if getattr(self, mark):
                inner = f"<{_ELEMENTS[mark]}>{inner}</{_ELEMENTS[mark]}>"
        return f'<a href="{escape(self.link)}">{inner}</a>' if self.link else inner


class MarkedText(str):
    """A text with marks; as a string it is its words."""

    spans: tuple[TextSpan, ...]

    def __new__(cls, spans: Iterable[TextSpan]) -> "MarkedText":
        """A text of spans."""
        kept = tuple(spans)
        made = super().__new__(cls, "".join(span.words for span in kept))
        made.spans = kept
        return made

    def __getnewargs__(self) -> tuple[tuple[TextSpan, ...]]:  # type: ignore[override]
        """The arguments from which a copy is made."""
        return (self.spans,)

    def __html__(self) -> str:
        """The text as HTML, for templates."""
        return "".join(span.html for span in self.spans)

    @property
    def markdown(self) -> str:
        """The text as inline Markdown that ``text_of_markdown`` reads back."""
        made = _beside(map(_markdown, self.spans))
        return made if spans_of(text_of_markdown(made)) == self.spans else _tagged(self.spans)


def spans_of(text: str) -> tuple[TextSpan, ...]:
    """The spans of a text, be it marked or plain."""
    return text.spans if isinstance(text, MarkedText) else (TextSpan(text),) if text else ()


def text_of(spans: Iterable[TextSpan]) -> str:
    """Spans as a text without white space at its ends: a plain string if it has no marks."""
    joined: list[TextSpan] = []
    for span in spans:
        text = re.sub(r"\s+", " ", span.text) if not span.formula else span.text
        if joined and text[:1] == " " and joined[-1].text.endswith(" ") and not joined[-1].formula:
            text = text[1:]
        alike = joined and replace(joined[-1], text="") == replace(span, text="")
        if text and alike and not span.formula:
            joined[-1] = replace(span, text=joined[-1].text + text)
        elif text:
            joined.append(replace(span, text=text))
    if joined and not joined[0].formula:
        joined[0] = replace(joined[0], text=joined[0].text.lstrip())
    if joined and not joined[-1].formula:
        joined[-1] = replace(joined[-1], text=joined[-1].text.rstrip())
    joined = [span for span in joined if span.text]
    plain = all(span == TextSpan(span.text) for span in joined)
    return "".join(span.text for span in joined) if plain else MarkedText(joined)


def cut(text: str, start: int, stop: int | None = None) -> str:
    """Some characters of a text with their marks; a formula belongs to where it begins."""
    stop, at = len(text) if stop is None else stop, 0
    pieces = []
    for span in spans_of(text):
        end = at + len(span.words)
        if span.formula and start <= at < stop:
            pieces.append(span)
        elif not span.formula:
            pieces.append(replace(span, text=span.text[max(start - at, 0) : max(stop - at, 0)]))
        at = end
    return text_of(pieces)


def joined(separator: str, texts: Iterable[str]) -> str:
    """Texts with a separator between, with their marks."""
    spans: list[TextSpan] = []
    for text in texts:
        spans += [TextSpan(separator)] if spans else []
        spans += spans_of(text)
    return text_of(spans)


def bold(text: str) -> str:
    """A text in bold."""
    return text_of(replace(span, bold=not span.formula) for span in spans_of(text))


def unbold(text: str) -> str:
    """A text without bold."""
    return text_of(replace(span, bold=False) for span in spans_of(text))


# Markdown


@cache
def markdown_parser() -> Any:
    """markdown-it for CommonMark with tables, strokes through words, and formulas between dollar
    signs. Raises Unavailable without ``decklab[write]``."""
    markdown = extra_module("markdown_it", "reading Markdown", "write").MarkdownIt("commonmark")
    markdown.enable(["table", "strikethrough"])
    markdown.inline.ruler.before("escape", "formula", _formula_rule)
    return markdown


def _formula_rule(state: Any, silent: bool) -> bool:
    found = _FORMULA.match(state.src, state.pos) if state.src[state.pos] == "$" else None
    if found is None:
        return False
    if not silent:
        token = state.push("formula", "math", 0)
        token.content, token.markup = (found[1] or found[2]).strip(), "$$" if found[1] else "$"
    state.pos = found.end()
    return True


def text_of_markdown(markdown: str) -> str:
    """Inline Markdown as a text. Raises Unavailable without ``decklab[write]``.

    >>> [(span.text, span.bold) for span in text_of_markdown("up **12 %**").spans]
    [('up ', False), ('12 %', True)]
    """
    (inline,) = markdown_parser().parseInline(markdown)
    return text_of(spans_of_tokens(inline.children or ()))


def spans_of_tokens(tokens: Sequence[Any]) -> Iterator[TextSpan]:
    """The spans of inline tokens of markdown-it, without pictures and unknown elements."""
    open_marks: list[str] = []
    links: list[str] = []
    names = {"strong": "bold", "em": "italic", "s": "strike"}
    for token in tokens:
        kind, _, end = token.type.rpartition("_")
        marks: dict[str, Any] = dict.fromkeys(open_marks, True)
        marks |= {"link": links[-1]} if links else {}
        if kind in names and end in ("open", "close"):
            _toggle(open_marks, names[kind], opens=end == "open")
        elif token.type == "link_open":
            links.append(address_of(str(token.attrs.get("href", ""))))
        elif token.type == "link_close":
            links.pop()
        elif token.type == "html_inline" and (tag := _TAG.match(token.content)):
            _read_tag(tag, open_marks, links)
            if tag[2].lower() == "br":
                yield TextSpan(" ", **marks)
        elif token.type in ("softbreak", "hardbreak"):
            yield TextSpan(" ", **marks)
        elif token.type == "text":
            yield TextSpan(token.content, **marks)
        elif token.type == "code_inline":
            yield TextSpan(token.content, **{**marks, "code": True})
        elif token.type == "formula":
            yield _formula_span(token, marks)


def _formula_span(token: Any, marks: dict[str, Any]) -> TextSpan:
    """A formula; its characters as they are written if it is not understood."""
    if mathml(token.content) is None:
        return TextSpan(f"{token.markup}{token.content}{token.markup}", **marks)
    return TextSpan(token.content, formula=True, display=token.markup == "$$", **marks)


def _read_tag(tag: re.Match[str], open_marks: list[str], links: list[str]) -> None:
    name = tag[2].lower()
    if name in TAGS:
        _toggle(open_marks, TAGS[name], opens=not tag[1])
    elif name == "a" and not tag[1]:
        href = _HREF.search(tag[3])
        links.append(address_of(href[1]) if href else "")
    elif name == "a" and links:
        links.pop()


def _toggle(open_marks: list[str], mark: str, *, opens: bool) -> None:
    if opens:
        open_marks.append(mark)
    elif mark in open_marks:
        open_marks.remove(mark)


def address_of(link: str) -> str:
    """An address that a text may lead to; empty for those of files and scripts."""
    return link if _LEADS.match(link) else ""


def is_text_tag(tag: str) -> bool:
    """Whether an element of HTML in a text is read, or says nothing but how the text looks."""
    found = _TAG.match(tag)
    return found is not None and found[2].lower() in {*TAGS, "a", "br", "span", "small", "font"}


def escaped(text: str) -> str:
    """Text with every mark of Markdown escaped."""
    return _SPECIAL.sub(r"\\\1", text)


def _markdown(span: TextSpan) -> str:
    if span.formula:
        return _dollars(span)
    body = span.text.strip()
    lead = span.text[: len(span.text) - len(span.text.lstrip())]
    inner = _code_markdown(body) if span.code else escaped(body)
    for mark in ("raised", "lowered", "underline", "highlight"):
        if getattr(span, mark):
            inner = f"<{_ELEMENTS[mark]}>{inner}</{_ELEMENTS[mark]}>"
    for mark, sign in _SIGNS.items():
        if getattr(span, mark):
            inner = f"{sign}{inner}{sign}"
    if span.link:
        inner = f"[{inner}](<{span.link}>)"
    return f"{lead}{inner}{span.text[len(lead) + len(body) :]}" if body else span.text


def _dollars(span: TextSpan) -> str:
    mark = "$$" if span.display else "$"
    return f"{mark}{span.text}{mark}"


def _code_markdown(text: str) -> str:
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    room = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{room}{text}{room}{fence}"


def _tagged(spans: Sequence[TextSpan]) -> str:
    """Spans with their marks as elements of HTML, which mean the same wherever they stand."""
    pieces = []
    for span in spans:
        inner = _dollars(span) if span.formula else escaped(span.text)
        for mark in reversed(MARKS):
            if getattr(span, mark):
                inner = f"<{_ELEMENTS[mark]}>{inner}</{_ELEMENTS[mark]}>"
        pieces.append(f"[{inner}](<{span.link}>)" if span.link else inner)
    return _beside(pieces)


def _beside(pieces: Iterable[str]) -> str:
    """Pieces of Markdown in a row; an exclamation mark before a link makes no picture of it."""
    made = ""
    for piece in pieces:
        made = f"{made[:-1]}\\!" if made.endswith("!") and piece.startswith("[") else made
        made += piece
    return made


CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]")
"""Characters that no text of a plan has."""


def _one_line(text: str) -> str:
    plain = text.strip()
    if not plain:
        raise ValueError("it is empty")
    if CONTROL.search(plain):
        raise ValueError("it has a line break or another control character: text is one paragraph")
    return plain


def _shown(value: object) -> str:
    """A text that may have marks: it stands in a plan as itself, or as Markdown."""
    if (
        isinstance(value, dict)
        and set(value) == {"markdown"}
        and isinstance(value["markdown"], str)
    ):
        value = text_of_markdown(value["markdown"])
    if not isinstance(value, str):
        raise ValueError('it is no text, and no {"markdown": "..."}')
    plain = _one_line(value)
    return value if isinstance(value, MarkedText) and plain == value else plain


def _cell(value: object) -> str:
    return "" if value == "" else _shown(value)


def _stored(text: str) -> str | dict[str, str]:
    return {"markdown": text.markdown} if isinstance(text, MarkedText) else text


_AS_STORED: Final = PlainSerializer(_stored)
_AS_TEXT: Final = WithJsonSchema({"type": "string"})

Line = Annotated[str, AfterValidator(_one_line), AfterValidator(str)]
"""One paragraph of plain text: not empty, without line breaks."""

Text = Annotated[str, PlainValidator(_shown), _AS_STORED, _AS_TEXT]
"""One paragraph of text in which there may be marks: emphasis, links, code and formulas."""

CellText = Annotated[str, PlainValidator(_cell), _AS_STORED, _AS_TEXT]
"""A text that may be empty."""


class PlanForm(BaseModel):
    """A part of a plan: frozen, strict, without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)
