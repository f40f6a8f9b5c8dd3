import gc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from tests.openai_server import images_of, serving

from decklab.core.errors import ModelFailed
from decklab.core.options import JudgeOptions
from decklab.evals.editors.protocol import EditSession, trusted
from decklab.evals.judges.asking import KnownStatements
from decklab.evals.judges.editing import judging
from decklab.evals.pptarena import task as task_module
from decklab.evals.pptarena.cases import CaseSet, Decks
from decklab.evals.pptarena.running import BASELINES, starter_cases
from decklab.evals.pptarena.task import pptarena, pptarena_task, run_editors
from decklab.models.asking import Prices, RunCosts, Usage
from decklab.models.model_run import ModelRun

# Inspect leaves a memory stream or two to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Collect them here, lest another test be told of them."""
    yield
    gc.collect()


@pytest.mark.long
def test_the_task_scores_an_editor_without_any_model(starter: CaseSet, tmp_path: Path) -> None:
    task = pptarena_task(starter, BASELINES["truth"], str(tmp_path), pictures=False)
    [log] = inspect_eval(task, model="none", log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success", log.error
    assert log.samples is not None
    for sample in log.samples:
        assert sample.scores is not None
        score = sample.scores["editing"]
        assert score.value == {"recall": 1, "precision": 1, "preservation": 1, "edit": 1}
        assert score.metadata is not None
        assert score.metadata["not_scored"] == {"visual": "pictures were not asked for"}
    assert log.eval.metadata is not None
    assert log.eval.metadata["cases_version"] == starter.version


def _no_statements(*_: object) -> KnownStatements:
    """None that a judge has to know: these tests are about how it is asked."""
    return KnownStatements({})


@pytest.mark.long
def test_a_judge_is_asked_through_inspect(
    starter: CaseSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "known_statements", _no_statements)
    with serving(['{"score": 2, "reason": "Half of it.", "known": []}']) as server:
        monkeypatch.setattr(task_module, "open_model", lambda _name: server.model())
        task = pptarena_task(
            starter,
            BASELINES["noop"],
            str(tmp_path),
            judges=JudgeOptions(["judge/one"]),
            pictures=False,
        )
        [log] = inspect_eval(task, model="none", log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success", log.error
    values: list[Any] = [sample.scores["editing"] for sample in log.samples or () if sample.scores]
    assert [score.value["IF"] for score in values] == [2, 2]
    assert all("VQ" not in score.value for score in values)
    assert values[0].metadata["not_scored"]["VQ"] == "pictures were not asked for"
    assert len(server.requests) == 2
    assert all(images_of(request) == [] for request in server.requests)


@pytest.mark.long
def test_a_recorded_run_of_the_task_asks_nothing_twice(
    starter: CaseSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    def said(_request: object) -> str:
        nonlocal asked
        asked += 1
        return f'{{"score": {asked}, "reason": "Number {asked}.", "known": []}}'

    def marks() -> list[Any]:
        task = pptarena(
            str(starter.path), "noop", "judge/one", pictures=False, out=str(tmp_path / "out"),
            subset=str(subset), record=str(tmp_path / "kept"),
        )  # fmt: skip
        [log] = inspect_eval(task, model="none", log_dir=str(tmp_path / "logs"), display="none")
        assert log.status == "success", log.error
        scored: list[Any] = [one.scores["editing"] for one in log.samples or () if one.scores]
        return [one.value["IF"] for one in scored]

    monkeypatch.setattr(judging, "known_statements", _no_statements)
    subset = tmp_path / "subset.txt"
    subset.write_text("Where to sign up\n")
    with serving(said) as server:
        monkeypatch.setattr(task_module, "open_model", lambda _name: server.model())
        assert [marks(), marks()] == [[1], [1]]
    assert asked == 1


@pytest.mark.long
def test_what_an_editor_asks_is_counted_and_priced(starter: CaseSet, tmp_path: Path) -> None:
    def asks(deck: Path, instruction: str, session: EditSession) -> None:
        session.ask("What?")
        session.ask("And?")

    models = ModelRun(RunCosts(prices={"": Prices(1.0, 10.0)}))
    with serving(["Well."]) as server, Decks(pictures=False) as decks:
        found = run_editors(
            starter, {"a.b:asks": lambda case: trusted(asks)}, tmp_path / "out", decks=decks,
            model=server.model(), run=models,
        )["a.b:asks"]  # fmt: skip
    assert [replace(one.usage, seconds=0.0) for one in found] == [Usage(14, 6, 0.0, 2)] * 2
    assert [one.cost for one in found] == [pytest.approx(74e-6)] * 2
    assert models.costs.cost == pytest.approx(148e-6)
    assert len(server.requests) == 4


@pytest.mark.long
def test_means_are_over_the_cases_that_have_a_value(tmp_path: Path) -> None:
    cases = starter_cases(tmp_path / "cases", ["Where to sign up", "Storage stands out"])
    task = pptarena_task(cases, BASELINES["commands"], str(tmp_path), pictures=False)
    [log] = inspect_eval(task, model="none", log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success", log.error
    assert log.results is not None
    [scores] = log.results.scores
    found = {name: one.value for name, one in scores.metrics.items()}
    assert found["recall"] == found["edit"] == 0.5
    assert found["precision"] == 1  # of the one case in which something was changed
    assert (found["interactivity_recall"], found["content_recall"]) == (1, 0)
    assert "content_precision" not in found


def test_an_editor_that_could_not_be_run_is_not_scored(starter: CaseSet, tmp_path: Path) -> None:
    def fails(deck: Path, instruction: str, session: EditSession) -> None:
        raise ModelFailed("some/model", "no reply came")

    task = pptarena_task(starter, lambda case: trusted(fails), str(tmp_path), pictures=False)
    [log] = inspect_eval(task, model="none", log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success", log.error
    scores = [sample.scores["editing"] for sample in log.samples or () if sample.scores]
    assert len(scores) == 2
    assert all("no reply came" in (score.explanation or "") for score in scores)
    assert all("could not be run" in (score.metadata or {})["not_scored"]["edit"]
               for score in scores)  # fmt: skip


def test_the_registered_task_runs_with_the_mock_provider(
    starter: CaseSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_module, "starter_cases", lambda _folder: starter)
    task = pptarena(editor="agent", pictures=False, out=str(tmp_path / "out"))
    said = ModelOutput.from_content("mockllm/model", "I would rather not.")
    said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it is reckoned
    mock = get_model("mockllm/model", custom_outputs=[said] * 9, memoize=False)
    [log] = inspect_eval(
        task, model=mock, limit=1, log_dir=str(tmp_path / "logs"), display="none"
    )  # fmt: skip
    assert log.status == "success", log.error
    assert log.samples is not None
    [sample] = log.samples
    assert sample.metadata["ending"] == "refused"
    assert sample.scores is not None
    value: Any = sample.scores["editing"].value
    assert value == {"recall": 0, "preservation": 1, "edit": 0}
