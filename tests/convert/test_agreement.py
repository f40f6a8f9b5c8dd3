"""Words, baselines, ink and lines of a drawn slide beside the browser's, on words set by hand."""

import pytest
from bench.convert.agreement import (
    BlockAgreement,
    Pair,
    block_agreements,
    count_lines,
    dice,
    pair_words,
)
from bench.convert.words import Word, split_words

from decklab.core.geometry import Box


def word(text: str, x: float, y: float, *, block: int = 0, turned: bool = False) -> Word:
    """A word 40 px wide and 10 px high above its baseline ``y``, in a font of 20 px."""
    return Word(text, Box(x, y - 10, x + 40, y), y, 20, block, turned)


def only(pairs: list[Pair]) -> BlockAgreement:
    (agreement,) = block_agreements(pairs)
    return agreement


def test_equal_words_agree_wholly() -> None:
    words = [word("two", 0, 20), word("lines", 0, 50)]
    assert only(pair_words(words, words)) == BlockAgreement(0, 0, 2, 2)


def test_a_word_that_occurs_twice_is_paired_with_the_nearer() -> None:
    words = [word("go", 0, 20), word("go", 0, 300)]
    drawn = [word("go", 2, 301), word("go", 1, 22)]
    pairs = pair_words(words, drawn)
    assert [other and other.baseline for _, other in pairs] == [22, 301]


def test_the_nearest_word_is_left_to_the_one_that_has_no_other() -> None:
    words = [word("go", 0, 20), word("go", 0, 40)]
    drawn = [word("go", 0, 38), word("go", 0, 60)]
    assert [other and other.baseline for _, other in pair_words(words, drawn)] == [38, 60]


def test_words_that_are_not_drawn_leave_no_baseline() -> None:
    words = [word("gone", 0, 20), word("here", 50, 20)]
    agreement = only(pair_words(words, [word("here", 50, 23)]))
    assert agreement == BlockAgreement(None, 3, 1, 1)


def test_a_block_of_which_nothing_is_drawn_has_no_line() -> None:
    assert only(pair_words([word("gone", 0, 20)], [])) == BlockAgreement(None, None, 1, 0)


def test_ink_is_as_far_off_as_its_worst_edge() -> None:
    agreement = only(pair_words([word("one", 0, 20)], [word("one", 7, 19)]))
    assert (agreement.baseline, agreement.ink) == (-1, 7)


def test_a_further_line_is_seen() -> None:
    words = [word("a", 0, 20), word("b", 50, 20), word("c", 100, 20)]
    drawn = [word("a", 0, 20), word("b", 50, 20), word("c", 0, 45)]
    agreement = only(pair_words(words, drawn))
    assert (agreement.lines, agreement.drawn_lines) == (1, 2)


def test_raised_words_stay_on_their_line_and_turned_blocks_are_left_out() -> None:
    assert count_lines([word("x", 0, 20), word("2", 10, 12), word("y", 30, 20)]) == 1
    assert count_lines([]) == 0
    assert list(block_agreements(pair_words([word("up", 0, 20, turned=True)], []))) == []


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [([], [], 1), (["a"], [], 0), (["a", "b"], ["b", "a"], 1), (["a", "a"], ["a"], 2 / 3)],
)
def test_words_in_common_are_counted_with_their_number(
    first: list[str], second: list[str], share: float
) -> None:
    assert dice(first, second) == pytest.approx(share)


def test_words_are_split_at_spaces_and_east_asian_ones_at_each_character() -> None:
    assert list(split_words("Größe 2\u00a0m\n图书，ok")) == [
        "grösse", "2", "m", "图", "书", ",", "ok",
    ]  # fmt: skip
    assert list(split_words(" ")) == []
