"""The job that draws the decks of a case and puts the changes in words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from decklab.models.record import file_digest
from decklab.workbench.web.database import JobRow
from decklab.workbench.web.evaluate_details import CaseDetail, detail_of
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.evaluate_runs import FoundRun, RunCase, id_of
from decklab.workbench.web.jobs import JobKind, Jobs
from decklab.workbench.web.library import Library, NotThere
from decklab.workbench.web.work import WorkTask
from decklab.workbench.web.worker import CHANGES, DRAWN, SEE_CASE


@dataclass(frozen=True)
class SeenDeck:
    """A deck of a case, and its pictures."""

    what: str
    path: Path
    digest: str
    folder: Path

    @property
    def told(self) -> Mapping[str, Any] | None:
        """The number of slides, and why some are not drawn; None before it was drawn."""
        return _read(self.folder / DRAWN)


def seen_decks(library: Library, detail: CaseDetail) -> list[SeenDeck]:
    """The decks of a case with the folders of their pictures; equal decks share one."""
    found = []
    for what, path in (detail.decks or {}).items():
        try:
            status = path.stat()
            digest = _digest(path, status.st_mtime_ns, status.st_size)
        except OSError:
            continue
        found.append(SeenDeck(what, path, digest, picture_folder(library, digest)))
    return found


def picture_folder(library: Library, digest: str) -> Path:
    """Where the pictures of a deck of a run lie, beside those of the library."""
    return library.folder / "seen" / f"run-{digest}"


@lru_cache(maxsize=4096)
def _digest(path: Path, _changed: int, _size: int) -> str:
    return file_digest(path)


def changes_file(before: SeenDeck, after: SeenDeck) -> Path:
    """Where the changes from one deck to another are kept."""
    return before.folder / CHANGES.format(after.digest)


def changes_between(before: SeenDeck, after: SeenDeck) -> Mapping[str, Any] | None:
    """The changes in words by slide; None if they were not looked for yet."""
    return _read(changes_file(before, after))


def _read(path: Path) -> Mapping[str, Any] | None:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def about(run: FoundRun, case: RunCase) -> str:
    """Key of a case, under which its jobs are kept."""
    return id_of(run.id, case.id)


def evaluate_jobs(index: RunIndex) -> Mapping[str, JobKind]:
    """The kinds of jobs on the cases of an index. No path is kept with a job."""

    def task(jobs: Jobs, job: JobRow) -> WorkTask:
        run, case = index.case(str(job.asked["run"]), str(job.asked["case"]))
        decks = seen_decks(jobs.library, detail_of(index, run, case))
        if not decks:
            raise NotThere("the case has no deck")
        return WorkTask(
            kind=SEE_CASE, file=decks[0].path, seen=decks[0].folder,
            out=jobs.library.unfinished(), stage=jobs.stage_file(job.id),
            asked={
                "decks": [[str(deck.path), str(deck.folder), deck.digest] for deck in decks]
            },
        )  # fmt: skip

    return {SEE_CASE: JobKind(task, order=1)}
