import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from decklab.core.errors import EncryptedDeck, LimitExceeded, RenderTimeout, TruncatedDeck
from decklab.rendering import pdf as pdf_module
from decklab.rendering.pdf import PageOptions, PdfDeck
from decklab.rendering.pictures import TextSpan

MakePdf = Callable[..., bytes]

TEXT = "BT /F1 50 Tf 200 300 Td (Hixg) Tj ET"


def ink_box(image: np.ndarray, level: int = 128) -> tuple[int, int, int, int]:
    rows, columns = np.nonzero(image.min(axis=2) < level)
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


def test_a_filled_rectangle_is_drawn_where_the_page_says(make_pdf: MakePdf) -> None:
    content = make_pdf("1 0 0 rg 96 54 192 108 re f", size=(960, 540))
    with PdfDeck("made.pdf", content) as deck:
        image = deck.slide(1).image
    assert image.shape == (720, 1280, 3)
    assert image.dtype == np.uint8
    red = np.all(image == (255, 0, 0), axis=2)
    expected = np.zeros((720, 1280), bool)
    expected[720 - 216 : 720 - 72, 128:384] = True
    assert np.array_equal(red, expected)
    assert np.all(image[~expected] == 255)


@pytest.mark.parametrize(
    ("size", "shape"),
    [((720, 540), (720, 960)), ((540, 960), (720, 405)), ((960, 540), (720, 1280))],
)
def test_pages_keep_their_proportions(
    make_pdf: MakePdf, size: tuple[int, int], shape: tuple[int, int]
) -> None:
    with PdfDeck("made.pdf", make_pdf(TEXT, size=size)) as deck:
        assert deck.slide(1).image.shape[:2] == shape
        assert deck.slide_size_pt == size


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", ["", "/CropBox [100 150 600 500]"])
def test_spans_surround_the_ink_however_the_page_is_turned_and_cropped(
    make_pdf: MakePdf, rotation: int, crop: str
) -> None:
    content = make_pdf(TEXT, extra=f"/Rotate {rotation} {crop}")
    with PdfDeck("made.pdf", content) as deck:
        slide = deck.slide(1)
    (span,) = slide.spans
    height, width = slide.image.shape[:2]
    drawn = tuple(span.box.scaled(width / 960, height / 540))
    assert drawn == pytest.approx(ink_box(slide.image), abs=2)


def test_a_page_is_the_same_each_time(make_pdf: MakePdf) -> None:
    with PdfDeck("made.pdf", make_pdf(TEXT)) as deck:
        assert np.array_equal(deck.slide(1).image, deck.slide(1).image)


def test_only_the_expected_slides_are_there(make_pdf: MakePdf) -> None:
    with PdfDeck("made.pdf", make_pdf(TEXT, TEXT), pages=0) as deck:
        assert (len(deck), list(deck), deck.fonts, deck.slide_size_pt) == (0, [], (), (0, 0))


def test_a_pdf_with_fewer_pages_than_expected_says_how_many_it_has(make_pdf: MakePdf) -> None:
    with PdfDeck("made.pdf", make_pdf(TEXT), pages=5) as deck:
        assert len(deck) == 1


def test_fonts_drawn_are_listed_once(make_pdf: MakePdf) -> None:
    with PdfDeck("made.pdf", make_pdf(TEXT, TEXT)) as deck:
        assert deck.fonts == ("Helvetica",)


def test_pages_without_text_are_read_as_pictures(make_pdf: MakePdf) -> None:
    asked = []

    def reader(image: np.ndarray, height_pt: float) -> tuple[TextSpan, ...]:
        asked.append((image.shape, height_pt))
        return ()

    content = make_pdf("0 0 100 100 re f", TEXT, size=(960, 540))
    with PdfDeck("made.pdf", content, options=PageOptions(read_picture=reader)) as deck:
        assert [slide.text_source for slide in deck] == ["ocr", "layout"]
    assert asked == [((720, 1280, 3), 540)]


def test_a_damaged_pdf_is_truncated(make_pdf: MakePdf) -> None:
    with pytest.raises(TruncatedDeck, match=r"^cut\.pdf: the PDF is damaged, ends"):
        PdfDeck("cut.pdf", b"%PDF-1.7\nnothing of the kind")


def test_an_encrypted_pdf_needs_a_password() -> None:
    with pytest.raises(EncryptedDeck, match=r"^locked\.pdf: the PDF needs a password$"):
        PdfDeck("locked.pdf", LOCKED)


def test_too_many_pages_are_refused(make_pdf: MakePdf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_module, "MAX_PAGES", 2)
    with pytest.raises(LimitExceeded, match="3 pages; at most 2"):
        PdfDeck("long.pdf", make_pdf(TEXT, TEXT, TEXT))


def test_a_page_that_takes_too_long_is_given_up(make_pdf: MakePdf) -> None:
    content = make_pdf("0 0 9 9 re f " * 5000)
    with (
        PdfDeck("heavy.pdf", content, options=PageOptions(deadline=0)) as deck,
        pytest.raises(RenderTimeout, match=r"heavy\.pdf: page 1 is not drawn after 0 seconds"),
    ):
        deck.slide(1)
    with PdfDeck("heavy.pdf", content) as deck:
        assert deck.slide(1).image.min() == 0


@pytest.mark.long
def test_an_interrupt_while_a_page_is_drawn_is_not_lost(make_pdf: MakePdf) -> None:
    content = make_pdf("0 0 900 900 re f " * 4000)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupted)
    try:
        with PdfDeck("heavy.pdf", content) as deck, pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            deck.slide(1)
            pytest.fail("the page was drawn before the interrupt")
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_page_of_absurd_size_is_drawn_within_bounds(make_pdf: MakePdf) -> None:
    with PdfDeck("made.pdf", make_pdf("", size=(14_000_000, 3))) as deck:
        assert deck.slide(1).image.shape == (1, 1280, 3)


def test_slides_agree_with_another_way_to_draw_them(make_pdf: MakePdf, tmp_path: Path) -> None:
    content = make_pdf(TEXT, size=(960, 540))
    with PdfDeck("made.pdf", content) as deck:
        ours = deck.slide(1).image
    document = pypdfium2.PdfDocument(content)
    theirs = document[0].render(scale=1280 / 960).to_pil().convert("RGB")
    document.close()
    assert np.array_equal(ours, np.asarray(theirs))


LOCKED = (
    b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Count 0 /Kids [] >>\nendobj\n"
    b"3 0 obj\n<< /Filter /Standard /V 1 /R 2 /P -4 /O <"
    + b"41" * 32
    + b"> /U <"
    + b"42" * 32
    + b"> >>\nendobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \n"
    b"0000000109 00000 n \ntrailer\n<< /Size 4 /Root 1 0 R /Encrypt 3 0 R "
    b"/ID [<" + b"43" * 16 + b"> <" + b"43" * 16 + b">] >>\nstartxref\n296\n%%EOF\n"
)
"""A PDF whose user password is not the empty one."""
