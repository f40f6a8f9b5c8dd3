"""Runs and meta-evaluations as pages, with links to a page for each graded tree, and as text.

The page of a run shows table 2 of paper 001, scores by structure as in its figure 7, and all tasks.
The page of a meta-evaluation shows tables 1 and 3: rubric scores beside the known levels of the
attempts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

from decklab.core.results import NotScored, reason_of
from decklab.evals.ppteval.agents import STEPS_PAGE
from decklab.evals.ppteval.meta import (
    GradedAttempt,
    LevelAgreement,
    Phase,
    Stability,
    agreement_json,
    level_of,
    phases,
    stability_json,
    times,
)
from decklab.evals.ppteval.outcomes import (
    SCORE,
    SUCCESS,
    AgentNumbers,
    MeanScore,
    TaskOutcome,
    difficulty_table,
    observations,
    structure_table,
)
from decklab.evals.ppteval.tasks import EditingTask, file_name, file_names
from decklab.evals.results.board import leave_results
from decklab.evals.results.charts import interval_chart
from decklab.evals.results.means import Observation
from decklab.evals.results.page import (
    CaseCell,
    CaseRow,
    CaseTable,
    PageSection,
    ResultPage,
    write_result_page,
)
from decklab.evals.results.tables import ResultTable, result_table, share_column, system_table
from decklab.evals.results.text import table_lines
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.page import write_grading_page
from decklab.pages.wording import clean, counted

TREES = "tasks"
"""Folder of the pages of tasks, beside the report."""
PAPER_ACCURACY: Final = {"none": 1.0, "some": 0.4444, "significant": 0.6154, "perfect": 0.8889}
"""Paper 001, table 3: accuracy by level, for attempts by people at 30 published tasks."""
PAPER_RANKS: Final = {"tau_b": 0.77, "rho": 0.84}
"""Paper 001, table 3."""
PAPER_STABILITY: Final = {"mean_variance": 0.0062, "median_variance": 0.0, "mean_cv": 0.093}
"""Paper 001, table 8, the less stable of two: Claude-4-Sonnet's attempts judged five times."""


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
    facts: Mapping[str, str],
) -> Path:
    """Write ``index.html`` and the tables into ``folder`` and return the path of the page.

    ``outcomes`` are in the order of ``tasks``; ``facts`` are words and values for the page's head.
    The page links to the pages of tasks that exist.
    """
    tables = [difficulty_table(outcomes), structure_table(outcomes)]
    system = ", ".join(facts[word] for word in ("Agent", "Editor", "Model") if facts.get(word))
    systems = system_table("systems", "Systems", observations(outcomes, system),
                           [SUCCESS, SCORE], main=SCORE.key, units="tasks")  # fmt: skip
    known = {page for page in tree_pages(tasks).values() if (folder / page).is_file()}
    steps = {page for page in map(_steps_page, tree_pages(tasks).values())
             if (folder / page).is_file()}  # fmt: skip
    pages = tree_pages(tasks)
    rows = [
        _task_row(task, outcome, page if page in known else "",
                  _steps_page(page) if _steps_page(page) in steps else "")
        for task, outcome in zip(tasks, outcomes, strict=True)
        for page in (pages[task.name],)
    ]  # fmt: skip
    charts = [replace(chart, title=f"{table.title}, mean score") for table in tables
              if (chart := interval_chart(table, SCORE))]  # fmt: skip
    lead = (
        "Success is the share of tasks with the perfect score 1; score and steps are means. A task "
        "counts in each of its structures."
    )
    listed = (
        "The name of a graded task leads to its tree of criteria, with reasons and the changed "
        "slides before and after. Time is the editor’s own."
    )
    causes = Counter(row.reason for row in outcomes if row.range.open).most_common()
    page = ResultPage(
        "PPT-Eval: edits of slide decks, graded with rubric trees", title,
        [PageSection("Results", lead, tables=tables, charts=charts),
         PageSection("Tasks", listed, cases=CaseTable("Task", _COLUMNS, rows))],
        facts, list(_figures(outcomes, tables[0])),
        causes=[(counted(count, "task"), cause) for cause, count in causes], units="tasks",
    )  # fmt: skip
    prompts, shared = ["decklab.evals.rubrics"], ["Judge", "Limits"]
    return leave_results(folder, page, [*tables, systems], prompts=prompts, shared=shared)


_COLUMNS: Final = ("Difficulty", "Structures", "Score", "Ended", "Steps", "Time")


def _steps_page(page: str) -> str:
    return f"{page.removesuffix('.html')}{STEPS_PAGE}"


def _figures(outcomes: Sequence[TaskOutcome], table: ResultTable) -> Iterator[tuple[str, str, str]]:
    whole = table.rows[0]
    open_ = sum(outcome.range.open for outcome in outcomes)
    for column in table.columns:
        cell = whole.cells[column.key]
        ends = column.ends(cell)
        yield column.heading, column.words(cell), f"95%: {ends}" if ends else cell.reason
    why = "not scored; means are ranges" if open_ else "every score is known"
    yield "Open", str(open_), why


def _task_row(task: EditingTask, outcome: TaskOutcome, page: str, steps_page: str) -> CaseRow:
    """A task: ``page`` shows its tree, ``steps_page`` what an agent did; empty for none."""
    reach, cause = outcome.range, ""
    if reach.open:
        cause = f"Not scored: {outcome.reason}"
    elif not page and outcome.reason:
        cause = f"No tree was run: {outcome.reason}"
    ended = outcome.ended
    ending = "failed" if ended and ended in cause else ended
    if outcome.failure:
        ending = f"{outcome.failure} failed"
    cells = [
        CaseCell(outcome.difficulty or "not stated"),
        CaseCell(", ".join(outcome.categories) or "none stated"),
        CaseCell(reach.shown, reach.low, reach.low, reach.high - reach.low),
        CaseCell(ending or "by itself", page=steps_page, why="what it did" if steps_page else ""),
        CaseCell("not counted" if outcome.steps is None else str(outcome.steps), outcome.steps),
        CaseCell(f"{outcome.seconds:.1f} s", outcome.seconds),
    ]
    return CaseRow(task.name, cells, task.goal, cause, page)


@dataclass(frozen=True)
class AttemptRow:
    """One graded attempt at a task of known level."""

    task: EditingTask
    level: str
    score: MeanScore
    fits: bool
    page: str | None = None
    """Path of its own page, relative to this one."""


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
    titles = {row.level.name: row.level.title for row in agreement.levels}
    table = _level_table(attempts, titles)
    chart = interval_chart(table, SCORE)
    tasks = {attempt.task.name: attempt.task for attempt in attempts}
    rows = [
        CaseRow(name, [_level_cell([item for item in attempts if item.task.name == name
                                    and item.level == level]) for level in titles], task.goal)
        for name, task in tasks.items()
    ]  # fmt: skip
    ranks = [("Kendall’s τb", agreement.tau_b, "tau_b"), ("Spearman’s ρ", agreement.rho, "rho")]
    figures = [
        (name, "undefined" if isinstance(value, NotScored) else f"{value:.2f}",
         "; ".join(filter(None, [reason_of(value), f"paper: {PAPER_RANKS[key]:.2f}"])))
        for name, value, key in ranks
    ]  # fmt: skip
    figures += [
        (row.level.title, "none" if isinstance(row.accuracy, NotScored) else f"{row.accuracy:.0%}",
         f"{row.right} of {row.attempts} attempts; paper: {PAPER_ACCURACY[row.level.name]:.0%}")
        for row in agreement.levels
    ]  # fmt: skip
    lead = (
        "An attempt of each level should score within its level’s range. The paper’s attempts were "
        "made by people, and its tasks are harder, so its numbers are a frame and no rival."
    )
    page = ResultPage(
        "Meta-evaluation of rubrics", title,
        [PageSection("Levels", lead, tables=[table], charts=[chart] if chart else []),
         PageSection("Tasks", "Each score leads to its tree with reasons, where there is one.",
                     cases=CaseTable("Task", list(titles.values()), rows))],
        {name: f"{spent:.3f} s a tree" for name, spent in seconds.items() if spent > 0},
        figures, units="tasks",
    )  # fmt: skip
    write_result_page(path, page)


def _level_table(attempts: Sequence[AttemptRow], titles: Mapping[str, str]) -> ResultTable:
    """Scores and accuracy by level, over the tasks that have attempts of it."""
    rows: dict[str, list[Observation]] = {name: [] for name in titles.values()}
    for item in attempts:
        name, score = titles[item.level], item.score
        known = NotScored("not scored") if score.open else score.low
        fits = known if isinstance(known, NotScored) else float(item.fits)
        rows[name] += [Observation(name, item.task.name, "score", known),
                       Observation(name, item.task.name, "accuracy", fits)]  # fmt: skip
    columns = [SCORE, share_column("accuracy", "Accuracy, %")]
    none = "no attempt is of this level"
    return result_table(
        "levels", "Scores by level", rows, columns, none=none, head="Level", units="tasks"
    )


def _level_cell(attempts: Sequence[AttemptRow]) -> CaseCell:
    """The scores of a task's attempts of one level."""
    if not attempts:
        return CaseCell("none")
    pages = [item.page for item in attempts if item.page]
    off = "" if all(item.fits for item in attempts) else "does not fit its level"
    text = ", ".join(item.score.shown for item in attempts)
    return CaseCell(text, attempts[0].score.low, page=pages[0] if pages else "", note=off)


@dataclass(frozen=True)
class PptevalRun:
    """The outcomes of a run."""

    outcomes: Sequence[TaskOutcome]
    spent: str = ""
    """The cost of the run's questions, in a sentence."""
    ended: str = ""
    """Why models were asked no more before all was done; empty where they were not stopped."""
    agent: AgentNumbers | None = None
    """Where an agent did the tasks."""

    def lines(self) -> Iterator[str]:
        """Table 2 and figure 7 as text."""
        for table in (difficulty_table(self.outcomes), structure_table(self.outcomes)):
            yield table.title
            yield from table_lines(table)
            yield ""
        if self.agent is not None:
            yield from (f"{word:<22}{words}" for word, words in agent_words(self.agent).items())
        if self.spent:
            yield f"\n{self.spent}"

    @property
    def failed(self) -> str:
        """Why nothing is scored at all; empty if something is."""
        broken = [row for row in self.outcomes if isinstance(row.score, NotScored)]
        return broken[0].reason if broken and len(broken) == len(self.outcomes) else ""

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
