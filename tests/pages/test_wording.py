import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.pages.wording import clean, number, shorten, slide_ranges, storable


@given(st.text(st.characters(exclude_categories=())))
def test_cleaned_text_holds_nothing_that_steers_a_terminal_or_browser(text: str) -> None:
    cleaned = clean(text)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in cleaned)
    assert not set(cleaned) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    cleaned.encode("utf-8")


@given(st.text(st.characters(exclude_categories=())))
def test_storable_text_fits_utf8_and_keeps_all_else(text: str) -> None:
    stored = storable(text)
    stored.encode("utf-8")
    assert len(stored) == len(text)
    changed = [a for a, b in zip(text, stored, strict=True) if a != b]
    assert all(unicodedata.category(c) == "Cs" for c in changed)


def test_right_to_left_text_stays() -> None:
    assert clean("שלום \u200fعالم") == "שלום عالم"


@given(st.text(max_size=80), st.integers(2, 60))
def test_shortened_text_fits_and_keeps_both_ends(text: str, width: int) -> None:
    short = shorten(text, width)
    assert len(short) <= width
    if len(text) > width:
        head, _, tail = short.rpartition("…")
        assert text.startswith(head)
        assert text.endswith(tail)


@given(st.sets(st.integers(1, 60)))
def test_slide_ranges_name_exactly_the_slides_given(slides: set[int]) -> None:
    named: set[int] = set()
    for run in filter(None, slide_ranges(slides).split(", ")):
        first, _, last = run.partition("–")
        named |= set(range(int(first), int(last or first) + 1))
    assert named == slides


@pytest.mark.parametrize(
    ("slides", "words"),
    [
        ([], ""),
        ([4], "4"),
        ([1, 2], "1–2"),
        ([1, 3], "1, 3"),
        ([9, 1, 2, 3, 10, 5], "1–3, 5, 9–10"),
    ],
)
def test_slides_that_follow_one_another_are_one_range(slides: list[int], words: str) -> None:
    assert slide_ranges(slides) == words


@pytest.mark.parametrize(
    ("value", "digits", "words"),
    [
        (0.0, 2, "0.00"), (-0.0, 2, "0.00"), (-0.004, 2, "0.00"), (-0.005001, 2, "−0.01"),
        (1234567.0, 0, "1,234,567"), (-1000.0, 1, "−1,000.0"),
    ],
)  # fmt: skip
def test_numbers_have_a_true_minus_and_nothing_is_not_negative(
    value: float, digits: int, words: str
) -> None:
    assert number(value, digits) == words


@pytest.mark.parametrize("char", ["\t", "\n", "\x0b", "\x0c", "\r", "\x85", "\u2028", "\u2029"])
def test_what_breaks_a_line_becomes_a_space(char: str) -> None:
    assert clean(f"a{char}b") == "a b"
