"""Annotations of a task, that is, what a deck made from given sources has to hold; and the metrics
of UniPPTEval: from the states of items to scores of 0 to 10, higher is better.

Paper 004, sections III-A and IV-B and appendix B: key points with evidence and weight, visual
elements with their place and use, contributions of each source, what is to be integrated, and what
overlaps. The form of the file is ours.

Paper 004, appendices A-B, A-C and B. Our copy of the paper has lost its formulas; they are taken
from the words around them, and the scale and the averages from tables II and III, whose rows they
give to the second decimal.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from pathlib import Path
from statistics import stdev
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decklab.core.errors import DecklabError, fault_words, json_in
from decklab.core.files import write_whole
from decklab.core.geometry import Box
from decklab.core.options import ScenarioSetting
from decklab.core.results import NotScored, first_cause, scored, scored_mean
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure

TOP: Final = 10.0
"""Every metric is told from 0 to this (tables II and III)."""
BINARY: Final = (0.0, 1.0)
THREE_STATES: Final = (0.0, 0.5, 1.0)
"""States of items. The paper names three in words; that the middle one is a half is ours."""


@dataclass(frozen=True)
class ScenarioItem:
    """One thing that was judged: a key point, a claim, a visual, a group.

    ``state`` is None if the item does not apply, so that it does not count.
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
    """The items of a metric of a setting, their states, and how they make a score."""

    name: str
    title: str
    states: tuple[float, ...]
    weighted: bool
    no_items: str
    """The reason for no score if there are no items."""

    def score(self, items: Sequence[ScenarioItem]) -> float | NotScored:
        """0 to 10: ten times the mean of the states, weighted where the metric has weights.

        Items that do not apply are left out (only deduplication has them). NotScored where an item
        that applies was not judged, for the paper averages over all of them, and where no item is
        left. Raises ValueError for a state that the metric does not have.
        """
        states, weights = [], []
        for item in items:
            if isinstance(item.state, NotScored):
                return NotScored(f"{item.id}: {item.state.reason}")
            if item.state is None:
                continue
            if item.state not in self.states:
                raise ValueError(f"{self.name} has no state {item.state}")
            states.append(item.state)
            weights.append(item.weight if self.weighted else 1.0)
        if not states:
            return NotScored(self.no_items)
        return float(TOP * sum(map(mul, weights, states)) / sum(weights))


SCENARIO_METRICS: Final[Mapping[str, ScenarioMetric]] = {
    metric.name: metric
    for metric in (
        ScenarioMetric("key_coverage", "Key point coverage", THREE_STATES, True,
                       "the task has no key points"),
        ScenarioMetric("faithfulness", "Content faithfulness", BINARY, False,
                       "the deck makes no claims"),
        ScenarioMetric("visual_use", "Visual element utilization", BINARY, False,
                       "the task has no visual elements"),
        ScenarioMetric("figure_claim", "Figure-claim alignment", THREE_STATES, False,
                       "the deck shows no visuals"),
        ScenarioMetric("chart_fidelity", "Chart translation fidelity", THREE_STATES, True,
                       "the task asks for no chart's fidelity"),
        ScenarioMetric("source_coverage", "Cross-document coverage", THREE_STATES, True,
                       "the task has no contributions"),
        ScenarioMetric("integration", "Cross-document integration", THREE_STATES, True,
                       "the task asks for no integration"),
        ScenarioMetric("deduplication", "Redundancy deduplication", THREE_STATES, True,
                       "no overlapping theme is in the task or the deck"),
    )
}  # fmt: skip
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


def rescaled(value: float, low: float, high: float) -> float:
    """A metric on its scale from ``low`` to ``high`` as 0 to 1 (appendix A-B).

    >>> round(rescaled(4, 1, 5), 6)
    0.75
    """
    return (value - low) / (high - low + 1e-9)  # a scale may have no width


def shared_score(scores: Iterable[float | NotScored]) -> float | NotScored:
    """0 to 10: the shared metrics, rescaled, with equal weights; NotScored where one is missing.

    >>> round(shared_score([8.0, 6.0, 10.0, 9.0, 7.0]), 6)
    8.0
    """
    return setting_average(
        score if isinstance(score, NotScored) else TOP * rescaled(score, 0.0, TOP)
        for score in scores
    )


def setting_average(scores: Iterable[float | NotScored]) -> float | NotScored:
    """0 to 10: the mean of all metrics of a setting, the five shared ones each for itself (section
    VI-A, "Reported scores"); NotScored where one is missing.

    Manus in table III, long documents: five shared metrics of 9.49 on average, 9.55 and 6.26.

    >>> round(setting_average([9.49] * 5 + [9.55, 6.26]), 2)
    9.04
    """
    listed = list(scores)
    return first_cause(listed) or scored_mean(listed, "there are no metrics")


def mean_of_runs(runs: Sequence[float | NotScored]) -> float | NotScored:
    """The mean of the runs that gave a score; the first cause where none did.

    >>> mean_of_runs([8.0, NotScored("no reply"), 9.0])
    8.5
    """
    return scored_mean(runs, "it was not judged")


def spread_of_runs(runs: Sequence[float | NotScored]) -> float | NotScored:
    """The standard deviation of a sample of runs (n - 1), lower is steadier (table V).

    >>> round(spread_of_runs([8.0, 9.0, 10.0]), 6)
    1.0
    """
    known = scored(runs)
    return stdev(known) if len(known) > 1 else NotScored("fewer than two runs gave a score")


VisualUse = Literal["reuse", "redraw"]
"""The source's picture itself, or a table or chart made anew from it."""
_LEAST_COMMON: Final = 0.3
"""Share of the smaller box that an element's box and a figure's must have in common. Ours."""


class ScenarioTaskError(DecklabError):
    """An annotation file that cannot be used; the text names each fault in a line."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AnnotatedItem(_Part):
    """Something that a deck has to hold."""

    id: str = Field(min_length=1)
    weight: float = Field(default=1.0, gt=0, allow_inf_nan=False)
    """How much it counts beside the others of its kind."""


class SourceQuote(_Part):
    """Words of a source, and where they stand."""

    document: str = Field(min_length=1)
    quote: str = Field(min_length=1)
    page: int | None = Field(default=None, ge=1)


class KeyPoint(AnnotatedItem):
    """Something that a deck has to say, and the words of the source that say it."""

    statement: str = Field(min_length=1)
    evidence: SourceQuote


class VisualElement(AnnotatedItem):
    """A figure, chart or table of a source that a deck has to use.

    It is found by ``label``, as the document has it ("Figure 3"), or else counted ("table 2" is the
    second table); without one by ``page`` and ``box`` (left, top, right, bottom in points, origin
    top left, as ``decklab read --json`` tells them), or by ``page`` alone.
    """

    document: str = Field(min_length=1)
    label: str = ""
    page: int | None = Field(default=None, ge=1)
    box: tuple[float, float, float, float] | None = None
    claims: tuple[str, ...] = ()
    """The statement that it is evidence of."""
    uses: tuple[VisualUse, ...] = ("reuse", "redraw")
    """Which uses are accepted."""
    chart_fidelity: bool = False
    """Whether its labels and values have to survive."""

    @property
    def name(self) -> str:
        """Its label, or its page, and its document."""
        return f"{self.label or f'page {self.page}'} of {self.document}"


class SourceContribution(AnnotatedItem):
    """Content of one source that a deck has to say; ``signals`` are words that may tell it."""

    statement: str = Field(min_length=1)
    evidence: SourceQuote
    signals: tuple[str, ...] = ()


class IntegrationRequirement(AnnotatedItem):
    """Content that a deck has to join from two sources or more."""

    statement: str = Field(min_length=1)
    parts: tuple[SourceQuote, ...] = Field(min_length=2)


class OverlapGroup(AnnotatedItem):
    """A theme that several sources tell, and that a deck should tell once."""

    theme: str = Field(min_length=1)
    members: tuple[SourceQuote, ...] = Field(min_length=2)


class ScenarioTask(_Part):
    """The request for a deck, its sources, and the content that it has to hold."""

    title: str = Field(min_length=1)
    setting: ScenarioSetting
    request: str = ""
    """The user's request, and its audience."""
    sources: tuple[str, ...] = ()
    """File names of the documents; empty where they are not named."""
    made_by: str = "a person"
    """Who annotated it."""
    key_points: tuple[KeyPoint, ...] = ()
    visuals: tuple[VisualElement, ...] = ()
    contributions: tuple[SourceContribution, ...] = ()
    integrations: tuple[IntegrationRequirement, ...] = ()
    overlaps: tuple[OverlapGroup, ...] = ()

    @property
    def items(self) -> Iterator[tuple[str, AnnotatedItem]]:
        """All annotations, each with the name of its list."""
        for name in ITEM_LISTS:
            yield from ((name, item) for item in getattr(self, name))

    @property
    def quotes(self) -> Iterator[tuple[str, SourceQuote]]:
        """All quotes of sources, each with the place of its item in the file."""
        for name, item in self.items:
            label = f"{name} {item.id}"
            if isinstance(item, KeyPoint | SourceContribution):
                yield label, item.evidence
            elif isinstance(item, IntegrationRequirement):
                yield from ((label, part) for part in item.parts)
            elif isinstance(item, OverlapGroup):
                yield from ((label, member) for member in item.members)


ITEM_LISTS: Final = ("key_points", "visuals", "contributions", "integrations", "overlaps")
"""The lists of annotations of a task."""

NEEDED: Final[Mapping[ScenarioSetting, tuple[str, ...]]] = {
    "vague": (),
    "long-doc": ("key_points",),
    "multimodal": ("visuals",),
    "multi-source": ("contributions", "integrations", "overlaps"),
}
"""Which lists the metrics of each setting need, one of them at least."""

_METRIC_LISTS: Final[Mapping[str, str]] = {
    "key_coverage": "key_points", "visual_use": "visuals", "source_coverage": "contributions",
    "integration": "integrations", "deduplication": "overlaps",
}  # fmt: skip


def metrics_of(task: ScenarioTask) -> tuple[str, ...]:
    """The metrics of a task's setting for which it has items.

    A metric that a task does not ask for lowers no average: in table III of paper 004 the averages
    with figures are means over tasks, of which not all ask for the fidelity of a chart.
    """
    metrics = SETTING_METRICS[task.setting]
    asked = [name for name in metrics if getattr(task, _METRIC_LISTS.get(name, "setting"))]
    drawn = any(visual.chart_fidelity for visual in task.visuals)
    return tuple(name for name in asked if drawn or name != "chart_fidelity")


def task_problems(task: ScenarioTask, sources: KnowledgeBase | None = None) -> list[str]:
    """The faults of a task, a line each; empty for none.

    With ``sources`` every document that is named has to be among them, every quote has to stand in
    its document, on the page that is named, and every visual element has to be a figure or table.
    """
    problems = list(_own_problems(task))
    if sources is not None:
        problems += _source_problems(task, sources)
    return problems


def _own_problems(task: ScenarioTask) -> Iterator[str]:
    if (needed := NEEDED[task.setting]) and not any(getattr(task, name) for name in needed):
        yield f"setting {task.setting} needs {' or '.join(needed)}, and there are none"
    for (name, given), times in Counter((name, item.id) for name, item in task.items).items():
        if times > 1:
            yield f"{name}: the id {given!r} is there {times} times"
    for visual in task.visuals:
        if not visual.uses:
            yield f"visuals {visual.id}: no use is accepted"
        if not visual.label and visual.page is None:
            yield f"visuals {visual.id}: it has neither label nor page"
    for requirement in task.integrations:
        if len({part.document for part in requirement.parts}) < 2:
            yield f"integrations {requirement.id}: all its parts are of one document"
    named = set(task.sources)
    for label, document in _documents(task):
        if named and document not in named:
            yield f"{label}: {document} is not among the sources of the task"


def _documents(task: ScenarioTask) -> Iterator[tuple[str, str]]:
    yield from ((label, quote.document) for label, quote in task.quotes)
    yield from ((f"visuals {visual.id}", visual.document) for visual in task.visuals)


def _source_problems(task: ScenarioTask, sources: KnowledgeBase) -> Iterator[str]:
    known = {document.name: document for document in sources.documents}
    yield from (f"sources: {name} was not given" for name in task.sources if name not in known)
    for label, quote in task.quotes:
        if quote.document not in known:
            yield f"{label}: {quote.document} was not given"
            continue
        if (quote_place := KnowledgeBase((known[quote.document],)).find_quote(quote.quote)) is None:
            yield f"{label}: {quote.document} does not say: {quote.quote[:100]}"
        elif quote.page is not None and quote_place.page != quote.page:
            yield f"{label}: its quote stands on page {quote_place.page} of {quote.document}"
    for visual in task.visuals:
        if visual.document not in known:
            yield f"visuals {visual.id}: {visual.document} was not given"
        elif source_visual(visual, sources) is None:
            yield f"visuals {visual.id}: {visual.document} has no such figure or table"


def source_visual(visual: VisualElement, sources: KnowledgeBase) -> Figure | DocumentTable | None:
    """The figure or table that an annotation means; None if there is none."""
    all_of_them: list[Figure | DocumentTable] = [*sources.figures, *sources.tables]
    own = [item for item in all_of_them if item.document == visual.document]
    if visual.label:
        named = [item for item in own if _label(item.label) == _label(visual.label)]
        own = named or [item for item in own if counted_label(item) == _label(visual.label)]
    if visual.page is not None:
        own = [item for item in own if item.page == visual.page]
    if visual.box is None or visual.label:
        return own[0] if own else None
    box = Box(*visual.box)
    shares = [(_common(box, item.box), -number) for number, item in enumerate(own)]
    best, number = max(shares, default=(0.0, 0))
    return own[-number] if best >= _LEAST_COMMON else None


def counted_label(visual: Figure | DocumentTable) -> str:
    """The name of a figure or table by its number in the document, such as ``table 2``."""
    return f"{'table' if isinstance(visual, DocumentTable) else 'figure'} {visual.number}"


def _label(text: str) -> str:
    return text.casefold().rstrip(" .:")


def _common(box: Box, other: Box | None) -> float:
    """Share of the smaller of two boxes that both have; 0 to 1."""
    smaller = min(box.area, other.area) if other else 0.0
    return box.intersection(other).area / smaller if other and smaller else 0.0


def load_task(path: str | Path, sources: KnowledgeBase | None = None) -> ScenarioTask:
    """A task from a JSON file; with ``sources`` its quotes are looked up in them.

    Raises ScenarioTaskError, with a line for every fault, where it is none or cannot be used.
    """
    data = json_in(path, ScenarioTaskError)
    try:
        task = ScenarioTask.model_validate(data)
    except ValidationError as error:
        raise _error(path, [_fault(data, fault) for fault in error.errors()]) from error
    if problems := task_problems(task, sources):
        raise _error(path, problems)
    return task


def _error(path: str | Path, lines: Sequence[str]) -> ScenarioTaskError:
    return ScenarioTaskError("\n".join(f"{path}: {line}" for line in lines))


def _fault(data: Any, fault: Mapping[str, Any]) -> str:
    """A fault of the form in a line; items are named by their ids where they have any."""
    path: list[str] = []
    here = data
    for part in fault["loc"]:
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            here = None
        named = here.get("id") if isinstance(part, int) and isinstance(here, dict) else None
        path.append(str(named if named is not None else part))
    return f"{' '.join(path) or 'the file'}: {fault_words(fault)}"


def write_task(task: ScenarioTask, path: str | Path) -> None:
    """Write a task as JSON that a person can read and change, whole or not at all."""
    data = task.model_dump(mode="json", exclude_defaults=True)
    write_whole(path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())
