"""Puts a document together while a file is read, block by block, captions with their figures."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from decklab.documents.bylines import Byline, read_byline
from decklab.documents.labels import with_items
from decklab.documents.model import (
    BlockKind,
    Document,
    DocumentBlock,
    DocumentKind,
    DocumentTable,
    Figure,
    Unread,
    table_text,
)
from decklab.documents.numbers import parse_numbers
from decklab.documents.pictures import UnreadablePicture, picture_parts, picture_size, png_of

_CAPTION = re.compile(
    r"^(?P<label>(?P<word>Figure|FIGURE|Fig|FIG|Abbildung|Abb|Chart|Scheme|Plate|Diagram|"
    r"Figura|Gráfic[oa]|Graphique|Grafico|Table|TABLE|Tab|TAB|Tabelle|Tabla|Cuadro|Tableau|Tabella|"
    r"Tabela|Quadro)"
    r"\.?\s?(?P<number>\d+(?:[.\-–]\d+)*[a-z]?|[A-Z]\.?\d+(?:\.\d+)*|[IVX]+))"
    r"\s*(?P<mark>[:.|–—-](?=\s|$)|(?=\s*$)|(?=\s+[A-Z]))\s*(?P<text>.*)$",
    re.DOTALL,
)
_TABLES = frozenset(
    ["table", "tab", "tabelle", "tabla", "cuadro", "tableau", "tabella", "tabela", "quadro"]
)


_CAPTION_CHARACTERS = 160
"""Ours: of a caption of which no mark parts label and words, and that is no sentence."""

_HAS_LETTERS = re.compile(r"[^\W\d_]{2}")
"""Of a cell that is no number."""


@dataclass(frozen=True)
class Caption:
    """The label of a caption, such as ``Figure 3``, its words, and its subject."""

    subject: Literal["figure", "table"]
    label: str
    text: str
    marked: bool
    """Whether a colon, full stop or dash parts label and words, as in captions and hardly ever
    in sentences."""


def read_caption(text: str) -> Caption | None:
    """The caption that a paragraph is; None if it is no caption.

    >>> read_caption("Fig. 3: Sales by region").label
    'Fig. 3'
    >>> read_caption("Figure 3 shows the sales.") is None
    True
    """
    match = _CAPTION.match(text.strip())
    if match is None:
        return None
    subject: Literal["figure", "table"] = "figure"
    if match["word"].lower() in _TABLES:
        subject = "table"
    marked = bool(match["mark"]) or not match["text"]
    return Caption(subject, match["label"], " ".join(match["text"].split()), marked)


def attached_captions(blocks: Sequence[DocumentBlock]) -> list[DocumentBlock]:
    """Blocks with paragraphs beside a figure or table that are its caption turned into captions.

    A caption belongs to the block above it or else to that below, of its own kind and without
    another caption.
    """
    found = list(blocks)
    captioned = {(item.subject, item.index) for item in found if item.kind == "caption"}
    for number, block in enumerate(found):
        caption = read_caption(block.text) if block.kind == "paragraph" else None
        named = len(block.text) <= _CAPTION_CHARACTERS and not block.text.endswith((".", ":"))
        if caption is None or not (caption.marked or (caption.text and named)):
            continue
        for beside in (number - 1, number + 1):
            other = found[beside] if 0 <= beside < len(found) else None
            if (
                other is not None
                and other.kind == caption.subject
                and (caption.subject, other.index) not in captioned
            ):
                captioned.add((caption.subject, other.index))
                found[number] = replace(
                    block, kind="caption", index=other.index, subject=caption.subject
                )
                break
    return found


_ENDED = tuple('.!?…。！？"”)]')
_LONGEST_COMMAND = 72
"""Ours: characters of one line of code that is read as a part of its sentence."""
_LETTERS = re.compile(r"[A-Za-z]{2}")
_BEGUN = 3
"""Ours: spaces of a text that is a sentence, though it has no end."""


def with_commands(blocks: Sequence[DocumentBlock]) -> list[DocumentBlock]:
    """Blocks with each line of code that a sentence leads to, by a colon or as its next word, as a
    part of that sentence, word for word; with it what goes on below in a small letter.

    Longer code, addresses and formulas stay blocks of their own.
    """
    found: list[DocumentBlock] = []
    goes_on = False
    for block in blocks:
        before = found[-1] if found else None
        leads = before is not None and before.kind in {"paragraph", "item"}
        words = block.text.strip()
        if before is not None and leads and block.kind == "code" and not goes_on:
            short = len(words) <= _LONGEST_COMMAND and "\n" not in words and "://" not in words
            short = short and words.isascii() and _LETTERS.search(words) is not None
            goes_on = short and _leads_on(before.text)
            joins = goes_on
        else:
            joins = goes_on and block.kind == "paragraph" and words[:1].islower()
            goes_on = False
        if before is not None and joins:
            found[-1] = replace(before, text=f"{before.text} {' '.join(words.split())}")
        else:
            found.append(block)
    return found


def _leads_on(text: str) -> bool:
    """Whether a text ends with a colon, or in the middle of a sentence."""
    return text.endswith((":", "：")) or (not text.endswith(_ENDED) and text.count(" ") >= _BEGUN)


_YEAR = re.compile(r"^(?:FY\s?)?(?:1[5-9]|20)\d\d$")
_UNPRINTED = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


def printed_line(text: str) -> str:
    """Text on one line with single spaces, without control characters: they are never seen, XML
    cannot hold them, and a terminal obeys them.

    >>> printed_line("Sales\\n in\\x07 2024\\x1b[2J")
    'Sales in 2024[2J'
    """
    return " ".join(_UNPRINTED.sub("", text).split())


_MARKED_LINE = re.compile(r"\s*(?:[-–•·*]|\(?(?:\d{1,2}|[a-z])[.)])\s+\S")


class DocumentDraft:
    """The parts of a document in the order in which they were found; ``finish`` makes it one.

    Empty texts are left out. ``page`` is that of all that follows.
    """

    def __init__(self, path: str | Path, name: str, kind: DocumentKind) -> None:
        self.path = Path(path)
        self.name = name
        self.kind = kind
        self.page: int | None = None
        self.blocks: list[DocumentBlock] = []
        self.figures: list[Figure] = []
        self.tables: list[DocumentTable] = []
        self.unread: list[Unread] = []

    def add(self, kind: BlockKind, text: str, level: int = 0) -> None:
        """A heading, paragraph, list item or piece of code; spaces become single but in code. Lines
        of a paragraph that all begin with marks of a list, but the first, are one each."""
        lines = [line for line in text.split("\n") if line.strip()] if kind == "paragraph" else []
        if len(lines) > 1 and all(map(_MARKED_LINE.match, lines[1:])):
            for line in lines:
                self.add(kind, line)
            return
        words = printed_line(text)
        if kind == "code":
            words = _UNPRINTED.sub("", text).strip("\n")
        if words.strip():
            self.blocks.append(DocumentBlock(kind, words, self.page, level=level))

    def add_table(
        self,
        rows: Sequence[Sequence[str]],
        *,
        header_rows: int | None = None,
        caption: str = "",
        why_not: str = "",
    ) -> None:
        """A table by its cells; not native where ``why_not`` says so or rows differ in length.

        Without ``header_rows`` the first row is one if it has no number and others have.
        """
        cells = tuple(tuple(printed_line(cell) for cell in row) for row in rows)
        if not any(any(row) for row in cells):
            return
        if not why_not and len({len(row) for row in cells}) > 1:
            why_not = "rows have different numbers of cells"
        known = read_caption(caption)
        table = DocumentTable(
            self.name,
            len(self.tables) + 1,
            cells,
            likely_header_rows(cells) if header_rows is None else header_rows,
            self.page,
            caption=printed_line(caption),
            label=known.label if known else "",
            native=not why_not,
            why_not=why_not,
        )
        index = len(self.tables)
        self.tables.append(table)
        self._caption(caption, index, "table")
        text = table_text(cells)
        block = DocumentBlock("table", text, self.page, index=index, subject="table")
        self.blocks.append(block)

    def add_grid(
        self,
        grid: Sequence[Sequence[tuple[object, str]]],
        *,
        header_rows: int = 0,
        caption: str = "",
    ) -> None:
        """A table by its places, each with the cell that covers it and that cell's text.

        A head of several rows becomes one ("2024 / Sales") if no cell below it is merged. Words of
        a cell that covers several rows stand in each, those of one that covers several columns in
        the first. The table is not native if the head has such cells, or one is a number.
        """
        head = header_rows
        if not head and len(grid) > 2 and _covers_several(grid[0]) and not _covers_several(grid[1]):
            head = 2
        below = [cell for row in grid[head:] for cell, _ in row]
        above = {cell for row in grid[:head] for cell, _ in row}
        if head > 1 and len(set(below)) == len(below) and not above & set(below):
            rows = [_one_head(grid[:head]), *([text for _, text in row] for row in grid[head:])]
            self.add_table(rows, header_rows=1, caption=caption)
            return
        seen: set[object] = set()
        rows, unclear = [], False
        for number, row in enumerate(grid):
            above = {cell for cell, _ in grid[number - 1]} if number else set()
            left: set[object] = set()
            texts = []
            for cell, text in row:
                worded = number >= max(1, head) and _HAS_LETTERS.search(text) is not None
                unclear |= cell in seen and not worded
                known = cell in seen and not (worded and cell in above)
                texts.append("" if known or cell in left else text)
                seen.add(cell)
                left.add(cell)
            rows.append(texts)
        why_not = "cells are merged" if unclear else ""
        self.add_table(rows, header_rows=header_rows or None, caption=caption, why_not=why_not)

    def add_figure(self, data: bytes | Callable[[], bytes], *, caption: str = "") -> None:
        """A picture by the bytes of its file, or by what draws it; a file that Pillow cannot read
        is listed as unread."""
        size = None
        if isinstance(data, bytes):
            try:
                size, parts = picture_size(data), picture_parts(data)
            except UnreadablePicture as error:
                self.refuse(str(error))
                return
            if parts > 1:
                self.refuse(f"of a file of {parts} pictures only the first is read")
            content = data
            draw: Callable[[], bytes] = lambda: png_of(content)  # noqa: E731
        else:
            draw = data
        known = read_caption(caption)
        index = len(self.figures)
        self.figures.append(
            Figure(
                self.name,
                index + 1,
                self.page,
                caption=printed_line(caption),
                label=known.label if known else "",
                size=size,
                draw=draw,
            )
        )
        block = DocumentBlock("figure", "", self.page, index=index, subject="figure")
        self.blocks.append(block)
        self._caption(caption, index, "figure")

    def refuse(self, reason: str) -> None:
        """Something on the present page could not be read."""
        self.unread.append(Unread(self.name, printed_line(reason), self.page))

    def finish(
        self,
        *,
        title: str = "",
        pages: int = 0,
        page_names: Sequence[str] = (),
        byline: Byline | None = None,
    ) -> Document:
        """The document; captions that stand beside figures and tables become theirs.

        Author and date are those of ``byline``, which is what the file states, else those of the
        lines under the title. Word writes its record itself, so there the lines come first.
        """
        blocks = with_items(with_commands(attached_captions(self.blocks)))
        for block in blocks:
            if block.kind == "caption" and block.index is not None:
                self._name(block, block.index)
        headings = (block.text for block in blocks if block.kind == "heading")
        named = printed_line(title) or next(headings, "")
        lines, stated = read_byline(blocks, named), byline or Byline()
        written = lines.or_else(stated) if self.kind == "docx" else stated.or_else(lines)
        return Document(
            self.name,
            self.path,
            self.kind,
            tuple(blocks),
            tuple(self.figures),
            tuple(self.tables),
            named,
            pages,
            tuple(page_names),
            tuple(self.unread),
            printed_line(written.author),
            printed_line(written.date),
        )

    def _caption(self, caption: str, index: int, subject: Literal["figure", "table"]) -> None:
        text = printed_line(caption)
        if text:
            block = DocumentBlock("caption", text, self.page, index=index, subject=subject)
            self.blocks.append(block)

    def _name(self, block: DocumentBlock, index: int) -> None:
        known = read_caption(block.text)
        label = known.label if known else ""
        if block.subject == "figure":
            self.figures[index] = replace(self.figures[index], caption=block.text, label=label)
        else:
            self.tables[index] = replace(self.tables[index], caption=block.text, label=label)


def _covers_several(row: Sequence[tuple[object, str]]) -> bool:
    cells = [cell for cell, _ in row]
    return len(set(cells)) < len(cells)


def _one_head(rows: Sequence[Sequence[tuple[object, str]]]) -> list[str]:
    """For each column the texts of the cells that stand over it, from the top."""
    return [
        " / ".join(dict.fromkeys(filter(None, (" ".join(text.split()) for _, text in column))))
        for column in zip(*rows, strict=False)
    ]


def likely_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """1 if the first row has no number and a later one has, or all its cells are filled and
    none is repeated; where its first cell alone is empty, or all others are years; else 0.

    >>> likely_header_rows([["Region", "Sales"], ["North", "10"]])
    1
    >>> likely_header_rows([["North", "10"], ["South", "12"]])
    0
    """
    if len(rows) < 2:
        return 0
    first, *rest = rows
    labels = list(first[1:])
    if labels and all(labels) and (not first[0] or all(map(_YEAR.match, labels))):
        return int(not _numeric(first[0]))
    if any(_numeric(cell) for cell in first):
        return 0
    later = any(_numeric(cell) for row in rest for cell in row)
    return int(later or (all(first) and len(set(first)) == len(first)))


def _numeric(cell: str) -> bool:
    return any(
        item.kind in {"percent", "money", "count", "range"} for item in parse_numbers(cell)
    ) and not any(char.isalpha() for char in cell[:3])


def add_local_picture(draft: DocumentDraft, source: str, words: str) -> None:
    """A picture that a document names, if it is a file in the document's folder or below."""
    shown = source[:80]
    try:
        address = urlsplit(source)
        if address.scheme or address.netloc:
            draft.refuse(f"the picture {shown} is not in a file beside it; nothing is fetched")
            return
        folder = draft.path.resolve().parent
        file = (folder / unquote(address.path)).resolve()
        if not file.is_relative_to(folder):
            draft.refuse(f"the picture {shown} is outside the document's folder")
            return
        data = file.read_bytes()
    except (OSError, ValueError):
        draft.refuse(f"the picture {shown} is not there")
        return
    draft.add_figure(data, caption=words)
