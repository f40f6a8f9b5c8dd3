"""Outcomes of systems at instances of PresentBench, their tables, and the page of a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from decklab.core.results import NotScored, reason_of
from decklab.evals.judges.scenario.result import ONLY_A_MODEL
from decklab.evals.presentbench.instances import CLASSES, Instance
from decklab.evals.presentbench.judging import SECTIONS, ChecklistJudgement
from decklab.evals.results.board import leave_results
from decklab.evals.results.charts import interval_chart
from decklab.evals.results.means import Observation
from decklab.evals.results.page import CaseCell, PageSection, ResultPage
from decklab.evals.results.tables import ResultColumn, ResultTable, share_column, system_table
from decklab.evals.unippt.deck_systems import DeckRun, JudgedDeck
from decklab.metrics.statistics import Interval
from decklab.pages.wording import counted

TOTAL: Final = "total"
DECK: Final = "deck"
"""Metrics: the weighted mean of all classes, and whether the system handed in a deck."""
_SCALE: Final = (0.0, 100.0)
_SECTION_TITLES: Final = {"material_independent": "Independent", "material_dependent": "Dependent"}


@dataclass(frozen=True)
class ChecklistOutcome(JudgedDeck):
    """One system at one instance; scores are 0 to 100: the total, sections, classes, and
    ``without`` each class."""

    bounds: Interval | None = field(default=None, kw_only=True)
    """The least and greatest total, if items are open."""

    @property
    def domain(self) -> str:
        """The first folder of the instance."""
        return self.task.partition("/")[0]

    @property
    def total(self) -> float | NotScored:
        """The weighted mean of all classes."""
        return self.scores[TOTAL] if self.scores else NotScored(self.reason)

    @property
    def lost(self) -> str:
        """Why it has no total; empty if it has one."""
        return reason_of(self.total)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; a score that could not be had is null with its reason."""
        return {**super().to_json(), "domain": self.domain}


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
    bounds = score.bounds if score.open else None
    return ChecklistOutcome(
        system, instance.name, scores=scores, bounds=bounds, judge_tokens=tokens, page=page
    )


class PresentRun(DeckRun[ChecklistOutcome]):
    """The outcomes of a run."""

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
    items = sum(len(instance.items) for instance in instances)
    chart = interval_chart(run.tables[0], run.tables[0].columns[0])
    scores = PageSection("Scores", tables=run.tables, charts=[chart] if chart else [])
    notes = [(instance.name, counted(len(instance.items), "item")) for instance in instances]
    cases = run.cases("Instance", notes, _cell)
    page = ResultPage(
        "PresentBench: decks judged by checklists", title,
        [scores, PageSection("By instance", "Totals, in per cent.", cases=cases)], facts,
        run.figures("Instances", len(instances), f"with {counted(items, 'item')}"),
        causes=run.causes, units="instances",
    )  # fmt: skip
    prompts = ["decklab.evals.judges.scenario"]
    return leave_results(folder, page, run.tables, prompts=prompts, shared=["Judge"])


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
