"""The warm process: prepares once, forks a process for each run, hands out the files it left."""

import gc
import importlib
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import process, runner
from .monitor import ProcessEnd, RunMonitor, kill_orphans
from .wire import decode, encode, read_frame, send

_DEEPEST = 32


class FilesOverLimit(ValueError):
    """The files are more, larger or deeper than allowed; the text says which."""


def output_files(
    folder: str, *, names: list[str], most: int, largest: int
) -> Iterator[tuple[str, bytes]]:
    """The plain files under ``folder`` by relative path, in order; only ``names`` if given.

    Links are not followed and neither they, hard ones included, nor pipes and devices count as
    files; ``.tmp`` is left out. FilesOverLimit above ``most`` files or ``largest`` bytes together.
    """
    wanted = set(names)
    left = largest
    for count, (path, size) in enumerate(_walk(folder, "", wanted)):
        if count >= most:
            raise FilesOverLimit(f"more than {most} files")
        if size > left:
            raise FilesOverLimit(f"more than {largest} bytes of files")
        data = _read(f"{folder}/{path}", size)
        left -= len(data)
        yield path, data


def _walk(folder: str, below: str, wanted: set[str], depth: int = 0) -> Iterator[tuple[str, int]]:
    if depth > _DEEPEST:
        raise FilesOverLimit(f"folders more than {_DEEPEST} deep")
    here = f"{folder}/{below}"
    Path(here).chmod(0o700)  # the code may have shut it
    for entry in sorted(Path(here).iterdir()):
        path = f"{below}{entry.name}"
        status = entry.lstat()
        if stat.S_ISDIR(status.st_mode):
            if path != ".tmp" and (not wanted or any(n.startswith(f"{path}/") for n in wanted)):
                yield from _walk(folder, f"{path}/", wanted, depth + 1)
        elif _is_own(status) and (not wanted or path in wanted):
            yield path, status.st_size


def _is_own(status: os.stat_result) -> bool:
    """Whether it is a plain file that has no other name, perhaps outside the folder."""
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1


def _read(path: str, size: int) -> bytes:
    Path(path).chmod(0o600)
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        return file.read(size)


_PAGE = os.sysconf("SC_PAGE_SIZE")


class _Folder:
    """The writable folder: a file system in memory when isolated, else a folder of the host's."""

    def __init__(self, path: str, limits: dict[str, int], isolated: bool) -> None:
        self.path, self._limits, self._isolated = path, limits, isolated
        self._there = False

    def renew(self) -> None:
        """Empty it, whatever is in it."""
        if self._there:
            self._discard()
        if self._isolated:
            # The folder itself, and that for temporary files, count as files.
            process.mount_memory(
                self.path, size=self._limits["disk"], files=self._limits["files"] + 2
            )
        else:
            Path(self.path).mkdir()
        self._there = True
        Path(self.path, ".tmp").mkdir()

    def _discard(self) -> None:
        if self._isolated:
            process.unmount(self.path)
        else:
            shutil.rmtree(self.path)


class _Input:
    """The folder of files handed in; later mounts lie over those of the start."""

    def __init__(self, path: str) -> None:
        self.path, self._covered = path, False

    def replace(self, files: dict[str, bytes]) -> None:
        """Put these files in it, read-only, and no others."""
        if self._covered:
            process.unmount(self.path)
            self._covered = False
        folders = sum(name.count("/") for name in files)
        size = sum(map(len, files.values())) + (len(files) + folders + 1) * _PAGE
        process.mount_memory(self.path, size=size, files=len(files) + folders + 1)
        self._covered = True
        for name, data in files.items():
            target = Path(self.path, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            target.chmod(0o444)
        process.close_memory(self.path)


class Supervisor:
    """Serves the requests that come from the host over a pipe, one after another."""

    def __init__(self, setup: dict[str, Any], host: tuple[int, int]) -> None:
        self._limits: dict[str, Any] = setup["limits"]
        self._isolated: bool = setup["isolated"]
        self._programs: bool = setup["programs"]
        self._services: list[str] = setup["services"]
        self._host = host
        self._folder = _Folder(setup["work"], self._limits, self._isolated)
        self._input = _Input(setup["input"])
        self._prelude: dict[str, Any] = {}

    def warm_up(self, modules: list[str], prelude: str, data: dict[str, Any]) -> None:
        """Import ``modules`` and run the caller's own code, once for all runs."""
        for name in modules:
            importlib.import_module(name)
        sys.path[:] = [folder for folder in sys.path if not Path(folder, "guest").is_dir()]
        self.prepare(prelude, data)

    def prepare(self, prelude: str, data: dict[str, Any]) -> None:
        """Run the caller's own code; definitions of earlier code are forgotten."""
        gc.unfreeze()
        module = runner.define(prelude, "prelude", data)
        hidden = {"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__builtins__"}
        self._prelude = {k: v for k, v in vars(module).items() if k not in hidden}
        gc.collect()
        gc.freeze()  # else the first collection of every run would copy all that was imported

    def serve(self) -> None:
        """Answer requests until the host closes its end."""
        while True:
            kind, payload = read_frame(self._host[0])
            if kind == b"R":
                self._run(decode(payload))
            elif kind == b"F":
                self._hand_out(decode(payload))
            elif kind == b"P":
                self._renew(decode(payload))
            # Anything else is the late answer to a call of a run that has ended.

    def _run(self, request: dict[str, Any]) -> None:
        try:
            ending = self._run_to_end(request)
        except (process.IsolationFailed, OSError) as error:
            self._tell({"why": "broken", "detail": str(error)})
            return
        self._tell(
            {
                "why": ending.why,
                "status": ending.status,
                "seconds": ending.seconds,
                "stdout": ending.stdout.decode(errors="replace"),
                "stderr": ending.stderr.decode(errors="replace"),
            },
            ending.report,
        )

    def _renew(self, setup: dict[str, Any]) -> None:
        try:
            if self._isolated:
                self._input.replace(setup["files"])
            self.prepare(setup["prelude"], setup["data"])
        # As in main: what the caller's code raises, and what mounting does, goes to the caller.
        except Exception as error:  # noqa: BLE001
            send(self._host[1], b"E", encode(runner.describe(error, "<prelude>")))
        else:
            send(self._host[1], b"K")

    def _tell(self, ending: dict[str, Any], report: bytes = b"") -> None:
        send(self._host[1], b"V", report)
        send(self._host[1], b"D", encode(ending))

    def _run_to_end(self, request: dict[str, Any]) -> ProcessEnd:
        self._folder.renew()

        def body(report: int, answer: int) -> None:
            runner.execute(request, self._prelude, self._services, report, answer)

        started = process.fork_run(
            body,
            folder=self._folder.path,
            limits=self._limits,
            isolated=self._isolated,
            programs=self._programs,
        )
        try:
            monitor = RunMonitor(
                started, limits=self._limits, seconds=request["seconds"], host=self._host
            )
            return monitor.until_end()
        finally:
            started.close()

    def _hand_out(self, names: list[str]) -> None:
        bounds = {"most": self._limits["files"], "largest": self._limits["disk"]}
        try:
            for path, data in output_files(self._folder.path, names=names, **bounds):
                send(self._host[1], b"N", os.fsencode(path))
                send(self._host[1], b"B", data)
        except (FilesOverLimit, OSError) as error:
            send(self._host[1], b"T", str(error).encode())
            return
        send(self._host[1], b"Z")


def main() -> None:
    """Serve the host on the standard streams, which nothing else may touch from here on."""
    host = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    setup = decode(read_frame(host[0])[1])
    process.adopt_orphans()
    supervisor = Supervisor(setup, host)
    try:
        supervisor.warm_up(setup["modules"], setup["prelude"], setup["data"])
    # The prelude is the caller's code: what it raises goes to the caller, by name and line.
    except Exception as error:  # noqa: BLE001
        send(host[1], b"E", encode(runner.describe(error, "<prelude>")))
        return
    send(host[1], b"K")
    try:
        supervisor.serve()
    except (EOFError, BrokenPipeError):
        kill_orphans()  # the host is done with us, or gone
