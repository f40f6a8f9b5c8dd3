"""Text geometry against positions computed by hand from Helvetica's published widths (AFM)."""

from collections.abc import Callable

import pytest

from decklab.rendering.pdf import PdfDeck
from decklab.rendering.pictures import TextSpan

MakePdf = Callable[..., bytes]


def spans_of(content: bytes) -> tuple[TextSpan, ...]:
    with PdfDeck("made.pdf", content) as deck:
        return deck.slide(1).spans


def test_a_word_lies_where_the_font_metrics_say(make_pdf: MakePdf) -> None:
    # AFM: H is 722 wide with ink from 77 to 646 and from 0 to 718.
    (span,) = spans_of(make_pdf("BT /F1 50 Tf 100 200 Td (HH) Tj ET", size=(960, 540)))
    assert span.text == "HH"
    assert span.font == "Helvetica"
    assert span.size_pt == 50
    assert span.color == "#000000"
    expected = (100 + 3.85, 540 - 200 - 35.9, 100 + 36.1 + 32.3, 540 - 200)
    assert tuple(span.box) == pytest.approx(expected, abs=1.0)


def test_the_frame_is_scaled_per_axis(make_pdf: MakePdf) -> None:
    word = "BT /F1 50 Tf 100 200 Td (HH) Tj ET"
    (wide,) = spans_of(make_pdf(word, size=(960, 540)))
    (narrow,) = spans_of(make_pdf(word, size=(480, 540)))
    assert narrow.box.left == pytest.approx(wide.box.left * 2, abs=0.01)
    assert narrow.box.top == pytest.approx(wide.box.top, abs=0.01)


def test_the_matrix_counts_for_the_size(make_pdf: MakePdf) -> None:
    (span,) = spans_of(make_pdf("BT /F1 10 Tf 0 3 -3 0 300 300 Tm (Taller text) Tj ET"))
    assert span.size_pt == pytest.approx(30)
    assert span.box.height > span.box.width  # turned by 90 degrees


@pytest.mark.parametrize(
    ("between", "gap_em", "lines"), [("", 0.6, 1), ("", 1.2, 2), (" ", 1.2, 1), (" ", 1.9, 2)]
)
def test_words_across_a_gap_are_one_line_while_it_is_narrow_or_holds_a_space(
    make_pdf: MakePdf, between: str, gap_em: float, lines: int
) -> None:
    # In the font of these pages a letter is half an em wide, its ink a little less.
    on = 10 * (2 * 0.5 + gap_em)
    words = f"BT /F1 10 Tf 50 500 Td (xx{between}) Tj {on} 0 Td (xx) Tj ET"
    assert len({span.line for span in spans_of(make_pdf(words))}) == lines


def test_a_change_of_colour_or_size_starts_a_span_on_the_same_line(make_pdf: MakePdf) -> None:
    content = "BT /F1 20 Tf 50 500 Td (One ) Tj 1 0 0 rg (two ) Tj /F1 14 Tf (three) Tj ET"
    spans = spans_of(make_pdf(content))
    assert [(span.text, span.color, span.size_pt, span.line) for span in spans] == [
        ("One", "#000000", 20, 0),
        ("two", "#FF0000", 20, 0),
        ("three", "#FF0000", 14, 0),
    ]


def test_a_new_baseline_starts_a_line(make_pdf: MakePdf) -> None:
    spans = spans_of(make_pdf("BT /F1 20 Tf 24 TL 50 500 Td (One) Tj T* (two) Tj ET"))
    assert [(span.text, span.line) for span in spans] == [("One", 0), ("two", 1)]


@pytest.mark.parametrize("mode", [3, 7])
def test_invisible_text_is_left_out(make_pdf: MakePdf, mode: int) -> None:
    content = f"BT /F1 20 Tf 50 500 Td {mode} Tr (Hidden) Tj 0 Tr 0 -40 Td (Seen) Tj ET"
    assert [span.text for span in spans_of(make_pdf(content))] == ["Seen"]


def test_outlined_text_has_the_colour_of_its_outline(make_pdf: MakePdf) -> None:
    content = "BT /F1 20 Tf 50 500 Td 1 Tr 0 0 1 RG 1 0 0 rg (Line) Tj ET"
    assert [span.color for span in spans_of(make_pdf(content))] == ["#0000FF"]


def test_a_page_without_text_has_no_spans(make_pdf: MakePdf) -> None:
    assert spans_of(make_pdf("0 0 100 100 re f")) == ()


def test_text_outside_the_page_keeps_its_place(make_pdf: MakePdf) -> None:
    spans = spans_of(make_pdf("BT /F1 20 Tf -200 300 Td (Off) Tj ET"))
    assert all(span.box.right < 0 for span in spans)
