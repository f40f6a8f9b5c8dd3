from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.metrics.element_matching import cell_overlap, normalized, similarities, similarity

WORDS = st.text(alphabet="ab c,&É\n漢x1-", max_size=40)


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("Q&A", "qanda"),
        ("  Two\tWords\v ", "two words"),
        ("It's (really) 100%!", "its really 100"),
        ("Größe — naïve", "größe naïve"),
        ("snake_case", "snakecase"),
        ("a + b = c", "a b c"),
        ("•", ""),
        ("", ""),
    ],
)
def test_text_is_normalised_as_the_paper_says(raw: str, plain: str) -> None:
    assert normalized(raw) == plain


def test_vowel_signs_of_other_scripts_are_not_punctuation() -> None:
    assert normalized("हिन्दी।") == "हिन्दी"


@given(WORDS, WORDS)
def test_similarity_is_difflibs_ratio_of_normalised_texts(one: str, other: str) -> None:
    wanted = SequenceMatcher(None, normalized(one), normalized(other)).ratio()
    assert similarity(one, other) == wanted


@pytest.mark.parametrize("autojunk", [True, False])
def test_long_texts_are_as_difflib_has_them_with_and_without_its_shortcut(autojunk: bool) -> None:
    rng = np.random.default_rng(5)
    letters = list("etaoin shrdlu")
    for length in (199, 200, 201, 700):
        one = "x" + "".join(rng.choice(letters, length)) + "x"
        other = one.replace("sh", "s").replace("h", "")
        plain = normalized(one), normalized(other)
        wanted = SequenceMatcher(None, *plain, autojunk).ratio()
        assert similarity(one, other, autojunk=autojunk) == wanted


def test_the_shortcut_ruins_a_long_text_with_one_letter_too_many() -> None:
    truth = "the quick brown fox jumps over the lazy dog " * 6
    assert similarity("x" + truth, truth) == 0
    assert similarity("x" + truth, truth, autojunk=False) > 0.99


@given(st.lists(WORDS, max_size=5), st.lists(WORDS, max_size=5))
def test_all_pairs_at_once_are_the_pairs_one_by_one(theirs: list[str], ours: list[str]) -> None:
    found = similarities(theirs, ours)
    assert found.shape == (len(ours), len(theirs))
    for i, truth in enumerate(ours):
        for j, prediction in enumerate(theirs):
            assert found[i, j] == similarity(prediction, truth)


def test_texts_without_letters_are_alike_and_unlike_all_others() -> None:
    assert similarity("", "") == similarity("...", "•") == 1
    assert similarity("", "word") == similarity("word", "") == 0


def test_endless_text_is_compared_by_its_beginning() -> None:
    assert similarity("ab " * 100_000, "ab " * 3_000) == 1


def test_cells_count_as_often_as_they_occur_and_wherever_they_stand() -> None:
    assert cell_overlap([["a", "b"]], [["B"], ["A"]]) == 1
    assert cell_overlap([["a", "a", "b"]], [["a", "c"]]) == pytest.approx(2 / 5)
    assert cell_overlap([["", " "]], [[""]]) == 1
    assert cell_overlap([[""]], [["a"]]) == 0
