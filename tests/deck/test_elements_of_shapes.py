from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Pt

from decklab.deck.frames import Frame, ends_of

RED = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
RED_LINE = f'<a:ln w="25400">{RED}</a:ln>'
A16 = "http://schemas.microsoft.com/office/drawing/2014/main"
ADEC = "http://schemas.microsoft.com/office/drawing/2017/decorative"


def test_a_blank_slide_has_no_elements(slide_of):
    slide = slide_of()
    assert slide.elements() == ()
    assert (slide.background, slide.title, slide.notes) == ("#FAFBFC", None, None)


def test_a_painted_shape_with_text_is_an_area_and_a_text_of_one_id(slide_of, sp, xfrm):
    body = "<a:bodyPr/><a:p><a:r><a:t>Hi</a:t></a:r></a:p>"
    slide = slide_of(sp(RED, body, id=7, name="Box", xfrm=xfrm(1, 2, 3, 4)))
    (rect,), (text,) = slide.rects, slide.texts
    assert (rect.id, rect.z, rect.name) == (text.id, text.z, text.name) == (7, 0, "Box")
    assert (rect.fill, rect.stroke, rect.strokeWidth) == ("#FF0000", None, 0)
    assert rect.sources == {"fill": "shape"}
    assert slide.elements() == (rect, text)


def test_a_rounded_rectangle_has_its_corner_radius(slide_of, sp, xfrm):
    plain = f'<a:prstGeom prst="roundRect"><a:avLst/></a:prstGeom>{RED}'
    half = plain.replace("<a:avLst/>", '<a:avLst><a:gd name="adj" fmla="val 90000"/></a:avLst>')
    place = xfrm(0, 0, 120, 60)
    slide = slide_of(sp(plain, xfrm=place) + sp(half, id=3, xfrm=place) + sp(RED, id=4, xfrm=place))
    assert [rect.rx for rect in slide.rects] == [10.0, 30.0, 0.0]
    assert slide.rects[1].adjustments == {"adj": 90000}


def test_names_marks_and_states_are_kept(slide_of, sp, xfrm):
    marked = (
        f'<p:sp><p:nvSpPr><p:cNvPr id="4" name="S" descr="A box" title="T" hidden="1"><a:extLst>'
        f'<a:ext uri="a"><x:creationId xmlns:x="{A16}" id="{{0}}"/></a:ext><a:ext uri="b">'
        f'<y:decorative xmlns:y="{ADEC}" val="1"/></a:ext></a:extLst></p:cNvPr><p:cNvSpPr/>'
        f"<p:nvPr/></p:nvSpPr><p:spPr>{xfrm(0, 0, 1, 1)}{RED}</p:spPr></p:sp>"
    )
    (rect,) = slide_of(marked).rects
    assert (rect.alt_text, rect.alt_title, rect.hidden) == ("A box", "T", True)
    assert (rect.creation_id, rect.decorative) == ("{0}", True)


def test_a_shape_that_is_nowhere_says_so(slide_of, sp):
    (rect,) = slide_of(sp(RED)).rects
    assert not rect.placed
    assert (rect.x, rect.y, rect.w, rect.h) == (0, 0, 0, 0)


def test_unknown_things_are_kept_and_named(slide_of):
    content = '<p:contentPart r:id="rX"/>'
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="G"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData uri="http://x/thing">'
        "<a:t>inside</a:t></a:graphicData></a:graphic></p:graphicFrame>"
    )
    slide = slide_of(content + frame + "<p:whatever/>")
    assert [(o.what, o.name, o.text) for o in slide.others] == [
        ("contentPart", "contentPart", ""), ("thing", "G", "inside"), ("whatever", "whatever", ""),
    ]  # fmt: skip


def test_an_ole_object_names_its_program_and_its_bytes(slide_of, related):
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="G"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData '
        'uri="http://schemas.openxmlformats.org/presentationml/2006/ole"><p:oleObj '
        'progId="Excel.Sheet.12" r:id="rO"><p:embed/></p:oleObj></a:graphicData></a:graphic>'
        "</p:graphicFrame>"
    )  # fmt: skip
    slide = slide_of(
        frame, links=(related("rO", "package", "book.xlsx"),), parts={"ppt/book.xlsx": b"abc"}
    )
    (other,) = slide.others
    assert (other.what, other.detail) == ("ole", "Excel.Sheet.12")
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert other.sha256 == known  # of "abc", FIPS 180-4


def test_a_slide_on_a_4_to_3_page_is_stretched_to_the_frame(slide_of, sp, xfrm):
    slide = slide_of(sp(RED, xfrm=xfrm(720, 0, 10, 10)), size='cx="9144000" cy="6858000"')
    (rect,) = slide.rects
    assert rect.x == pytest.approx(720 * 10_000 * 960 / 9_144_000, abs=0.006)
    assert rect.h == pytest.approx(10 * 10_000 * 540 / 6_858_000, abs=0.006)
    assert slide.size_pt == (720.0, 540.0)
    assert (slide.size.w, slide.size.h) == (960, 540)


def test_connectors_of_python_pptx_begin_and_end_where_it_says(presentation, saved):
    page = presentation.slides.add_slide(presentation.slide_layouts[6])
    ends = [(10, 20, 110, 220), (110, 220, 10, 20), (110, 20, 10, 220), (10, 220, 110, 20)]
    for kind in (MSO_CONNECTOR.STRAIGHT, MSO_CONNECTOR.ELBOW):
        for one in ends:
            page.shapes.add_connector(kind, *(Pt(value) for value in one))
    lines = saved(presentation).slides[0].lines
    assert [(line.x1, line.y1, line.x2, line.y2) for line in lines] == ends * 2
    assert [line.geometry for line in lines[::4]] == ["line", "bentConnector3"]


def test_a_glued_connector_knows_what_it_is_glued_to(presentation, saved):
    page = presentation.slides.add_slide(presentation.slide_layouts[6])
    boxes = [
        page.shapes.add_shape(MSO_SHAPE.RECTANGLE, Pt(x), Pt(100), Pt(50), Pt(50)) for x in (0, 200)
    ]
    line = page.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 0, 0)
    line.begin_connect(boxes[0], 3)
    line.end_connect(boxes[1], 1)
    (found,) = saved(presentation).slides[0].lines
    assert (found.start, found.start_site) == (boxes[0].shape_id, 3)
    assert (found.end, found.end_site) == (boxes[1].shape_id, 1)
    assert (found.x1, found.y1, found.x2, found.y2) == (50, 125, 200, 125)


lengths, sizes = st.floats(-1e6, 1e6), st.floats(1, 1e6)
frames = st.builds(
    Frame, lengths, lengths, sizes, sizes, st.floats(0, 359.9), st.booleans(), st.booleans()
)


@given(frames, st.booleans())
def test_a_line_runs_between_opposite_corners_flipped_then_turned(frame, rising):
    first = (0.0, 1.0) if rising else (0.0, 0.0)
    corners = (first, (1.0, 1.0 - first[1]))
    for corner, end in zip(corners, ends_of(frame, rising=rising), strict=True):
        x = 1 - corner[0] if frame.flip_h else corner[0]
        y = 1 - corner[1] if frame.flip_v else corner[1]
        dx, dy = (x - 0.5) * frame.width, (y - 0.5) * frame.height
        turn = radians(frame.rotation)
        assert end[0] == pytest.approx(
            frame.left + frame.width / 2 + dx * cos(turn) - dy * sin(turn), abs=1e-3
        )
        assert end[1] == pytest.approx(
            frame.top + frame.height / 2 + dx * sin(turn) + dy * cos(turn), abs=1e-3
        )


def test_a_line_in_a_flipped_group_is_flipped_with_it(slide_of, xfrm):
    place = xfrm(100, 100, 100, 100, 'flipH="1"', child=(0, 0, 50, 50))
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="5" name="G"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr>{place}"
        '</p:grpSpPr><p:cxnSp><p:nvCxnSpPr><p:cNvPr id="6" name="L"/><p:cNvCxnSpPr/><p:nvPr/>'
        f"</p:nvCxnSpPr><p:spPr>{xfrm(0, 0, 50, 25)}{RED_LINE}</p:spPr></p:cxnSp></p:grpSp>"
    )  # fmt: skip
    slide = slide_of(group)
    (line,) = slide.lines
    assert (line.x1, line.y1, line.x2, line.y2) == (200, 100, 100, 150)
    assert (line.groups, line.stroke, line.strokeWidth) == ((5,), "#FF0000", 2.0)
    assert [g.name for g in slide.groups] == ["G"]


def test_groups_that_stretch_beyond_all_bounds_leave_their_members_nowhere(slide_of, sp, xfrm):
    inner = sp(RED, xfrm=xfrm(0, 0, 10, 10))
    most = "9" * 18
    for id in range(10, 35):
        inner = (
            f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{id}" name="G"/></p:nvGrpSpPr><p:grpSpPr><a:xfrm>'
            f'<a:off x="0" y="0"/><a:ext cx="{most}" cy="{most}"/><a:chOff x="0" y="0"/>'
            f'<a:chExt cx="1" cy="1"/></a:xfrm></p:grpSpPr>{inner}</p:grpSp>'
        )
    (rect,) = slide_of(inner).rects
    assert (rect.placed, rect.x, rect.w) == (False, 0, 0)


@pytest.mark.parametrize("preset", ["bentConnector3", "curvedConnector2", "straightConnector1"])
def test_a_connector_that_the_file_calls_a_shape_is_a_line(slide_of, sp, xfrm, preset):
    geometry = f'<a:prstGeom prst="{preset}"/><a:ln w="12700">{RED}</a:ln>'
    slide = slide_of(sp(geometry, xfrm=xfrm(10, 20, 30, 40, 'flipV="1"')))
    (line,) = slide.lines
    assert (line.x1, line.y1, line.x2, line.y2) == (10, 60, 40, 20)
    assert (line.geometry, slide.rects) == (preset, ())


def test_effects_and_grounds_say_who_states_them(slide_of, sp, xfrm, related):
    shadow = "<a:effectLst><a:outerShdw/></a:effectLst>"
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="5" name="P"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        f"<p:blipFill/><p:spPr>{xfrm(0, 0, 9, 9)}{RED}{shadow}</p:spPr></p:pic>"
    )
    slide = slide_of(sp(RED + shadow, xfrm=xfrm(0, 0, 9, 9)) + picture)
    assert slide.rects[0].sources == {"fill": "shape", "effects": "shape"}
    assert slide.images[0].sources == {"paint": "shape", "effects": "shape"}


def test_controls_are_kept_over_the_shapes(parts, of_parts, related, sp, xfrm):
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="9" name="Box"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        f"<p:blipFill/><p:spPr>{xfrm(10, 20, 30, 40)}</p:spPr></p:pic>"
    )
    controls = (
        '<p:controls><mc:AlternateContent><mc:Choice xmlns:v="urn:schemas-microsoft-com:vml" '
        'Requires="v"><p:control name="TextBox1" r:id="rX"/></mc:Choice><mc:Fallback>'
        f'<p:control name="TextBox1" r:id="rX">{picture}</p:control></mc:Fallback>'
        '</mc:AlternateContent><p:control name="Old"/></p:controls>'
    )
    deck = parts(
        sp(RED, xfrm=xfrm(0, 0, 9, 9)),
        links=(related("rX", "control", "activeX1.xml"),),
        parts={
            "ppt/activeX1.xml": b'<ax:ocx xmlns:ax="http://schemas.microsoft.com/office/2006/'
            b'activeX" ax:classid="{8BD21D10-EC42-11CE-9E0D-00AA006002F3}"/>'
        },
    )
    deck["ppt/slide.xml"] = deck["ppt/slide.xml"].replace(
        b"</p:cSld>", controls.encode() + b"</p:cSld>"
    )
    first, second = of_parts(deck).slides[0].others
    assert (first.what, first.name, first.id, first.z) == ("control", "TextBox1", 9, 1)
    assert (first.x, first.y, first.w, first.h) == (10, 20, 30, 40)
    assert first.detail == "{8BD21D10-EC42-11CE-9E0D-00AA006002F3}"
    assert (second.name, second.z, second.placed) == ("Old", 2, False)
