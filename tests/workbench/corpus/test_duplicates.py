"""Which decks are near-duplicates, by signatures and codes of pictures made by hand."""

import numpy as np
import pytest

from decklab.workbench.cluster.tables import Signature
from decklab.workbench.corpus.select import DeckFingerprint, duplicate_pairs

WHOLE = np.arange(128, dtype=np.uint32)
BITS = [1 << place for place in range(64)]


def words(same: int) -> Signature:
    """A signature that agrees with ``WHOLE`` in its first numbers."""
    return np.where(same > WHOLE, WHOLE, WHOLE + 1000).astype(np.uint32)


def deck(
    name: str, signature: Signature | None = None, *pictures: int, sha256: str | None = None
) -> DeckFingerprint:
    return DeckFingerprint(name, sha256, 6, signature, frozenset(pictures))


def code(place: int) -> int:
    """Codes of pictures that are far from each other: 16 of 64 bits set, each in its own place."""
    return sum(BITS[16 * place : 16 * place + 16])


LOGOS = [code(place) for place in range(4)]
OTHERS = [code(0) ^ code(1), code(2) ^ code(3), code(0) ^ code(3), code(1) ^ code(2)]


def found(*decks: DeckFingerprint) -> list[tuple[str, str]]:
    return [(pair.deck, pair.other) for pair in duplicate_pairs(decks)]


@pytest.mark.parametrize(("same", "alike"), [(128, True), (64, True), (63, False), (0, False)])
def test_half_of_the_words_in_common_make_two_decks_alike(same: int, alike: bool) -> None:
    decks = (deck("a", WHOLE), deck("b", words(same)))
    assert found(*decks) == ([("a", "b")] if alike else [])
    if alike:
        (pair,) = duplicate_pairs(decks)
        assert (pair.words, pair.pictures, pair.identical) == (same / 128, None, False)


def test_four_numbers_in_a_row_must_be_equal_for_decks_to_be_compared() -> None:
    three_of_four = np.where(WHOLE % 4 == 3, WHOLE + 1000, WHOLE).astype(np.uint32)
    assert found(deck("a", WHOLE), deck("b", three_of_four)) == []
    last = np.where(WHOLE >= 124, WHOLE, three_of_four).astype(np.uint32)
    assert found(deck("a", WHOLE), deck("b", last)) == [("a", "b")]


def test_equal_bytes_are_enough() -> None:
    same = (deck("a", sha256="1"), deck("b", sha256="1"), deck("c", sha256="2"))
    (pair,) = duplicate_pairs(same)
    assert (pair.deck, pair.other, pair.identical) == ("a", "b", True)
    assert found(deck("a"), deck("b")) == []  # of neither is anything known


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (LOGOS, LOGOS, True),
        (LOGOS, [*LOGOS, *OTHERS], True),  # all of the pictures of the deck with fewer
        ([*LOGOS, OTHERS[0]], [*LOGOS, *OTHERS[1:]], True),  # 4 of 5 are 0.8
        ([*LOGOS, *OTHERS[:2]], [*LOGOS, *OTHERS[2:]], False),  # 4 of 6 are 0.67
        (LOGOS[:3], LOGOS[:3], False),  # all, but only three
        (LOGOS, OTHERS, False),
        (LOGOS, [], False),
    ],
)
def test_four_pictures_that_are_most_of_a_deck_make_it_a_duplicate(
    one: list[int], other: list[int], alike: bool
) -> None:
    decks = (deck("a", None, *one), deck("b", None, *other))
    assert found(*decks) == ([("a", "b")] if alike else [])
    assert found(*reversed(decks)) == ([("b", "a")] if alike else [])


@pytest.mark.parametrize(("same", "alike"), [(26, True), (25, False)])
def test_with_a_fifth_of_the_words_two_pictures_do(same: int, alike: bool) -> None:
    decks = (deck("a", WHOLE, *LOGOS[:2]), deck("b", words(same), *LOGOS[:2]))
    assert found(*decks) == ([("a", "b")] if alike else [])
    single = (deck("a", WHOLE, LOGOS[0]), deck("b", words(same), LOGOS[0]))
    assert found(*single) == []


@pytest.mark.parametrize(("bits", "alike"), [(5, True), (6, False)])
def test_a_picture_may_differ_in_five_bits(bits: int, alike: bool) -> None:
    near = [one ^ sum(BITS[place] for place in range(bits)) for one in LOGOS[2:]]
    decks = (deck("a", None, *LOGOS), deck("b", None, *LOGOS[:2], *near))
    assert found(*decks) == ([("a", "b")] if alike else [])


def test_pictures_that_very_many_decks_have_say_nothing() -> None:
    forty = [deck(f"{number:02}", None, *LOGOS) for number in range(40)]
    assert len(found(*forty)) == 40 * 39 // 2
    assert found(*forty, deck("more", None, *LOGOS)) == []


def test_words_that_very_many_decks_have_are_compared_with_the_first_only() -> None:
    decks = [deck(f"{number:02}", WHOLE) for number in range(41)]
    assert found(*decks) == [("00", f"{number:02}") for number in range(1, 41)]
    assert len(found(*decks[:40])) == 40 * 39 // 2


def test_no_decks_have_no_duplicates() -> None:
    assert found() == [] and found(deck("a", WHOLE, *LOGOS, sha256="1")) == []
