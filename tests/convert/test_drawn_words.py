"""Words with their baselines out of a PDF that another program made."""

from io import BytesIO

import pypdfium2
import pytest
from bench.convert.words import Word, drawn_words
from reportlab.pdfgen.canvas import Canvas


def words_of(canvas: Canvas, stream: BytesIO) -> list[Word]:
    canvas.save()
    document = pypdfium2.PdfDocument(stream.getvalue())
    try:
        return drawn_words(document[0], 1280, 720)
    finally:
        document.close()


@pytest.fixture
def stream() -> BytesIO:
    return BytesIO()


@pytest.fixture
def canvas(stream: BytesIO) -> Canvas:
    """A page of 960x540 points: 4/3 pixels a point."""
    canvas = Canvas(stream, pagesize=(960, 540))
    canvas.setFont("Helvetica", 18)
    return canvas


def test_words_lie_where_they_were_set(canvas: Canvas, stream: BytesIO) -> None:
    canvas.drawString(90, 540 - 150, "Two words")
    two, words = words_of(canvas, stream)
    assert (two.text, words.text) == ("two", "words")
    assert two.baseline == pytest.approx(200, abs=0.1)
    assert two.ink.left == pytest.approx(120, abs=1)
    assert two.size == pytest.approx(24)


def test_cells_of_a_table_are_words_apart_without_a_space(canvas: Canvas, stream: BytesIO) -> None:
    canvas.drawString(90, 300, "84.2")
    canvas.drawString(150, 300, "91.7")
    canvas.drawString(90, 270, "12.4")
    assert [word.text for word in words_of(canvas, stream)] == ["84.2", "91.7", "12.4"]


def test_wide_letter_spacing_does_not_break_a_word(canvas: Canvas, stream: BytesIO) -> None:
    text = canvas.beginText(90, 300)
    text.setCharSpace(5)
    text.textOut("OFFICE")
    canvas.drawText(text)
    assert [word.text for word in words_of(canvas, stream)] == ["office"]


def test_a_page_without_text_has_no_words(canvas: Canvas, stream: BytesIO) -> None:
    canvas.rect(10, 10, 50, 50)
    assert words_of(canvas, stream) == []
