import io
import struct

import pytest
from PIL import Image

from decklab.ooxml.validity.conformance import is_date, is_valid
from decklab.ooxml.validity.validating import picture_fault


def picture(form: str) -> bytes:
    """Noise, so that its bytes do not shrink to nothing."""
    data = io.BytesIO()
    Image.effect_noise((64, 64), 90).convert("RGB" if form != "GIF" else "P").save(data, form)
    return data.getvalue()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "TIFF"])
def test_a_raster_is_whole_or_cut_off(form: str) -> None:
    whole, kind = picture(form), f"image/{form.lower()}"
    assert picture_fault(whole, kind) == ""
    assert picture_fault(whole[: len(whole) // 2], kind)
    assert picture_fault(b"", kind) == "the picture is empty"
    assert picture_fault(b"not a picture at all", kind)


def emf(size: int) -> bytes:
    """A metafile of a header and the record that ends it (MS-EMF 2.2.9, 2.3.4.1)."""
    head = bytearray(88)
    struct.pack_into("<II", head, 0, 1, 88)
    head[40:44] = b" EMF"
    struct.pack_into("<I", head, 48, size)
    return bytes(head) + struct.pack("<IIIII", 14, 20, 0, 20, 20)


def test_metafiles_say_how_long_they_are() -> None:
    assert picture_fault(emf(108), "image/x-emf") == ""
    assert "cut off: 108 of 500 bytes" in picture_fault(emf(500), "image/x-emf")
    assert "before its last record" in picture_fault(emf(88)[:88], "image/x-emf")
    wmf = struct.pack("<HHHIHIH", 1, 9, 0x300, 12, 0, 3, 0) + struct.pack("<IH", 3, 0)
    assert picture_fault(wmf, "image/x-wmf") == ""
    assert "cut off" in picture_fault(wmf[:20], "image/x-wmf")
    assert picture_fault(emf(108), "image/png") == ""  # shown by what the bytes are
    assert picture_fault(b"<svg/>", "image/svg+xml") == ""
    assert picture_fault(b"anything", "image/vnd.ms-photo") == ""


def test_a_cut_picture_in_a_deck_is_an_error(rich_parts, problems) -> None:
    parts = rich_parts()
    name = next(name for name in parts if name.endswith(".png") and "media" in name)
    parts[name] = parts[name][:-200]
    (found,) = (one for one in problems(parts) if one.rule == "picture.damaged")
    assert found.severity == "error" and found.part == name


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [  # from ECMA-376 part 1, clauses 20.1.10, 21.1.2 and 22.9
        ("hex6", ("FF0000", "a1b2c3"), ("GGGGGG", "red", "F00", "#FF0000", "FF00000")),
        ("100..400000", ("100", "1800", "400000"), ("99", "400001", "18pt", "18.5", "")),
        ("0..100000", ("0", "50%", "100000"), ("-1", "100001", "101%", "half")),
        ("0..21599999", ("0", "5400000"), ("21600000", "90deg", "25%")),
        ("0..2147483647", ("0", "914400"), ("-1", "1in", "1e6")),
        ("b", ("0", "1", "true", "false"), ("yes", "on", "TRUE", "2")),
        ("guid", ("{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}",), ("5C22544A", "{}", "")),
        ("adj", ("100", "hc", "adj1", "-50"), ("", "10 px")),
        ("f", ("1", "-0.5", "1e3"), ("one", "1,5")),
        ("date", ("2024-01-31T09:30:00.123", "2024-01-31"), ("31.01.2024", "2024-13-01", "")),
        ("a:TextAlignType", ("l", "ctr"), ("left", "center")),
        ("", ("anything",), ()),
    ],
)
def test_values_are_those_of_their_simple_type(kind, good, bad) -> None:
    assert [value for value in good if not is_valid(kind, value)] == []
    assert [value for value in bad if is_valid(kind, value)] == []


def test_lengths_have_units_in_the_strict_edition_only() -> None:
    assert is_valid("-27273042329600..27273042316900", "1.5in", strict=True)
    assert not is_valid("-27273042329600..27273042316900", "1.5in")
    assert not is_valid("100..400000", "18pt", strict=True)


@pytest.mark.parametrize(
    "text", ["2024", "2024-02", "2024-02-29T23:59Z", "2024-02-29T10:00:00+01:00"]
)
def test_dates_may_be_short(text: str) -> None:
    assert is_date(text)


@pytest.mark.parametrize("text", ["", "now", "2023-02-29", "2024-01-01T25:00:00Z", "24-01-01"])
def test_dates_that_are_none(text: str) -> None:
    assert not is_date(text)
