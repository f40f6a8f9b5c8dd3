from decklab.diffing.matching.sequences import aligned


def test_equal_lists_pair_in_order() -> None:
    assert aligned(["a", "a", "b"], ["a", "a", "b"]) == [(0, 0), (1, 1), (2, 2)]


def test_replaced_stretches_of_equal_length_pair_item_by_item() -> None:
    assert aligned(["x", "one", "two", "y"], ["x", "eins", "zwei", "y"]) == [
        (0, 0), (1, 1), (2, 2), (3, 3),
    ]  # fmt: skip


def test_unequal_stretches_pair_by_their_words() -> None:
    old = ["the red fox runs", "a last line"]
    new = ["something new", "the red fox walks", "another thing"]
    assert aligned(old, new) == [(0, 1)]


def test_empty_lists() -> None:
    assert aligned([], []) == aligned([], ["a"]) == aligned(["a"], []) == []
