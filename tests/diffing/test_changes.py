"""Which slides are the same ones, told from additions, removals and moves alone."""

from hypothesis import given
from hypothesis import strategies as st

from decklab.diffing.changes import Change, DeckDiff, ElementRef, SlideMove, SlideMoves
from decklab.diffing.sequences import moved


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


def change(
    slide: int | None, kind: str, name: str, *, sheet: str = "", noise: bool = False
) -> Change:
    element = ElementRef(id=0, name="", sheet=sheet) if sheet else None
    return Change.model_validate(
        {"slide": slide, "element": element, "kind": kind, "property": name, "old": 1, "new": 2,
         "noise": noise}
    )  # fmt: skip


def test_a_removed_slide_and_noise_are_no_changed_slides() -> None:
    found = DeckDiff(
        changes=(
            change(1, "slide", "removed"), change(2, "style", "fill", noise=True),
            change(3, "slide", "added"), change(4, "text", "text"),
        )
    )  # fmt: skip
    assert found.changed_slides == {3, 4} and not found.changes_templates


def test_a_shape_on_a_master_changes_the_templates_as_the_theme_does() -> None:
    on_master = change(None, "geometry", "position", sheet="Office Theme")
    for one in (on_master, change(None, "theme", "color accent1")):
        assert DeckDiff(changes=(one,)).changes_templates
    assert not DeckDiff(changes=(change(None, "properties", "title"),)).changes_templates
