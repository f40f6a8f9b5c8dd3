import os
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from decklab.core.errors import DeckError, LimitExceeded, TruncatedDeck, UnsupportedFormat
from decklab.rendering.pictures import ImageDeck, TextSpan, read_image, slide_images


def plain(path: Path, color: object = "red", size: tuple[int, int] = (160, 90)) -> Path:
    Image.new("RGB", size, color).save(path)  # type: ignore[arg-type]
    return path


def test_slides_come_in_natural_order(tmp_path: Path) -> None:
    names = ["slide10.png", "slide2.png", "Slide1.png", "slide2b.png", "10.png", "9.png"]
    for name in names:
        plain(tmp_path / name)
    assert [path.name for path in slide_images(tmp_path)] == [
        "9.png", "10.png", "Slide1.png", "slide2.png", "slide2b.png", "slide10.png",
    ]  # fmt: skip


def test_other_files_and_hidden_ones_are_no_slides(tmp_path: Path) -> None:
    plain(tmp_path / "1.PNG")
    plain(tmp_path / ".cover.png")
    (tmp_path / "notes.txt").write_text("no slide")
    (tmp_path / "more").mkdir()
    with ImageDeck(tmp_path) as deck:
        assert len(deck) == 1


def test_a_folder_without_pictures_is_no_deck(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFormat, match="the folder holds no decks and no pictures"):
        ImageDeck(tmp_path)


def test_a_single_picture_is_a_deck_of_one_slide(tmp_path: Path) -> None:
    with ImageDeck(plain(tmp_path / "only.png", (1, 2, 3))) as deck:
        (slide,) = deck
    assert slide.image.shape == (720, 1280, 3)
    assert np.all(slide.image == (1, 2, 3))
    assert (slide.number, slide.spans, slide.text_source) == (1, (), "none")


def test_a_letter_size_picture_keeps_its_proportions(tmp_path: Path) -> None:
    with ImageDeck(plain(tmp_path / "letter.png", size=(1100, 850))) as deck:
        assert deck.slide(1).image.shape == (720, 932, 3)
        assert deck.slide_size_pt == pytest.approx((698.8, 540), abs=0.1)


def test_shrinking_averages_areas(tmp_path: Path) -> None:
    board = (np.indices((1440, 2560)).sum(axis=0) % 2 * 255).astype(np.uint8)
    Image.fromarray(board).save(tmp_path / "board.png")
    with ImageDeck(tmp_path / "board.png") as deck:
        image = deck.slide(1).image
    assert set(np.unique(image)) <= {127, 128}


def test_a_picture_of_the_target_size_keeps_its_pixels(tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (720, 1280, 3), np.uint8)
    Image.fromarray(noise).save(tmp_path / "noise.png")
    with ImageDeck(tmp_path / "noise.png") as deck:
        assert np.array_equal(deck.slide(1).image, noise)


def test_exif_orientation_is_applied(tmp_path: Path) -> None:
    picture = Image.new("RGB", (40, 20), "white")
    picture.paste("black", (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees clockwise to show
    picture.save(tmp_path / "turned.png", exif=exif)
    image = read_image(tmp_path / "turned.png")
    assert image.shape == (40, 20, 3)
    assert image[5, 10].tolist() == [0, 0, 0]
    assert image[35, 10].tolist() == [255, 255, 255]


def test_alpha_lies_over_white(tmp_path: Path) -> None:
    Image.new("RGBA", (10, 10), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    Image.new("LA", (10, 10), (0, 51)).save(tmp_path / "faint.png")
    assert np.all(read_image(tmp_path / "clear.png") == 255)
    assert np.all(read_image(tmp_path / "faint.png") == 204)


def test_the_first_frame_of_an_animation_counts(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (10, 10), color) for color in ("red", "blue")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    assert np.all(read_image(tmp_path / "a.gif") == (255, 0, 0))


def test_sixteen_bits_become_eight(tmp_path: Path) -> None:
    Image.fromarray(np.full((10, 10), 0x8080, np.uint16)).save(tmp_path / "deep.png")
    assert np.all(read_image(tmp_path / "deep.png") == 0x80)


@pytest.mark.parametrize("suffix", ["jpg", "jpeg", "webp", "bmp", "tiff", "gif", "png"])
def test_every_format_is_read(tmp_path: Path, suffix: str) -> None:
    image = read_image(plain(tmp_path / f"one.{suffix}", (250, 10, 10)))
    assert np.abs(image.astype(int) - (250, 10, 10)).max() <= 6


@pytest.mark.parametrize("kept", [0, 30, 200])
def test_a_damaged_picture_is_named(tmp_path: Path, kept: int) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (90, 160, 3), np.uint8)
    plain(tmp_path / "1.png")
    Image.fromarray(noise).save(tmp_path / "2.png")
    (tmp_path / "2.png").write_bytes((tmp_path / "2.png").read_bytes()[:kept])
    with (
        ImageDeck(tmp_path) as deck,
        pytest.raises(TruncatedDeck, match=r"2\.png: (no picture|the file)"),
    ):
        list(deck)


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"gone\.png: cannot be opened: No such file"):
        ImageDeck(tmp_path / "gone.png")


def test_a_picture_of_absurd_size_is_refused_unread(tmp_path: Path) -> None:
    # A BMP header that claims 60,000 x 60,000 pixels and brings none.
    header = struct.pack("<2sIHHI", b"BM", 54, 0, 0, 54)
    header += struct.pack("<IiiHHIIiiII", 40, 60_000, 60_000, 1, 24, 0, 0, 0, 0, 0, 0)
    (tmp_path / "bomb.bmp").write_bytes(header)
    with pytest.raises(LimitExceeded, match=r"bomb\.bmp"):
        read_image(tmp_path / "bomb.bmp")


def test_the_reader_gets_the_picture_and_the_slide_height(tmp_path: Path) -> None:
    seen = []

    def reader(image: np.ndarray, height_pt: float) -> tuple[TextSpan, ...]:
        seen.append((image.shape, height_pt))
        return ()

    with ImageDeck(plain(tmp_path / "1.png"), read_picture=reader) as deck:
        assert deck.slide(1).text_source == "ocr"
    assert seen == [((720, 1280, 3), 540)]


def test_a_pipe_among_the_pictures_is_named_without_waiting_for_a_writer(tmp_path: Path) -> None:
    plain(tmp_path / "1.png")
    os.mkfifo(tmp_path / "2.png")
    with ImageDeck(tmp_path) as deck, pytest.raises(DeckError, match=r"2\.png: it is a named pipe"):
        list(deck)


def test_a_file_that_is_no_picture_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_text("no picture at all")
    with pytest.raises(TruncatedDeck) as caught:
        ImageDeck(tmp_path)
    assert str(caught.value) == f"{tmp_path / '1.png'}: no picture that can be read"


def test_a_folder_that_cannot_be_listed_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(DeckError, match="cannot be listed: Permission denied"):
        ImageDeck(tmp_path)


def test_a_broken_picture_is_left_out_of_its_folder_and_named(tmp_path: Path) -> None:
    for name in ("1.png", "2.png", "3.png"):
        plain(tmp_path / name)
    for broken in ("1.png", "2.png"):
        whole = (tmp_path / broken).read_bytes()
        (tmp_path / broken).write_bytes(whole[: len(whole) // 2])
    with ImageDeck(tmp_path, leave_out=True) as deck:
        assert [slide.number for slide in deck] == [3]
        assert sorted(deck.faults) == [1, 2]
        assert all("no picture that can be read" in why for why in deck.faults.values())
        with pytest.raises(TruncatedDeck, match=r"2\.png"):
            deck.slide(2)
    (tmp_path / "3.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(TruncatedDeck, match=r"1\.png"):
        ImageDeck(tmp_path)
