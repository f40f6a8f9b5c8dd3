"""A run as a report: one page of numbers that leads to the tree of each task."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from decklab.benchmarks.ppteval.naming import file_names
from decklab.benchmarks.ppteval.outcomes import Average, Summary, SummaryRow, TaskOutcome
from decklab.benchmarks.ppteval.tasks import EditingTask
from decklab.reports.ppteval_page import write_editing_run
from decklab.reports.ppteval_view import EditingRun, ScoreRange, StandingRow, TaskRow
from decklab.results import NotScored

TREES = "tasks"
"""Folder of the pages of tasks, beside the report."""


def tree_pages(tasks: Iterable[EditingTask]) -> dict[str, str]:
    """By the name of a task the path of its page, relative to the report's."""
    names = file_names(task.name for task in tasks)
    return {task: f"{TREES}/{name}.html" for task, name in names.items()}


def write_report(
    folder: Path,
    title: str,
    tasks: Sequence[EditingTask],
    outcomes: Sequence[TaskOutcome],
    *,
    summary: Summary,
    facts: Mapping[str, str],
) -> Path:
    """Write ``index.html`` into ``folder`` and return its path; see ``editing_run``.

    It leads to the pages of tasks that are there by now.
    """
    pages = {
        task: page for task, page in tree_pages(tasks).items() if (folder / page).is_file()
    }  # fmt: skip
    run = editing_run(title, tasks, outcomes, summary=summary, facts=facts, pages=pages)
    path = folder / "index.html"
    write_editing_run(path, run)
    return path


def editing_run(
    title: str,
    tasks: Sequence[EditingTask],
    outcomes: Sequence[TaskOutcome],
    *,
    summary: Summary,
    facts: Mapping[str, str],
    pages: Mapping[str, str],
) -> EditingRun:
    """What the report shows: ``outcomes`` are those of ``tasks``, in their order.

    ``facts`` are words and values for its head; ``pages`` gives by a task's name the path of its
    page, for tasks that have one.
    """
    structures = [_standing(name.capitalize(), row) for name, row in summary.by_category.items()]
    if summary.multi_category is not None:
        structures.append(_standing("Several of them", summary.multi_category))
    return EditingRun(
        title,
        tuple(facts.items()),
        _standing("All tasks", summary.overall),
        tuple(_standing(name, row) for name, row in summary.by_difficulty.items()),
        tuple(structures),
        tuple(
            _task(task, outcome, pages.get(task.name, ""))
            for task, outcome in zip(tasks, outcomes, strict=True)
        ),
    )


def _standing(name: str, row: SummaryRow) -> StandingRow:
    return StandingRow(
        name,
        row.tasks,
        row.open,
        _range(row.success),
        _range(row.score),
        None if isinstance(row.steps, NotScored) else row.steps,
    )


def _range(average: Average) -> ScoreRange:
    return ScoreRange(average.low, average.high)


def _task(task: EditingTask, outcome: TaskOutcome, page: str) -> TaskRow:
    score = ScoreRange(outcome.low, outcome.high)
    reason = outcome.reason if score.open or not page else ""
    ending = "failed" if outcome.ended and outcome.ended in reason else outcome.ended
    return TaskRow(
        name=task.name,
        goal=task.goal,
        difficulty=outcome.difficulty or "",
        categories=outcome.categories,
        score=score,
        reason=reason,
        ending=ending,
        steps=outcome.steps,
        seconds=outcome.seconds,
        page=page,
    )
