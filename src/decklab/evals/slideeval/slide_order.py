"""A baseline that orders slides: evidence from their texts, costs of neighbours, and the cheapest
path through all.

Evidence is of numbers, openings, agendas, lists and builds. It has the shape (n, n);
``evidence[i, j]`` is 1 where slide i comes before slide j.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import permutations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.core.files import package_values
from decklab.core.geometry import FRAME_HEIGHT, Box
from decklab.core.results import by_key
from decklab.metrics.spelling import words_of
from decklab.rendering.pictures import RenderedSlide, TextSpan

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
    known = {word: index for index, word in enumerate(sorted(set().union(*counts)))}
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
    numbers: list[int | None] = []
    for text in texts:
        alone = [match for line in text.splitlines() if (match := _PAGE.fullmatch(line))]
        numbers.append(int(alone[-1][1]) if alone else None)
    shown = [number for number in numbers if number is not None]
    run = len(shown) >= _PAGE_SHARE * len(texts) and len(set(shown)) >= 0.8 * len(shown)
    return numbers if run else [None] * len(numbers)


def evidence_where(size: int, comes_before: Callable[[int, int], bool]) -> Floats:
    """Evidence of ``size`` slides: 1 for each pair (i, j) of which ``comes_before(i, j)`` holds."""
    evidence = np.zeros((size, size))
    for first, other in permutations(range(size), 2):
        evidence[first, other] = float(comes_before(first, other))
    return evidence


def counts(texts: Sequence[str]) -> Floats:
    """Evidence from numbers in titles: Step 2, Part 3, 4. Results, 1 of 3, continuations."""
    titles = [title_of(text).lower() for text in texts]
    marks = [_marks(title) for title in titles]

    def comes_before(first: int, other: int) -> bool:
        shared = marks[first].keys() & marks[other].keys()
        bare = _CONTINUED.sub("", titles[other]).strip(" ()-:")
        continued = bare != titles[other] and bare == titles[first].strip(" ()-:")
        return continued or any(marks[first][kind] < marks[other][kind] for kind in shared)

    return evidence_where(len(texts), comes_before)


def _marks(title: str) -> dict[str, int]:
    """The numbers in a title, by the word that they count."""
    marks = {match[1]: int(match[2]) for match in _COUNTED.finditer(title)}
    leading, of = _LEADING.match(title), _OF.search(title)
    if leading is not None:
        marks["leading"] = int(leading[1])
    if of is not None:
        marks[_OF.sub("", title).strip()] = int(of[1])
    return marks


def lists(texts: Sequence[str]) -> Floats:
    """Evidence from numbered lists that continue on another slide: 1, 2 here, 3 or more there."""
    items = [_items(text) for text in texts]
    return evidence_where(
        len(texts), lambda i, j: bool(items[i] and items[j]) and max(items[i]) < min(items[j])
    )


def _items(text: str) -> list[int]:
    """The numbers that lines begin with."""
    return [int(match[1]) for line in text.splitlines() if (match := _ITEM.match(line))]


_WORDS: Final[dict[str, dict[str, float]]] = package_values(
    "decklab.evals.slideeval", "data/order_words.toml"
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
    same = Counter(line for lines_of_slide in lines for line in set(lines_of_slide))
    words = Counter(word for text in texts for word in set(words_of(text)))
    most = max(_SHARED_SLIDES, _SHARED * len(texts))

    def is_own(line: str) -> bool:
        own_words = words_of(line)
        return same[line] < most and (
            not own_words or any(words[word] < most for word in own_words)
        )

    return ["\n".join(line for line in lines_of_slide if is_own(line)) for lines_of_slide in lines]


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
        for item, at in listed.items():
            evidence[here, item] = 1.0
            for other, after in listed.items():
                if at < after:
                    evidence[item, other] = 1.0
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

    def comes_before(first: int, other: int) -> bool:
        small, large = bags[first], bags[other]
        least = 1 if titles[first] == titles[other] else _BUILD_LEAST
        shared = len(small & large)
        return least <= len(small) < len(large) and shared >= _BUILD_SHARE * len(small)

    return evidence_where(len(texts), comes_before)


Order = NDArray[np.intp]

_LONGEST = 6
"""Ours: most slides that are moved together; longer sections are moved in pieces."""
_SWEEPS = 12
_SETTLED = 1e-9


def path_cost(order: Order, alike: Floats, evidence: Floats) -> float:
    """The cost of an order: 1 - likeness for each pair of neighbours, and all evidence against it.

    ``alike`` (the likeness) and ``evidence`` have the shape (n, n); ``evidence[i, j]`` is the cost
    of j before i.

    >>> path_cost(np.array([1, 0]), np.array([[1, 0.25], [0.25, 1]]), np.array([[0, 2.0], [0, 0]]))
    2.75
    """
    steps = 1 - alike[order[:-1], order[1:]]
    against = np.tril(evidence[np.ix_(order, order)], -1)
    return float(steps.sum() + against.sum())


def best_path(alike: Floats, evidence: Floats) -> list[int]:
    """An order of low cost, as indices.

    It is the better of two orders, each improved by moving runs of slides: the order by evidence
    alone, and the order of the Fiedler vector of the likeness, which puts slides of one topic
    together.
    """
    starts = (_by_evidence(evidence), _by_topic(alike, evidence))
    improved = [_improved(start, alike, evidence) for start in starts]
    best = min(improved, key=lambda order: path_cost(order, alike, evidence))
    return [int(index) for index in best]


def _by_evidence(evidence: Floats) -> Order:
    return np.argsort((evidence.T - evidence).sum(axis=1), kind="stable")


def _by_topic(alike: Floats, evidence: Floats) -> Order:
    weights = alike + 0.01
    np.fill_diagonal(weights, 0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    _values, vectors = np.linalg.eigh(laplacian)
    order = np.argsort(vectors[:, min(1, len(alike) - 1)], kind="stable")
    directions = (order, order[::-1].copy())
    return min(directions, key=lambda direction: path_cost(direction, alike, evidence))


def _improved(order: Order, alike: Floats, evidence: Floats) -> Order:
    """The order after moving runs of slides, reversed or not, as long as the cost falls."""
    cost = path_cost(order, alike, evidence)
    for _sweep in range(_SWEEPS):
        before = cost
        for length in range(1, min(_LONGEST, len(order) - 1) + 1):
            for start in range(len(order) - length + 1):
                order, cost = _moved(order, (start, length), cost, alike, evidence)
        if cost > before - _SETTLED:
            break
    return order


def _moved(
    order: Order, where: tuple[int, int], cost: float, alike: Floats, evidence: Floats
) -> tuple[Order, float]:
    """The order with one run of slides moved to the cheapest place, and its cost.

    ``where`` is the place of the run's first slide, and its length.
    """
    start, length = where
    run = order[start : start + length]
    rest = np.concatenate([order[:start], order[start + length :]])
    places = np.arange(len(rest) + 1)
    base = path_cost(rest, alike, evidence) if len(rest) else 0.0
    best = order
    for piece in (run, run[::-1]) if length > 1 else (run,):
        costs = base + path_cost(piece, alike, evidence) + _joints(rest, piece, alike, evidence)
        position = int(places[np.argmin(costs)])
        if costs[position] < cost - _SETTLED:
            best = np.concatenate([rest[:position], piece, rest[position:]])
            cost = float(costs[position])
    return best, cost


def _joints(rest: Order, piece: Order, alike: Floats, evidence: Floats) -> Floats:
    """The cost of putting a piece before each slide of the rest, and after the last: (n + 1,)."""
    steps = 1 - alike
    n = len(rest)
    costs = np.zeros(n + 1)
    costs[1:] += steps[rest, piece[0]]
    costs[:-1] += steps[piece[-1], rest]
    if n > 1:
        costs[1:-1] -= steps[rest[:-1], rest[1:]]
    before = evidence[np.ix_(piece, rest)].sum(axis=0)  # paid by each slide put before the piece
    after = evidence[np.ix_(rest, piece)].sum(axis=1)  # paid by each slide put after it
    costs += np.concatenate([[0], np.cumsum(before)])
    costs += np.concatenate([np.cumsum(after[::-1])[::-1], [0]])
    return costs


Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class SlideView:
    """The input of the ordering baseline for one slide."""

    text: str
    """Line by line from the top, the title first."""
    image: Picture
    """Height x width x 3, red green blue."""
    title_pt: float = 0.0
    """Size of the title in points of a slide 540 pt high; 0 if it is not known."""
    title_top: float = 0.0
    """Top of the title, px of the frame."""


# All ours. A weight of 1 is that of one step between slides that have nothing in common. Chosen on
# half of a set of real decks; values half and twice as large do about as well there.
LOOKS_SHARE: Final = 0.25
"""Share of likeness that comes from looks; the rest comes from words."""
ENDS_WEIGHT: Final = 4.0
"""Weight of openings and closings, divided by the number of slides."""
COUNTS_WEIGHT: Final = 0.6
AGENDAS_WEIGHT: Final = 0.3
LISTS_WEIGHT: Final = 0.3
BUILDS_WEIGHT: Final = 0.3
PAGES_WEIGHT: Final = 2.0
LARGE_TITLE: Final = 0.5
"""An opening has a large title: the share above the median size at which this cue is full."""
LOW_TITLE: Final = 120.0
"""Its title begins low: px below the median place at which this cue is full."""
LEAST_WORDS: Final = 4
MOST_WORDS: Final = 40
"""It has few words: this cue is full at the first number and gone at the second."""
CLOSING_WEIGHT: Final = 3.0
"""Against an opening with the words of a closing."""
MIDDLE_TRUST: Final = 0.05
"""Weight of the middle of the deck for a slide without words of openings or closings."""
LIKENESS_TRUST: Final = 0.5
"""Weight of the places of similar slides."""

_THUMB = (16, 9)


def order_slides(slides: Sequence[SlideView], *, use_page_numbers: bool = True) -> list[int]:
    """The order in which a deck's slides were probably presented, as indices of ``slides``.

    Slides with similar words and looks should follow one another. Openings, closings, numbered
    steps and lists, agendas and builds are evidence of which slide comes first; so are page
    numbers on slides, unless ``use_page_numbers`` is off. The order of ``slides`` itself does not
    matter, unless two slides are equal in text and picture.
    """
    if len(slides) < 2:
        return list(range(len(slides)))
    words = [without_page_numbers(slide.text) for slide in slides]
    fixed = sorted(
        range(len(slides)), key=lambda index: _sort_key(words[index], slides[index].image)
    )
    views = [slides[index] for index in fixed]
    texts = own_lines([words[index] for index in fixed])
    looks = _looks([view.image for view in views])
    alike = (1 - LOOKS_SHARE) * similarities(texts) + LOOKS_SHARE * looks
    evidence = (
        ENDS_WEIGHT * _places(views, texts, alike, looks) / len(texts)
        + COUNTS_WEIGHT * counts(texts)
        + AGENDAS_WEIGHT * agendas(texts)
        + LISTS_WEIGHT * lists(texts)
        + BUILDS_WEIGHT * builds(texts)
    )
    if use_page_numbers:
        evidence += PAGES_WEIGHT * _paged([view.text for view in views])
    return [fixed[at] for at in best_path(alike, evidence)]


def _sort_key(text: str, image: Picture) -> bytes:
    """A key to sort slides by, so that the given order does not matter."""
    return sha256(text.encode() + np.ascontiguousarray(image).tobytes()).digest()


def _looks(images: Sequence[Picture]) -> Floats:
    """Likeness of all pairs of pictures, 0 to 1, from small copies, shape (n, n)."""
    small = np.array(
        [
            cv2.resize(image, _THUMB, interpolation=cv2.INTER_AREA).astype(float).ravel()
            for image in images
        ]
    )
    apart = np.abs(small[:, None, :] - small[None, :, :]).mean(axis=2)
    return np.asarray(np.exp(-apart / 32))


def _places(
    slides: Sequence[SlideView], texts: Sequence[str], alike: Floats, looks: Floats
) -> Floats:
    """Evidence of openings and closings, spread to the slides similar to them, shape (n, n)."""
    places = wordings(texts)
    trust = MIDDLE_TRUST + np.abs(places)
    length = np.array([float(len(words_of(text))) for text in texts])
    first = _opening(slides, length, looks, places)
    places[first], trust[first] = -1.0, 1.0
    weights = alike.copy()
    np.fill_diagonal(weights, 0)
    weights *= LIKENESS_TRUST / np.maximum(weights.sum(axis=1).mean(), 1e-9)
    system = np.diag(trust + weights.sum(axis=1)) - weights
    spread = np.linalg.solve(system, trust * places)
    return np.asarray(np.maximum(spread[None, :] - spread[:, None], 0))


def _opening(slides: Sequence[SlideView], length: Floats, looks: Floats, places: Floats) -> int:
    """The index of the slide that most likely opens the deck: a large title set low, unlike other
    slides, few words, and none of a closing."""
    rare = 1 - (looks.sum(axis=1) - 1) / max(1, len(slides) - 1)
    size = np.array([slide.title_pt for slide in slides])
    top = np.array([slide.title_top for slide in slides])
    large = np.clip(size / max(1.0, float(np.median(size))) - 1, 0, LARGE_TITLE) / LARGE_TITLE
    low = np.clip((top - np.median(top)) / LOW_TITLE, 0, 1)
    short = np.clip(1 - length / MOST_WORDS, 0, 1) * np.clip(length / LEAST_WORDS, 0, 1)
    return int(np.argmax(rare + large + low + short - CLOSING_WEIGHT * np.maximum(places, 0) ** 2))


def _paged(texts: Sequence[str]) -> Floats:
    numbers = [np.nan if number is None else number for number in page_numbers(texts)]
    return np.less.outer(numbers, numbers).astype(float)


_SIZE = (160, 90)
"""Ours: size in pixels of the stored picture; looks are compared on ``_THUMB``."""
_TITLE = 0.95
"""Ours: lines of a title have at least this share of the largest size,"""
_TITLE_LINES = 3.2
"""and begin less than so many times that size below its first line."""


def view_of(slide: RenderedSlide) -> SlideView:
    """The slide's text line by line, the largest text first as its title; and a small picture.

    Text comes from the slide's spans, which are laid out or read off the picture.
    """
    image = cv2.resize(slide.image, _SIZE, interpolation=cv2.INTER_AREA)
    lines = _lines(slide.spans)
    text = "\n".join(text for _box, _size, text in lines)
    if not lines:
        return SlideView(text, np.asarray(image, np.uint8))
    box, size, _text = lines[0]
    return SlideView(text, np.asarray(image, np.uint8), title_pt=size, title_top=box.top)


def _lines(spans: Sequence[TextSpan]) -> list[tuple[Box, float, str]]:
    """Place, size and words of the lines, the title first."""
    rows = by_key(spans, lambda span: span.line)
    lines = [
        (row[0].box, max(span.size_pt for span in row), " ".join(span.text for span in row))
        for row in rows.values()
        if 0 <= row[0].box.top < FRAME_HEIGHT
    ]
    lines.sort(key=lambda line: (line[0].top // 12, line[0].left))
    return _title_first(lines)


def _title_first(lines: list[tuple[Box, float, str]]) -> list[tuple[Box, float, str]]:
    """The lines, with the lines of the largest text joined to one that comes first."""
    worded = [line for line in lines if any(character.isalpha() for character in line[2])]
    if not worded:
        return lines
    largest = max(size for _box, size, _text in worded)
    box = next(box for box, size, _text in worded if size >= _TITLE * largest)
    reach = _TITLE_LINES * largest
    title = [
        line for line in lines if line[1] >= _TITLE * largest and abs(line[0].top - box.top) < reach
    ]
    head = (box, largest, " ".join(text for _box, _size, text in title))
    return [head, *(line for line in lines if line not in title)]
