"""Perfect attempts spoilt by program: none of them may score as if it were not."""

import pytest
from tests.drawing import SharedOffice

from decklab.core.results import NotScored
from decklab.evals.ppteval.meta import (
    SabotageResult,
    grade_sabotages,
    sabotage_faults,
    sabotage_json,
)
from decklab.evals.ppteval.tasks import starter_tasks
from decklab.rendering.renderer import Cache, Renderer

TASKS = {task.name: task for task in starter_tasks()}


def test_every_task_states_what_may_change() -> None:
    for task in TASKS.values():
        assert task.rubric["metadata"]["may_change"], task.name


@pytest.mark.long
@pytest.mark.office
def test_work_that_nobody_sees_is_not_done_and_harm_costs(
    caged: None, office: SharedOffice, cache: Cache
) -> None:
    tasks = [TASKS["cover-wording"], TASKS["picture-outline"]]
    ways = ["white_and_tiny", "white_rectangle", "see_through_picture", "red_masters",
            "rest_reworded"]  # fmt: skip
    found = grade_sabotages(tasks, ways, renderer=Renderer(office, cache))
    assert sabotage_faults(found) == []
    scores = {(one.task, one.name): one.score for one in found}
    assert len(found) == len(scores) == 10
    assert scores["cover-wording", "white_and_tiny"] == 0
    assert scores["cover-wording", "see_through_picture"] is None
    assert scores["picture-outline", "see_through_picture"] == 0
    assert scores["picture-outline", "white_rectangle"] == 0
    for task in ("cover-wording", "picture-outline"):
        assert scores[task, "red_masters"] < 0.5
        assert 0.5 < scores[task, "rest_reworded"] < 1


def test_what_scores_too_much_or_not_at_all_is_a_fault() -> None:
    fine = SabotageResult("a", "hidden", "unseen", 0.0, hides=True)
    partly = SabotageResult("a", "hidden", "unseen", 0.2, hides=False)
    unfit = SabotageResult("a", "hidden", "unseen", None, hides=True)
    wrong = [
        SabotageResult("a", "hidden", "unseen", 0.2, hides=True),
        SabotageResult("a", "red_masters", "harmful", 1.0, hides=False),
        SabotageResult("a", "red_masters", "harmful", NotScored("no office"), hides=False),
    ]
    assert sabotage_faults([fine, partly, unfit, *wrong]) == wrong
    assert [one["score"] for one in sabotage_json([fine, unfit, *wrong])] == [
        0.0, None, 0.2, 1.0, None,
    ]  # fmt: skip
