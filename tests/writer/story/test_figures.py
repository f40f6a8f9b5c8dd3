"""Which page shows a figure of a PDF, and where on it: built here, drawn and read by others."""

from pathlib import Path

import pytest
from pptx import Presentation
from reportlab.pdfgen import canvas

import decklab
from decklab.documents.reading import read_documents
from decklab.writer.outline import OutlinePage
from decklab.writer.story.outlining import story_of

pytestmark = pytest.mark.usefixtures("long_document")

FREIGHT = (
    "Freight at the quay grew in each of the four years.",
    "Figure 1 shows the freight at the quay, which a second crane helped to unload.",
    "The crane was paid from the reserve of the harbour.",
)
STAFF = (
    "The harbour hired twelve people for the night shift.",
    "Nine of them are from the town and work at the weekend too.",
    "All of them were trained for forty hours before they began.",
)
WATER = ("The water of the basin is tested every month by the county.",
         "It was clean in all of the tests of this year and of the last.")  # fmt: skip


def report(
    path: Path, *, labels: float = 11.0, caption: str = "Freight at the quay in four years",
    freight: tuple[str, ...] = FREIGHT,
) -> Path:  # fmt: skip
    """A report whose figure, of bars and labels, stands in a section that does not mention it."""
    page = canvas.Canvas(str(path), pagesize=(595, 842))

    def written(x: float, y: float, text: str, size: float = 11, *, bold: bool = False) -> None:
        page.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        page.drawString(x, y, text)

    def section(y: float, heading: str, sentences: tuple[str, ...]) -> float:
        written(60, y, heading, 15, bold=True)
        for number, sentence in enumerate(sentences, start=1):
            written(60, y - 8 - 16 * number, sentence)
        return y - 40 - 16 * len(sentences)

    written(60, 780, "The harbour in four years", 22, bold=True)
    y = section(730, "Freight", freight)
    y = section(y, "Staff", STAFF)
    for number in range(4):
        page.setFillGray(0.3)
        page.rect(80 + 90 * number, y - 180, 60, 60 + 30 * number, fill=1, stroke=0)
        page.setFillGray(0)
        written(85 + 90 * number, y - 192, f"Year {number + 1}", labels)
    page.rect(60, y - 200, 380, 200)
    written(60, y - 220, f"Figure 1: {caption}", 9)
    section(y - 260, "Water", WATER)
    page.save()
    return path


def shown(path: Path, slides: int = 8) -> list[OutlinePage]:
    pages = story_of(read_documents([path]), slides=slides).outline.pages
    return [page for page in pages if page.visual is not None]


def test_a_figure_stands_beside_the_sentence_that_refers_to_it(tmp_path: Path) -> None:
    (page,) = shown(report(tmp_path / "a.pdf"))
    assert page.section == "Freight"
    assert any("Figure 1 shows" in item.quote
               for point in page.points for item in point.evidence)  # fmt: skip
    assert not any("night shift" in point.text for point in page.points)


def test_a_caption_and_the_source_stand_below_it(tmp_path: Path) -> None:
    path = report(tmp_path / "a.pdf")
    decklab.write([path], tmp_path / "a.pptx", options=decklab.WriteOptions(slides=8))
    slides = [
        [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
        for slide in Presentation(str(tmp_path / "a.pptx")).slides
        if slide.slide_layout.name.startswith("Picture")
    ]
    assert len(slides) == 1  # a figure is not used twice
    wanted = "Figure 1: Freight at the quay in four years · Source: a.pdf, p. 1"
    assert wanted in slides[0]


@pytest.mark.parametrize(
    ("labels", "beside"),
    # 380 points wide: 388 pixels (291 points) beside text are 0.77 of that; alone the height of
    # 272 pixels (204 points) holds its 200 points as they are.
    [(10.6, True), (10.2, False), (8.1, False)],
)
def test_labels_that_are_too_small_beside_text_stand_alone(
    labels: float, beside: bool, tmp_path: Path
) -> None:
    (page,) = shown(report(tmp_path / "a.pdf", labels=labels))
    assert bool(page.points) == beside


def test_a_figure_whose_labels_nobody_could_read_is_not_shown(tmp_path: Path) -> None:
    assert shown(report(tmp_path / "a.pdf", labels=6.0)) == []


def test_a_figure_of_something_else_stands_alone_under_its_caption(tmp_path: Path) -> None:
    caption = "Wind over the northern sea by month"
    pages = shown(report(tmp_path / "a.pdf", caption=caption, freight=FREIGHT[::2]))
    assert [(page.title, page.points) for page in pages] == [(caption, ())]
