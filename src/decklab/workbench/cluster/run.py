"""A run: sources in, a data set out, finished decks left alone. It works on this machine alone, or
by Dask workers on one or many machines, with the same result.
"""

import hashlib
import logging
import os
import pickle
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any, Final

import dask
import distributed
from distributed.client import FutureCancelledError

from decklab.core.errors import SourceError, Unavailable
from decklab.core.files import scratch_folder
from decklab.scoring.process_pool import StandingPool, WorkerDied, interrupts_blocked
from decklab.scoring.run import task_seconds
from decklab.workbench.cluster.dataset import (
    Dataset,
    counts,
    drop_replaced,
    finished_keys,
    held_dataset,
    write_part,
)
from decklab.workbench.cluster.jobs import DeckRows, DeckWork, Job, failed_rows, retried, worker_of
from decklab.workbench.cluster.sources import SourceItem

Pool = StandingPool[DeckWork, DeckRows]

ATTEMPTS: Final = 2
"""How often a deck is tried whose process dies or takes too long."""
IN_FLIGHT: Final = 3
"""Decks for each process that are given out at once: one at work, others on their way. Ours."""
CONNECT_SECONDS: Final = 20.0


@dataclass(frozen=True)
class Machine:
    """Where work is done: the Dask scheduler at ``address``; without one ``workers`` Dask workers
    that are started here; with neither ``processes`` of this machine, without Dask."""

    address: str | None = None
    workers: int = 0
    processes: int = 1


def machine_named(text: str, processes: int | None = None) -> Machine:
    """The machine that a text names: ``local`` for one Dask worker a core, ``local:N`` for N of
    them, ``local:0`` for processes without Dask, or a scheduler's address.

    Raises ValueError for ``local:`` with something else than a number.

    >>> machine_named("local:2")
    Machine(address=None, workers=2, processes=1)
    >>> machine_named("tcp://10.0.0.7:8786").address
    'tcp://10.0.0.7:8786'
    """
    cores = processes or len(os.sched_getaffinity(0))
    name, _, number = text.partition(":")
    if name != "local":
        return Machine(address=text)
    if not number:
        return Machine(workers=cores)
    return Machine(workers=int(number)) if int(number) else Machine(processes=cores)


def rows_from(
    tasks: Iterable[DeckWork], job: Job, machine: Machine, *, tell: Callable[[str], object]
) -> Generator[DeckRows, None, None]:
    """The rows of each task's deck, as each is ready; all processes end with the iteration."""
    if machine.address is None and not machine.workers:
        yield from on_this_machine(tasks, job, machine.processes)
    else:
        yield from on_dask(tasks, job, machine, tell=tell)


def pool_of(job: Job, processes: int) -> Pool:
    """Processes that work on decks, each with a LibreOffice of its own, replaced now and then."""
    pool = partial(StandingPool, partial(worker_of, job), processes=processes)
    return pool(task_seconds=task_seconds(job.deadline), memory_bytes=job.memory_bytes)


def worked_on(pool: Pool, job: Job, task: DeckWork) -> DeckRows:
    """The rows of a deck; if its process dies it is tried once more, then it is a failed row."""
    reason = ""
    for attempt in range(1, ATTEMPTS + 1):
        outcome = pool.do(task)
        if not isinstance(outcome, WorkerDied):
            return outcome if attempt == 1 else retried(outcome, attempt)
        reason = outcome.reason
    return failed_rows(task, job, f"{reason}, {ATTEMPTS} times", ATTEMPTS)


def on_this_machine(tasks: Iterable[DeckWork], job: Job, processes: int) -> Iterator[DeckRows]:
    """Do tasks on processes of this machine; at most a few for each process are taken at once.

    The processes end with the iteration, however it ends.
    """
    with ExitStack() as stack:
        threads = ThreadPoolExecutor(processes)
        stack.callback(threads.shutdown, wait=False, cancel_futures=True)
        pool = stack.enter_context(pool_of(job, processes))
        waiting: set[Future[DeckRows]] = set()
        for task in tasks:
            waiting.add(threads.submit(worked_on, pool, job, task))
            if len(waiting) >= IN_FLIGHT * processes:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (item.result() for item in done)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (item.result() for item in done)


def on_dask(
    tasks: Iterable[DeckWork],
    job: Job,
    machine: Machine,
    *,
    tell: Callable[[str], object] = lambda line: None,
) -> Iterator[DeckRows]:
    """Do tasks on the Dask workers of ``machine``.

    ``tell`` is given the address of the dashboard. A worker that dies costs its decks one more
    attempt on another. Raises Unavailable if no scheduler answers.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(_SETTINGS))
        client = _client(stack, machine)
        stack.callback(client.close)
        tell(f"dashboard: {client.dashboard_link}")
        stack.callback(_close_pools, client)
        yield from _gathered(client, tasks, job)


_SETTINGS: Final = {
    "distributed.scheduler.allowed-failures": ATTEMPTS - 1,
    "distributed.logging.distributed": "critical",
}


def _client(stack: ExitStack, machine: Machine) -> distributed.Client:
    if machine.address is None:
        resource_tracker.ensure_running()  # it would let interrupts through when it starts
        folder = stack.enter_context(scratch_folder("dask"))
        stack.enter_context(dask.config.set({"temporary-directory": str(folder)}))
        # In a thread: a signal that comes while it starts does not leave it half started.
        starter = stack.enter_context(ThreadPoolExecutor(1))
        with interrupts_blocked():  # inherited by the threads and processes that it starts
            starting = starter.submit(
                distributed.LocalCluster, n_workers=machine.workers, threads_per_worker=1,
                processes=True, memory_limit=None, dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )  # fmt: skip
        stack.callback(lambda: starting.result().close())
        return distributed.Client(starting.result())
    try:
        return distributed.Client(machine.address, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        detail = f"no Dask scheduler answers at {machine.address}: {error}"
        raise Unavailable(" ".join(detail.split())) from error


def _gathered(
    client: distributed.Client, tasks: Iterable[DeckWork], job: Job
) -> Iterator[DeckRows]:
    """Give out tasks as workers have room, also workers that join later, and gather the rows."""
    packed = pickle.dumps(job)  # with each task: what is stored on workers dies with them
    given: dict[Any, DeckWork] = {}
    done = distributed.as_completed(with_results=False)
    for task in tasks:
        future = client.submit(_on_worker, packed, task, pure=False)
        given[future] = task
        done.add(future)
        while len(given) >= IN_FLIGHT * max(1, sum(map(int, client.nthreads().values()))):
            yield _rows_of(done, given, job)
    while given:
        yield _rows_of(done, given, job)


def _rows_of(done: Any, given: dict[Any, DeckWork], job: Job) -> DeckRows:
    future = next(done)
    task = given.pop(future)
    try:
        rows: DeckRows = future.result()
    except (distributed.KilledWorker, FutureCancelledError):
        rows = failed_rows(task, job, f"its worker died, {ATTEMPTS} times", ATTEMPTS)
    future.release()
    return rows


_POOLS: dict[bytes, Pool] = {}
_POOLS_LOCK: Final = threading.Lock()


def _on_worker(packed: bytes, task: DeckWork) -> DeckRows:
    """Runs in a Dask worker: the deck goes to a process below it, which may die alone."""
    job: Job = pickle.loads(packed)
    with _POOLS_LOCK:
        if (pool := _POOLS.get(packed)) is None:
            pool = _POOLS[packed] = pool_of(job, distributed.get_worker().state.nthreads)
    return worked_on(pool, job, task)


def close_worker_pools() -> None:
    """Runs in a Dask worker when a run is over: end the processes below it."""
    with _POOLS_LOCK:
        pools = list(_POOLS.values())
        _POOLS.clear()
    for pool in pools:
        pool.close()


def _close_pools(client: distributed.Client) -> None:
    with suppress(OSError, TimeoutError, RuntimeError):
        client.run(close_worker_pools, on_error="ignore")


PART_DECKS = 256
PART_BYTES = 32 * 2**20
PART_SECONDS = 60.0
"""A part is written after so many decks, bytes of packed rows, or seconds. Ours: a run that is
killed loses a minute of work."""


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    finished: int
    """Decks whose rows this run has."""
    failed: int
    skipped: int
    """Decks that an earlier run finished."""
    found: int
    """Decks that were taken from the source so far."""
    complete: bool
    """Whether the source has no more."""


@dataclass(frozen=True)
class DatasetRun:
    """Result of a run, and the data set that it wrote to."""

    dataset: Dataset
    finished: int
    failed: int
    skipped: int
    replaced: int
    seconds: float
    first_error: str | None = None

    @property
    def all_failed(self) -> bool:
        """Whether the run worked on decks, and on none with success."""
        return 0 < self.finished == self.failed


@dataclass
class _Taking:
    """The decks that are taken from the source, each name once, without those that are finished."""

    items: Iterator[SourceItem]
    job: Job
    keys: set[bytes]
    found: int = 0
    skipped: int = 0
    complete: bool = False
    seen: set[int] = field(default_factory=set)

    def tasks(self) -> Iterator[DeckWork]:
        version = self.job.version
        for item in self.items:
            name = int.from_bytes(hashlib.blake2b(os.fsencode(item.name), digest_size=8).digest())
            if name in self.seen:
                continue
            self.seen.add(name)
            self.found += 1
            if (key := task_key(item, version)) in self.keys:
                self.skipped += 1
            else:
                yield DeckWork(item, key.hex())
        self.complete = True


def task_key(item: SourceItem, version: str) -> bytes:
    """Key of what a deck's rows depend on, in 12 bytes: its name, its state, and the work."""
    older = item.before
    parts = [version, item.name, item.state, *((older.name, older.state) if older else ())]
    return hashlib.blake2b(
        "\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=12
    ).digest()


def run_job(
    items: Iterable[SourceItem],
    job: Job,
    out: str | Path,
    *,
    machine: Machine,
    fresh: bool = False,
    progress: Callable[[Progress], object] = lambda done: None,
    tell: Callable[[str], object] = lambda line: None,
) -> DatasetRun:
    """Work on every deck of ``items`` and write a data set to ``out``, which may hold earlier runs.

    Decks that an earlier run finished with the same work and state are left alone; with ``fresh``
    its rows are removed first. ``machine`` says where the work is done. ``tell`` is given the
    address of the dashboard. Decks that are done when the run is stopped are written.

    Raises SourceError if there is no deck at all, or the first source cannot be read;
    Unavailable if no scheduler answers; OSError if ``out`` cannot be written.
    """
    begun = time.monotonic()
    items = _begun(iter(items))
    with held_dataset(Path(out), job, fresh=fresh) as dataset:
        earlier = bool(dataset.files("decks"))
        taking = _Taking(items, job, finished_keys(dataset))
        rows = rows_from(taking.tasks(), job, machine, tell=tell)
        done = _Writing(dataset)
        try:
            progress(done.progress(taking))
            for deck in rows:
                done.take(deck)
                progress(done.progress(taking))
        finally:
            rows.close()  # first: the workers end before anything else is done
            done.flush()
        progress(done.progress(taking))
        replaced = drop_replaced(dataset) if earlier else 0
    counts, seconds = (taking.skipped, replaced), time.monotonic() - begun
    return DatasetRun(dataset, done.finished, done.failed, *counts, seconds, done.first_error)


def _begun(items: Iterator[SourceItem]) -> Iterator[SourceItem]:
    """The same items; the first is taken now, so that a wrong source is an error at once."""
    if (first := next(items, None)) is None:
        raise SourceError("the source", "names no deck")
    if first.problem:
        raise SourceError(first.name, first.problem)
    if first.place == "path" and not Path(first.address).exists():
        raise SourceError(first.name, "there is no such file or folder")
    return chain([first], items)


class _Writing:
    """The rows that wait for their part, and how many there were."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self.finished = self.failed = 0
        self.first_error: str | None = None
        self._rows: list[DeckRows] = []
        self._bytes = 0
        self._since = time.monotonic()

    def take(self, deck: DeckRows) -> None:
        self._rows.append(deck)
        self._bytes += sum(map(len, deck.tables.values()))
        self.finished += 1
        if deck.status == "failed":
            self.failed += 1
            self.first_error = self.first_error or deck.error
        waited = time.monotonic() - self._since
        if len(self._rows) >= PART_DECKS or self._bytes >= PART_BYTES or waited >= PART_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            write_part(self.dataset, self._rows)
        self._rows, self._bytes, self._since = [], 0, time.monotonic()

    def progress(self, taking: _Taking) -> Progress:
        return Progress(self.finished, self.failed, taking.skipped, taking.found, taking.complete)


def described(run: DatasetRun) -> Iterator[str]:
    """Result of a run, in lines for people."""
    rate = run.finished / run.seconds * 60 if run.seconds else 0.0
    yield f"{run.finished} decks in {run.seconds:.0f} s ({rate:.0f} a minute), {run.failed} failed"
    if run.skipped:
        yield f"{run.skipped} were finished before"
    if run.replaced:
        yield f"{run.replaced} had earlier rows, which these replace"
    total = ", ".join(f"{count} {status}" for status, count in sorted(counts(run.dataset).items()))
    yield f"Data set: {run.dataset.folder} ({total})"
