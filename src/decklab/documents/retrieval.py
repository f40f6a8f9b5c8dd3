"""Finding the passages of a knowledge base that say something about a query.

Passages are ranked by BM25 (Robertson and Zaragoza 2009, "The probabilistic relevance framework",
section 3.4, with k1 1.5 and b 0.75), by bm25s; on request also by the cosine of their embeddings,
and the two ranks are fused (Cormack, Clarke and Buettcher 2009, "Reciprocal rank fusion"). Of
several documents each is heard: paper 004, appendix C retains the best 12 passages or 2,000
characters, whichever comes first.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from decklab.documents.embeddings import Floats, embed
from decklab.documents.extras import needed
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.quotes import plain_words
from decklab.documents.sections import Passage

PASSAGES = 12
CHARACTERS = 2_000
"""Paper 004, appendix C."""
LEAST_COSINE = 0.30
"""Paper 004, appendix C: passages less alike a query in their embeddings are left out."""
_RANK_OFFSET = 60  # Cormack and others 2009
_SAME = 0.8  # ours: passages that share more of their words say the same
_LEAST_SHARE = 0.25  # ours: of the best score
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = re.compile(r"(?<=[a-zäöü]{3})(?:ings?|edly|ies|es|ed|s|ly)$")
_STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "and",
        "or",
        "is",
        "are",
        "was",
        "be",
        "by",
        "with",
        "as",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "from",
        "we",
        "der",
        "die",
        "das",
        "und",
        "oder",
        "ist",
        "sind",
        "ein",
        "eine",
        "im",
        "mit",
        "von",
        "zu",
        "auf",
        "für",
    ]
)


def search_words(text: str) -> list[str]:
    """The words by which texts are compared: small letters, usual endings and stop words cut.

    >>> search_words("The models of linking, fitted")
    ['model', 'link', 'fitt']
    """
    words = (match.group() for match in _WORD.finditer(plain_words(text).lower()))
    return [_ENDINGS.sub("", word) for word in words if word not in _STOP]


def retrieve(
    kb: KnowledgeBase,
    query: str,
    *,
    passages: int = PASSAGES,
    characters: int = CHARACTERS,
    embeddings: bool = False,
) -> list[Passage]:
    """The passages that fit a query best, best first, with their scores.

    At most ``passages``, and at most ``characters`` of text in all, except that the first is
    always given: it is cut if it alone is longer. None shares no word with the query, unless
    ``embeddings`` are asked for: then passages whose cosine is at least 0.30 come too, and scores
    are those of fused ranks. A passage that nearly repeats one before it is left out, and what fits
    less than a quarter as well as the best. Source-aware: of several documents that have
    fitting passages, each gives its best before any gives its second, where the score of that is
    at least half of the best. Raises Unavailable without ``decklab[write]``, and with
    ``embeddings`` without their model.
    """
    chunks = kb.chunks
    if passages < 1 or characters < 1:
        return []
    scores = dict(ranked_passages(chunks, query, meaning=embeddings))
    ranked = list(scores)
    found: list[Passage] = []
    kept: list[set[str]] = []
    left = characters
    for number in _by_source(ranked, chunks, scores):
        chunk = replace(chunks[number], score=scores[number])
        own = set(search_words(chunk.quote))
        if any(_alike(own, other) for other in kept):
            continue
        if len(chunk.quote) > left:
            if found:
                continue
            cut = chunk.quote[: left + 1].rpartition(" ")[0] or chunk.quote[:left]
            chunk = replace(chunk, quote=cut)
        found.append(chunk)
        kept.append(own)
        left -= len(chunk.quote)
        if len(found) == passages:
            break
    return found


def passage_scores(passages: Sequence[Passage], query: str) -> list[float]:
    """How well each of some passages fits a query, by BM25; 0 if it shares no word with it.

    Raises Unavailable without ``decklab[write]``.
    """
    words = search_words(query)
    if not passages or not words:
        return [0.0] * len(passages)
    return [float(score) for score in _index(tuple(passages)).get_scores(words)]


def ranked_passages(
    chunks: Sequence[Passage], query: str, *, words: bool = True, meaning: bool = False
) -> list[tuple[int, float]]:
    """The places of passages that fit a query, best first, with their scores; higher is better.

    By ``words`` those with a quarter of the best BM25 score or more, by ``meaning`` those with a
    cosine of 0.30 or more; by both, 1 / (60 + rank) summed over the two. Of equal ones the earlier
    comes first.
    """
    lists = []
    if words:
        lists.append(_by_words(chunks, query))
    if meaning:
        lists.append(_by_meaning(chunks, query))
    if len(lists) == 1:
        return lists[0]
    fused: dict[int, float] = {}
    for found in lists:
        for rank, (number, _) in enumerate(found, start=1):
            fused[number] = fused.get(number, 0.0) + 1 / (_RANK_OFFSET + rank)
    return sorted(fused.items(), key=lambda item: (-item[1], item[0]))


def _by_words(chunks: Sequence[Passage], query: str) -> list[tuple[int, float]]:
    scores = passage_scores(chunks, query)
    least = max(_LEAST_SHARE * max(scores, default=0.0), 1e-9)
    found = [(number, score) for number, score in enumerate(scores) if score >= least]
    return sorted(found, key=lambda item: -item[1])


def _by_meaning(chunks: Sequence[Passage], query: str) -> list[tuple[int, float]]:
    if not chunks or not query.strip():
        return []
    cosines = _embeddings(tuple(chunks)) @ embed([query])[0]
    found = [
        (number, float(cosine)) for number, cosine in enumerate(cosines) if cosine >= LEAST_COSINE
    ]
    return sorted(found, key=lambda item: -item[1])


def _alike(first: set[str], second: set[str]) -> bool:
    return len(first & second) > _SAME * min(len(first), len(second))


def _by_source(
    ranked: Sequence[int], chunks: Sequence[Passage], scores: Mapping[int, float]
) -> list[int]:
    """The best of each document that is at least half as good as the best of all, then the rest."""
    first: dict[str, int] = {}
    for number in ranked:
        if scores[number] >= 0.5 * scores[ranked[0]]:
            first.setdefault(chunks[number].document, number)
    heads = list(first.values())
    return heads + [number for number in ranked if number not in set(heads)]


@lru_cache(maxsize=4)
def _index(chunks: tuple[Passage, ...]) -> Any:
    bm25s = needed("bm25s", "finding passages")
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    tokens = [search_words(f"{chunk.section} {chunk.quote}") for chunk in chunks]
    index.index(tokens, show_progress=False)
    return index


@lru_cache(maxsize=4)
def _embeddings(chunks: tuple[Passage, ...]) -> Floats:
    return embed([f"{chunk.section}. {chunk.quote}" for chunk in chunks])
