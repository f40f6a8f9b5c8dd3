import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from decklab.pages.wording import clean, shorten, slide_ranges, storable


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
