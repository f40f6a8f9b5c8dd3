"""Reading documents of any kind into one knowledge base.

Picture files as documents: one figure, and on request the text in it by RapidOCR.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from decklab.core.errors import (
    DeckError,
    ExtensionError,
    LimitExceeded,
    TruncatedDeck,
    Unavailable,
    UnsupportedFormat,
)
from decklab.core.lazy import needs_extra
from decklab.core.registry import Registry, outside
from decklab.documents.docx import read_docx
from decklab.documents.drafting import DocumentDraft, printed_line
from decklab.documents.epub import read_epub
from decklab.documents.html.reader import read_html
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.mail import read_mail
from decklab.documents.markdown import read_markdown, read_plain_text
from decklab.documents.markup import read_rst, read_tex
from decklab.documents.model import READ_BY_OCR, Document, Unread
from decklab.documents.pdf.reader import read_pdf
from decklab.documents.pictures import UnreadablePicture, png_of
from decklab.documents.sheets import read_csv, read_xlsx
from decklab.documents.slides import read_deck_document
from decklab.documents.texts import decoded_text
from decklab.ooxml.signatures import DEFAULT_LIMITS, open_file
from decklab.rendering.pictures import IMAGE_SUFFIXES, can_read_pictures, picture_spans, read_image


def read_picture_document(path: Path, name: str, data: bytes, *, ocr: bool) -> Document:
    """A picture file; ``ocr`` reads the lines of text in it, top to bottom.

    Of an animation or several pages the first is read. Raises TruncatedDeck if it is damaged,
    LimitExceeded if it has too many pixels, Unavailable if ``ocr`` is asked for and RapidOCR
    is not installed.
    """
    if ocr and not can_read_pictures():
        raise Unavailable(needs_extra("reading text in pictures", "ocr"))
    try:
        png_of(data)
    except UnreadablePicture as error:
        raise (LimitExceeded if error.too_large else TruncatedDeck)(path, str(error)) from None
    draft = DocumentDraft(path, name, "image")
    draft.page = 1
    draft.add_figure(data)
    if ocr:
        draft.refuse(READ_BY_OCR)
        spans = picture_spans(read_image(path), recognize=True)
        for span in sorted(spans, key=lambda span: (span.box.top, span.box.left)):
            draft.add("paragraph", span.text)
    return draft.finish(title=path.stem, pages=1)


_TEXT_READERS = {
    ".md": read_markdown, ".markdown": read_markdown, ".txt": read_plain_text, ".html": read_html,
    ".htm": read_html, ".xhtml": read_html, ".csv": read_csv, ".tsv": read_csv, ".rst": read_rst,
    ".tex": read_tex, ".text": read_plain_text,
}  # fmt: skip
_DECKS = frozenset({".pptx", ".potx", ".ppsx", ".pptm"})
_SAVED_AS = {
    ".doc": "DOCX", ".odt": "DOCX", ".rtf": "DOCX", ".xls": "XLSX", ".ods": "XLSX", ".ppt": "PPTX",
    ".odp": "PPTX", ".svg": "PNG or PDF", ".emf": "PNG or PDF", ".wmf": "PNG or PDF", ".eps": "PDF",
    ".ps": "PDF", ".mobi": "EPUB", ".azw3": "EPUB", ".msg": "EML",
}  # fmt: skip
"""Kinds that are not read, and what a program that opens them can save them as."""
DOCUMENT_READERS: Final[Registry[Callable[[Path], str]]] = Registry(
    "kind of document", group="decklab.document_readers"
)
"""Readers of other packages, by suffix without its dot: a function from a file to its text as
Markdown."""
_KNOWN = (
    "PDF, DOCX, PPTX, EPUB, Markdown, HTML, text, reStructuredText, LaTeX, e-mail, CSV, XLSX and "
    "pictures"
)


def read_document(path: str | Path, *, name: str | None = None, ocr: bool = False) -> Document:
    """One document; its kind is that of its first bytes for PDF, and else of its suffix.

    Other kinds are read by the readers of other packages, if there are any for them.
    ``name`` is how places name it, else the file's name. ``ocr`` reads the text in pictures and in
    scanned pages of PDF. Raises DeckError if it cannot be read (UnsupportedFormat,
    EncryptedDeck, TruncatedDeck, LimitExceeded and others), and Unavailable without
    ``decklab[write]`` if its kind needs that.
    """
    place = Path(path)
    label = printed_line(name or place.name) or "document"
    suffix = place.suffix.lower()
    with open_file(place, DEFAULT_LIMITS) as stream:
        start = stream.read(1024)
        is_pdf = b"%PDF-" in start[: 5 if suffix in _TEXT_READERS else None]
        stream.seek(0)
        if is_pdf or suffix == ".pdf":
            return read_pdf(place, label, stream.read(), ocr=ocr)
        if suffix in IMAGE_SUFFIXES:
            return read_picture_document(place, label, stream.read(), ocr=ocr)
        if suffix in _TEXT_READERS:
            return _TEXT_READERS[suffix](place, label, decoded_text(place, stream.read()))
        if suffix == ".eml":
            return read_mail(place, label, stream.read())
    if suffix == ".epub":
        return read_epub(place, label)
    if suffix == ".docx":
        return read_docx(place, label)
    if suffix in {".xlsx", ".xlsm"}:
        return read_xlsx(place, label)
    if suffix in _DECKS:
        return read_deck_document(place, label)
    if suffix[1:] in DOCUMENT_READERS:
        return read_markdown(place, label, _outside_text(place, suffix[1:]))
    if suffix in _SAVED_AS:
        raise UnsupportedFormat(
            place, f"{suffix[1:].upper()} is not read: save it as {_SAVED_AS[suffix]}"
        )
    raise UnsupportedFormat(place, f"no kind of document that is read: {_KNOWN} are")


def _outside_text(path: Path, kind: str) -> str:
    """The Markdown that another package's reader makes of a file; DeckError where it fails."""
    try:
        text = outside(DOCUMENT_READERS[kind], path)
    except ExtensionError as error:
        raise UnsupportedFormat(path, f"the reader of .{kind} failed: {error}") from error
    if not isinstance(text, str):
        raise UnsupportedFormat(path, f"the reader of .{kind} gave no text")
    return text


def read_documents(
    paths: Iterable[str | Path] = (), *, skip_unreadable: bool = False, ocr: bool = False
) -> KnowledgeBase:
    """Some documents as one knowledge base; without any an empty one.

    A file that cannot be read raises DeckError, naming it; with ``skip_unreadable`` it is among the
    ``unread`` of the knowledge base instead, and the rest goes on. Pages that cannot be read are
    always listed there. Of two files with one name the second is called ``name (2)``.
    """
    documents: list[Document] = []
    refused: list[Unread] = []
    for path in paths:
        name = _free(
            printed_line(Path(path).name) or "document", {document.name for document in documents}
        )
        try:
            documents.append(read_document(path, name=name, ocr=ocr))
        except DeckError as error:
            if not skip_unreadable:
                raise
            refused.append(Unread(name, error.detail))
    return KnowledgeBase(tuple(documents), tuple(refused))


def _free(name: str, used: set[str]) -> str:
    number, free = 1, name
    while free in used:
        number += 1
        free = f"{name} ({number})"
    return free
