import pytest
from pptx.util import Cm, Inches, Pt

from decklab.ooxml.xml import degrees, parse_emu, parse_int


@pytest.mark.parametrize(
    ("text", "length"),
    [("1.5in", Inches(1.5)), ("2cm", Cm(2)), ("20mm", Cm(2)), ("10pt", Pt(10)), ("1pc", Pt(12)),
     ("-1pi", -Pt(12)), (" 12 ", 12), ("+7", 7)],
)  # fmt: skip
def test_lengths_agree_with_python_pptx(text, length):
    assert parse_emu(text) == length


@pytest.mark.parametrize(
    "text", [None, "", "x", "1.5", "1e9", "in", "1 in", "9" * 5000, "0x10", "NaN"]
)
def test_what_is_no_length_is_none(text):
    assert parse_emu(text) is None
    assert parse_int(text) is None
    assert degrees(text) == 0


def test_angles_are_taken_round_the_circle():
    assert degrees("21600000") == 0
    assert degrees("-60000") == 359
