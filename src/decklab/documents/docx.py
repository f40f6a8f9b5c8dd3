"""Word documents (.docx), by python-docx."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from decklab.core.errors import NotAPackage
from decklab.documents.bylines import stated_byline
from decklab.documents.drafting import DocumentDraft, printed_line
from decklab.documents.extras import checked_package, needed
from decklab.documents.model import Document, DocumentBlock
from decklab.documents.texts import raised_text

_HEADING = re.compile(r"^(?:heading|überschrift|titre|título)\s?(\d)$", re.IGNORECASE)
_DAMAGE = (KeyError, ValueError, IndexError, AttributeError, TypeError)
_NUMBERS = re.compile(r"^(?:list number|listennummer)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(\d+)\. ")
_TEMPLATE = datetime(2013, 12, 23, 23, 15, tzinfo=UTC)
"""The date of python-docx's own template."""
_BOLD_CHARACTERS, _LEAST_BOLD = 90, 3
"""Of a line in bold that is a heading, and such lines of a document that has no other. Ours."""
_TITLE_CHARACTERS, _LEAD_CHARACTERS = 120, 60
"""Of a title in bold, and of a heading in bold that its paragraph goes on behind. Ours."""
_LEAD = re.compile(r"(?P<number>\d{1,2}[.)]\s+)?(?P<name>[^.:]+?)\s*(?P<end>[.:]?)$")
_LETTERHEAD = re.compile(r"\s[·•|]\s")
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
    for item in items:
        try:
            if isinstance(item, docx.table.Table):
                _table(draft, item)
            else:
                _paragraph(draft, document, item, bold, leads)
        except damage as error:
            draft.refuse(f"a paragraph or table is damaged: {error}")
    leads = {} if any(block.kind == "heading" for block in draft.blocks) else _headings(leads)
    _with_bold_headings(draft, bold, len(leads))
    _with_leads(draft, leads)
    heading = next((b.text for b in draft.blocks if b.kind == "heading"), "")
    return draft.finish(title=heading or title, byline=byline)


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


def _is_bold(item: Any) -> bool:
    """Whether all words of a paragraph are bold."""
    runs = [run for run in item.runs if run.text.strip()]
    return bool(runs) and all(run.bold for run in runs)


def _lead(item: Any) -> str:
    """The bold words that a paragraph begins with; empty if it has no others."""
    words = ""
    for run in item.runs:
        if run.text.strip() and not run.bold:
            return printed_line(words)
        words += run.text
    return ""


def _headings(leads: Mapping[int, str]) -> dict[int, str]:
    """Of the bold words that paragraphs begin with those that are headings run in: with a number,
    or with a stop, as ``4. Rescue boats. Tom reported ...``; if there are several."""
    found = {at: lead for at, lead in leads.items()
             if len(lead) <= _LEAD_CHARACTERS and (parts := _LEAD.match(lead))
             and (parts["number"] or parts["end"] == ".")}  # fmt: skip
    return found if len(found) >= _LEAST_BOLD else {}


def _with_leads(draft: DocumentDraft, leads: Mapping[int, str]) -> None:
    """Part headings that are run in from their paragraphs. A sentence that goes on behind one
    without a stop stays whole, without the number."""
    blocks: list[DocumentBlock] = []
    for at, block in enumerate(draft.blocks):
        parts = _LEAD.match(leads.get(at, ""))
        if parts is None or not block.text.startswith(leads[at]):
            blocks.append(block)
            continue
        blocks.append(replace(block, kind="heading", text=parts["name"], level=2))
        told = block.text[len(leads[at]) if parts["end"] else parts.start("name") :].strip()
        if told:
            blocks.append(replace(block, text=told))
    draft.blocks = blocks


def _with_bold_headings(draft: DocumentDraft, bold: Sequence[int], leads: int) -> None:
    """Make headings of short lines in bold, if there are several over text of their own, with the
    ``leads`` that are run in.

    Those before the first sentence are the title of the document, what stands around that, and, if
    there are others, the heading of that sentence.
    """
    blocks = draft.blocks
    short = [at for at in bold if len(blocks[at].text) <= _BOLD_CHARACTERS]
    over = [at for at in short if at + 1 < len(blocks) and at + 1 not in bold]
    if any(block.kind == "heading" for block in blocks):
        return
    text = next(
        (at for at, block in enumerate(blocks) if at not in bold
         and (block.kind != "paragraph" or block.text.endswith((".", ":", "!", "?")))),
        0,
    )  # fmt: skip
    names = [at for at in bold if at < text and len(blocks[at].text) <= _TITLE_CHARACTERS
             and not _LETTERHEAD.search(blocks[at].text)]  # fmt: skip
    others = [at for at in names if at + 1 < text] or names
    title = max(others, key=lambda at: len(blocks[at].text), default=None)
    names, over = (names, over) if len(over) + leads >= _LEAST_BOLD else ([], [])
    for at in (*(name for name in names if name + 1 == text), *over):
        if at >= text - 1 and at != title:
            blocks[at] = replace(blocks[at], kind="heading", level=2)
    if title is not None:
        blocks[title] = replace(blocks[title], kind="heading", level=1)


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
        draft.add("paragraph", text)
        if _is_bold(item):
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
