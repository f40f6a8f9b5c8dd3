import numpy as np
import pytest

from decklab.writer.ranking import DAMPING, centrality, sentence_words, word_vectors

TEXTS = ["cats eat fish", "cats eat meat", "dogs eat meat", "stones roll downhill"]


def test_ranks_are_the_stationary_distribution_of_the_walk_between_like_sentences() -> None:
    vectors = word_vectors(TEXTS)
    likeness = vectors @ vectors.T - np.eye(4)
    moves = np.full((4, 4), 1 / 4)
    moves[:3] = likeness[:3] / likeness[:3].sum(axis=1, keepdims=True)
    walk = (1 - DAMPING) / len(TEXTS) + DAMPING * moves
    values, left = np.linalg.eig(walk.T)
    stationary = np.abs(np.real(left[:, np.argmax(np.real(values))]))
    assert centrality(vectors) == pytest.approx(stationary / stationary.max(), abs=1e-6)
    assert np.argmax(centrality(vectors)) == 1
    assert np.argmin(centrality(vectors)) == 3


def test_nothing_to_rank_gives_nothing() -> None:
    assert len(centrality(word_vectors([]))) == 0
    assert word_vectors(["..."]).shape == (1, 1)
    assert centrality(word_vectors(["...", "!"])) == pytest.approx([1, 1])


def test_words_are_compared_without_case_and_plural() -> None:
    assert sentence_words("Models and the MODEL of 12.5% loss") == [
        "model", "and", "the", "model", "12.5%", "loss",
    ]  # fmt: skip
