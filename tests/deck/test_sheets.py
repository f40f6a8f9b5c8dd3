import pytest

PH = '<p:ph type="{}"/>'


def frame_of(deck, slide, layout="", master=""):
    return deck(slide, layout=layout, master=master).slides[0].shapes[0].box


def test_a_frame_comes_from_the_shape_before_layout_and_master(deck, sp, xfrm):
    own = sp(nv=PH.format("title"), xfrm=xfrm(1, 1, 1, 1))
    behind = sp(nv=PH.format("title"), xfrm=xfrm(10, 20, 30, 40))
    assert frame_of(deck, own, behind, behind) == pytest.approx((1, 1, 2, 2))
    bare = sp(nv=PH.format("title"))
    assert frame_of(deck, bare, behind, own) == pytest.approx((10, 20, 40, 60))
    assert frame_of(deck, bare, bare, behind) == pytest.approx((10, 20, 40, 60))
    assert frame_of(deck, bare, bare, bare) is None
    assert frame_of(deck, bare, "", behind) is None


def test_content_finds_its_layout_by_index(deck, sp, xfrm):
    layout = sp(nv='<p:ph type="body" idx="1"/>', xfrm=xfrm(0, 0, 10, 10)) + sp(
        nv='<p:ph type="body" idx="2"/>', xfrm=xfrm(50, 0, 10, 10)
    )
    assert frame_of(deck, sp(nv='<p:ph idx="2"/>'), layout)[0] == pytest.approx(50)
    assert frame_of(deck, sp(nv='<p:ph type="pic" idx="1"/>'), layout)[0] == pytest.approx(0)
    assert frame_of(deck, sp(nv='<p:ph type="body" idx="3"/>'), layout) is None
    assert frame_of(deck, sp(nv='<p:ph type="body"/>'), layout)[0] == pytest.approx(0)


def test_titles_of_both_kinds_stand_for_each_other(deck, sp, xfrm):
    layout = sp(nv='<p:ph type="subTitle" idx="0"/>', xfrm=xfrm(0, 0, 1, 1)) + sp(
        nv=PH.format("ctrTitle"), xfrm=xfrm(7, 0, 1, 1)
    )
    assert frame_of(deck, sp(nv=PH.format("title")), layout)[0] == pytest.approx(7)


@pytest.mark.parametrize("kind", ["dt", "ftr", "sldNum"])
def test_footers_find_theirs_by_type_when_indices_differ(deck, sp, xfrm, kind):
    layout = sp(nv=f'<p:ph type="{kind}" idx="10"/>', xfrm=xfrm(9, 0, 1, 1))
    assert frame_of(deck, sp(nv=f'<p:ph type="{kind}" idx="4"/>'), layout)[0] == pytest.approx(9)


@pytest.mark.parametrize("kind", ["body", "obj", "subTitle", "pic", "chart", "tbl", "media", "dgm"])
def test_all_content_of_a_layout_stands_on_the_masters_body(deck, sp, xfrm, kind):
    holder = f'<p:ph type="{kind}" idx="1"/>'
    master = sp(nv=PH.format("title"), xfrm=xfrm(0, 0, 1, 1)) + sp(
        nv='<p:ph type="body" idx="1"/>', xfrm=xfrm(3, 0, 1, 1)
    )
    found = deck(sp(nv=holder), layout=sp(nv=holder), master=master)
    assert found.slides[0].shapes[0].box[0] == pytest.approx(3)
    assert found.layouts[0].shapes[0].box[0] == pytest.approx(3)


def test_type_and_index_are_told_with_their_defaults(shape, sp):
    plain = shape(sp(nv="<p:ph/>"))
    assert (plain.placeholder, plain.placeholder_idx) == ("obj", 0)
    full = shape(sp(nv='<p:ph type="pic" idx="13"/>'))
    assert (full.placeholder, full.placeholder_idx) == ("pic", 13)
    none = shape(sp())
    assert (none.placeholder, none.placeholder_idx) == (None, None)
