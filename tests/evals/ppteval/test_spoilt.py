"""Leaves without a score: the rubric's fault, or that of what was handed in."""

from functools import partial
from pathlib import Path

import pytest
from pptx import Presentation

from decklab.core.results import NotScored
from decklab.evals.editors.protocol import EditSession, trusted
from decklab.evals.ppteval import outcomes as grading
from decklab.evals.ppteval.outcomes import Grading, edit_task, grade_edit, zero_for_broken_leaves
from decklab.evals.ppteval.tasks import EditingTask
from decklab.evals.rubrics.grade import GradeOptions
from decklab.evals.rubrics.graded import Damage, LeafResult
from decklab.evals.rubrics.graded import graded as graded_tree
from decklab.evals.rubrics.rubric import parse_rubric

ALWAYS = "raise RuntimeError('a fault of the rubric')"
EDITED = "\n    ".join((
    "from pptx import Presentation",
    "title = Presentation(modified_ppt_path).slides[0].shapes.title.text",
    "assert title != 'spoilt', 'cannot go on'",
    "return 'it is there', 1.0",
))  # fmt: skip
ENDLESS = "\n    ".join((
    "from pptx import Presentation",
    "while Presentation(modified_ppt_path).slides[0].shapes.title.text == 'spoilt':",
    "    pass",
    "return 'it is there', 1.0",
))  # fmt: skip
MODEL = "return 'asked', float(llm_call('well?') == 'yes')"


def graded(task: EditingTask, folder: Path, *leaves: str) -> tuple[float, float, str]:
    """Low, high and reason of leaves of equal weight, on a deck with the title ``spoilt``."""
    children = [
        {"name": f"leaf {n}", "is_critical": True,
         "scorer": {"type": "function", "function_code": f"def compute_score():\n    {leaf}"}}
        for n, leaf in enumerate(leaves)
    ]  # fmt: skip
    own = EditingTask("own", "Do it", task.deck,
                      parse_rubric({"root": {"name": "all", "children": children}}))  # fmt: skip

    def spoils(deck: Path, instruction: str, session: EditSession) -> None:
        found = Presentation(str(deck))
        found.slides[0].shapes.title.text = "spoilt"
        found.save(str(deck))

    edit = edit_task(trusted(spoils), own, folder, EditSession())
    found = grade_edit(own, edit, Grading(pictures=False, isolation="process")).outcome
    return found.low, found.high, found.reason


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("leaves", "low", "high"),
    [
        ((ALWAYS,), 0, 1),
        ((EDITED,), 0, 0),
        ((EDITED, ALWAYS), 0, 0.5),
        ((EDITED, "return 'fine', 1.0"), 0.5, 0.5),
        ((MODEL,), 0, 1),
        ((MODEL, EDITED), 0, 0.5),
    ],
)
def test_a_leaf_counts_as_0_where_only_the_edited_deck_keeps_it_from_a_score(
    tasks: dict[str, EditingTask], tmp_path: Path, leaves: tuple[str, ...], low: float, high: float
) -> None:
    found = graded(tasks["cover-wording"], tmp_path, *leaves)
    assert found[:2] == (low, high)
    if high == 0:
        assert "on the untouched deck it can be scored" in found[2]


@pytest.mark.long
def test_a_leaf_that_only_the_edited_deck_keeps_busy_counts_as_0(
    tasks: dict[str, EditingTask], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading, "GradeOptions", partial(GradeOptions, seconds=2.0))
    low, high, reason = graded(tasks["cover-wording"], tmp_path, ENDLESS)
    assert (low, high) == (0, 0) and "ran longer than 2 s" in reason


@pytest.mark.long
@pytest.mark.office
def test_all_is_lost_where_only_the_edited_deck_cannot_be_looked_at_for_damage(
    tasks: dict[str, EditingTask],
) -> None:
    task = tasks["cover-wording"]
    leaves = {path: LeafResult(1.0, "done") for path, node in task.rubric.nodes() if node.is_leaf}
    unknown = graded_tree(task.rubric, leaves).with_damage(NotScored("not drawn"), counted=True)
    assert (unknown.root.low, unknown.root.high) == (0, 1)
    how = Grading(isolation="process")
    found = zero_for_broken_leaves(unknown, task.rubric, task.deck, how)
    assert found.score == 0
    assert isinstance(found.damage, Damage) and "not drawn" in found.damage.harms[0].what
