import pytest

from decklab.core.results import Finding, Occurrence, merge_by_cause, named_slides


def occurrence(slide, cause="x", rule="text.small"):
    return Occurrence(Finding(rule=rule, severity="info", message="Seen.", slide=slide), cause)


def test_three_slides_with_one_cause_are_one_finding():
    (found,) = merge_by_cause([occurrence(4), occurrence(2), occurrence(9), occurrence(2)])
    assert (found.slide, found.message) == (2, "Seen. The same on 3 slides: 2, 4, 9.")


def test_two_slides_or_other_causes_and_rules_stay_apart():
    assert [f.slide for f in merge_by_cause([occurrence(4), occurrence(2)])] == [2, 4]
    assert len(merge_by_cause([occurrence(1, "a"), occurrence(2, "b"), occurrence(3, "c")])) == 3
    assert len(merge_by_cause([occurrence(1), occurrence(1, rule="text.margin")])) == 2


@pytest.mark.parametrize(
    ("numbers", "name"),
    [([1], "1"), ([2, 1], "1, 2"), ([3, 1, 2], "1-3"), ([1, 2, 4, 5, 6], "1, 2, 4-6")],
)
def test_slides_are_named_in_runs(numbers, name):
    assert named_slides(numbers) == name
