"""A deck of all three formats, read by programs that know nothing of decklab: the same words."""

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pypdfium2
import pytest
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from tests.drawing import SharedOffice

from decklab.ooxml.validity.validating import validate_deck
from decklab.writer.request import WriteOptions
from decklab.writer.write import WrittenDeck, write_deck

HARBOUR = Path(__file__).parents[2] / "generate" / "writing" / "harbour.md"
Words = Counter[str]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> WrittenDeck:
    out = tmp_path_factory.mktemp("words") / "harbour.pptx"
    return write_deck([HARBOUR], out, options=WriteOptions(formats=("pptx", "html", "pdf")))


def words(texts: Iterator[str] | list[str]) -> Words:
    found = re.findall(r"[^\W_]+(?:[.,'’:/-][^\W_]+)*", " ".join(texts))
    return Counter(found)


def shown_numbers(chart: Any) -> Iterator[str]:
    """The labels of the bars, in the chart's own number format, such as ``#,##0.0``, and
    the names of series where there are several."""
    decimals = len(chart.plots[0].data_labels.number_format.partition(".")[2])
    several = list(chart.plots[0].series)
    yield from (series.name for series in several if len(several) > 1)
    for series in several:
        yield from (f"{value:.{decimals}f}" for value in series.values)


SLIDE_NUMBER = PP_PLACEHOLDER.SLIDE_NUMBER


def pptx_slides(path: Path, *, labels: bool = True) -> list[Words]:
    slides = []
    for slide in Presentation(str(path)).slides:
        texts: list[str] = []
        for shape in leaves(slide.shapes):
            # LibreOffice writes "<number>" for the number of a slide, and draws the number.
            numbered = shape.is_placeholder and shape.placeholder_format.type == SLIDE_NUMBER
            if shape.has_text_frame and not (numbered and not labels):
                texts.append(shape.text_frame.text)
            if getattr(shape, "has_table", False):
                texts += [cell.text for row in shape.table.rows for cell in row.cells]
            if getattr(shape, "has_chart", False):
                texts += map(str, shape.chart.plots[0].categories)
                texts += shown_numbers(shape.chart) if labels else []
        slides.append(words(texts))
    return slides


def leaves(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from leaves(shape.shapes)
        else:
            yield shape


class Sections(HTMLParser):
    """The texts of each section of a page that people see; numbers and marks are attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[list[str]] = []
        self.unseen = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "section":
            self.texts.append([])
        elif (tag in {"script", "style"} or "hidden" in named) and not self.unseen:
            self.unseen = tag
        if self.texts and not self.unseen and named.get("data-number"):
            self.texts[-1].append(str(named["data-number"]))
        if self.texts and not self.unseen and named.get("data-mark") == "own":
            self.texts[-1].append(str(named.get("style")).partition("'")[2].rstrip("'"))

    def handle_endtag(self, tag: str) -> None:
        if tag == self.unseen:
            self.unseen = ""

    def handle_data(self, data: str) -> None:
        if self.texts and not self.unseen:
            self.texts[-1].append(data)


def html_slides(path: Path) -> list[Words]:
    page = Sections()
    page.feed(path.read_text())
    return [words(texts) for texts in page.texts]


def pdf_slides(path: Path) -> list[Words]:
    with pypdfium2.PdfDocument(path) as pdf:
        texts = [page.get_textpage().get_text_range() for page in pdf]
    return [words([text.replace("\ufffe\r\n", "-").replace("\ufffe", "-")]) for text in texts]


@pytest.mark.office
def test_the_three_formats_say_the_same_words(written: WrittenDeck) -> None:
    pptx, html, pdf = written.files
    seen = pdf_slides(pdf)
    assert len(seen) == written.slides >= 8
    assert all(slide.total() > 3 for slide in seen)
    assert html_slides(html) == seen
    # What numbers a list is drawn and no text of the file.
    for native, drawn in zip(pptx_slides(pptx), seen, strict=True):
        assert not native - drawn
        assert [word for word in drawn - native if not re.fullmatch(r"\d{1,2}", word)] == []
    assert sum(map(Counter.total, pptx_slides(pptx))) >= 0.97 * sum(map(Counter.total, seen))


@pytest.mark.office
def test_workbooks_of_charts_open_and_hold_their_numbers(written: WrittenDeck) -> None:
    charts = [
        shape.chart
        for slide in Presentation(str(written.files[0])).slides
        for shape in leaves(slide.shapes)
        if getattr(shape, "has_chart", False)
    ]
    assert charts
    for chart in charts:
        book = openpyxl.load_workbook(BytesIO(chart.part.chart_workbook.xlsx_part.blob))
        rows = list(book.active.iter_rows(values_only=True))
        assert [row[0] for row in rows[1:]] == list(chart.plots[0].categories)
        for number, series in enumerate(chart.plots[0].series, start=1):
            assert rows[0][number] == series.name
            assert [row[number] for row in rows[1:]] == list(series.values)


@pytest.mark.long
@pytest.mark.office
def test_libreoffice_opens_the_deck_and_loses_no_word(
    written: WrittenDeck, tmp_path: Path, office: SharedOffice
) -> None:
    deck = written.files[0]
    assert [str(problem) for problem in validate_deck(deck) if problem.severity == "error"] == []
    again = tmp_path / "again.pptx"
    again.write_bytes(office.resaved(deck))
    assert pptx_slides(again, labels=False) == pptx_slides(deck, labels=False)
