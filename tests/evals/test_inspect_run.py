"""Tasks whose samples break off: some may, all may not."""

from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.solver import Generate, Solver, TaskState, solver

from decklab.evals.inspect_run import EVERY_SAMPLE, run_task

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@solver
def breaking_at(broken: frozenset[str]) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.sample_id in broken:
            raise RuntimeError("it broke")
        return state

    return solve


def task(*broken: str) -> Task:
    samples = [Sample(id=name, input=name) for name in ("one", "two", "three")]
    return Task(samples, solver=breaking_at(frozenset(broken)), fail_on_error=EVERY_SAMPLE)


@pytest.mark.parametrize(
    ("broken", "status"),
    [((), "success"), (("one", "two"), "success"), (("one", "two", "three"), "error")],
)
def test_a_task_fails_only_if_all_its_samples_do(
    broken: tuple[str, ...], status: str, tmp_path: Path
) -> None:
    [log] = inspect_eval(task(*broken), model="none", log_dir=str(tmp_path), display="none")
    assert log.status == status


def test_a_benchmark_gets_the_log_of_a_task_that_failed_in_all(tmp_path: Path) -> None:
    log = run_task(task("one", "two", "three"), logs=tmp_path)
    assert [sample.error is not None for sample in log.samples or []] == [True] * 3
