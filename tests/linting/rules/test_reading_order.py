import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.results import NotScored
from decklab.deck.model.base import Font
from decklab.deck.model.shapes import Text
from decklab.deck.model.slide import SlideElements
from decklab.linting.rules.every import accessibility_findings
from decklab.linting.rules.reading_order import reading_order


def column(plain, *tops):
    """Texts read in this order, one below the other in one column."""
    return [plain.text(f"Paragraph {top}", y=top) for top in tops]


def test_from_top_to_bottom_is_the_order(plain):
    order = reading_order(plain.slide(*column(plain, 100, 200, 300)))
    assert (order.score, order.pairs, order.inversions) == (1.0, 3, ())


def test_each_pair_read_upwards_is_an_inversion(plain):
    low, middle, top = column(plain, 300, 200, 100)
    order = reading_order(plain.slide(low, middle, top))
    assert (order.score, order.pairs) == (0.0, 3)
    assert order.inversions == ((low, middle), (low, top), (middle, top))


def test_a_row_may_be_read_either_way(plain):
    right, left = plain.text("on the right", x=500), plain.text("on the left", x=100)
    assert reading_order(plain.slide(right, left)) == NotScored(
        "no text clearly comes before another"
    )


def test_a_title_comes_first_wherever_it_stands(plain):
    words, title = plain.text("above the title", y=10), plain.title("Plan", y=100)
    assert reading_order(plain.slide(words, title)).inversions == ((words, title),)
    after = words.model_copy(update={"z": title.z + 1})
    assert reading_order(plain.slide(title, after)).score == 1


def test_footers_letters_and_hidden_texts_do_not_count(plain):
    items = [
        plain.text("Page footer", y=500, placeholder="ftr"),
        plain.text("A", y=400),
        plain.text("Hidden words", y=300, hidden=True),
        plain.text("Off the slide", y=700),
        plain.text("Words", y=100),
    ]
    assert isinstance(reading_order(plain.slide(*items)), NotScored)


def test_a_slide_read_backwards_is_told(plain):
    (found,) = plain.lint(*column(plain, 300, 200, 100))
    assert found.rule == "accessibility.reading-order" and found.severity == "info"
    assert '"Paragraph 300" is read aloud before "Paragraph 200"' in found.message


def test_the_largest_text_may_lead_a_slide_without_a_title(plain):
    large = Font(name="Arial", size=44.0, style=(), color="#000000")
    headline = plain.text("A large headline", y=200).model_copy(update={"font": large})
    letterhead, place, author = column(plain, 20, 100, 400)
    order = reading_order(plain.slide(headline, letterhead, place, author))
    assert (order.score, order.pairs) == (1.0, 3)


def test_a_title_read_after_the_text_is_told(plain):
    texts = column(plain, 200, 300, 400, 450)
    late = plain.slide(*texts, plain.title("Plan"))
    assert len(reading_order(late).inversions) == 4
    (found,) = accessibility_findings(plain.deck(late))
    assert '"Paragraph 200" is read aloud before "Plan"' in found.message


def test_one_slip_is_not(plain):
    assert plain.lint(*column(plain, 200, 100, 300)) == []


@given(tops=st.permutations([50, 130, 210, 290, 370]))
def test_score_and_inversions_count_the_same_pairs(tops):
    font = Font(name="Arial", size=20.0, style=(), color="#000000")
    texts = tuple(
        Text(text="four", font=font, align="left", id=n, z=n, x=10.0, y=float(top), w=90.0, h=40.0)
        for n, top in enumerate(tops)
    )
    order = reading_order(SlideElements(background="#FFFFFF", texts=texts))
    upwards = sum(a > b for i, a in enumerate(tops) for b in tops[i + 1 :])
    assert order.pairs == 10 and len(order.inversions) == upwards
    assert order.score == pytest.approx(1 - upwards / 10)


def test_very_many_texts_are_not_compared_pair_by_pair(plain, monkeypatch):
    texts = column(plain, 100, 200, 300)
    monkeypatch.setattr("decklab.linting.rules.reading_order.MOST_TEXTS", 2)
    order = reading_order(plain.slide(*texts))
    assert order == NotScored("more than 2 texts, so that not all pairs are looked at")


def test_texts_that_share_neither_row_nor_column_have_no_clear_order(plain):
    low_left = plain.text("low on the left", x=100, y=400, w=200)
    high_right = plain.text("high on the right", x=500, y=100, w=200)
    assert isinstance(reading_order(plain.slide(low_left, high_right)), NotScored)
    under = plain.text("low on the right", x=500, y=400, w=200)
    after = reading_order(plain.slide(high_right, under))
    assert (after.score, after.pairs) == (1.0, 1)
