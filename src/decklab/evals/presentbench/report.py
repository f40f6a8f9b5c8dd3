"""Outcomes of systems at instances of PresentBench, their tables, and the page of a run."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

from inspect_ai.log import EvalLog

from decklab.core.results import NotScored, score_json
from decklab.evals.inspect_run import logged_outcomes, why_broken_off
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.presentbench.instances import CLASSES, Instance
from decklab.evals.presentbench.judging import SECTIONS, ChecklistJudgement
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
from decklab.evals.results.tables import ResultColumn, ResultTable, share_column, system_table
from decklab.evals.results.text import run_lines
from decklab.metrics.statistics import Interval
from decklab.pages.svg_charts import SvgChart
from decklab.pages.wording import clean, counted

TOTAL: Final = "total"
DECK: Final = "deck"
"""Metrics: the weighted mean of all classes, and whether the system handed in a deck."""
_SCALE: Final = (0.0, 100.0)
_SECTION_TITLES: Final = {"material_independent": "Independent", "material_dependent": "Dependent"}


@dataclass(frozen=True)
class ChecklistOutcome:
    """One system at one instance."""

    system: str
    task: str
    domain: str
    scores: Mapping[str, float | NotScored] = field(default_factory=dict)
    """0 to 100 by metric: the total, sections, classes, and ``without`` each class; empty if no
    deck was judged."""
    bounds: Interval | None = None
    """The least and greatest total, if items are open."""
    reason: str = ""
    """Why no deck was judged; empty if one was."""
    deck: bool = True
    """Whether the system handed in a deck."""
    judge_tokens: int = 0
    page: str = ""
    """The page of its items, beside the report; empty if it has none."""

    @property
    def total(self) -> float | NotScored:
        """The weighted mean of all classes."""
        return self.scores[TOTAL] if self.scores else NotScored(self.reason)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; a score that could not be had is null with its reason."""
        return {
            **{key: getattr(self, key) for key in _PLAIN},
            "bounds": self.bounds and list(self.bounds),
            "scores": {name: score_json(score) for name, score in self.scores.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The outcome from the result of ``to_json``."""
        scores = {
            name: NotScored(entry["reason"]) if entry["score"] is None else float(entry["score"])
            for name, entry in data["scores"].items()
        }
        ends = tuple(data["bounds"]) if data["bounds"] else None
        return cls(**{key: data[key] for key in _PLAIN}, scores=scores, bounds=ends)


_PLAIN: Final = ("system", "task", "domain", "reason", "deck", "judge_tokens", "page")


def class_metric(kind: tuple[str, str]) -> str:
    """The name of a class as a metric, as the published scores name it."""
    return "_".join(kind)


def judged_outcome(system: str, judgement: ChecklistJudgement, page: str) -> ChecklistOutcome:
    """The outcome of a judged deck."""
    score, instance = judgement.score, judgement.instance
    scores: dict[str, float | NotScored] = {TOTAL: score.total}
    scores |= {section: score.section(section) for section in SECTIONS}
    scores |= {class_metric(kind): score.of_class(kind) for kind in CLASSES}
    scores |= {f"without_{class_metric(kind)}": score.without(kind) for kind in score.classes}
    tokens = judgement.usage.input_tokens + judgement.usage.output_tokens
    return ChecklistOutcome(
        system, instance.name, instance.domain, scores, score.bounds if score.open else None,
        judge_tokens=tokens, page=page,
    )  # fmt: skip


def checklist_outcomes(log: EvalLog) -> Iterator[ChecklistOutcome]:
    """The outcome of every sample of a log; one that broke off is not the system's failure."""
    for sample, outcome in logged_outcomes(log):
        if outcome is not None:
            yield ChecklistOutcome.from_json(outcome)
            continue
        named = sample.metadata["system"], sample.metadata["task"]
        reason = f"decklab broke off: {why_broken_off(sample, 'it was not scored')}"
        yield ChecklistOutcome(*named, named[1].partition("/")[0], reason=reason, deck=False)


@dataclass(frozen=True)
class PresentRun:
    """The outcomes of a run, and the names of its systems in their order."""

    outcomes: Sequence[ChecklistOutcome]
    systems: Sequence[str]
    spent: str = ""
    """Cost of the run's questions, in a sentence."""
    ended: str = ""
    """Why models were asked no more before all was done; empty if they were not stopped."""

    @cached_property
    def tables(self) -> tuple[ResultTable, ...]:
        """Systems by classes, and by domains."""
        rows = [row for outcome in self.outcomes for row in observations(outcome)]
        columns = [ResultColumn(name, title, digits=1, scale=_SCALE) for name, title in _COLUMNS]
        columns.append(share_column(DECK, "Decks, %"))
        classes = system_table("classes", "By class of items", rows, columns, main=TOTAL,
                               units="instances", lead=_LEAD)  # fmt: skip
        domains = list(dict.fromkeys(outcome.domain for outcome in self.outcomes))
        if len(domains) < 2:
            return (classes,)
        of_domains = [
            ResultColumn(TOTAL, domain, group=domain, digits=1, scale=_SCALE) for domain in domains
        ]
        return classes, system_table("domains", "By domain", rows, of_domains, units="instances")

    @property
    def failed(self) -> str:
        """Why nothing is scored at all; empty if something is."""
        reasons = [row.total.reason for row in self.outcomes if isinstance(row.total, NotScored)]
        return reasons[0] if reasons and len(reasons) == len(self.outcomes) else ""

    def lines(self) -> Iterator[str]:
        """The tables as text."""
        return run_lines(self.tables, self.spent)

    def warnings(self) -> Iterator[str]:
        """Why models were asked no more, and a line for each total that is missing."""
        if self.ended:
            yield clean(f"models were asked no more: {self.ended}")
        for row in self.outcomes:
            if isinstance(row.total, NotScored):
                yield clean(f"{row.system}, {row.task}: not scored: {row.total.reason}")


_COLUMNS: Final = (
    (TOTAL, "Total"),
    *((section, _SECTION_TITLES[section]) for section in SECTIONS),
    *((class_metric(kind), title) for kind, title in CLASSES.items()),
)
_LEAD: Final = (
    "Per cent of the weights: those of items answered yes, over all. Fundamentals and design do "
    "not depend on the material, the other three do."
)


def observations(outcome: ChecklistOutcome) -> Iterator[Observation]:
    """The scores of an outcome, and whether there is a deck."""
    for name, _ in _COLUMNS:
        value = outcome.scores.get(name, NotScored(outcome.reason))
        bounds = outcome.bounds if name == TOTAL else None
        yield Observation(
            outcome.system, outcome.task, name, value, groups=(outcome.domain,), bounds=bounds
        )
    yield Observation(outcome.system, outcome.task, DECK, float(outcome.deck))


def write_present_report(
    folder: Path,
    title: str,
    instances: Sequence[Instance],
    run: PresentRun,
    facts: Mapping[str, str],
) -> Path:
    """Write ``index.html`` and the tables into ``folder``; returns the path of the page."""
    leave_results(
        folder, title, run.tables, facts=facts, prompts=["decklab.evals.judges.scenario"],
        units="instances", shared=["Judge"],
    )  # fmt: skip
    judged = sum(bool(row.scores) for row in run.outcomes)
    items = sum(len(instance.items) for instance in instances)
    figures = [
        ("Systems", str(len(run.systems)), "by name below"),
        ("Instances", str(len(instances)), f"with {counted(items, 'item')}"),
        ("Decks judged", str(judged), f"of {len(run.outcomes)} that were asked for"),
    ]
    scores = PageSection(
        "Scores", tables=run.tables,
        charts=[chart for chart in [_total_chart(run.tables[0])] if chart],
    )  # fmt: skip
    reasons = Counter(row.total.reason for row in run.outcomes if isinstance(row.total, NotScored))
    causes = [(counted(count, "deck"), cause) for cause, count in reasons.most_common()]
    page = ResultPage(
        "PresentBench: decks judged by checklists", title,
        [scores, PageSection("By instance", "Totals, in per cent.", cases=_cases(instances, run))],
        facts, figures, causes=causes, units="instances",
    )  # fmt: skip
    return write_result_page(folder / "index.html", page)


def _total_chart(table: ResultTable) -> SvgChart | None:
    return interval_chart(table, table.columns[0])


def _cases(instances: Sequence[Instance], run: PresentRun) -> CaseTable:
    """A row for each instance, a column for each system."""
    outcomes = {(row.system, row.task): row for row in run.outcomes}
    rows = [
        CaseRow(
            instance.name,
            [_cell(outcomes[system, instance.name]) for system in run.systems],
            f"{counted(len(instance.items), 'item')}",
        )
        for instance in instances
    ]
    return CaseTable("Instance", run.systems, rows)


def _cell(outcome: ChecklistOutcome) -> CaseCell:
    value = outcome.total
    if not isinstance(value, NotScored):
        return CaseCell(f"{value:.1f}", value, value / _SCALE[1], page=outcome.page)
    if outcome.bounds is None:
        return CaseCell("not scored" if outcome.deck else "no deck", why=value.reason)
    least, most = outcome.bounds
    words = "open" if ONLY_A_MODEL in value.reason else f"{least:.1f} to {most:.1f}"
    return CaseCell(words, None, least / _SCALE[1], (most - least) / _SCALE[1], outcome.page,
                    value.reason)  # fmt: skip
