"""A run watched to its end: its output, its calls, its use of time and memory; then killed."""

import errno
import os
import resource
import select
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from .process import RunProcess
from .wire import FrameBuffer, FrameTooLarge, frame, read_frame, send

_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = resource.getpagesize()


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    """``processes`` below one, the ``memory`` they hold in bytes, and their processor time."""

    processes: int
    memory: int
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class _Process:
    pid: int
    parent: int
    ticks: int
    pages: int


def measure(root: int, enough: int) -> ProcessUsage:
    """Count ``root`` and all its descendants.

    The memory is exact only above ``enough`` bytes: it takes long to find out which memory
    processes share, and below that it may be counted once for each of them.
    """
    family = _family(root)
    if (memory := sum(process.pages for process in family) * _PAGE) > enough:
        memory = sum(map(_proportional, family))
    ticks = sum(process.ticks for process in family)
    return ProcessUsage(len(family), memory, ticks / _TICK)


def _family(root: int) -> list[_Process]:
    numbers = (int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())
    everybody = [process for process in map(_read, numbers) if process is not None]
    children: dict[int, list[_Process]] = {}
    for process in everybody:
        children.setdefault(process.parent, []).append(process)
    family = [process for process in everybody if process.pid == root]
    for process in family:  # grows while we go
        family += children.get(process.pid, [])
    return family


def _read(pid: int) -> _Process | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None  # ended meanwhile
    # The name, in brackets, may hold anything; what follows it are numbers (proc(5)).
    fields = text.rpartition(b")")[2].split()
    return _Process(pid, int(fields[1]), sum(map(int, fields[11:15])), int(fields[21]))


def _proportional(process: _Process) -> int:
    """The memory of a process with shared pages divided among those that share them."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_bytes().splitlines()
    except OSError:
        return process.pages * _PAGE  # not ours to look into
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(b"Pss:"))


_LOOK_SECONDS = 0.02
"""How often memory, processor time and processes are looked at: a process fills some 50 MB
meanwhile, and looking takes well under a millisecond."""
_CHUNK = 1 << 16
_ERROR_BYTES = 1 << 16
"""Bytes that a report may hold besides the result: the description of an exception."""


@dataclass(slots=True)
class ProcessEnd:
    """How a run ended.

    ``why`` is ``report`` (it sent one), ``ended`` (it sent none), ``aborted`` (the host asked for
    it), or the name of the limit that it broke.
    """

    why: str = ""
    status: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    report: bytes = b""
    stdout: bytearray = field(default_factory=bytearray)
    stderr: bytearray = field(default_factory=bytearray)


class _Clock:
    """Time that stands still while the host answers a call."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._since: float | None = time.monotonic()

    @property
    def seconds(self) -> float:
        running = 0.0 if self._since is None else time.monotonic() - self._since
        return self._spent + running

    def stop(self) -> None:
        self._spent, self._since = self.seconds, None

    def go_on(self) -> None:
        self._since = time.monotonic()


class RunMonitor:
    """One run, from its start to its end."""

    def __init__(
        self, process: RunProcess, *, limits: dict[str, int], seconds: float, host: tuple[int, int]
    ) -> None:
        self._process, self._limits, self._seconds = process, limits, seconds
        self._host_in, self._host_out = host
        caps = {b"C": limits["call_bytes"], b"V": limits["result"] + _ERROR_BYTES}
        self._frames = FrameBuffer(caps)
        self._clock = _Clock()
        self._asked, self._over, self._pending = False, False, b""
        # Pages that the run shares with us are not its own.
        self._memory = limits["memory"] + _own_memory()
        self._ending = ProcessEnd()
        self._readers = {
            process.report: self._read_report,
            process.stdout: self._read_stdout,
            process.stderr: self._read_stderr,
            self._host_in: self._read_host,
            process.pidfd: self._read_end,
        }

    def until_end(self) -> ProcessEnd:
        """Wait for the run's end, or bring it about; all its processes are gone afterwards."""
        look_at = time.monotonic() + _LOOK_SECONDS
        while not self._ending.why:
            self._wait()
            now = time.monotonic()
            if not self._ending.why and now >= look_at:
                self._check_limits()
                look_at = now + _LOOK_SECONDS
        self._ending.seconds = self._clock.seconds
        self._reap()
        return self._ending

    def _wait(self) -> None:
        poll = select.poll()
        for fd in self._readers:
            if fd != self._process.report or not self._asked:  # one call at a time
                poll.register(fd, select.POLLIN)
        if self._pending:
            poll.register(self._process.answer, select.POLLOUT)
        left = self._seconds - self._clock.seconds
        ready = poll.poll(1000 * max(0.001, min(_LOOK_SECONDS, left)))
        # The end last: a report may have come just before it.
        for fd, _ in sorted(ready, key=lambda pair: pair[0] == self._process.pidfd):
            if self._ending.why:
                return
            if fd == self._process.answer:
                self._write_answer()
            else:
                self._readers[fd]()

    def _check_limits(self) -> None:
        limits = self._limits
        count = measure(self._process.pid, self._memory)
        self._ending.cpu_seconds = max(self._ending.cpu_seconds, count.cpu_seconds)
        if self._clock.seconds >= self._seconds:
            self._ending.why = "seconds"
        elif count.cpu_seconds >= limits["cpu_seconds"]:
            self._ending.why = "cpu_seconds"
        elif count.memory > self._memory:
            self._ending.why = "memory"
        elif count.processes > limits["processes"]:
            self._ending.why = "processes"

    def _read(self, fd: int) -> bytes:
        """Bytes that ``fd`` has for reading; nothing more will come from it if it is shut."""
        try:
            data = os.read(fd, _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self._readers.pop(fd, None)
        return data

    def _read_report(self) -> bool:
        data = self._read(self._process.report)
        self._frames.feed(data)
        try:
            frame = self._frames.next()
        except FrameTooLarge as error:
            self._ending.why = {b"C": "call_bytes", b"V": "result"}.get(error.kind, "garbled")
            return False
        if frame is not None:
            self._take(*frame)
        return bool(data)

    def _take(self, kind: bytes, payload: bytes) -> None:
        if kind == b"V":
            self._ending.why, self._ending.report = "report", payload
        elif not self._over:
            self._ask(payload)

    def _ask(self, payload: bytes) -> None:
        self._asked = True
        self._clock.stop()
        send(self._host_out, b"C", payload)

    def _read_stdout(self) -> bool:
        return self._read_printed(self._process.stdout, self._ending.stdout)

    def _read_stderr(self) -> bool:
        return self._read_printed(self._process.stderr, self._ending.stderr)

    def _read_printed(self, fd: int, printed: bytearray) -> bool:
        data = self._read(fd)
        printed += data
        if len(printed) > self._limits["printed"]:
            del printed[self._limits["printed"] :]
            self._ending.why = "printed"
            return False
        return bool(data)

    def _read_host(self) -> bool:
        kind, payload = read_frame(self._host_in)
        if kind == b"X":
            self._ending.why = "aborted"
        elif self._asked:
            self._pending = frame(kind, payload)
            self._asked = False
            self._clock.go_on()
        return True

    def _write_answer(self) -> None:
        try:
            self._pending = self._pending[os.write(self._process.answer, self._pending) :]
        except BlockingIOError:
            pass
        except OSError as error:
            if error.errno != errno.EPIPE:
                raise
            self._pending = b""  # the run closed its end: it gets no answer

    def _read_end(self) -> bool:
        """The first process has ended; its earlier output is still in the pipes."""
        self._over = True
        while not self._ending.why and self._read_report():
            pass
        if not self._ending.why:
            self._ending.why = "ended"
        return False

    def _reap(self) -> None:
        ending, process = self._ending, self._process
        _kill(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        kill_orphans()
        ending.status = os.waitstatus_to_exitcode(status)
        used = usage.ru_utime + usage.ru_stime
        ending.cpu_seconds = max(ending.cpu_seconds, used)
        if ending.why == "ended" and used >= self._limits["cpu_seconds"]:
            ending.why = "cpu_seconds"
        self._drain()

    def _drain(self) -> None:
        why = self._ending.why
        for read in (self._read_stdout, self._read_stderr):
            while read():
                pass
        if why not in ("report", "ended"):
            self._ending.why = why  # it printed too much as well; the first cause counts


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):  # it may have gone by itself
        os.kill(pid, signal.SIGKILL)


def kill_orphans() -> None:
    """Kill and reap processes that the run left running; one with its own namespace leaves none."""
    while _has_children():
        for process in _family(os.getpid())[1:]:
            _kill(process.pid)


def _has_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True


def _own_memory() -> int:
    pages = int(Path("/proc/self/statm").read_bytes().split()[1])
    return pages * resource.getpagesize()
