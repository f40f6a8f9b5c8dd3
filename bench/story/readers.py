"""Documents by kind of file: python-docx, openpyxl, lxml, csv and PDFium, none of decklab."""

import csv
import ctypes
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import docx
import openpyxl
import pypdfium2
import pypdfium2.raw as pdfium
from docx.table import Table
from lxml import html

from bench.story.plain_text import CAPTION, ITEM, is_markdown, of_table, read_markdown, read_text
from bench.story.source import Source

_ASIDE: Final = ("script", "style", "nav", "header", "footer", "aside", "form", "head", "noscript")
_NAMESPACES: Final = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
}


def read_source(path: Path) -> Source:
    """Read a document by the end of its name; see ``READERS``."""
    return READERS[path.suffix.lower()](path)


def _markdown(path: Path) -> Source:
    return read_markdown(path.read_text("utf-8"), path.parent)


def _text(path: Path) -> Source:
    text = path.read_text("utf-8")
    return read_markdown(text, path.parent) if is_markdown(text) else read_text(text)


def _docx(path: Path) -> Source:
    source, document = Source(), docx.Document(str(path))
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            source.table([cell.text for cell in row.cells] for row in block.rows)
            continue
        style, text = block.style.name if block.style else "", block.text.strip()
        pictures = list(_docx_pictures(document, block))
        if style == "Title" or style.startswith("Heading"):
            source.heading(text, int(style[-1]) if style[-1].isdigit() else 1)
        elif style == "Caption":
            kind = CAPTION.match(text)
            if not (kind and of_table(kind)):
                source.caption(CAPTION.sub("", text))
        elif text:
            source.paragraph(text)
        for picture in pictures:
            source.figure("", picture)
    return source


def _docx_pictures(document: Any, block: Any) -> Iterator[bytes]:
    for blip in block._element.iter(f"{{{_NAMESPACES['a']}}}blip"):
        yield document.part.related_parts[blip.get(f"{{{_NAMESPACES['r']}}}embed")].blob


def _html(path: Path) -> Source:
    source = Source()
    page = html.document_fromstring(path.read_text("utf-8"))
    _walk(source, page.find("body"), path.parent)
    return source


def _walk(source: Source, element: Any, folder: Path) -> None:
    """Take an element's blocks in their order; code and what stands aside is left out."""
    for child in element:
        if not isinstance(child.tag, str) or child.tag in (*_ASIDE, "pre"):
            continue
        if re.fullmatch("h[1-6]", child.tag):
            source.heading(child.text_content(), int(child.tag[1]))
        elif child.tag == "table":
            rows = child.iter("tr")
            source.table(
                [cell.text_content() for cell in row if cell.tag in "thtd"] for row in rows
            )
        elif child.tag in ("figure", "img"):
            _html_figure(source, child, folder)
        elif child.tag in ("p", "dt", "dd", "summary"):
            source.paragraph(child.text_content())
            for image in child.iter("img"):
                _html_figure(source, image, folder)
        elif child.tag == "li" and child.find("p") is None:
            source.paragraph(_own_text(child))
            _walk(source, child, folder)
        elif child.tag not in ("b", "i", "em", "strong", "a", "code", "span", "sup", "br"):
            _walk(source, child, folder)


def _own_text(item: Any) -> str:
    """The text of a list item without that of lists in it."""
    parts = [item.text or ""]
    for child in item:
        if child.tag not in ("ul", "ol", "p", "table", "pre"):
            parts.append(child.text_content())
        parts.append(child.tail or "")
    return "".join(parts)


def _html_figure(source: Source, element: Any, folder: Path) -> None:
    caption = element.findtext(".//figcaption") or ""
    if element.find(".//figcaption") is not None:
        caption = element.find(".//figcaption").text_content()
    image = element if element.tag == "img" else element.find(".//img")
    if image is None and element.find(".//svg") is None:
        _walk(source, element, folder)
        return
    path = folder / image.get("src", "") if image is not None else folder
    alt = image.get("alt", "") if image is not None else ""
    source.figure(CAPTION.sub("", caption or alt), path.read_bytes() if path.is_file() else None)


def _csv(path: Path) -> Source:
    source, text = Source(), path.read_text("utf-8-sig")
    head = text.splitlines()[0]
    mark = max(",;\t|", key=head.count)
    source.heading(path.stem, 1)
    source.table(csv.reader(text.splitlines(), delimiter=mark))
    return source


def _xlsx(path: Path) -> Source:
    source = Source()
    for sheet in openpyxl.load_workbook(path, data_only=True).worksheets:
        source.heading(sheet.title, 1)
        rows = [["" if cell is None else str(cell) for cell in row] for row in sheet.values]
        source.table(row for row in rows if sum(map(bool, row)) > 1)
        for row in rows:
            if sum(map(bool, row)) == 1:
                source.paragraph("".join(row))
    return source


class _Line(NamedTuple):
    text: str
    size: float
    bold: bool


def _pdf(path: Path) -> Source:
    """Lines that are larger than the text, or bold and short, are headings; tables are not read."""
    source = Source()
    lines = _without_repeated(_pdf_lines(path))
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size] += len(line.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    paragraph: list[str] = []
    heading: list[_Line] = []
    for line in _without_cells([*lines, _Line("", body, False)], body):
        if heading and (heading[-1].size != line.size or not _is_heading(line, body)):
            source.heading(
                " ".join(part.text for part in heading), 1 + (heading[0].size < body * 1.6)
            )
            heading.clear()
        if _is_heading(line, body) or ITEM.match(line.text) or CAPTION.match(line.text):
            _pdf_paragraph(source, paragraph)
        if _is_heading(line, body):
            heading.append(line)
        elif line.size >= body * 0.75:
            paragraph.append(line.text)
    _pdf_paragraph(source, paragraph)
    return source


def _without_cells(lines: list[_Line], body: float) -> Iterator[_Line]:
    """The lines without the captions of tables and the lines of cells that follow them.

    A line of cells is not larger than the text, whose size is ``body``. It is shorter than two
    thirds of a line of text, or two of its last three words are numbers.
    """
    width = median([len(line.text) for line in lines if line.size == body] or [0])
    in_table = False
    for line in lines:
        caption = CAPTION.match(line.text)
        ends = [bool(re.search(r"\d", word)) for word in line.text.split()[-3:]]
        cells = line.size <= body and (len(line.text) < width * 2 / 3 or sum(ends) > 1)
        in_table = of_table(caption) if caption else in_table and cells
        if not in_table:
            yield line


def _is_heading(line: _Line, body: float) -> bool:
    words = line.text.split()
    larger = line.size >= body * 1.12
    worded = any(len(word) > 2 and word.isalpha() for word in words)
    return worded and len(words) <= 16 and (larger or (line.bold and line.text[-1] not in ".,;:"))


def _pdf_paragraph(source: Source, paragraph: list[str]) -> None:
    """Take the sentences of lines; words of plots and cells, which make none, are left out."""
    joined = re.sub(r"(?<=[a-zäöüß])[-\u00ad\ufffe\u0002]\n(?=[a-zäöüß])", "", "\n".join(paragraph))
    text = joined.replace("\n", " ")
    paragraph.clear()
    caption = CAPTION.match(text)
    if caption and not of_table(caption):
        first, _, rest = text[caption.end() :].partition(". ")
        source.figure(first)
        text = rest
    draft = Source()
    draft.paragraph(ITEM.sub("", text))
    for unit in draft.units:
        digits = sum(mark.isdigit() for mark in unit)
        worded = len(unit.split()) >= 5 or not unit.isascii()
        if (
            worded
            and digits < len(unit) * 0.3
            and (ITEM.match(text) or unit[-1] in '.!?:)”"。；！？')
        ):
            source.paragraph(unit)


def _pdf_lines(path: Path) -> list[list[_Line]]:
    """The lines of each page in the order of the file, with size and weight of their letters."""
    with pypdfium2.PdfDocument(path) as document:
        return [list(_page_lines(page.get_textpage())) for page in document]


def _page_lines(page: Any) -> Iterator[_Line]:
    text, sizes, bold = "", Counter[float](), 0
    for i in range(pdfium.FPDFText_CountChars(page.raw)):
        mark = chr(pdfium.FPDFText_GetUnicode(page.raw, i))
        if mark in "\r\n":
            if text.strip():
                yield _Line(text.strip(), sizes.most_common(1)[0][0], bold * 2 > len(text))
            text, sizes, bold = "", Counter[float](), 0
            continue
        text += mark
        if not mark.isspace():
            sizes[round(_size(page, i) * 2) / 2] += 1
            bold += _is_bold(page, i)
    if text.strip():
        yield _Line(text.strip(), sizes.most_common(1)[0][0], bold * 2 > len(text))


def _is_bold(page: Any, i: int) -> bool:
    """Whether a letter's font has "Bold" in its name, as weights are often not given."""
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(page.raw, i, name, len(name), None)
    return b"bold" in name.value.lower()


def _size(page: Any, i: int) -> float:
    """The size of a letter in points as it is set, its matrix applied."""
    matrix = pdfium.FS_MATRIX()
    scale = 1.0
    if pdfium.FPDFText_GetMatrix(page.raw, i, matrix):
        scale = (matrix.c**2 + matrix.d**2) ** 0.5
    return float(pdfium.FPDFText_GetFontSize(page.raw, i)) * scale


def _without_repeated(pages: list[list[_Line]]) -> list[_Line]:
    """The lines of all pages without page numbers and what stands on three pages or more."""

    def key(line: _Line) -> str:
        return re.sub(r"\d+", "", line.text).strip()

    count = Counter(name for page in pages for name in {key(line) for line in page})
    return [line for page in pages for line in page if key(line) and count[key(line)] < 3]


READERS: Final[dict[str, Callable[[Path], Source]]] = {
    ".md": _markdown,
    ".txt": _text,
    ".docx": _docx,
    ".html": _html,
    ".csv": _csv,
    ".xlsx": _xlsx,
    ".pdf": _pdf,
}
"""What reads a document, by the end of its name."""
