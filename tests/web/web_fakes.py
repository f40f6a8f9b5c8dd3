"""Work without LibreOffice, as processes import it by its name."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from decklab.web.database import JobRow
from decklab.web.jobs import OPEN, Jobs
from decklab.web.work import WorkDone, WorkTask


@contextmanager
def fake_worker() -> Iterator[Callable[[WorkTask], WorkDone]]:
    """Edits append the instruction to the file; some instructions end badly."""

    def do(task: WorkTask) -> WorkDone:
        if task.kind == "score":
            return WorkDone()
        if task.kind == "look":
            task.seen.mkdir(parents=True, exist_ok=True)
            facts = {"slides": 1, "titles": ["One"], "scores": [], "findings": []}
            (task.seen / "facts.json").write_text(json.dumps(facts))
            return WorkDone({"words": "harbour cranes"})
        said = str(task.asked["instruction"])
        if said == "die":
            raise SystemExit(7)
        if said == "sleep":
            time.sleep(60)
        if said == "refuse":
            return WorkDone(failure="it cannot be done")
        task.out.write_bytes(task.file.read_bytes() + said.encode())
        return WorkDone({"outcome": "done", "sentences": [said]})

    yield do


def ended(jobs: Jobs, job: str, seconds: float = 30) -> JobRow:
    """The job when it has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if (row := jobs.job(job)).state not in OPEN:
            return row
        time.sleep(0.02)
    raise AssertionError(f"the job is still {jobs.job(job).state}")
