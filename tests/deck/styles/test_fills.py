"""Areas, lines and effects of shapes."""

from hashlib import sha256

import pytest

from decklab.deck.model.base import Effective
from decklab.deck.model.shapes import NO_PAINT, Ending, Gradient, Pattern, PictureFill
from decklab.deck.styles.fills import NO_LINE

STYLE = (
    '<p:style><a:lnRef idx="{line}"><a:schemeClr val="accent1"/></a:lnRef>'
    '<a:fillRef idx="{fill}"><a:schemeClr val="accent2"/></a:fillRef>'
    '<a:effectRef idx="{effect}"><a:schemeClr val="accent1"/></a:effectRef></p:style>'
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def style(line=0, fill=0, effect=0):
    return STYLE.format(line=line, fill=fill, effect=effect)


def test_a_shape_that_states_nothing_paints_nothing(shape, xml):
    found = shape(slide=xml.box("<a:p/>"))
    assert found.fill == Effective(NO_PAINT, "default")
    assert found.line == NO_LINE
    assert found.effects == Effective((), "default")


def test_its_own_fill_stands_over_the_placeholder_s_behind_it_and_its_style(shape, xml):
    own = shape(
        slide=xml.holder("body", "", "1", more=xml.solid("accent1")),
        layout=xml.holder("body", "", "1", more=xml.solid("accent3")),
    ).fill
    behind = shape(
        slide=xml.holder("body", "", "1"),
        layout=xml.holder("body", "", "1", more=xml.solid("accent3")),
    ).fill
    emptied = shape(
        slide=xml.holder("body", "", "1", more="<a:noFill/>"),
        layout=xml.holder("body", "", "1", more=xml.solid("accent3")),
    ).fill
    assert (own.value.color, own.source) == ("#4F81BD", "shape")
    assert (behind.value.color, behind.source) == ("#9BBB59", "layout")
    assert emptied == Effective(NO_PAINT, "shape")


def test_styles_lead_into_the_theme_with_their_colour(shape, xml):
    plain = shape(slide=xml.box("<a:p/>", style=style(fill=1))).fill
    darker = shape(slide=xml.box("<a:p/>", style=style(fill=2))).fill
    gradient = shape(slide=xml.box("<a:p/>", style=style(fill=3))).fill
    assert (plain.value.color, plain.source) == ("#C0504D", "theme")
    assert plain.value.slot == "accent2"
    assert darker.value.color == "#632523"  # half the luminance of C0504D
    assert isinstance(gradient.value, Gradient)
    assert [stop.color for stop in gradient.value.stops] == ["#C0504D", "#FFFFFF"]
    assert gradient.value.angle == 90.0
    assert shape(slide=xml.box("<a:p/>", style=style(fill=9))).fill.source == "default"


def test_a_group_hands_its_fill_to_members_that_ask_for_it(styles, xml):
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G"/></p:nvGrpSpPr><p:grpSpPr>{}</p:grpSpPr>'
        "{}</p:grpSp>"
    )
    member = xml.box("<a:p/>", more="<a:grpFill/>")
    nested = group.format(xml.solid("accent1"), group.format("<a:grpFill/>", member))
    shapes = styles(slide=nested).slides[0].shapes
    assert shapes[2].fill == Effective(shapes[0].fill.value, "group")
    alone = styles(slide=member).slides[0].shapes[0]
    assert alone.fill == Effective(NO_PAINT, "group")


def test_a_shape_can_show_the_slide_s_background(shape, xml):
    element = xml.box("<a:p/>").replace("<p:sp>", '<p:sp useBgFill="1">')
    fill = '<p:bg><p:bgPr><a:solidFill><a:srgbClr val="123456"/></a:solidFill></p:bgPr></p:bg>'
    found = shape(slide=element, master_background=fill).fill
    assert (found.value.color, found.source) == ("#123456", "shape")


def test_patterns_have_two_colours(shape, xml):
    pattern = (
        '<a:pattFill prst="pct50"><a:fgClr><a:schemeClr val="accent1"/></a:fgClr>'
        '<a:bgClr><a:srgbClr val="00FF00"/></a:bgClr></a:pattFill>'
    )
    found = shape(slide=xml.box("<a:p/>", more=pattern)).fill.value
    assert isinstance(found, Pattern)
    assert (found.preset, found.foreground, found.ground) == (
        "pct50", "#4F81BD", "#00FF00",
    )  # fmt: skip


def test_pictures_name_their_part_and_how_they_lie(shape, xml):
    blip = (
        '<a:blipFill><a:blip r:embed="p"><a:alphaModFix amt="30000"/></a:blip><a:tile/>'
        "</a:blipFill>"
    )
    found = shape(
        slide=xml.box("<a:p/>", more=blip),
        slide_links=f'<Relationship Id="p" Type="{OFFICE}/image" Target="media/p.svg"/>',
        more={"ppt/media/p.svg": "<svg/>"},
    ).fill
    image = sha256(b"<svg/>").hexdigest()
    picture = PictureFill(kind="picture", sha256=image, link=None, tiled=True, alpha=0.3)
    assert found == Effective(picture, "shape")


def test_gradients_that_follow_a_path_have_no_angle(shape, xml):
    gradient = (
        '<a:gradFill><a:gsLst><a:gs pos="100000"><a:srgbClr val="FF0000"/></a:gs>'
        '<a:gs pos="0"><a:srgbClr val="0000FF"/></a:gs></a:gsLst><a:path path="circle"/>'
        "</a:gradFill>"
    )
    found = shape(slide=xml.box("<a:p/>", more=gradient)).fill.value
    assert [stop.position for stop in found.stops] == [0.0, 1.0]
    assert (found.angle, found.path) == (None, "circle")


def test_a_line_takes_what_it_does_not_state_from_its_style(shape, stated, xml):
    own = '<a:ln w="38100"><a:tailEnd type="triangle" w="lg"/></a:ln>'
    line = stated(shape(slide=xml.box("<a:p/>", more=own, style=style(line=2))).line)
    assert line.strokeWidth == Effective(3.0, "shape")
    assert line.dash == Effective("dash", "theme")
    assert line.stroke == Effective("#4F81BD", "theme")
    assert line.tail == Effective(Ending(shape="triangle", width="lg", length="med"), "shape")
    assert line.head == Effective(None, "default")


def test_a_line_s_values_come_through_the_placeholders_one_by_one(shape, stated, xml):
    found = shape(
        slide=xml.holder("body", "", "1", more='<a:ln cap="rnd"><a:prstDash val="dot"/></a:ln>'),
        layout=xml.holder("body", "", "1", more=f'<a:ln w="12700">{xml.solid("accent6")}</a:ln>'),
        master=xml.holder("body", "", "", more='<a:ln w="25400" cmpd="dbl"><a:bevel/></a:ln>'),
    ).line
    line = stated(found)
    assert line.cap == Effective("rnd", "shape")
    assert line.dash == Effective("dot", "shape")
    assert line.strokeWidth == Effective(1.0, "layout")
    assert found.pen.paint.kind == "solid"
    assert line.stroke.source == "layout"
    assert line.compound == Effective("dbl", "master")
    assert line.join == Effective("bevel", "master")


@pytest.mark.parametrize(("index", "drawn"), [(0, False), (1, True), (7, False)])
def test_a_line_reference_draws_only_what_the_theme_has(shape, xml, index, drawn):
    line = shape(slide=xml.box("<a:p/>", style=style(line=index))).line
    assert (line.pen.paint.kind == "solid") is drawn


def test_effects_are_named_and_an_empty_list_takes_them_away(shape, xml):
    themed = shape(slide=xml.box("<a:p/>", style=style(effect=1))).effects
    glowing = "<a:effectLst><a:glow/><a:reflection/></a:effectLst>"
    own = shape(slide=xml.box("<a:p/>", more=glowing)).effects
    none = shape(slide=xml.box("<a:p/>", more="<a:effectLst/>", style=style(effect=1))).effects
    assert themed == Effective(("outerShdw",), "theme")
    assert own == Effective(("glow", "reflection"), "shape")
    assert none == Effective((), "shape")


def test_a_diagram_is_read_as_it_was_last_drawn(shape, stated, xml):
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="Diagram"/></p:nvGraphicFramePr>'
        '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram">'
        '<dgm:relIds r:dm="d"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    words = xml.words('sz="2600"')
    drawn = (
        '<dsp:spTree><dsp:nvGrpSpPr/><dsp:grpSpPr/><dsp:sp><dsp:nvSpPr><dsp:cNvPr id="0" name=""/>'
        f"</dsp:nvSpPr><dsp:spPr>{xml.solid('accent1')}</dsp:spPr>"
        '<dsp:style><a:fontRef idx="minor"><a:schemeClr val="lt1"/></a:fontRef></dsp:style>'
        f"<dsp:txBody><a:bodyPr/><a:lstStyle/>{words}"
        "</dsp:txBody></dsp:sp></dsp:spTree>"
    )
    model = '<dgm:extLst><a:ext><dsp:dataModelExt relId="w"/></a:ext></dgm:extLst>'
    found = shape(
        slide=frame,
        slide_links=(
            f'<Relationship Id="d" Type="{OFFICE}/diagramData" Target="data.xml"/>'
            '<Relationship Id="w" Type="http://schemas.microsoft.com/office/2007/relationships/'
            'diagramDrawing" Target="drawing.xml"/>'
        ),
        more={
            "ppt/data.xml": xml.part("dgm:dataModel", model),
            "ppt/drawing.xml": xml.part("dsp:drawing", drawn),
        },
    )
    (inner,) = found.diagram
    run = stated(inner.text.paragraphs[0].runs[0])
    assert inner.fill.value.color == "#4F81BD"
    assert run.size == Effective(26.0, "run")
    assert run.color.value == "#FFFFFF"


def test_a_diagram_without_drawing_has_no_shapes(shape, xml):
    frame = (
        "<p:graphicFrame><a:graphic><a:graphicData uri="
        '"http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds r:dm="gone"/>'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )
    assert shape(slide=frame).diagram == ()
