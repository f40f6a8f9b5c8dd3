"""What the pages and the JSON API of evaluation do: find, look at and compare."""

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from decklab.evals.desktop.marks import StepFrame, frames_of
from decklab.evals.desktop.trajectory import Trajectory
from decklab.workbench.web.evaluate_details import CaseDetail, detail_of
from decklab.workbench.web.evaluate_filter import CaseFilter
from decklab.workbench.web.evaluate_index import STEPS, FoundSteps
from decklab.workbench.web.evaluate_jobs import (
    SeenDeck,
    about,
    changes_between,
    picture_folder,
    seen_decks,
)
from decklab.workbench.web.evaluate_model import FoundRun, RunCase
from decklab.workbench.web.evaluate_work import SEE_CASE
from decklab.workbench.web.jobs import OPEN
from decklab.workbench.web.library import NotThere
from decklab.workbench.web.workbench import Workbench

_TRY_AGAIN_SECONDS: Final = 60.0
"""How long drawing that failed is told as failed before it is tried again (ours)."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True)
class LookedCase:
    """A case with what was drawn and compared so far."""

    run: FoundRun
    case: RunCase
    detail: CaseDetail
    decks: Sequence[SeenDeck]
    job: str = ""
    """The job that draws and compares; empty where all is done, or nothing was asked yet."""
    failed: str = ""
    """Why drawing failed."""

    @property
    def whole(self) -> bool:
        """Whether all decks are drawn and compared."""
        return all(one.told is not None for one in self.decks) and all(
            changes_between(self.decks[0], one) is not None for one in self.decks[1:]
        )


def look_at(bench: Workbench, run_id: str, case_id: str, *, draw: bool) -> LookedCase:
    """A case; with ``draw`` its decks are drawn where they are not yet. Raises NotThere, and
    QueueFull where too much waits."""
    run, case = bench.runs.case(run_id, case_id)
    detail = detail_of(bench.runs, run, case)
    found = LookedCase(run, case, detail, seen_decks(bench.library, detail))
    if found.whole:
        return found
    last = next(reversed(bench.jobs.of(about(run, case))), None)
    if last is not None and last.state in OPEN:
        return LookedCase(run, case, detail, found.decks, last.id)
    if last is not None and time.time() - (last.ended or 0) < _TRY_AGAIN_SECONDS:
        return LookedCase(run, case, detail, found.decks, failed=last.message or "it was stopped")
    if not draw:
        return found
    job = bench.jobs.ask_about(SEE_CASE, about(run, case), run=run.id, case=case.id)
    return LookedCase(run, case, detail, found.decks, job)


def picture_of(bench: Workbench, digest: str, slide: int) -> Path:
    """The picture of a slide of a deck that was drawn for a case; raises NotThere."""
    if not _DIGEST.match(digest) or not 0 < slide < 10_000:
        raise NotThere("no such picture")
    path = picture_folder(bench.library, digest) / f"slide-{slide:03}.webp"
    if not path.is_file():
        raise NotThere(f"slide {slide} is not drawn")
    return path


def neighbours(
    run: FoundRun, case: RunCase, chosen: CaseFilter
) -> tuple[RunCase | None, RunCase | None, int, int]:
    """The case before and after among those that the filter leaves, the place of this one from 1
    (0 where it is not among them), and how many there are."""
    found = chosen.choose(run)
    ids = [one.id for one in found]
    if case.id not in ids:
        return None, found[0] if found else None, 0, len(found)
    place = ids.index(case.id)
    before = found[place - 1] if place else None
    after = found[place + 1] if place + 1 < len(found) else None
    return before, after, place + 1, len(found)


@lru_cache(maxsize=32)
def _frames(folder: Path, _stamp: tuple[int, int]) -> tuple[Trajectory, tuple[StepFrame, ...]]:
    read = Trajectory.read(folder)
    return read, tuple(frames_of(read))


def walk(found: FoundSteps) -> tuple[Trajectory, tuple[StepFrame, ...]]:
    """A trajectory with its frames; raises NotThere where it is gone or broken by now."""
    try:
        place = found.folder / STEPS
        status = place.stat() if place.exists() else found.folder.stat()
        return _frames(found.folder, (status.st_mtime_ns, status.st_size))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NotThere("the trajectory cannot be read any more") from error


def screen_of(bench: Workbench, steps_id: str, place: int) -> Path:
    """The picture of the screen at a place of a trajectory, from 1; raises NotThere."""
    found = bench.runs.steps(steps_id)
    _, frames = walk(found)
    if not 0 < place <= len(frames):
        raise NotThere("no such step")
    path = found.folder / frames[place - 1].screen
    inside = path.suffix == ".png" and path.parent == found.folder / "screens"
    if not inside or not bench.runs.inside(path):
        raise NotThere("the screen of this step is gone")
    return path
