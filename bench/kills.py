"""Kill commands at random moments: is their output absent or whole, and nothing left behind?

``python -m bench.kills [--kills 50] [--serve 5] [--seed 1] [--only score,edit] [--decks DECK...]``.
Each command first runs to its end, twice: those files of its output that have the same bytes both
times are the reference. Then it is started again and again on new copies of the inputs, with an
empty cache and a TMPDIR of its own, and ended by SIGKILL after a random part of its time. What is
looked at each time: every file of the output opens, no process is left, the inputs have the same
bytes, and what stays in TMPDIR. After every ``--again``-th kill the same command runs once more in
the same place (``score`` with ``--resume``): its output has to be the reference, and TMPDIR empty;
after the others another decklab sweeps TMPDIR. ``serve`` is tried by
``bench.workbench_kills``. Prints a table in Markdown, and a line for each fault; exit code 1 where
there is one.
"""

import argparse
import ctypes
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

import psutil
import pyarrow
import pyarrow.parquet
from pptx import Presentation

from bench.workbench_kills import Accepted, killed_round, missing_after
from decklab.core.files import UNFINISHED
from decklab.deck.deck import write_samples

GRACE: Final = 10.0
"""Seconds that processes have to end after the command was killed (ours)."""

LIBRARIES: Final = Path(__file__).parents[1] / "generate" / "writing" / "libraries.md"

SCORE: Final = ("score", "in", "--out", "out", "--jobs", "1")
EDITS: Final = (
    ("edit", "in/rich.pptx", "delete slide 2", "--out", "out/a.pptx"),
    ("edit", "in/rich.pptx", "make the titles italic; set the transition to fade",
     "--out", "out/b.pptx", "--report", "out/b.html"),
    ("edit", "in/plain.pptx", "duplicate slide 1; hide slide 2", "--out", "out/c.pptx"),
)  # fmt: skip
WRITE: Final = ("write", "--source", "in/libraries.md", "--out", "out/talk.pptx")
RESUMED: Final[Mapping[str, tuple[str, ...]]] = {"score": ("--resume",)}


@dataclass
class Tally:
    """What came of the kills of one command."""

    kills: int = 0
    again: int = 0
    """Kills after which the command ran again."""
    late: int = 0
    """Kills that came when the command had ended."""
    absent: int = 0
    """Kills after which the output was not there."""
    whole: int = 0
    """Kills after which some or all of the output was there, and all of that opened."""
    folders: list[int] = field(default_factory=list)
    """Entries in TMPDIR after each kill."""
    bytes: list[int] = field(default_factory=list)
    """Bytes of them."""
    unfinished: int = 0
    """Kills that left a hidden file beside the output."""
    swept: int = 0
    """Entries in TMPDIR after the next command, all told."""
    slowest_end: float = 0.0
    """Seconds until the last process had ended."""
    faults: list[str] = field(default_factory=list)


def adopt_orphans() -> None:
    """Make this process the parent of all that lose theirs below it, so that none gets away."""
    pr_set_child_subreaper = 36
    ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def left_processes() -> tuple[list[str], float]:
    """Names of the processes below this one that have not ended after ``GRACE``, which are killed
    then, and the seconds that the others took."""
    begun = time.monotonic()
    while True:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        living = psutil.Process().children(recursive=True)
        spent = time.monotonic() - begun
        if not living or spent > GRACE:
            break
        time.sleep(0.05)
    names = []
    for process in living:
        with suppress(psutil.NoSuchProcess):
            names.append(process.name())
            process.kill()
    return names, spent


def fault_of(path: Path) -> str | None:
    """Why a file of the output is not whole; None where it is."""
    try:
        if path.suffix == ".pptx":
            with zipfile.ZipFile(path) as archive:
                bad = archive.testzip()
            if bad is not None:
                return f"{path.name}: {bad} is damaged"
            for slide in Presentation(str(path)).slides:
                list(slide.shapes)
        elif path.suffix == ".json":
            json.loads(path.read_bytes())
        elif path.suffix == ".parquet":
            pyarrow.parquet.read_table(path)
        elif path.suffix == ".html" and not path.read_bytes().rstrip().endswith(b"</html>"):
            return f"{path.name}: it has no end"
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, pyarrow.ArrowException) as error:
        return f"{path.name}: {type(error).__name__}: {error}"
    return None


def files_of(out: Path) -> dict[str, Path]:
    """The files below a folder by their place there, without what decklab notes for itself."""
    found = (path for path in sorted(out.rglob("*")) if path.is_file())
    places = {str(path.relative_to(out)): path for path in found}
    return {place: path for place, path in places.items() if not place.startswith(".")}


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of the files below a folder.

    Of a Parquet table its rows count, and of a deck its parts, without the date of the edit.
    """
    return {place: _digest(path) for place, path in files_of(folder).items()}


def _digest(path: Path) -> str:
    if path.suffix == ".parquet":
        rows = pyarrow.parquet.read_table(path).to_pylist()
        return hashlib.sha256(repr(rows).encode()).hexdigest()
    if path.suffix == ".pptx" and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name != "docProps/core.xml"]
            parts = {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names}
        return hashlib.sha256(repr(parts).encode()).hexdigest()
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Place:
    """A folder for one round: inputs, output, TMPDIR and cache."""

    def __init__(self, folder: Path, inputs: Path) -> None:
        self.folder = folder
        shutil.copytree(inputs, folder / "in")
        for name in ("tmp", "cache", "out"):
            (folder / name).mkdir()
        self.out, self.temporary = folder / "out", folder / "tmp"
        self.given = digests(folder / "in")

    def started(
        self,
        command: tuple[str, ...],
        more: Mapping[str, str] | None = None,
        *,
        said: int | IO[bytes] = subprocess.DEVNULL,
        shown: int = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:
        """The command, begun in this folder with ``more`` environment variables.

        Its standard error goes to ``said``, its standard output to ``shown``.
        """
        own = {"TMPDIR": str(self.temporary), "XDG_CACHE_HOME": str(self.folder / "cache")}
        return subprocess.Popen(
            [sys.executable, "-m", "decklab", *command],
            cwd=self.folder,
            env=os.environ | own | dict(more or {}),
            stdin=subprocess.DEVNULL,
            stdout=shown,
            stderr=said,
            start_new_session=True,
        )

    def run(self, command: tuple[str, ...]) -> float:
        """Run the command to its end; gives its seconds."""
        begun = time.monotonic()
        self.started(command).wait()
        return time.monotonic() - begun

    def in_temporary(self) -> tuple[list[str], int]:
        """Names in TMPDIR, and the bytes of all files below it."""
        names = sorted(path.name for path in self.temporary.iterdir())
        sizes = (path.lstat().st_size for path in self.temporary.rglob("*") if path.is_file())
        return names, sum(sizes)


@contextmanager
def place(inputs: Path) -> Iterator[Place]:
    """A new place, removed after the block."""
    with TemporaryDirectory(prefix="bench-kills-") as folder:
        yield Place(Path(folder) / "here", inputs)


def reference(command: tuple[str, ...], inputs: Path) -> tuple[dict[str, str], float]:
    """The output that two runs agree on, and the seconds of the shorter one."""
    ends = []
    for _ in range(2):
        with place(inputs) as one:
            seconds = one.run(command)
            ends.append((digests(one.out), seconds))
    (first, quick), (second, slow) = ends
    apart = sorted(name for name in first if first[name] != second.get(name))
    if apart:
        print(f"{command[0]}: not the same twice, so not compared: {', '.join(apart)}", flush=True)
    return {name: first[name] for name in first if name not in apart}, min(quick, slow)


def kill_once(
    command: tuple[str, ...],
    inputs: Path,
    expected: dict[str, str] | None,
    seconds: float,
    seen: Tally,
) -> None:
    """Start a command, kill it after ``seconds``, and look at what is there.

    It runs again where there is an ``expected`` output of that.
    """

    def blame(what: str) -> None:
        seen.faults.append(f"{' '.join(command)}: killed after {seconds:.2f} s: {what}")

    with place(inputs) as here:
        process = here.started(command)
        time.sleep(seconds)
        seen.kills += 1
        seen.late += process.poll() is not None
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
        left, spent = left_processes()
        seen.slowest_end = max(seen.slowest_end, spent)
        if left:
            blame(f"processes left: {', '.join(sorted(left))}")
        there = files_of(here.out)
        bad = [fault for fault in map(fault_of, there.values()) if fault]
        for fault in bad:
            blame(fault)
        seen.absent += not there
        seen.whole += bool(there) and not bad
        seen.unfinished += any(here.out.rglob(f"*{UNFINISHED}"))
        names, size = here.in_temporary()
        seen.folders.append(len(names))
        seen.bytes.append(size)
        if expected is None:
            sweep = "from decklab.core.files import sweep_stale_folders as sweep; sweep()"
            own = os.environ | {"TMPDIR": str(here.temporary)}
            subprocess.run([sys.executable, "-c", sweep], env=own, check=True)
        else:
            seen.again += 1
            here.run(command + RESUMED.get(command[0], ()))
            left, _ = left_processes()
            if left:
                blame(f"processes left by the second run: {', '.join(sorted(left))}")
            now = digests(here.out)
            for name, digest in expected.items():
                if now.get(name) != digest:
                    blame(f"{name} of the second run is not that of a run that was never killed")
        if digests(here.folder / "in") != here.given:
            blame("an input is not what it was")
        names, _ = here.in_temporary()
        seen.swept += len(names)
        if names:
            blame(f"still in TMPDIR after the next command: {', '.join(names)}")


def served(deck: Path, rounds: int, chance: random.Random) -> Tally:
    """Kill the workbench in its rounds; what it had accepted has to be there."""
    seen, accepted = Tally(), Accepted()
    with TemporaryDirectory(prefix="bench-kills-") as folder:
        temporary = Path(folder, "tmp")
        temporary.mkdir()
        before = {name: os.environ.get(name) for name in ("TMPDIR", "XDG_CACHE_HOME")}
        os.environ |= {"TMPDIR": str(temporary), "XDG_CACHE_HOME": f"{folder}/cache"}
        for _ in range(rounds):
            seconds = chance.uniform(0.3, 8)
            killed_round(Path(folder, "data"), [], deck.read_bytes(), seconds, accepted)
            seen.kills += 1
            left, spent = left_processes()
            seen.slowest_end = max(seen.slowest_end, spent)
            seen.faults += [f"serve: killed after {seconds:.2f} s: {name} left" for name in left]
            seen.folders.append(len(list(temporary.iterdir())))
            sizes = (path.lstat().st_size for path in temporary.rglob("*") if path.is_file())
            seen.bytes.append(sum(sizes))
            missing = missing_after(Path(folder, "data"), [], accepted)
            left_processes()
            seen.faults += [f"serve: {one}" for one in missing]
            seen.whole += not missing
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    return seen


def table(tallies: Mapping[str, Tally]) -> str:
    """The tallies as a table in Markdown."""
    head = ("command", "kills", "ended before", "output absent", "output whole", "output damaged",
            "folders in TMPDIR", "of at most", "run again",
            "left after the next command", "processes ended in",
            "faults")  # fmt: skip
    rows = [head, ("---",) * len(head)]
    for name, seen in tallies.items():
        folders = f"{min(seen.folders)} to {max(seen.folders)}"
        damaged = seen.kills - seen.absent - seen.whole
        rows.append((
            name, str(seen.kills), str(seen.late), str(seen.absent), str(seen.whole), str(damaged),
            folders, f"{max(seen.bytes) / 2**20:.1f} MB", str(seen.again), str(seen.swept),
            f"{seen.slowest_end:.1f} s", str(len(seen.faults)),
        ))  # fmt: skip
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    """Kill every command as often as asked, and print what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=50, help="of each command")
    parser.add_argument("--serve", type=int, default=5, help="kills of the workbench")
    parser.add_argument("--again", type=int, default=1, help="run again after every N-th")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="score,edit,write,serve")
    parser.add_argument("--decks", type=Path, nargs="*", default=[], help="to score besides ours")
    asked = parser.parse_args()
    adopt_orphans()
    chance, tallies = random.Random(asked.seed), dict[str, Tally]()
    commands = {"score": (SCORE,), "edit": EDITS, "write": (WRITE,)}
    with TemporaryDirectory(prefix="bench-kills-in-") as folder:
        samples = Path(folder)
        write_samples(samples)
        for deck in asked.decks:
            shutil.copyfile(deck, samples / deck.name)
        shutil.copyfile(LIBRARIES, samples / LIBRARIES.name)
        for name in asked.only.split(","):
            if name == "serve":
                tallies[name] = served(samples / "plain.pptx", asked.serve, chance)
            else:
                tallies[name] = Tally()
                known = [(one, *reference(one, samples)) for one in commands[name]]
                for number in range(asked.kills):
                    command, expected, seconds = known[number % len(known)]
                    kill_once(
                        command,
                        samples,
                        expected if number % asked.again == 0 else None,
                        chance.uniform(0.05, seconds),
                        tallies[name],
                    )
                    if number % 10 == 9:
                        print(table({name: tallies[name]}), file=sys.stderr, flush=True)
            print(*tallies[name].faults, sep="\n", flush=True)
            print(table({name: tallies[name]}), flush=True)
    print(table(tallies))
    return any(seen.faults for seen in tallies.values())


if __name__ == "__main__":
    sys.exit(main())
