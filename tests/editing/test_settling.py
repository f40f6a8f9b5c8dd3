"""Changes tried together until those that are left hold."""

from collections.abc import Mapping

import pytest

from decklab.editing.taking_back import CannotMake, Settled, blamed, settle


def test_what_fails_is_left_out_and_the_others_are_tried_again() -> None:
    tried: list[set[str]] = []

    def trial(way: Mapping[str, int]) -> dict[str, str]:
        tried.append(set(way))
        return {"b": "it broke"} if "b" in way else {}

    found = settle(dict.fromkeys("abc", 1), trial, rounds=4)
    assert found == Settled({"a": 0, "c": 0}, {"b": "it broke"})
    assert tried == [{"a", "b", "c"}, {"a", "c"}]


def test_the_next_way_is_tried_before_a_change_is_left_out() -> None:
    def trial(way: Mapping[str, int]) -> dict[str, str]:
        return {} if way.get("a") == 2 else {"a": f"not by {way['a']}"}

    assert settle({"a": 3}, trial, rounds=9) == Settled({"a": 2}, {})
    assert settle({"a": 2}, trial, rounds=9) == Settled({}, {"a": "not by 1"})


def test_rounds_end_with_nothing_kept_and_no_other_way_tried_at_the_end() -> None:
    ways: list[int] = []

    def trial(way: Mapping[str, int]) -> dict[str, str]:
        ways.append(way["a"])
        return {"a": "no"}

    assert settle({"a": 9}, trial, rounds=3) == Settled({}, {"a": "no"})
    assert ways == [0, 1]
    assert settle(dict.fromkeys("ab", 1), lambda way: {min(way): "no"}, rounds=1).kept == {}


def test_what_cannot_be_made_costs_no_round() -> None:
    def trial(way: Mapping[int, int]) -> dict[int, str]:
        if min(way) < 5:
            raise CannotMake(min(way), "no such shape")
        return {}

    found = settle(dict.fromkeys(range(7), 1), trial, rounds=1)
    assert (set(found.kept), set(found.undone)) == ({5, 6}, {0, 1, 2, 3, 4})
    assert settle({}, trial, rounds=1) == Settled({}, {})


@pytest.mark.parametrize(("suspect", "at_fault"), [(2, [2]), (9, [4]), (20, [1, 2, 4])])
def test_the_first_suspicion_about_any_change_counts(suspect: int, at_fault: list[int]) -> None:
    suspicions = (lambda one: one == suspect, lambda one: one == suspect - 5)
    assert blamed([1, 2, 4], suspicions) == at_fault
