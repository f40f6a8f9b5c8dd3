"""A task drafted from its sources, by program or by a model, for decks whose task nobody has
annotated.

Paper 004, section IV-B, has annotations of people. A draft is a proposal for them: a person has to
check it before scores by it are compared. A program takes for important what stands near titles and
abstracts (``decklab.evals.judges.quiz.statements``), and for the same what shares words. All
that a model quotes is looked up: a quote that does not stand in its document is asked for again,
and then left out and told.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any, Final, TypeVar

from pydantic import BaseModel, Field

from decklab.core.options import JUDGE_TEMPERATURE, ScenarioSetting
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document, DocumentTable, Figure
from decklab.documents.quotes import plain_words
from decklab.documents.retrieval import search_words
from decklab.evals.judges.asking import LINE, Questions
from decklab.evals.judges.quiz.amounts import facts_in, holds_all
from decklab.evals.judges.quiz.quiz import document_parts
from decklab.evals.judges.quiz.statements import SourceSentence, source_sentences
from decklab.evals.judges.scenario.asking import (
    DRAFT_LINKS_RULE,
    DRAFT_POINTS_RULE,
    DRAFT_SYSTEM,
    DRAFT_VISUALS_RULE,
)
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
_LEAST_QUOTE: Final = 3
_SEEN: Final = 12
_OFFERED: Final = 40
_ABOUT: Final = 400
_TOLD: Final = 4
"""How many key points of all sources, statements of one of several, integrations and overlaps,
visuals; statements of one part of a document, words of a quote; pictures and visuals that a model
is shown, and characters of what is said of each; faults that an error names. Ours."""

Form = TypeVar("Form", bound=BaseModel)


class DraftPoint(StrictForm):
    """Something that a deck has to say, and the words of the document that prove it."""

    statement: str = Field(min_length=1)
    quote: str = Field(min_length=1)
    weight: int = Field(ge=1, le=3)
    signals: tuple[str, ...]


class DraftPoints(StrictForm):
    """What a deck has to say of a document."""

    points: tuple[DraftPoint, ...]


class DraftLink(StrictForm):
    """What is to be brought together or told once, by the numbers of its statements."""

    text: str = Field(min_length=1)
    statements: tuple[int, ...]
    weight: int = Field(ge=1, le=3)


class DraftLinks(StrictForm):
    """What documents have to do with each other."""

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


_NumberedLink = tuple[int, DraftLink]


@dataclass(frozen=True)
class _Said:
    """A statement whose quote stands in a document."""

    document: str
    page: int | None
    point: DraftPoint

    @property
    def quote(self) -> SourceQuote:
        return SourceQuote(document=self.document, quote=self.point.quote, page=self.page)


def draft_task_by_model(
    setting: ScenarioSetting,
    sources: KnowledgeBase,
    ask: Ask,
    *,
    request: str = "",
    model: str = "a model",
    tell: Callable[[str], None] = lambda _line: None,
) -> TaskDraft:
    """Have a model annotate the sources for a setting (see ``ScenarioTask`` for the lists).

    Quotes are looked up, numbers of statements have to stand in their quotes, and links have to
    name statements of two documents. An item that breaks a rule is asked for again, alone, three
    times in all, and then left out. Raises ScenarioTaskError where the model gives no annotation
    that holds, and what ``ask`` raises.
    """
    return _Drafter(sources, ask, tell).drafted(setting, request, model)


class _Drafter:
    def __init__(self, sources: KnowledgeBase, ask: Ask, tell: Callable[[str], None]) -> None:
        self._sources, self._tell = sources, tell
        self._questions = Questions(ask, system=DRAFT_SYSTEM, temperature=JUDGE_TEMPERATURE)

    def drafted(self, setting: ScenarioSetting, request: str, model: str) -> TaskDraft:
        lists: dict[str, Sequence[Any]] = {}
        if setting == "long-doc":
            lists["key_points"] = list(_said_key_points(self._statements(_MODEL_POINTS)))
        elif setting == "multimodal":
            lists["visuals"] = self._visuals()
        elif setting == "multi-source":
            said = self._statements(_MODEL_A_SOURCE * len(self._sources.documents))
            links = self._links(said)
            lists["contributions"] = list(_said_contributions(said))
            lists["integrations"] = [_integration(n, link, said) for n, link in links[0]]
            lists["overlaps"] = [_overlap(n, link, said) for n, link in links[1]]
        if lists and not any(lists.values()):
            rest = "".join(f"; {line}" for line in self._questions.left_out[:_TOLD])
            raise ScenarioTaskError(f"{model} drafted no {' and no '.join(lists)} that hold{rest}")
        titles = "; ".join(document.title or document.name for document in self._sources.documents)
        task = ScenarioTask.model_validate(
            {
                "title": titles or request or "a deck", "setting": setting, "request": request,
                "sources": [link.name for link in self._sources.documents],
                "made_by": f"{model}{MODEL_DRAFT}", **lists,
            }
        )  # fmt: skip
        return TaskDraft(task, tuple(self._questions.left_out), self._questions.usage)

    def _statements(self, most: int) -> list[_Said]:
        """Statements that a deck has to make, document by document and part by part, nothing
        twice."""
        parts = [
            (document, text)
            for document in self._sources.documents
            for text in document_parts(KnowledgeBase((document,)))
        ]
        share = max(_LEAST_A_PART, most // max(1, len(parts)))
        points: dict[tuple[str, str], _Said] = {}
        for number, (document, text) in enumerate(parts, start=1):
            self._tell(f"draft: part {number} of {len(parts)}")
            for point in self._points_of(document, text, share):
                points.setdefault(
                    (point.document, plain_words(point.point.quote).casefold()), point
                )
        return list(points.values())

    def _points_of(self, document: Document, text: str, most: int) -> list[_Said]:
        known = KnowledgeBase((document,))
        rule = DRAFT_POINTS_RULE.format(most=most)

        def said(point: DraftPoint) -> _Said | str:
            quote_place = known.find_quote(point.quote)
            if quote_place is None:
                return "the quote is not in the document"
            if len(point.quote.split()) < _LEAST_QUOTE:
                return "the quote is too short to prove anything"
            if not holds_all(facts_in(point.statement), point.quote):
                return "a number of the statement is not in the quote"
            return _Said(document.name, quote_place.page, point)

        return self._questions.draft_items(
            lambda end: self._draft(rule, text + end, DraftPoints).points[:most],
            said,
            lambda point: f"{point.statement[:100]} ({point.quote[:100]})",
        )

    def _draft(self, rule: str, material: str, form: type[Form], **how: Any) -> Form:
        def error(cause: str) -> ScenarioTaskError:
            return ScenarioTaskError(f"no task could be drafted: {cause}")

        prompt = f"{rule}\n\n{LINE}\n{material}"
        return self._questions.draft(prompt, form, error, stage="draft task", **how)

    def _links(self, said: Sequence[_Said]) -> tuple[list[_NumberedLink], list[_NumberedLink]]:
        """Statements to be integrated, and those that overlap."""
        listed = "\n".join(
            f"{number}. [{point.document}] {point.point.statement}"
            for number, point in enumerate(said, start=1)
        )
        rule = DRAFT_LINKS_RULE.format(most=_LINKS)

        def link(item: tuple[str, DraftLink]) -> tuple[str, DraftLink] | str:
            unknown = [n for n in item[1].statements if not 1 <= n <= len(said)]
            if unknown:
                return f"there is no statement {unknown[0]}"
            if len({said[n - 1].document for n in item[1].statements}) < 2:
                return "its statements are not of two documents"
            return item

        self._tell("draft: what the sources have to do with each other")
        kept = self._questions.draft_items(
            lambda end: _links_of(self._draft(rule, listed + end, DraftLinks)),
            link,
            lambda item: f"{item[0]} {item[1].text[:100]}",
        )
        of = {
            name: [point for kind, point in kept if kind == name]
            for name in ("together", "overlap")
        }
        return (
            list(enumerate(of["together"][:_LINKS], start=1)),
            list(enumerate(of["overlap"][:_LINKS], start=1)),
        )

    def _visuals(self) -> list[VisualElement]:
        """The figures and tables that the model chooses, and what they are evidence of."""
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
            return _element(len(taken), chosen, offered[chosen.number - 1])

        self._tell("draft: figures and tables")
        rule = DRAFT_VISUALS_RULE.format(most=_MODEL_VISUALS)
        return self._questions.draft_items(
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
            data = picture_of(item) if len(images) < _SEEN else None
            if data is not None:
                images.append(data)
                shown[number] = len(images)
        return images, shown


def _links_of(reply: DraftLinks) -> Iterator[tuple[str, DraftLink]]:
    yield from (("together", integration) for integration in reply.integrations)
    yield from (("overlap", overlap) for overlap in reply.overlaps)


def _said_key_points(said: Sequence[_Said]) -> Iterator[KeyPoint]:
    for number, entry in enumerate(said, start=1):
        yield KeyPoint(
            id=f"point-{number}", statement=entry.point.statement, weight=entry.point.weight,
            evidence=entry.quote,
        )  # fmt: skip


def _said_contributions(said: Sequence[_Said]) -> Iterator[SourceContribution]:
    for number, entry in enumerate(said, start=1):
        yield SourceContribution(
            id=f"statement-{number}", statement=entry.point.statement, weight=entry.point.weight,
            evidence=entry.quote, signals=entry.point.signals,
        )  # fmt: skip


def _integration(number: int, link: DraftLink, said: Sequence[_Said]) -> IntegrationRequirement:
    parts = tuple(said[n - 1].quote for n in link.statements)
    return IntegrationRequirement(
        id=f"together-{number}", statement=link.text, weight=link.weight, parts=parts
    )


def _overlap(number: int, link: DraftLink, said: Sequence[_Said]) -> OverlapGroup:
    members = tuple(said[n - 1].quote for n in link.statements)
    return OverlapGroup(
        id=f"overlap-{number}", theme=link.text, weight=link.weight, members=members
    )


def _element(number: int, chosen: DraftVisual, visual: Figure | DocumentTable) -> VisualElement:
    return VisualElement(
        id=f"visual-{number}", document=visual.document,
        label=visual.label or counted_label(visual), page=visual.page, box=visual.box,
        claims=chosen.claims, uses=chosen.uses, chart_fidelity=chosen.chart_fidelity,
        weight=chosen.weight,
    )  # fmt: skip


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


def draft_task(
    setting: ScenarioSetting, sources: KnowledgeBase, *, request: str = ""
) -> ScenarioTask:
    """Needs of a deck made from these sources, as far as a program can tell."""
    sentences = source_sentences(sources)
    title = (
        "; ".join(source.title or source.name for source in sources.documents)
        or request
        or "a deck"
    )
    lists: dict[str, tuple[object, ...]] = {}
    if setting == "long-doc":
        lists["key_points"] = tuple(_key_points(sentences))
    elif setting == "multimodal":
        lists["visuals"] = tuple(_visuals(sources))
    elif setting == "multi-source":
        pairs = list(_pairs(sentences))
        lists["contributions"] = tuple(_contributions(sentences, sources))
        lists["integrations"] = tuple(_integrations(pairs))
        lists["overlaps"] = tuple(_overlaps(pairs))
    return ScenarioTask.model_validate(
        {
            "title": title,
            "setting": setting,
            "request": request,
            "sources": [document.name for document in sources.documents],
            "made_by": DRAFTED,
            **lists,
        }
    )


def _quote(sentence: SourceSentence) -> SourceQuote:
    return SourceQuote(document=sentence.document, quote=sentence.quote, page=sentence.page)


def _key_points(sentences: Sequence[SourceSentence]) -> Iterator[KeyPoint]:
    for number, sentence in enumerate(_important(sentences, _POINTS), start=1):
        yield KeyPoint(id=f"point-{number}", statement=sentence.text, evidence=_quote(sentence))


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


def _visuals(sources: KnowledgeBase) -> Iterator[VisualElement]:
    tables = [table for table in sources.tables if table.native and len(table.rows) > 1]
    figures = [figure for figure in sources.figures if figure.caption]
    visuals: list[Figure | DocumentTable] = [*figures[:_VISUALS], *tables[:_VISUALS]]
    for number, item in enumerate(visuals[:_VISUALS], start=1):
        yield VisualElement(
            id=f"visual-{number}", document=item.document, label=item.label or counted_label(item),
            page=item.page, box=item.box, claims=(item.caption,) if item.caption else (),
            chart_fidelity=isinstance(item, DocumentTable),
        )  # fmt: skip


def _contributions(
    sentences: Sequence[SourceSentence], sources: KnowledgeBase
) -> Iterator[SourceContribution]:
    for document in sources.documents:
        own = [sentence for sentence in sentences if sentence.document == document.name]
        for number, part in enumerate(_important(own, _A_SOURCE), start=1):
            yield SourceContribution(
                id=f"{document.name}-{number}", statement=part.text, evidence=_quote(part)
            )


_Pair = tuple[float, SourceSentence, SourceSentence]


def _pairs(sentences: Sequence[SourceSentence]) -> Iterator[_Pair]:
    """Sentences of different documents that share words, and how much."""
    for first, second in combinations(sentences, 2):
        if first.document != second.document:
            share = _share(first, second)
            if share >= _RELATED:
                yield share, first, second


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    return frozenset(search_words(text))


def _share(first: SourceSentence, second: SourceSentence) -> float:
    words, other = _words(first.text), _words(second.text)
    common = len(words & other)
    return common / min(len(words), len(other)) if common >= _LEAST_SHARED else 0.0


def _integrations(pairs: Sequence[_Pair]) -> Iterator[IntegrationRequirement]:
    """Pairs that speak of one thing and say different things of it; few of two documents."""
    used: dict[tuple[str, str], int] = {}
    taken: set[str] = set()
    related = sorted((pair for pair in pairs if pair[0] < _SAME), key=lambda pair: -pair[0])
    number = 0
    for _, first, second in related:
        key = (first.document, second.document)
        if used.get(key, 0) >= _BRIDGES or {first.text, second.text} & taken:
            continue
        used[key] = used.get(key, 0) + 1
        taken |= {first.text, second.text}
        number += 1
        yield IntegrationRequirement(
            id=f"together-{number}",
            statement=f"{first.text} {second.text}",
            parts=(_quote(first), _quote(second)),
        )


def _overlaps(pairs: Sequence[_Pair]) -> Iterator[OverlapGroup]:
    """Sentences of two documents that say the same, the most alike first."""
    used: set[str] = set()
    number = 0
    for share, first, second in sorted(pairs, key=lambda pair: -pair[0]):
        if share < _SAME or number == _GROUPS or {first.text, second.text} & used:
            continue
        used |= {first.text, second.text}
        number += 1
        yield OverlapGroup(
            id=f"overlap-{number}", theme=first.text, members=(_quote(first), _quote(second))
        )
