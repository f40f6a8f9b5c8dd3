"""Tasks over several processes, which go on when a process dies.

The standard pools stop all work when one process dies; here a deck that kills its process must fail
alone. They also import the caller's main program in each process, which starts the work again where
that program has no guard, and fails where it has no file; these processes import decklab and
nothing of the caller's.
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
"""Entered once in each process; returns the function that does one task. Must be picklable."""

TASKS_PER_PROCESS = 40
"""A process is replaced after this many tasks, because libraries leak memory (ours)."""

START_SECONDS = 120.0
"""Seconds for a process to import its modules, besides the time for its first task (ours)."""

PARTING_SECONDS = 3.0
"""Seconds for a process to clean up before it is killed (ours)."""


@dataclass(frozen=True)
class WorkerDied:
    """The result of a task whose process ended or was stopped during it."""

    reason: str


@dataclass(frozen=True)
class _Ready:
    """The message of a process that is ready for its first task."""


class _Worker(Generic[T, R]):
    """One process and its present task."""

    def __init__(self, work: Work[T, R]) -> None:
        self.connection, theirs = Pipe()
        with theirs, _interrupts_blocked():
            self.process = _started(theirs.fileno())
        with suppress(ConnectionError):  # as in give
            self.connection.send(work)
        self.index = -1
        self.since = time.monotonic()
        self.ready = False
        self.done = 0

    def until(self, task_seconds: float) -> float:
        """The time by which its task must be done."""
        return self.since + task_seconds + (0 if self.ready else START_SECONDS)

    def give(self, index: int, task: T) -> None:
        self.index, self.since = index, time.monotonic()
        with suppress(ConnectionError):  # a dead process is noticed when its result is awaited
            self.connection.send(task)

    def take(self) -> R | WorkerDied | _Ready:
        """The message from the process; after "ready", the time of its task begins."""
        try:
            result: R | _Ready = self.connection.recv()
        except (EOFError, ConnectionError):  # reset if it died before reading its task
            return WorkerDied(f"the process died with exit code {self.process.wait()}")
        if isinstance(result, _Ready):
            self.since, self.ready = time.monotonic(), True
        else:
            self.done += 1
        return result

    def stop(self, *, kill: bool = False) -> None:
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
    serving = f"from {__name__} import serve_tasks; serve_tasks({connection})"
    code = f"import sys; sys.path[:] = {path!a}; {serving}"
    alone = "-I" if sys.flags.isolated else "-P"
    return subprocess.Popen(
        [sys.executable, alone, "-c", code], stdin=subprocess.DEVNULL, pass_fds=[connection]
    )


def _leave(*_: object) -> NoReturn:
    """End the process through every ``with`` block it is in, so that each cleans up.

    A second signal does not stop the cleaning up.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes started in the block never see Ctrl-C, not even before their first line runs.

    A terminal sends it to all of them; the parent process ends them.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve_tasks(descriptor: int) -> None:
    """The loop of a process: receive the work, then tasks, until the other end closes."""
    signal.signal(signal.SIGTERM, _leave)
    connection = Connection(descriptor)
    try:
        work: Work[Any, Any] = connection.recv()
    except (EOFError, ConnectionError):
        return
    with work() as do:
        with suppress(ConnectionError):  # then there is no task
            connection.send(_Ready())
        while True:
            try:
                task = connection.recv()
            except (EOFError, ConnectionError):
                return
            result = do(task)
            try:
                connection.send(result)
            except ConnectionError:  # nobody waits for the result
                return


def run_tasks(
    work: Work[T, R], tasks: Sequence[T], *, processes: int, task_seconds: float
) -> Iterator[tuple[int, R | WorkerDied]]:
    """Do all ``tasks`` on ``processes`` processes; yield (index, result) as each is ready.

    A task that kills its process, or is not done after ``task_seconds``, yields ``WorkerDied`` and
    the rest goes on. Processes end with the iteration, however it ends.
    """
    waiting = deque(enumerate(tasks))
    workers: list[_Worker[T, R]] = []
    try:
        workers.extend(_Worker(work) for _ in range(min(processes, len(tasks))))
        for worker in workers:
            worker.give(*waiting.popleft())
        while workers:
            yield from _collect(workers, work, waiting, task_seconds)
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.stop(kill=True)


def _collect(
    workers: list[_Worker[T, R]],
    work: Work[T, R],
    waiting: deque[tuple[int, T]],
    task_seconds: float,
) -> Iterator[tuple[int, R | WorkerDied]]:
    """Wait for the next result or deadline, give out the next tasks, and yield the results."""
    until = min(worker.until(task_seconds) for worker in workers)
    ready = wait([worker.connection for worker in workers], max(0, until - time.monotonic()))
    for place, worker in reversed(list(enumerate(workers))):
        if worker.connection in ready:
            outcome = worker.take()
            if isinstance(outcome, _Ready):
                continue
        elif time.monotonic() >= worker.until(task_seconds):
            outcome = WorkerDied(f"not done after {task_seconds:.0f} s")
        else:
            continue
        index = worker.index
        spent = isinstance(outcome, WorkerDied) or worker.done >= TASKS_PER_PROCESS
        if spent or not waiting:
            worker.stop(kill=isinstance(outcome, WorkerDied))
            del workers[place]
        if waiting:
            successor = worker
            if spent:
                successor = _Worker(work)
                workers.append(successor)
            successor.give(*waiting.popleft())
        yield index, outcome
