"""Numbers in text, against what people wrote down for more than a hundred of them."""

import pytest
from tests.documents.number_cases import CASES, GERMAN

from decklab.documents.numbers import decimal_mark, parse_numbers


def told(text, **options):
    return [(item.kind, item.values, item.unit) for item in parse_numbers(text, **options)]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_a_number_is_read_with_its_kind(text, expected):
    assert told(text) == expected


@pytest.mark.parametrize(("text", "expected"), GERMAN, ids=[text for text, _ in GERMAN])
def test_a_german_number_is_read_with_its_kind(text, expected):
    assert told(text, decimal=",") == expected


@pytest.mark.parametrize(("text", "expected"), [*CASES, *GERMAN], ids=lambda value: str(value)[:40])
def test_a_number_says_where_it_stands(text, expected):
    found = parse_numbers(text, decimal="," if (text, expected) in GERMAN else ".")
    ends = [0, *(end for item in found for end in (item.start, item.end))]
    assert ends == sorted(ends)
    for item in found:
        assert any(char.isdigit() for char in text[item.start : item.end])


def test_the_decimal_mark_is_the_more_frequent_one():
    assert decimal_mark("rose by 12,5 % to 3,75, not 1.5") == ","
    assert decimal_mark("rose by 12.5 % to 3.75, 1,234 in all") == "."
    assert decimal_mark("no number") == "."


def test_a_number_with_both_marks_tells_the_decimal_mark():
    assert decimal_mark("1.200,50;900\n1.300;950") == ","
    assert decimal_mark("1,200.50 and 1,300") == "."
