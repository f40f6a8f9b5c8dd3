import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import psutil
import pytest

from decklab.scoring.process_pool import StandingPool, WorkerDied, run_tasks, tell


@contextmanager
def behaviours() -> Iterator[Callable[[str], str]]:
    def do(task: str) -> str:
        if task == "die":
            os._exit(7)
        if task == "hang":
            time.sleep(60)
        tell(f"at {task}")
        return task.upper()

    yield do


def done(
    tasks: list[str], *, processes: int, task_seconds: float = 30, fork: bool = False
) -> dict[int, str | WorkerDied]:
    running = run_tasks(
        behaviours, tasks, processes=processes, task_seconds=task_seconds, fork=fork
    )
    return dict(running)


KINDS = pytest.mark.parametrize("fork", [False, True], ids=["new", "copied"])


@KINDS
def test_every_task_is_done_once(fork: bool) -> None:
    tasks = [f"task {n}" for n in range(90)]
    assert done(tasks, processes=2, fork=fork) == {n: task.upper() for n, task in enumerate(tasks)}


def test_what_tasks_tell_is_heard_while_they_work() -> None:
    heard: list[object] = []
    results = run_tasks(behaviours, ["a", "b"], processes=1, task_seconds=30, heard=heard.append)
    assert dict(results) == {0: "A", 1: "B"}
    assert heard == ["at a", "at b"]
    tell("to nobody")  # outside a process of the pool


@KINDS
def test_a_task_that_kills_its_process_costs_only_itself(fork: bool) -> None:
    results = done(["a", "die", "b", "die", "c"], processes=2, fork=fork)
    assert [results[n] for n in (0, 2, 4)] == ["A", "B", "C"]
    assert results[1] == results[3] == WorkerDied("the process died with exit code 7")


@pytest.mark.long
@KINDS
def test_a_task_that_hangs_is_stopped_and_the_rest_goes_on(fork: bool) -> None:
    started = time.monotonic()
    results = done(["hang", "a", "b"], processes=1, task_seconds=4, fork=fork)
    assert results == {0: WorkerDied("not done after 4 s"), 1: "A", 2: "B"}
    assert time.monotonic() - started < 20


@KINDS
def test_leaving_early_ends_the_processes(fork: bool) -> None:
    running = run_tasks(behaviours, ["a", "hang"], processes=2, task_seconds=60, fork=fork)
    assert next(running) == (0, "A")
    started = time.monotonic()
    running.close()
    assert time.monotonic() - started < 5


def test_no_tasks_need_no_process() -> None:
    assert done([], processes=4) == {}


@contextmanager
def leaving_a_mark() -> Iterator[Callable[[str], str]]:
    marks: list[str] = []

    def do(task: str) -> str:
        if not task:
            return task
        marks.append(task)
        Path(task).touch()
        time.sleep(60)
        return task

    try:
        yield do
    finally:
        for mark in marks:
            time.sleep(1.5 if mark.endswith("slow") else 0.3)
            Path(mark).unlink()


@pytest.mark.long
def test_a_stopped_process_clears_up_after_itself(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    results = dict(run_tasks(leaving_a_mark, [str(mark)], processes=1, task_seconds=5))
    assert isinstance(results[0], WorkerDied)
    assert not mark.exists()


@pytest.mark.long
def test_processes_that_are_stopped_together_all_clear_up(tmp_path: Path) -> None:
    marks = [tmp_path / "quick", tmp_path / "slow"]
    running = run_tasks(leaving_a_mark, ["", *map(str, marks)], processes=3, task_seconds=60)
    assert next(running) == (0, "")
    deadline = time.monotonic() + 20
    while not all(mark.exists() for mark in marks) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert all(mark.exists() for mark in marks)
    running.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_process_ends_and_clears_up_soon_after_its_parent_was_killed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    pool = f"""
from decklab.scoring.process_pool import run_tasks
from {__name__} import leaving_a_mark
list(run_tasks(leaving_a_mark, [{str(mark)!r}], processes=1, task_seconds=60))
"""
    path = os.pathsep.join(item for item in sys.path if item)
    with subprocess.Popen(
        [sys.executable, "-c", pool], env=os.environ | {"PYTHONPATH": path}
    ) as one:
        deadline = time.monotonic() + 30
        while not mark.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert mark.exists()
        (worker,) = psutil.Process(one.pid).children()
        one.kill()
    worker.wait(5)  # the task would take a minute
    assert not mark.exists()


@contextmanager
def masks() -> Iterator[Callable[[str], bool]]:
    yield lambda _: signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_ctrl_c_never_reaches_the_processes() -> None:
    assert dict(run_tasks(masks, ["a", "b"], processes=2, task_seconds=30)) == {0: True, 1: True}
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


class NeverStarts:
    """Work whose process dies before it can read its task."""

    def __reduce__(self) -> tuple[object, ...]:
        return os._exit, (3,)

    def __call__(self) -> AbstractContextManager[Callable[[str], str]]:
        raise AssertionError("it never gets that far")


def test_a_process_that_dies_with_its_task_unread_costs_only_that_task() -> None:
    results = dict(run_tasks(NeverStarts(), ["a", "b", "c"], processes=2, task_seconds=30))
    assert results == dict.fromkeys(range(3), WorkerDied("the process died with exit code 3"))


@pytest.mark.long
def test_a_standing_pool_does_tasks_of_many_threads_and_outlives_those_that_fail() -> None:
    with StandingPool(behaviours, processes=2, task_seconds=2) as pool:
        with ThreadPoolExecutor(4) as threads:
            done = list(threads.map(pool.do, ["a", "die", "b", "hang", "c", "d"]))
        assert done == [
            "A", WorkerDied("the process died with exit code 7"), "B",
            WorkerDied("not done after 2 s"), "C", "D",
        ]  # fmt: skip
        assert pool.do("e") == "E"


@pytest.mark.long
def test_a_task_of_a_standing_pool_ends_when_nobody_wants_it_any_more() -> None:
    started = time.monotonic()

    def gone() -> None:
        if time.monotonic() - started > 1:
            raise InterruptedError

    before = psutil.Process().children()
    with StandingPool(behaviours, processes=1, task_seconds=60) as pool:
        with pytest.raises(InterruptedError):
            pool.do("hang", check=gone)
        assert pool.do("a") == "A"
        (worker,) = set(psutil.Process().children()) - set(before)
        worker.kill()
        worker.wait()
        assert pool.do("b") == "B"  # by another process
    assert time.monotonic() - started < 30
    assert psutil.Process().children() == before
