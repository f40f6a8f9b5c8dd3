"""The page of one judged deck: its metrics, and every item with the evidence for its state."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.core.results import NotScored
from decklab.evals.judges.scenario.metrics import SCENARIO_METRICS, ScenarioItem
from decklab.evals.judges.scenario.result import MetricResult, ScenarioJudgement
from decklab.evals.ppteval.tasks import file_name
from decklab.evals.unippt.tasks import DeckTask
from decklab.pages.page import write_page

PAGES: Final = "judged"
"""Folder of the pages of decks, beside the report."""
_SLIDES: Final = "visual_integrity"
_STATES: Final = {1.0: ("full", "yes"), 0.5: ("part", "in part"), 0.0: ("not", "no")}


@dataclass(frozen=True)
class ItemRow:
    """An item as the page shows it."""

    item: ScenarioItem

    weighted: bool

    @property
    def weight(self) -> float | None:
        """How much it counts beside the others; None where it counts as they do."""
        return self.item.weight if self.weighted and self.item.weight != 1 else None

    @property
    def state(self) -> tuple[str, str]:
        """A class for its colour, and the word for its state."""
        if self.item.state is None:
            return "none", "does not apply"
        if isinstance(self.item.state, NotScored):
            return "none", f"not judged: {self.item.state.reason}"
        return _STATES.get(self.item.state, ("part", f"{self.item.state:g}"))


@dataclass(frozen=True)
class MetricSection:
    """A metric with the items of its first run, what was missed first."""

    metric: MetricResult

    @property
    def shown(self) -> str:
        """The score with two decimals; empty where there is none."""
        score = self.metric.score
        return "" if isinstance(score, NotScored) else f"{score:.2f}"

    @property
    def beside(self) -> str:
        """What a program says beside a model, with two decimals; empty where it says nothing."""
        score = None if self.metric.beside is None else self.metric.beside.score
        return "" if score is None or isinstance(score, NotScored) else f"{score:.2f}"

    @property
    def reason(self) -> str:
        """Why there is no score."""
        score = self.metric.score
        return score.reason if isinstance(score, NotScored) else ""

    @property
    def spread(self) -> str:
        """The deviation of several runs; empty for one."""
        spread = self.metric.spread
        return "" if isinstance(spread, NotScored) else f"{spread:.2f}"

    @property
    def rows(self) -> list[ItemRow]:
        """The items, those that cost points first; of slides only those with a defect."""
        items = self.metric.items[0] if self.metric.items else ()
        metric = SCENARIO_METRICS.get(self.metric.name)
        shown = [item for item in items if metric or item.state != 1.0]
        weighted = metric is not None and metric.weighted
        return [ItemRow(item, weighted) for item in sorted(shown, key=_rank)]

    @property
    def sound(self) -> int:
        """How many slides have no defect; 0 for metrics that are not about slides."""
        items = self.metric.items[0] if self.metric.items else ()
        return sum(one.state == 1.0 for one in items) if self.metric.name == _SLIDES else 0


def _rank(item: ScenarioItem) -> float:
    return 2.0 if item.state is None or isinstance(item.state, NotScored) else item.state


def deck_page_path(system: str, task: str) -> str:
    """The path of a deck's page relative to the report."""
    return f"{PAGES}/{file_name(system)}/{file_name(task)}.html"


def write_judged_page(
    folder: Path, system: str, task: DeckTask, judgement: ScenarioJudgement
) -> str:
    """Write the page of a deck below ``folder`` and return its path relative to it."""
    page = deck_page_path(system, task.name)
    path = folder / page
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [MetricSection(one) for one in _ordered(judgement.metrics)]
    write_page(
        path, "judged.html", "open-for-print.js", package="decklab.evals.unippt",
        system=system, task=task, told=judgement.notes, judge=judgement.judge,
        metrics=[one for one in found if one.shown or one.rows],
        missing=[one for one in found if not (one.shown or one.rows)], generated_by="decklab",
    )  # fmt: skip
    return page


def _ordered(metrics: Iterable[MetricResult]) -> list[MetricResult]:
    """The metrics of the setting first, then the shared ones."""
    return sorted(metrics, key=lambda one: one.name not in SCENARIO_METRICS)
