"""Outcomes as a report, and pages of tasks beside it."""

from dataclasses import replace
from pathlib import Path

import pytest
from markupsafe import escape

from decklab.core.errors import ModelFailed
from decklab.core.options import EditLimits
from decklab.evals.editors.protocol import EditSession, trusted
from decklab.evals.editors.running import Submission
from decklab.evals.ppteval.outcomes import Grading, TaskOutcome, edit_task, grade_edit
from decklab.evals.ppteval.report import PptevalRun, tree_pages, write_report
from decklab.evals.ppteval.tasks import EditingTask
from decklab.evals.rubrics.rubric import parse_rubric

WANTS_MODEL = """
def compute_score():
    return llm_call("Is this good?"), 1.0
"""


@pytest.fixture
def chosen(tasks: dict[str, EditingTask]) -> list[EditingTask]:
    return [tasks[name] for name in ("cover-wording", "crews-slide", "new-order")]


def outcome(task: EditingTask, low: float, high: float, **more: object) -> TaskOutcome:
    told = {"reason": "why", "steps": 2, "seconds": 1.5}
    return TaskOutcome(
        task.name,
        task.difficulty,
        task.categories,
        low,
        high,
        **{**told, **more},  # type: ignore[arg-type]
    )


def test_numbers_are_the_tables_and_tasks_stand_in_their_order(
    chosen: list[EditingTask], tmp_path: Path
) -> None:
    scores = ((1, 1), (0.5, 0.5), (0, 1))
    outcomes = [outcome(task, *score) for task, score in zip(chosen, scores, strict=True)]
    index = write_report(tmp_path, "Set", chosen, outcomes, facts={}).read_text()
    assert "0.33 to 0.67" in index  # success
    assert "0.50 to 0.83" in index  # score
    for name in ("Easy", "Medium", "Hard", "Layout", "Text", "Several of them"):
        assert f"<bdi>{name}</bdi>" in index
    places = [index.rindex(f"<bdi>{task.name}</bdi>") for task in chosen]
    assert places == sorted(places)
    assert all(f"<small><bdi>{escape(task.goal)}</bdi></small>" in index for task in chosen)
    assert (tmp_path / "tables" / "difficulty.tex").is_file()


def test_reasons_are_told_where_a_score_is_open_or_no_page_tells_them(
    chosen: list[EditingTask], tmp_path: Path
) -> None:
    outcomes = [
        outcome(chosen[0], 0.5, 0.5, reason="half of it"),
        outcome(chosen[1], 0, 0, reason="the edited deck is broken", ended="more than 9 s"),
        outcome(chosen[2], 0, 1, reason="the editor broke off: KeyError", ended="KeyError"),
    ]
    tree = tmp_path / tree_pages(chosen)["cover-wording"]
    tree.parent.mkdir()
    tree.write_text("")
    index = write_report(tmp_path, "Set", chosen, outcomes, facts={}).read_text()
    assert "half of it" not in index
    assert "No tree was run: the edited deck is broken" in index
    assert "more than 9 s" in index
    assert "Not scored: the editor broke off: KeyError" in index
    assert "<b>1 task</b> <bdi>the editor broke off: KeyError</bdi>" in index
    assert "0.00 to 1.00" in index


def test_a_run_of_which_nothing_is_scored_has_failed(chosen: list[EditingTask]) -> None:
    lost = [outcome(task, 0, 1, reason="the editor broke off") for task in chosen]
    assert "broke off" in PptevalRun(lost).failed
    assert PptevalRun([*lost, outcome(chosen[0], 0, 0)]).failed == ""


def test_a_graded_task_gets_the_page_of_its_tree_and_the_report_leads_there(
    caged: None, chosen: list[EditingTask], tmp_path: Path
) -> None:
    task = chosen[0]
    pages = tree_pages(chosen)
    edit = edit_task(trusted(lambda deck, *_: None), task, tmp_path / "work", EditSession())
    graded = grade_edit(task, edit, Grading(pictures=False), page=tmp_path / pages[task.name])
    page = (tmp_path / "tasks" / "cover-wording.html").read_text()
    assert "Ridge Trail: what 2025 brought" in page
    assert "They were not asked for." in page and "No slide differs" in page
    outcomes = [graded.outcome, *(outcome(one, 0, 1) for one in chosen[1:])]
    index = write_report(tmp_path, "Set", chosen, outcomes, facts={}).read_text()
    assert 'href="./tasks/cover-wording.html"' in index
    assert "crews-slide.html" not in index


def test_a_leaf_without_its_model_says_so_once_in_list_and_page(
    caged: None, chosen: list[EditingTask], tmp_path: Path
) -> None:
    leaf = {"name": "look", "is_critical": True,
            "scorer": {"type": "function", "function_code": WANTS_MODEL}}  # fmt: skip
    rubric = parse_rubric({"root": {"name": "all", "children": [leaf, {**leaf, "name": "two"}]}})
    task = replace(chosen[0], rubric=rubric)
    edit = edit_task(
        trusted(lambda deck, *_: None), task, tmp_path / "work", EditSession(EditLimits())
    )
    page = tmp_path / "tree.html"
    found = grade_edit(task, edit, Grading(pictures=False), page=page).outcome
    assert (found.low, found.high) == (0, 1)
    assert "model" in found.reason and "between" not in found.reason
    assert found.reason in page.read_text()


def test_where_nothing_was_graded_there_is_no_page(
    chosen: list[EditingTask], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.pptx"
    broken.write_bytes(b"no deck")
    none = ModelFailed("some/model", "no model")
    for after, failed in ((broken, None), (tmp_path / "none.pptx", None), (broken, none)):
        edit = Submission(chosen[0].deck, after, EditSession(), 1.0, error=failed)
        found = grade_edit(
            chosen[0], edit, Grading(pictures=False), page=tmp_path / "tree.html"
        ).outcome
        assert found.high == (1 if failed else 0)
        assert not (tmp_path / "tree.html").exists()
