"""The task against the loopback server, and without a model."""

import gc
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog
from tests.evals.judges.preference.conftest import judgement
from tests.evals.judges.preference.test_systems import write_grey_deck
from tests.openai_server import prompt_of, serving

from decklab.evals.inspect_run import run_task
from decklab.evals.judge_tasks import prefer_task
from decklab.models.asking_loop import QUESTION, sight_number

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def nothing_is_left_to_other_tests() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three systems; of wind one deck is broken, of coal all but one."""
    for system in ("ours", "theirs"):
        for topic in ("5G", "wind"):
            write_grey_deck(tmp_path / "decks" / system / f"{topic}.pdf", 200)
    write_grey_deck(tmp_path / "decks" / "others" / "wind.pdf", 200)
    write_grey_deck(tmp_path / "decks" / "others" / "coal.pdf", 200)
    write_grey_deck(tmp_path / "decks" / "ours" / "coal.pdf", 200)
    (tmp_path / "decks" / "others" / "coal.pdf").write_bytes(b"nothing")
    (tmp_path / "decks" / "ours" / "wind.pdf").write_bytes(b"nothing")
    return tmp_path / "decks"


def metrics_of(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: found.value for one in log.results.scores for name, found in one.metrics.items()}


def run(task: Task, reply: str, logs: Path) -> EvalLog:
    """A run with a model that sees pictures and otherwise always says the same."""

    def script(request: dict[str, object]) -> str:
        seeing = QUESTION in prompt_of(request)
        return sight_number(f"openai-api/loopback/{request['model']}") if seeing else reply

    with serving(script) as server:
        return run_task(task, logs=logs, model=server.model(f"preference-{next(_NUMBERS)}"))


_NUMBERS = count()


@pytest.mark.long
def test_topics_are_samples_and_systems_are_rated(folder: Path, tmp_path: Path) -> None:
    log = run(prefer_task(str(folder)), judgement("A"), tmp_path / "logs")
    assert log.samples is not None
    scores = {one.id: (one.scores or {}).get("preference_scores") for one in log.samples}
    # A judge that always says A: both orders disagree, and nobody is stronger.
    assert scores["5G"] is not None
    assert scores["5G"].value == 0.0
    assert scores["wind"] is not None and scores["wind"].value == 0.0
    assert "wind.pdf" in str(scores["wind"].explanation)
    assert scores["coal"] is not None and "coal.pdf" in str(scores["coal"].explanation)
    assert all(one.error is None for one in log.samples)
    assert metrics_of(log) == pytest.approx(
        {"ours": 1000, "theirs": 1000, "others": 1000, "flicker": 1.0, "first_place": 1.0}
    )


@pytest.mark.long
def test_scores_of_single_decks_are_averaged(folder: Path, tmp_path: Path) -> None:
    task = prefer_task(str(folder), how="ppteval")
    log = run(task, '{"score": 4, "reason": "seen"}', tmp_path / "logs")
    assert metrics_of(log) == pytest.approx({"ours": 4.0, "theirs": 4.0, "others": 4.0})


def test_without_a_model_nothing_is_scored(folder: Path, tmp_path: Path) -> None:
    log = run_task(prefer_task(str(folder)), logs=tmp_path / "logs")
    assert log.samples is not None
    said = [(one.scores or {})["preference_scores"].explanation for one in log.samples]
    assert said == ["only a model prefers, and none was named"] * 3


@pytest.mark.parametrize(("how", "cause"), [({"how": "taste"}, "no way"), ({"repeats": 0}, "once")])
def test_usage_errors(folder: Path, how: dict, cause: str) -> None:
    with pytest.raises(ValueError, match=cause):
        prefer_task(str(folder), **how)
