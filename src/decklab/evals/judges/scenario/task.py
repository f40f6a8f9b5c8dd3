"""The annotations of a task: what a deck made from given sources has to hold.

Paper 004, sections III-A and IV-B and appendix B: key points with evidence and weight, visual
elements with their place and use, contributions of each source, what is to be integrated, and what
overlaps. The form of the file is ours.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decklab.core.errors import DecklabError, fault_words, json_of
from decklab.core.files import write_whole
from decklab.core.geometry import Box
from decklab.core.options import ScenarioSetting
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure
from decklab.evals.judges.scenario.metrics import SETTING_METRICS

VisualUse = Literal["reuse", "redraw"]
"""The source's picture itself, or a table or chart made anew from it."""
_LEAST_COMMON: Final = 0.3
"""Share of the smaller box that an element's box and a figure's must have in common. Ours."""


class ScenarioTaskError(DecklabError):
    """An annotation file that cannot be used; the text names each fault in a line."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Weighted(_Part):
    id: str = Field(min_length=1)
    weight: float = Field(default=1.0, gt=0, allow_inf_nan=False)
    """How much it counts beside the others of its kind."""


class SourceQuote(_Part):
    """Words of a source, and where they stand."""

    document: str = Field(min_length=1)
    quote: str = Field(min_length=1)
    page: int | None = Field(default=None, ge=1)


class KeyPoint(_Weighted):
    """Something that a deck has to say, and the words of the source that say it."""

    statement: str = Field(min_length=1)
    evidence: SourceQuote


class VisualElement(_Weighted):
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
    """What it is evidence of."""
    uses: tuple[VisualUse, ...] = ("reuse", "redraw")
    """Which uses are accepted."""
    chart_fidelity: bool = False
    """Whether its labels and values have to survive."""


class SourceContribution(_Weighted):
    """What one source brings in that a deck has to say; ``signals`` are words that may tell it."""

    statement: str = Field(min_length=1)
    evidence: SourceQuote
    signals: tuple[str, ...] = ()


class IntegrationRequirement(_Weighted):
    """What a deck has to bring together from two sources or more."""

    statement: str = Field(min_length=1)
    parts: tuple[SourceQuote, ...] = Field(min_length=2)


class OverlapGroup(_Weighted):
    """A theme that several sources tell, and that a deck should tell once."""

    theme: str = Field(min_length=1)
    members: tuple[SourceQuote, ...] = Field(min_length=2)


class ScenarioTask(_Part):
    """What a deck was asked to be, from which sources, and what it has to hold."""

    title: str = Field(min_length=1)
    setting: ScenarioSetting
    request: str = ""
    """What the user asked for, and for whom."""
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
    def items(self) -> Iterator[tuple[str, _Weighted]]:
        """All annotations, each with the name of its list."""
        for name in ITEM_LISTS:
            for item in getattr(self, name):
                yield name, item

    @property
    def quotes(self) -> Iterator[tuple[str, SourceQuote]]:
        """All quotes of sources, each with the place of its item in the file."""
        for name, item in self.items:
            place = f"{name} {item.id}"
            if isinstance(item, KeyPoint | SourceContribution):
                yield place, item.evidence
            elif isinstance(item, IntegrationRequirement):
                yield from ((place, part) for part in item.parts)
            elif isinstance(item, OverlapGroup):
                yield from ((place, member) for member in item.members)


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

    What a task does not ask for lowers no average: in table III of paper 004 the averages with
    figures are means over tasks, of which not all ask for the fidelity of a chart.
    """
    return tuple(
        name
        for name in SETTING_METRICS[task.setting]
        if getattr(task, _METRIC_LISTS.get(name, "setting"))
        and (name != "chart_fidelity" or any(visual.chart_fidelity for visual in task.visuals))
    )


def task_problems(task: ScenarioTask, sources: KnowledgeBase | None = None) -> list[str]:
    """What is wrong with a task, a line each; empty where nothing is.

    With ``sources`` every document that is named has to be among them, every quote has to stand in
    its document, on the page that is named, and every visual element has to be a figure or table.
    """
    problems = list(_own_problems(task))
    if sources is not None:
        problems += _source_problems(task, sources)
    return problems


def _own_problems(task: ScenarioTask) -> Iterator[str]:
    needed = NEEDED[task.setting]
    if needed and not any(getattr(task, name) for name in needed):
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
    for place, document in _documents(task):
        if named and document not in named:
            yield f"{place}: {document} is not among the sources of the task"


def _documents(task: ScenarioTask) -> Iterator[tuple[str, str]]:
    yield from ((place, quote.document) for place, quote in task.quotes)
    yield from ((f"visuals {visual.id}", visual.document) for visual in task.visuals)


def _source_problems(task: ScenarioTask, sources: KnowledgeBase) -> Iterator[str]:
    known = {document.name: document for document in sources.documents}
    for name in task.sources:
        if name not in known:
            yield f"sources: {name} was not given"
    for place, quote in task.quotes:
        if quote.document not in known:
            yield f"{place}: {quote.document} was not given"
            continue
        found = KnowledgeBase((known[quote.document],)).find_quote(quote.quote)
        if found is None:
            yield f"{place}: {quote.document} does not say: {quote.quote[:100]}"
        elif quote.page is not None and found.page != quote.page:
            yield f"{place}: its quote stands on page {found.page} of {quote.document}"
    for visual in task.visuals:
        if visual.document not in known:
            yield f"visuals {visual.id}: {visual.document} was not given"
        elif source_visual(visual, sources) is None:
            yield f"visuals {visual.id}: {visual.document} has no such figure or table"


def source_visual(visual: VisualElement, sources: KnowledgeBase) -> Figure | DocumentTable | None:
    """The figure or table that an annotation means; None where there is none."""
    all_of_them: list[Figure | DocumentTable] = [*sources.figures, *sources.tables]
    own = [one for one in all_of_them if one.document == visual.document]
    if visual.label:
        named = [one for one in own if _label(one.label) == _label(visual.label)]
        own = named or [one for one in own if counted_label(one) == _label(visual.label)]
    if visual.page is not None:
        own = [one for one in own if one.page == visual.page]
    if visual.box is None or visual.label:
        return own[0] if own else None
    box = Box(*visual.box)
    shares = [(_common(box, one.box), -number) for number, one in enumerate(own)]
    best, number = max(shares, default=(0.0, 0))
    return own[-number] if best >= _LEAST_COMMON else None


def counted_label(visual: Figure | DocumentTable) -> str:
    """What a figure or table is called by its number in the document, such as ``table 2``."""
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
    try:
        data = json_of(Path(path).read_bytes())
        task = ScenarioTask.model_validate(data)
    except ValidationError as error:
        raise _error(path, [_fault(data, fault) for fault in error.errors()]) from error
    except ValueError as error:
        raise _error(path, [str(error)]) from error
    except OSError as error:
        raise _error(path, [f"it cannot be read: {error.strerror}"]) from error
    problems = task_problems(task, sources)
    if problems:
        raise _error(path, problems)
    return task


def _error(path: str | Path, lines: Sequence[str]) -> ScenarioTaskError:
    return ScenarioTaskError("\n".join(f"{path}: {line}" for line in lines))


def _fault(data: Any, fault: Mapping[str, Any]) -> str:
    """A fault of the form in a line; items are named by their ids where they have any."""
    place: list[str] = []
    here = data
    for part in fault["loc"]:
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            here = None
        named = here.get("id") if isinstance(part, int) and isinstance(here, dict) else None
        place.append(str(named if named is not None else part))
    return f"{' '.join(place) or 'the file'}: {fault_words(fault)}"


def write_task(task: ScenarioTask, path: str | Path) -> None:
    """Write a task as JSON that a person can read and change, whole or not at all."""
    data = task.model_dump(mode="json", exclude_defaults=True)
    write_whole(path, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())
