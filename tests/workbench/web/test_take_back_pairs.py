"""Random pairs of edits taken back in any order; decks with one edit alone are the measure."""

from collections import Counter
from pathlib import Path

import pytest
from bench.take_back_pairs import CONFLICT, TAKEN, WRONG, try_pairs
from tests.editing.conftest import build


@pytest.mark.parametrize("pairs", [2, pytest.param(10, marks=pytest.mark.long)])
def test_pairs_of_edits_are_taken_back_or_a_conflict_is_named(pairs: int, tmp_path: Path) -> None:
    deck, room = tmp_path / "deck.pptx", tmp_path / "bench"
    build().save(str(deck))
    room.mkdir()
    found = list(try_pairs(deck, pairs, 5, room))
    wrong = [(one.edits, one.back, one.said) for one in found if one.kind == WRONG]
    assert wrong == []
    counts = Counter(one.kind for one in found)
    assert counts[TAKEN] >= pairs
    assert all(one.said for one in found if one.kind == CONFLICT)
