"""Evidence of the order of slides, from their texts: numbers, openings, agendas, lists and builds.

Evidence has the shape (n, n); ``evidence[i, j]`` is 1 where slide i comes before slide j.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_WORD = re.compile(r"[^\W\d_]{2,}")
_TITLE_WEIGHT = 2
"""Ours: how often the words of a title count on top: they name the topic."""


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; numbers and single letters are none.

    >>> words_of("Step 2: Train a model")
    ['step', 'train', 'model']
    """
    return _WORD.findall(text.lower())


def title_of(text: str) -> str:
    """The first line that has a word, stripped; empty where none has."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if words_of(line)), "")


def similarities(texts: Sequence[str]) -> Floats:
    """Cosine of the TF-IDF vectors of all pairs of texts, 0 to 1, shape (n, n).

    Term frequencies are logarithms, document frequencies are smoothed. A text without words is
    like no other; words that all slides share do not count.
    """
    counts = [_counts(text) for text in texts]
    known = {word: place for place, word in enumerate(sorted(set().union(*counts)))}
    frequency = np.zeros((len(texts), max(1, len(known))))
    for row, count in enumerate(counts):
        for word, times in count.items():
            frequency[row, known[word]] = 1 + np.log(times)
    shared = np.count_nonzero(frequency, axis=0)
    vectors = frequency * np.log((1 + len(texts)) / (1 + shared))
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    return np.asarray(np.clip(unit @ unit.T, 0, 1))


def _counts(text: str) -> Counter[str]:
    counts = Counter(words_of(text))
    for word in words_of(title_of(text)):
        counts[word] += _TITLE_WEIGHT
    return counts


_COUNTED = re.compile(r"([^\W\d_]{2,})[\s#:.]*(\d{1,2})\b")
_LEADING = re.compile(r"^\s*(\d{1,2})\s*[.):-]\s*\w")
_OF = re.compile(r"(?:\(|\b)(\d{1,2})\s*(?:/|of)\s*(\d{1,2})(?:\)|\b)")
_CONTINUED = re.compile(r"\bcont(?:'?d|inued)?\b\.?|…\s*$")
_ITEM = re.compile(r"^\s*(\d{1,2})\s*[.)]")
_PAGE = re.compile(r"\s*(?:page\s*|slide\s*)?(\d{1,3})(?:\s*(?:/|of)\s*\d{1,3})?\s*", re.IGNORECASE)
_PAGE_SHARE = 0.6
"""Ours: at least this share of the slides show a number if the numbers are those of pages."""


def without_page_numbers(text: str) -> str:
    """The text without lines that hold nothing but a number."""
    return "\n".join(line for line in text.splitlines() if not _PAGE.fullmatch(line))


def page_numbers(texts: Sequence[str]) -> list[int | None]:
    """The page number that each slide shows; all None where the numbers do not look like pages'.

    It is the last number that stands on a line of its own.
    """
    found: list[int | None] = []
    for text in texts:
        alone = [match for line in text.splitlines() if (match := _PAGE.fullmatch(line))]
        found.append(int(alone[-1][1]) if alone else None)
    shown = [number for number in found if number is not None]
    run = len(shown) >= _PAGE_SHARE * len(texts) and len(set(shown)) >= 0.8 * len(shown)
    return found if run else [None] * len(found)


def counts(texts: Sequence[str]) -> Floats:
    """Evidence from numbers in titles: Step 2, Part 3, 4. Results, 1 of 3, continuations."""
    evidence = np.zeros((len(texts), len(texts)))
    titles = [title_of(text).lower() for text in texts]
    marks = [_marks(title) for title in titles]
    for one, other in permutations(range(len(texts)), 2):
        shared = marks[one].keys() & marks[other].keys()
        if any(marks[one][kind] < marks[other][kind] for kind in shared):
            evidence[one, other] = 1.0
        bare = _CONTINUED.sub("", titles[other]).strip(" ()-:")
        if bare != titles[other] and bare == titles[one].strip(" ()-:"):
            evidence[one, other] = 1.0
    return evidence


def _marks(title: str) -> dict[str, int]:
    """The numbers in a title, by what they count."""
    found = {match[1]: int(match[2]) for match in _COUNTED.finditer(title)}
    leading, of = _LEADING.match(title), _OF.search(title)
    if leading is not None:
        found["leading"] = int(leading[1])
    if of is not None:
        found[_OF.sub("", title).strip()] = int(of[1])
    return found


def lists(texts: Sequence[str]) -> Floats:
    """Evidence from numbered lists that go on from slide to slide: 1, 2 here, then 3 or more."""
    evidence = np.zeros((len(texts), len(texts)))
    items = [_items(text) for text in texts]
    for one, other in permutations(range(len(texts)), 2):
        if items[one] and items[other] and max(items[one]) < min(items[other]):
            evidence[one, other] = 1.0
    return evidence


def _items(text: str) -> list[int]:
    """The numbers that lines begin with."""
    return [int(match[1]) for line in text.splitlines() if (match := _ITEM.match(line))]


# The words are ours, from what talks and lessons usually open and close with.
_OPENING = {
    "welcome": 1.0, "agenda": 1.0, "outline": 1.0, "overview": 0.7, "contents": 0.8,
    "introduction": 0.8, "intro": 0.7, "introducing": 0.7, "prerequisites": 0.9, "objectives": 0.8,
    "goals": 0.5, "motivation": 0.7, "background": 0.5, "about": 0.4, "why": 0.4, "what": 0.3,
    "started": 0.4, "definition": 0.4, "definitions": 0.4, "history": 0.4, "problem": 0.3,
    "first": 0.3, "basics": 0.5, "mission": 0.5, "vision": 0.4, "who": 0.4, "terminology": 0.4,
    "need": 0.2, "getting": 0.3,
    "setup": 0.3, "install": 0.3, "today": 0.3, "learn": 0.3, "introdução": 0.8,
    "objetivos": 0.8, "requisitos": 0.9,
}  # fmt: skip
_CLOSING = {
    "thank": 1.0, "thanks": 1.0, "questions": 0.7, "references": 1.0, "bibliography": 1.0,
    "conclusion": 1.0, "conclusions": 1.0, "summary": 0.9, "recap": 0.8, "review": 0.4,
    "acknowledgements": 0.9, "contact": 0.7, "appendix": 1.0, "credits": 0.9, "resources": 0.8,
    "future": 0.6, "next": 0.4, "quiz": 0.6, "knowledge": 0.3, "question": 0.5, "takeaways": 0.9,
    "results": 0.3, "discussion": 0.5, "congratulations": 0.9, "feedback": 0.7, "homework": 0.7,
    "findings": 0.5, "evaluation": 0.4, "implications": 0.7, "recommendations": 0.7,
    "roadmap": 0.5, "timeline": 0.4, "financials": 0.4, "competition": 0.3, "survey": 0.5,
    "join": 0.4, "steps": 0.2, "copyright": 0.8,
    "deploy": 0.3, "evaluate": 0.2, "limitations": 0.5, "obrigado": 1.0, "resumo": 0.9,
    "referências": 1.0, "questão": 0.5,
}  # fmt: skip
_AGENDA_LINES = 3
_AGENDA_ALIKE = 0.6
_SHARED = 0.5
_SHARED_SLIDES = 4
_BUILD_KEPT = 0.9
_BUILD_LEAST = 6


def own_lines(texts: Sequence[str]) -> list[str]:
    """The texts without lines that most slides share, or that hold only words that most share."""
    lines = [[line.strip() for line in text.splitlines()] for text in texts]
    same = Counter(line for one in lines for line in set(one))
    words = Counter(word for text in texts for word in set(words_of(text)))
    most = max(_SHARED_SLIDES, _SHARED * len(texts))

    def is_own(line: str) -> bool:
        found = words_of(line)
        return same[line] < most and (not found or any(words[word] < most for word in found))

    return ["\n".join(line for line in one if is_own(line)) for one in lines]


def wordings(texts: Sequence[str]) -> Floats:
    """Places of texts in a deck by their words: -1 for an opening, 1 for a closing, shape (n,)."""
    return np.array([_place(text) for text in texts])


def _place(text: str) -> float:
    """-1 for an opening, 1 for a closing, 0 for anything else."""
    title, short = words_of(title_of(text)), words_of(text)[:12]
    score = 0.0
    for words, weight in ((title, 1.0), (short, 0.25)):
        early = max((_OPENING.get(word, 0.0) for word in words), default=0.0)
        late = max((_CLOSING.get(word, 0.0) for word in words), default=0.0)
        score += weight * (late - early)
    return float(np.clip(score, -1, 1))


def agendas(texts: Sequence[str]) -> Floats:
    """Evidence from lists whose lines are the titles of other slides: these come in that order."""
    evidence = np.zeros((len(texts), len(texts)))
    titles = [frozenset(words_of(title_of(text))) for text in texts]
    for here, text in enumerate(texts):
        lines = [frozenset(words_of(line)) for line in text.splitlines()[1:]]
        lines = [line for line in lines if line]
        items = {slide: _listed(lines, titles[slide]) for slide in range(len(texts))}
        listed = {slide: at for slide, at in items.items() if at is not None and slide != here}
        if len(set(listed.values())) < _AGENDA_LINES:
            continue
        for one, at in listed.items():
            evidence[here, one] = 1.0
            for other, after in listed.items():
                if at < after:
                    evidence[one, other] = 1.0
    return evidence


def _listed(lines: Sequence[frozenset[str]], title: frozenset[str]) -> int | None:
    """The index of the line that is most like the title; None where none is like it."""
    if not title:
        return None
    alike = [len(line & title) / len(line | title) for line in lines]
    best = max(range(len(lines)), key=alike.__getitem__, default=None)
    return best if best is not None and alike[best] >= _AGENDA_ALIKE else None


def builds(texts: Sequence[str]) -> Floats:
    """Evidence from slides that have all words of another one and more: they build on it.

    Slides with different titles must share several words for that.
    """
    bags = [set(words_of(text)) for text in texts]
    titles = [title_of(text).lower() for text in texts]
    evidence = np.zeros((len(texts), len(texts)))
    for one, other in permutations(range(len(texts)), 2):
        small, large = bags[one], bags[other]
        least = 1 if titles[one] == titles[other] else _BUILD_LEAST
        if least <= len(small) < len(large) and len(small & large) >= _BUILD_KEPT * len(small):
            evidence[one, other] = 1.0
    return evidence
