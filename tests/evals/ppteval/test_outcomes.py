"""Table 2's numbers, by hand."""

from itertools import count

import pytest

from decklab.core.results import NotScored
from decklab.evals.ppteval.outcomes import SEVERAL, TaskOutcome, difficulty_table, structure_table
from decklab.evals.results.means import MeanOf
from decklab.evals.results.tables import ResultTable


def cells(table: ResultTable, row: int = 0) -> dict[str, MeanOf]:
    return dict(table.rows[row].cells)


NUMBERS = count()


def outcome(
    score: float | tuple[float, float],
    difficulty: str | None = "Easy",
    categories: tuple[str, ...] = ("text",),
    steps: int | None = 2,
) -> TaskOutcome:
    low, high = score if isinstance(score, tuple) else (score, score)
    return TaskOutcome(f"t{next(NUMBERS)}", difficulty, categories, low, high, "why", steps)


def test_success_counts_perfect_scores_only() -> None:
    table = difficulty_table([outcome(1.0), outcome(0.99), outcome(0.0), outcome(0.51, "Hard")])
    assert cells(table)["success"].mean == 0.25
    assert cells(table)["score"].mean == pytest.approx(0.625)
    assert [row.name for row in table.rows] == ["All tasks", "Easy", "Hard"]
    assert cells(table, 1)["success"].mean == pytest.approx(1 / 3)


def test_an_open_score_is_a_range_and_never_0() -> None:
    table = difficulty_table([outcome(1.0), outcome((0.5, 1.0))])
    found = cells(table)
    assert (found["score"].scored, found["score"].of) == (1, 2)
    assert found["success"].possible == (0.5, 1.0)
    assert found["score"].possible == (0.75, 1.0)
    assert found["score"].mean == NotScored("between 0.75 and 1")
    assert table.to_json()[0]["score"]["possible"] == [0.75, 1.0]
    assert table.columns[1].words(found["score"]) == "0.75 to 1.00"


def test_an_open_score_that_cannot_be_perfect_is_a_known_failure() -> None:
    assert cells(difficulty_table([outcome((0.2, 0.8))]))["success"].mean == 0.0


def test_a_task_counts_in_each_of_its_categories() -> None:
    table = structure_table([outcome(1.0, categories=("charts", "text")), outcome(0.0)])
    counts = {row.name: row.cells["score"].of for row in table.rows}
    assert counts == {"Charts": 1, "Text": 2, SEVERAL: 1}


def test_steps_are_averaged_over_editors_that_count_them() -> None:
    found = difficulty_table([outcome(1.0, steps=4), outcome(1.0, steps=None)])
    assert (cells(found)["steps"].mean, cells(found)["steps"].scored) == (4, 1)
    none = cells(difficulty_table([outcome(1.0, steps=None)]))
    assert none["steps"].mean == NotScored("no editor counted its steps")


def test_without_tasks_nothing_is_scored() -> None:
    assert cells(difficulty_table([]))["score"].mean == NotScored("no task was done")
    assert structure_table([]).rows == ()


def test_a_task_of_no_stated_difficulty_is_in_a_group_of_that_name() -> None:
    assert difficulty_table([outcome(1.0, None)]).rows[1].name == "not stated"


def test_outcomes_survive_json() -> None:
    for one in (outcome(0.5), outcome((0.0, 1.0), None, (), None)):
        assert TaskOutcome.from_json(one.to_json()) == one
    assert outcome((0.0, 1.0)).to_json()["score"] is None
