from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from tests.openai_server import images_of, serving

from decklab.benchmarks.pptarena import task as task_module
from decklab.benchmarks.pptarena.cases import CaseSet
from decklab.benchmarks.pptarena.editors import BASELINES
from decklab.benchmarks.pptarena.task import pptarena_task


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


def test_a_judge_is_asked_through_inspect(
    starter: CaseSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(['{"score": 2, "reason": "Half of it."}']) as server:
        monkeypatch.setattr(task_module, "open_model", lambda _name: server.model())
        task = pptarena_task(
            starter, BASELINES["noop"], str(tmp_path), judge="judge/one", pictures=False
        )
        [log] = inspect_eval(task, model="none", log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success", log.error
    values: list[Any] = [sample.scores["editing"] for sample in log.samples or () if sample.scores]
    assert [score.value["IF"] for score in values] == [2, 2]
    assert all("VQ" not in score.value for score in values)
    assert values[0].metadata["not_scored"]["VQ"] == "pictures were not asked for"
    assert len(server.requests) == 2
    assert all(images_of(request) == [] for request in server.requests)
