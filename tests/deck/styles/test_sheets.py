"""Colour maps, themes and backgrounds of slides, layouts and masters."""

import pytest
from bench.styles_witness.styles import shown_shapes

from decklab.deck.model.base import Effective
from decklab.deck.model.shapes import NO_PAINT

DARK = (
    '<a:overrideClrMapping bg1="dk1" tx1="lt1" bg2="dk2" tx2="lt2" accent1="accent2"'
    ' accent2="accent1" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6"'
    ' hlink="hlink" folHlink="folHlink"/>'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def background(inner):
    return f"<p:bg>{inner}</p:bg>"


def own(color):
    fill = f'<a:solidFill><a:schemeClr val="{color}"/></a:solidFill>'
    return background(f"<p:bgPr>{fill}<a:effectLst/></p:bgPr>")


def reference(idx, color):
    return background(f'<p:bgRef idx="{idx}"><a:schemeClr val="{color}"/></p:bgRef>')


def test_a_slide_s_own_colour_map_holds_for_what_it_inherits_too(run, xml):
    listed = f"<a:lvl1pPr><a:defRPr>{xml.solid('tx1')}</a:defRPr></a:lvl1pPr>"
    deck = {
        "slide": xml.holder("body", xml.words(), "1"),
        "layout": xml.holder("body", "", "1", listed),
    }
    assert run(**deck).color.value == "#000000"
    mapped = run(**deck, slide_map=DARK)
    assert (mapped.color, mapped.slot.value) == (Effective("#FFFFFF", "layout"), "tx1")


def test_a_theme_override_replaces_what_it_states_and_no_more(run, xml):
    colors = xml.colors.replace("4F81BD", "ABCDEF")
    style = run(
        slide=xml.box(xml.words(inside=xml.solid("accent1"))),
        slide_links=f'<Relationship Id="o" Type="{OFFICE}/themeOverride" Target="over.xml"/>',
        more={"ppt/over.xml": xml.part("a:themeOverride", colors)},
    )
    assert style.color.value == "#ABCDEF"
    assert style.name.value == "Text"


@pytest.mark.parametrize(
    ("pieces", "hex", "source"),
    [
        ({"slide_background": own("accent1"), "master_background": own("bg1")}, "#4F81BD", "slide"),
        ({"layout_background": own("accent2"), "master_background": own("bg1")},
         "#C0504D", "layout"),
        ({"master_background": own("bg2")}, "#EEECE1", "master"),
        ({"master_background": reference(1001, "accent1")}, "#4F81BD", "theme"),
        ({"master_background": reference(1002, "bg1")}, "#808080", "theme"),
        ({"slide_background": reference(1, "accent3")}, "#9BBB59", "theme"),
        ({"slide_map": DARK, "master_background": own("bg1")}, "#000000", "master"),
        ({}, "#FFFFFF", "default"),
    ],
)  # fmt: skip
def test_the_background_is_the_nearest_one_stated(styles, pieces, hex, source):
    found = styles(**pieces).slides[0].background
    assert found.value.kind == "solid"
    assert (found.value.color, found.source) == (hex, source)


NOTHING = [background("<p:bgPr><a:noFill/><a:effectLst/></p:bgPr>"), reference(0, "bg1"),
           reference(1000, "bg1")]  # fmt: skip


@pytest.mark.parametrize("nothing", NOTHING)
def test_a_slide_that_paints_nothing_shows_what_its_layout_shows(styles, nothing):
    dark = {"slide_background": nothing, "master_background": own("tx2")}
    found = styles(**dark).slides[0].background
    assert (found.value.color, found.source) == ("#1F497D", "master")
    found = styles(**dark, layout_background=own("accent2")).slides[0].background
    assert (found.value.color, found.source) == ("#C0504D", "layout")


@pytest.mark.parametrize("nothing", NOTHING)
@pytest.mark.parametrize("slide", ["", NOTHING[0]])
def test_a_layout_that_paints_nothing_shows_the_bare_page(styles, nothing, slide):
    found = (
        styles(slide_background=slide, layout_background=nothing, master_background=own("tx2"))
        .slides[0]
        .background
    )
    assert found.value == NO_PAINT


def test_a_reference_beyond_the_theme_is_as_if_not_stated(styles):
    found = styles(slide_background=reference(1099, "bg1"), layout_background=own("bg2"))
    assert found.slides[0].background.source == "layout"


def test_what_shows_is_the_master_s_the_layout_s_and_the_slide_s_own(styles, xml):
    pieces = {
        "slide": xml.box(xml.words(text="slide")),
        "layout": xml.box(xml.words(text="layout")) + xml.holder("body", xml.words(text="prompt")),
        "master": xml.box(xml.words(text="master")),
    }
    deck = styles(**pieces)
    shown = [shape.text.text for _, shape in shown_shapes(deck, deck.slides[0])]
    assert shown == ["master", "layout", "slide"]
    hidden = styles(**pieces, slide_attributes='showMasterSp="0"')
    assert [shape.text.text for _, shape in shown_shapes(hidden, hidden.slides[0])] == ["slide"]


def test_a_layout_s_own_text_is_read_against_the_master(styles, stated, xml):
    listed = '<a:lvl1pPr><a:defRPr sz="1300"/></a:lvl1pPr>'
    deck = styles(layout=xml.holder("ftr", xml.words()), master=xml.holder("ftr", "", "", listed))
    run = deck.layouts[0].shapes[0].text.paragraphs[0].runs[0]
    assert stated(run).size == Effective(13.0, "master")
    assert [sheet.part for sheet in deck.masters] == ["ppt/master.xml"]


def test_a_damaged_layout_is_noted_and_the_slide_still_read(styles, xml):
    deck = styles(slide=xml.box(xml.words('sz="2000"')), more={"ppt/layout.xml": "<broken"})
    run = deck.slides[0].shapes[0].text.paragraphs[0].runs[0]
    assert run.font.size == 20.0
    assert any("layout.xml" in problem for problem in deck.problems)


def test_a_deck_without_theme_falls_back_to_black_on_white(styles, xml):
    deck = styles(slide=xml.box(xml.words(inside=xml.solid("accent1"))), theme="")
    font = deck.slides[0].shapes[0].text.paragraphs[0].runs[0].font
    assert font.color == "#000000"
    assert font.name == ""
    assert deck.slides[0].background.value.color == "#FFFFFF"


def test_an_empty_slide_has_no_shapes(styles):
    deck = styles()
    assert deck.slides[0].shapes == ()
    assert deck.problems == ()
