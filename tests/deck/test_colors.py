import pytest


@pytest.mark.parametrize(
    ("color", "hex"),
    [
        ('<a:srgbClr val="00ff7f"><a:lumMod val="50000"/></a:srgbClr>', "#00FF7F"),
        ('<a:schemeClr val="accent1"/>', "#4472C4"),
        ('<a:schemeClr val="tx1"/>', "#010203"),
        ('<a:schemeClr val="bg1"/>', "#FAFBFC"),
        ('<a:schemeClr val="accent5"/>', None),
        ('<a:sysClr val="window" lastClr="fefefe"/>', "#FEFEFE"),
        ('<a:sysClr val="window"/>', None),
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
