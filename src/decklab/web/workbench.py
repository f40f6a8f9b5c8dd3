"""What pages and the JSON API do with the library and its queue of work."""

import shutil
import time
from pathlib import Path
from typing import Any

from fastapi import UploadFile

from decklab.agents.editor.edit import slide_numbers
from decklab.reports.wording import clean_line
from decklab.web.database import DeckRow
from decklab.web.evaluate_index import RunIndex
from decklab.web.jobs import OPEN, Jobs, QueueFull
from decklab.web.library import Library

_LONGEST_REQUEST = 2000
_TRY_AGAIN_SECONDS = 60.0
"""How long a comparison that failed is told as failed before it is tried again (ours)."""


class Workbench:
    """What pages and the API do, in one place."""

    def __init__(
        self,
        library: Library,
        jobs: Jobs,
        model: str | None = None,
        *,
        runs: RunIndex | None = None,
    ) -> None:
        self.library, self.jobs, self.model = library, jobs, model
        self.runs = runs or RunIndex()

    def upload(self, upload: UploadFile) -> DeckRow:
        """Take an upload into the library, and look at it."""
        place = self.library.unfinished()
        try:
            with place.open("wb") as file:
                shutil.copyfileobj(upload.file, file, 2**20)
            deck = self.library.add(upload.filename or "", place)
        finally:
            place.unlink(missing_ok=True)
        try:
            self.jobs.ask("look", deck.id, 1)
        except QueueFull:
            self.library.remove(deck.id)
            raise
        return deck

    def edit(self, deck: str, number: int, instruction: str, slides: str, by_model: bool) -> str:
        """Queue a request to edit a version; gives the job's id. Raises ValueError."""
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
        self.library.version(deck, number)
        return self.jobs.ask("edit", deck, number, **asked)

    def compare(self, deck: str, number: int, older: int) -> Path | str:
        """The page that compares two versions, or the id of the job that makes it."""
        version = self.library.version(deck, number)
        self.library.version(deck, older)
        page = self.library.seen(version) / f"against-{older}.html"
        if page.is_file():
            return page
        for job in self.jobs.of_deck(deck, "compare"):
            fresh = job.state in OPEN or time.time() - (job.ended or 0) < _TRY_AGAIN_SECONDS
            if job.number == number and job.asked.get("with") == older and fresh:
                return job.id
        return self.jobs.ask("compare", deck, number, **{"with": older})
