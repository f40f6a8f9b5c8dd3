"""Decks and PDFs for the tests of pictures: written by hand or by python-pptx."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.presentation import Presentation as Deck
from pptx.util import Emu, Pt

from decklab.rendering.office import Office

WriteDeck = Callable[..., Path]


@pytest.fixture(scope="session")
def office(libreoffice: Callable[[], Office]) -> Office:
    """LibreOffice itself, which draws each time."""
    return libreoffice()


def minimal_pdf(*contents: str, size: tuple[int, int] = (612, 792), extra: str = "") -> bytes:
    """A PDF with one page per content stream, Helvetica as /F1, and ``extra`` page entries."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    kids = []
    for content in contents:
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size[0]} {size[1]}] {extra} "
            f"/Contents {len(objects)} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>"
    body = "%PDF-1.7\n"
    offsets = []
    for number, text in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    start = len(body)
    count = len(objects) + 1
    body += f"xref\n0 {count}\n0000000000 65535 f \n{table}trailer\n"
    body += f"<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    return body.encode("latin-1")


@pytest.fixture
def make_pdf() -> Callable[..., bytes]:
    """Writes a PDF from page content streams."""
    return minimal_pdf


def blank_deck(size: tuple[int, int] = (12192000, 6858000)) -> Deck:
    deck = Presentation()
    deck.slide_width, deck.slide_height = Emu(size[0]), Emu(size[1])
    return deck


def add_text(  # noqa: PLR0917 - the plainest way to say what is on a slide
    deck: Deck, text: str, left: float, top: float, size: float = 24.0, color: str = "000000",
    *, font: str = "Arial", rotation: float = 0.0,
) -> None:  # fmt: skip
    """A new blank slide with a text box at (left, top) points."""
    page = deck.slides.add_slide(deck.slide_layouts[6])
    box = page.shapes.add_textbox(Pt(left), Pt(top), Pt(300), Pt(60))
    box.rotation = rotation
    run = box.text_frame.paragraphs[0].add_run()
    run.text = text
    run.font.size, run.font.name = Pt(size), font
    run.font.color.rgb = RGBColor.from_string(color)


@pytest.fixture
def write_deck(tmp_path: Path) -> WriteDeck:
    """Writes a .pptx with one line of text on each slide; every text is (text, left, top, ...)."""

    def write(
        *texts: tuple[object, ...], name: str = "deck.pptx", hidden: int | None = None
    ) -> Path:
        deck = blank_deck()
        for text in texts:
            add_text(deck, *text)  # type: ignore[arg-type]
        if hidden is not None:
            deck.slides[hidden]._element.set("show", "0")
        path = tmp_path / name
        deck.save(str(path))
        return path

    return write
