"""Work over several processes that survives a process that dies.

The standard pools give up on everything when one process dies; a deck that kills its process
must cost only itself. They also import the caller's main program anew in each process, which
starts the work again where that program has no guard, and fails where it has no file; these
processes import decklab and nothing of the caller's.
"""

import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, Generic, NoReturn, TypeVar

T = TypeVar("T")
R = TypeVar("R")

Work = Callable[[], AbstractContextManager[Callable[[T], R]]]
"""Entered once in each process; gives the function that does one task. Must be picklable."""

TASKS_PER_PROCESS = 40
"""A process is replaced after so many tasks: libraries that leak must not add up (ours)."""

START_SECONDS = 120.0
"""What a process gets, beyond the time for its first task, to import what it needs (ours)."""

PARTING_SECONDS = 3.0
"""What a process gets to clear up after itself before it is killed (ours)."""


@dataclass(frozen=True)
class Died:
    """Stands in for the result of a task whose process ended or was stopped over it."""

    reason: str


@dataclass(frozen=True)
class _Ready:
    """What a process says once it is about to take its first task."""


class _Member(Generic[T, R]):
    """One process and the task it holds."""

    def __init__(self, work: Work[T, R]) -> None:
        self.connection, theirs = Pipe()
        with theirs, _deaf_to_interrupts():
            self.process = _started(theirs.fileno())
        with suppress(ConnectionError):  # as in give
            self.connection.send(work)
        self.index = -1
        self.since = time.monotonic()
        self.ready = False
        self.done = 0

    def until(self, task_seconds: float) -> float:
        """When its task has to be done."""
        return self.since + task_seconds + (0 if self.ready else START_SECONDS)

    def give(self, index: int, task: T) -> None:
        self.index, self.since = index, time.monotonic()
        with suppress(ConnectionError):  # a dead process is met again when its result is awaited
            self.connection.send(task)

    def take(self) -> R | Died | _Ready:
        """What came; of a process that says that it is ready, the time of its task begins."""
        try:
            result: R | _Ready = self.connection.recv()
        except (EOFError, ConnectionError):  # reset where it died with its task unread
            return Died(f"the process died with exit code {self.process.wait()}")
        if isinstance(result, _Ready):
            self.since, self.ready = time.monotonic(), True
        else:
            self.done += 1
        return result

    def retire(self, *, kill: bool = False) -> None:
        self.connection.close()
        if kill:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(PARTING_SECONDS)
            self.process.kill()
        self.process.wait()


def _started(connection: int) -> subprocess.Popen[bytes]:
    """A Python that serves the descriptor ``connection``, with the caller's import path."""
    path = [item for item in sys.path if isinstance(item, str)]
    code = f"import sys; sys.path[:] = {path!a}; from {__name__} import serve; serve({connection})"
    alone = "-I" if sys.flags.isolated else "-P"
    return subprocess.Popen(
        [sys.executable, alone, "-c", code], stdin=subprocess.DEVNULL, pass_fds=[connection]
    )


def _leave(*_: object) -> NoReturn:
    """End the process by way of every ``with`` block it is in, so that nothing stays behind.

    Asked again, it goes on clearing up.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started in the block never see Ctrl-C, not even before their first line runs.

    A terminal sends it to them all; they are ended by the one that was asked to stop.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(descriptor: int) -> None:
    """What a process does: take the work, then tasks, until the other end closes."""
    signal.signal(signal.SIGTERM, _leave)
    connection = Connection(descriptor)
    try:
        work: Work[Any, Any] = connection.recv()
    except (EOFError, ConnectionError):
        return
    with work() as do:
        with suppress(ConnectionError):  # then there is no task either
            connection.send(_Ready())
        while True:
            try:
                task = connection.recv()
            except (EOFError, ConnectionError):
                return
            result = do(task)
            try:
                connection.send(result)
            except ConnectionError:  # nobody waits for it any more
                return


def crew(
    work: Work[T, R], tasks: Sequence[T], *, processes: int, task_seconds: float
) -> Iterator[tuple[int, R | Died]]:
    """Do all ``tasks`` on ``processes`` processes; yield (index, result) as each is ready.

    A task that kills its process, or is not done after ``task_seconds``, yields ``Died`` and
    the rest goes on. Processes end with the iteration, however it ends.
    """
    waiting = deque(enumerate(tasks))
    members: list[_Member[T, R]] = []
    try:
        members.extend(_Member(work) for _ in range(min(processes, len(tasks))))
        for member in members:
            member.give(*waiting.popleft())
        while members:
            yield from _collect(members, work, waiting, task_seconds)
    finally:
        for member in members:
            member.process.terminate()
        for member in members:
            member.retire(kill=True)


def _collect(
    members: list[_Member[T, R]],
    work: Work[T, R],
    waiting: deque[tuple[int, T]],
    task_seconds: float,
) -> Iterator[tuple[int, R | Died]]:
    """Wait for the next result or deadline, hand out what comes next, yield what came."""
    until = min(member.until(task_seconds) for member in members)
    ready = wait([member.connection for member in members], max(0, until - time.monotonic()))
    for place, member in reversed(list(enumerate(members))):
        if member.connection in ready:
            outcome = member.take()
            if isinstance(outcome, _Ready):
                continue
        elif time.monotonic() >= member.until(task_seconds):
            outcome = Died(f"not done after {task_seconds:.0f} s")
        else:
            continue
        index = member.index
        spent = isinstance(outcome, Died) or member.done >= TASKS_PER_PROCESS
        if spent or not waiting:
            member.retire(kill=isinstance(outcome, Died))
            del members[place]
        if waiting:
            successor = member
            if spent:
                successor = _Member(work)
                members.append(successor)
            successor.give(*waiting.popleft())
        yield index, outcome
