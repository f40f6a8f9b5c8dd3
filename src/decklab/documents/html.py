"""HTML documents in a local file: what a reader sees of the main part, nothing fetched or run.

A reader of our own on the standard library's parser: what neighbours use to find the article of
a web page leaves out short paragraphs and captions, and a document's author wants all of it.
"""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from decklab.documents.drafting import DocumentDraft
from decklab.documents.markdown import add_local_picture
from decklab.documents.model import Document

_EMPTY = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
     "wbr"]
)  # fmt: skip
_SKIPPED = frozenset(
    ["script", "style", "noscript", "template", "svg", "math", "form", "button", "select", "iframe",
     "object", "nav", "dialog"]
)  # fmt: skip
_AROUND = frozenset(["header", "footer", "aside"])
_SELF_CLOSING = {
    "p": {"p"}, "li": {"li"}, "tr": {"tr", "td", "th"}, "td": {"td", "th"}, "th": {"td", "th"},
    "dt": {"dt", "dd"}, "dd": {"dt", "dd"}, "thead": set(), "tbody": {"thead", "tr", "td", "th"},
}  # fmt: skip
"""For each tag, which open ones it ends (HTML standard, optional end tags)."""
_ENDS_PARAGRAPH = frozenset(
    ["address", "article", "aside", "blockquote", "div", "dl", "figure", "footer", "h1", "h2",
     "h3", "h4", "h5", "h6", "header", "hr", "main", "nav", "ol", "p", "pre", "section", "table",
     "ul"]
)  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MOST_DEPTH = 120  # ours: deeper elements are read as if they stood at this depth


@dataclass
class _Node:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[_Node | str]" = field(default_factory=list)

    def all(self, *tags: str) -> "Iterator[_Node]":
        """Nodes below with one of these tags, in document order."""
        for child in self.children:
            if isinstance(child, _Node):
                if child.tag in tags:
                    yield child
                yield from child.all(*tags)

    @property
    def hidden(self) -> bool:
        style = self.attributes.get("style", "").replace(" ", "").lower()
        return (
            "hidden" in self.attributes
            or self.attributes.get("aria-hidden") == "true"
            or "display:none" in style
        )


class _Tree(HTMLParser):
    """The elements of a page as a tree; end tags that are missing or too many do no harm."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = _Node("html")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element inside the last that is open."""
        self._end_implied(tag)
        node = _Node(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(node)
        if tag not in _EMPTY and len(self._open) < _MOST_DEPTH:
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        """Close the last element of that name with all inside it."""
        if any(node.tag == tag for node in self._open[1:]):
            while self._open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Text inside the last element that is open."""
        self._open[-1].children.append(data)

    def _end_implied(self, tag: str) -> None:
        ended = _SELF_CLOSING.get(tag, set())
        if tag in _ENDS_PARAGRAPH:
            ended = ended | {"p"}
        while len(self._open) > 1 and self._open[-1].tag in ended:
            self._open.pop()


def read_html(path: Path, name: str, text: str) -> Document:
    """An HTML document: headings, paragraphs, lists, tables, figures and code of its main part.

    Where the page has one ``main`` or ``article``, that is read; else the body without ``header``,
    ``footer`` and ``aside``. Navigation, forms, scripts and hidden elements are always left out.
    """
    tree = _Tree()
    tree.feed(text)
    tree.close()
    draft = DocumentDraft(path, name, "html")
    mains = list(tree.root.all("main")) or list(tree.root.all("article"))
    body = next(tree.root.all("body"), tree.root)
    _read(draft, mains[0] if len(mains) == 1 else body, 0, whole=len(mains) == 1)
    titles = [_words(node) for node in tree.root.all("title")]
    first = next((block.text for block in draft.blocks if block.kind == "heading"), "")
    return draft.finish(title=first or (titles[0] if titles else ""))


def _read(draft: DocumentDraft, node: _Node, depth: int, *, whole: bool) -> None:
    """The blocks of an element; text beside blocks becomes paragraphs of its own."""
    loose: list[str] = []

    def close() -> None:
        draft.add("item" if depth else "paragraph", "".join(loose), depth)
        loose.clear()

    for child in node.children:
        if isinstance(child, str):
            loose.append(child)
        elif _left_out(child, whole):
            continue
        elif not _is_block(child):
            loose.append(_words(child))
            for picture in child.all("img"):
                close()
                _picture(draft, picture, "")
        else:
            close()
            _block(draft, child, depth, whole=whole)
    close()


def _left_out(node: _Node, whole: bool) -> bool:
    return (
        node.tag in _SKIPPED
        or node.tag == "title"
        or node.hidden
        or (not whole and node.tag in _AROUND)
    )


_BLOCKS = (*_ENDS_PARAGRAPH, "li", "dt", "dd", "figcaption", "img", "summary", "details")


def _is_block(node: _Node) -> bool:
    return node.tag in _BLOCKS or next(node.all(*_ENDS_PARAGRAPH, "li"), None) is not None


def _block(draft: DocumentDraft, node: _Node, depth: int, *, whole: bool) -> None:
    if node.tag in _HEADINGS:
        draft.add("heading", _words(node), _HEADINGS[node.tag])
    elif node.tag == "table" and not next((t for t in node.all("table")), None):
        _table(draft, node)
    elif node.tag == "pre":
        draft.add("code", _words(node))
    elif node.tag == "figure":
        _figure(draft, node, depth, whole=whole)
    elif node.tag == "img":
        _picture(draft, node, "")
    else:
        inner = depth + (node.tag in {"ul", "ol"})
        _read(draft, node, inner if node.tag != "dl" else depth, whole=whole)


def _figure(draft: DocumentDraft, node: _Node, depth: int, *, whole: bool) -> None:
    caption = " ".join(_words(item) for item in node.all("figcaption"))
    pictures, tables = list(node.all("img")), list(node.all("table"))
    for table in tables:
        _table(draft, table, caption)
    for picture in pictures:
        _picture(draft, picture, caption)
    if not pictures and not tables:
        _read(draft, node, depth, whole=whole)


def _table(draft: DocumentDraft, node: _Node, caption: str = "") -> None:
    rows, header, merged = [], 0, False
    for row in node.all("tr"):
        cells = [item for item in row.children if isinstance(item, _Node) and item.tag in "td th"]
        rows.append([_words(cell) for cell in cells])
        merged |= any(
            cell.attributes.get(span, "1") not in {"", "1"}
            for cell in cells
            for span in ("rowspan", "colspan")
        )
        if cells and all(cell.tag == "th" for cell in cells) and header == len(rows) - 1:
            header += 1
    named = caption or " ".join(_words(item) for item in node.all("caption"))
    draft.add_table(
        rows,
        header_rows=header or None,
        caption=named,
        why_not="cells are merged" if merged else "",
    )


def _picture(draft: DocumentDraft, node: _Node, caption: str) -> None:
    source = node.attributes.get("src", "")
    words = caption or node.attributes.get("alt", "")
    if not source.startswith("data:"):
        add_local_picture(draft, source, words)
        return
    head, _, data = source.partition(",")
    try:
        draft.add_figure(base64.b64decode(data) if ";base64" in head else b"", caption=words)
    except (binascii.Error, ValueError):
        draft.refuse("a picture inside the page is damaged")


def _words(node: _Node) -> str:
    """All text of an element; line breaks where ``br`` stands."""
    parts = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.tag == "br":
            parts.append("\n")
        elif child.tag not in _SKIPPED and not child.hidden:
            parts.append(_words(child))
    return "".join(parts)
