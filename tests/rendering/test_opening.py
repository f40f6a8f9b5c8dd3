from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from tests.drawing import RecordedOffice

from decklab.core.errors import DeckError, DecklabError, EncryptedDeck, RenderFailed
from decklab.rendering.opening import DECK_SUFFIXES, deck_kind, open_rendered
from decklab.rendering.pictures import can_read_pictures
from decklab.rendering.renderer import Cache, Renderer

MakePdf = Callable[..., bytes]
WriteDeck = Callable[..., Path]

TEXT = "BT /F1 40 Tf 100 300 Td (Text) Tj ET"


@pytest.fixture
def recorded(make_pdf: MakePdf) -> RecordedOffice:
    return RecordedOffice({"deck.pptx": make_pdf(TEXT, TEXT, size=(960, 540))})


def test_an_office_deck_opens_through_its_pdf(
    write_deck: WriteDeck, recorded: RecordedOffice
) -> None:
    with open_rendered(write_deck(("Text", 1, 1)), renderer=Renderer(recorded)) as deck:
        assert (deck.kind, len(deck), deck.fonts) == ("office", 2, ("Helvetica",))
        assert deck.engine.startswith("recorded, PDFium ")
        assert [slide.text_source for slide in deck] == ["layout", "layout"]


def test_the_number_of_slides_in_the_file_wins(
    write_deck: WriteDeck, recorded: RecordedOffice
) -> None:
    with open_rendered(write_deck(), renderer=Renderer(recorded)) as deck:
        assert list(deck) == []


def test_the_second_opening_comes_from_the_cache(
    write_deck: WriteDeck, recorded: RecordedOffice, tmp_path: Path
) -> None:
    path = write_deck(("Text", 1, 1))
    cache = Cache(tmp_path / "cache")
    for _ in range(2):
        with open_rendered(path, renderer=Renderer(recorded, cache)) as deck:
            assert len(deck) == 2
    assert recorded.asked == [path]


def test_a_changed_deck_or_engine_is_drawn_anew(
    write_deck: WriteDeck, recorded: RecordedOffice, tmp_path: Path
) -> None:
    cache = Cache(tmp_path / "cache")
    open_rendered(write_deck(("Text", 1, 1)), renderer=Renderer(recorded, cache)).close()
    open_rendered(write_deck(("Other", 1, 1)), renderer=Renderer(recorded, cache)).close()
    recorded.engine = "newer"
    open_rendered(write_deck(("Other", 1, 1)), renderer=Renderer(recorded, cache)).close()
    assert len(recorded.asked) == 3


def test_the_content_decides_not_the_name(tmp_path: Path, make_pdf: MakePdf) -> None:
    path = tmp_path / "really.pptx"
    path.write_bytes(make_pdf(TEXT))
    assert deck_kind(path) == "pdf"
    with open_rendered(path) as deck:
        assert deck.kind == "pdf"


def test_a_folder_is_a_deck_of_pictures(tmp_path: Path) -> None:
    for number in (1, 2):
        Image.new("RGB", (64, 36), "white").save(tmp_path / f"{number}.png")
    with open_rendered(tmp_path) as deck:
        assert (deck.kind, len(deck)) == ("images", 2)


def test_every_kind_has_its_suffixes() -> None:
    assert {".pptx", ".potx", ".ppsx", ".pptm", ".odp", ".ppt", ".pdf", ".html"} <= DECK_SUFFIXES


def test_an_encrypted_office_deck_is_said_to_be_so(tmp_path: Path) -> None:
    # An OLE2 file whose directory holds the stream of an encrypted package ([MS-OFFCRYPTO]).
    header = bytes.fromhex("D0CF11E0A1B11AE1") + bytes(16) + b"\x3e\0\x03\0\xfe\xff\x09\0\x06\0"
    header = header.ljust(44, b"\0") + (1).to_bytes(4, "little") + (1).to_bytes(4, "little")
    header = header.ljust(76, b"\0") + (0).to_bytes(4, "little")
    header = header.ljust(512, b"\xff")
    table = b"\xfd\xff\xff\xff\xfe\xff\xff\xff".ljust(512, b"\xff")
    name = "EncryptedPackage".encode("utf-16-le") + b"\0\0"
    entry = name.ljust(64, b"\0") + len(name).to_bytes(2, "little") + b"\x02"
    path = tmp_path / "locked.pptx"
    path.write_bytes(header + table + entry.ljust(512, b"\0"))
    with pytest.raises(EncryptedDeck, match=r"locked\.pptx"):
        open_rendered(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"gone\.pptx"):
        open_rendered(tmp_path / "gone.pptx")


def test_a_deck_the_engine_refuses_is_named(write_deck: WriteDeck) -> None:
    with pytest.raises(RenderFailed, match=r"deck\.pptx: no PDF was recorded"):
        open_rendered(write_deck(), renderer=Renderer(RecordedOffice({})))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"%PDF-1.4", b"\x89PNG\r\n\x1a\n"])
def test_a_torn_file_ends_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "torn.pptx"
    path.write_bytes(content)
    with pytest.raises(DecklabError, match=r"torn\.pptx") as caught:
        open_rendered(path, renderer=Renderer(RecordedOffice({})))
    assert "\n" not in str(caught.value)


@pytest.mark.long
@pytest.mark.skipif(not can_read_pictures(), reason="RapidOCR is not installed")
def test_text_in_pictures_is_found_unless_told_not_to(tmp_path: Path) -> None:
    picture = Image.new("RGB", (1280, 720), "white")
    font = ImageFont.load_default(size=60)
    ImageDraw.Draw(picture).text((200, 300), "Found in a picture", fill="black", font=font)
    picture.save(tmp_path / "slide.png")
    picture.save(tmp_path / "scan.pdf")
    for name in ("slide.png", "scan.pdf"):
        with open_rendered(tmp_path / name) as deck:
            slide = deck.slide(1)
        assert (slide.text_source, len(slide.spans)) == ("ocr", 1)
    with open_rendered(tmp_path / "slide.png", ocr=False) as deck:
        assert (deck.slide(1).text_source, deck.slide(1).spans) == ("none", ())
