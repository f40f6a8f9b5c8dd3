"""LibreOffice opens the decks and shows every slide with its content."""

import subprocess
from pathlib import Path

import pypdfium2
import pytest

pytestmark = pytest.mark.office


@pytest.fixture(scope="module")
def pdfs(
    sample_decks: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, pypdfium2.PdfDocument]:
    folder = tmp_path_factory.mktemp("pdf")
    subprocess.run(
        [
            "soffice", "--headless", f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--convert-to", "pdf", "--outdir", str(folder), *map(str, sample_decks.values()),
        ],
        check=True, capture_output=True, timeout=240,
    )  # fmt: skip
    return {name: pypdfium2.PdfDocument(folder / f"{name}.pdf") for name in sample_decks}


def _text(pdf: pypdfium2.PdfDocument, page: int) -> str:
    return pdf[page].get_textpage().get_text_bounded()


def test_every_slide_that_is_shown_becomes_a_page(pdfs: dict[str, pypdfium2.PdfDocument]) -> None:
    assert {name: len(pdf) for name, pdf in pdfs.items()} == {"plain": 7, "rich": 13, "bad": 7}


def test_charts_diagrams_and_tables_are_drawn_with_their_words(
    pdfs: dict[str, pypdfium2.PdfDocument],
) -> None:
    assert "Heating oil" in _text(pdfs["rich"], 3)
    assert "Harbour network" in _text(pdfs["rich"], 4)
    assert "58%" in _text(pdfs["rich"], 10)
    assert "2029 Old town" in _text(pdfs["rich"], 11)
    assert "September" in _text(pdfs["plain"], 2)


def test_words_in_the_raster_are_not_text(pdfs: dict[str, pypdfium2.PdfDocument]) -> None:
    assert _text(pdfs["bad"], 0).strip() == ""


def test_footers_take_their_look_from_the_master(pdfs: dict[str, pypdfium2.PdfDocument]) -> None:
    page = pdfs["rich"][3].get_textpage()
    text = page.get_text_range()
    start = text.index("Heat from the harbour")
    left, _, right, _ = page.get_charbox(start)
    assert 230 < left < right < 245
