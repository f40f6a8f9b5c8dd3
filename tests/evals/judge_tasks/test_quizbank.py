"""The task against the loopback server, and without a model."""

import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog
from tests.evals.judges.honest import with_known
from tests.evals.judges.quiz.scripts import bank, exam_reply
from tests.evals.judges.quiz.test_slide_texts import write_deck
from tests.openai_server import prompt_of, serving

from decklab.evals.inspect_run import run_task
from decklab.evals.judge_tasks import quizbank
from decklab.evals.judges.quiz.bank import QuizError, write_bank

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def nothing_is_left_to_other_tests() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "exams" / "harbour"
    place.mkdir(parents=True)
    write_bank(bank(), place / "bank.json")
    write_deck(place / "good.pptx", [("The harbour", "Ships from 31 countries", "")])
    (place / "broken.pptx").write_bytes(b"no deck")
    return place.parent


def metrics_of(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: found.value for one in log.results.scores for name, found in one.metrics.items()}


def test_a_model_is_scored_and_a_broken_deck_is_not(folder: Path, tmp_path: Path) -> None:
    # Right letters ABCDABCDAB: eight of ten here, four of five of each kind.
    replies = {"The slides, as Markdown": exam_reply("ABCDDBCDA-")}

    def answer(request: dict[str, object]) -> str:
        prompt = prompt_of(request)
        said = next(said for mark, said in replies.items() if mark in prompt)
        return with_known(prompt, json.dumps(said), always=True)

    with serving(answer) as server:
        log = run_task(quizbank(str(folder)), logs=tmp_path / "logs", model=server.model())
    assert log.samples is not None
    scores = {str(one.id): (one.scores or {})["exam_accuracy"] for one in log.samples}
    assert scores["harbour/good.pptx"].value == pytest.approx(0.8)
    assert "broken.pptx" in (scores["harbour/broken.pptx"].explanation or "")
    assert metrics_of(log) == pytest.approx({"all": 0.8, "concept": 0.8, "data": 0.8})


def test_without_a_model_the_proxy_answers(folder: Path, tmp_path: Path) -> None:
    log = run_task(quizbank(str(folder)), logs=tmp_path / "logs")
    assert log.samples is not None
    exams = [(one.scores or {})["exam_accuracy"].metadata or {} for one in log.samples]
    assert all(exam["proxy"] is True for exam in exams)


def test_a_folder_without_banks_is_told(tmp_path: Path) -> None:
    with pytest.raises(QuizError, match=r"no folder in it has a bank\.json"):
        quizbank(str(tmp_path))
