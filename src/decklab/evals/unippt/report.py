"""Outcomes of systems at tasks, the numbers of tables II and III of paper 004, and a run as a page
and as text. A cell says of how many decks it is the mean.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any, Final

from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored, score_json, scored, scored_mean
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.judges.scenario.task import (
    SCENARIO_METRICS,
    SETTING_METRICS,
    SHARED_METRICS,
    setting_average,
    shared_score,
)
from decklab.evals.results.board import leave_results
from decklab.evals.results.charts import interval_chart
from decklab.evals.results.means import MeanOf, Observation, mean_of
from decklab.evals.results.page import CaseCell, PageSection, ResultPage
from decklab.evals.results.tables import ResultColumn, ResultTable, share_column, system_table
from decklab.evals.unippt.deck_systems import DeckRun, JudgedDeck
from decklab.evals.unippt.tasks import COST_KEYS, SETTINGS, DeckCost, DeckTask
from decklab.pages.svg_charts import SvgChart
from decklab.pages.wording import counted

SHARED: Final = "shared"
AVERAGE: Final = "average"
JUDGED: Final = "judged"
"""Columns besides the metrics: the mean of the shared ones, of all, and of those with a score."""


@dataclass(frozen=True)
class DeckOutcome(JudgedDeck):
    """One system at one task; scores are 0 to 10."""

    setting: ScenarioSetting
    cost: DeckCost = field(default_factory=DeckCost, kw_only=True)

    def value(self, column: str) -> float | NotScored:
        """A metric or one of the means."""
        if not self.scores:
            return NotScored(self.reason)
        if column == SHARED:
            return shared_score(self.scores[name] for name in SHARED_METRICS)
        if column == AVERAGE:
            return setting_average(self.scores.values())
        if column == JUDGED:
            return scored_mean(scored(self.scores.values()), "no metric has a score")
        return self.scores.get(column, NotScored("the task does not ask for it"))

    @property
    def missed(self) -> tuple[str, ...]:
        """Requested scores that are missing, a line each; not those that only a model gives."""
        lines = (
            f"{name}: {score.reason}"
            for name, score in self.scores.items()
            if isinstance(score, NotScored) and score.reason != ONLY_A_MODEL
        )
        return (*super().missed, *lines)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; a score that could not be had is null with its reason."""
        means = {name: score_json(self.value(name)) for name in (SHARED, AVERAGE, JUDGED)}
        return {**super().to_json(), "means": means}


DECK: Final = "deck"
"""The share of tasks for which a system handed in a deck."""
_MARKS: Final = (0.0, 10.0)
_COST_COLUMNS: Final = (
    ResultColumn("seconds", "s a deck", digits=1, scale=(0.0, inf), lower_better=True),
    ResultColumn("tokens", "Tokens a deck", digits=0, scale=(0.0, inf), lower_better=True),
    ResultColumn("dollars", "$ a deck", digits=3, scale=(0.0, inf), lower_better=True),
)


def columns_of(setting: ScenarioSetting) -> tuple[str, ...]:
    """The columns of a setting's table: shared, visual integrity, its metrics, and the means."""
    return (SHARED, "visual_integrity", *SETTING_METRICS[setting], AVERAGE, JUDGED)


def observations(outcomes: Iterable[DeckOutcome]) -> Iterator[Observation]:
    """Scores that a task asks for, costs of decks that were made, and whether there is a deck."""
    for row in outcomes:
        for column in columns_of(row.setting):
            of_all = column in (SHARED, AVERAGE, JUDGED)
            if of_all or not row.scores or column in row.scores:
                yield Observation(row.system, row.task, column, row.value(column))
        yield Observation(row.system, row.task, DECK, float(row.deck))
        for name in COST_KEYS if row.deck else ():
            cost = getattr(row.cost, name)
            yield Observation(row.system, row.task, name, NotScored("it is not known")
                              if cost is None else float(cost))  # fmt: skip


def setting_mean(outcomes: Iterable[DeckOutcome], column: str) -> MeanOf:
    """The mean of a column over the decks that have it, of those whose task asks for it."""
    rows = [row for row in observations(outcomes) if row.metric == column]
    return mean_of(rows, "no task asks for it", scale=_MARKS)


def setting_tables(
    outcomes: Sequence[DeckOutcome], systems: Sequence[str]
) -> dict[ScenarioSetting, ResultTable]:
    """Tables II and III: for each setting that has tasks, systems in their order, compared by the
    last mean that is shown."""
    tables: dict[ScenarioSetting, ResultTable] = {}
    for setting in SETTINGS:
        if own := [outcome for outcome in outcomes if outcome.setting == setting]:
            ordered = sorted(own, key=lambda row: systems.index(row.system))
            tables[setting] = _setting_table(setting, ordered)
    return tables


def _setting_table(setting: ScenarioSetting, outcomes: Sequence[DeckOutcome]) -> ResultTable:
    shown = shown_columns(setting, outcomes)
    columns = [ResultColumn(name, _TITLES[name][0],
                            _TITLES[name][1] or SCENARIO_METRICS[name].title, scale=_MARKS)
               for name in shown]  # fmt: skip
    rows = list(observations(outcomes))
    known = {row.metric for row in rows if not isinstance(row.value, NotScored)}
    costs = [column for column in _COST_COLUMNS if column.metric in known]
    title, lead = _SETTINGS[setting]
    return system_table(
        setting, title, rows, [*columns, share_column(DECK, "Decks, %"), *costs],
        main=shown[-1], none="no task asks for it", lead=lead, units="tasks",
    )  # fmt: skip


_TITLES: Final[Mapping[str, tuple[str, str]]] = {
    SHARED: ("Shared", "Mean of the five shared metrics"),
    "visual_integrity": ("Integrity", "Visual integrity, one of the shared metrics"),
    "key_coverage": ("Key cov.", ""),
    "faithfulness": ("Faith.", ""),
    "visual_use": ("Vis. use", ""),
    "figure_claim": ("Fig.-claim", ""),
    "chart_fidelity": ("Chart fid.", ""),
    "source_coverage": ("Source cov.", ""),
    "integration": ("Integration", ""),
    "deduplication": ("Dedup.", ""),
    AVERAGE: ("Avg", "Mean of all metrics of the setting, each for itself"),
    JUDGED: ("Mean", "Mean of the metrics that have a score; the paper has no such number"),
}
"""Titles as in tables II and III, and what they mean where the metric's own title does not."""
_SETTINGS: Final[Mapping[ScenarioSetting, tuple[str, str]]] = {
    "vague": ("Vague prompt", "A request and no document: shared metrics only."),
    "long-doc": ("Long document", "One long report: what of it is said, and whether it is true."),
    "multimodal": (
        "Multimodal document", "A document with figures and tables: whether they are used.",
    ),
    "multi-source": (
        "Several sources", "Documents that overlap and disagree: whether they are brought together."
    ),
}  # fmt: skip
_PROXIES: Final = (
    "Programs judged, which are proxies; Shared and Avg need a model. Mean is over what has a "
    "score, so it does not compare with the paper's Avg."
)
_MEANS: Final = (
    "The mean of what has a score; of a request alone that is visual integrity and nothing else."
)


class UnipptRun(DeckRun[DeckOutcome]):
    """The outcomes of a run."""

    @property
    def tables(self) -> Sequence[ResultTable]:
        """Tables II and III."""
        return list(setting_tables(self.outcomes, self.systems).values())

    @property
    def by_model(self) -> bool:
        """Whether a model judged."""
        return any(not isinstance(row.value(SHARED), NotScored) for row in self.outcomes)


def shown_columns(setting: ScenarioSetting, outcomes: Sequence[DeckOutcome]) -> list[str]:
    """The columns that carry information: not those that only a model judges if none did, and not
    the mean over scored ones if all have a score."""
    count = {name: setting_mean(outcomes, name).scored for name in (SHARED, AVERAGE, JUDGED)}
    hidden = {JUDGED} if count[SHARED] else {SHARED, AVERAGE}
    if not SETTING_METRICS[setting]:
        hidden.add(JUDGED)  # by program that is visual integrity alone
    elif count[AVERAGE] < count[JUDGED]:
        hidden.discard(JUDGED)
    return [name for name in columns_of(setting) if name not in hidden]


def write_unippt_report(
    folder: Path, title: str, tasks: Sequence[DeckTask], run: UnipptRun, *, facts: Mapping[str, str]
) -> Path:
    """Write ``index.html`` and the tables into ``folder``; returns the path of the page.

    ``facts`` are words and values for the page's head. The page links to those of its decks.
    """
    tables = run.tables
    figures = run.figures("Tasks", len(tasks), f"in {counted(len(tables), 'setting')}")
    missing = "with their causes" if run.missed else "none"
    figures.append(("Missing scores", str(len(run.missed)), missing))
    lead = "As in paper 004, tables II and III: means over the tasks of a setting, 0 to 10."
    settings = PageSection(
        "By setting", lead if run.by_model else f"{lead} {_PROXIES}", tables=tables,
        charts=[chart for table in tables if (chart := _main_chart(table))],
    )  # fmt: skip
    column = AVERAGE if run.by_model else JUDGED
    notes = [(task.name, f"{task.setting}: {task.task.title}") for task in tasks]
    cases = PageSection(
        "By task",
        "The average of all metrics." if run.by_model else _MEANS,
        cases=run.cases("Task", notes, lambda row: _case_cell(row, column)),
    )
    page = ResultPage(
        "UniPPTBench: decks from requests, documents, figures, and several sources", title,
        [settings, cases], facts, figures, causes=run.causes, units="tasks",
    )  # fmt: skip
    prompts, shared = ["decklab.evals.judges.scenario"], ["Judge", "Runs"]
    return leave_results(folder, page, tables, prompts=prompts, shared=shared)


def _main_chart(table: ResultTable) -> SvgChart | None:
    """The mean by which systems are compared."""
    marks = [column for column in table.columns if column.scale == _MARKS]
    chart = interval_chart(table, marks[-1])
    return chart and replace(chart, title=f"{table.title}: {chart.title}")


def _case_cell(outcome: DeckOutcome, column: str) -> CaseCell:
    value = outcome.value(column)
    if isinstance(value, NotScored):
        return CaseCell("not scored" if outcome.deck else "no deck", why=value.reason)
    return CaseCell(f"{value:.2f}", value, value / _MARKS[1], page=outcome.page)
