"""The documents of the library, from which decks are written."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import JSON, Text, func, or_, select
from sqlalchemy.orm import Mapped, mapped_column

from decklab.pages.wording import clean
from decklab.workbench.web.database import Base
from decklab.workbench.web.library import (
    Library,
    NotThere,
    UploadRefused,
    checked_id,
    measured,
    shown_name,
)

DOCUMENT_SUFFIXES = (
    ".pdf", ".docx", ".md", ".markdown", ".txt", ".html", ".htm", ".xhtml", ".csv", ".tsv",
    ".xlsx", ".xlsm",
)  # fmt: skip
"""File suffixes of documents that the library takes."""


class DocumentRow(Base):
    """A document; its file is known by its checksum, as those of decks are."""

    __tablename__ = "documents"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    created: Mapped[float] = mapped_column(index=True)
    digest: Mapped[str]
    suffix: Mapped[str]
    size: Mapped[int]
    words: Mapped[str] = mapped_column(Text, default="")
    """Its text, for searching documents."""
    lines: Mapped[list[str] | None] = mapped_column(JSON)
    """Its first lines; None until it was read."""
    pages: Mapped[int | None]
    """How many it has, if it has pages."""


def add_document(library: Library, name: str, upload: Path) -> DocumentRow:
    """Take in an uploaded document, which is moved into the library.

    Raises UploadRefused for a name that is not that of a document that decklab reads.
    """
    shown = shown_name(name)
    suffix = Path(shown).suffix.lower()
    if suffix not in DOCUMENT_SUFFIXES:
        raise UploadRefused(f"{shown}: no deck, and no document that is read")
    digest, size = measured(upload)
    row = DocumentRow(
        id=uuid4().hex, name=shown, created=time.time(), digest=digest, suffix=suffix, size=size,
        words="", lines=None, pages=None,
    )  # fmt: skip
    with library.writing() as session:
        upload.replace(document_file(library, row))
        session.add(row)
    return row


def document(library: Library, document_id: str) -> DocumentRow:
    """A document by its id; raises NotThere."""
    with library.sessions() as session:
        found = session.get(DocumentRow, checked_id(document_id))
    if found is None:
        raise NotThere(f"no document {document_id}")
    return found


def document_file(library: Library, row: DocumentRow) -> Path:
    """The file of a document."""
    return library.folder / "files" / f"{row.digest}{row.suffix}"


def documents(library: Library, words: str = "", *, most: int = 48) -> Sequence[DocumentRow]:
    """Documents whose name or text has all ``words``, newest first: ``most`` of them."""
    chosen = select(DocumentRow).order_by(DocumentRow.created.desc(), DocumentRow.id)
    for word in clean(words).split()[:10]:
        chosen = chosen.where(or_(
            DocumentRow.name.icontains(word, autoescape=True),
            DocumentRow.words.icontains(word, autoescape=True),
        ))  # fmt: skip
    with library.sessions() as session:
        return session.scalars(chosen.limit(most)).all()


def remember_reading(library: Library, document_id: str, found: dict[str, Any]) -> None:
    """Keep what reading a document found: ``words``, its first ``lines``, and its ``pages``."""
    with library.writing() as session:
        row = session.get(DocumentRow, document_id)
        if row is not None:
            row.words, row.lines, row.pages = found["words"], found["lines"], found["pages"]


def remove_document(library: Library, document_id: str) -> None:
    """Forget a document; its file is deleted if no other one has it."""
    with library.writing() as session:
        row = session.get(DocumentRow, checked_id(document_id))
        if row is None:
            raise NotThere(f"no document {document_id}")
        session.delete(row)
        session.flush()
        same = session.scalar(
            select(func.count())
            .select_from(DocumentRow)
            .where(DocumentRow.digest == row.digest, DocumentRow.suffix == row.suffix)
        )
        if not same:
            document_file(library, row).unlink(missing_ok=True)
