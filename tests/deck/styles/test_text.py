"""Each step of the chain that a text style comes through, nearest first."""

import pytest

from decklab.deck.model.base import Effective, Origin
from decklab.deck.styles.text import LINE_BREAK

SIZE, BOLD, BIG = 'sz="{}"', 'b="1"', 'sz="3200" cap="all"'
LEVEL = "<a:lvl{}pPr><a:defRPr {}>{}</a:defRPr></a:lvl{}pPr>"


def level(attributes="", inside="", number=1):
    return LEVEL.format(number, attributes, inside, number)


def chain(xml, steps):
    """A body placeholder with a size at each of the places in ``steps``."""
    sizes = {name: f'sz="{size}"' if name in steps else "" for name, size in SIZES.items()}
    lists = {name: level(sizes[name]) if name in steps else "" for name in sizes}
    return {
        "slide": xml.holder("body", xml.words(sizes["run"]), "1", lists["shape"]),
        "layout": xml.holder("body", "", "1", lists["layout"]),
        "master": xml.holder("body", "", "", lists["master"]),
        "text_styles": f"<p:bodyStyle>{lists['styles']}</p:bodyStyle>",
        "presentation": f"<p:defaultTextStyle>{lists['presentation']}</p:defaultTextStyle>",
    }


SIZES = {"run": 1100, "shape": 1200, "layout": 1300, "master": 1400, "styles": 1500,
         "presentation": 1600}  # fmt: skip
SOURCES: dict[str, Origin] = {
    "run": "run", "shape": "shape", "layout": "layout", "master": "master", "styles": "master",
    "presentation": "presentation",
}  # fmt: skip


@pytest.mark.parametrize("first", range(len(SIZES)))
def test_the_nearest_place_that_states_a_size_wins(run, xml, first):
    steps = list(SIZES)[first:]
    assert run(**chain(xml, steps)).size == Effective(SIZES[steps[0]] / 100, SOURCES[steps[0]])


def test_where_nothing_states_a_size_it_is_18_points(run, xml):
    style = run(**chain(xml, []))
    assert style.size == Effective(18.0, "default")
    assert style.bold == Effective(False, "default")
    assert style.name == Effective("Text", "default")
    assert style.color == Effective("#000000", "default")


def test_properties_come_from_different_places_each(run, xml):
    style = run(
        slide=xml.holder("body", xml.words('b="1"'), "1", level('i="1"')),
        layout=xml.holder("body", "", "1", level('u="sng"', xml.solid("accent2"))),
        text_styles=f"<p:bodyStyle>{level(BIG)}</p:bodyStyle>",
    )
    assert style.bold == Effective(True, "run")
    assert style.italic == Effective(True, "shape")
    assert style.underline == Effective("sng", "layout")
    assert (style.color.value, style.color.source) == ("#C0504D", "layout")
    assert style.size == Effective(32.0, "master")
    assert style.caps == Effective("all", "master")


def test_a_run_can_take_back_what_it_inherits(run, xml):
    style = run(
        slide=xml.box(xml.words('b="0" baseline="0"'), lists=level('b="1" baseline="30000"'))
    )
    assert style.bold == Effective(False, "run")
    assert style.baseline == Effective(0.0, "run")


def test_raised_and_spaced_text_is_stated_in_shares_and_points(run, xml):
    style = run(slide=xml.box(xml.words('baseline="-25000" spc="300" strike="dblStrike"')))
    assert style.baseline.value == -0.25
    assert style.spacing.value == 3.0
    assert style.strike.value == "double"


@pytest.mark.parametrize(
    ("kind", "style"),
    [
        ("title", "titleStyle"),
        ("ctrTitle", "titleStyle"),
        ("subTitle", "bodyStyle"),
        ("body", "bodyStyle"),
        ("obj", "bodyStyle"),
        ("ftr", "otherStyle"),
        ("sldNum", "otherStyle"),
    ],
)
def test_each_kind_of_placeholder_has_its_text_style(run, xml, kind, style):
    found = run(
        slide=xml.holder(kind, xml.words()),
        text_styles="".join(
            f"<p:{name}>{level(SIZE.format(size))}</p:{name}>"
            for name, size in (("titleStyle", 4400), ("bodyStyle", 3200), ("otherStyle", 1000))
        ),
    )
    expected = {"titleStyle": 44.0, "bodyStyle": 32.0, "otherStyle": 10.0}[style]
    assert found.size == Effective(expected, "master")


def test_a_text_box_takes_the_presentations_defaults_and_no_text_style(run, xml):
    style = run(
        slide=xml.box(xml.words()),
        text_styles=f"<p:otherStyle>{level(SIZE.format(1000))}</p:otherStyle>",
        presentation=f"<p:defaultTextStyle>{level(BOLD)}</p:defaultTextStyle>",
    )
    assert style.size == Effective(18.0, "default")
    assert style.bold == Effective(True, "presentation")


def test_the_level_of_the_paragraph_chooses_the_level_of_the_styles(text, xml):
    body = "".join(
        f'<a:p><a:pPr lvl="{lvl}"/><a:r><a:t>x</a:t></a:r></a:p>' for lvl in (0, 1, 8, 20)
    )
    lists = "".join(level(f'sz="{number}00"', number=number) for number in range(1, 10))
    found = text(slide=xml.box(body, lists=lists)).paragraphs
    assert [paragraph.level for paragraph in found] == [0, 1, 8, 8]
    assert [paragraph.runs[0].font.size for paragraph in found] == [1, 2, 9, 9]


def test_default_run_properties_of_a_paragraph_are_not_for_its_runs(run, xml):
    body = (
        '<a:p><a:pPr><a:defRPr sz="6000" b="1"/></a:pPr><a:r><a:t>x</a:t></a:r>'
        '<a:endParaRPr sz="7000"/></a:p>'
    )
    style = run(slide=xml.box(body))
    assert style.size == Effective(18.0, "default")
    assert style.bold == Effective(False, "default")


def test_the_scale_that_autofit_stored_multiplies_sizes_wherever_they_come_from(text, stated, xml):
    fit = '<a:normAutofit fontScale="62500" lnSpcReduction="20000"/>'
    spacing = '<a:pPr><a:lnSpc><a:spcPct val="90000"/></a:lnSpc></a:pPr>'
    body = f'<a:p>{spacing}<a:r><a:rPr sz="2400"/><a:t>x</a:t></a:r></a:p>'
    found = text(slide=xml.box(body, settings=fit))
    assert stated(found.paragraphs[0].runs[0]).size == Effective(15.0, "run")
    assert found.paragraphs[0].line_spacing.value == pytest.approx(0.7)
    assert (found.body.font_scale, found.body.autofit) == (0.625, "shrink")


def test_a_body_that_states_its_fit_takes_no_scale_from_its_layout(text, stated, xml):
    scaled = xml.holder("body", "", "1").replace(
        "<a:bodyPr/>", '<a:bodyPr><a:normAutofit fontScale="50000"/></a:bodyPr>'
    )
    own = xml.holder("body", xml.words(), "1")
    inherits = text(slide=own, layout=scaled)
    states = text(
        slide=own.replace("<a:bodyPr/>", "<a:bodyPr><a:normAutofit/></a:bodyPr>"), layout=scaled
    )
    assert inherits.paragraphs[0].runs[0].font.size == 9.0
    assert stated(inherits.body).font_scale == Effective(0.5, "layout")
    assert states.paragraphs[0].runs[0].font.size == 18.0
    assert stated(states.body).font_scale == Effective(1.0, "shape")


def test_insets_anchor_and_direction_are_inherited_one_by_one(text, stated, xml):
    behind = xml.holder("body", "", "1").replace(
        "<a:bodyPr/>", '<a:bodyPr lIns="0" tIns="12700" anchor="ctr" vert="vert270"/>'
    )
    own = xml.holder("body", xml.words(), "1").replace(
        "<a:bodyPr/>", '<a:bodyPr lIns="25400" wrap="none" numCol="2"/>'
    )
    body = stated(text(slide=own, layout=behind).body)
    assert body.inset_left == Effective(2.0, "shape")
    assert body.inset_top == Effective(1.0, "layout")
    assert body.inset_right == Effective(7.2, "default")
    assert body.anchor == Effective("middle", "layout")
    assert body.direction == Effective("vert270", "layout")
    assert body.wraps == Effective(False, "shape")
    assert body.columns == Effective(2, "shape")


def test_a_reference_to_the_themes_fonts_stands_over_the_defaults_and_under_the_list_style(
    run, xml
):
    style = '<p:style><a:fontRef idx="major"><a:schemeClr val="lt1"/></a:fontRef></p:style>'
    plain = run(
        slide=xml.box(xml.words(), style=style),
        presentation=(
            "<p:defaultTextStyle>"
            + level("", xml.solid("tx1") + '<a:latin typeface="Other"/>')
            + "</p:defaultTextStyle>"
        ),
    )
    listed = run(slide=xml.box(xml.words(), style=style, lists=level("", xml.solid("accent1"))))
    assert (plain.color.value, plain.color.source) == ("#FFFFFF", "shape")
    assert plain.name == Effective("Head", "shape")
    assert listed.color.value == "#4F81BD"


def test_theme_fonts_are_resolved_where_they_are_named(run, xml):
    faces = '<a:latin typeface="+mj-lt"/><a:ea typeface="+mn-ea"/><a:sym typeface="Wingdings"/>'
    style = run(slide=xml.box(xml.words("", inside=faces)))
    assert style.name == Effective("Head", "run")
    assert style.east_asian == Effective("TextEa", "run")
    assert style.symbol == Effective("Wingdings", "run")
    assert style.complex_script == Effective("", "default")


@pytest.mark.parametrize(
    ("language", "slot", "face"),
    [("ja-JP", "+mj-ea", "HeadJp"), ("ko-KR", "+mj-ea", ""), ("ar-SA", "+mn-cs", "TextArab")],
)
def test_an_empty_theme_font_is_found_by_the_language_of_the_text(run, xml, language, slot, face):
    tag = slot[-2:]
    inside = f'<a:{tag} typeface="{slot}"/>'
    style = run(slide=xml.box(xml.words(f'lang="{language}"', inside=inside)))
    found = style.east_asian if tag == "ea" else style.complex_script
    assert found.value == face
    assert style.language == Effective(language, "run")


def test_links_are_underlined_in_the_themes_colour(text, stated, xml):
    link = '<a:hlinkClick r:id="rId1"/>'
    inside = xml.solid("accent1") + link
    found = text(slide=xml.box(xml.words(inside=inside))).paragraphs[0].runs[0]
    assert found.click is not None
    assert stated(found).color == Effective("#0000FF", "theme")
    assert found.font.underline == "sng"


def test_a_link_can_keep_the_colour_of_its_text(run, xml):
    link = (
        '<a:hlinkClick r:id="rId1"><a:extLst><a:ext uri="{A12FA001-AC4F-418D-AE19-62706E023703}">'
        '<ahyp:hlinkClr val="tx"/></a:ext></a:extLst></a:hlinkClick>'
    )
    style = run(slide=xml.box(xml.words(inside=xml.solid("accent1") + link)))
    assert (style.color.value, style.underline.value) == ("#4F81BD", "sng")


@pytest.mark.parametrize(
    ("link", "linked"),
    [
        ('r:id=""', False),
        ('r:id="" action="ppaction://hlinksldjump"', False),
        ('r:id="rId1" action="ppaction://hlinksldjump"', True),
        ('r:id="" action="ppaction://hlinkshowjump?jump=nextslide"', True),
        ('r:id="" action="ppaction://macro?name=go"', True),
    ],
)
def test_a_link_leads_to_a_target_or_has_an_action_that_needs_none(run, xml, link, linked):
    style = run(slide=xml.box(xml.words(inside=f"<a:hlinkClick {link}/>")))
    assert (style.color.source == "theme") is linked
    assert style.color.value == ("#0000FF" if linked else "#000000")
    assert style.underline.value == ("sng" if linked else "none")


def test_hollow_text_has_the_colour_of_its_outline(run, xml):
    outline = f'<a:ln w="9525">{xml.solid("accent2")}</a:ln>'
    hollow = run(slide=xml.box(xml.words(inside=outline + "<a:noFill/>")))
    painted = run(slide=xml.box(xml.words(inside=outline + xml.solid("accent1"))))
    unseen = run(slide=xml.box(xml.words(inside="<a:noFill/>")))
    assert hollow.color.value == "#C0504D"
    assert painted.color.value == "#4F81BD"
    assert unseen.alpha.value == 0.0


def test_a_gradient_text_has_the_colour_half_way(run, xml):
    stops = (
        '<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="000000"/></a:gs>'
        '<a:gs pos="100000"><a:srgbClr val="FF6400"/></a:gs></a:gsLst></a:gradFill>'
    )
    assert run(slide=xml.box(xml.words(inside=stops))).color.value == "#803200"


def test_highlight_is_the_colour_behind_the_text(run, xml):
    inside = '<a:highlight><a:srgbClr val="FFFF00"/></a:highlight>'
    assert run(slide=xml.box(xml.words(inside=inside))).highlight.value == "#FFFF00"
    assert run(slide=xml.box(xml.words())).highlight == Effective(None, "default")


def test_fields_breaks_and_formulas_are_runs_too(text, xml):
    body = (
        '<a:p><a:r><a:t>Page </a:t></a:r><a:fld id="{1}" type="slidenum"><a:rPr sz="900"/>'
        '<a:pPr/><a:t>7</a:t></a:fld><a:br><a:rPr sz="800"/></a:br>'
        '<mc:AlternateContent><mc:Choice Requires="a14"><a14:m><m:r><a:rPr sz="700"/>'
        "<m:t>x²</m:t></m:r></a14:m></mc:Choice><mc:Fallback><a:r><a:t>no</a:t></a:r>"
        "</mc:Fallback></mc:AlternateContent></a:p>"
    )
    runs = text(slide=xml.box(body)).paragraphs[0].runs
    assert [run.kind for run in runs] == ["run", "field", "break", "math"]
    assert [run.text for run in runs] == ["Page ", "7", LINE_BREAK, "x²"]
    assert [run.font.size for run in runs] == [18, 9, 8, 7]
    assert [run.field for run in runs] == [None, "slidenum", None, None]


def test_an_empty_body_has_one_paragraph_without_runs(text, xml):
    found = text(slide=xml.box("<a:p/>"))
    assert [paragraph.runs for paragraph in found.paragraphs] == [()]
    assert found.text == ""


def test_values_that_make_no_sense_are_as_if_not_stated(run, xml):
    bad = 'sz="large" b="perhaps" baseline="up" spc="wide"'
    inside = '<a:solidFill><a:srgbClr val="red"/></a:solidFill><a:latin typeface="+mj-lt"/>'
    style = run(slide=xml.box(xml.words(bad, inside=inside)))
    assert style.size == Effective(18.0, "default")
    assert style.bold == Effective(False, "default")
    assert style.color.value == "#000000"
    assert style.name.value == "Head"


def test_a_group_s_members_are_read_with_their_groups(styles, xml):
    inner = xml.box(xml.words('sz="1000"'))
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G"/></p:nvGrpSpPr><p:grpSpPr/>'
        f"{inner}</p:grpSp>"
    )
    shapes = styles(slide=group).slides[0].shapes
    assert [(shape.id, shape.groups) for shape in shapes] == [(9, ()), (3, (9,))]
    assert shapes[1].text.paragraphs[0].runs[0].font.size == 10.0


def test_no_scale_makes_text_vanish(text, xml):
    tiny = xml.box(xml.words('sz="100"'), settings='<a:normAutofit fontScale="1"/>')
    assert text(slide=tiny).paragraphs[0].runs[0].font.size == 0.01


def test_a_typeface_without_a_name_is_as_if_not_stated(run, xml):
    found = run(slide=xml.box(xml.words(inside='<a:latin typeface=""/><a:cs typeface="Own"/>')))
    assert (found.name.value, found.name.source) == ("Text", "default")
    assert (found.complex_script.value, found.complex_script.source) == ("Own", "run")
