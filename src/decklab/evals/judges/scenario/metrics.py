"""The metrics of UniPPTEval: from the states of items to scores of 0 to 10, higher is better.

Paper 004, appendices A-B, A-C and B. Our copy of the paper has lost its formulas; they are taken
from the words around them, and the scale and the averages from tables II and III, whose rows they
give to the second decimal.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, Final

from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored

TOP: Final = 10.0
"""Every metric is told from 0 to this (tables II and III)."""
BINARY: Final = (0.0, 1.0)
THREE_STATES: Final = (0.0, 0.5, 1.0)
"""States of items. The paper names three in words; that the middle one is a half is ours."""


@dataclass(frozen=True)
class ScenarioItem:
    """One thing that was judged: a key point, a claim, a visual, a group.

    ``state`` is None where the item does not apply, so that it does not count.
    """

    id: str
    text: str
    state: float | NotScored | None
    weight: float = 1.0
    evidence: str = ""
    slide: int | None = None
    unproven: bool = False
    """Whether a judge named evidence for it that is not there, so that it does not count."""


@dataclass(frozen=True)
class ScenarioMetric:
    """What a metric of a setting looks at, in which states, and how they make a score."""

    name: str
    title: str
    states: tuple[float, ...]
    weighted: bool
    no_items: str
    """Why there is no score where there are no items."""

    def score(self, items: Sequence[ScenarioItem]) -> float | NotScored:
        """0 to 10: ten times the mean of the states, weighted where the metric has weights.

        Items that do not apply are left out (only deduplication has them). NotScored where an item
        that applies was not judged, for the paper averages over all of them, and where no item is
        left. Raises ValueError for a state that the metric does not have.
        """
        applicable = [item for item in items if item.state is not None]
        states = []
        for item in applicable:
            if isinstance(item.state, NotScored):
                return NotScored(f"{item.id}: {item.state.reason}")
            if item.state not in self.states:
                raise ValueError(f"{self.name} has no state {item.state}")
            states.append(item.state)
        if not applicable:
            return NotScored(self.no_items)
        weights = [item.weight if self.weighted else 1.0 for item in applicable]
        pairs = zip(weights, states, strict=True)
        return TOP * sum(weight * (state or 0.0) for weight, state in pairs) / sum(weights)


def _metric(name: str, title: str, no_items: str, *how: Any) -> tuple[str, ScenarioMetric]:
    states, weighted = how
    return name, ScenarioMetric(name, title, states, weighted, no_items)


SCENARIO_METRICS: Final[Mapping[str, ScenarioMetric]] = dict(
    (
        _metric("key_coverage", "Key point coverage", "the task has no key points",
                THREE_STATES, True),
        _metric("faithfulness", "Content faithfulness", "the deck makes no claims", BINARY, False),
        _metric("visual_use", "Visual element utilization", "the task has no visual elements",
                BINARY, False),
        _metric("figure_claim", "Figure-claim alignment", "the deck shows no visuals",
                THREE_STATES, False),
        _metric("chart_fidelity", "Chart translation fidelity",
                "the task asks for no chart's fidelity", THREE_STATES, True),
        _metric("source_coverage", "Cross-document coverage", "the task has no contributions",
                THREE_STATES, True),
        _metric("integration", "Cross-document integration",
                "the task asks for no integration", THREE_STATES, True),
        _metric("deduplication", "Redundancy deduplication",
                "no overlapping theme is in the task or the deck", THREE_STATES, True),
    )
)  # fmt: skip
"""The eight metrics of paper 004, appendix B, with their states and whether items have weights.

>>> items = [ScenarioItem("a", "", 1.0, weight=2), ScenarioItem("b", "", 0.5),
...          ScenarioItem("c", "", 0.0)]
>>> SCENARIO_METRICS["key_coverage"].score(items)
6.25
>>> groups = [ScenarioItem("a", "", 1.0, weight=2), ScenarioItem("b", "", 0.0),
...           ScenarioItem("c", "", None, weight=9)]
>>> round(SCENARIO_METRICS["deduplication"].score(groups), 4)
6.6667
"""

SHARED_METRICS: Final[Mapping[str, str]] = {
    "instruction_fulfillment": "Instruction fulfillment",
    "engagement": "Engagement",
    "content_accuracy": "Content accuracy",
    "visual_consistency": "Visual consistency",
    "visual_integrity": "Visual integrity",
}
"""Names and titles (paper 004, appendix A-C)."""

SETTING_METRICS: Final[Mapping[ScenarioSetting, tuple[str, ...]]] = {
    "vague": (),
    "long-doc": ("key_coverage", "faithfulness"),
    "multimodal": ("visual_use", "figure_claim", "chart_fidelity"),
    "multi-source": ("source_coverage", "integration", "deduplication"),
}
"""Which metrics each setting has besides the shared ones."""


def visual_integrity(defective: int, slides: int) -> float | NotScored:
    """0 to 10 by the share of slides without critical visual defects (appendix A-C).

    >>> visual_integrity(3, 12)
    7.5
    """
    if slides < 1:
        return NotScored("the deck has no slides")
    if not 0 <= defective <= slides:
        raise ValueError(f"{defective} of {slides} slides cannot be defective")
    return TOP * (1 - defective / slides)


def rescaled(value: float, low: float, high: float, *, epsilon: float = 1e-9) -> float:
    """A metric on its scale from ``low`` to ``high`` as 0 to 1 (appendix A-B).

    ``epsilon`` keeps a scale without width from dividing by 0.

    >>> round(rescaled(4, 1, 5), 6)
    0.75
    """
    return (value - low) / (high - low + epsilon)


def shared_score(scores: Iterable[float | NotScored]) -> float | NotScored:
    """0 to 10: the shared metrics, rescaled, with equal weights; NotScored where one is missing.

    >>> round(shared_score([8.0, 6.0, 10.0, 9.0, 7.0]), 6)
    8.0
    """
    return _mean(scores, lambda value: TOP * rescaled(value, 0.0, TOP))


def setting_average(scores: Iterable[float | NotScored]) -> float | NotScored:
    """0 to 10: the mean of all metrics of a setting, the five shared ones each for itself (section
    VI-A, "Reported scores"); NotScored where one is missing.

    Manus in table III, long documents: five shared metrics of 9.49 on average, 9.55 and 6.26.

    >>> round(setting_average([9.49] * 5 + [9.55, 6.26]), 2)
    9.04
    """
    return _mean(scores, float)


def _mean(
    scores: Iterable[float | NotScored], scale: Callable[[float], float]
) -> float | NotScored:
    values = []
    for score in scores:
        if isinstance(score, NotScored):
            return score
        values.append(scale(score))
    return fmean(values) if values else NotScored("there are no metrics")


def mean_of_runs(runs: Sequence[float | NotScored]) -> float | NotScored:
    """The mean of the runs that gave a score; the first cause where none did.

    >>> mean_of_runs([8.0, NotScored("no reply"), 9.0])
    8.5
    """
    known = [value for value in runs if not isinstance(value, NotScored)]
    if known:
        return fmean(known)
    return next((run for run in runs if isinstance(run, NotScored)), NotScored("it was not judged"))


def spread_of_runs(runs: Sequence[float | NotScored]) -> float | NotScored:
    """The standard deviation of a sample of runs (n - 1), lower is steadier (table V).

    >>> round(spread_of_runs([8.0, 9.0, 10.0]), 6)
    1.0
    """
    known = [value for value in runs if not isinstance(value, NotScored)]
    return stdev(known) if len(known) > 1 else NotScored("fewer than two runs gave a score")
