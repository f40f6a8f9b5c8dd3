import pytest

from decklab.deck.model.base import Effective
from decklab.deck.styles.paragraphs import (
    CharacterBullet,
    Length,
    NoBullet,
    NumberBullet,
    PictureBullet,
)

BODY = "<a:p><a:pPr {}>{}</a:pPr><a:r><a:t>x</a:t></a:r></a:p>"


@pytest.fixture
def style(text, xml):
    """The style of a paragraph of a body placeholder, over what its layout and master state."""

    def read(attributes="", inside="", *, layout="", master=""):
        return (
            text(
                slide=xml.holder("body", BODY.format(attributes, inside), "1"),
                layout=xml.holder("body", "", "1", layout),
                text_styles=f"<p:bodyStyle>{master}</p:bodyStyle>",
            )
            .paragraphs[0]
            .style
        )

    return read


def test_where_nothing_is_stated_text_stands_left_in_single_lines(style):
    found = style()
    assert found.alignment == Effective("left", "default")
    assert found.line_spacing == Effective(Length(1.0, "share"), "default")
    assert found.space_before == Effective(Length(0.0, "points"), "default")
    assert found.bullet == Effective(NoBullet(), "default")
    assert found.right_to_left == Effective(False, "default")


def test_each_value_comes_from_the_nearest_place(style):
    found = style(
        'algn="ctr"',
        layout='<a:lvl1pPr marL="127000" algn="r"/>',
        master='<a:lvl1pPr marL="254000" indent="-254000" algn="just" rtl="1"/>',
    )
    assert found.alignment == Effective("center", "paragraph")
    assert found.margin_left_pt == Effective(10.0, "layout")
    assert found.indent_pt == Effective(-20.0, "master")
    assert found.right_to_left == Effective(True, "master")


def test_spacing_is_in_points_or_shares(style):
    found = style(
        inside='<a:lnSpc><a:spcPts val="1850"/></a:lnSpc>'
        '<a:spcBef><a:spcPct val="20%"/></a:spcBef><a:spcAft><a:spcPts val="600"/></a:spcAft>'
    )
    assert found.line_spacing.value == Length(18.5, "points")
    assert found.space_before.value == Length(0.2, "share")
    assert found.space_after.value == Length(6.0, "points")


@pytest.mark.parametrize(
    ("inside", "bullet"),
    [
        ('<a:buChar char="•"/>', CharacterBullet("•")),
        ('<a:buAutoNum type="romanUcPeriod" startAt="3"/>', NumberBullet("romanUcPeriod", 3)),
        ('<a:buAutoNum type="arabicPeriod"/>', NumberBullet("arabicPeriod", 1)),
        ("<a:buNone/>", NoBullet()),
        ('<a:buBlip><a:blip r:embed="gone"/></a:buBlip>', PictureBullet(None)),
    ],
)
def test_bullets_of_each_kind(style, inside, bullet):
    master = '<a:lvl1pPr><a:buChar char="-"/></a:lvl1pPr>'
    assert style(inside=inside, master=master).bullet == Effective(bullet, "paragraph")
    assert style(master=master).bullet == Effective(CharacterBullet("-"), "master")


def test_a_bullet_s_looks_are_inherited_apart_from_it(style):
    master = (
        '<a:lvl1pPr><a:buClr><a:schemeClr val="accent2"/></a:buClr><a:buSzPct val="80000"/>'
        '<a:buFont typeface="+mj-lt"/><a:buChar char="•"/></a:lvl1pPr>'
    )
    found = style(inside='<a:buChar char="–"/>', master=master)
    assert found.bullet_color.value.hex == "#C0504D"
    assert found.bullet_size == Effective(Length(0.8, "share"), "master")
    assert found.bullet_font == Effective("Head", "master")


def test_a_bullet_can_be_told_to_follow_the_text(style):
    master = (
        '<a:lvl1pPr><a:buClr><a:schemeClr val="accent2"/></a:buClr><a:buSzPts val="1200"/>'
        '<a:buFont typeface="Wingdings"/></a:lvl1pPr>'
    )
    found = style(inside="<a:buClrTx/><a:buSzTx/><a:buFontTx/>", master=master)
    assert found.bullet_color == Effective(None, "paragraph")
    assert found.bullet_size == Effective(None, "paragraph")
    assert found.bullet_font == Effective(None, "paragraph")


def test_values_that_make_no_sense_are_as_if_not_stated(style):
    found = style(
        'algn="somewhere" marL="far" rtl="?"',
        '<a:lnSpc><a:spcPct val="x"/></a:lnSpc><a:spcBef/><a:buSzPct/><a:buClr/>',
    )
    assert found == style()
