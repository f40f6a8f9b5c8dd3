"""Which slides are the same ones, told from additions, removals and moves alone."""

from hypothesis import given
from hypothesis import strategies as st

from decklab.diffing.changes import SlideMove, SlideMoves
from decklab.diffing.match.sequences import moved


@given(st.permutations(range(1, 8)), st.sets(st.integers(1, 7)), st.sets(st.integers(1, 9)))
def test_pairs_are_found_again(order: list[int], gone: set[int], places: set[int]) -> None:
    kept = [number for number in order if number not in gone]
    after: list[int | None] = list(kept)
    for place in sorted(places):
        after.insert(min(place - 1, len(after)), None)
    pairs = [(old, new) for new, old in enumerate(after, start=1) if old is not None]
    moves = SlideMoves(
        added=tuple(new for new, old in enumerate(after, start=1) if old is None),
        removed=tuple(sorted(gone)),
        moved=tuple(
            SlideMove(before=pairs[i][0], after=pairs[i][1])
            for i in moved([old for old, _new in pairs])
        ),
    )
    assert moves.pairs(7, len(after)) == tuple(pairs)
