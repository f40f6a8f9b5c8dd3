"""Which decks and slides are looked at."""

import pytest

from decklab.core.errors import DeckError
from decklab.evals.slideeval.items import choose_slides, deck_files, deck_names, shuffled


def test_decks_are_found_below_a_folder_and_old_formats_are_not(tmp_path):
    for name in ("b.pptx", "sub/a.PPTX", "old.ppt", "notes.pdf", "~$b.pptx"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert list(deck_names(tmp_path)) == ["b.pptx", "sub/a.PPTX"]


def test_a_single_deck_goes_by_its_name(tmp_path):
    deck = tmp_path / "talk.pptx"
    deck.write_bytes(b"")
    assert deck_names(deck) == {"talk.pptx": deck}


@pytest.mark.parametrize("name", ["", "nowhere"])
def test_a_folder_without_decks_is_an_error(tmp_path, name):
    with pytest.raises(DeckError, match=r"holds no \.pptx"):
        deck_files(tmp_path / name)


def test_decks_take_turns():
    chosen = choose_slides({"a": range(1, 100), "b": [1, 2], "c": [1]}, 6)
    assert {name: len(numbers) for name, numbers in chosen.items()} == {"a": 3, "b": 2, "c": 1}
    assert chosen["a"] == sorted(chosen["a"])


def test_a_larger_sample_holds_the_smaller_one():
    slides = {"a": range(1, 50), "b": range(1, 50)}
    few, more = choose_slides(slides, 10), choose_slides(slides, 20)
    assert all(set(few[name]) <= set(more[name]) for name in slides)


def test_none_stands_for_all_slides():
    assert choose_slides({"a": [3, 1, 2]}, None) == {"a": [1, 2, 3]}


def test_another_seed_or_deck_gives_another_order():
    numbers = list(range(20))
    orders = [shuffled(numbers, 0, "a"), shuffled(numbers, 1, "a"), shuffled(numbers, 0, "b")]
    assert all(sorted(order) == numbers for order in orders)
    assert len({tuple(order) for order in orders}) == 3
