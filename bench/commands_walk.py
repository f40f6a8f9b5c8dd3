"""Every command where things go wrong: what it says, and whether anything is lost.

Run as ``python -m bench.commands_walk OUT [--only COMMAND] [--case CASE]``. The cases: its output
exists already, its output is its input, the deck's slide list has an entry that leads nowhere, the
list has two entries of one part, SIGTERM comes in the middle. Writes a table in Markdown to OUT:
command, case, exit code, the first line that it said, files that are new or changed, and faults. A
fault is a traceback, a changed input, an output that is not whole, a file that is replaced, a
process or a temporary file that is left, or more than 10 seconds after SIGTERM; the exit code is 1
where there is any. The command lines are those of the tests.
"""

import argparse
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, Final, TypeAlias

from lxml import etree
from tests.cli import test_ending as ending
from tests.cli import test_outputs as outputs
from tests.commands import commands
from tests.openai_server import Answer, OpenAIServer, serving
from tests.slide_lists import FLAWS

import decklab
from bench.kills import adopt_orphans, fault_of, left_processes
from decklab.cli import main as main_of_decklab
from decklab.core.files import UNFINISHED, write_output
from decklab.core.programs import STOPPED

SECONDS: Final = 900.0
"""After which a command counts as one that does not end (ours)."""
SILENT: Final = "says nothing"
MODEL: Final = "openai-api/loopback/plain"
"""Answers every question with ``{}``."""

FLAWED: Final = {
    "dead entry": "no relationship, in a section and a show",
    "part twice": "a slide twice",
}
MORE: Final = (
    "snapshot DECK", "extract DECK", "validate DECK", "lint DECK", "diff DECK OTHER",
    "render DECK --out OUT", "read DECK", "template check DECK", "rubric check .",
    "quiz take BANK DECK --model none/none", "rubric propose DECK --model none/none",
    "extensions", "corpus duplicates DATA", "corpus check OUT",
    "corpus annotate DATA --model none/none", "history DECK", "undo DECK",
)  # fmt: skip
"""Lines for commands that are not in the tests' tables of outputs."""
EXTRACTED: Final = ("extract DECK --cluster local:0 --out DATA",)
BEFORE: Final[Mapping[str, tuple[str, ...]]] = {
    "reference": ("score DECK --out DATA",),
    "quiz take": ("quiz build HARBOUR --out BANK",),
    "undo": ("edit DECK 'hide slide 1' --in-place",),
    "corpus check": ("corpus draft DECK --out OUT",),
    "bench slideeval-report": ("bench slideeval-extract DECK --baseline --out DATA",),
    **dict.fromkeys(
        ("corpus summary", "corpus select", "corpus duplicates", "corpus annotate"), EXTRACTED
    ),
}
"""Lines that make what a command reads, by its name."""
SUFFIXES: Final = {
    "--html OUT": ".html", "--report OUT": ".html", "--sheet OUT": ".png",
    "--write-baseline OUT": ".json", "--scores OUT": ".csv", "--save-task OUT": ".json",
    "seen DECK": ".html", "designs TEXT": ".html",
    **dict.fromkeys(("convert", "edit", "write", "lint", "perturb"), ".pptx"),
}  # fmt: skip
"""The suffix of what a line writes, by words in it."""
_SHOWN: Final = 240
"""Characters of a line that the table shows (ours): snapshot prints a deck on one."""
RENDERED: Final = ("render DECK --out OUT", "talk/slide-001.png")


@dataclass(frozen=True)
class Step:
    """What came of a command in a case."""

    command: str
    case: str
    code: int | None
    """None where it did not end."""
    said: str
    """Its first line on standard error, else on standard output."""
    files: tuple[str, ...]
    """Files that are new, and those that changed."""
    faults: tuple[str, ...]

    def row(self) -> str:
        """A row of the table."""
        cells = (self.command, self.case, str(self.code), self.said, ", ".join(self.files),
                 "; ".join(self.faults))  # fmt: skip
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


Steps = Iterator[tuple[str, Callable[[Path], Step]]]
"""The name of a command, and a function that runs it in a new folder."""


class Forked:
    """A command in a copy of this process, which has imported all that commands import: a walk of
    new processes would mostly import."""

    def __init__(self, words: Sequence[str], folder: Path, own: Mapping[str, str]) -> None:
        self._files = TemporaryFile(), TemporaryFile()  # noqa: SIM115 - until it is read
        self.returncode: int | None = None
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os._exit(self._child(words, folder, own))

    def _child(self, words: Sequence[str], folder: Path, own: Mapping[str, str]) -> int:
        code: object = 0
        try:
            os.setsid()
            os.chdir(folder)
            os.environ.update(own)
            tempfile.tempdir = None
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            for number, file in enumerate(self._files, start=1):
                os.dup2(file.fileno(), number)
            sys.stdout, sys.stderr = (os.fdopen(number, "w", closefd=False) for number in (1, 2))
            sys.argv = ["decklab", *words]
            main_of_decklab()
        except SystemExit as ended:
            code = ended.code or 0
        except BaseException:  # noqa: BLE001 - as Python does it
            traceback.print_exc()
            code = 1
        sys.stdout.flush()
        sys.stderr.flush()
        return code if isinstance(code, int) else 1

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if ended else None
        return self.returncode

    def communicate(self, timeout: float = SECONDS) -> tuple[bytes, bytes]:
        """What it printed to standard output and error, once it has ended."""
        until = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired("decklab", timeout)
            time.sleep(0.02)
        spoken = []
        for file in self._files:
            with file:
                file.seek(0)
                spoken.append(file.read())
        return spoken[0], spoken[1]

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        os.kill(self.pid, signal.SIGKILL)


Process: TypeAlias = "subprocess.Popen[bytes] | Forked"


def import_all() -> None:
    """Import all modules of decklab."""
    for module in walk_packages(decklab.__path__, "decklab."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


class Room:
    """A folder in which a command works, with TMPDIR and cache."""

    def __init__(self, folder: Path, server: OpenAIServer) -> None:
        self.folder, self._server = folder, server
        self.places: dict[str, Path] = {}
        self.before: dict[str, str] = {}

    def filled(self, flaw: str = "") -> "Room":
        """The room with an input of each kind, a deck with a flaw in its slide list among them."""
        (self.folder / "tmp").mkdir()
        own = {"HARBOUR": outputs.HARBOUR, "BANK": Path("bank.json"), "none/none": Path(MODEL)}
        self.places = {**outputs.write_places(self.folder), **own}
        self.places["CASES"] = Path("cases/cases.json")
        if flaw:
            FLAWS[flaw].write(self.folder / self.places["DECK"])
        return self

    def started(self, line: str, out: Path) -> "Forked":
        """A line of the tables, begun; files that are there are remembered."""
        self.before = everything(self.folder)
        words = outputs.words_of(line, {**self.places, "OUT": out})
        own = {
            "TMPDIR": str(self.folder / "tmp"), "XDG_CACHE_HOME": str(self.folder / "cache"),
            "COLUMNS": "500", "LOOPBACK_BASE_URL": f"{self._server.url}/v1",
            "LOOPBACK_API_KEY": "none",
        }  # fmt: skip
        return Forked(words, self.folder, own)

    def prepare(self, command: str, out: Path) -> None:
        """Make what a command reads that other commands make."""
        if command in BEFORE:
            (self.folder / "data").rmdir()
        for line in BEFORE.get(command, ()):
            self.started(line, out).communicate()

    def looked(self, command: str, case: str, process: Process) -> Step:
        """Wait for a command to end, and look at what is there."""
        try:
            spoken, code = process.communicate(timeout=SECONDS), process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            spoken, code = process.communicate(), None
        shown, said = ((one or b"").decode(errors="replace") for one in spoken)
        left, _ = left_processes()
        now = everything(self.folder)
        changed = [name for name in self.before if now.get(name) != self.before[name]]
        new = [name for name in now if name not in self.before]
        faults = [f"{name} changed" for name in changed]
        faults += [f"{name} is left" for name in left]
        faults += [fault for name in new if (fault := unsound(self.folder / name))]
        faults += [f"in TMPDIR: {one.name}" for one in (self.folder / "tmp").iterdir()]
        if "Traceback" in said or "Traceback" in shown:
            faults.append("a traceback")
        if code is None or code < 0:
            faults.append("does not end" if code is None else f"ended by signal {-code}")
        heard = [line for line in (*said.splitlines(), *shown.splitlines()) if line.strip()]
        if code and not heard:
            faults.append(SILENT)
        files = [f"changed {name}" for name in changed] + [f"+{name}" for name in brief(new)]
        first = (heard or [""])[0][:_SHOWN]
        return Step(command, case, code, first, tuple(files), tuple(faults))


def everything(folder: Path) -> dict[str, str]:
    """Digests of all files below a folder, hidden ones too, without TMPDIR and cache."""
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found.items()
            if not name.startswith(("tmp/", "cache/"))}  # fmt: skip


def unsound(path: Path) -> str:
    """Why a new file is not whole; empty where it is."""
    if path.suffix == UNFINISHED:
        return f"{path.name} is unfinished"
    if path.suffix != ".pptx":
        return fault_of(path) or ""
    try:  # a deck may have a flaw that python-pptx does not bear
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if archive.read(name) and name.endswith((".xml", ".rels")):
                    etree.fromstring(archive.read(name))
    except (zipfile.BadZipFile, etree.XMLSyntaxError) as error:
        return f"{path.name}: {error}"
    return ""


def brief(names: list[str]) -> list[str]:
    """Names of new files: of those in one folder only how many they are."""
    folders: dict[str, list[str]] = {}
    for name in names:
        folders.setdefault(name.split("/")[0], []).append(name)
    return [own[0] if len(own) == 1 else f"{top}/ ({len(own)} files)"
            for top, own in folders.items()]  # fmt: skip


def exists(server: OpenAIServer) -> Steps:
    """Each output of each command with somebody's work in its place."""
    named = {pair: (line, "") for pair, line in outputs.FILES.items()}
    folders = {**outputs.FOLDERS, ("render", "out"): RENDERED}
    for (command, option), (line, inner) in {**named, **folders}.items():
        yield command, partial(_exists, server, f"{command} ({option})", line, inner)


def _exists(server: OpenAIServer, name: str, line: str, inner: str, folder: Path) -> Step:
    room, out = Room(folder, server).filled(), output_of(line)
    if "CASES" in line:
        outputs.write_cases(folder)
        out = Path("cases/out.json")
    sentinel = folder / out / inner
    sentinel.parent.mkdir(parents=True, exist_ok=True)
    sentinel.write_bytes(b"somebody's work")
    return _refused(room.looked(name, "exists", room.started(line, out)))


def _refused(step: Step) -> Step:
    free_names = step.command == "render (out)"  # the folder of each deck
    return (
        step
        if step.code == (0 if free_names else 2)
        else replace(step, faults=(*step.faults, "not refused"))
    )


def same(server: OpenAIServer) -> Steps:
    """Each input of each command as its output, also with ``--force``."""
    for (command, option), words in outputs.INPUTS.items():
        line = outputs.FILES[command, option]
        if (command, option) == ("write", "out"):
            line = "write --source TEXT --template DECK --out OUT --no-score"
        for word in words.split():
            for force in ("", " --force"):
                name = f"{command} ({option} is {word}{force})"
                yield command, partial(_same, server, name, f"{line}{force}", word)


def _same(server: OpenAIServer, name: str, line: str, word: str, folder: Path) -> Step:
    room = Room(folder, server).filled()
    if "CASES" in line:
        outputs.write_cases(folder)
    return _refused(room.looked(name, "input", room.started(line, room.places[word])))


def flawed(case: str, server: OpenAIServer) -> Steps:
    """Each command that reads a deck, or what was made of one, with a flaw in its slide list."""
    for command, line in lines():
        if "DECK" in line or command in BEFORE:
            yield command, partial(_flawed, server, case, command, line)


def _flawed(server: OpenAIServer, case: str, command: str, line: str, folder: Path) -> Step:
    room, out = Room(folder, server).filled(FLAWED[case]), output_of(line)
    room.prepare(command, out)
    return room.looked(line, case, room.started(line, out))


def lines() -> Iterator[tuple[str, str]]:
    """The commands with the lines of the tables."""
    names = sorted((name for name, _ in commands()), key=len, reverse=True)
    folders = (line for line, _ in outputs.FOLDERS.values())
    for line in dict.fromkeys((*outputs.FILES.values(), *folders, *MORE)):
        yield next(name for name in names if f"{line} ".startswith(f"{name} ")), line


def output_of(line: str) -> Path:
    """A free name for what a line writes."""
    if line not in outputs.FILES.values():
        return Path("out")
    return Path(f"out{next((SUFFIXES[word] for word in SUFFIXES if word in line), '.json')}")


def stopped(server: OpenAIServer) -> Steps:
    """Each command with SIGTERM in the middle: once it is seen at work, or half-way."""
    for command in ending.RUNS:
        yield command, partial(_stopped_at_work, server, command)
    for command, line in dict(lines()).items():
        if command in ending.SHORT:
            yield command, partial(_stopped_halfway, server, command, line)


def _stopped_at_work(server: OpenAIServer, command: str, folder: Path) -> Step:
    run, room = ending.RUNS[command], Room(ending.write_inputs(folder), server)
    if "cases/" in run.words:
        ending.write_cases_without_targets(folder / "cases")
    with serving([Answer("", delay=600)]) as silent:
        for words in run.before:
            ending.started(words, folder, silent).communicate()
        silent.requests.clear()
        room.before = everything(folder)
        process = ending.started(f"{command} {run.words}", folder, silent)
        ending.wait_for_work(run, process, silent)
        return _stopped(room, command, process)


_SHARES: Final = (0.5, 0.2, 0.0)
"""Of the time that a whole run takes: when the signal comes (ours). A run may be quicker than the
one before, and end by itself."""


def _stopped_halfway(server: OpenAIServer, command: str, line: str, folder: Path) -> Step:
    def begun(name: str) -> tuple[Room, Process, float]:
        (folder / name).mkdir()
        room = Room(folder / name, server).filled()
        room.prepare(command, output_of(line))
        process = room.started(line, output_of(line))
        return room, process, _begun(process)

    _, whole, start = begun("whole")
    whole.communicate()
    seconds = time.monotonic() - start
    for share in _SHARES:
        room, process, _ = begun(f"stopped {share}")
        time.sleep(seconds * share)
        step = _stopped(room, command, process)
        if step.code == STOPPED:
            break
    return step


def _begun(process: Process) -> float:
    """When a command has begun to handle SIGTERM: before, it has done nothing."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        caught = re.search(r"^SigCgt:\s*(\w+)", status.read_text(), re.MULTILINE)
        if caught and int(caught[1], 16) & 1 << signal.SIGTERM - 1:
            break
        time.sleep(0.01)
    return time.monotonic()


def _stopped(room: Room, command: str, process: Process) -> Step:
    process.send_signal(signal.SIGTERM)
    sent = time.monotonic()
    while process.poll() is None and time.monotonic() < sent + SECONDS:
        time.sleep(0.02)
    seconds = time.monotonic() - sent
    step = room.looked(command, "SIGTERM", process)
    faults = [fault for fault in step.faults if fault != SILENT]
    if step.code != STOPPED:
        faults.append(f"not {STOPPED}")
    if seconds > ending.SECONDS:
        faults.append(f"ended after {seconds:.1f} s")
    return replace(step, faults=tuple(faults))


CASES: Final[Mapping[str, Callable[[OpenAIServer], Steps]]] = {
    "exists": exists,
    "input": same,
    **{case: partial(flawed, case) for case in FLAWED},
    "SIGTERM": stopped,
}


def main(arguments: list[str]) -> int:
    """Walk, and write the table; 1 where there is a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="file for the table")
    parser.add_argument("--only", default="", help="command")
    parser.add_argument("--case", choices=CASES)
    asked: Any = parser.parse_args(arguments)
    adopt_orphans()
    import_all()
    steps: list[Step] = []
    with serving(["{}"]) as server:
        for case, walk in CASES.items():
            for command, run in walk(server):
                if asked.only in ("", command) and asked.case in (None, case):
                    with TemporaryDirectory(prefix="bench-walk-") as folder:
                        steps.append(run(Path(folder)))
                    print(steps[-1].row(), flush=True)
    head = ("| command | case | exit code | its first line | files | faults |",
            "|---|---|---|---|---|---|")  # fmt: skip
    write_output(asked.out, "\n".join((*head, *(step.row() for step in steps), "")).encode())
    bad = sum(bool(step.faults) for step in steps)
    print(f"{len(steps)} steps, {bad} with a fault")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
