import pytest

from decklab.deck.model.base import Effective
from decklab.deck.model.shapes import Bullet, Spacing

BODY = "<a:p><a:pPr {}>{}</a:pPr><a:r><a:t>x</a:t></a:r></a:p>"


def points(value):
    return Spacing(value=value, unit="points")


def share(value):
    return Spacing(value=value, unit="share")


@pytest.fixture
def style(text, stated, xml):
    """What holds for a paragraph of a body placeholder, over what its layout and master state."""

    def read(attributes="", inside="", *, layout="", master=""):
        found = text(
            slide=xml.holder("body", BODY.format(attributes, inside), "1"),
            layout=xml.holder("body", "", "1", layout),
            text_styles=f"<p:bodyStyle>{master}</p:bodyStyle>",
        )
        return stated(found.paragraphs[0])

    return read


def test_where_nothing_is_stated_text_stands_left_in_single_lines(style):
    found = style()
    assert found.align == Effective("left", "default")
    assert found.line_spacing == Effective(share(1.0), "default")
    assert found.space_before == Effective(points(0.0), "default")
    assert found.bullet == Effective(None, "default")
    assert found.right_to_left == Effective(False, "default")


def test_each_value_comes_from_the_nearest_place(style):
    found = style(
        'algn="ctr"',
        layout='<a:lvl1pPr marL="127000" algn="r"/>',
        master='<a:lvl1pPr marL="254000" indent="-254000" algn="just" rtl="1"/>',
    )
    assert found.align == Effective("center", "paragraph")
    assert found.margin_left == Effective(10.0, "layout")
    assert found.indent == Effective(-20.0, "master")
    assert found.right_to_left == Effective(True, "master")


def test_spacing_is_in_points_or_shares(style):
    found = style(
        inside='<a:lnSpc><a:spcPts val="1850"/></a:lnSpc>'
        '<a:spcBef><a:spcPct val="20%"/></a:spcBef><a:spcAft><a:spcPts val="600"/></a:spcAft>'
    )
    assert found.line_spacing.value == points(18.5)
    assert found.space_before.value == share(0.2)
    assert found.space_after.value == points(6.0)


@pytest.mark.parametrize(
    ("inside", "bullet"),
    [
        ('<a:buChar char="•"/>', Bullet(kind="character", character="•")),
        ('<a:buAutoNum type="romanUcPeriod" startAt="3"/>',
         Bullet(kind="number", scheme="romanUcPeriod", start=3)),
        ('<a:buAutoNum type="arabicPeriod"/>',
         Bullet(kind="number", scheme="arabicPeriod", start=1)),
        ("<a:buNone/>", None),
        ('<a:buBlip><a:blip r:embed="gone"/></a:buBlip>', Bullet(kind="picture", sha256=None)),
    ],
)  # fmt: skip
def test_bullets_of_each_kind(style, inside, bullet):
    master = '<a:lvl1pPr><a:buChar char="-"/></a:lvl1pPr>'
    assert style(inside=inside, master=master).bullet == Effective(bullet, "paragraph")
    assert style(master=master).bullet == Effective(
        Bullet(kind="character", character="-"), "master"
    )


def test_a_bullet_s_looks_are_inherited_apart_from_it(style):
    master = (
        '<a:lvl1pPr><a:buClr><a:schemeClr val="accent2"/></a:buClr><a:buSzPct val="80000"/>'
        '<a:buFont typeface="+mj-lt"/><a:buChar char="•"/></a:lvl1pPr>'
    )
    found = style(inside='<a:buChar char="–"/>', master=master)
    assert found.bullet.value.color == "#C0504D"
    assert (found.bullet.value.size, found.sources["bullet_size"]) == (share(0.8), "master")
    assert (found.bullet.value.font, found.sources["bullet_font"]) == ("Head", "master")


def test_a_bullet_can_be_told_to_follow_the_text(style):
    master = (
        '<a:lvl1pPr><a:buClr><a:schemeClr val="accent2"/></a:buClr><a:buSzPts val="1200"/>'
        '<a:buFont typeface="Wingdings"/></a:lvl1pPr>'
    )
    follows = '<a:buClrTx/><a:buSzTx/><a:buFontTx/><a:buChar char="–"/>'
    found = style(inside=follows, master=master)
    bullet = found.bullet.value
    assert (bullet.color, found.sources["bullet_color"]) == (None, "paragraph")
    assert (bullet.size, found.sources["bullet_size"]) == (None, "paragraph")
    assert (bullet.font, found.sources["bullet_font"]) == (None, "paragraph")


def test_values_that_make_no_sense_are_as_if_not_stated(style):
    found = style(
        'algn="somewhere" marL="far" rtl="?"',
        '<a:lnSpc><a:spcPct val="x"/></a:lnSpc><a:spcBef/><a:buSzPct/><a:buClr/>',
    )
    assert found == style()
