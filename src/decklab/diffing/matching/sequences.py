"""Which items of two lists of texts correspond: paragraphs, rows, columns, series."""

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from decklab.diffing.matching.likeness import best_pairs, overlap, words_of

_HUGE = 10_000
"""Pairs of items beyond which replaced stretches are paired in order. Ours."""
_GATE = 0.3
"""Below this share of common words two items do not correspond. Ours."""


def aligned(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of indexes: equal items in order, and between them the most alike.

    Replaced stretches of equal length are paired item by item.

    >>> aligned(["one", "two", "three"], ["one", "new", "two", "three"])
    [(0, 0), (1, 2), (2, 3)]
    """
    if len(a) == len(b) and sum(map(str.__ne__, a, b)) <= 1:
        return [(i, i) for i in range(len(a))]
    pairs = []
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    for tag, i0, i1, j0, j1 in matcher.get_opcodes():
        if tag == "equal" or (tag == "replace" and i1 - i0 == j1 - j0):
            pairs += list(zip(range(i0, i1), range(j0, j1), strict=True))
        elif tag == "replace" and (i1 - i0) * (j1 - j0) <= _HUGE:
            pairs += [(i0 + i, j0 + j) for i, j in _alike(a[i0:i1], b[j0:j1])]
        elif tag == "replace":
            pairs += list(zip(range(i0, i1), range(j0, j1), strict=False))
    return pairs


def _alike(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    words = [words_of(text) for text in a], [words_of(text) for text in b]
    scores = np.array([[overlap(one, other) for other in words[1]] for one in words[0]])
    return best_pairs(a, b, scores, _GATE)
