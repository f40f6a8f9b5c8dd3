"""How much each sentence of a document says about the whole: LexRank.

Erkan and Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization",
Journal of Artificial Intelligence Research 22 (2004): sentences are central that are like many
others; the similarity is the cosine of their words weighted by rarity.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float64]
Ranks = npt.NDArray[np.float64]

DAMPING = 0.85
"""The share of a sentence's score that comes from its neighbours; the paper's 1 - d of 0.15."""
MOST_SENTENCES = 1_500
"""Compared with each other at most; of more, every n-th is a neighbour. Ours, for memory."""
_WORD = re.compile(r"[^\W\d_]{3,}|\d+(?:[.,]\d+)*%?")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_ROUNDS = 60


def sentence_words(text: str) -> list[str]:
    """The words of a text that are compared: of three letters or more, and numbers; of a Chinese
    or Japanese text, which has no spaces, each two letters that follow each other.

    >>> sentence_words("Two cranes"), sentence_words("港口有")
    (['two', 'crane'], ['港口', '口有'])
    """
    words: list[str] = []
    for word in _WORD.findall(text.casefold()):
        words += _pairs(word) if _UNSPACED.match(word) else [_stem(word)]
    return words


def _pairs(word: str) -> list[str]:
    return [word[at : at + 2] for at in range(len(word) - 1)]


def _stem(word: str) -> str:
    """A word without its plural s: enough to hold "model" and "models" for one."""
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word


def word_vectors(texts: Sequence[str]) -> Vectors:
    """Texts as rows of word weights (tf times idf), each of length 1, shape (texts, words).

    A text without words is a row of zeros. A word that more than a third of the texts have weighs
    nothing where there are ten texts or more: that finds the stop words of any language.
    """
    counts = [Counter(sentence_words(text)) for text in texts]
    present = Counter(word for count in counts for word in count)
    total = max(1, len(texts))
    most = total / 3 if total >= 10 else total
    known = sorted(word for word, texts_with in present.items() if texts_with <= most)
    places = {word: place for place, word in enumerate(known)}
    vectors = np.zeros((len(texts), max(1, len(places))))
    for row, count in enumerate(counts):
        for word, times in count.items():
            if word in places:
                vectors[row, places[word]] = times * np.log(1 + total / present[word])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1)
    return vectors


def centrality(vectors: Vectors) -> Ranks:
    """The LexRank of each row of ``word_vectors``: shape (rows,), 1 for the highest, 0 at least.

    >>> ranks = centrality(word_vectors(["cats eat fish", "cats eat meat", "stones roll"]))
    >>> bool(ranks[0] > ranks[2])
    True
    """
    if len(vectors) == 0:
        return np.zeros(0)
    step = -(-len(vectors) // MOST_SENTENCES)
    likeness = vectors @ vectors[::step].T
    own = np.arange(0, len(vectors), step)
    likeness[own, own // step] = 0  # a sentence does not speak for itself
    chosen = likeness[::step]
    sums, count = chosen.sum(axis=1), len(chosen)
    alone = sums == 0
    ranks = np.full(count, 1 / count)
    for _ in range(_ROUNDS):
        ranks = _moved(chosen, ranks, sums, alone)
    found = _moved(likeness, ranks, sums, alone)
    return np.asarray(found / found.max())


def _moved(likeness: Vectors, ranks: Ranks, sums: Ranks, alone: npt.NDArray[np.bool_]) -> Ranks:
    """One step of the walk: each sentence shares its rank among those like it, one without any
    among all."""
    count = len(ranks)
    shares = np.where(alone, 0, ranks / np.where(alone, 1, sums))
    everywhere = (1 - DAMPING) + DAMPING * float(ranks[alone].sum())
    return np.asarray(everywhere / count + DAMPING * (likeness @ shares))
