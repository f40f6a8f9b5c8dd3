"""The runs below the folders that were named when the server was started, found by their files.

Files are read once and again only when they change. A file that cannot be read becomes a line, and
the rest goes on. Nothing is written.
"""

import json
import os
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from decklab.core.errors import DecklabError, one_line
from decklab.evals.desktop.trajectory import Trajectory
from decklab.workbench.web.evaluate_runs import (
    FoundRun,
    InputFile,
    NoResults,
    ReadRun,
    RunCase,
    id_of,
    read_log,
    read_results,
)
from decklab.workbench.web.library import NotThere, checked_id

FRESH_SECONDS: Final = 2.0
"""How long the folders are not looked through again (ours)."""
MOST_FILES: Final = 5_000
"""Files that are looked at (ours): a folder that was named by mistake ends too."""
MOST_BYTES: Final = 200 * 2**20
"""Of one file of results (ours)."""
RESULTS: Final = "results.json"
STEPS: Final = "steps.jsonl"
_RUN: Final = "run.json"
_SCREENS: Final = "screens"
_LOGS: Final = "logs"
_SUFFIXES: Final = (".json", ".eval")


@dataclass(frozen=True)
class FoundSteps:
    """A trajectory in a folder."""

    id: str
    title: str
    folder: Path
    made: float
    instruction: str
    by: str
    steps: int
    ended: str
    failure: str
    """Whose failure the end was; empty if it was none."""


@dataclass(frozen=True)
class Unreadable:
    """A file that holds no results, or broken ones."""

    file: str
    """Below the folder that was named."""
    why: str


Found = FoundRun | FoundSteps | Unreadable
_One = TypeVar("_One", FoundRun, FoundSteps, Unreadable)
_Named = TypeVar("_Named", FoundRun, FoundSteps)
_Stamp = tuple[int, int]


class RunIndex:
    """The runs, trajectories and logs below some folders; the newest first."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self.folders = tuple(folder.resolve() for folder in folders)
        self._lock = threading.Lock()
        self._known: dict[Path, tuple[_Stamp, Found | None]] = {}
        self._looked = -FRESH_SECONDS

    def runs(self) -> list[FoundRun]:
        """The runs, the newest first."""
        return sorted(self._all(FoundRun), key=lambda run: (-run.made, run.title))

    def trajectories(self) -> list[FoundSteps]:
        """The trajectories, the newest first."""
        return sorted(self._all(FoundSteps), key=lambda steps: (-steps.made, steps.title))

    def unreadable(self) -> list[Unreadable]:
        """Files that could not be read, by name."""
        return sorted(self._all(Unreadable), key=lambda file: file.file)

    def run(self, run_id: str) -> FoundRun:
        """A run by its id; raises NotThere."""
        return self._by_id(FoundRun, run_id, "run")

    def case(self, run_id: str, case_id: str) -> tuple[FoundRun, RunCase]:
        """A case of a run; raises NotThere."""
        run = self.run(run_id)
        if (case := run.by_id.get(checked_id(case_id))) is None:
            raise NotThere("the run has no such case")
        return run, case

    def steps(self, steps_id: str) -> FoundSteps:
        """A trajectory by its id; raises NotThere."""
        return self._by_id(FoundSteps, steps_id, "trajectory")

    def steps_in(self, folder: Path) -> FoundSteps | None:
        """The trajectory in a folder; None if it has none."""
        return next((steps for steps in self._all(FoundSteps) if steps.folder == folder), None)

    def inside(self, path: Path) -> bool:
        """Whether a file is there and lies, links followed, below one of the folders."""
        try:
            real = path.resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            return False
        return real.is_file() and any(real.is_relative_to(folder) for folder in self.folders)

    def _all(self, kind: type[_One]) -> list[_One]:
        with self._lock:
            if time.monotonic() - self._looked > FRESH_SECONDS:
                self._look()
                self._looked = time.monotonic()
            return [item for _, item in self._known.values() if isinstance(item, kind)]

    def _by_id(self, kind: type[_Named], id: str, word: str) -> _Named:
        wanted = checked_id(id)
        for item in self._all(kind):
            if item.id == wanted:
                return item
        raise NotThere(f"no such {word}; its folder may be gone")

    def _look(self) -> None:
        """Read files that are new or have changed, and forget those that are gone."""
        files: dict[Path, tuple[_Stamp, Found | None]] = {}
        for folder in self.folders:
            for path in _files(folder):
                if len(files) >= MOST_FILES:
                    break
                try:
                    stamp = _stamp(path)
                except OSError:
                    continue
                known = self._known.get(path)
                same = known is not None and known[0] == stamp
                files[path] = known if same and known else (stamp, _read(path, folder))
        self._known = files


def _stamp(path: Path) -> _Stamp:
    """A stamp that changes when a file does; of a trajectory, when its steps grow."""
    status = path.stat()
    if path.name == _RUN and (path.parent / STEPS).exists():
        more = (path.parent / STEPS).stat()
        return status.st_mtime_ns + more.st_mtime_ns, status.st_size + more.st_size
    return status.st_mtime_ns, status.st_size


def _files(folder: Path) -> Iterator[Path]:
    """The files that may hold results. Beside results only further runs and trajectories count:
    the other files there are the run's own."""
    own: set[Path] = set()
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        here, names = Path(at), set(files)
        if _RUN in names and {STEPS, _SCREENS} & {*names, *folders}:
            folders.clear()
            yield here / _RUN
        elif RESULTS in names:
            own.add(here)
            yield here / RESULTS
        elif here.parent in own:
            own.add(here)
        else:
            yield from (here / name for name in sorted(names) if name.endswith(_SUFFIXES))


def _read(path: Path, top: Path) -> Found | None:
    """Content of a file; None for input files of commands, such as cases or questions."""
    shown = str(path.relative_to(top))
    try:
        if path.name == _RUN:
            return _steps(path, top)
        if path.stat().st_size > MOST_BYTES:
            return Unreadable(shown, f"it has more than {MOST_BYTES // 2**20} MB")
        read = read_log(path) if path.suffix == ".eval" else read_results(_json(path))
    except InputFile:
        return None
    except NoResults as error:
        return Unreadable(shown, str(error))
    except (DecklabError, OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        return Unreadable(shown, one_line(f"it cannot be read: {error}").replace(str(top), "…"))
    return _found(read, path, top)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise NoResults(f"it is no JSON, or half of one: {error}") from error


def _found(read: ReadRun, path: Path, top: Path) -> FoundRun:
    folder_of = path.parent if path.name == RESULTS else path
    if path.parent.name == _LOGS and path.parent != top:
        folder_of = path.parent.parent
    shown = str(folder_of.relative_to(top))
    return FoundRun(
        **vars(read), id=id_of(str(path)), title=top.name if shown == "." else shown, file=path,
        made=path.stat().st_mtime,
    )  # fmt: skip


def _steps(path: Path, top: Path) -> FoundSteps:
    folder = path.parent
    read = Trajectory.read(folder)
    shown, end = str(folder.relative_to(top)), read.end
    by = ", ".join(str(read.run[key]) for key in ("agent", "model") if read.run.get(key))
    return FoundSteps(
        id_of(str(path)), top.name if shown == "." else shown, folder, path.stat().st_mtime,
        str(read.run.get("instruction") or ""), by, len(read.steps), end.ended, end.failure,
    )  # fmt: skip
