import pytest

GRAPHIC = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="Frame"/><p:cNvGraphicFramePr/>'
    "<p:nvPr/></p:nvGraphicFramePr>"
    '<p:xfrm><a:off x="100000" y="200000"/><a:ext cx="300000" cy="400000"/></p:xfrm>'
    '<a:graphic><a:graphicData uri="{}">{}</a:graphicData></a:graphic></p:graphicFrame>'
)


@pytest.mark.parametrize(
    ("uri", "kind"),
    [
        ("http://schemas.openxmlformats.org/drawingml/2006/table", "table"),
        ("http://schemas.openxmlformats.org/drawingml/2006/diagram", "smartart"),
        ("http://schemas.openxmlformats.org/presentationml/2006/ole", "ole"),
        ("http://purl.oclc.org/ooxml/drawingml/table", "table"),
        ("http://example.org/other", "unknown"),
        ("", "unknown"),
    ],
)
def test_graphic_frames_are_told_apart_by_what_they_hold(shape, uri, kind):
    found = shape(GRAPHIC.format(uri, ""))
    assert (found.kind, found.label) == (kind, "Frame (id 3)")
    assert found.box == pytest.approx((10, 20, 40, 60))
    assert (found.chart, found.media, found.text, found.picture) == (None,) * 4


def test_a_graphic_frame_without_graphic_is_unknown(shape):
    found = shape("<p:graphicFrame><p:nvGraphicFramePr/></p:graphicFrame>")
    assert (found.kind, found.id, found.name, found.box) == ("unknown", 0, "graphicFrame", None)


def test_an_ole_object_counts_once_whichever_way_it_is_shown(deck):
    inner = (
        '<mc:AlternateContent><mc:Choice Requires="v"><p:oleObj/></mc:Choice><mc:Fallback>'
        '<p:oleObj><p:pic><p:nvPicPr><p:cNvPr id="0" name=""/></p:nvPicPr></p:pic></p:oleObj>'
        "</mc:Fallback></mc:AlternateContent>"
    )
    uri = "http://schemas.openxmlformats.org/presentationml/2006/ole"
    (found,) = deck(GRAPHIC.format(uri, inner)).slides[0].shapes
    assert (found.kind, found.id) == ("ole", 3)


def test_ink_is_kept_as_unknown_with_its_name_and_place(deck):
    ink = (
        '<mc:AlternateContent><mc:Choice Requires="p14 aink"><p:contentPart r:id="rI">'
        '<p14:nvContentPartPr><p14:cNvPr id="6" name="Ink 5"/></p14:nvContentPartPr>'
        '<p14:xfrm><a:off x="0" y="0"/><a:ext cx="10000" cy="20000"/></p14:xfrm></p:contentPart>'
        "</mc:Choice><mc:Fallback><p:pic/></mc:Fallback></mc:AlternateContent>"
    )
    (found,) = deck(ink).slides[0].shapes
    assert (found.kind, found.label) == ("unknown", "Ink 5 (id 6)")
    assert found.box == pytest.approx((0, 0, 1, 2))


def test_elements_nobody_knows_are_kept_and_named(deck):
    odd = '<p:novelty><p:nvNoveltyPr><p:cNvPr id="8" name="New"/></p:nvNoveltyPr></p:novelty>'
    bare = '<p15:other/><p:extLst><p:ext uri="x"/></p:extLst>'
    found = deck(odd + bare).slides[0].shapes
    assert [(item.kind, item.label) for item in found] == [
        ("unknown", "New (id 8)"),
        ("unknown", "other (id 0)"),
    ]


def test_a_model_that_only_newer_programs_show_is_its_picture(deck):
    inner = (
        '<mc:AlternateContent><mc:Choice Requires="am3d"><p:graphicFrame/></mc:Choice>'
        '<mc:Fallback><p:pic><p:nvPicPr><p:cNvPr id="4" name="Model"/></p:nvPicPr></p:pic>'
        "</mc:Fallback></mc:AlternateContent>"
    )
    (found,) = deck(inner).slides[0].shapes
    assert (found.kind, found.name) == ("picture", "Model")


def test_shapes_come_in_drawing_order_with_groups_before_members(deck, sp):
    def group(id, inner):
        names = f'<p:nvGrpSpPr><p:cNvPr id="{id}" name="Group"/></p:nvGrpSpPr>'
        return f"<p:grpSp>{names}<p:grpSpPr/>{inner}</p:grpSp>"

    text = sp(id=2) + group(3, sp(id=4) + group(5, sp(id=6))) + group(7, "") + sp(id=8)
    found = deck(text).slides[0]
    assert [(item.id, item.z, item.groups) for item in found.shapes] == [
        (2, 0, ()), (3, 1, ()), (4, 2, (3,)), (5, 3, (3,)), (6, 4, (3, 5)), (7, 5, ()), (8, 6, ()),
    ]  # fmt: skip
    assert [item.kind for item in found.shapes].count("group") == 3
    assert found.shape(6).groups == (3, 5)
    assert found.shape(99) is None


def test_connectors_know_what_they_are_glued_to(shape):
    text = (
        '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="5" name="Line"/><p:cNvCxnSpPr>{}</p:cNvCxnSpPr>'
        '<p:nvPr/></p:nvCxnSpPr><p:spPr><a:prstGeom prst="line"/></p:spPr></p:cxnSp>'
    )
    glued = shape(text.format('<a:stCxn id="2" idx="0"/><a:endCxn id="3" idx="1"/>'))
    assert (glued.kind, glued.connects, glued.geometry) == ("connector", (2, 3), "line")
    assert shape(text.format('<a:endCxn id="3"/>')).connects == (None, 3)
    assert shape(text.format("")).connects == (None, None)


def test_geometry_is_told_also_where_a_placeholder_inherits_it(shape, sp):
    assert shape(sp('<a:prstGeom prst="chevron"/>')).geometry == "chevron"
    assert shape(sp("<a:custGeom/>")).geometry == "custom"
    assert shape(sp()).geometry is None
    layout = sp('<a:prstGeom prst="ellipse"/>', nv="<p:ph/>")
    assert shape(sp(nv="<p:ph/>"), layout=layout).geometry == "ellipse"


def test_hidden_shapes_hide_their_members_too(deck, sp):
    names = '<p:nvGrpSpPr><p:cNvPr id="3" name="Group" hidden="1"/></p:nvGrpSpPr>'
    text = sp(cnv='hidden="true"') + sp() + f"<p:grpSp>{names}<p:grpSpPr/>{sp()}</p:grpSp>"
    found = deck(text).slides[0].shapes
    assert [item.hidden for item in found] == [True, False, True, True]


def test_alternative_text_is_read(shape, sp):
    assert shape(sp(cnv='descr="A red chart"')).alt_text == "A red chart"
    assert shape(sp()).alt_text == ""


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "<a:xfrm/>",
        '<a:xfrm><a:off x="1" y="2"/></a:xfrm>',
        '<a:xfrm><a:off x="1" y="two"/><a:ext cx="1" cy="1"/></a:xfrm>',
        '<a:xfrm><a:off x="1" y="1e9"/><a:ext cx="1" cy="1"/></a:xfrm>',
    ],
)
def test_a_shape_without_full_position_has_no_box(shape, sp, frame):
    found = shape(sp(xfrm=frame))
    assert (found.box, found.rotation) == (None, 0)


def test_shapes_may_lie_off_the_slide_and_be_measured_in_inches(shape, sp):
    inches = '<a:xfrm rot="-5400000"><a:off x="-1in" y="0"/><a:ext cx="2in" cy="1in"/></a:xfrm>'
    found = shape(sp(xfrm=inches))
    assert found.box == pytest.approx((-91.44, 0, 91.44, 91.44))
    assert found.rotation == 270
