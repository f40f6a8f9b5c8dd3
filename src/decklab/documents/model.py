"""Contents of a document that was read: blocks of text, figures, tables, and where each stands.

Boxes are in points of the page as shown, origin top left. Formats without pages (DOCX, Markdown,
HTML) have None as page and no boxes; the page of a deck is the slide, that of a workbook the sheet.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from decklab.core.geometry import Box

DocumentKind = Literal[
    "pdf", "docx", "pptx", "markdown", "html", "text", "csv", "xlsx", "image", "rst", "tex", "epub",
    "email",
]  # fmt: skip

DOCUMENT_SUFFIXES: Final = (
    ".pdf", ".docx", ".md", ".markdown", ".txt", ".text", ".rst", ".tex", ".html", ".htm",
    ".xhtml", ".epub", ".eml", ".csv", ".tsv", ".xlsx", ".xlsm",
)  # fmt: skip
"""File suffixes of documents that are read, beside decks and pictures."""

BlockKind = Literal["heading", "paragraph", "item", "code", "caption", "table", "figure"]


@dataclass(frozen=True)
class DocumentBlock:
    """One piece of a document in reading order.

    The text of a table is its cells, a row a line; that of a figure is empty.
    """

    kind: BlockKind
    text: str
    page: int | None = None
    box: Box | None = None
    level: int = 0
    """Of a heading 1 to 6, of a list item its depth from 1; 0 of everything else."""
    index: int | None = None
    """Of tables, figures and their captions: which of the document's figures or tables it is."""
    subject: Literal["figure", "table", ""] = ""
    """Subject of a caption; of figures and tables their own kind."""


def no_picture() -> bytes:
    """Stands where a figure has no picture; raises ValueError."""
    raise ValueError("this has no picture")


@dataclass(frozen=True)
class Figure:
    """A picture or drawing of a document. ``draw`` gives it as a PNG file when it is called."""

    document: str
    number: int
    """Counted from 1 in the document."""
    page: int | None = None
    box: Box | None = None
    caption: str = ""
    label: str = ""
    """Name in the text, such as ``Figure 3``; empty if it has no number."""
    size: tuple[float, float] | None = None
    """Width and height, in points of a PDF and in pixels of an image."""
    draw: Callable[[], bytes] = field(default=no_picture, repr=False, compare=False)
    label_size: float | None = None
    """Size in points of its small labels; None if it has none or they are pixels."""


@dataclass(frozen=True)
class DocumentTable:
    """A table of a document.

    ``native`` says whether every cell was read for certain, so that a table or chart may be made
    of it; ``why_not`` is the cause if it was not. Then its picture is what can be shown, if
    there is one.
    """

    document: str
    number: int
    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 0
    page: int | None = None
    box: Box | None = None
    caption: str = ""
    label: str = ""
    native: bool = True
    why_not: str = ""
    draw: Callable[[], bytes] = field(default=no_picture, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The cells, a row a line, separated by tabs."""
        return table_text(self.rows)


def table_text(rows: "tuple[tuple[str, ...], ...]") -> str:
    """Cells as text: a row a line, cells separated by tabs.

    >>> table_text((("a", "b"), ("1", "2")))
    'a\\tb\\n1\\t2'
    """
    return "\n".join("\t".join(row) for row in rows)


READ_BY_OCR = "read from a picture by OCR: letters and digits may be wrong"
"""Note on pages and pictures whose text comes from OCR."""


@dataclass(frozen=True)
class Unread:
    """A file, page or object that could not be read, or not for certain, and why."""

    document: str
    reason: str
    page: int | None = None

    def __str__(self) -> str:
        place = f"{self.document}, page {self.page}" if self.page else self.document
        return f"{place}: {self.reason}"


@dataclass(frozen=True)
class Document:
    """A document that was read."""

    name: str
    """How places name it: the file's name, with a number if two have the same."""
    path: Path
    kind: DocumentKind
    blocks: tuple[DocumentBlock, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[DocumentTable, ...] = ()
    title: str = ""
    pages: int = 0
    """Pages, slides or sheets; 0 for formats without."""
    page_names: tuple[str, ...] = ()
    """Names of sheets; empty if pages have none."""
    unread: tuple[Unread, ...] = ()
    author: str = ""
    """Names separated by commas, as the document or its file says; empty if unknown."""
    date: str = ""
    """Its date as it is written, or YYYY-MM-DD from the file's own record; empty if unknown."""

    @property
    def headings(self) -> tuple[DocumentBlock, ...]:
        """The headings in reading order."""
        return tuple(block for block in self.blocks if block.kind == "heading")


def document_json(document: Document) -> dict[str, Any]:
    """A document as plain data, with everything but the pictures."""
    return {
        "name": document.name,
        "kind": document.kind,
        "title": document.title,
        "author": document.author,
        "date": document.date,
        "pages": document.pages,
        "page_names": list(document.page_names),
        "blocks": [_plain(block, "index", "subject") for block in document.blocks],
        "figures": [_plain(figure, "draw", "document") for figure in document.figures],
        "tables": [_plain(table, "draw", "document") for table in document.tables],
        "unread": [_plain(item, "document") for item in document.unread],
    }


def _plain(item: Any, *left_out: str) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in vars(item).items()
        if name not in left_out
    }
