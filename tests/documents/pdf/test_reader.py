"""Regions of PDF pages as pictures, with their sizes in pixels worked out by hand."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from decklab.core.geometry import Box
from decklab.documents.pdf.reader import draw_regions

BOX = Box(50, 50, 86, 68)
"""36 x 18 pt; with the margin of 4 pt on each side 44 x 26 pt."""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Two pages, whose region is red on the first and blue on the second."""
    canvas = Canvas(str(tmp_path / "two.pdf"), pagesize=(300, 200))
    for color in ((1, 0, 0), (0, 0, 1)):
        canvas.setFillColorRGB(*color)
        canvas.rect(40, 100, 60, 70, stroke=0, fill=1)  # from the top: 30 to 100
        canvas.showPage()
    canvas.save()
    return tmp_path / "two.pdf"


def drawn(path: Path, *parts: tuple[int, Box]) -> Image.Image:
    return Image.open(BytesIO(draw_regions(path, parts))).convert("RGB")


def test_regions_stand_below_one_another_and_are_coarser_the_more_they_are(pages: Path) -> None:
    one = drawn(pages, (1, BOX))
    assert one.size == pytest.approx((44 * 600 / 72, 26 * 600 / 72), abs=2)
    four = drawn(pages, (1, BOX), (2, BOX), (1, BOX), (2, BOX))
    # 600 dpi / sqrt(4): four regions have together the pixels of one
    assert four.size == pytest.approx((44 * 300 / 72, 4 * 26 * 300 / 72), abs=4)
    middles = [four.getpixel((four.width // 2, int((n + 0.5) * four.height / 4))) for n in range(4)]
    assert middles == [(255, 0, 0), (0, 0, 255)] * 2


def test_a_region_of_a_page_that_is_gone_is_refused(pages: Path) -> None:
    with pytest.raises(ValueError, match="has no page 3 any more"):
        draw_regions(pages, [(1, BOX), (3, BOX)])
