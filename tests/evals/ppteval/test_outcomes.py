"""Table 2's numbers, by hand."""

import pytest

from decklab.core.results import NotScored
from decklab.evals.ppteval.outcomes import MeanScore, RunSummary, TaskOutcome, summarize


def outcome(
    score: float | tuple[float, float],
    difficulty: str | None = "Easy",
    categories: tuple[str, ...] = ("text",),
    steps: int | None = 2,
) -> TaskOutcome:
    low, high = score if isinstance(score, tuple) else (score, score)
    return TaskOutcome("t", difficulty, categories, low, high, "why", steps)


def test_success_counts_perfect_scores_only() -> None:
    found = summarize([outcome(1.0), outcome(0.99), outcome(0.0), outcome(0.51, "Hard")])
    assert isinstance(found, RunSummary)
    assert found.overall.success == MeanScore(0.25, 0.25)
    assert found.overall.score.value == pytest.approx(0.625)
    assert found.by_difficulty["Easy"].success.value == pytest.approx(1 / 3)
    assert list(found.by_difficulty) == ["Easy", "Hard"]


def test_an_open_score_is_an_interval_and_never_0() -> None:
    found = summarize([outcome(1.0), outcome((0.5, 1.0))])
    assert isinstance(found, RunSummary)
    assert found.overall.open == 1
    assert found.overall.success == MeanScore(0.5, 1.0)
    assert found.overall.score == MeanScore(0.75, 1.0)
    assert found.overall.score.value == NotScored("between 0.75 and 1")
    assert found.to_json()["overall"]["score"] == {"value": None, "low": 0.75, "high": 1.0}


def test_an_open_score_that_cannot_be_perfect_is_a_known_failure() -> None:
    found = summarize([outcome((0.2, 0.8))])
    assert isinstance(found, RunSummary)
    assert found.overall.success.value == 0.0


def test_a_task_counts_in_each_of_its_categories() -> None:
    found = summarize([outcome(1.0, categories=("charts", "text")), outcome(0.0)])
    assert isinstance(found, RunSummary)
    assert list(found.by_category) == ["charts", "text"]
    assert found.by_category["text"].tasks == 2
    assert found.multi_category is not None and found.multi_category.tasks == 1


def test_steps_are_averaged_over_editors_that_count_them() -> None:
    found = summarize([outcome(1.0, steps=4), outcome(1.0, steps=None)])
    assert isinstance(found, RunSummary)
    assert found.overall.steps == 4
    none = summarize([outcome(1.0, steps=None)])
    assert isinstance(none, RunSummary)
    assert none.overall.steps == NotScored("no editor counted its steps")


def test_without_tasks_there_is_no_summary() -> None:
    assert summarize([]) == NotScored("no task was done")


def test_a_task_of_no_stated_difficulty_is_in_a_group_of_that_name() -> None:
    found = summarize([outcome(1.0, None)])
    assert isinstance(found, RunSummary)
    assert list(found.by_difficulty) == ["not stated"]


def test_outcomes_survive_json() -> None:
    for one in (outcome(0.5), outcome((0.0, 1.0), None, (), None)):
        assert TaskOutcome.from_json(one.to_json()) == one
    assert outcome((0.0, 1.0)).to_json()["score"] is None
