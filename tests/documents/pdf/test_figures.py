"""Which drawings of a page without a caption are figures, and which are frames around text."""

import pypdfium2.raw as pdfium
import pytest

from decklab.core.geometry import Box
from decklab.documents.pdf.figures import page_objects
from decklab.documents.pdf.page import PageGraphics, PdfPage
from decklab.documents.pdf.words import CharacterStyle, LinePiece, PdfWord, joined_piece

FRAME = Box(100, 100, 400, 400)
PROSE = ["Readers", "of", "this", "page", "will", "find", "nine", "words", "here"]


def page(*pieces: LinePiece, paths: int = 10) -> PdfPage:
    """A page with drawn boxes in a frame, which touch each other."""
    width = FRAME.width / paths
    boxes = [FRAME._replace(left=FRAME.left + n * width, right=FRAME.left + (n + 1) * width)
             for n in range(paths)]  # fmt: skip
    shapes = tuple((box, pdfium.FPDF_PAGEOBJ_PATH) for box in boxes)
    return PdfPage(1, (600.0, 800.0), list(pieces), PageGraphics(shapes=shapes))


def piece(top: float, words: list[str], *, height: float = 10, mono: bool = False) -> LinePiece:
    """Words of 30 pt each in a line, within the frame."""
    style = CharacterStyle("Any", height, mono=mono)
    return joined_piece(
        PdfWord(word, Box(110 + 30 * n, top, 140 + 30 * n, top + height), style)
        for n, word in enumerate(words)
    )


@pytest.mark.parametrize(
    ("pieces", "figures"),
    [
        ([], 1),
        ([piece(110 + 20 * n, ["40"]) for n in range(3)], 1),  # labels of an axis
        ([piece(110 + 20 * n, PROSE) for n in range(2)], 1),
        ([piece(110 + 20 * n, PROSE) for n in range(3)], 0),  # three lines of running text
        # 120 x 250 pt of 300 x 300 pt: 0.33 of the frame, more than 0.3
        ([piece(110, ["Large", "words", "on", "it"], height=250)], 0),
        ([piece(110 + 20 * n, ["x", "=", "1"], mono=True) for n in range(4)], 0),  # a listing
    ],
)
def test_a_frame_that_text_or_code_fills_is_no_figure(
    pieces: list[LinePiece], figures: int
) -> None:
    found = page_objects(page(*pieces), [], [])
    assert len(found.figures) == figures
    assert figures or found.pieces == pieces  # what is no figure's label stays text


def test_few_lines_drawn_without_a_caption_are_no_figure() -> None:
    assert page_objects(page(paths=7), [], []).figures == []
    assert len(page_objects(page(paths=8), [], []).figures) == 1
