"""Words of slides weighed by how telling they are, and how alike slides are by them."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_WORD = re.compile(r"[^\W\d_]{2,}")
_TITLE_WEIGHT = 2
"""Ours: times that the words of a title count once more: they name the topic."""


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; numbers and single letters are none.

    >>> words_of("Step 2: Train a model")
    ['step', 'train', 'model']
    """
    return _WORD.findall(text.lower())


def title_of(text: str) -> str:
    """The first line that has a word, without blanks around it; empty where none has."""
    lines = (line.strip() for line in text.splitlines())
    return next((line for line in lines if words_of(line)), "")


def similarities(texts: Sequence[str]) -> Floats:
    """Cosine of the TF-IDF vectors of all pairs of texts, 0 to 1, shape (n, n).

    Term frequencies are logarithms, document frequencies smoothed; a text without words is like
    no other. Words that all slides share say nothing.
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
