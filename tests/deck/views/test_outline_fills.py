import pytest

SOLID = '<a:solidFill><a:srgbClr val="00ff7f"/></a:solidFill>'


@pytest.mark.parametrize(
    ("fill", "filled"),
    [
        ("", False),
        ("<a:noFill/>", False),
        (SOLID, True),
        ("<a:gradFill/>", True),
        ("<a:pattFill/>", True),
        ("<a:blipFill/>", True),
        ("<a:grpFill/>", False),
    ],
)
def test_a_shapes_own_fill_paints_it(shape, sp, fill, filled):
    assert shape(sp(fill)).filled is filled


def styled(sp, properties, line, fill):
    style = f'<p:style><a:lnRef idx="{line}"/><a:fillRef idx="{fill}"/></p:style>'
    return sp(properties).replace("</p:spPr>", f"</p:spPr>{style}")


def test_a_style_paints_where_the_shape_says_nothing(shape, sp):
    assert shape(styled(sp, "", 2, 1)).filled
    assert shape(styled(sp, "", 2, 1)).outlined
    assert not shape(styled(sp, "", 0, 0)).filled
    assert not shape(styled(sp, "", 0, 0)).outlined
    assert not shape(styled(sp, "<a:noFill/><a:ln><a:noFill/></a:ln>", 2, 1)).filled
    assert not shape(styled(sp, "<a:noFill/><a:ln><a:noFill/></a:ln>", 2, 1)).outlined


def test_a_placeholder_paints_what_its_layout_says(deck, sp):
    slide, layout = sp(nv="<p:ph/>"), sp(f"{SOLID}<a:ln>{SOLID}</a:ln>", nv="<p:ph/>")
    found = deck(slide, layout=layout).slides[0].shapes[0]
    assert (found.filled, found.outlined, found.fill_color) == (True, True, None)


def test_the_slides_background_can_be_the_fill(shape, sp):
    assert shape(sp(more='useBgFill="1"')).filled


def test_members_take_the_fill_of_their_group(deck, sp):
    member = sp("<a:grpFill/>")
    for fill, filled in ((SOLID, True), ("<a:noFill/>", False), ("", False)):
        group = f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr>{fill}</p:grpSpPr>{member}</p:grpSp>"
        assert deck(group).slides[0].shapes[1].filled is filled


def test_a_line_needs_a_fill_to_be_drawn(shape, sp):
    assert shape(sp(f'<a:ln w="12700">{SOLID}</a:ln>')).outlined
    assert not shape(sp('<a:ln w="12700"/>')).outlined
