"""Changes of colours against values computed by hand, or seen in PowerPoint."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageColor

from decklab.deck.styles.themes import css_color, to_linear, to_stored, transformed

LEVELS = st.floats(0, 1)


def hexed(color):
    return "".join(f"{round(255 * level):02X}" for level in color)


def rgb(text):
    return tuple(int(text[i : i + 2], 16) / 255 for i in (0, 2, 4))


@pytest.mark.parametrize(
    ("base", "changes", "expected"),
    [
        # PowerPoint 2013's gallery: accent 1 lighter 80, 60, 40 %, darker 25, 50 %
        ("4472C4", [("lumMod", 0.2), ("lumOff", 0.8)], "DAE3F3"),
        ("4472C4", [("lumMod", 0.4), ("lumOff", 0.6)], "B4C7E7"),
        ("4472C4", [("lumMod", 0.6), ("lumOff", 0.4)], "8FAADC"),
        ("4472C4", [("lumMod", 0.75)], "2F5597"),
        ("4472C4", [("lumMod", 0.5)], "203864"),
        # white darker 5 and 50 %, black lighter 50 and 5 %
        ("FFFFFF", [("lumMod", 0.95)], "F2F2F2"),
        ("FFFFFF", [("lumMod", 0.5)], "808080"),
        ("000000", [("lumMod", 0.5), ("lumOff", 0.5)], "808080"),
        ("000000", [("lumMod", 0.95), ("lumOff", 0.05)], "0D0D0D"),
        # in linear light: half of white's light is 188, tint 75 % of black is the light 0.25
        ("FFFFFF", [("shade", 0.5)], "BCBCBC"),
        ("000000", [("tint", 0.75)], "898989"),
        ("FF0000", [("tint", 0.5)], "FFBCBC"),
        ("4F81BD", [("tint", 1.0)], "4F81BD"),
        ("4F81BD", [("shade", 0.0)], "000000"),
        ("4F81BD", [("inv", 1.0), ("inv", 1.0)], "4F81BD"),
        ("FF0000", [("comp", 1.0)], "00FFFF"),
        ("FF0000", [("hue", 120.0)], "00FF00"),
        ("FF0000", [("hueOff", 240.0)], "0000FF"),
        ("00FF00", [("hueMod", 0.5)], "FFFF00"),
        ("FF0000", [("satMod", 0.5)], "BF4040"),
        ("FF0000", [("sat", 0.0)], "808080"),
        ("BF4040", [("satOff", 0.5)], "FF0000"),
        ("BF4040", [("satMod", 3.0)], "FF0000"),
        ("FF0000", [("lum", 0.25)], "800000"),
        ("808080", [("red", 1.0)], "FF8080"),
        ("FFFFFF", [("greenMod", 0.5)], "FFBCFF"),
        ("000000", [("blueOff", 0.5)], "0000BC"),
        ("0000FF", [("gray", 1.0)], "121212"),
        ("BCBCBC", [("invGamma", 1.0)], "808080"),
        ("808080", [("gamma", 1.0)], "BCBCBC"),
        ("123456", [("glow", 0.5)], "123456"),
    ],
)
def test_each_change_of_a_colour(base, changes, expected):
    color = rgb(base)
    for name, value in changes:
        color = transformed(color, name, value)
    found = hexed(color)
    apart = max(abs(int(found[i : i + 2], 16) - int(expected[i : i + 2], 16)) for i in (0, 2, 4))
    assert apart <= 1, (found, expected)


@given(st.tuples(LEVELS, LEVELS, LEVELS), st.floats(-3, 3), st.sampled_from(
    ["lumMod", "lumOff", "tint", "shade", "satMod", "hueOff", "redMod", "inv", "comp", "gray"]
))  # fmt: skip
def test_no_change_leaves_the_range_of_colours(color, value, name):
    assert all(0 <= level <= 1 for level in transformed(color, name, value))


@given(LEVELS)
def test_light_and_stored_level_belong_together(level):
    assert to_stored(to_linear(level)) == pytest.approx(level, abs=1e-4)


def test_a_named_colour_stays_the_same_after_others_looked_it_up() -> None:
    assert ImageColor.getrgb("Crimson") == (0xDC, 0x14, 0x3C)
    assert css_color("crimson") == "#DC143C"
    assert css_color("crimsonish") is None
