import pytest

from decklab.deck.styles.themes import BLACK, WHITE, Color, ColorScheme, color_in, mixed
from decklab.ooxml.xml import NAMESPACES, parse_xml

SCHEME = ColorScheme({"dk1": "#111111", "accent1": "#4472C4"}, {"tx1": "dk1"})


def found(inner, placeholder=None):
    text = f'<a:solidFill xmlns:a="{NAMESPACES["a"]}">{inner}</a:solidFill>'
    return color_in(parse_xml(text.encode(), path="x", part=None), SCHEME, placeholder)


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ('<a:srgbClr val="aBcDeF"/>', Color("#ABCDEF")),
        ('<a:schemeClr val="tx1"/>', Color("#111111", 1.0, "tx1")),
        ('<a:schemeClr val="accent1"><a:lumMod val="75000"/></a:schemeClr>',
         Color("#2F5597", 1.0, "accent1")),
        ('<a:schemeClr val="accent1"><a:alpha val="40000"/></a:schemeClr>',
         Color("#4472C4", 0.4, "accent1")),
        ('<a:srgbClr val="102030"><a:alpha val="50%"/><a:alphaMod val="50000"/></a:srgbClr>',
         Color("#102030", 0.25)),
        ('<a:srgbClr val="102030"><a:alphaOff val="-30000"/></a:srgbClr>', Color("#102030", 0.7)),
        ('<a:sysClr val="windowText" lastClr="0A0B0C"/>', Color("#0A0B0C")),
        ('<a:sysClr val="window"/>', WHITE),
        ('<a:prstClr val="dkBlue"/>', Color("#00008B")),
        ('<a:prstClr val="medSeaGreen"/>', Color("#3CB371")),
        ('<a:scrgbClr r="50000" g="0" b="100000"/>', Color("#BC00FF")),
        ('<a:scrgbClr r="50%" g="0%" b="100%"/>', Color("#BC00FF")),
        ('<a:sysClr val="btnShadow"/>', Color("#A0A0A0")),
        ('<a:sysClr val="3dLight"/>', Color("#E3E3E3")),
        ('<a:hslClr hue="7200000" sat="100000" lum="50000"/>', Color("#00FF00")),
        ('<a:hslClr hue="0" sat="0" lum="50%"/>', Color("#808080")),
        ('<a:schemeClr val="phClr"><a:lumMod val="50000"/></a:schemeClr>',
         Color("#808080", 1.0, "bg1")),
    ],
)  # fmt: skip
def test_a_colour_of_each_kind(inner, expected):
    assert found(inner, Color("#FFFFFF", 1.0, "bg1")) == expected


@pytest.mark.parametrize(
    "inner",
    ["", "<a:unknownClr/>", '<a:srgbClr val="12"/>', '<a:schemeClr val="accent9"/>',
     '<a:schemeClr val="phClr"/>', '<a:hslClr hue="0"/>', '<a:sysClr val="none"/>'],
)  # fmt: skip
def test_what_is_no_colour_is_none(inner):
    assert found(inner) is None


def test_no_holder_holds_no_colour():
    assert color_in(None, SCHEME) is None


def test_mixing_keeps_ends_and_alpha():
    half = mixed(Color("#000000", 0.0), Color("#FFFFFF", 1.0), 0.5)
    assert (half.hex, half.alpha) == ("#808080", 0.5)
    assert mixed(BLACK, WHITE, 1.0).hex == "#FFFFFF"


@pytest.mark.parametrize(
    ("color", "hex"),
    [
        ('<a:srgbClr val="00ff7f"><a:lumMod val="50000"/></a:srgbClr>', "#00FF7F"),
        ('<a:schemeClr val="accent1"/>', "#4472C4"),
        ('<a:schemeClr val="tx1"/>', "#010203"),
        ('<a:schemeClr val="bg1"/>', "#FAFBFC"),
        ('<a:schemeClr val="accent5"/>', None),
        ('<a:sysClr val="window" lastClr="fefefe"/>', "#FEFEFE"),
        ('<a:sysClr val="window"/>', "#FFFFFF"),
        ('<a:prstClr val="dkBlue"/>', "#00008B"),
        ('<a:prstClr val="medAquamarine"/>', "#66CDAA"),
        ('<a:prstClr val="none of these"/>', None),
        ('<a:scrgbClr r="100000" g="0" b="21404"/>', "#FF007F"),
        ('<a:scrgbClr r="x" g="0" b="0"/>', None),
        ('<a:srgbClr val="red"/>', None),
        ("", None),
    ],
)
def test_own_colours_are_followed_to_the_theme(shape, sp, color, hex):
    assert shape(sp(f"<a:solidFill>{color}</a:solidFill>")).fill_color == hex


def test_a_slide_may_map_colours_anew(deck, sp):
    override = '<p:clrMapOvr><a:overrideClrMapping tx1="accent1" bg1="dk1"/></p:clrMapOvr>'
    dark = sp('<a:solidFill><a:schemeClr val="bg1"/></a:solidFill>')
    assert deck(dark, after=override).slides[0].shapes[0].fill_color == "#010203"
    assert deck(dark).slides[0].shapes[0].fill_color == "#FAFBFC"


SYSTEM_COLORS = [
    "scrollBar", "background", "activeCaption", "inactiveCaption", "menu", "window",
    "windowFrame", "menuText", "windowText", "captionText", "activeBorder", "inactiveBorder",
    "appWorkspace", "highlight", "highlightText", "btnFace", "btnShadow", "grayText", "btnText",
    "inactiveCaptionText", "btnHighlight", "3dDkShadow", "3dLight", "infoText", "infoBk",
    "hotLight", "gradientActiveCaption", "gradientInactiveCaption", "menuHighlight", "menuBar",
]  # fmt: skip  # ST_SystemColorVal, ISO/IEC 29500-1, 20.1.10.58


@pytest.mark.parametrize("name", SYSTEM_COLORS)
def test_every_system_colour_of_the_standard_is_some_colour(name):
    assert found(f'<a:sysClr val="{name}"/>') is not None
