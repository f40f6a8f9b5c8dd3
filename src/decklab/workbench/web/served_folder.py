"""The folder of decks that the workbench serves: listed at each look, and never changed.

A deck is read when somebody looks at it, and again when its file has changed; each reading is a
version in the library. Only ``save`` writes to the folder, under a name that is free.
"""

import hashlib
import os
import shutil
import stat
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import BinaryIO, Final
from uuid import uuid4

import platformdirs
from sqlalchemy import select
from sqlalchemy.orm import Session

from decklab.core.errors import DecklabError
from decklab.core.files import write_numbered
from decklab.core.output_folder import files_below
from decklab.editor.result import edited_path
from decklab.pages.wording import clean
from decklab.workbench.web.database import DATABASE, FOLDER_ID, DeckRow, FolderRow, VersionRow
from decklab.workbench.web.library import DECK_SUFFIXES, Library, NotThere, measured, shown_name

_STATE_FILES: Final = frozenset({FOLDER_ID, DATABASE})
"""Files by which a state folder is known."""
_STATE_FOLDERS: Final = frozenset({"files", "seen", "unfinished", "drafts"})
"""Folders in it."""
_REST: Final = 9.0
"""Times as long as listing takes before the folder is listed again (ours): a folder with very many
files takes a tenth of a processor at most."""


class FolderError(DecklabError):
    """A deck of the folder that cannot be read, or a version that cannot be saved there."""


@dataclass(frozen=True)
class _Found:
    """A deck in the folder."""

    path: bytes
    stamp: str
    changed: float
    """Seconds since 1970."""


@dataclass(frozen=True)
class _Listing:
    """The decks in the folder by path, and the files not shown."""

    decks: Mapping[bytes, _Found]
    left_out: tuple[str, ...]
    closed: tuple[PurePath, ...]
    """Folders that cannot be listed: nothing is known of their decks."""

    def says_nothing_of(self, path: bytes) -> bool:
        """Whether a path lies below a folder that cannot be listed."""
        path_inside = PurePath(os.fsdecode(path))
        return any(path_inside.is_relative_to(closed) for closed in self.closed)


def state_folder(folder: Path) -> Path:
    """Where versions, pictures and findings of the decks in a folder are kept.

    It is a folder in the user's state folder, named for the real path; or ``folder`` itself if
    an earlier decklab kept them there.
    """
    if holds_state(folder):
        return folder
    real = folder.resolve()
    digits = hashlib.sha256(os.fsencode(real)).hexdigest()[:12]
    return platformdirs.user_state_path("decklab") / "workbench" / f"{real.name[:50]}-{digits}"


def holds_state(folder: Path) -> bool:
    """Whether a workbench keeps its versions in a folder."""
    return any((folder / name).is_file() for name in _STATE_FILES)


class ServedFolder:
    """The decks below a folder ``top`` as decks of a library."""

    def __init__(self, top: Path, library: Library) -> None:
        self.top, self.library = top, library
        self.left_out: tuple[str, ...] = ()
        """Files that are not shown, and why, one line each."""
        self._real = top.resolve()
        self._lock = threading.Lock()
        self._next = 0.0

    @property
    def name(self) -> str:
        """The folder as people see it."""
        return clean(f"{self._real.name}/")

    def refresh(self) -> None:
        """List the folder, and note which decks came, changed, moved and went.

        No deck is read. Right after a listing nothing is done, see ``_REST``.
        """
        with self._lock:
            if (begun := time.monotonic()) < self._next:
                return
            listing = self._listed()
            self._note(listing)
            self.left_out = listing.left_out
            ended = time.monotonic()
            self._next = ended + _REST * (ended - begun)

    def _listed(self) -> _Listing:
        decks = dict[bytes, _Found]()
        left_out = list[str]()
        closed = list[PurePath]()

        def unreadable(error: OSError) -> None:
            path = Path(error.filename).relative_to(self.top)
            closed.append(path)
            left_out.append(f"{_shown(os.fsencode(path))}/ cannot be listed: {error.strerror}")

        for here, folders, names in files_below(self.top, unreadable=unreadable):
            if not _STATE_FILES.isdisjoint(names):
                folders[:] = [name for name in folders if name not in _STATE_FOLDERS]
            named = [
                name
                for name in names
                if PurePath(name).suffix.lower() in DECK_SUFFIXES and not name.startswith(".")
            ]
            links = [sub for sub in folders if os.path.islink(here / sub)]  # noqa: PTH114  # no error
            for name in (*links, *named):
                stamp = self._found(here / name, walked=True)
                if isinstance(stamp, _Found):
                    decks[stamp.path] = stamp
                else:
                    left_out.append(stamp)
        return _Listing(decks, tuple(left_out), tuple(closed))

    def _found(self, file: Path, *, walked: bool = False) -> _Found | str:
        """A deck, or a line that says why a file or a link to a folder is not shown.

        ``walked`` says that no folder on the way to it is a link.
        """
        path = os.fsencode(file.relative_to(self.top))
        if file.name.startswith("~$"):
            return f"{_shown(path)} is no deck: another program has the deck open"
        try:
            facts = file.stat()
            own = walked and not file.is_symlink()
            inside = own or file.resolve().is_relative_to(self._real)
        except (OSError, RuntimeError):  # RuntimeError: links that go in a circle
            return f"{_shown(path)} is a link that leads nowhere, or cannot be reached"
        if not inside:
            return f"{_shown(path)} is a link that leads out of the folder"
        if stat.S_ISDIR(facts.st_mode):
            return f"{_shown(path)} is a link to a folder, which is not followed"
        if not stat.S_ISREG(facts.st_mode):
            return f"{_shown(path)} is a pipe or a device"
        return _Found(path, _stamp(facts), facts.st_mtime)

    def _note(self, listing: _Listing) -> None:
        """Bring the rows of decks in line with the listing."""
        with self.library.sessions() as session:
            columns = FolderRow.deck, FolderRow.path, FolderRow.found, FolderRow.gone
            known = {row.path: row for row in session.execute(select(*columns))}
        away = {path: row for path, row in known.items() if path not in listing.decks}
        moved = {row.found: row for row in away.values()}
        new, changed = list[_Found](), dict[str, _Found]()
        for path, found in listing.decks.items():
            if (row := known.get(path) or moved.pop(found.stamp, None)) is None:
                new.append(found)
            elif (row.path, row.found, row.gone) != (path, found.stamp, False):
                changed[row.deck] = found
        gone = [
            row.deck
            for path, row in away.items()
            if not (row.gone or row.deck in changed or listing.says_nothing_of(path))
        ]
        if new or changed or gone:
            with self.library.writing() as session:
                _add(session, new)
                for deck, found in changed.items():
                    _change(session, deck, found)
                for deck in gone:
                    _lose(session, deck)

    def read(self, deck_id: str) -> int | None:
        """Read the file of a deck if it has changed; returns the number of the version that it is.

        None for a deck that has no file in the folder. A new version is current if the version
        before, from the file, was; an edit that is current stays so. Raises FolderError for a file
        that cannot be read.
        """
        if (row := self.library.folder_files([deck_id]).get(deck_id)) is None:
            return None
        copy = self.library.unfinished()
        try:
            with self._opened(row.path) as (file, stamp):
                if (row.read, row.gone) == (stamp, False):
                    return row.version
                with copy.open("wb") as target:
                    shutil.copyfileobj(file, target, 2**20)
                if _stamp(os.fstat(file.fileno())) != stamp:
                    raise FolderError(f"{_shown(row.path)} is being written; look again soon")
            return self._taken(row, stamp, copy)
        except FileNotFoundError:
            with self.library.writing() as session:
                _lose(session, deck_id)
            return None
        except OSError as error:
            raise FolderError(f"{_shown(row.path)} cannot be read: {error.strerror}") from error
        finally:
            copy.unlink(missing_ok=True)

    @contextmanager
    def _opened(self, path: bytes) -> Iterator[tuple[BinaryIO, str]]:
        """The file of a deck and its stamp; it is looked at anew whether it may be shown."""
        path_inside = self.top / os.fsdecode(path)
        path_inside.stat()
        stamp = self._found(path_inside)
        if isinstance(stamp, str):
            raise FolderError(stamp)
        with path_inside.open("rb") as file:
            yield file, _stamp(os.fstat(file.fileno()))

    def _taken(self, row: FolderRow, stamp: str, copy: Path) -> int:
        """Record the reading of a file: a version that is known, or a new one."""
        digest, size = measured(copy)
        with self.library.writing() as session:
            deck = session.get(DeckRow, row.deck, with_for_update=True)
            file = session.get(FolderRow, row.deck, with_for_update=True)
            if deck is None or file is None:
                raise NotThere("the deck was removed meanwhile")
            version = session.scalar(
                select(VersionRow)
                .where(VersionRow.deck == deck.id, VersionRow.digest == digest)
                .order_by(VersionRow.number.desc())
                .limit(1)
            )
            if version is None:
                version = VersionRow(
                    deck=deck.id, parent=file.version, digest=digest, size=size,
                    suffix=PurePath(deck.name).suffix.lower(), job=None, created=time.time(),
                    made_by="Changed in the folder" if file.version else "From the folder",
                )  # fmt: skip
                self.library.append_version(session, version, copy)
            if file.version in (None, deck.current):
                deck.current = version.number
            file.version, file.gone = version.number, False
            file.read = file.found = stamp
            return version.number

    def save(self, version: VersionRow) -> str:
        """Save a version to the folder under a name that is free; gives its path below the folder.

        The name is made from that of the deck, which stays as it is. Raises FolderError.
        """
        if (row := self.library.folder_files([version.deck]).get(version.deck)) is None:
            wanted = self.top / shown_name(self.library.deck(version.deck).name)
        else:
            wanted = edited_path(self.top / os.fsdecode(row.path))
        real = wanted.parent.resolve()
        if not (real.is_dir() and real.is_relative_to(self._real)):
            wanted = self.top / wanted.name
        try:
            made = write_numbered(wanted, self.library.file(version).read_bytes())
        except OSError as error:
            shown = _shown(os.fsencode(wanted.relative_to(self.top)))
            raise FolderError(
                f"{shown} cannot be saved in {self.name}: {error.strerror}; download it instead"
            ) from error
        self._next = 0.0
        return _shown(os.fsencode(made.relative_to(self.top)))


def _add(session: Session, new: Collection[_Found]) -> None:
    decks = {uuid4().hex: entry for entry in new}
    session.add_all(
        DeckRow(id=deck, name=_shown(entry.path), created=entry.changed, current=1, words="")
        for deck, entry in decks.items()
    )
    session.flush()
    session.add_all(
        FolderRow(deck=deck, path=entry.path, found=entry.stamp) for deck, entry in decks.items()
    )


def _change(session: Session, deck_id: str, entry: _Found) -> None:
    row, deck = session.get(FolderRow, deck_id), session.get(DeckRow, deck_id)
    if row is not None and deck is not None:  # else it was removed meanwhile
        row.path, row.found, row.gone = entry.path, entry.stamp, False
        deck.name, deck.created = _shown(entry.path), entry.changed


def _lose(session: Session, deck_id: str) -> None:
    """Note that a file is gone; a deck that was never read goes with it."""
    row, deck = session.get(FolderRow, deck_id), session.get(DeckRow, deck_id)
    if row is not None and row.version is not None:
        row.gone = True
    elif deck is not None:
        session.delete(deck)


def _stamp(facts: os.stat_result) -> str:
    return f"{facts.st_mtime_ns}-{facts.st_size}-{facts.st_ino}"


def _shown(path: bytes) -> str:
    """A path below the folder as people see it."""
    return clean(os.fsdecode(path))
