"""Numbers in words, in digits."""

import pytest

from decklab.evals.judges.meaning import in_digits, in_unit


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("", ""),
        ("one of them", "one of them"),
        ("two hundred and forty thousand", "240000"),
        ("thirty-one and four", "31 and 4"),
        ("half a million in a quarter of an hour", "500000 in 15 minutes"),
        ("three quarters of it, not the third quarter", "75% of it, not the third quarter"),
        ("seven out of ten", "70%"),
        ("a dozen, two dozen, twice as many", "12, 24, 2 times as many"),
    ],
)
def test_numbers_in_words_become_digits(text: str, digits: str) -> None:
    assert in_digits(text) == digits


def test_units_are_converted_by_their_factors() -> None:
    """By hand: 212 °F is the boiling point of water, a mile has 1609.344 m."""
    assert in_unit(100, "°C", "°F") == pytest.approx(212)
    assert in_unit(1, "mile", "metres") == pytest.approx(1609.344)
    assert in_unit(3, "ships", "kg") is None and in_unit(3, "hours", "km") is None
