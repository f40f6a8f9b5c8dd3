"""HTML documents in a local file: what a reader sees of the main part, nothing fetched or run.

A reader of our own: what neighbours use to find the article of a web page leaves out short
paragraphs and captions, and a document's author wants all of it.
"""

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path

from decklab.documents.bold_headings import with_bold_headings
from decklab.documents.bylines import Byline, stated_byline
from decklab.documents.drafting import DocumentDraft, add_local_picture, printed_line
from decklab.documents.html.tree import (
    ENDS_PARAGRAPH,
    UNSEEN,
    HtmlNode,
    PageFurniture,
    html_tree,
    node_words,
    word_count,
)
from decklab.documents.model import Document
from decklab.documents.plain_text import add_plain_text
from decklab.documents.preformatted import is_prose

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = ENDS_PARAGRAPH | {"li", "dt", "dd", "summary", "center", "tbody", "tr", "td", "th"}
_EMBEDDED = {
    "svg": "a drawing", "canvas": "a drawing", "iframe": "a page", "object": "an object",
    "embed": "an object", "video": "a film", "audio": "a sound",
}  # fmt: skip
_TEXT_WORDS, _LINE_WORDS = 20, 6  # ours: of what is set as code and reads as text, and of its lines
_ICON = 24  # ours: pixels of width or height that a page states; smaller pictures are icons
_LONGEST_TERM, _LEAST_TOLD = 4, 8
"""Ours: words of a term at the most, and on average of its definition at the least."""
MAX_CELLS = 100_000
"""Ours: cells of one table, those that merged ones cover counted."""


def read_html(path: Path, name: str, text: str) -> Document:
    """An HTML document: headings, paragraphs, lists, tables, figures and code of its main part.

    If the page has one ``main`` or ``article``, that is read; else the body without ``header``,
    ``footer`` and ``aside``. Navigation, forms, notices about cookies, scripts and hidden elements
    are left out, and a line lists what was left out of the main part.
    """
    root = html_tree(text)
    draft = DocumentDraft(path, name, "html")
    body = next(root.all("body"), root)
    main = _main_part(root)
    furniture = PageFurniture(main or body, whole=main is not None)
    if main is not None:
        furniture.words["what stands around its main part"] = word_count(body) - word_count(main)
    reader = _HtmlReader(draft, furniture)
    reader.read(main or body)
    draft.blocks = with_bold_headings(draft.blocks, reader.bold, reader.leads)
    if furniture.told():
        draft.refuse(furniture.told())
    return draft.finish(title=_title(root, main or body), byline=html_byline(root))


_AUTHORS = frozenset(
    ["author", "dc.creator", "dcterms.creator", "citation_author", "article:author"]
)
_DATES = (
    "citation_publication_date", "citation_date", "article:published_time", "date", "dc.date",
    "dcterms.date", "dcterms.created", "pubdate", "article:modified_time", "last-modified",
)  # fmt: skip


def html_byline(root: HtmlNode) -> Byline:
    """Author and date as the page's ``meta`` elements state them."""
    stated = [
        ((node.attributes.get("name") or node.attributes.get("property", "")).lower(), content)
        for node in root.all("meta")
        if (content := node.attributes.get("content", "").strip())
    ]
    names = [content for key, content in stated if key in _AUTHORS and "://" not in content]
    dates = dict(reversed(stated))
    return stated_byline(names, next((dates[key] for key in _DATES if key in dates), ""))


def _title(root: HtmlNode, body: HtmlNode) -> str:
    """The one heading of the first level; else what the page states; else its first heading."""
    firsts = [node_words(node) for node in body.all("h1") if not node.hidden]
    stated = [node_words(node) for node in root.all("title")]
    lines = [*firsts, *stated] if len(firsts) == 1 else [*stated, *firsts]
    return next((line for line in lines if line.strip()), "")


def read_html_part(
    draft: DocumentDraft, text: str, *, pictures: Callable[[str], bytes | None] | None = None
) -> None:
    """Add what an HTML text holds to a draft; headers, footers and side notes belong to it.

    ``pictures`` gives the bytes of a picture by its address, None if there is none; without it
    pictures are files beside the document.
    """
    root = html_tree(text)
    furniture = PageFurniture(HtmlNode("body"), whole=True)
    reader = _HtmlReader(draft, furniture, pictures)
    reader.read(root)
    draft.blocks = with_bold_headings(draft.blocks, reader.bold, reader.leads)
    if furniture.told():
        draft.refuse(furniture.told())


def _main_part(root: HtmlNode) -> HtmlNode | None:
    """The one element that the page names its main part; None if it has none or several."""
    for found in (
        list(root.all("main")),
        [node for node in root.all("div", "section") if node.attributes.get("role") == "main"],
        list(root.all("article")),
    ):
        if len(found) == 1:
            return found[0]
    return None


def _is_bold(node: HtmlNode | str) -> bool:
    """Whether words are in bold, or there are none."""
    if isinstance(node, str):
        return not node.strip()
    return node.tag in {"b", "strong", "br"} or (
        bool(node.children) and all(map(_is_bold, node.children))
    )


def _lead(words: Sequence[HtmlNode | str]) -> str:
    """The bold words that a paragraph begins with; empty if it has none."""
    first = next((node for node in words if not isinstance(node, str) or node.strip()), "")
    return "" if isinstance(first, str) or not _is_bold(first) else printed_line(node_words(first))


class _HtmlReader:
    """Adds the blocks of elements to a draft, with the depth and the markers of lists."""

    def __init__(
        self,
        draft: DocumentDraft,
        furniture: PageFurniture,
        pictures: Callable[[str], bytes | None] | None = None,
    ) -> None:
        self._draft = draft
        self._furniture = furniture
        self._pictures = pictures
        self._depth = 0
        self._marker = ""
        """Beginning of the next text: the number of an item, the term of a definition."""
        self._defines = False
        """Whether the list is one of definitions: only the first text of each is an item."""
        self._level = 0
        """That of the last heading."""
        self.bold: set[int] = set()
        """The places of paragraphs that are all bold."""
        self.leads: dict[int, str] = {}
        """The bold words with which others begin, by the places of these."""

    def read(self, node: HtmlNode) -> None:
        """The blocks of an element; text beside blocks becomes paragraphs of its own, and pictures
        in a paragraph follow it."""
        loose: list[HtmlNode | str] = []
        pictures: list[HtmlNode] = []

        def close() -> None:
            text = node_words(HtmlNode("span", children=list(loose)))
            bold = text.strip() and all(map(_is_bold, loose)) and not self._depth
            self.bold |= {len(self._draft.blocks)} if bold else set()
            if not bold and not self._depth and (lead := _lead(loose)):
                self.leads[len(self._draft.blocks)] = lead
            self._text(text)
            loose.clear()
            for picture in pictures:
                self._picture(picture)
            pictures.clear()

        for child in node.children:
            if isinstance(child, str):
                loose.append(child)
            elif child.tag in _EMBEDDED:
                self._embedded(child)
            elif child.tag in UNSEEN or self._furniture.leaves_out(child):
                continue
            elif child.tag in _BLOCKS or child.holds(*ENDS_PARAGRAPH, "li"):
                close()
                self._block(child)
            else:
                loose.append(child)
                pictures += [child] if child.tag == "img" else child.all("img")
                for inner in child.all(*_EMBEDDED):
                    self._embedded(inner)
        close()

    def _text(self, text: str) -> None:
        if not text.strip():
            return
        if self._depth and (self._marker or not self._defines):
            self._draft.add("item", self._marker + text, self._depth)
        else:
            self._draft.add("paragraph", text)
        self._marker = ""

    def _block(self, node: HtmlNode) -> None:
        if node.tag in _HEADINGS:
            self._level = _HEADINGS[node.tag]
            self._draft.add("heading", node_words(node), self._level)
            for picture in node.all("img"):
                self._picture(picture)
        elif node.tag == "table" and not _is_layout(node):
            self._table(node)
        elif node.tag == "pre":
            text = node_words(node)
            lines = [line for line in text.splitlines() if line.strip()]
            long = sum(len(line.split()) >= _LINE_WORDS for line in lines)
            if len(text.split()) >= _TEXT_WORDS and 2 * long >= len(lines) and is_prose(lines):
                add_plain_text(self._draft, text, below=self._level)
            else:
                self._draft.add("code", text)
        elif node.tag == "figure":
            self._figure(node)
        elif node.tag in {"ul", "ol"}:
            self._list(node)
        elif node.tag == "dl":
            self._definitions(node)
        else:
            self.read(node)

    @contextmanager
    def _deeper(self, *, defines: bool = False) -> Iterator[None]:
        """Read what follows as items one level deeper; a marker that no text took is an item."""
        if self._marker:
            self._draft.add("item", self._marker.rstrip(": "), self._depth)
        around = self._defines
        self._depth, self._marker, self._defines = self._depth + 1, "", defines
        yield
        self._depth, self._marker, self._defines = self._depth - 1, "", around

    def _list(self, node: HtmlNode) -> None:
        """The items of a list; those of a numbered one begin with their numbers."""
        numbers = _item_numbers(node)
        with self._deeper():
            loose = HtmlNode("div")
            for child in node.children:
                if isinstance(child, HtmlNode) and child.tag == "li":
                    self._marker = next(numbers, "") if node.tag == "ol" else ""
                    if not self._furniture.leaves_out(child):
                        self.read(child)
                    self._marker = ""
                else:
                    loose.children = [child]
                    self.read(loose)

    def _definitions(self, node: HtmlNode) -> None:
        """Terms and their definitions: the term leads the first text of its definition; a question
        is the heading of its answer, and so is each term where most have several paragraphs."""
        listed = list(_terms_and_definitions(node))
        told = [child for child in listed if child.tag == "dd"]
        long = sum(len(list(child.all("p", "dl", "ul", "ol"))) > 1 for child in told)
        level = self._level
        headed = level > 0 and long > len(told) / 2 and len(told) > 1
        if not listed:
            self.read(node)
            return
        terms: list[str] = []
        with self._deeper(defines=True):
            for child in listed:
                if self._furniture.leaves_out(child):
                    continue
                if child.tag == "dt":
                    terms.append(" ".join(node_words(child).split()))
                    continue
                term = ", ".join(filter(None, terms))
                self._marker = f"{term.rstrip(':')}: " if term else ""
                terms.clear()
                if term and (headed or term.endswith("?")):
                    self._level = min(6, level + 1)
                    self._draft.add("heading", term, self._level)
                    self._marker = ""
                first = next(
                    (c for c in child.children if isinstance(c, HtmlNode) or c.strip()), ""
                )
                apart = isinstance(first, HtmlNode) and first.tag in {"pre", "table", "figure"}
                if self._marker and apart:
                    self._draft.add("item", self._marker.rstrip(": "), self._depth)
                    self._marker = ""
                self.read(child)
                self._marker = ""
            if any(terms):
                self._draft.add("item", ", ".join(filter(None, terms)), self._depth)
        self._level = level

    def _figure(self, node: HtmlNode) -> None:
        caption = " ".join(node_words(item) for item in node.all("figcaption"))
        pictures, tables = list(node.all("img")), list(node.all("table"))
        held = len(self._draft.figures) + len(self._draft.tables)
        for table in tables:
            self._table(table, caption)
        for picture in pictures:
            self._picture(picture, caption)
        for drawing in node.all(*_EMBEDDED):
            self._embedded(drawing)
        if not pictures and not tables:
            self.read(node)
        elif held == len(self._draft.figures) + len(self._draft.tables):
            self._draft.add("caption", caption)

    def _table(self, node: HtmlNode, caption: str = "") -> None:
        """A table by its grid, with its caption."""
        groups = _row_groups(node)
        if not caption and (terms := _terms_of(groups)):
            self._definitions(HtmlNode("dl", children=terms))
            return
        grid = _grid(groups)
        if grid is None:
            self._draft.refuse(f"a table of more than {MAX_CELLS:,} cells")
            return
        heads = [all(cell.tag == "th" for cell in _cells(row)) for group in groups for row in group]
        header = next((number for number, head in enumerate(heads) if not head), 0)
        named = caption or " ".join(node_words(item) for item in node.all("caption"))
        self._draft.add_grid(grid, header_rows=header, caption=named)
        for picture in node.all("img"):
            self._picture(picture)

    def _picture(self, node: HtmlNode, caption: str = "") -> None:
        source = node.attributes.get("src", "")
        words = caption or node.attributes.get("alt", "")
        sizes = [_pixels(node.attributes.get(side, "")) for side in ("width", "height")]
        if node.hidden or any(size is not None and size <= _ICON for size in sizes):
            return
        if not source.startswith("data:"):
            held = self._pictures(source) if self._pictures is not None else None
            if held is not None:
                self._draft.add_figure(held, caption=words)
            elif self._pictures is not None:
                self._draft.refuse(f"the picture {source[:80]} is not there")
            else:
                add_local_picture(self._draft, source, words)
            return
        head, _, data = source.partition(",")
        try:
            content = base64.b64decode(data) if ";base64" in head else b""
        except (binascii.Error, ValueError):
            self._draft.refuse("a picture inside the page is damaged")
            return
        self._draft.add_figure(content, caption=words)

    def _embedded(self, node: HtmlNode) -> None:
        """List drawings and media inside the page, other than icons."""
        sizes = [_pixels(node.attributes.get(side, "")) for side in ("width", "height")]
        unsized = node.tag == "svg" and None in sizes and not node.holds("text")
        if node.hidden or unsized or any(size is not None and size <= _ICON for size in sizes):
            return
        kind = _EMBEDDED[node.tag]
        self._draft.refuse(f"{kind} inside the page ({node.tag}) is not read")


def _pixels(stated: str) -> float | None:
    number = re.match(r"\s*(\d{1,6}(?:\.\d+)?)\s*(?:px)?\s*$", stated)
    return float(number[1]) if number else None


def _is_layout(table: HtmlNode) -> bool:
    """Whether a table only places the parts of a page: tables, headings or much text in cells, or
    no two cells side by side."""
    if table.attributes.get("role") in {"presentation", "none"} or table.holds("table"):
        return True
    if table.holds("h1", "h2", "h3", "h4", "h5", "h6"):
        return True
    rows = [_cells(row) for group in _row_groups(table) for row in group]
    if max(map(len, rows), default=0) < 2:
        return True
    return len(rows) == 1 and any(cell.holds("p", "ul", "ol", "pre") for cell in rows[0])


def _row_groups(table: HtmlNode) -> list[list[HtmlNode]]:
    """The rows of a table by groups: head first, foot last, whatever their order in the file."""
    found: dict[str, list[list[HtmlNode]]] = {"thead": [], "tbody": [], "tfoot": []}
    loose: list[HtmlNode] = []
    for child in table.elements():
        if child.tag == "tr":
            loose.append(child)
        elif child.tag in found:
            found[child.tag].append([row for row in child.elements() if row.tag == "tr"])
    groups = [*found["thead"], loose, *found["tbody"], *found["tfoot"]]
    return [shown for group in groups if (shown := [row for row in group if _cells(row)])]


def _terms_of(groups: list[list[HtmlNode]]) -> "list[HtmlNode | str]":
    """The rows of a table without a head as terms and definitions, if the second of two columns has
    sentences or code; else nothing."""
    rows = [_cells(row) for group in groups for row in group]
    if len(rows) < 2 or any([cell.tag for cell in row] != ["td", "td"] for row in rows):
        return []
    names = [len(node_words(row[0]).split()) for row in rows]
    told = sum(word_count(row[1]) for row in rows)
    if not 0 < min(names) <= max(names) <= _LONGEST_TERM or told < _LEAST_TOLD * len(rows):
        return []
    return [
        HtmlNode(tag, children=cell.children)
        for row in rows
        for tag, cell in zip(("dt", "dd"), row, strict=True)
    ]


def _cells(row: HtmlNode) -> list[HtmlNode]:
    if row.hidden:
        return []
    return [cell for cell in row.elements() if cell.tag in {"td", "th"}]


def _grid(groups: list[list[HtmlNode]]) -> list[list[tuple[int, str]]] | None:
    """For each row and column of a table the number of the cell that covers it, and its text; None
    if the table is larger than ``MAX_CELLS``. No cell reaches out of its group of rows."""
    places: dict[tuple[int, int], tuple[int, str]] = {}
    number = 0
    for group in groups:
        end = number + len(group)
        for row in group:
            column = 0
            for cell in _cells(row):
                while (number, column) in places:
                    column += 1
                down = min(_span(cell, "rowspan") or end, end - number)
                across = max(1, _span(cell, "colspan"))
                if len(places) + down * across > MAX_CELLS:
                    return None
                words = id(cell), node_words(cell)
                for below, right in product(range(down), range(across)):
                    places.setdefault((number + below, column + right), words)
                places[number, column] = words
                column += across
            number += 1
    width = 1 + max((column for _, column in places), default=-1)
    if width * number > MAX_CELLS:
        return None
    return [
        [places.get((row, column), (-row * width - column, "")) for column in range(width)]
        for row in range(number)
    ]


def _span(cell: HtmlNode, name: str) -> int:
    stated = cell.attributes.get(name, "1").strip()
    return int(stated) if stated.isdecimal() and len(stated) < 6 else 1


def _item_numbers(node: HtmlNode) -> Iterator[str]:
    """The markers of a numbered list's items, such as ``3. ``, as ``start``, ``reversed``, ``type``
    and the items' ``value`` say."""
    items = [child for child in node.elements() if child.tag == "li"]
    backward = "reversed" in node.attributes
    number = _whole(node.attributes.get("start"), len(items) if backward else 1)
    for item in items:
        number = _whole(item.attributes.get("value"), number)
        yield f"{_numeral(number, node.attributes.get('type', '1'))}. "
        number += -1 if backward else 1


def _whole(stated: str | None, otherwise: int) -> int:
    return int(stated) if stated and re.fullmatch(r"-?\d{1,9}", stated.strip()) else otherwise


_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def _numeral(number: int, type: str) -> str:
    """A number as the marker of a list of a type; as digits if the type cannot write it."""
    if type in {"a", "A"} and number > 0:
        letters = ""
        while number > 0:
            number, letter = divmod(number - 1, 26)
            letters = chr(ord(type) + letter) + letters
        return letters
    if type in {"i", "I"} and 0 < number < 4000:
        digits = ""
        for value, sign in _ROMAN:
            times, number = divmod(number, value)
            digits += sign * times
        return digits if type == "i" else digits.upper()
    return str(number)


def _terms_and_definitions(node: HtmlNode) -> Iterator[HtmlNode]:
    """The ``dt`` and ``dd`` of a list of definitions, which may stand in groups of ``div``; text
    beside them as definitions."""
    for child in node.children:
        if isinstance(child, str):
            if child.strip():
                yield HtmlNode("dd", children=[child])
        elif child.tag in {"dt", "dd"}:
            yield child
        else:
            yield from _terms_and_definitions(child)
