"""A task drafted from its sources by program, for decks whose task nobody has annotated.

A person has to check a draft before scores by it are compared: it takes for important what stands
near titles and abstracts (``decklab.evals.judges.quiz.source_sentences``), and for the same what
shares words.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final

from decklab.core.options import ScenarioSetting
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure
from decklab.documents.retrieval import search_words
from decklab.evals.judges.quiz.source_sentences import SourceSentence, source_sentences
from decklab.evals.judges.scenario.task import (
    IntegrationRequirement,
    KeyPoint,
    OverlapGroup,
    ScenarioTask,
    SourceContribution,
    SourceQuote,
    VisualElement,
    counted_label,
)

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
    """What a deck made from these sources should hold, as far as a program can tell."""
    found = source_sentences(sources)
    title = "; ".join(one.title or one.name for one in sources.documents) or request or "a deck"
    lists: dict[str, tuple[object, ...]] = {}
    if setting == "long-doc":
        lists["key_points"] = tuple(_key_points(found))
    elif setting == "multimodal":
        lists["visuals"] = tuple(_visuals(sources))
    elif setting == "multi-source":
        pairs = list(_pairs(found))
        lists["contributions"] = tuple(_contributions(found, sources))
        lists["integrations"] = tuple(_integrations(pairs))
        lists["overlaps"] = tuple(_overlaps(pairs))
    return ScenarioTask.model_validate(
        {
            "title": title,
            "setting": setting,
            "request": request,
            "sources": [one.name for one in sources.documents],
            "made_by": DRAFTED,
            **lists,
        }
    )


def _quote(sentence: SourceSentence) -> SourceQuote:
    return SourceQuote(document=sentence.document, quote=sentence.quote, page=sentence.page)


def _key_points(found: Sequence[SourceSentence]) -> Iterator[KeyPoint]:
    for number, one in enumerate(_important(found, _POINTS), start=1):
        yield KeyPoint(id=f"point-{number}", statement=one.text, evidence=_quote(one))


def _important(found: Sequence[SourceSentence], most: int) -> list[SourceSentence]:
    """The most important sentences, few of one section and none that repeats another, in order."""
    kept: list[int] = []
    used: dict[tuple[str, str], int] = {}
    for place in sorted(range(len(found)), key=lambda at: -found[at].importance):
        one = found[place]
        section = (one.document, one.section)
        repeated = any(_share(one, found[other]) >= _SAME for other in kept)
        if one.importance <= 0 or used.get(section, 0) >= _A_SECTION or repeated:
            continue
        kept.append(place)
        used[section] = used.get(section, 0) + 1
        if len(kept) == most:
            break
    return [found[place] for place in sorted(kept)]


def _visuals(sources: KnowledgeBase) -> Iterator[VisualElement]:
    tables = [table for table in sources.tables if table.native and len(table.rows) > 1]
    figures = [figure for figure in sources.figures if figure.caption]
    found: list[Figure | DocumentTable] = [*figures[:_VISUALS], *tables[:_VISUALS]]
    for number, one in enumerate(found[:_VISUALS], start=1):
        yield VisualElement(
            id=f"visual-{number}", document=one.document, label=one.label or counted_label(one),
            page=one.page, box=one.box, claims=(one.caption,) if one.caption else (),
            chart_fidelity=isinstance(one, DocumentTable),
        )  # fmt: skip


def _contributions(
    found: Sequence[SourceSentence], sources: KnowledgeBase
) -> Iterator[SourceContribution]:
    for document in sources.documents:
        own = [one for one in found if one.document == document.name]
        for number, one in enumerate(_important(own, _A_SOURCE), start=1):
            yield SourceContribution(
                id=f"{document.name}-{number}", statement=one.text, evidence=_quote(one)
            )


_Pair = tuple[float, SourceSentence, SourceSentence]


def _pairs(found: Sequence[SourceSentence]) -> Iterator[_Pair]:
    """Sentences of different documents that share words, and how much."""
    for first, second in combinations(found, 2):
        if first.document != second.document:
            share = _share(first, second)
            if share >= _RELATED:
                yield share, first, second


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    return frozenset(search_words(text))


def _share(first: SourceSentence, second: SourceSentence) -> float:
    one, other = _words(first.text), _words(second.text)
    common = len(one & other)
    return common / min(len(one), len(other)) if common >= _LEAST_SHARED else 0.0


def _integrations(pairs: Sequence[_Pair]) -> Iterator[IntegrationRequirement]:
    """Pairs that speak of one thing and say different things of it; few of two documents."""
    used: dict[tuple[str, str], int] = {}
    told: set[str] = set()
    related = sorted((pair for pair in pairs if pair[0] < _SAME), key=lambda pair: -pair[0])
    number = 0
    for _, first, second in related:
        key = (first.document, second.document)
        if used.get(key, 0) >= _BRIDGES or {first.text, second.text} & told:
            continue
        used[key] = used.get(key, 0) + 1
        told |= {first.text, second.text}
        number += 1
        yield IntegrationRequirement(
            id=f"together-{number}", statement=f"{first.text} {second.text}",
            parts=(_quote(first), _quote(second)),
        )  # fmt: skip


def _overlaps(pairs: Sequence[_Pair]) -> Iterator[OverlapGroup]:
    """Sentences of two documents that say the same, the most alike first."""
    told: set[str] = set()
    number = 0
    for share, first, second in sorted(pairs, key=lambda pair: -pair[0]):
        if share < _SAME or number == _GROUPS or {first.text, second.text} & told:
            continue
        told |= {first.text, second.text}
        number += 1
        yield OverlapGroup(
            id=f"overlap-{number}", theme=first.text, members=(_quote(first), _quote(second))
        )
