"""Work without LibreOffice, as processes import it by its name."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from decklab.core.files import write_whole
from decklab.workbench.web.database import JobRow
from decklab.workbench.web.jobs import OPEN, Jobs
from decklab.workbench.web.looking import WorkDone, WorkTask

EVIL = "<script>document.title='stolen'</script>"
"""What some slides say."""


@contextmanager
def fake_worker() -> Iterator[Callable[[WorkTask], WorkDone]]:
    """Edits append the instruction to the file; some instructions end badly."""

    held, _ = os.pipe()

    def do(task: WorkTask) -> WorkDone:
        if task.kind in ("score", "see case"):
            return WorkDone()
        if task.kind == "export":
            task.out.write_bytes(f"a {task.asked['format']} of {task.asked['name']}".encode())
            return WorkDone()
        if task.kind == "compare-decks":
            return WorkDone({"error": "", "changes": [{"place": "Slide 1", "words": ["new"]}]})
        if task.kind in ("look", "check"):
            task.seen.mkdir(parents=True, exist_ok=True)
            facts = {"slides": 1, "titles": ["One"], "scores": [], "findings": []}
            write_whole(task.seen / "facts.json", json.dumps(facts).encode())
            return WorkDone({"words": "harbour cranes"})
        said = str(task.asked["instruction"])
        if said == "die":
            raise SystemExit(7)
        if said == "sleep":
            time.sleep(60)
        if said == "grow":
            subprocess.run(
                [sys.executable, "-c", "x = b'x' * 2**28; input()"], stdin=held, check=True
            )
        if said == "surrogate":
            return WorkDone({"outcome": "done", "sentences": [object]})
        if said == "refuse":
            return WorkDone(failure="it cannot be done")
        task.out.write_bytes(task.file.read_bytes() + said.encode())
        kinds = ("undone", "put_back", "warnings", "left_out", "readings", "slides")
        lists: dict[str, list[str]] = {kind: [] for kind in kinds}
        return WorkDone({"outcome": "done", "sentences": [said], **lists})

    yield do


def ended(jobs: Jobs, job: str, seconds: float = 30) -> JobRow:
    """The job when it has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if (row := jobs.job(job)).state not in OPEN:
            return row
        time.sleep(0.02)
    raise AssertionError(f"the job is still {jobs.job(job).state}")
