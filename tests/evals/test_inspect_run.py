"""Tasks whose samples break off: some may, all may not."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from decklab.core.errors import ModelFailed
from decklab.core.results import NotScored
from decklab.evals.inspect_run import EVERY_SAMPLE, run_task, sample_score
from decklab.models.asking import ModelReply, Usage
from decklab.models.inspect import asking
from decklab.models.model_run import ModelRun

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


@pytest.mark.parametrize(
    ("spent", "reported", "error"),
    [
        (Usage(requests=3), False, True),
        (Usage(requests=3), True, False),  # the report of decklab bench says so
        (Usage(), False, False),  # no model was asked
        (Usage(10, 2, 0.1, 3), False, False),
        (Usage(requests=1, untold=1), False, False),
    ],
)
def test_a_sample_is_an_error_if_no_model_ever_replied(
    spent: Usage, reported: bool, error: bool
) -> None:
    run = ModelRun(reported=reported)
    run.costs.add(spent)
    if error:
        with pytest.raises(ModelFailed, match="no reply to 3 requests: it is down"):
            sample_score(NotScored("it is down"), run)
    else:
        assert sample_score(NotScored("it is down"), run).explanation == "it is down"
    assert sample_score(0.5, run).value == 0.5


def test_the_mock_of_inspect_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def downloads(_text: str) -> int:
        raise ConnectionError("an encoding would be downloaded")

    monkeypatch.setattr("inspect_ai.model._model.count_text_tokens", downloads)
    with asking(get_model("mockllm/model")) as ask:
        reply: ModelReply[Any] = ask("How are you?")
    assert reply.text == "Default output from mockllm/model"
    assert reply.usage.input_tokens > 0
