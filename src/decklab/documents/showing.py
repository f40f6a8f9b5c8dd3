"""Pages of a PDF with what was found on them drawn as boxes, for people to look at."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pypdfium2
from PIL import Image, ImageDraw

from decklab.documents.model import BlockKind, Document, DocumentBlock

COLOURS: dict[BlockKind, str] = {
    "heading": "#C62828", "paragraph": "#90A4AE", "item": "#6D4C41", "code": "#9E9D24",
    "caption": "#6A1B9A", "table": "#2E7D32", "figure": "#1565C0",
}  # fmt: skip
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
