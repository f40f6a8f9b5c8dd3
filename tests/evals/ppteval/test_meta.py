"""Attempts of known level, graded once or again and again."""

import shutil
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from tests.evals.judges.honest import knowing

from decklab.core.errors import UnknownName
from decklab.core.results import NotScored
from decklab.evals.ppteval.meta import (
    PHASES,
    GradedAttempt,
    Stability,
    find_attempts,
    grade_attempts,
    phases,
    repeated,
    stability_json,
)
from decklab.evals.ppteval.tasks import DecksMissing, EditingTask
from decklab.evals.rubrics.rubric import Rubric, parse_rubric


@pytest.fixture
def attempts(starter: Path, tmp_path: Path) -> Path:
    """A list of tasks with attempts at two levels; what is in the list does not matter here."""
    (tmp_path / "task_registry").mkdir()
    shutil.copy(starter / "task_registry" / "tasks.json", tmp_path / "task_registry")
    folder = tmp_path / "attempts" / "cover-wording"
    folder.mkdir(parents=True)
    for name in ("significant-2", "none", "significant"):
        shutil.copy(starter / "data/files/PowerPoint/plain.pptx", folder / f"{name}.pptx")
    return tmp_path


def rubric(code: str) -> Rubric:
    scorer = {"type": "function", "function_code": f"def compute_score():\n    {code}\n"}
    return parse_rubric({"root": {"name": "all", "children": [{"name": "a", "scorer": scorer}]}})


def grade(tasks: Any, folder: Path, code: str, **how: Any) -> list[GradedAttempt]:
    known = tasks["cover-wording"]
    task = EditingTask(known.name, known.goal, known.deck, rubric(code))
    return grade_attempts(find_attempts([task], folder), isolation="process", **how)


def test_attempts_are_found_by_level_and_there_may_be_several(tasks: Any, attempts: Path) -> None:
    found = find_attempts(tasks.values(), attempts)
    assert [(one.level, one.deck.stem) for one in found] == [
        ("none", "none"), ("significant", "significant"), ("significant", "significant-2")
    ]  # fmt: skip


def test_a_file_named_for_no_level_is_an_error(tasks: Any, attempts: Path) -> None:
    (attempts / "attempts/cover-wording/nearly.pptx").write_bytes(b"PK")
    with pytest.raises(UnknownName, match="nearly"):
        find_attempts(tasks.values(), attempts)
    shutil.rmtree(attempts / "attempts")
    with pytest.raises(DecksMissing, match="no attempts below"):
        find_attempts(tasks.values(), attempts)


@pytest.mark.long
def test_judging_again_tells_how_a_models_scores_vary(tasks: Any, attempts: Path) -> None:
    said = cycle(["0.4", "0.6"])
    code = "return 'x', float(llm_call('?'))"
    graded = grade(tasks, attempts, code, ask=knowing(lambda: next(said)), repeats=2)
    assert [(one.tree.score, one.again) for one in graded] == [(0.4, (0.6,))] * 3
    found = repeated(graded)
    assert isinstance(found, Stability)
    assert found.tasks == 3
    assert found.mean_variance == pytest.approx(0.01)
    assert found.mean_cv == pytest.approx(0.2)


@pytest.mark.long
def test_only_attempts_whose_rubric_asked_a_model_count_for_that(
    tasks: Any, attempts: Path
) -> None:
    still = grade(tasks, attempts, "return 'x', 1.0", repeats=2)
    said = cycle(["0.4", "0.6"])
    code = "return 'x', float(llm_call('?'))"
    moving = grade(tasks, attempts, code, ask=knowing(lambda: next(said)), repeats=2)
    found = repeated([*still, moving[0]])
    assert isinstance(found, Stability) and found.tasks == 1
    steady = repeated(still)
    assert isinstance(steady, Stability)
    assert (steady.tasks, steady.mean_variance, steady.mean_cv) == (3, 0.0, 0.0)


@pytest.mark.long
def test_without_a_model_scores_are_open_and_no_variance_is_made_up(
    tasks: Any, attempts: Path
) -> None:
    graded = grade(tasks, attempts, "return 'x', float(llm_call('?'))", repeats=2)
    assert all(isinstance(one.tree.score, NotScored) for one in graded)
    found = repeated(graded)
    assert found == NotScored("no task was scored twice")
    assert stability_json(found) is None


@pytest.mark.long
def test_time_is_told_phase_by_phase(tasks: Any, attempts: Path) -> None:
    graded = grade(tasks, attempts, "return 'x', 1.0")
    found = {phase.name: phase for phase in phases(graded)}
    assert list(found) == list(PHASES)
    assert 0 < found["sandbox"].median <= found["sandbox"].most
    assert found["total"].mean >= found["sandbox"].mean + found["diff"].mean
    assert found["pictures"].most > 0  # what is damaged is drawn
    assert found["model"].most == 0
    assert phases([]) == []
