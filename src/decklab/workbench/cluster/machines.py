"""Runs the work: on this machine alone, or by Dask workers on one or many. Both do the same."""

import logging
import os
import pickle
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from typing import Any, Final

import dask
import distributed
from distributed.client import FutureCancelledError

from decklab.core.errors import Unavailable
from decklab.core.files import scratch_folder
from decklab.scoring.process_pool import StandingPool, WorkerDied, interrupts_blocked
from decklab.scoring.run import task_seconds
from decklab.workbench.cluster.jobs import DeckRows, DeckTask, Job, failed_rows, retried, worker_of

Pool = StandingPool[DeckTask, DeckRows]

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
    tasks: Iterable[DeckTask], job: Job, machine: Machine, *, tell: Callable[[str], object]
) -> Generator[DeckRows, None, None]:
    """The rows of each task's deck, as each is ready; all processes end with the iteration."""
    if machine.address is None and not machine.workers:
        yield from on_this_machine(tasks, job, machine.processes)
    else:
        yield from on_dask(tasks, job, machine, tell=tell)


def pool_of(job: Job, processes: int) -> Pool:
    """Processes that work on decks, each with a LibreOffice of its own, replaced now and then."""
    return StandingPool(
        partial(worker_of, job), processes=processes,
        task_seconds=task_seconds(job.deadline), memory_bytes=job.memory_bytes,
    )  # fmt: skip


def worked_on(pool: Pool, job: Job, task: DeckTask) -> DeckRows:
    """The rows of a deck; if its process dies it is tried once more, then it is a failed row."""
    reason = ""
    for attempt in range(1, ATTEMPTS + 1):
        outcome = pool.do(task)
        if not isinstance(outcome, WorkerDied):
            return outcome if attempt == 1 else retried(outcome, attempt)
        reason = outcome.reason
    return failed_rows(task, job, f"{reason}, {ATTEMPTS} times", ATTEMPTS)


def on_this_machine(tasks: Iterable[DeckTask], job: Job, processes: int) -> Iterator[DeckRows]:
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
                yield from (one.result() for one in done)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (one.result() for one in done)


def on_dask(
    tasks: Iterable[DeckTask],
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
    client: distributed.Client, tasks: Iterable[DeckTask], job: Job
) -> Iterator[DeckRows]:
    """Give out tasks as workers have room, also workers that join later, and gather the rows."""
    packed = pickle.dumps(job)  # with each task: what is stored on workers dies with them
    given: dict[Any, DeckTask] = {}
    done = distributed.as_completed(with_results=False)
    for task in tasks:
        future = client.submit(_on_worker, packed, task, pure=False)
        given[future] = task
        done.add(future)
        while len(given) >= IN_FLIGHT * _threads(client):
            yield _rows_of(done, given, job)
    while given:
        yield _rows_of(done, given, job)


def _threads(client: distributed.Client) -> int:
    return max(1, sum(map(int, client.nthreads().values())))


def _rows_of(done: Any, given: dict[Any, DeckTask], job: Job) -> DeckRows:
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


def _on_worker(packed: bytes, task: DeckTask) -> DeckRows:
    """Runs in a Dask worker: the deck goes to a process below it, which may die alone."""
    job: Job = pickle.loads(packed)
    with _POOLS_LOCK:
        pool = _POOLS.get(packed)
        if pool is None:
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
