"""Word documents (.docx), by python-docx."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any

from decklab.core.errors import NotAPackage
from decklab.documents.bold_headings import is_shouted, with_bold_headings
from decklab.documents.bylines import stated_byline
from decklab.documents.drafting import DocumentDraft, printed_line
from decklab.documents.extras import checked_package, needed
from decklab.documents.model import Document
from decklab.documents.preformatted import table_rows
from decklab.documents.texts import raised_text

_HEADING = re.compile(r"^(?:heading|überschrift|titre|título)\s?(\d)$", re.IGNORECASE)
_DAMAGE = (KeyError, ValueError, IndexError, AttributeError, TypeError)
_NUMBERS = re.compile(r"^(?:list number|listennummer)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(\d+)\. ")
_TEMPLATE = datetime(2013, 12, 23, 23, 15, tzinfo=UTC)
"""The date of python-docx's own template."""
_USUAL_SIZE, _LARGER = 139_700, 1.15
"""The size of Word's usual text (11 points, in EMU), and how many times as large headings are."""
_FIELD = re.compile(r"\s*[^\W\d_][\w ./-]{0,24}:\s*\S")
"""A line of the head of a memo or report, of which Word has several in a paragraph."""
_LISTS = re.compile(r"^list\b.*?(\d)?$", re.IGNORECASE)


def read_docx(path: Path, name: str) -> Document:
    """A Word document: body text, tables and pictures; no headers, footers, notes and comments.

    Pages are not known: a Word file does not hold them. Raises DeckError, and Unavailable
    without ``decklab[write]``.
    """
    docx = needed("docx", "reading Word documents")
    data = checked_package(path)
    # Errors of python-docx for other packages and for parts that are XML but no WordprocessingML.
    damage = (*_DAMAGE, docx.oxml.exceptions.XmlchemyError, docx.exceptions.PythonDocxError)
    try:
        document = docx.Document(BytesIO(data))
        items = list(document.iter_inner_content())
        stated = document.core_properties
        title = stated.title or ""
        saved = stated.modified or stated.created
        byline = stated_byline([stated.author or ""], None if saved == _TEMPLATE else saved)
    except damage as error:
        raise NotAPackage(path, f"no Word document: {error}") from None
    draft = DocumentDraft(path, name, "docx")
    bold: list[int] = []
    leads: dict[int, str] = {}
    for tabs, run in groupby(items, _tabs):
        typed = [*run]
        try:
            rows = table_rows([_words([item]) for item in typed]) if tabs else []
        except damage:
            rows = []
        if rows:
            draft.add_table(rows)
            continue
        for item in typed:
            try:
                if isinstance(item, docx.table.Table):
                    _table(draft, item)
                else:
                    _paragraph(draft, document, item, bold, leads)
            except damage as error:
                draft.refuse(f"a paragraph or table is damaged: {error}")
    draft.blocks = with_bold_headings(draft.blocks, bold, leads)
    heading = next((b.text for b in draft.blocks if b.kind == "heading"), "")
    return draft.finish(title=heading or title, byline=byline)


def _tabs(item: Any) -> int:
    """How many tabs part the words of a paragraph."""
    return str(getattr(item, "text", "")).strip().count("\t")


def _words(paragraphs: Iterable[Any]) -> str:
    """The text of paragraphs, a line each, without the raised numbers of footnotes."""
    lines = []
    for paragraph in paragraphs:
        text = ""
        for part in paragraph.iter_inner_content():
            for run in getattr(part, "runs", [part]):  # a hyperlink has runs of its own
                text += raised_text(text, run.text) if run.font.superscript else run.text
        lines.append(text)
    return "\n".join(lines)


def _stands_out(item: Any) -> bool:
    """Whether all words of a paragraph are bold, underlined, or set larger than its style."""
    runs = [run for run in item.runs if run.text.strip()]
    usual = item.style.font.size or _USUAL_SIZE if item.style is not None else _USUAL_SIZE
    return bool(runs) and all(
        run.bold or run.underline or (run.font.size or 0) >= _LARGER * usual for run in runs
    )


def _lead(item: Any) -> str:
    """The bold words that a paragraph begins with; empty if it has no others."""
    words = ""
    for run in item.runs:
        if run.text.strip() and not run.bold:
            return printed_line(words)
        words += run.text
    return ""


def _paragraph(
    draft: DocumentDraft, document: Any, item: Any, bold: list[int], leads: dict[int, str]
) -> None:
    text = _words([item])
    style = item.style.name if item.style is not None else ""
    heading = _HEADING.match(style)
    if style == "Title":
        draft.add("heading", text, 1)
    elif heading:
        draft.add("heading", text, min(6, int(heading[1])))
    elif (depth := _list_depth(item, style)) > 0:
        number = _number(draft, document, item, style)
        draft.add("item", f"{number}. {text}" if number else text, depth)
    else:
        lines = text.split("\n")
        for line in lines if all(map(_FIELD.match, lines)) else [text]:
            draft.add("paragraph", line)
        if _stands_out(item) or is_shouted(text):
            bold.append(len(draft.blocks) - 1)
        elif lead := _lead(item):
            leads[len(draft.blocks) - 1] = lead
    for data in _pictures(document, item):
        if data is None:
            draft.refuse("a picture that is linked or missing")
        else:
            draft.add_figure(data)


def _list_depth(item: Any, style: str) -> int:
    """1 for list items, more for nested ones, 0 for other paragraphs."""
    levels = item._p.xpath("./w:pPr/w:numPr/w:ilvl/@w:val")
    if levels:
        return int(levels[0]) + 1
    listed = _LISTS.match(style)
    return int(listed[1] or 1) if listed else 0


def _number(draft: DocumentDraft, document: Any, item: Any, style: str) -> int:
    """The number of an item of a numbered list, counted from the items before it; 0 for others."""
    if not (_NUMBERS.match(style) or _is_counted(document, item)):
        return 0
    before = draft.blocks[-1] if draft.blocks else None
    past = _NUMBER.match(before.text) if before is not None and before.kind == "item" else None
    return int(past[1]) + 1 if past else 1


def _is_counted(document: Any, item: Any) -> bool:
    """Whether the list that a paragraph names counts in decimal numbers."""
    lists = item._p.xpath("./w:pPr/w:numPr/w:numId/@w:val")
    if not lists or not lists[0].isdigit():
        return False
    levels = item._p.xpath("./w:pPr/w:numPr/w:ilvl/@w:val")
    level = levels[0] if levels and levels[0].isdigit() else "0"
    try:
        numbering = document.part.numbering_part.element
    except (KeyError, NotImplementedError):
        return False
    abstract = numbering.xpath(f'./w:num[@w:numId="{lists[0]}"]/w:abstractNumId/@w:val')
    path = './w:abstractNum[@w:abstractNumId="{}"]/w:lvl[@w:ilvl="{}"]/w:numFmt/@w:val'
    formats = numbering.xpath(path.format(abstract[0], level)) if abstract else []
    return formats[:1] == ["decimal"]


def _pictures(document: Any, item: Any) -> Iterator[bytes | None]:
    for key in item._p.xpath(".//a:blip/@r:embed"):
        part = document.part.related_parts.get(key)
        yield None if part is None else part.blob
    for _link in item._p.xpath(".//a:blip[not(@r:embed)]/@r:link"):
        yield None


def _table(draft: DocumentDraft, table: Any) -> None:
    """A table by its grid; a merged cell's text stands in its first place only."""
    try:
        grid = [[(cell._tc, _words(cell.paragraphs)) for cell in row.cells] for row in table.rows]
        header = sum(1 for row in table.rows if row._tr.xpath("./w:trPr/w:tblHeader"))
    except (IndexError, ValueError):
        draft.refuse("a table whose grid is damaged")
        return
    draft.add_grid(grid, header_rows=header)
