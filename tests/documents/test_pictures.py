"""Picture files of all kinds: what Pillow itself shows of them, turned, flat and in 8 bits."""

import struct
import zlib
from io import BytesIO

import numpy as np
import pytest
from PIL import ExifTags, Image

from decklab.core.errors import LimitExceeded, TruncatedDeck, UnsupportedFormat
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.pictures import UnreadablePicture, picture_parts, picture_size, png_of
from decklab.documents.reading import read_document
from decklab.documents.showing import write_reading


def saved(picture, kind, **options):
    content = BytesIO()
    picture.save(content, kind, **options)
    return content.getvalue()


def shown(data):
    return Image.open(BytesIO(png_of(data)))


def huge_png(width, height):
    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


@pytest.mark.parametrize("side", [10_000, 30_000])
def test_a_picture_of_too_many_pixels_is_named_as_one(tmp_path, side):
    path = tmp_path / "wide.png"
    path.write_bytes(huge_png(side, side))
    with pytest.raises(LimitExceeded, match=r"wide\.png: the picture has more than 89,478,485 pix"):
        read_document(path)


def test_the_first_picture_of_an_animation_is_read_and_the_rest_told(tmp_path):
    frames = [Image.new("RGB", (8, 4), colour) for colour in ("red", "lime", "blue")]
    data = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert picture_parts(data) == 3
    assert shown(data).convert("RGB").getpixel((0, 0)) == (255, 0, 0)
    (tmp_path / "a.gif").write_bytes(data)
    document = read_document(tmp_path / "a.gif")
    assert [item.reason for item in document.unread] == [
        "of a file of 3 pictures only the first is read"
    ]
    assert len(document.figures) == 1


def test_cmyk_is_shown_in_rgb():
    data = saved(Image.new("CMYK", (4, 4), (0, 255, 255, 0)), "JPEG", quality=95)
    picture = shown(data)
    assert picture.mode == "RGB"
    assert np.abs(np.array(picture).mean(axis=(0, 1)) - [254, 0, 0]).max() < 4


def test_16_bits_are_scaled_to_8():
    levels = np.array([[0, 257 * 100, 65535]], np.uint16)
    picture = shown(saved(Image.fromarray(levels), "PNG"))
    assert np.array(picture).tolist() == [[0, 100, 255]]


def test_alpha_stays():
    data = saved(Image.new("RGBA", (2, 2), (1, 2, 3, 128)), "WEBP", lossless=True, exact=True)
    assert shown(data).getpixel((0, 0)) == (1, 2, 3, 128)


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP"])
def test_a_picture_is_turned_as_its_exif_says(kind):
    picture = Image.new("RGB", (6, 3), "white")
    picture.paste("black", (0, 0, 3, 3))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6  # to be turned by 90 degrees, clockwise
    data = saved(picture, kind, exif=exif)
    assert picture_size(data) == (3, 6)
    turned = shown(data)
    assert turned.size == (3, 6)
    assert [turned.getpixel((1, row))[0] > 127 for row in (0, 5)] == [False, True]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>", "kind SVG: save it as"),
        (b"\xd7\xcd\xc6\x9a\0\0" + bytes(40), "damaged"),
        (b"", "damaged or of a kind"),
        (saved(Image.new("RGB", (90, 90)), "PNG")[:80], "damaged"),
    ],
)
def test_what_cannot_be_shown_says_why(data, reason):
    with pytest.raises(UnreadablePicture, match=reason):
        png_of(data)


def test_a_damaged_picture_inside_a_document_is_told_where_it_is_drawn(tmp_path):
    noise = np.random.default_rng(1).integers(0, 255, (60, 60, 3), np.uint8)
    (tmp_path / "cut.jpg").write_bytes(saved(Image.fromarray(noise), "JPEG")[:900])
    (tmp_path / "a.md").write_text("![A plan](cut.jpg)\n")
    folder = write_reading(KnowledgeBase((read_document(tmp_path / "a.md"),)), tmp_path / "out")
    assert "a.md: figure 1: the picture is damaged" in (folder / "reading.json").read_text()
    with pytest.raises(TruncatedDeck, match=r"cut\.jpg: the picture is damaged"):
        read_document(tmp_path / "cut.jpg")


def test_drawings_and_old_office_files_say_what_to_save_them_as(tmp_path):
    for name, kind in (("a.svg", "PNG or PDF"), ("b.doc", "DOCX"), ("c.ods", "XLSX")):
        (tmp_path / name).write_text("x")
        with pytest.raises(UnsupportedFormat, match=f"is not read: save it as {kind}"):
            read_document(tmp_path / name)
