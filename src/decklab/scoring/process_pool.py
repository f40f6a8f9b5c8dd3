"""Tasks over several processes, which go on when a process dies, and lint of many decks over them,
each with a LibreOffice of its own.

The standard pools stop all work when one process dies; here a deck that kills its process must fail
alone. They also import the caller's main program in each process, which starts the work again if
that program has no guard, and fails if it has no file; these processes import decklab and
nothing of the caller's. Those of a command are copies of it,
if no other thread runs.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, Generic, NoReturn, TypeVar

import psutil

from decklab.core.errors import DeckError, DecklabError
from decklab.core.files import Closing
from decklab.core.options import SECONDS_A_DECK
from decklab.core.programs import WATCHER
from decklab.linting.lint import LintResult
from decklab.linting.project import LintOptions, lint_or_error
from decklab.rendering.partial_copies import MOST_SECONDS
from decklab.rendering.renderer import Renderer

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

_DASK_MALLOC = "MALLOC_TRIM_THRESHOLD_"
"""Set by Dask for its workers. With it every large array is memory new from the kernel, and decks
take a sixth longer (measured)."""

LOOK_SECONDS = 0.2
"""Seconds between two looks at whether a task of a standing pool is still wanted (ours)."""


@dataclass(frozen=True)
class WorkerDied:
    """The result of a task whose process ended or was stopped during it."""

    reason: str


@dataclass(frozen=True)
class _Ready:
    """The message of a process that is ready for its first task."""


@dataclass(frozen=True)
class _Told:
    """Message of a task at work."""

    message: object


_LISTENER: list[Connection] = []


def tell(message: object) -> None:
    """Say how far the present task is to the process that gave it; elsewhere nothing happens.

    ``message`` must be picklable.
    """
    for connection in _LISTENER:
        with suppress(ConnectionError):  # as for results
            connection.send(_Told(message))


class _Worker(Generic[T, R]):
    """One process and its present task."""

    def __init__(self, work: Work[T, R], *, fork: bool = False) -> None:
        self.connection, theirs = Pipe()
        with theirs, interrupts_blocked():
            start = _Copy if fork and sys.platform == "linux" and _is_alone() else _started
            self.process: subprocess.Popen[bytes] | _Copy = start(theirs.fileno())
        with suppress(ConnectionError):  # as in give
            self.connection.send(work)
        self.index = -1
        self.since = time.monotonic()
        self.ready, self.done = False, 0

    def until(self, task_seconds: float) -> float:
        """The time by which its task must be done."""
        return self.since + task_seconds + (0 if self.ready else START_SECONDS)

    def give(self, index: int, task: T) -> None:
        self.index, self.since = index, time.monotonic()
        with suppress(ConnectionError):  # a dead process is noticed when its result is awaited
            self.connection.send(task)

    def take(self) -> R | WorkerDied | _Ready | _Told:
        """The message from the process; after "ready", the time of its task begins."""
        try:
            result: R | _Ready | _Told = self.connection.recv()
        except (EOFError, ConnectionError):  # reset if it died before reading its task
            return WorkerDied(f"the process died with exit code {self.process.wait()}")
        if isinstance(result, _Ready):
            self.since, self.ready = time.monotonic(), True
        elif not isinstance(result, _Told):
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


def _is_alone() -> bool:
    """Whether this process can be copied: a copy has the locks of other threads, and nobody who
    opens them. The watcher of a command holds none."""
    others = (thread for thread in threading.enumerate() if thread is not threading.main_thread())
    return all(thread.name == WATCHER for thread in others)


def _started(connection: int) -> subprocess.Popen[bytes]:
    """A Python that serves the descriptor ``connection``, with the caller's import path."""
    path = [item for item in sys.path if isinstance(item, str)]
    serving = f"from {__name__} import serve_tasks; serve_tasks({connection}, {os.getpid()})"
    code = f"import sys; sys.path[:] = {path!a}; {serving}"
    alone = "-I" if sys.flags.isolated else "-P"
    environment = {name: text for name, text in os.environ.items() if name != _DASK_MALLOC}
    return subprocess.Popen(
        [sys.executable, alone, "-c", code],
        stdin=subprocess.DEVNULL, pass_fds=[connection], env=environment,
    )  # fmt: skip


class _Copy:
    """A copy of this process that serves the descriptor ``connection``."""

    def __init__(self, connection: int) -> None:
        process = get_context("fork").Process(
            target=_serve_alone, args=(connection, os.getpid()), daemon=True
        )
        process.start()
        self._process, self.pid = process, process.pid
        self.terminate, self.kill = process.terminate, process.kill

    def wait(self, timeout: float | None = None) -> int | None:
        """The exit code; None if it still runs after ``timeout`` seconds."""
        self._process.join(timeout)
        return self._process.exitcode

    def poll(self) -> int | None:
        """The exit code; None if it still runs."""
        return self._process.exitcode


def _serve_alone(descriptor: int, parent: int) -> None:
    """Serve without what the copied process has open: a connection stays until all copies end."""
    signal.set_wakeup_fd(-1)
    sys.unraisablehook = sys.__unraisablehook__
    for number in [int(item.name) for item in Path("/proc/self/fd").iterdir()]:
        if number > 2 and number != descriptor:
            with suppress(OSError):  # that of the list itself is closed
                os.close(number)
    serve_tasks(descriptor, parent)


def _leave(*_: object) -> NoReturn:
    """End the process through every ``with`` block it is in, so that each cleans up.

    A second signal does not stop the cleaning up.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + signal.SIGTERM)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Processes started in the block never see Ctrl-C, not even before their first line runs.

    A terminal sends it to all of them; the parent process ends them.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(parent: int) -> None:
    """End this process soon after ``parent``, also in the middle of a task.

    The kernel's own signal for that comes when the thread ends that started this process.
    """
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PARTING_SECONDS)
    os._exit(128 + signal.SIGTERM)


def serve_tasks(descriptor: int, parent: int) -> None:
    """The loop of a process: receive the work, then tasks, until the other end closes.

    A task is ended where the process ``parent``, which started this one, is gone.
    """
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    connection = Connection(descriptor)
    _LISTENER[:] = [connection]
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
    work: Work[T, R],
    tasks: Sequence[T],
    *,
    processes: int,
    task_seconds: float,
    heard: Callable[[object], object] = lambda message: None,
    fork: bool = False,
) -> Generator[tuple[int, R | WorkerDied], None, None]:
    """Do all ``tasks`` on ``processes`` processes; yield (index, result) as each is ready.

    ``heard`` is called with what tasks ``tell``. With ``fork`` the processes are copies of this
    one, which need not import anything, if it has no other threads.

    A task that kills its process, or is not done after ``task_seconds``, yields ``WorkerDied`` and
    the rest goes on. Processes end with the iteration, however it ends.
    """
    waiting = deque(enumerate(tasks))
    workers: list[_Worker[T, R]] = []
    try:
        start = partial(_Worker, work, fork=fork)
        workers.extend(start() for _ in range(min(processes, len(tasks))))
        for worker in workers:
            worker.give(*waiting.popleft())
        while workers:
            yield from _collect(workers, start, waiting, task_seconds, heard)
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.stop(kill=True)


def _collect(
    workers: list[_Worker[T, R]],
    start: Callable[[], _Worker[T, R]],
    waiting: deque[tuple[int, T]],
    task_seconds: float,
    heard: Callable[[object], object],
) -> Iterator[tuple[int, R | WorkerDied]]:
    """Wait for the next result or deadline, give out the next tasks, and yield the results."""
    until = min(worker.until(task_seconds) for worker in workers)
    ready = wait([worker.connection for worker in workers], max(0, until - time.monotonic()))
    for position, worker in reversed(list(enumerate(workers))):
        if worker.connection in ready:
            outcome = worker.take()
            if isinstance(outcome, _Told):
                heard(outcome.message)
                continue
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
            del workers[position]
        if waiting:
            successor = worker
            if spent:
                successor = start()
                workers.append(successor)
            successor.give(*waiting.popleft())
        yield index, outcome


class StandingPool(Closing, Generic[T, R]):
    """Processes that stay for tasks to come, one by one, from any thread.

    A process is started when a task finds none that is free, up to ``processes``; a task beyond
    that waits. A task that kills its process, is not done after ``task_seconds``, or takes more
    than ``memory_bytes`` with the processes that it started, fails alone.
    """

    def __init__(
        self,
        work: Work[T, R],
        *,
        processes: int,
        task_seconds: float,
        memory_bytes: int | None = None,
    ) -> None:
        self._work, self._task_seconds = work, task_seconds
        self._memory_bytes = memory_bytes
        self._room = threading.Semaphore(processes)
        self._free: list[_Worker[T, R]] = []
        self._busy: set[_Worker[T, R]] = set()
        self._lock = threading.Lock()
        self._closed = False

    def do(self, task: T, *, check: Callable[[], object] = lambda: None) -> R | WorkerDied:
        """Do a task, and give its result.

        ``check`` is called several times a second while the task waits or runs; an error from it
        ends the task with its process, and is raised.
        """
        while not self._room.acquire(timeout=LOOK_SECONDS):
            check()
        try:
            return self._done(self._taken(), task, check)
        finally:
            self._room.release()

    def _taken(self) -> _Worker[T, R]:
        """A process that is free, or a new one in place of those that ended while nobody looked."""
        while True:
            with self._lock:
                if self._closed:
                    raise ValueError("the pool is closed")
                worker = self._free.pop() if self._free else _Worker(self._work)
                if worker.process.poll() is None:
                    self._busy.add(worker)
                    return worker
            worker.stop()

    def _done(self, worker: _Worker[T, R], task: T, check: Callable[[], object]) -> R | WorkerDied:
        """The result of a task; the process is free again, or ended."""
        sound = False
        try:
            worker.give(0, task)
            outcome = self._awaited(worker, check)
            sound = not isinstance(outcome, WorkerDied)
            return outcome
        finally:
            with self._lock:
                self._busy.discard(worker)
                stays = sound and not self._closed and worker.done < TASKS_PER_PROCESS
                if stays:
                    self._free.append(worker)
            if not stays:
                worker.stop(kill=not sound)

    def _awaited(self, worker: _Worker[T, R], check: Callable[[], object]) -> R | WorkerDied:
        while time.monotonic() < worker.until(self._task_seconds):
            check()
            if wait([worker.connection], LOOK_SECONDS):
                outcome = worker.take()
                if not isinstance(outcome, _Ready | _Told):
                    return outcome
            elif self._memory_bytes is not None and _end_if_larger(worker, self._memory_bytes):
                taken = f"{self._memory_bytes / 2**20:.0f} MB"
                return WorkerDied(f"it took more than {taken} of memory")
        return WorkerDied(f"not done after {self._task_seconds:.0f} s")

    def close(self) -> None:
        """End all processes; a task that is still at work has died."""
        with self._lock:
            self._closed = True
            free, self._free = self._free, []
            busy = list(self._busy)
        for worker in busy:
            worker.process.terminate()
        for worker in busy:
            with suppress(subprocess.TimeoutExpired):
                worker.process.wait(PARTING_SECONDS)
            worker.process.kill()
        for worker in free:
            worker.stop()


def _end_if_larger(worker: _Worker[T, R], most: int) -> bool:
    """Whether a process and those below it take more than ``most`` bytes; then they are killed."""
    with suppress(psutil.NoSuchProcess):  # ended meanwhile; the next look counts the others
        top = psutil.Process(worker.process.pid)
        family = [top, *top.children(recursive=True)]
        if sum(process.memory_info().rss for process in family) <= most:
            return False
        for process in reversed(family):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        return True
    return False


DECKS_A_PROCESS = 4
"""Ours: a process and its LibreOffice take as long to start as about two decks to lint, so that one
more pays from about this many decks each."""

LINT_SECONDS = 4 * SECONDS_A_DECK + MOST_SECONDS
"""Ours: how long one deck may take: drawn at most twice, then perhaps slide by slide, and looked
at."""


@dataclass(frozen=True)
class _Linting:
    """Entered in each process: a started renderer, and the function that lints one deck."""

    options: LintOptions
    renderer: Renderer

    @contextmanager
    def __call__(self) -> Iterator[Callable[[Path], LintResult | DecklabError]]:
        with self.renderer.started() as started:
            yield lambda deck: lint_or_error(deck, self.options, started)


def lint_decks(
    decks: Sequence[Path],
    options: LintOptions,
    *,
    renderer: Renderer | None = None,
    jobs: int | None = None,
) -> Iterator[LintResult | DecklabError]:
    """Findings in each deck, or the error of one that cannot be read, in the order given.

    ``jobs`` is how many processes work; for None one a core, but no more than have
    ``DECKS_A_PROCESS`` decks each. One process is this one. A deck that ends its process, or takes
    longer than ``LINT_SECONDS``, is an error like one that cannot be read.
    """
    work = _Linting(options, renderer or Renderer())
    count = jobs or min(len(os.sched_getaffinity(0)), len(decks) // DECKS_A_PROCESS)
    if count <= 1:
        with work() as lint_one:
            yield from map(lint_one, decks)
        return
    early: dict[int, LintResult | DecklabError] = {}
    following = 0
    for index, outcome in run_tasks(work, decks, processes=count, task_seconds=LINT_SECONDS):
        early[index] = _failed(decks[index], outcome)
        while following in early:
            yield early.pop(following)
            following += 1


def _failed(
    deck: Path, outcome: LintResult | DecklabError | WorkerDied
) -> LintResult | DecklabError:
    if isinstance(outcome, WorkerDied):
        return DeckError(deck, f"the process that linted it ended: {outcome.reason}")
    return outcome
