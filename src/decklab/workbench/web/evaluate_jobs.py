"""The job that draws the decks of a case and puts the changes in words, with the work of its
process.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DecklabError, one_line
from decklab.core.files import write_whole
from decklab.diffing.decks import diff_decks
from decklab.diffing.wording import words_by_slide
from decklab.models.record import file_digest
from decklab.rendering.job import draw_decks
from decklab.rendering.renderer import Renderer
from decklab.workbench.web.database import JobRow
from decklab.workbench.web.decks import PICTURES
from decklab.workbench.web.evaluate_details import CaseDetail, detail_of
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.evaluate_runs import FoundRun, RunCase, id_of
from decklab.workbench.web.jobs import JobKind, Jobs, WorkKind, WorkTask, tell
from decklab.workbench.web.library import Library, NotThere

SEE_CASE: Final = "see case"
DRAWN: Final = "drawn.json"
"""In the folder of a deck's pictures: how many slides it has, and which were not drawn."""
CHANGES: Final = "changes-{}.json"
"""There too: what changed from this deck to the one with the checksum."""


def _see_case(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Draw the decks not drawn yet, then compare the first deck with each of the others."""
    decks = [(Path(path), Path(folder), digest) for path, folder, digest in task.asked["decks"]]
    tell(task, "draw")
    for path, folder, _ in decks:
        if not (folder / DRAWN).is_file():
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / DRAWN, json.dumps(_draw(path, folder, renderer)).encode())
    tell(task, "compare")
    before, place, own = decks[0]
    for after, _, digest in decks[1:]:
        made = place / CHANGES.format(digest)
        if not made.is_file():
            told = (
                {"changes": [], "error": ""} if digest == own else _changes(before, after, renderer)
            )
            write_whole(made, json.dumps(told).encode())
    return {}


def _draw(path: Path, folder: Path, renderer: Renderer) -> dict[str, Any]:
    try:
        (drawn,) = draw_decks({path: folder}, PICTURES, renderer=renderer)
    except DecklabError as error:
        return {"slides": 0, "error": _without(str(error), path)}
    slides = drawn.saved.count if drawn.saved else 0
    return {"slides": slides, "error": _without("; ".join(dict.fromkeys(drawn.errors)), path)}


def _changes(before: Path, after: Path, renderer: Renderer) -> dict[str, Any]:
    try:
        diff = diff_decks(before, after, renderer=renderer)
    except DecklabError as error:
        return {"changes": [], "error": _without(_without(str(error), before), after)}
    return {
        "error": "",
        "changes": [
            {
                "place": found.place,
                "slides": sorted({one.slide for one in found.changes if one.slide is not None}),
                "words": list(found.clauses),
            }
            for found in words_by_slide(diff.edits)
        ],
    }


def _without(line: str, path: Path) -> str:
    """A line for people, without the place of the server's files."""
    return one_line(line).replace(f"{path}: ", "").replace(str(path), path.name)


EVALUATE_WORK: Final[Mapping[str, WorkKind]] = {SEE_CASE: _see_case}


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
