"""An editor at a task, its limits, and what is made of what it leaves."""

import importlib
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.editor.scripted import plan, program, scripted

from decklab.core.errors import DeckError, ModelFailed, UnknownName
from decklab.core.options import EditLimits
from decklab.core.results import NotScored
from decklab.evals.editors.isolation import IsolatedEditor
from decklab.evals.editors.protocol import EditSession, LimitReached, plain, trusted
from decklab.evals.editors.running import editor_for
from decklab.evals.ppteval.outcomes import Grading, edit_task, grade_edit
from decklab.evals.ppteval.tasks import EDITORS, EditingTask
from decklab.models.asking import ModelReply


@pytest.fixture
def task(tasks: dict[str, EditingTask]) -> EditingTask:
    return tasks["cover-wording"]


def retitle(deck: Path, instruction: str) -> None:
    found = Presentation(str(deck))
    found.slides[0].shapes.title.text_frame.text = "Ridge Trail: what 2025 brought"
    found.save(str(deck))


def grade(task: EditingTask, edit: Any) -> Any:
    return grade_edit(task, edit, Grading(pictures=False, isolation="process")).outcome


@pytest.mark.long
def test_an_edit_in_place_is_graded_and_the_original_stays(
    task: EditingTask, tmp_path: Path
) -> None:
    before = task.deck.read_bytes()
    session = EditSession()
    edit = edit_task(trusted(plain(retitle)), task, tmp_path, session)
    found = grade(task, edit)
    assert found.score == pytest.approx(1 / 3)
    assert (found.steps, found.ended, found.difficulty) == (1, "", "Easy")
    assert task.deck.read_bytes() == edit.original.read_bytes() == before


@pytest.mark.long
def test_an_edit_elsewhere_is_graded_too(task: EditingTask, tmp_path: Path) -> None:
    def elsewhere(deck: Path, instruction: str, session: EditSession) -> Path:
        other = tmp_path / "other.pptx"
        other.write_bytes(deck.read_bytes())
        retitle(other, instruction)
        return other

    edit = edit_task(trusted(elsewhere), task, tmp_path / "work", EditSession())
    assert grade(task, edit).score == pytest.approx(1 / 3)


def test_doing_nothing_scores_0_in_no_steps(task: EditingTask, tmp_path: Path) -> None:
    edit = edit_task(EDITORS["noop"](task), task, tmp_path, EditSession())
    found = grade(task, edit)
    assert (found.score, found.steps) == (0.0, 0)


@pytest.mark.long
def test_steps_beyond_the_limit_end_the_edit_and_what_is_done_counts(
    task: EditingTask, tmp_path: Path
) -> None:
    def restless(deck: Path, instruction: str, session: EditSession) -> None:
        retitle(deck, instruction)
        while True:
            session.step("again")

    edit = edit_task(trusted(restless), task, tmp_path, EditSession(EditLimits(steps=3)))
    found = grade(task, edit)
    assert (found.steps, found.ended) == (3, "more than 3 steps")
    assert found.score == pytest.approx(1 / 3)


def test_messages_and_time_are_limited() -> None:
    asked: list[str] = []

    def model(prompt: str, **how: Any) -> ModelReply[Any]:
        asked.append(prompt)
        return ModelReply("yes")

    session = EditSession(EditLimits(messages=5), model)
    session.ask("one"), session.ask("two")
    with pytest.raises(LimitReached, match="more than 5 messages"):
        session.ask("three")
    assert asked == ["one", "two"]
    late = EditSession(EditLimits(seconds=0.01))
    time.sleep(0.02)
    with pytest.raises(LimitReached, match=r"more than 0\.01 s"):
        late.step("too late")


@pytest.mark.parametrize(
    ("left", "reason"), [(b"PK nonsense", "the edited deck is broken"), (None, "left no deck")]
)
def test_a_deck_that_is_none_any_more_scores_0(
    task: EditingTask, tmp_path: Path, left: bytes | None, reason: str
) -> None:
    def breaks(deck: Path, instruction: str, session: EditSession) -> None:
        deck.unlink() if left is None else deck.write_bytes(left)

    found = grade(task, edit_task(trusted(breaks), task, tmp_path, EditSession()))
    assert (found.low, found.high) == (0.0, 0.0)
    assert reason in found.reason


def test_a_model_that_fails_leaves_the_score_open(task: EditingTask, tmp_path: Path) -> None:
    def asks(deck: Path, instruction: str, session: EditSession) -> None:
        session.ask("how?")

    def model(prompt: str, **how: Any) -> ModelReply[Any]:
        raise ModelFailed("some/model", "is down")

    found = grade(task, edit_task(trusted(asks), task, tmp_path, EditSession(model=model)))
    assert (found.low, found.high) == (0.0, 1.0)
    assert isinstance(found.score, NotScored)
    assert "is down" in found.score.reason
    without = grade(task, edit_task(trusted(asks), task, tmp_path / "b", EditSession()))
    assert isinstance(without.score, NotScored) and "none was named" in without.reason


def test_an_original_that_cannot_be_read_is_an_error(tasks: Any, tmp_path: Path) -> None:
    deck = tmp_path / "odd.pptx"
    deck.write_bytes(b"PK nonsense")
    known = tasks["cover-wording"]
    odd = EditingTask("odd", "Do it", deck, known.rubric)
    edit = edit_task(EDITORS["noop"](odd), odd, tmp_path / "w", EditSession())
    with pytest.raises(DeckError):
        grade(odd, edit)


@pytest.mark.long
def test_the_truth_is_known_of_starter_tasks_only(
    caged: None, task: EditingTask, tmp_path: Path
) -> None:
    edit = edit_task(EDITORS["truth"](task), task, tmp_path, EditSession())
    assert grade(task, edit).score == 1.0
    other = EditingTask(task.name, "Something else", task.deck, task.rubric)
    failed = edit_task(EDITORS["truth"](other), other, tmp_path / "b", EditSession())
    assert "is not known" in str(failed.error)


@pytest.mark.long
def test_editors_are_named_or_imported_apart(
    caged: None, task: EditingTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "an_editor.py").write_text(RETITLE)
    for name in (f"{tmp_path}/an_editor.py:retitle", "an_editor:retitle"):
        with monkeypatch.context() as patch:
            patch.syspath_prepend(tmp_path)
            room = editor_for(name, EDITORS)(task)
        assert isinstance(room, IsolatedEditor)
        edit = edit_task(room, task, tmp_path / "work", EditSession())
        assert grade(task, edit).score == pytest.approx(1 / 3)
        assert edit.session.steps == ["edit"]
    assert "an_editor" not in sys.modules
    for name in ("nop", "no_such_module:edit", "json:no_such_function", "no_such.py:edit"):
        with pytest.raises(UnknownName):
            editor_for(name, EDITORS)


RETITLE = """
from pptx import Presentation

def retitle(deck, instruction):
    found = Presentation(deck)
    found.slides[0].shapes.title.text_frame.text = "Ridge Trail: what 2025 brought"
    found.save(deck)
"""


@pytest.mark.long
def test_a_function_runs_apart_by_its_name_and_not_without_one(
    caged: None, task: EditingTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "another_editor.py").write_text(RETITLE)
    monkeypatch.syspath_prepend(tmp_path)
    function = importlib.import_module("another_editor").retitle
    for editor in (function, plain(function)):
        edit = edit_task(editor, task, tmp_path / "work", EditSession())
        assert grade(task, edit).score == pytest.approx(1 / 3)
    with pytest.raises(UnknownName, match=r"trusted\(\)"):
        edit_task(lambda deck, *_: None, task, tmp_path / "work", EditSession())


EDIT = program('prs.slides[0].shapes.title.text = "Ridge Trail: what 2025 brought"')


def agent(task: EditingTask, folder: Path, **limits: Any) -> Any:
    """An edit of the agent, whose model retitles the first slide and is never content."""
    script: dict[str, Any] = {
        "plan": plan(slides=[1]), "edit": EDIT,
        "review": {"verdict": "improve", "problems": ["more of it"]},
    }  # fmt: skip
    with scripted(**script) as (ask, _server):
        session = EditSession(EditLimits(**limits), ask)
        return edit_task(EDITORS["agent"](task), task, folder, session)


@pytest.mark.long
@pytest.mark.office
def test_the_agent_edits_and_each_question_is_a_step(
    caged: None, task: EditingTask, tmp_path: Path
) -> None:
    edit = agent(task, tmp_path)
    found = grade(task, edit)
    assert found.score == pytest.approx(1 / 3)
    assert found.steps == edit.session.messages / 2 >= 3
    assert edit.session.steps[0].startswith("ask the model: Plan an edit of a deck")


@pytest.mark.long
def test_an_agent_out_of_steps_is_ended_and_no_failure_of_the_model(
    caged: None, task: EditingTask, tmp_path: Path
) -> None:
    edit = agent(task, tmp_path, steps=1)
    found = grade(task, edit)
    assert (found.score, found.steps, found.ended) == (0.0, 1, "more than 1 steps")
