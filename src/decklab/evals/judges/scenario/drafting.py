"""A task drafted from its sources, by program or by a model, for decks whose task nobody has
annotated.

Paper 004, section IV-B, has annotations of people. A draft is a proposal for them: a person has to
check it before scores by it are compared. A program takes for important what stands near titles and
abstracts (``decklab.evals.judges.quiz.statements``), and for the same what shares words. All
that a model quotes is looked up: a quote that does not stand in its document is asked for again,
and then left out and told.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, islice
from typing import Any, Final, TypeVar

from pydantic import BaseModel, Field

from decklab.core.options import JUDGE_TEMPERATURE, ScenarioSetting
from decklab.core.stages import Progress, silent
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document, DocumentTable, Figure
from decklab.documents.quotes import plain_words
from decklab.documents.retrieval import search_words
from decklab.evals.judges.asking import LINE, Questions
from decklab.evals.judges.quiz.amounts import facts_in, holds_all
from decklab.evals.judges.quiz.quiz import document_parts, unproven
from decklab.evals.judges.quiz.statements import SourceSentence, source_sentences
from decklab.evals.judges.scenario.asking import PROMPTS
from decklab.evals.judges.scenario.proxies import SourceVisuals
from decklab.evals.judges.scenario.shown_deck import picture_of
from decklab.evals.judges.scenario.task import (
    IntegrationRequirement,
    KeyPoint,
    OverlapGroup,
    ScenarioTask,
    ScenarioTaskError,
    SourceContribution,
    SourceQuote,
    VisualElement,
    VisualUse,
    counted_label,
)
from decklab.models.asking import Ask, StrictForm, Usage

MODEL_DRAFT: Final = ", a draft"
"""Behind the name of the model in ``made_by``, until a person has checked the task."""
_MODEL_POINTS: Final = 20
_MODEL_A_SOURCE: Final = 8
_LINKS: Final = 8
_MODEL_VISUALS: Final = 8
_LEAST_A_PART: Final = 4
_SEEN: Final = 12
_OFFERED: Final = 40
_ABOUT: Final = 400
_TOLD: Final = 4
"""How many key points of all sources, statements of one of several, integrations and overlaps,
visuals; statements of one part of a document; pictures and visuals that a model is shown, and
characters of what is said of each; faults that an error names. Ours."""

Form = TypeVar("Form", bound=BaseModel)


class DraftPoint(StrictForm):
    """Something that a deck has to say, and the words of the document that prove it."""

    statement: str = Field(min_length=1)
    quote: str = Field(min_length=1)
    weight: int = Field(ge=1, le=3)
    signals: tuple[str, ...]


class DraftPoints(StrictForm):
    """Statements of a document that a deck has to make."""

    points: tuple[DraftPoint, ...]


class DraftLink(StrictForm):
    """Statements, by number, that belong together or are told once."""

    text: str = Field(min_length=1)
    statements: tuple[int, ...]
    weight: int = Field(ge=1, le=3)


class DraftLinks(StrictForm):
    """Relations between documents."""

    integrations: tuple[DraftLink, ...]
    overlaps: tuple[DraftLink, ...]


class DraftVisual(StrictForm):
    """A figure or table that a deck has to show."""

    number: int
    claims: tuple[str, ...]
    uses: tuple[VisualUse, ...]
    chart_fidelity: bool
    weight: int = Field(ge=1, le=3)


class DraftVisuals(StrictForm):
    """The figures and tables that a deck has to show."""

    visuals: tuple[DraftVisual, ...]


@dataclass(frozen=True)
class TaskDraft:
    """A task by a model, what had to be left out of it and why, a line each, and what it cost."""

    task: ScenarioTask
    left_out: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class _Statement:
    """Something that a deck has to say, and where a document says it."""

    text: str
    quote: SourceQuote
    weight: int = 1
    signals: tuple[str, ...] = ()

    @property
    def fields(self) -> dict[str, Any]:
        """It as key points and contributions have it."""
        return {"statement": self.text, "evidence": self.quote, "weight": self.weight}


@dataclass(frozen=True)
class _Link:
    """Statements of several documents that belong together or are told once."""

    text: str
    quotes: tuple[SourceQuote, ...]
    weight: int = 1


def _annotations(
    setting: ScenarioSetting, drafter: "_ModelDrafter | _ProgramDrafter"
) -> dict[str, Sequence[Any]]:
    """The lists of a task of the setting."""
    if setting == "long-doc":
        points = enumerate(drafter.key_points(), start=1)
        return {"key_points": [KeyPoint(id=f"point-{n}", **item.fields) for n, item in points]}
    if setting == "multimodal":
        return {"visuals": list(drafter.visuals())}
    if setting != "multi-source":
        return {}
    contributions = [
        SourceContribution(id=name, signals=item.signals, **item.fields)
        for name, item in drafter.contributions().items()
    ]
    together, alike = drafter.links()
    return {
        "contributions": contributions,
        "integrations": [
            IntegrationRequirement(
                id=f"together-{n}", statement=link.text, weight=link.weight, parts=link.quotes
            )
            for n, link in enumerate(together, start=1)
        ],
        "overlaps": [
            OverlapGroup(
                id=f"overlap-{n}", theme=link.text, weight=link.weight, members=link.quotes
            )
            for n, link in enumerate(alike, start=1)
        ],
    }


def _task(
    setting: ScenarioSetting,
    sources: KnowledgeBase,
    request: str,
    made_by: str,
    lists: Mapping[str, Sequence[Any]],
) -> ScenarioTask:
    titles = "; ".join(document.title or document.name for document in sources.documents)
    return ScenarioTask(
        title=titles or request or "a deck",
        setting=setting,
        request=request,
        sources=tuple(document.name for document in sources.documents),
        made_by=made_by,
        **{name: tuple(items) for name, items in lists.items()},
    )


def _visual(number: int, item: Figure | DocumentTable, **how: Any) -> VisualElement:
    return VisualElement(
        id=f"visual-{number}",
        document=item.document,
        label=item.label or counted_label(item),
        page=item.page,
        box=item.box,
        **how,
    )


def draft_task_by_model(
    setting: ScenarioSetting,
    sources: KnowledgeBase,
    ask: Ask,
    *,
    request: str = "",
    model: str = "a model",
    tell: Progress = silent,
) -> TaskDraft:
    """Have a model annotate the sources for a setting (see ``ScenarioTask`` for the lists).

    Quotes are looked up, numbers of statements have to stand in their quotes, and links have to
    name statements of two documents. An item that breaks a rule is asked for again, alone, three
    times in all, and then left out. Raises ScenarioTaskError where the model gives no annotation
    that holds, and what ``ask`` raises.
    """
    drafter = _ModelDrafter(sources, ask, tell)
    lists = _annotations(setting, drafter)
    left_out = drafter.questions.left_out
    if lists and not any(lists.values()):
        rest = "".join(f"; {line}" for line in left_out[:_TOLD])
        raise ScenarioTaskError(f"{model} drafted no {' and no '.join(lists)} that hold{rest}")
    task = _task(setting, sources, request, f"{model}{MODEL_DRAFT}", lists)
    return TaskDraft(task, tuple(left_out), drafter.questions.usage)


class _ModelDrafter:
    def __init__(self, sources: KnowledgeBase, ask: Ask, tell: Progress) -> None:
        self._sources, self._tell = sources, tell
        self._statements: list[_Statement] = []
        self.questions = Questions(
            ask, system=PROMPTS["draft_system"], temperature=JUDGE_TEMPERATURE
        )

    def key_points(self) -> Iterable[_Statement]:
        return self._drafted(_MODEL_POINTS)

    def contributions(self) -> Mapping[str, _Statement]:
        self._statements = self._drafted(_MODEL_A_SOURCE * len(self._sources.documents))
        return {f"statement-{n}": item for n, item in enumerate(self._statements, start=1)}

    def _drafted(self, most: int) -> list[_Statement]:
        """Statements that a deck has to make, part by part of the documents, none twice."""
        documents = [(KnowledgeBase((each,)), each) for each in self._sources.documents]
        parts = [(each, text) for base, each in documents for text in document_parts(base)]
        share = max(_LEAST_A_PART, most // max(1, len(parts)))
        points: dict[tuple[str, str], _Statement] = {}
        for number, (document, text) in enumerate(parts, start=1):
            self._tell(f"draft: part {number} of {len(parts)}")
            for point in self._points_of(document, text, share):
                words = plain_words(point.quote.quote).casefold()
                points.setdefault((document.name, words), point)
        return list(points.values())

    def _points_of(self, document: Document, text: str, most: int) -> list[_Statement]:
        known = KnowledgeBase((document,))
        rule = PROMPTS["draft_points"].format(most=most)

        def said(point: DraftPoint) -> _Statement | str:
            if problem := unproven(known, point.quote):
                return problem
            if not holds_all(facts_in(point.statement), point.quote):
                return "a number of the statement is not in the quote"
            stands = known.find_quote(point.quote)
            page = stands.page if stands else None
            quote = SourceQuote(document=document.name, quote=point.quote, page=page)
            return _Statement(point.statement, quote, point.weight, point.signals)

        return self.questions.draft_items(
            lambda end: self._draft(rule, text + end, DraftPoints).points[:most],
            said,
            lambda point: f"{point.statement[:100]} ({point.quote[:100]})",
        )

    def _draft(self, rule: str, material: str, form: type[Form], **how: Any) -> Form:
        def error(cause: str) -> ScenarioTaskError:
            return ScenarioTaskError(f"no task could be drafted: {cause}")

        prompt = f"{rule}\n\n{LINE}\n{material}"
        return self.questions.draft(prompt, form, error, stage="draft task", **how)

    def links(self) -> tuple[Iterable[_Link], Iterable[_Link]]:
        said = self._statements
        listed = "\n".join(
            f"{number}. [{statement.quote.document}] {statement.text}"
            for number, statement in enumerate(said, start=1)
        )
        rule = PROMPTS["draft_links"].format(most=_LINKS)

        def link(item: tuple[str, DraftLink]) -> tuple[str, _Link] | str:
            kind, drafted = item
            if unknown := [n for n in drafted.statements if not 1 <= n <= len(said)]:
                return f"there is no statement {unknown[0]}"
            quotes = tuple(said[n - 1].quote for n in drafted.statements)
            if len({quote.document for quote in quotes}) < 2:
                return "its statements are not of two documents"
            return kind, _Link(drafted.text, quotes, drafted.weight)

        self._tell("draft: what the sources have to do with each other")
        kept = self.questions.draft_items(
            lambda end: _links_of(self._draft(rule, listed + end, DraftLinks)),
            link,
            lambda item: f"{item[0]} {item[1].text[:100]}",
        )
        together, alike = (
            [link for kind, link in kept if kind == name] for name in ("together", "overlap")
        )
        return together[:_LINKS], alike[:_LINKS]

    def visuals(self) -> Iterable[VisualElement]:
        offered: list[Figure | DocumentTable] = [*self._sources.figures, *self._sources.tables]
        offered = offered[:_OFFERED]
        images, shown = self._pictures(offered)
        about = SourceVisuals(self._sources)
        listed = "\n".join(
            f"{number}. {counted_label(visual)} of {visual.document}"
            f"{', ' + visual.label if visual.label else ''}"
            f"{f', picture {shown[number]}' if number in shown else ''}:"
            f" {about.said_of(visual)[:_ABOUT]}"
            for number, visual in enumerate(offered, start=1)
        )
        taken: set[int] = set()

        def element(chosen: DraftVisual) -> VisualElement | str:
            if not 1 <= chosen.number <= len(offered):
                return f"there is no {chosen.number}"
            if chosen.number in taken:
                return "it is chosen twice"
            if not chosen.uses:
                return "no use is accepted"
            foreign = [claim for claim in chosen.claims if self._sources.find_quote(claim) is None]
            if foreign:
                return f"no document says: {foreign[0][:100]}"
            taken.add(chosen.number)
            item = offered[chosen.number - 1]
            return _visual(len(taken), item, **chosen.model_dump(exclude={"number"}))

        self._tell("draft: figures and tables")
        rule = PROMPTS["draft_visuals"].format(most=_MODEL_VISUALS)
        return self.questions.draft_items(
            lambda end: self._draft(rule, listed + end, DraftVisuals, images=images).visuals,
            element,
            lambda chosen: f"figure or table {chosen.number}",
        )[:_MODEL_VISUALS]

    def _pictures(
        self, offered: Sequence[Figure | DocumentTable]
    ) -> tuple[list[bytes], Mapping[int, int]]:
        """Pictures of some visuals, and which one shows which of them."""
        images: list[bytes] = []
        shown: dict[int, int] = {}
        for number, item in enumerate(offered, start=1):
            if (data := picture_of(item) if len(images) < _SEEN else None) is not None:
                images.append(data)
                shown[number] = len(images)
        return images, shown


def _links_of(reply: DraftLinks) -> Iterator[tuple[str, DraftLink]]:
    yield from (("together", integration) for integration in reply.integrations)
    yield from (("overlap", overlap) for overlap in reply.overlaps)


DRAFTED: Final = "decklab, by program"
_POINTS: Final = 20
_A_SECTION: Final = 2
_A_SOURCE: Final = 6
_VISUALS: Final = 8
_BRIDGES: Final = 3
_GROUPS: Final = 8
"""How many key points, of one section, contributions of a source, visual elements, requirements of
two sources, and overlap groups a draft has at most. Ours."""
_SAME: Final = 0.6
_RELATED: Final = 0.3
_LEAST_SHARED: Final = 4
"""Share of the words of the shorter of two sentences that both have, from which they say the same,
and from which they speak of one thing; and how many words at least. Ours."""

_Pair = tuple[float, SourceSentence, SourceSentence]


def draft_task(
    setting: ScenarioSetting, sources: KnowledgeBase, *, request: str = ""
) -> ScenarioTask:
    """Needs of a deck made from these sources, as far as a program can tell."""
    lists = _annotations(setting, _ProgramDrafter(sources))
    return _task(setting, sources, request, DRAFTED, lists)


class _ProgramDrafter:
    def __init__(self, sources: KnowledgeBase) -> None:
        self._sources, self._sentences = sources, source_sentences(sources)

    def key_points(self) -> Iterable[_Statement]:
        return map(_statement, _important(self._sentences, _POINTS))

    def contributions(self) -> Mapping[str, _Statement]:
        return {
            f"{document.name}-{number}": _statement(sentence)
            for document in self._sources.documents
            for own in [[part for part in self._sentences if part.document == document.name]]
            for number, sentence in enumerate(_important(own, _A_SOURCE), start=1)
        }

    def visuals(self) -> Iterable[VisualElement]:
        tables = [table for table in self._sources.tables if table.native and len(table.rows) > 1]
        figures = [figure for figure in self._sources.figures if figure.caption]
        visuals: list[Figure | DocumentTable] = [*figures[:_VISUALS], *tables[:_VISUALS]]
        for number, item in enumerate(visuals[:_VISUALS], start=1):
            claims, native = filter(None, (item.caption,)), isinstance(item, DocumentTable)
            yield _visual(number, item, claims=tuple(claims), chart_fidelity=native)

    def links(self) -> tuple[Iterable[_Link], Iterable[_Link]]:
        """Pairs that speak of one thing and say different things of it, few of two documents; and
        pairs that say the same; the most alike first."""
        pairs = sorted(self._pairs(), key=lambda pair: -pair[0])
        return _related(pairs), islice(_repeated(pairs), _GROUPS)

    def _pairs(self) -> Iterator[_Pair]:
        """Sentences of different documents that share words, and how much."""
        for first, second in combinations(self._sentences, 2):
            share = _share(first, second) if first.document != second.document else 0.0
            if share >= _RELATED:
                yield share, first, second


def _statement(sentence: SourceSentence) -> _Statement:
    return _Statement(sentence.text, _quote(sentence))


def _quote(sentence: SourceSentence) -> SourceQuote:
    return SourceQuote(document=sentence.document, quote=sentence.quote, page=sentence.page)


def _important(sentences: Sequence[SourceSentence], most: int) -> list[SourceSentence]:
    """The most important sentences, few of one section and none that repeats another, in order."""
    kept: list[int] = []
    used: dict[tuple[str, str], int] = {}
    for index in sorted(range(len(sentences)), key=lambda at: -sentences[at].importance):
        sentence = sentences[index]
        section = (sentence.document, sentence.section)
        repeated = any(_share(sentence, sentences[other]) >= _SAME for other in kept)
        if sentence.importance <= 0 or used.get(section, 0) >= _A_SECTION or repeated:
            continue
        kept.append(index)
        used[section] = used.get(section, 0) + 1
        if len(kept) == most:
            break
    return [sentences[index] for index in sorted(kept)]


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    return frozenset(search_words(text))


def _share(first: SourceSentence, second: SourceSentence) -> float:
    words, other = _words(first.text), _words(second.text)
    common = len(words & other)
    return common / min(len(words), len(other)) if common >= _LEAST_SHARED else 0.0


def _related(pairs: Sequence[_Pair]) -> Iterator[_Link]:
    used: dict[tuple[str, str], int] = {}
    taken: set[str] = set()
    for share, first, second in pairs:
        key = (first.document, second.document)
        if share >= _SAME or used.get(key, 0) >= _BRIDGES or {first.text, second.text} & taken:
            continue
        used[key] = used.get(key, 0) + 1
        taken |= {first.text, second.text}
        yield _Link(f"{first.text} {second.text}", (_quote(first), _quote(second)))


def _repeated(pairs: Sequence[_Pair]) -> Iterator[_Link]:
    taken: set[str] = set()
    for share, first, second in pairs:
        if share >= _SAME and not {first.text, second.text} & taken:
            taken |= {first.text, second.text}
            yield _Link(first.text, (_quote(first), _quote(second)))
