"""The Inspect task from end to end: limits, what the log keeps, failures."""

import base64
import gc
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ContentDocument, ContentImage
from tests.evals.judges.honest import honest
from tests.openai_server import images_of, prompt_of, serving

from decklab.core.options import EditLimits
from decklab.core.results import NotScored
from decklab.evals.editors.protocol import EditSession, plain, trusted
from decklab.evals.ppteval.outcomes import Grading, outcomes_of
from decklab.evals.ppteval.running import ppteval_task
from decklab.evals.ppteval.tasks import EDITORS, EditingTask
from decklab.evals.rubrics.rubric import parse_rubric
from decklab.models.asking_loop import QUESTION, sight_number

# Inspect leaves some of its streams for the garbage collector to close.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def _tidy() -> Iterator[None]:
    """Have them collected here, not in the tests that follow."""
    yield
    gc.collect()


LOOK = """
def compute_score():
    shot = modified_ppt_screenshots[0]
    answer = vlm_call("Is this a cover?", [shot.image_path])
    return answer, float(answer == "YES")
"""


def run(task: Task, folder: Path, model: Any = "none") -> EvalLog:
    [log] = inspect_eval(task, model=model, display="none", log_dir=str(folder))
    return read_eval_log(log.location, resolve_attachments=True)


def kept(log: EvalLog, kind: type) -> list[Any]:
    [sample] = log.samples or []
    return [
        part
        for message in sample.messages
        if not isinstance(message.content, str)
        for part in message.content
        if isinstance(part, kind)
    ]


def always(editor: Any) -> Any:
    """An editor of this file's, which the tests look into: it runs in their process."""
    return lambda task: trusted(editor)


@pytest.mark.long
@pytest.mark.office
def test_scores_decks_and_pictures_are_in_the_log(
    caged: None, tasks: dict[str, EditingTask], tmp_path: Path
) -> None:
    task = tasks["cover-wording"]
    log = run(ppteval_task([task], EDITORS["truth"], name="truth"), tmp_path)
    assert log.status == "success" and log.results is not None
    metrics = {name: one.value for name, one in log.results.scores[0].metrics.items()}
    assert metrics["success"] == metrics["score"] == metrics["easy_success"] == 1.0
    assert metrics["steps"] == 1.0
    before, after = kept(log, ContentDocument)
    data = [base64.b64decode(one.document.partition(",")[2]) for one in (before, after)]
    assert data[0] == task.deck.read_bytes()
    assert data[1].startswith(b"PK") and data[1] != data[0]
    assert [one.image[:15] for one in kept(log, ContentImage)] == ["data:image/jpeg"] * 2
    [outcome] = outcomes_of(log)
    assert (outcome.score, outcome.steps) == (1.0, 1)
    [sample] = log.samples or []
    assert sample.scores["rubric_tree"].metadata["tree"]["score"] == 1.0


@pytest.mark.long
def test_an_editor_that_does_not_end_costs_its_time_and_its_deck_counts(
    caged: None, tasks: dict[str, EditingTask], tmp_path: Path
) -> None:
    over = Event()

    def deaf(deck: Path, instruction: str, session: EditSession) -> None:
        session.step("wait")
        over.wait(60)

    made = ppteval_task(
        [tasks["bold-bullets"]], always(deaf), limits=EditLimits(seconds=2),
        grading=Grading(pictures=False), keep=tmp_path / "decks",
    )  # fmt: skip
    [outcome] = outcomes_of(run(made, tmp_path))
    over.set()
    assert (outcome.score, outcome.steps, outcome.ended) == (0.0, 1, "more than 2 s")
    assert (tmp_path / "decks" / "bold-bullets" / "left.pptx").is_file()


@pytest.mark.long
def test_an_editor_with_a_bug_leaves_that_task_open_and_the_others_scored(
    caged: None, tasks: dict[str, EditingTask], tmp_path: Path
) -> None:
    def buggy(deck: Path, instruction: str) -> None:
        if "Ridge Trail" in instruction:
            raise KeyError("no such thing")

    chosen = [tasks["cover-wording"], tasks["bold-bullets"]]
    log = run(ppteval_task(chosen, always(plain(buggy)), grading=Grading(pictures=False)), tmp_path)
    outcomes = {outcome.task: outcome for outcome in outcomes_of(log)}
    broken, fine = (outcomes[task.name] for task in chosen)
    assert (broken.low, broken.high) == (0.0, 1.0)
    assert isinstance(broken.score, NotScored) and "no such thing" in broken.reason
    assert fine.score == 0.0


@pytest.mark.long
@pytest.mark.office
def test_leaves_may_ask_a_judge_and_without_one_the_score_is_open(
    caged: None, tasks: dict[str, EditingTask], tmp_path: Path
) -> None:
    leaf = {"name": "look", "is_critical": True,
            "scorer": {"type": "function", "function_code": LOOK}}  # fmt: skip
    rubric = parse_rubric({"root": {"name": "all", "children": [leaf]}})
    task = EditingTask("look", "Look", tasks["cover-wording"].deck, rubric)

    def said(request: dict[str, Any]) -> str:
        return sight_number(str(judge)) if QUESTION in prompt_of(request) else "YES"

    with serving(honest(said)) as server:
        judge = server.model()
        made = ppteval_task([task], EDITORS["noop"], judge=judge, grading=Grading(pictures=False))
        [judged] = outcomes_of(run(made, tmp_path / "a"))
    assert judged.score == 1.0
    assert [len(images_of(request)) for request in server.requests] == [0, 1, 2, 2, 1]
    log = run(
        ppteval_task([task], EDITORS["noop"], grading=Grading(pictures=False)), tmp_path / "b"
    )
    [unjudged] = outcomes_of(log)
    assert (unjudged.low, unjudged.high) == (0.0, 1.0)
    assert "no model" in unjudged.reason or "needs a model" in unjudged.reason
    assert log.results is not None and log.results.scores[0].unscored_samples == 1


def test_an_editor_asks_the_model_of_the_run(
    caged: None, tasks: dict[str, EditingTask], tmp_path: Path
) -> None:
    said: list[str] = []

    def asks(deck: Path, instruction: str, session: EditSession) -> None:
        session.step("ask")
        said.append(session.ask(instruction).text)

    with serving(["do this"]) as server:
        made = ppteval_task([tasks["bold-bullets"]], always(asks), grading=Grading(pictures=False))
        [outcome] = outcomes_of(run(made, tmp_path, server.model()))
    assert said == ["do this"]
    assert (outcome.score, outcome.steps) == (0.0, 1)
