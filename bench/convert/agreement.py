"""How far a drawn slide agrees with the one in the browser: words, baselines, ink and lines."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

from scipy.optimize import linear_sum_assignment

from bench.convert.words import RAISED_EM, Word
from decklab.core.geometry import Box

NEAR_PX: Final = 2.0
"""The issue's bound for baselines and ink, in CSS pixels of the slide."""

Pair = tuple[Word, Word | None]


@dataclass(frozen=True)
class BlockAgreement:
    """One block of level text in the browser and as drawn; None where its words are not drawn."""

    baseline: float | None
    """How far the first word's baseline lies from the browser's, down is positive; pixels."""
    ink: float | None
    """How far the edge of the ink that differs most is off, in pixels."""
    lines: int
    """In the browser."""
    drawn_lines: int


def dice(first: Iterable[str], second: Iterable[str]) -> float:
    """Share of words that two multisets have in common, 0 to 1; 1 where both are empty.

    >>> dice(["a", "a", "b"], ["a", "b"])
    0.8
    """
    left, right = Counter(first), Counter(second)
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 1.0


def pair_words(words: Sequence[Word], drawn: Sequence[Word]) -> list[Pair]:
    """Each word of the browser with the drawn word of the same text that is its own.

    Words of one text are assigned so that the sum of the distances is least.
    """
    at: dict[str, list[int]] = defaultdict(list)
    for n, word in enumerate(words):
        at[word.text].append(n)
    there: dict[str, list[Word]] = defaultdict(list)
    for word in drawn:
        there[word.text].append(word)
    partner: dict[int, Word] = {}
    for text, numbers in at.items():
        candidates = there.get(text, [])
        if candidates:
            costs = [[_distance(words[n], other) for other in candidates] for n in numbers]
            rows, columns = linear_sum_assignment(costs)
            partner |= {numbers[r]: candidates[c] for r, c in zip(rows, columns, strict=True)}
    return [(word, partner.get(n)) for n, word in enumerate(words)]


def _distance(first: Word, second: Word) -> float:
    return hypot(first.ink.left - second.ink.left, first.baseline - second.baseline)


def block_agreements(pairs: Sequence[Pair]) -> Iterator[BlockAgreement]:
    """Each block of level text."""
    blocks: dict[int, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if not pair[0].turned:
            blocks[pair[0].block].append(pair)
    for block in blocks.values():
        yield _agreement(block)


def _agreement(block: Sequence[Pair]) -> BlockAgreement:
    both = [(word, drawn) for word, drawn in block if drawn is not None]
    first, there = block[0]
    baseline = None if there is None else there.baseline - first.baseline
    if not both:
        return BlockAgreement(baseline, None, count_lines([word for word, _ in block]), 0)
    words, drawn = [word for word, _ in both], [other for _, other in both]
    return BlockAgreement(baseline, _ink_apart(words, drawn), count_lines(words),
                          count_lines(drawn))  # fmt: skip


def _ink_apart(words: Sequence[Word], drawn: Sequence[Word]) -> float:
    ours, theirs = bounds(words), bounds(drawn)
    return max(
        abs(ours.left - theirs.left), abs(ours.top - theirs.top),
        abs(ours.right - theirs.right), abs(ours.bottom - theirs.bottom),
    )  # fmt: skip


def bounds(words: Sequence[Word]) -> Box:
    """The box of the ink of all words; raises ValueError for none."""
    return Box(
        min(word.ink.left for word in words), min(word.ink.top for word in words),
        max(word.ink.right for word in words), max(word.ink.bottom for word in words),
    )  # fmt: skip


def count_lines(words: Sequence[Word]) -> int:
    """The lines on which words stand that follow one another; 0 for no words."""
    lines, last = 0, None
    for word in words:
        if last is None or abs(word.baseline - last.baseline) > RAISED_EM * max(
            word.size, last.size
        ):
            lines += 1
        last = word
    return lines
