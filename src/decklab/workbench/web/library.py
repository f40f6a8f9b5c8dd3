"""The library: decks with their versions in a folder, the facts of each version, and the documents
from which decks are written.
"""

import json
import os
import re
import shutil
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from uuid import uuid4

from sqlalchemy import JSON, ColumnElement, Select, Text, func, not_, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column, sessionmaker

from decklab.core.errors import DecklabError
from decklab.documents.model import DOCUMENT_SUFFIXES
from decklab.pages.wording import clean, clean_line
from decklab.workbench.web.database import Base, DeckRow, FolderRow, VersionRow, write_transaction

Row = TypeVar("Row", bound=Base)

DECK_SUFFIXES = (".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm")
_ID = re.compile(r"[0-9a-f]{32}\Z")
_NAME_LENGTH = 200
_MOST = 2**31 - 1
"""The largest number that databases keep."""


class NotThere(DecklabError):
    """No such deck, version, slide or job."""


class UploadRefused(DecklabError):
    """A file that the library does not take; the text says why."""


@dataclass(frozen=True)
class Facts:
    """Facts found in a version; the same for the same file."""

    slides: int = 0
    titles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Of each slide."""
    hidden: tuple[int, ...] = ()
    """Numbers of slides that a show skips."""
    findings: tuple[dict[str, Any], ...] = ()
    not_run: tuple[str, ...] = ()
    scores: tuple[dict[str, Any], ...] = ()
    """Metric, label, value or None, and the reason if there is none."""
    picture_size: tuple[int, ...] = (1280, 720)
    """Width and height of the pictures of slides."""
    not_drawn: str = ""
    """Why slides have no pictures; empty if they have."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Facts":
        """The facts as they are kept in a file."""
        lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
        return cls(**{**data, **lists})


class Library:
    """Decks in a ``folder``: files by their checksum, with pictures and facts of each."""

    def __init__(self, folder: Path, sessions: sessionmaker[Session]) -> None:
        self.folder, self.sessions = folder, sessions
        self._lock = threading.Lock()
        for name in ("files", "seen", "unfinished"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        for left in (folder / "unfinished").iterdir():
            with suppress(OSError):
                shutil.rmtree(left) if left.is_dir() else left.unlink()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are committed at the end; one thread has one at a time."""
        with self._lock, write_transaction(self.sessions) as session:
            yield session

    def unfinished(self, suffix: str = "") -> Path:
        """A new path for a file or folder that is being made; nobody else sees it."""
        return self.folder / "unfinished" / f"{uuid4().hex}{suffix}"

    def add(self, name: str, upload: Path) -> DeckRow:
        """Take in an uploaded file, which is moved into the library, as a new deck.

        Raises UploadRefused for a name that is not that of a PowerPoint deck.
        """
        shown = shown_name(name)
        if (suffix := Path(shown).suffix.lower()) not in DECK_SUFFIXES:
            raise UploadRefused(f"{shown}: the library takes {', '.join(DECK_SUFFIXES)}")
        digest, size = measured(upload)
        deck = DeckRow(id=uuid4().hex, name=shown, created=time.time(), current=1, words="")
        version = VersionRow(
            deck=deck.id, parent=None, digest=digest, suffix=suffix, size=size,
            made_by=f"Uploaded as {shown}", job=None, created=deck.created,
        )  # fmt: skip
        with self.writing() as session:
            session.add(deck)
            session.flush()
            self.append_version(session, version, upload)
        return deck

    def add_version(
        self, deck_id: str, parent: int, made: Path, made_by: str, job: str
    ) -> tuple[VersionRow, int]:
        """A new version of a deck from ``made``, which is moved into the library; it is current.

        Returns it, and the number of the version that was current before.
        """
        suffix = self.version(deck_id, parent).suffix
        digest, size = measured(made)
        with self.writing() as session:
            deck = held(session, DeckRow, deck_id, "deck", for_update=True)
            row = VersionRow(
                deck=deck_id, parent=parent, digest=digest, suffix=suffix, size=size,
                made_by=made_by, job=job, created=time.time(),
            )  # fmt: skip
            self.append_version(session, row, made)
            current, deck.current = deck.current, row.number
        return row, current

    def append_version(self, session: Session, version: VersionRow, made: Path) -> None:
        """Number a version after the last one of its deck; its file is moved into the library."""
        last = session.scalar(
            select(func.max(VersionRow.number)).where(VersionRow.deck == version.deck)
        )
        version.number = (last or 0) + 1
        made.replace(self.file(version))
        session.add(version)

    def choose(self, deck_id: str, number: int) -> None:
        """Make a version the current one; the others stay."""
        self.version(deck_id, number)
        with self.writing() as session:
            held(session, DeckRow, deck_id, "deck").current = number

    def remove(self, deck_id: str) -> None:
        """Forget a deck with its versions; files that no other deck has are deleted."""
        with self._lock:  # until the files are gone: the same file may be uploaded meanwhile
            with write_transaction(self.sessions) as session:
                deck = held(session, DeckRow, deck_id, "deck")
                own = session.scalars(select(VersionRow).where(VersionRow.deck == deck_id)).all()
                session.delete(deck)
                session.flush()
                used = set(session.scalars(
                    select(VersionRow.digest)
                    .where(VersionRow.digest.in_([row.digest for row in own]))
                ))  # fmt: skip
            for version in own:
                if version.digest not in used:
                    self.file(version).unlink(missing_ok=True)
                    shutil.rmtree(self.seen(version), ignore_errors=True)

    def decks(
        self, words: str = "", *, first: int = 0, most: int = 24, gone: bool = False
    ) -> Sequence[DeckRow]:
        """Decks whose name or text has all ``words``, newest first: ``most`` of them.

        With ``gone`` these are decks whose file is no longer in the folder, else all others.
        """
        chosen = _with_words(DeckRow, words).where(_gone(gone))
        with self.sessions() as session:
            return session.scalars(chosen.offset(min(first, _MOST)).limit(most)).all()

    def count(self, *, gone: bool = False) -> int:
        """How many decks there are; ``gone`` is as for ``decks``."""
        counted = select(func.count()).select_from(DeckRow).where(_gone(gone))
        with self.sessions() as session:
            return session.scalar(counted) or 0

    def folder_files(self, deck_ids: Iterable[str]) -> dict[str, FolderRow]:
        """The files in the folder of those decks that have one."""
        with self.sessions() as session:
            rows = session.scalars(select(FolderRow).where(FolderRow.deck.in_(list(deck_ids))))
            return {row.deck: row for row in rows}

    def row(self, table: type[Row], key: str, kind: str) -> Row:
        """A row by its id; raises NotThere, which calls it a ``kind``."""
        with self.sessions() as session:
            return held(session, table, key, kind)

    def deck(self, deck_id: str) -> DeckRow:
        """A deck by its id; raises NotThere."""
        return self.row(DeckRow, deck_id, "deck")

    def versions(self, deck_ids: Iterable[str]) -> dict[str, list[VersionRow]]:
        """The versions of each deck, oldest first."""
        versions: dict[str, list[VersionRow]] = {deck_id: [] for deck_id in deck_ids}
        with self.sessions() as session:
            for row in session.scalars(
                select(VersionRow).where(VersionRow.deck.in_(versions)).order_by(VersionRow.number)
            ):
                versions[row.deck].append(row)
        return versions

    def line(self, deck_id: str) -> list[int]:
        """Numbers of the current version and of those that it comes from, newest first."""
        return line_of(self.versions([deck_id])[deck_id], self.deck(deck_id).current)

    def version(self, deck_id: str, number: int) -> VersionRow:
        """One version; raises NotThere."""
        if not 0 < number <= _MOST:
            raise NotThere(f"no version of that number of deck {checked_id(deck_id)}")
        with self.sessions() as session:
            row = session.scalar(select(VersionRow).where(
                VersionRow.deck == checked_id(deck_id), VersionRow.number == number
            ))  # fmt: skip
        if row is None:
            raise NotThere(f"no version {number} of deck {deck_id}")
        return row

    def file(self, version: VersionRow) -> Path:
        """The file of a version."""
        return self.folder / "files" / f"{version.digest}{version.suffix}"

    def kept_picture(self, opened: BinaryIO) -> Path:
        """A picture that a job is going to take, in a file; the job removes it."""
        path = self.folder / "files" / f"{uuid4().hex}.picture"
        with path.open("wb") as file:
            shutil.copyfileobj(opened, file, 2**20)
        return path

    def seen(self, version: VersionRow) -> Path:
        """The folder with the pictures and facts of a version."""
        return self.folder / "seen" / version.digest

    def facts(self, version: VersionRow) -> Facts | None:
        """Facts found in a version; None if nobody looked at it yet."""
        data = kept_json(self.seen(version) / "facts.json")
        return None if data is None else Facts.of(data)

    def changes(self, version: VersionRow, base: VersionRow) -> list[dict[str, Any]] | None:
        """Changes from ``base`` to a version, in words; None if they are not known yet."""
        data: list[dict[str, Any]] | None = kept_json(self.changes_file(version, base))
        return data

    def changes_file(self, version: VersionRow, base: VersionRow) -> Path:
        """Where the changes from ``base`` to a version are."""
        return self.seen(version) / f"changes-{base.digest}.json"

    def shapes(self, version: VersionRow, slide: int) -> list[dict[str, Any]]:
        """The shapes of a slide, counted from 1, with their boxes; none if it is not known."""
        data = kept_json(self.seen(version) / "shapes.json") or []
        return list(data[slide - 1]) if 0 < slide <= len(data) else []

    def rename(self, deck_id: str, name: str) -> DeckRow:
        """Give a deck another name, which keeps its suffix. Raises ValueError for no name."""
        stem = clean_line(name)
        if not stem or len(stem) > _NAME_LENGTH:
            raise ValueError(f"a name has 1 to {_NAME_LENGTH} characters")
        suffix = Path(self.deck(deck_id).name).suffix
        with self.writing() as session:
            deck = held(session, DeckRow, deck_id, "deck")
            if session.get(FolderRow, deck_id) is not None:
                raise ValueError("a deck of the folder has the name of its file")
            deck.name = shown_name(stem.removesuffix(suffix) + suffix)
        return deck

    def picture(self, version: VersionRow, slide: int) -> Path | None:
        """The picture of a slide, counted from 1; None if it is not drawn."""
        if not 0 < slide <= _MOST:
            return None
        path = self.seen(version) / f"slide-{slide:03}.webp"
        return path if path.is_file() else None

    def remember_words(self, deck_id: str, words: str) -> None:
        """Keep the text for searching a deck."""
        with self.writing() as session:
            if (deck := session.get(DeckRow, deck_id)) is not None:
                deck.words = words


def held(
    session: Session, table: type[Row], key: str, kind: str, *, for_update: bool = False
) -> Row:
    """A row by its id; raises NotThere, which calls it a ``kind``."""
    if (row := session.get(table, checked_id(key), with_for_update=for_update or None)) is None:
        raise NotThere(f"no {kind} {key}")
    return row


def kept_json(path: Path) -> Any:
    """The content of a file of JSON; None if there is none."""
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        return None


def line_of(versions: Iterable[VersionRow], number: int) -> list[int]:
    """``number`` and the numbers of the versions that it comes from, newest first."""
    parents = {version.number: version.parent for version in versions}
    line = [number]
    while (parent := parents.get(line[-1])) is not None:
        line.append(parent)
    return line


def _gone(gone: bool) -> ColumnElement[bool]:
    """Whether the file of a deck is no longer in the folder."""
    away = DeckRow.id.in_(select(FolderRow.deck).where(FolderRow.gone))
    return away if gone else not_(away)


def measured(file: Path) -> tuple[str, int]:
    """The checksum of a file and its bytes; it is whole on the disk then."""
    with file.open("rb") as opened:
        digest = sha256()
        while piece := opened.read(2**20):
            digest.update(piece)
        os.fsync(opened.fileno())
    return digest.hexdigest(), file.stat().st_size


def shown_name(name: str) -> str:
    """The last part of a file name as people see it, without control characters.

    >>> shown_name("../../etc/My talk.pptx"), shown_name("C:\\\\talks\\\\a.pptx")
    ('My talk.pptx', 'a.pptx')
    """
    last = re.split(r"[/\\]", name)[-1]
    last = "".join(char for char in last if char.isprintable()).strip(" .")
    return f"{Path(last).stem[:_NAME_LENGTH] or 'deck'}{Path(last).suffix[:10]}"


def checked_id(given: str) -> str:
    """An id in its form; raises NotThere for anything else."""
    if not _ID.match(given):
        raise NotThere("no such id")
    return given


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
    if (suffix := Path(shown).suffix.lower()) not in DOCUMENT_SUFFIXES:
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
    return library.row(DocumentRow, document_id, "document")


def document_file(library: Library, row: DocumentRow) -> Path:
    """The file of a document."""
    return library.folder / "files" / f"{row.digest}{row.suffix}"


def _with_words(table: type[DeckRow] | type[DocumentRow], words: str) -> Select[Any]:
    """The rows whose name or text has all ``words``, newest first."""
    chosen = select(table).order_by(table.created.desc(), table.id)
    for word in clean(words).split()[:10]:
        in_name, in_text = (
            column.icontains(word, autoescape=True) for column in (table.name, table.words)
        )
        chosen = chosen.where(or_(in_name, in_text))
    return chosen


def documents(library: Library, words: str = "", *, most: int = 48) -> Sequence[DocumentRow]:
    """Documents whose name or text has all ``words``, newest first: ``most`` of them."""
    with library.sessions() as session:
        return session.scalars(_with_words(DocumentRow, words).limit(most)).all()


def remember_reading(library: Library, document_id: str, reading: dict[str, Any]) -> None:
    """Keep what reading a document found: ``words``, its first ``lines``, and its ``pages``."""
    with library.writing() as session:
        if (row := session.get(DocumentRow, document_id)) is not None:
            row.words, row.lines, row.pages = reading["words"], reading["lines"], reading["pages"]


def remove_document(library: Library, document_id: str) -> None:
    """Forget a document; its file is deleted if no other one has it."""
    with library.writing() as session:
        if (row := session.get(DocumentRow, checked_id(document_id))) is None:
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
