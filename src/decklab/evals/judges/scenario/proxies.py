"""All metrics of a setting by program, without a model."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from decklab.core.results import NotScored
from decklab.documents.knowledge import KnowledgeBase
from decklab.evals.judges.scenario import text_proxies, visual_proxies
from decklab.evals.judges.scenario.integrity import slide_defects
from decklab.evals.judges.scenario.matching import SourceStatements
from decklab.evals.judges.scenario.metrics import (
    SCENARIO_METRICS,
    SHARED_METRICS,
    ScenarioItem,
    visual_integrity,
)
from decklab.evals.judges.scenario.result import ONLY_A_MODEL, MetricResult
from decklab.evals.judges.scenario.shown_deck import StatedDeck
from decklab.evals.judges.scenario.task import ScenarioTask, metrics_of
from decklab.evals.judges.scenario.visual_proxies import SourceVisuals
from decklab.rendering.renderer import Renderer

BY_PROGRAM: Final = "decklab, by program"


@dataclass(frozen=True)
class SourceFacts:
    """The sources of a task made ready for matching; each part is made when it is first needed."""

    sources: KnowledgeBase

    @cached_property
    def statements(self) -> SourceStatements:
        """Sentence by sentence."""
        return SourceStatements(self.sources)

    @cached_property
    def visuals(self) -> SourceVisuals:
        """Figures and tables with what is said of them."""
        return SourceVisuals(self.sources)


_Proxy = Callable[[ScenarioTask, SourceFacts, StatedDeck], Iterable[ScenarioItem]]

_PROXIES: Final[Mapping[str, _Proxy]] = {
    "key_coverage": lambda task, _, deck: text_proxies.key_coverage(task, deck),
    "faithfulness": lambda _, facts, deck: text_proxies.faithfulness(
        facts.statements, facts.visuals, deck
    ),
    "visual_use": lambda task, facts, deck: visual_proxies.visual_use(task, facts.visuals, deck),
    "figure_claim": lambda _, facts, deck: visual_proxies.figure_claim(facts.visuals, deck),
    "chart_fidelity": lambda task, facts, deck: visual_proxies.chart_fidelity(
        task, facts.visuals, deck
    ),
    "source_coverage": lambda task, _, deck: text_proxies.source_coverage(task, deck),
    "integration": lambda task, _, deck: text_proxies.integration(task, deck),
    "deduplication": lambda task, _, deck: text_proxies.deduplication(task, deck),
}


def scenario_proxies(
    task: ScenarioTask, facts: SourceFacts, deck: StatedDeck
) -> list[MetricResult]:
    """The metrics of the task's setting by program."""
    found = []
    for name in metrics_of(task):
        metric = SCENARIO_METRICS[name]
        items = tuple(_PROXIES[name](task, facts, deck))
        found.append(MetricResult(name, metric.title, (metric.score(items),), (items,), proxy=True))
    return found


def shared_proxies(deck: str | Path, renderer: Renderer | None = None) -> list[MetricResult]:
    """The shared metrics by program: visual integrity by lint, the others not scored."""
    return [
        integrity_proxy(deck, renderer)
        if name == "visual_integrity"
        else MetricResult(name, title, (NotScored(ONLY_A_MODEL),), proxy=True)
        for name, title in SHARED_METRICS.items()
    ]


def integrity_proxy(deck: str | Path, renderer: Renderer | None = None) -> MetricResult:
    """Visual integrity by lint."""
    items = tuple(slide_defects(deck, renderer))
    score = integrity_score(items)
    name = "visual_integrity"
    return MetricResult(name, SHARED_METRICS[name], (score,), (items,), proxy=True)


def integrity_score(slides: Iterable[ScenarioItem]) -> float | NotScored:
    """Visual integrity from one item a slide; NotScored where one of them is."""
    states = []
    for item in slides:
        if isinstance(item.state, NotScored):
            return NotScored(f"{item.id}: {item.state.reason}")
        states.append(item.state)
    return visual_integrity(states.count(0.0), len(states))
