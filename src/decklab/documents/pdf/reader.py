"""PDF documents, by pypdfium2: pages taken apart, put in reading order and joined to a document."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import pypdfium2.raw as pdfium
from PIL import Image

from decklab.core.errors import LimitExceeded
from decklab.core.geometry import Box
from decklab.documents.bylines import Byline, read_byline, stated_byline
from decklab.documents.drafting import with_commands
from decklab.documents.labels import with_items
from decklab.documents.model import (
    READ_BY_OCR,
    BlockKind,
    Document,
    DocumentBlock,
    DocumentTable,
    Figure,
    Unread,
    table_text,
)
from decklab.documents.pdf.figures import page_objects
from decklab.documents.pdf.lines import (
    DocumentStyles,
    document_styles,
    joined_text,
    mark_drawn_bullets,
    ordered_lines,
)
from decklab.documents.pdf.page import (
    FoundFigure,
    FoundTable,
    PageCaption,
    PageGraphics,
    PageObjects,
    PdfPage,
    page_captions,
    page_graphics,
    repeated_drawings,
    without_furniture,
    without_repeated_rules,
)
from decklab.documents.pdf.paragraphs import (
    LineBlock,
    heading_levels,
    joined_pages,
    page_blocks,
    plain_item,
    plain_labels,
    run_in_heading,
    without_cells,
    without_contents,
)
from decklab.documents.pdf.table_heads import joined_tables
from decklab.documents.pdf.tables import page_tables
from decklab.documents.pdf.words import page_pieces
from decklab.rendering.pdf import open_pdf, open_text_page
from decklab.rendering.pictures import picture_spans

MAX_PAGES = 5_000
"""Ours: pages of a document that are read."""
PICTURE_DPI = 600
"""Of figures and tables that are drawn: sharp on half a slide at 400 % zoom. Ours."""
_MOST_PIXELS = 12e6
"""Of such a picture; larger regions are drawn coarser. Ours: 36 MB of memory."""
_MARGIN = 4.0  # ours: points around a figure that is drawn
_ABSTRACT = re.compile(r"(Abstract|ABSTRACT|Zusammenfassung)(?:\s*[.:—–-])?\s*(?=[A-Z]\w*\s[a-z])")
"""An abstract that begins in the line of its heading."""
_SMALL_PRINT = 0.8  # ours: points smaller than running text
_RAISED = 0.85  # ours: the size of the number of a footnote as a share of its text
_NOTE_NUMBER = re.compile(r"\A(\d{1,2})\s(?=\S)")
_OCR_DPI = 150
_TURNED_LETTERS = 40
_TURNED_SHARE = 4
"""Ours: a page is turned if so many letters run in one other direction, and four times as many as
in all others; running heads stand upright."""


def read_pdf(path: Path, name: str, data: bytes, *, ocr: bool = False) -> Document:
    """A PDF document. Pages without text, and captions without a figure or table, are listed.

    ``ocr`` reads scanned pages by RapidOCR. Raises EncryptedDeck if a password is needed,
    TruncatedDeck if the file is damaged or ends early, LimitExceeded above ``MAX_PAGES``.
    """
    with open_pdf(path, data) as pdf:
        count = len(pdf)
        if count > MAX_PAGES:
            raise LimitExceeded(path, f"{count} pages; at most {MAX_PAGES} are read")
        unread: list[Unread] = []
        pages = [
            page
            for number in range(1, count + 1)
            if (page := _page(pdf, name, number, unread)) is not None
        ]
        scanned = dict(_scanned(pdf, name, pages, unread, ocr=ocr))
        stated = pdf.get_metadata_dict()
    # the record's date is that of the file: a document of years ago is printed to PDF today
    byline = stated_byline([str(stated.get("Author", ""))])
    title = str(stated.get("Title", ""))
    return _document(path, name, pages, _Read(count, unread, scanned, title, byline))


def _page(pdf: Any, name: str, number: int, unread: list[Unread]) -> PdfPage | None:
    page = pdfium.FPDF_LoadPage(pdf.raw, number - 1)
    if not page:
        unread.append(Unread(name, "the page is damaged", number))
        return None
    try:
        found = _page_as_shown(page, number)
        turn = _turn(found)
        if turn:
            shown = pdfium.FPDFPage_GetRotation(page)
            pdfium.FPDFPage_SetRotation(page, (shown + turn) % 4)
            found = _page_as_shown(page, number, turn)
        return found
    finally:
        pdfium.FPDF_ClosePage(page)


def _page_as_shown(page: Any, number: int, turn: int = 0) -> PdfPage:
    size = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    if min(size) <= 0:
        return PdfPage(number, size, [], PageGraphics())
    with open_text_page(page) as text_page:
        pieces, turned = page_pieces(page, text_page) if text_page else ([], [])
    return PdfPage(number, size, pieces, page_graphics(page), turned, turn)


def _turn(page: PdfPage) -> int:
    """Quarter turns clockwise after which a page can be read, whose text nearly all runs in another
    direction, as on a page with a wide table set sideways."""
    letters = [sum(len(piece.text) for piece in page.pieces), 0, 0, 0]
    for text in page.turned:
        letters[text.turn] += text.letters
    most = max(range(4), key=lambda turn: letters[turn])
    others = sum(letters) - letters[most]
    return most if letters[most] >= max(_TURNED_LETTERS, _TURNED_SHARE * others) else 0


def _scanned(
    pdf: Any, name: str, pages: Sequence[PdfPage], unread: list[Unread], *, ocr: bool
) -> Iterator[tuple[int, list[str]]]:
    """Tell pages that show something but have no text; with ``ocr`` the lines on each of them."""
    for page in pages:
        letters = sum(char.isalnum() for piece in page.pieces for char in piece.text)
        junk = sum(piece.text.count("\ufffd") for piece in page.pieces)
        if junk > letters:
            unread.append(
                Unread(name, "its text has no meaning: the fonts do not tell", page.number)
            )
            page.pieces = []
        elif not letters and _covered(page):
            if ocr:
                unread.append(Unread(name, READ_BY_OCR, page.number))
                yield page.number, _ocr_lines(pdf, page)
            else:
                reason = "a picture without text, as of a scanner; --ocr reads it"
                unread.append(Unread(name, reason, page.number))


def _covered(page: PdfPage) -> bool:
    box = Box.around(box for box, _ in page.graphics.shapes)
    return box is not None and box.area > 0.3 * page.size[0] * page.size[1]


def _ocr_lines(pdf: Any, page: PdfPage) -> list[str]:
    bitmap = pdf[page.number - 1].render(scale=_OCR_DPI / 72, rev_byteorder=True)
    image = bitmap.to_numpy()[:, :, :3].copy()
    spans = picture_spans(image, page.size[1], recognize=True)
    return [span.text for span in sorted(spans, key=lambda span: (span.box.top, span.box.left))]


@dataclass(frozen=True)
class _Read:
    """Facts of a file beside its pages' contents."""

    pages: int
    unread: list[Unread]
    scanned: dict[int, list[str]]
    title: str
    byline: Byline


def _document(path: Path, name: str, pages: Sequence[PdfPage], read: _Read) -> Document:
    kept = without_furniture(pages)
    logos = repeated_drawings(pages)
    for page, pieces, graphics in zip(pages, kept, without_repeated_rules(pages), strict=True):
        page.pieces, page.graphics = pieces, graphics
    styles = document_styles(kept)
    objects = []
    for page in pages:
        captions = page_captions(page.pieces)
        objects.append(page_objects(page, captions, page_tables(page, captions), logos))
    joined_tables(pages, objects)
    texts = []
    for page, found in zip(pages, objects, strict=True):
        lines = ordered_lines(found.pieces)
        mark_drawn_bullets(lines, [box for box, _ in page.graphics.shapes])
        texts.append(without_cells(page_blocks(lines, page.number, styles), found.missing))
    blocks = list(without_contents(joined_pages(texts, styles), styles))
    plain_labels(blocks)
    heading_levels(blocks)
    return _Assembly(path, name, styles, read).document(blocks, pages, objects)


class _Assembly:
    """Blocks, figures and tables of one document put in order and numbered."""

    def __init__(self, path: Path, name: str, styles: DocumentStyles, read: _Read) -> None:
        self._path, self._name, self._styles, self._read = path, name, styles, read
        self._blocks: list[DocumentBlock] = []
        self._figures: list[Figure] = []
        self._tables: list[DocumentTable] = []
        self._turns: dict[int, int] = {}

    def document(
        self, blocks: Sequence[LineBlock], pages: Sequence[PdfPage], objects: Sequence[PageObjects]
    ) -> Document:
        """The document; what has no caption stands before the block below it on its page."""
        waiting = {page.number: found for page, found in zip(pages, objects, strict=True)}
        self._turns = {page.number: page.turn for page in pages}
        for page in pages:
            for block in (item for item in blocks if item.page == page.number):
                self._add_above(block, waiting[page.number])
                self._block(block, waiting[page.number])
            self._rest(page.number, waiting[page.number])
        title = self._title(blocks)
        written = read_byline(self._blocks, title).or_else(self._read.byline)
        return Document(
            self._name,
            self._path,
            "pdf",
            tuple(with_items(with_commands(self._blocks))),
            tuple(self._figures),
            tuple(self._tables),
            title,
            self._read.pages,
            unread=tuple(sorted(self._read.unread, key=lambda item: item.page or 0)),
            author=written.author,
            date=written.date,
        )

    def _block(self, block: LineBlock, objects: PageObjects) -> None:
        text = joined_text(block.lines, self._styles)
        kind: BlockKind = block.kind
        if kind == "code":
            text = "\n".join(line.text for line in block.lines)
        elif kind == "item":
            text = plain_item(text)
        elif kind == "paragraph" and (lead := run_in_heading(block.lines[0])):
            text = f"{lead}: {text.removeprefix(lead).lstrip()}"
        elif kind == "paragraph" and self._is_footnote(block):
            text = _NOTE_NUMBER.sub(r"\1", text)  # a footnote is known by the number glued to it
        elif kind == "caption":
            self._captioned(block, text, objects)
            return
        elif kind == "paragraph" and block.page == 1 and (named := _ABSTRACT.match(text)):
            self._blocks.append(DocumentBlock("heading", named[1], block.page, block.box, 1))
            text = text[named.end() :]
        level = block.level if kind == "heading" else int(kind == "item")
        self._blocks.append(DocumentBlock(kind, text, block.page, block.box, level))

    def _is_footnote(self, block: LineBlock) -> bool:
        """Whether a paragraph is small print, or begins with a number in smaller type."""
        first, *others = block.lines[0].words
        small = bool(others) and first.style.size < _RAISED * others[0].style.size
        return small or block.size < self._styles.body - _SMALL_PRINT

    def _captioned(self, block: LineBlock, text: str, objects: PageObjects) -> None:
        """A caption with the figure or table that it belongs to."""
        first = block.lines[0].box
        subject: Literal["figure", "table"]
        items: list[FoundTable | FoundFigure] = [*objects.tables, *objects.figures]
        for found in items:
            if not _begins(found.caption, first):
                continue
            if isinstance(found, FoundTable):
                index, subject = self._table(block.page, found, text), "table"
                objects.tables.remove(found)
            else:
                index, subject = self._figure(block.page, found, text), "figure"
                objects.figures.remove(found)
            named = DocumentBlock("caption", text, block.page, block.box)
            self._blocks.append(replace(named, index=index, subject=subject))
            return
        missing = next((item for item in objects.missing if _begins(item, first)), None)
        if missing is not None:
            reason = f"{missing.caption.label} has a caption, and nothing was found for it"
            self._read.unread.append(Unread(self._name, reason, block.page))
        self._blocks.append(DocumentBlock("caption", text, block.page, block.box))

    def _add_above(self, block: LineBlock, objects: PageObjects) -> None:
        """Tables and figures without a caption that end above a block in its column."""

        def ends_above(box: Box) -> bool:
            beside = box.left < block.box.right and box.right > block.box.left
            return beside and box.bottom <= block.box.top + 2

        for table in [t for t in objects.tables if not t.caption and ends_above(t.box)]:
            self._table(block.page, table, "")
            objects.tables.remove(table)
        for figure in [f for f in objects.figures if not f.caption and ends_above(f.box)]:
            self._figure(block.page, figure, "")
            objects.figures.remove(figure)

    def _rest(self, page: int, objects: PageObjects) -> None:
        for table in objects.tables:
            self._table(page, table, "")
        for figure in objects.figures:
            self._figure(page, figure, "")
        for line in self._read.scanned.get(page, ()):
            self._blocks.append(DocumentBlock("paragraph", line, page))

    def _table(self, page: int, table: FoundTable, caption: str) -> int:
        rows = tuple(tuple(row) for row in table.rows)
        index = len(self._tables)
        first, box = table.parts[0]
        self._tables.append(
            DocumentTable(
                self._name,
                index + 1,
                rows,
                table.header_rows,
                first,
                box,
                caption,
                table.caption.caption.label if table.caption else "",
                not table.why_not,
                table.why_not,
                partial(
                    draw_regions,
                    self._path,
                    tuple(table.parts),
                    page_turn=self._turns.get(first, 0),
                ),
            )
        )
        text = table_text(rows)
        self._blocks.append(
            DocumentBlock("table", text, page, table.box, index=index, subject="table")
        )
        return index

    def _figure(self, page: int, figure: FoundFigure, caption: str) -> int:
        index = len(self._figures)
        size = figure.box.width, figure.box.height
        self._figures.append(
            Figure(
                self._name,
                index + 1,
                page,
                figure.box,
                caption,
                figure.caption.caption.label if figure.caption else "",
                size[::-1] if figure.turn % 2 else size,
                partial(
                    draw_region,
                    self._path,
                    page,
                    figure.box,
                    page_turn=self._turns.get(page, 0),
                    turn=figure.turn,
                ),
                figure.label_size,
            )
        )
        self._blocks.append(
            DocumentBlock("figure", "", page, figure.box, index=index, subject="figure")
        )
        return index

    def _title(self, blocks: Sequence[LineBlock]) -> str:
        """The largest heading of the first pages, or what the file says."""
        early = [block for block in blocks if block.kind == "heading" and block.page <= 2]
        largest = max(early, key=lambda block: block.size, default=None)
        if largest is not None and largest.size > self._styles.body + 1.5:
            return joined_text(largest.lines, self._styles)
        stated = " ".join(self._read.title.split())
        useful = len(stated) > 3 and not re.search(r"\.(?:docx?|dvi|tex|pdf|rnw)$", stated.lower())
        if useful or largest is None:
            return stated if useful else ""
        return joined_text(largest.lines, self._styles)


def _begins(caption: PageCaption | None, first: Box) -> bool:
    if caption is None:
        return False
    box = caption.first.box
    return abs(box.top - first.top) < 2 and first.left - 2 <= box.left <= first.right + 2


def draw_region(
    path: Path, page: int, box: Box, *, dpi: float = PICTURE_DPI, page_turn: int = 0, turn: int = 0
) -> bytes:
    """A part of a PDF page, with a small margin, as a PNG file; ``dpi`` is the most it may have.

    The page is turned by ``page_turn`` quarters clockwise, in which turned page the box is; then
    the picture by ``turn``.

    Raises ValueError if the file has changed and has no such page any more, OSError if it is gone.
    """
    with open_pdf(path, path.read_bytes()) as pdf:
        if page > len(pdf):
            raise ValueError(f"{path} has no page {page} any more")
        loaded = pdf[page - 1]
        loaded.set_rotation((loaded.get_rotation() + 90 * page_turn) % 360)
        width, height = loaded.get_size()
        crop = (
            max(0.0, box.left - _MARGIN),
            max(0.0, height - box.bottom - _MARGIN),
            max(0.0, width - box.right - _MARGIN),
            max(0.0, box.top - _MARGIN),
        )
        points = (width - crop[0] - crop[2]) * (height - crop[1] - crop[3])
        scale = min(dpi / 72, (_MOST_PIXELS / max(points, 1.0)) ** 0.5)
        picture = loaded.render(scale=scale, crop=crop).to_pil().rotate(-90 * turn, expand=True)
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def draw_regions(path: Path, parts: Sequence[tuple[int, Box]], *, page_turn: int = 0) -> bytes:
    """Parts of PDF pages, given by page number and box, below one another as a PNG file; all pages
    are turned by ``page_turn`` quarters clockwise.

    Raises as ``draw_region`` does.
    """
    coarser = len(parts) ** 0.5
    drawn = [
        draw_region(path, page, box, dpi=PICTURE_DPI / coarser, page_turn=page_turn)
        for page, box in parts
    ]
    if len(drawn) == 1:
        return drawn[0]
    pictures = [Image.open(BytesIO(data)).convert("RGB") for data in drawn]
    width = max(picture.width for picture in pictures)
    whole = Image.new("RGB", (width, sum(picture.height for picture in pictures)), "white")
    top = 0
    for picture in pictures:
        whole.paste(picture, (0, top))
        top += picture.height
    written = BytesIO()
    whole.save(written, "PNG")
    return written.getvalue()
