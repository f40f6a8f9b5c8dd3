from dataclasses import replace
from pathlib import Path

from decklab.diffing.changes import Change, DeckDiff, Kind
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.pptarena.cases import Case
from decklab.evals.pptarena.tables import Difficulty, difficulty, difficulty_table

CASE = Case("A", "Fix slide 2.", "Fixed.", Path("a"), Path("b"), ("Content", "Layout"), ("Tables",))


def change(slide: int | None, kind: Kind, name: str = "x") -> Change:
    return Change(slide=slide, element=None, kind=kind, property=name, old="a", new="b")


def edit(*changes: Change, slides: int = 3) -> DeckEdit:
    deck = {"slides": [{"number": n + 1, "shapes": []} for n in range(slides)]}
    return DeckEdit(deck, deck, DeckDiff(changes=changes))


def test_one_change_on_one_slide_is_easy() -> None:
    assert difficulty(CASE, edit(change(2, "notes"))) == Difficulty(1, 1, False, False, False)


def test_several_slides_are_cross_slide_where_the_request_says_so() -> None:
    both = edit(change(1, "notes"), change(3, "notes"))
    assert not difficulty(CASE, both).cross_slide
    found = difficulty(replace(CASE, prompt="Fix every slide."), both)
    assert (found.slides, found.cross_slide, found.high_diff) == (2, True, True)
    assert difficulty(replace(CASE, prompt="Fix slides 1 and 3."), both).cross_slide


def test_words_and_something_to_look_at_together_are_text_visual() -> None:
    found = difficulty(CASE, edit(change(2, "picture"), change(2, "alt text")))
    assert (found.text_visual, found.high_diff) == (True, True)


def test_the_table_counts_a_case_in_each_of_its_categories() -> None:
    hard, easy = Difficulty(4, 2, True, False, True), Difficulty(2, 1, False, False, False)
    other = replace(CASE, categories=("Layout",))
    rows = {row.category: row for row in difficulty_table([(CASE, hard), (other, easy)])}
    assert (rows["Content"].operations, rows["Content"].high_diff) == (4, 1)
    assert (rows["Layout"].cases, rows["Layout"].operations) == (2, 3)
    assert (rows["All labels"].cases, rows["All labels"].cross_slide) == (3, 2 / 3)
