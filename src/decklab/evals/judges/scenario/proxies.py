"""All metrics of a setting by program, without a model; lint in place of the eye that paper 004
has look for critical visual defects.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from decklab.core.errors import UnsupportedFormat
from decklab.core.results import NotScored
from decklab.documents.knowledge import KnowledgeBase
from decklab.evals.judges.preference.showing import hidden_slides
from decklab.evals.judges.scenario import text_proxies, visual_proxies
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
from decklab.linting.lint import LintResult, lint
from decklab.rendering.renderer import Renderer

CRITICAL_RULES: Final = frozenset(
    {
        "text.overflow", "text.off-slide", "text.overlap", "text.hidden", "shape.off-slide",
        "picture.missing", "package.damaged-part",
    }
)  # fmt: skip
"""Rules of lint for what the paper calls critical (appendix A-C): what is cropped, covered so that
it cannot be read, missing or broken. A choice of ours; notes (``info``) do not count."""


def slide_defects(deck: str | Path, renderer: Renderer | None = None) -> list[ScenarioItem]:
    """One item for each slide that is shown: 1 without a critical defect, 0 with one, and which.

    One item that is NotScored where the deck cannot be drawn or is no PowerPoint deck. Raises
    DeckError where it cannot be read.
    """
    try:
        found = lint(deck, rules=CRITICAL_RULES, renderer=renderer)
    except UnsupportedFormat as error:
        return [ScenarioItem("deck", "all slides", NotScored(error.detail))]
    if found.not_run:
        rule, cause = next(iter(found.not_run.items()))
        return [ScenarioItem("deck", "all slides", NotScored(f"{rule} was not run: {cause}"))]
    defects, hidden = _by_slide(found), hidden_slides(deck)
    return [
        ScenarioItem(
            f"slide {number}", f"slide {number}", float(number not in defects),
            evidence=defects.get(number, "no critical defect"), slide=number,
        )
        for number in range(1, found.slides + 1)
        if number not in hidden
    ]  # fmt: skip


def _by_slide(found: LintResult) -> Mapping[int, str]:
    """The first defect of each slide that has any; one of the deck as a whole is of all slides."""
    defects: dict[int, str] = {}
    for finding in found.at_least("warning").findings:
        everywhere = range(1, found.slides + 1)
        one = () if finding.slide is None else (finding.slide,)
        for number in finding.slides or one or everywhere:
            defects.setdefault(number, f"{finding.rule}: {finding.message}")
    return defects


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
