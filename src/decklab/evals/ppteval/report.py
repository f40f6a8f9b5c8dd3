"""Runs and meta-evaluations as pages, with links to a page for each graded tree, and as text.

The page of a run shows table 2 of paper 001, scores by structure as in its figure 7, and all tasks.
The page of a meta-evaluation shows tables 1 and 3: rubric scores beside the known levels of the
attempts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

from decklab.core.results import NotScored, by_key
from decklab.evals.ppteval.agents import STEPS_PAGE
from decklab.evals.ppteval.meta import (
    GradedAttempt,
    LevelAgreement,
    LevelRow,
    Phase,
    Stability,
    agreement_json,
    level_of,
    phases,
    stability_json,
    times,
)
from decklab.evals.ppteval.outcomes import (
    AgentNumbers,
    GroupRow,
    MeanScore,
    RunSummary,
    TaskOutcome,
)
from decklab.evals.ppteval.tasks import EditingTask, file_name, file_names
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.page import write_grading_page
from decklab.pages.page import write_page
from decklab.pages.wording import clean, counted

TREES = "tasks"
"""Folder of the pages of tasks, beside the report."""
PAPER_ACCURACY: Final = {"none": 1.0, "some": 0.4444, "significant": 0.6154, "perfect": 0.8889}
"""Paper 001, table 3: accuracy by level, for attempts by people at 30 published tasks."""
PAPER_RANKS: Final = {"tau_b": 0.77, "rho": 0.84}
"""Paper 001, table 3."""
PAPER_STABILITY: Final = {"mean_variance": 0.0062, "median_variance": 0.0, "mean_cv": 0.093}
"""Paper 001, table 8, the less stable of two: Claude-4-Sonnet's attempts judged five times."""
_PACKAGE = "decklab.evals.ppteval"
_WIDTH, _ROW, _LEFT, _RIGHT = 720, 64, 150, 24
_DOT = 4.5
"""The plot's measures in pixels: its width, a row's height, room at the sides, a dot's radius."""


@dataclass(frozen=True)
class TaskRow:
    """One task and its outcome, as the list of tasks shows it."""

    task: EditingTask
    outcome: TaskOutcome
    page: str = ""
    """Path of the page with its tree, relative to the report; empty if there is no tree."""
    steps_page: str = ""
    """Path of the page with what an agent did, relative to the report; empty if there is none.
    """

    @property
    def reason(self) -> str:
        """Why the score is not known, or why there is no page of its own."""
        return self.outcome.reason if self.outcome.range.open or not self.page else ""

    @property
    def ending(self) -> str:
        """The event that ended the editor; empty if it ended by itself."""
        ended = self.outcome.ended
        if self.outcome.failure:
            return f"{self.outcome.failure} failed"
        return "failed" if ended and ended in self.reason else ended

    @property
    def rank(self) -> str:
        """The key by which tables sort difficulties."""
        known = {"Easy": "1", "Medium": "2", "Hard": "3"}
        return known.get(self.outcome.difficulty or "", f"4 {self.outcome.difficulty or ''}")


def tree_pages(tasks: Iterable[EditingTask]) -> dict[str, str]:
    """The path of each task's page by the task's name, relative to the report."""
    names = file_names(task.name for task in tasks)
    return {task: f"{TREES}/{name}.html" for task, name in names.items()}


def write_report(
    folder: Path,
    title: str,
    tasks: Sequence[EditingTask],
    outcomes: Sequence[TaskOutcome],
    *,
    summary: RunSummary,
    facts: Mapping[str, str],
) -> Path:
    """Write ``index.html`` into ``folder`` and return its path.

    ``outcomes`` are in the order of ``tasks``; ``facts`` are words and values for the page's head.
    The page links to the pages of tasks that exist.
    """
    pages = tree_pages(tasks)

    def there(page: str) -> str:
        return page if (folder / page).is_file() else ""

    rows = [
        TaskRow(task, outcome, there(page), there(f"{page.removesuffix('.html')}{STEPS_PAGE}"))
        for task, outcome in zip(tasks, outcomes, strict=True)
        for page in (pages[task.name],)
    ]
    path = folder / "index.html"
    write_run_page(path, title, rows, summary=summary, facts=facts)
    return path


def write_run_page(
    path: Path,
    title: str,
    rows: Sequence[TaskRow],
    *,
    summary: RunSummary,
    facts: Mapping[str, str],
) -> None:
    """Write the page of a run to ``path``, whole or not at all.

    It links to the pages of its tasks and loads nothing; without JavaScript only sorting is gone.
    """
    write_page(
        path, "ppteval.html", "sort.js", package=_PACKAGE,
        title=title, facts=facts, overall=summary.overall,
        difficulties=summary.by_difficulty.values(), structures=structures(summary),
        tasks=rows, unscored=unscored(rows),
    )  # fmt: skip


def structures(summary: RunSummary) -> list[GroupRow]:
    """Groups by structure, a task in each of its structures; tasks of several as a last group."""
    several = [summary.multi_category] if summary.multi_category is not None else []
    return [*summary.by_category.values(), *several]


def unscored(rows: Sequence[TaskRow]) -> list[tuple[str, int]]:
    """Reasons why scores are open, each with its number of tasks, the most frequent first."""
    return Counter(row.reason for row in rows if row.outcome.range.open).most_common()


@dataclass(frozen=True)
class AttemptRow:
    """One graded attempt at a task of known level."""

    task: EditingTask
    level: str
    score: MeanScore
    fits: bool
    page: str | None = None
    """Path of its own page, relative to this one."""

    @property
    def shown(self) -> str:
        """The score with two decimals, or its interval."""
        return _mean(self.score)


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
    folder: Path, title: str, graded: Sequence[GradedAttempt], agreement: LevelAgreement
) -> Path:
    """Write ``index.html`` into ``folder``, with links to the pages of attempts that are there."""
    rows = []
    for attempt in graded:
        level, score, page = attempt.labelled.level, attempt.tree.score, page_name(attempt)
        fits = not isinstance(score, NotScored) and level_of(score).name == level
        reached = MeanScore(attempt.tree.root.low, attempt.tree.root.high)
        there = page if (folder / page).is_file() else None
        rows.append(AttemptRow(attempt.labelled.task, level, reached, fits, there))
    path = folder / "index.html"
    write_meta_page(path, title, rows, agreement, seconds=times(graded))
    return path


def write_meta_page(
    path: Path,
    title: str,
    attempts: Sequence[AttemptRow],
    agreement: LevelAgreement,
    *,
    seconds: Mapping[str, float],
) -> None:
    """Write the page to ``path``, whole or not at all.

    ``attempts`` are in the order of their tasks; ``seconds`` are mean seconds a tree by phase.
    """
    levels = agreement.levels
    names = [row.level.name for row in levels]
    by_task = [
        (group[0].task, {name: [item for item in group if item.level == name] for name in names})
        for group in by_key(attempts, lambda attempt: attempt.task.name).values()
    ]
    parts = {name: spent for name, spent in seconds.items() if name != "total" and spent > 0}
    ranks = (agreement.tau_b, agreement.rho)
    write_page(
        path, "meta.html", "open-for-print.js", package=_PACKAGE,
        page_title=title, levels=levels, tasks=by_task, tau_b=agreement.tau_b, rho=agreement.rho,
        undefined=[rank.reason for rank in ranks if isinstance(rank, NotScored)][:1],
        paper=PAPER_RANKS, accuracy=PAPER_ACCURACY, parts=parts,
        total=seconds.get("total", sum(parts.values())),
        plot={"width": _WIDTH, "height": _ROW * len(levels) + 34, "left": _LEFT,
              "right": _WIDTH - _RIGHT, "row": _ROW},
        ticks=[(mark, _x(mark)) for mark in (0, 0.25, 0.5, 0.75, 1)],
        dots=_dots(levels, attempts),
    )  # fmt: skip


def _x(score: float) -> float:
    return _LEFT + score * (_WIDTH - _LEFT - _RIGHT)


def _dots(levels: Sequence[LevelRow], attempts: Sequence[AttemptRow]) -> list[dict[str, Any]]:
    """A dot for each attempt with a known score; equal scores are spread about the row's middle."""
    dots = []
    for row, level in enumerate(levels):
        scored = [
            case for case in attempts if case.level == level.level.name and not case.score.open
        ]
        piles = by_key(scored, lambda case: round(_x(case.score.low) / (2 * _DOT)))
        for pile in piles.values():
            per_column = 5
            for position, case in enumerate(pile):
                column, up = divmod(position, per_column)
                height = min(per_column, len(pile) - column * per_column)
                y = row * _ROW + _ROW / 2 + (up - (height - 1) / 2) * 2.2 * _DOT
                shift = column * 2.2 * _DOT * (-1 if case.score.low > 0.9 else 1)
                label = f"{case.task.name}: {case.shown}"
                x = _x(case.score.low) + shift
                dots.append({"x": x, "y": y, "label": label, "fits": case.fits})
    return dots


@dataclass(frozen=True)
class PptevalRun:
    """The outcomes of a run and their summary."""

    outcomes: Sequence[TaskOutcome]
    summary: RunSummary
    spent: str = ""
    """The cost of the run's questions, in a sentence."""
    ended: str = ""
    """Why models were asked no more before all was done; empty where they were not stopped."""
    agent: AgentNumbers | None = None
    """Where an agent did the tasks."""

    def lines(self) -> Iterator[str]:
        """Table 2 and figure 7 as text."""
        summary = self.summary
        yield f"{'':<16}{'Tasks':>6}{'Open':>6}{'Success':>14}{'Score':>14}{'Steps':>8}"
        yield _line("Overall", summary.overall)
        yield from (_line(name, row) for name, row in summary.by_difficulty.items())
        yield ""
        yield from (_line(name, row) for name, row in summary.by_category.items())
        if summary.multi_category is not None:
            yield _line("several", summary.multi_category)
        if self.agent is not None:
            yield ""
            yield from (f"{word:<22}{words}" for word, words in agent_words(self.agent).items())
        if self.spent:
            yield f"\n{self.spent}"

    def warnings(self) -> Iterator[str]:
        """Why models were asked no more, and a line for each task that is not scored."""
        if self.ended:
            yield clean(f"models were asked no more: {self.ended}")
        for outcome in self.outcomes:
            if isinstance(outcome.score, NotScored):
                yield clean(f"{outcome.task}: not scored: {outcome.reason}")


def agent_words(stats: AgentNumbers) -> dict[str, str]:
    """Facts on an agent besides scores, by words."""
    words = {}
    if not isinstance(stats.seconds, NotScored):
        words["Time a task"] = f"{stats.seconds:.1f} s"
    rate = stats.loop_rate
    if not isinstance(rate, NotScored):
        words["Stopped in a loop"] = f"{stats.loops} of {counted(stats.tasks, 'task')} ({rate:.0%})"
    for what, count in (
        ("Environment", stats.environment_failures),
        ("Model", stats.model_failures),
    ):
        if count:
            words[f"{what} failed"] = f"in {counted(count, 'task')}, not scored"
    if stats.cost is not None:
        words["Cost of the model"] = f"{stats.cost:,.4f} US dollars"
    return words


def _line(name: str, row: GroupRow) -> str:
    steps = "" if isinstance(row.steps, NotScored) else f"{row.steps:.2f}"
    success, score = _mean(row.success), _mean(row.score)
    return f"{name:<16}{row.tasks:>6}{row.open:>6}{success:>14}{score:>14}{steps:>8}"


def _mean(mean: MeanScore) -> str:
    return f"{mean.low:.2f} to {mean.high:.2f}" if mean.open else f"{mean.low:.2f}"


@dataclass(frozen=True)
class MetaRun:
    """A meta-evaluation."""

    graded: Sequence[GradedAttempt]
    agreement: LevelAgreement
    repeats: int = 1
    """Number of times that each attempt was judged."""
    stability: Stability | NotScored | None = None
    """How scores vary; None if each was judged once."""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        result = {**agreement_json(self.agreement), "seconds": times(self.graded)}
        return result | ({"repeated": stability_json(self.stability)} if self.stability else {})

    def lines(self) -> Iterator[str]:
        """Tables 1, 3 and 8 as text, beside the paper's numbers, and the seconds by phase."""
        heads = f"{'Attempts':>8}{'Mean':>8}{'Accuracy':>10}{'Paper':>10}"
        yield f"{'Level':<22}{'Expected':<10}{heads}"
        for row in self.agreement.levels:
            mean = "" if row.mean is None else f"{row.mean:.3f}"
            right = "" if isinstance(row.accuracy, NotScored) else f"{row.accuracy:.2%}"
            yield (
                f"{row.level.title:<22}{row.level.expected:<10}{row.attempts:>8}{mean:>8}"
                f"{right:>10}{PAPER_ACCURACY[row.level.name]:>10.2%}"
            )
        yield _beside("Kendall's tau-b", self.agreement.tau_b, PAPER_RANKS["tau_b"], digits=2)
        yield _beside("Spearman's rho", self.agreement.rho, PAPER_RANKS["rho"], digits=2)
        if self.stability is not None:
            yield from _stability_lines(self.stability, self.repeats)
        yield from _time_lines(self.graded)

    def warnings(self) -> Iterator[str]:
        """A line for each attempt with a score outside its level, without a score, or not drawn."""
        for row in self.agreement.wrong:
            yield f"{row.task}, {row.level}: scored {row.score:.3g}"
        for row in self.agreement.not_scored:
            yield f"{row.task}, {row.level}: not scored"
        for cause in sorted({row.no_pictures for row in self.graded if row.no_pictures}):
            yield f"not drawn: {cause}"


def _beside(name: str, value: float | NotScored, paper: float, *, digits: int) -> str:
    known = value.reason if isinstance(value, NotScored) else f"{value:.{digits}f}"
    return f"{name:<48}{known:>10}{paper:>10.{digits}f}"


def _stability_lines(stability: Stability | NotScored, runs: int) -> Iterator[str]:
    if isinstance(stability, NotScored):
        yield f"\nJudged {runs} times: {stability.reason}"
        return
    yield f"\n{f'{stability.tasks} attempts, judged {runs} times':<48}{'':>10}{'Paper':>10}"
    for name, value, key in (
        ("Mean variance", stability.mean_variance, "mean_variance"),
        ("Median variance", stability.median_variance, "median_variance"),
        ("Mean coefficient of variation", stability.mean_cv, "mean_cv"),
    ):
        yield _beside(name, value, PAPER_STABILITY[key], digits=4)


def _time_lines(graded: Sequence[GradedAttempt]) -> Iterator[str]:
    own = [leaf.seconds for attempt in graded for leaf in attempt.tree.root.leaves()]
    leaf = Phase(f"a leaf, of {len(own)}", fmean(own), median(own), max(own))
    yield f"\n{f'{len(graded)} trees, seconds':<22}{'Mean':>8}{'Median':>8}{'Most':>8}"
    for phase in (*phases(graded), leaf):
        yield f"{phase.name:<22}{phase.mean:>8.3f}{phase.median:>8.3f}{phase.most:>8.3f}"
