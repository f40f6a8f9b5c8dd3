"""The passages of sources that a page of a deck may state: what a search finds for its queries."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable
from decklab.documents.numbers import parse_numbers
from decklab.documents.parts import is_footnote
from decklab.documents.retrieval import passage_scores, retrieve
from decklab.documents.sections import Passage
from decklab.documents.sentences import sentences
from decklab.writer.evidence import PageEvidence
from decklab.writer.figures import OfferedVisual

_PASSAGES, _PASSAGE_CHARACTERS = 14, 6_000
"""Of the evidence for a page, over all its queries. Ours: the paper's 12 and 2,000 are for one."""
_QUERY_PASSAGES = 5
_SURE: Final = 4
"""Passages that a page has whatever other pages they fit. Ours."""
_AS_WELL: Final = 0.7
"""Of how well a passage fits another page, from which on it fits this one too. Ours."""
_YEARS: Final = range(1000, 2200)
_ENDED = re.compile(r"[.!?:;。！？…)\]”\"]\Z")


def page_evidence(
    sources: KnowledgeBase,
    queries: Sequence[str],
    visual: OfferedVisual | None = None,
    *,
    topic: str = "",
    elsewhere: Mapping[str, float] = MappingProxyType({}),
    known: Sequence[Passage] = (),
) -> PageEvidence:
    """What the sources say about some queries, each heard in turn, in whole sentences; before it
    the passages that are ``known``.

    Years of ``topic`` and of the passages need no quote if the sources have them. Past the first
    few passages those are left out that fit another page clearly better, by ``elsewhere``: how
    well, as of ``passage_fits``.
    """
    if not sources.documents:
        return PageEvidence()
    heard = [
        retrieve(sources, query, passages=_QUERY_PASSAGES, characters=_PASSAGE_CHARACTERS)
        for query in queries
        if query.strip()
    ]
    longest = max(map(len, heard), default=0)
    ordered = [group[at] for at in range(longest) for group in heard if at < len(group)]
    if elsewhere:
        fits = passage_fits(sources, queries)
        ordered = [
            passage for at, passage in enumerate(ordered)
            if at < _SURE
            or fits.get(passage.quote, 0.0) >= _AS_WELL * elsewhere.get(passage.quote, 0.0)
        ]  # fmt: skip
    shown = visual.shown if visual else None
    table = shown if isinstance(shown, DocumentTable) else None
    passages = tuple(_within(known, ordered, table))
    topic = " ".join((topic, *(passage.quote for passage in passages)))
    return PageEvidence(
        passages,
        table,
        {document.name: document for document in sources.documents},
        _known_years(topic, sources, shown.caption if shown else ""),
    )


def passage_fits(sources: KnowledgeBase, queries: Sequence[str]) -> dict[str, float]:
    """How well each passage of the sources fits the best of some queries: its score as a share of
    the best score."""
    fits: dict[str, float] = {}
    for query in queries:
        scores = passage_scores(sources.chunks, query)
        best = max(scores, default=0.0)
        for passage, score in zip(sources.chunks, scores, strict=True):
            if score > 0:
                fits[passage.quote] = max(score / best, fits.get(passage.quote, 0.0))
    return fits


def best_fits(fits: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """How well passages fit the best of several pages, by how well they fit each."""
    best: dict[str, float] = {}
    for quote, fit in (item for page in fits for item in page.items()):
        best[quote] = max(fit, best.get(quote, 0.0))
    return best


def _known_years(topic: str, sources: KnowledgeBase, caption: str) -> frozenset[float]:
    titles = " ".join((caption, *(document.title for document in sources.documents)))
    known = {*sources.values, *_years(titles)}
    return frozenset({*_years(caption), *(known & _years(topic))})


def _years(text: str) -> set[float]:
    found = (item.values for item in parse_numbers(text) if item.kind in ("year", "range"))
    return {value for values in found for value in values if value in _YEARS}


def _within(
    known: Sequence[Passage], ordered: Sequence[Passage], table: DocumentTable | None
) -> Iterator[Passage]:
    """Passages that are known as they are, then the first of those of a search that a page's
    evidence has room for, each once, without rows of the table that is told whole."""
    rows = {_one_line(row) for row in table.rows} if table else set()
    yield from known
    left, given = _PASSAGE_CHARACTERS, {passage.quote for passage in known}
    for passage in ordered:
        lines = _whole_sentences(passage.quote).splitlines()
        for end in (-1, 0):
            while lines and _one_line([lines[end]]) in rows:
                lines.pop(end)
        quote = "\n".join(lines)
        full = len(quote) > left or len(given) >= len(known) + _PASSAGES
        if not quote or full or quote in given or is_footnote(quote):
            continue
        given.add(quote)
        left -= len(quote)
        yield Passage(passage.document, passage.page, quote, passage.section)


def _one_line(cells: Sequence[str]) -> str:
    return " ".join(" ".join(cells).split())


def _whole_sentences(text: str) -> str:
    """A passage, a line for each paragraph and row of a table, without the sentences and rows that
    are cut at its ends, if others are left."""
    lines = [line.strip(" ") for line in text.splitlines() if line.strip()]
    cells = [line.count("\t") for line in lines]
    if len(lines) > 2 and 0 < cells[0] < cells[1]:
        lines = lines[1:]
    if len(lines) > 2 and 0 < cells[-1] < cells[-2]:
        lines = lines[:-1]
    parts = [[line] if "\t" in line else sentences(line) for line in lines]
    several = sum(map(len, parts)) > 2
    if several and parts[0][0][:1].islower():
        parts[0] = parts[0][1:]
    if several and parts[-1] and "\t" not in parts[-1][-1] and not _ENDED.search(parts[-1][-1]):
        parts[-1] = parts[-1][:-1]
    return "\n".join(" ".join(part) for part in parts if part) or text
