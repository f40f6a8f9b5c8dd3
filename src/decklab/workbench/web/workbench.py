"""Actions of pages and the JSON API on the library and its queue of work."""

import shutil
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import UploadFile

from decklab.core.errors import DeckError
from decklab.editor.edit import slide_numbers
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.pages.wording import clean_line
from decklab.workbench.web.database import DeckRow, JobRow, VersionRow
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.jobs import OPEN, Jobs, QueueFull
from decklab.workbench.web.library import (
    DocumentRow,
    Library,
    NotThere,
    add_document,
    remove_document,
)
from decklab.workbench.web.reviewing import named, review
from decklab.workbench.web.served_folder import FolderError, ServedFolder

_LONGEST_REQUEST = 2000
_TRY_AGAIN_SECONDS = 60.0
"""How long a comparison that failed counts as failed before it is tried again (ours)."""


class Workbench:
    """Actions of pages and the API, in one place."""

    def __init__(
        self,
        library: Library,
        jobs: Jobs,
        model: str | None = None,
        *,
        runs: RunIndex | None = None,
        folder: ServedFolder | None = None,
    ) -> None:
        self.library, self.jobs, self.model = library, jobs, model
        self.runs = runs or RunIndex()
        self.folder = folder

    def decks(
        self, words: str = "", *, first: int = 0, most: int = 24, gone: bool = False
    ) -> Sequence[DeckRow]:
        """The decks of the library, as ``Library.decks``, those of the folder as they are now."""
        if self.folder is not None:
            self.folder.refresh()
        return self.library.decks(words, first=first, most=most, gone=gone)

    def look_at(self, deck_id: str) -> str:
        """Read the file of a deck in the folder if it has changed, and have it looked at.

        Returns why that cannot be done, in a line; raises FolderError if there is no version
        either, and NotThere for no deck.
        """
        deck = self.library.deck(deck_id)
        try:
            number = self.folder.read(deck.id) if self.folder else None
            if number is not None and (deck.id, number) not in self.jobs.last_looks([deck.id]):
                parent = self.library.version(deck.id, number).parent
                since = {"against": parent} if parent else {}
                self.jobs.ask("look", deck.id, number, **since)
        except (FolderError, QueueFull) as error:
            if not self.library.versions([deck.id])[deck.id]:
                raise
            return str(error)
        return ""

    def save(self, deck: str, number: int) -> str:
        """Save a version to the folder that is served; returns its path there.

        Raises FolderError.
        """
        if self.folder is None:
            raise FolderError("the workbench serves no folder; download the version instead")
        return self.folder.save(self.library.version(deck, number))

    def upload(self, upload: UploadFile) -> DeckRow:
        """Take an uploaded deck into the library, and look at it."""
        with self._received(upload) as place:
            deck = self.library.add(upload.filename or "", place)
        try:
            self.jobs.ask("look", deck.id, 1)
        except QueueFull:
            self.library.remove(deck.id)
            raise
        return deck

    def upload_document(self, upload: UploadFile) -> DocumentRow:
        """Take an uploaded document into the library, and read it."""
        with self._received(upload) as place:
            row = add_document(self.library, upload.filename or "", place)
        try:
            self.jobs.ask_about("read", row.id)
        except QueueFull:
            remove_document(self.library, row.id)
            raise
        return row

    @contextmanager
    def _received(self, upload: UploadFile) -> Iterator[Path]:
        """An upload as a file, which is gone afterwards unless it was moved."""
        place = self.library.unfinished()
        try:
            with place.open("wb") as file:
                shutil.copyfileobj(upload.file, file, 2**20)
            yield place
        finally:
            place.unlink(missing_ok=True)

    def edit(
        self, deck: str, number: int | None, instruction: str, slides: str, by_model: bool
    ) -> str:
        """Queue a request to edit a version, by default the current one; returns the job's id.

        Raises ValueError.
        """
        words = clean_line(instruction)
        if not words or len(words) > _LONGEST_REQUEST:
            raise ValueError(f"a request has 1 to {_LONGEST_REQUEST} characters")
        asked: dict[str, Any] = {"instruction": words}
        if slides.strip():
            asked["slides"] = list(slide_numbers(slides))
        if by_model:
            if self.model is None:
                raise ValueError("the workbench was started without a model")
            asked["model"] = self.model
        start = self.library.deck(deck).current if number is None else number
        self.library.version(deck, start)
        return self.jobs.ask_change("edit", deck, number, **asked)

    def base_of(self, version: VersionRow) -> int | None:
        """The version that a version is reviewed against: the one before the request.

        A version without some changes of another one is reviewed against the same as that.
        """
        if version.job is not None:
            with suppress(NotThere):
                against = self.jobs.job(version.job).asked.get("against")
                return int(against) if against else version.parent
        return version.parent

    def choose(self, deck: str, number: int) -> None:
        """Make a version the current one, and have it scored if it was not."""
        self.library.choose(deck, number)
        facts = self.library.facts(self.library.version(deck, number))
        last = self.jobs.last_looks([deck]).get((deck, number))
        if facts and not facts.scores and last is not None and last.state == "stopped":
            self.jobs.queue("score", {}, deck=deck, number=number, follows=True)

    def compare(self, deck: str, number: int, older: int) -> JobRow | None:
        """The job that finds what changed between two versions; None if that is known."""
        version, base = self.library.version(deck, number), self.library.version(deck, older)
        if self.library.changes_file(version, base).is_file():
            return None
        for job in self.jobs.of_deck(deck, "compare", "look"):
            fresh = job.state in OPEN or time.time() - (job.ended or 0) < _TRY_AGAIN_SECONDS
            if job.number == number and job.asked.get("against") == older and fresh:
                return job
        return self.jobs.job(self.jobs.ask("compare", deck, number, against=older))

    def take_back(
        self, deck: str, number: int, older: int | None = None, keys: Collection[str] | None = None
    ) -> str:
        """Queue taking changes of a version since an older one back; returns the job's id.

        By default all changes since the version before it go. They go from the current version if
        that comes from this one, so that all that was done since stays; else from this one. Raises
        NotThere for changes that are not there.
        """
        version = self.library.version(deck, number)
        base = self.library.version(deck, older or version.parent or 0)
        said, chosen = f"Take back version {number}: {version.made_by}", list[str]()
        if keys is not None:
            reviewed = review(self.library, version, base) or []
            chosen = [
                one["key"] for group in reviewed for one in group.changes if one["key"] in keys
            ]
            if not chosen:
                raise NotThere("these changes are not there")
            said = named(reviewed, chosen)
        start = None if number in self.library.line(deck) else number
        return self.jobs.ask_change(
            "take_back", deck, start, of=number, against=base.number, keys=chosen, instruction=said
        )

    def same_slide(self, deck: str, shown: int, slide: int, number: int) -> int:
        """The number that a slide of one version has in another; if it is not, its own."""
        here, there = (
            _slide_ids(self.library.file(self.library.version(deck, one)))
            for one in (shown, number)
        )
        id = here.get(slide)
        return next((at for at, other in there.items() if other == id), slide)


def _slide_ids(deck: Path) -> dict[int, int]:
    """Ids of slides by number; none if the deck cannot be read."""
    with suppress(DeckError), Package.open(deck) as package:
        return {entry.number: entry.id for entry in slide_entries(package)}
    return {}
