"""One command on damaged files, in a process of its own, and what came of each file."""

import json
import multiprocessing
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.cli import main as decklab

SECONDS: Final = 240.0
"""After which a command counts as hanging (ours: LibreOffice has two tries of 60 s here)."""

FAULTS: Final = frozenset(("traceback", "signal", "hang", "unnamed", "unplaced"))
"""Outcomes that are neither taken nor refused in one line. ``unnamed``: an error without the file's
name. ``unplaced``: LibreOffice died on a .pptx, and no slide is named."""

_FINDERS: Final = ("validate", "lint", "rubric")
"""Commands that exit with 1 for findings."""

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    [
        *(__name__, "decklab.scoring.run", "decklab.deck.deck", "decklab.documents.showing"),
        *("decklab.documents.reading", "decklab.ooxml.validity.validating"),
        *("decklab.rendering.opening", "decklab.linting.project"),
        *(f"decklab.cli.{name}" for name in ("decks", "read", "rubric", "lint", "agree")),
    ]
)


@dataclass(frozen=True)
class Outcome:
    """What came of one command on one damaged file."""

    file: str
    kind: str
    """Of the file."""
    command: str
    outcome: str
    """``taken``, ``refused``, ``part`` (some slides or parts), or one of ``FAULTS``."""
    seconds: float
    line: str
    """The last line that was said."""

    @property
    def fault(self) -> bool:
        """Whether it is neither taken nor refused in one line."""
        return self.outcome in FAULTS


@dataclass(frozen=True)
class Said:
    """What a command said, and how it ended."""

    text: str
    code: int
    """Below 0 for the signal that ended it."""
    seconds: float
    hung: bool = False

    @property
    def line(self) -> str:
        """The last line."""
        lines = [line for line in self.text.splitlines() if line.strip()]
        return lines[-1][:600] if lines else ""

    @property
    def broken(self) -> str:
        """How it went wrong, whatever the file; empty where it did not."""
        if self.hung:
            return "hang"
        if "Traceback (most recent" in self.text:
            return "traceback"
        return "signal" if self.code < 0 or self.code > 100 else ""


def run(words: Sequence[str], folder: Path, *, seconds: float = SECONDS) -> Said:
    """Run one command, in a copy of a process that has decklab's modules already."""
    said = folder / "said.txt"
    begun = time.monotonic()
    process = _PROCESSES.Process(target=_run, args=(list(words), str(said), str(folder / "cache")))
    process.start()
    process.join(seconds)
    hung = process.is_alive()
    if hung:
        process.terminate()  # it removes its temporary files, and ends its LibreOffice
        process.join(10)
    with suppress(ProcessLookupError):
        os.killpg(process.pid or 0, signal.SIGKILL)
    process.join()
    text = said.read_text(encoding="utf-8", errors="replace") if said.exists() else ""
    return Said(text, process.exitcode or 0, time.monotonic() - begun, hung)


def _run(words: list[str], said: str, cache: str) -> None:
    os.setsid()
    with Path(said).open("wb") as stream:
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
    os.environ |= {"XDG_CACHE_HOME": cache, "COLUMNS": "9999"}
    sys.argv = ["decklab", *words]
    decklab()


def outcome_of(said: Said, file: Path, kind: str, words: Sequence[str]) -> Outcome:
    """What came of the one damaged file of a command."""
    flat = re.sub(r"[\s│]", "", said.text)
    if said.broken:
        outcome = said.broken
    elif said.code in (0, 3) or _only_findings(said, words[0]):
        outcome = "part" if re.search(r'"problems": \[\s*"', said.text) else "taken"
    else:
        outcome = "refused" if file.name in flat else "unnamed"
    return Outcome(str(file), kind, words[0], outcome, said.seconds, said.line)


def _only_findings(said: Said, command: str) -> bool:
    return said.code == 1 and command in _FINDERS and "decklab: " not in said.text


def score(files: Sequence[tuple[Path, str]], folder: Path) -> list[Outcome]:
    """Score some decks, each with its kind, in one run; one by one where the run goes wrong."""
    out = folder / "scored"
    begun = time.time()
    words = ["score", *(str(file) for file, _ in files), "--out", str(out), "--jobs", "1"]
    said = run([*words, "--fresh", "--deadline", "60"], folder, seconds=SECONDS * len(files))
    if said.broken and len(files) > 1:
        return [outcome for pair in files for outcome in score([pair], folder)]
    if said.broken:
        file, kind = files[0]
        return [Outcome(str(file), kind, "score", said.broken, said.seconds, said.line)]
    results = out / "results.json"
    rows = json.loads(results.read_bytes())["decks"] if results.is_file() else []
    by_deck = {Path(row["deck"]).name: row for row in rows}
    times = _times(out, begun)
    return [
        Outcome(
            str(file), kind, "score",
            *_scored(by_deck.get(file.name), said, file, times.get(file.name, said.seconds)),
        )
        for file, kind in files
    ]  # fmt: skip


def _scored(
    row: dict[str, object] | None, said: Said, file: Path, seconds: float
) -> tuple[str, float, str]:
    if row is None:  # nothing could be begun
        return ("refused" if file.name in said.text else "unnamed"), seconds, said.line
    error = str(row["error"] or "")
    if row["status"] == "scored":
        part = "not drawn: LibreOffice" in json.dumps(row)
        return ("part" if part else "taken"), seconds, error
    if "could not be scored" in error:
        return "signal", seconds, error
    died = "LibreOffice died" in error or "seconds, twice" in error
    if died and "slide" not in error and file.suffix.startswith((".pp", ".po")):
        return ("refused" if file.suffix == ".ppt" else "unplaced"), seconds, error
    return ("refused" if file.name in error and "\n" not in error else "unnamed"), seconds, error


def _times(out: Path, begun: float) -> dict[str, float]:
    """Seconds of each deck of a run with one process: it keeps a record of each when it is done."""
    records = sorted((out / ".decklab").glob("*.json"), key=lambda path: path.stat().st_mtime)
    names = [Path(json.loads(path.read_bytes())["result"]["deck"]).name for path in records]
    ends = [path.stat().st_mtime for path in records]
    return {
        name: end - start for name, start, end in zip(names, [begun, *ends], ends, strict=False)
    }
