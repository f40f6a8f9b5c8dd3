import pytest

BG = "<p:bg><p:bgPr>{}<a:effectLst/></p:bgPr></p:bg>"


@pytest.mark.parametrize(
    ("fill", "kind"),
    [
        ("<a:solidFill/>", "solid"),
        ("<a:gradFill/>", "gradient"),
        ("<a:pattFill/>", "pattern"),
        ("<a:blipFill/>", "picture"),
    ],
)
def test_the_kind_of_a_background_is_told(deck, fill, kind):
    background = deck(background=BG.format(fill)).slides[0].background
    assert (background.kind, background.picture) == (kind, None)


@pytest.mark.parametrize("background", ["", BG.format(""), BG.format("<a:noFill/>"), "<p:bg/>"])
def test_a_slide_may_set_no_background(deck, background):
    assert deck(background=background).slides[0].background is None


def test_a_picture_behind_a_slide_is_told(deck, related):
    fill = BG.format('<a:blipFill><a:blip r:embed="rP"/></a:blipFill>')
    links = (related("rP", "image", "media/a.png"),)
    found = deck(background=fill, links=links, parts={"ppt/media/a.png": b"x"}).slides[0]
    assert found.background.picture.part == "ppt/media/a.png"


@pytest.mark.parametrize(
    ("idx", "part"), [(1001, None), (1002, "ppt/media/paper.png"), (1003, None), (0, None)]
)
def test_a_themes_background_is_looked_up_with_its_picture(deck, idx, part):
    reference = f'<p:bg><p:bgRef idx="{idx}"/></p:bg>'
    paper = {"ppt/media/paper.png": b"x"}
    found = deck(background=reference, master_background=reference, parts=paper)
    for background in (found.slides[0].background, found.masters[0].background):
        assert background.kind == "theme"
        assert (background.picture and background.picture.part) == part
