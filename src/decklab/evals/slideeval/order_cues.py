"""Evidence of the order of slides, from their texts: numbers, openings, agendas, lists and builds.

Evidence has the shape (n, n); ``evidence[i, j]`` is 1 where slide i comes before slide j.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from decklab.core.files import package_data
from decklab.metrics.spelling import words_of

Floats = NDArray[np.float64]

_TITLE_WEIGHT = 2
"""Ours: how many times more the words of a title count: they name the topic."""


def title_of(text: str) -> str:
    """The first line that has a word, stripped; empty if none has."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if words_of(line)), "")


def similarities(texts: Sequence[str]) -> Floats:
    """Cosine of the TF-IDF vectors of all pairs of texts, 0 to 1, shape (n, n).

    Term frequencies are logarithms, document frequencies are smoothed. A text without words has
    similarity 0 to all others; words that all slides share do not count.
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
"""Ours: least share of slides with a number, for the numbers to be page numbers."""


def without_page_numbers(text: str) -> str:
    """The text without lines that are only a number."""
    return "\n".join(line for line in text.splitlines() if not _PAGE.fullmatch(line))


def page_numbers(texts: Sequence[str]) -> list[int | None]:
    """The page number that each slide shows; all None if the numbers are not page numbers.

    It is the last number on a line of its own.
    """
    found: list[int | None] = []
    for text in texts:
        alone = [match for line in text.splitlines() if (match := _PAGE.fullmatch(line))]
        found.append(int(alone[-1][1]) if alone else None)
    shown = [number for number in found if number is not None]
    run = len(shown) >= _PAGE_SHARE * len(texts) and len(set(shown)) >= 0.8 * len(shown)
    return found if run else [None] * len(found)


def evidence_where(size: int, comes_before: Callable[[int, int], bool]) -> Floats:
    """Evidence of ``size`` slides: 1 for each pair (i, j) of which ``comes_before(i, j)`` holds."""
    evidence = np.zeros((size, size))
    for one, other in permutations(range(size), 2):
        evidence[one, other] = float(comes_before(one, other))
    return evidence


def counts(texts: Sequence[str]) -> Floats:
    """Evidence from numbers in titles: Step 2, Part 3, 4. Results, 1 of 3, continuations."""
    titles = [title_of(text).lower() for text in texts]
    marks = [_marks(title) for title in titles]

    def comes_before(one: int, other: int) -> bool:
        shared = marks[one].keys() & marks[other].keys()
        bare = _CONTINUED.sub("", titles[other]).strip(" ()-:")
        continued = bare != titles[other] and bare == titles[one].strip(" ()-:")
        return continued or any(marks[one][kind] < marks[other][kind] for kind in shared)

    return evidence_where(len(texts), comes_before)


def _marks(title: str) -> dict[str, int]:
    """The numbers in a title, by the word that they count."""
    found = {match[1]: int(match[2]) for match in _COUNTED.finditer(title)}
    leading, of = _LEADING.match(title), _OF.search(title)
    if leading is not None:
        found["leading"] = int(leading[1])
    if of is not None:
        found[_OF.sub("", title).strip()] = int(of[1])
    return found


def lists(texts: Sequence[str]) -> Floats:
    """Evidence from numbered lists that continue on another slide: 1, 2 here, 3 or more there."""
    items = [_items(text) for text in texts]
    return evidence_where(
        len(texts), lambda i, j: bool(items[i] and items[j]) and max(items[i]) < min(items[j])
    )


def _items(text: str) -> list[int]:
    """The numbers that lines begin with."""
    return [int(match[1]) for line in text.splitlines() if (match := _ITEM.match(line))]


_WORDS: Final[dict[str, dict[str, float]]] = tomllib.loads(
    package_data("decklab.evals.slideeval", "data/order_words.toml").decode()
)
"""Words of titles that ``opening`` and ``closing`` slides have, and how surely, 0 to 1."""
_AGENDA_LINES = 3
_AGENDA_ALIKE = 0.6
_SHARED = 0.5
_SHARED_SLIDES = 4
_BUILD_SHARE = 0.9
_BUILD_LEAST = 6


def own_lines(texts: Sequence[str]) -> list[str]:
    """The texts without lines that most slides share, or whose words most slides share."""
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
        early = max((_WORDS["opening"].get(word, 0.0) for word in words), default=0.0)
        late = max((_WORDS["closing"].get(word, 0.0) for word in words), default=0.0)
        score += weight * (late - early)
    return float(np.clip(score, -1, 1))


def agendas(texts: Sequence[str]) -> Floats:
    """Evidence from lists whose lines are titles of other slides, which follow in that order."""
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
    """The index of the line that is most like the title; None if none is like it."""
    if not title:
        return None
    likeness = [len(line & title) / len(line | title) for line in lines]
    best = max(range(len(lines)), key=likeness.__getitem__, default=None)
    return best if best is not None and likeness[best] >= _AGENDA_ALIKE else None


def builds(texts: Sequence[str]) -> Floats:
    """Evidence from slides that have all words of another slide and more: they build on it.

    Slides with different titles must share several words for that.
    """
    bags = [set(words_of(text)) for text in texts]
    titles = [title_of(text).lower() for text in texts]

    def comes_before(one: int, other: int) -> bool:
        small, large = bags[one], bags[other]
        least = 1 if titles[one] == titles[other] else _BUILD_LEAST
        shared = len(small & large)
        return least <= len(small) < len(large) and shared >= _BUILD_SHARE * len(small)

    return evidence_where(len(texts), comes_before)
