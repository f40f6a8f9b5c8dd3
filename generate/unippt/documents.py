"""The source documents made of plain texts: Markdown, HTML, DOCX, XLSX and PDF.

Equal texts give equal bytes where the libraries are the same ones.
"""

import html
import io
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import docx
import xlsxwriter
from docx.shared import Inches
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import cm
from reportlab.platypus import (
    Image,
    KeepTogether,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from decklab.ooxml.package import Package, write_package
from generate.unippt.figures import draw_figure
from generate.unippt.texts import TextBlock, read_text

MADE: Final = datetime(2026, 1, 1)
AUTHOR: Final = "decklab, invented"

_OWN_PAGE: Final = 3
"""Headings of this level begin a page of a PDF."""

Sheets = Mapping[str, Sequence[Sequence[str | float]]]


def write_document(text: str, path: Path) -> None:
    """Write a text as the kind of document that the name of the file says."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _WRITERS[path.suffix](read_text(text), path)


def write_workbook(sheets: Sheets, path: Path) -> None:
    """Write sheets of rows as a workbook."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with xlsxwriter.Workbook(path) as book:
        book.set_properties({"author": AUTHOR, "created": MADE})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)


def _markdown(blocks: Sequence[TextBlock], path: Path) -> None:
    path.write_text("\n\n".join(map(_markdown_block, blocks)) + "\n", encoding="utf-8")


def _markdown_block(block: TextBlock) -> str:
    if block.kind == "heading":
        return f"{'#' * block.level} {block.text}"
    if block.kind == "table":
        lines = [f"| {' | '.join(row)} |" for row in block.rows]
        return "\n".join([lines[0], "|" + "---|" * len(block.rows[0]), *lines[1:]])
    return "\n".join(f"- {item}" for item in block.items) or block.text


def _html(blocks: Sequence[TextBlock], path: Path) -> None:
    body = "\n".join(map(_html_block, blocks))
    title = html.escape(blocks[0].text)
    path.write_text(
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>'
        f"</head>\n<body>\n{body}\n</body>\n</html>\n",
        encoding="utf-8",
    )


def _html_block(block: TextBlock) -> str:
    if block.kind == "heading":
        return f"<h{block.level}>{html.escape(block.text)}</h{block.level}>"
    if block.kind == "items":
        return "<ul>" + "".join(f"<li>{html.escape(one)}</li>" for one in block.items) + "</ul>"
    return f"<p>{html.escape(block.text)}</p>"


def _docx(blocks: Sequence[TextBlock], path: Path) -> None:
    document = docx.Document()
    about = document.core_properties
    about.author = about.last_modified_by = AUTHOR
    about.title, about.created, about.modified = blocks[0].text, MADE, MADE
    for block in blocks:
        _add_to_docx(document, block)
    file = io.BytesIO()
    document.save(file)
    with Package.from_bytes(file.getvalue(), path.name) as package:
        write_package(package, path, replace={name: package.read(name) for name in package.names})


def _add_to_docx(document: Any, block: TextBlock) -> None:
    if block.kind == "heading":
        document.add_heading(block.text, level=block.level - 1)
    elif block.kind == "table":
        table = document.add_table(len(block.rows), len(block.rows[0]), style="Table Grid")
        for row, cells in enumerate(block.rows):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
        if block.text:
            document.add_paragraph(block.text, style="Caption")
    elif block.figure is not None:
        document.add_picture(io.BytesIO(draw_figure(block.figure)), width=Inches(5.5))
        document.add_paragraph(block.text, style="Caption")
    elif block.kind == "items":
        for item in block.items:
            document.add_paragraph(item, style="List Bullet")
    else:
        document.add_paragraph(block.text)


def _pdf(blocks: Sequence[TextBlock], path: Path) -> None:
    pages = SimpleDocTemplate(
        str(path), pagesize=A4, leftMargin=2.5 * cm, rightMargin=2.5 * cm, topMargin=2.2 * cm,
        bottomMargin=2.2 * cm, title=blocks[0].text, author=AUTHOR, invariant=1,
    )  # fmt: skip
    story = [part for block in blocks for part in _pdf_parts(block)]
    pages.build(story, onFirstPage=_page_number, onLaterPages=_page_number)


def _page_number(canvas: Any, page: Any) -> None:
    canvas.setFont("Helvetica", 9)
    canvas.drawCentredString(A4[0] / 2, 1.2 * cm, str(page.page))


def _pdf_parts(block: TextBlock) -> list[Any]:
    styles = getSampleStyleSheet()
    body = styles["BodyText"]
    body.fontSize, body.leading, body.spaceAfter = 11, 15, 6
    if block.kind == "heading":
        style = styles["Title"] if block.level == 1 else styles[f"Heading{block.level - 1}"]
        style.keepWithNext = 1
        breaks = [PageBreak()] if block.level == _OWN_PAGE else []
        return [*breaks, Paragraph(html.escape(block.text), style)]
    if block.kind == "table":
        table = Table([list(row) for row in block.rows], hAlign="LEFT")
        table.setStyle([
            ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
            ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
            ("FONTSIZE", (0, 0), (-1, -1), 10),
        ])  # fmt: skip
        caption = Paragraph(html.escape(block.text), styles["Italic"])
        return [KeepTogether([Spacer(1, 6), table, Spacer(1, 4), caption])]
    if block.figure is not None:
        picture = Image(io.BytesIO(draw_figure(block.figure)), width=13 * cm, height=7.28 * cm)
        caption = Paragraph(html.escape(block.text), styles["Italic"])
        return [KeepTogether([Spacer(1, 8), picture, caption])]
    texts = block.items or (block.text,)
    return [Paragraph(html.escape(text), body) for text in texts]


_WRITERS: Final[Mapping[str, Callable[[Sequence[TextBlock], Path], None]]] = {
    ".md": _markdown, ".html": _html, ".docx": _docx, ".pdf": _pdf,
}  # fmt: skip
