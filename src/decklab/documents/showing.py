"""Shows people what was read: a list of it, and files with its figures, tables and pages.

On the pages of a PDF, its contents are drawn as boxes numbered in reading order.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pypdfium2
from PIL import Image, ImageDraw
from rich.console import Console
from rich.markup import escape

from decklab.core.files import write_whole
from decklab.core.output_folder import check_run_folder
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import (
    BlockKind,
    Document,
    DocumentBlock,
    Figure,
    Unread,
    document_json,
)
from decklab.pages.wording import counted

COLOURS: dict[BlockKind, str] = {
    "heading": "#C62828",
    "paragraph": "#90A4AE",
    "item": "#6D4C41",
    "code": "#9E9D24",
    "caption": "#6A1B9A",
    "table": "#2E7D32",
    "figure": "#1565C0",
}
"""The colour of each kind of block."""


def page_pictures(document: Document, *, dpi: float = 80) -> Iterator[tuple[int, bytes]]:
    """Each page's number and a PNG of it with numbered boxes in reading order; none of documents
    that are no PDF."""
    if document.kind != "pdf":
        return
    with pypdfium2.PdfDocument(Path(document.path).read_bytes()) as pdf:
        for number in range(1, min(len(pdf), document.pages) + 1):
            picture = pdf[number - 1].render(scale=dpi / 72).to_pil().convert("RGB")
            found = [
                (i, block) for i, block in enumerate(document.blocks, 1) if block.page == number
            ]
            _draw(picture, found, dpi / 72)
            written = BytesIO()
            picture.save(written, "PNG")
            yield number, written.getvalue()


def _draw(picture: Image.Image, found: list[tuple[int, DocumentBlock]], scale: float) -> None:
    pen = ImageDraw.Draw(picture)
    for number, block in found:
        if block.box is None:
            continue
        edges = [edge * scale for edge in block.box]
        colour = COLOURS[block.kind]
        pen.rectangle(edges, outline=colour, width=2 if block.kind in {"table", "figure"} else 1)
        label = f"{number} h{block.level}" if block.kind == "heading" else str(number)
        pen.text((max(0, edges[0] - 26), edges[1]), label, fill=colour)


def print_reading(kb: KnowledgeBase, console: Console | None = None) -> None:
    """Print the contents of each document: its headings, figures and tables, and unread parts."""
    shown = console or Console(soft_wrap=True, highlight=False)
    for document in kb.documents:
        counts = [
            counted(document.pages, "page") if document.pages else "",
            counted(sum(len(block.text.split()) for block in document.blocks), "word"),
            counted(len(document.figures), "figure"),
            counted(len(document.tables), "table"),
        ]
        shown.print(f"[bold]{escape(document.name)}[/bold]: {', '.join(filter(None, counts))}")
        for block in document.blocks:
            line = _listed(document, block)
            if line:
                place = f"p. {block.page}" if block.page else ""
                shown.print(f"  {place:>7}  {escape(line)}")
    for item in kb.unread:
        shown.print(f"[yellow]not read:[/yellow] {escape(str(item))}")


def _listed(document: Document, block: DocumentBlock) -> str:
    if block.kind == "heading":
        return f"{'  ' * (block.level - 1)}{block.text}"
    if block.kind == "figure" and block.index is not None:
        figure = document.figures[block.index]
        return f"[figure {figure.number}] {figure.caption or 'without a caption'}"
    if block.kind == "table" and block.index is not None:
        table = document.tables[block.index]
        size = f"{len(table.rows)} x {max(map(len, table.rows))}"
        doubt = "" if table.native else f" (as a picture: {table.why_not})"
        return f"[table {table.number}, {size}] {table.caption or 'without a caption'}{doubt}"
    return ""


def write_reading(kb: KnowledgeBase, out: str | Path) -> Path:
    """Write a folder for each document: ``document.json``, figures as PNG, tables as CSV, and for
    PDF its pages with boxes. Returns ``out``.

    Raises FileExistsError if an earlier reading is there, and OSError if nothing can be written.
    """
    folder = Path(out)
    check_run_folder(folder, overwrite=None, mark="reading.json")
    undrawn = [
        Unread(document.name, reason, figure.page)
        for document in kb.documents
        for figure, reason in _write_document(document, folder / _folder_name(document.name))
    ]
    listed = {
        "documents": [document.name for document in kb.documents],
        "card": kb.card,
        "unread": [str(item) for item in (*kb.unread, *undrawn)],
    }
    write_whole(folder / "reading.json", _json(listed))
    return folder


def _write_document(document: Document, folder: Path) -> list[tuple[Figure, str]]:
    """Writes the contents of a document; returns the figures that cannot be drawn, and why."""
    write_whole(folder / "document.json", _json(document_json(document)))
    undrawn = []
    for figure in document.figures:
        try:
            write_whole(folder / f"figure-{figure.number:03}.png", figure.draw())
        except ValueError as error:
            undrawn.append((figure, f"figure {figure.number}: {error}"))
    for table in document.tables:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(table.rows)
        write_whole(folder / f"table-{table.number:03}.csv", text.getvalue().encode())
    for number, picture in page_pictures(document):
        write_whole(folder / f"page-{number:03}.png", picture)
    return undrawn


def _folder_name(name: str) -> str:
    return re.sub(r"[^\w.() -]", "_", name).strip(". ") or "document"


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
