"""The report of a meta-evaluation: one page of numbers, and a page for each graded tree."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from decklab.benchmarks.ppteval.meta import GradedAttempt, times
from decklab.benchmarks.ppteval.naming import file_name
from decklab.grading.decks import ComparedDecks
from decklab.grading.page import write_grading_page
from decklab.metrics.agreement import LevelAgreement, level_of
from decklab.reports.meta_page import AttemptView, LevelView, write_meta_page
from decklab.results import NotScored

PAPER_ACCURACY: Final = {
    "none": 1.0, "some": 0.4444, "significant": 0.6154, "perfect": 0.8889,
}  # fmt: skip
"""Paper 001, table 3: accuracy by level, on attempts that people made at 30 published tasks."""
PAPER_RANKS: Final = {"tau_b": 0.77, "rho": 0.84}
"""Paper 001, table 3."""
PAPER_STABILITY: Final = {"mean_variance": 0.0062, "median_variance": 0.0, "mean_cv": 0.093}
"""Paper 001, table 8, the less steady of two: five judgings of Claude-4-Sonnet's attempts."""


def page_name(graded: GradedAttempt) -> str:
    """The path of an attempt's own page, relative to the report's."""
    name = file_name(f"{graded.labelled.task.name}-{graded.labelled.deck.stem}")
    return f"trees/{name}.html"


def write_attempt_page(
    folder: Path, graded: GradedAttempt, decks: ComparedDecks, *, pictures: bool
) -> None:
    """Write the tree of one attempt below ``folder``."""
    task = graded.labelled.task
    path = folder / page_name(graded)
    write_grading_page(
        path, graded.tree, decks, task=task.goal, pictures=pictures, summary="../index.html"
    )


def write_meta_report(
    folder: Path, title: str, graded: Sequence[GradedAttempt], found: LevelAgreement
) -> Path:
    """Write ``index.html`` into ``folder``, with links to the pages of attempts that are there."""
    path = folder / "index.html"
    write_meta_page(
        path,
        title=title,
        levels=[
            LevelView(row.level.name, row.level.title, row.level.expected, row.attempts, row.right,
                      row.not_scored, row.mean, PAPER_ACCURACY.get(row.level.name))
            for row in found.levels
        ],
        attempts=[_view(one, folder) for one in graded],
        tau_b=found.tau_b,
        rho=found.rho,
        paper=PAPER_RANKS,
        seconds=times(graded),
    )  # fmt: skip
    return path


def _view(graded: GradedAttempt, folder: Path) -> AttemptView:
    task, score = graded.labelled.task, graded.tree.score
    name = page_name(graded)
    return AttemptView(
        task=task.name,
        goal=task.goal,
        difficulty=task.difficulty or "",
        level=graded.labelled.level,
        low=graded.tree.root.low,
        high=graded.tree.root.high,
        fits=not isinstance(score, NotScored) and level_of(score).name == graded.labelled.level,
        page=name if (folder / name).is_file() else None,
    )
