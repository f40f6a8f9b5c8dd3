import io

import pytest
from PIL import Image

PIC = (
    '<p:pic><p:nvPicPr><p:cNvPr id="2" name="Picture"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
    "<p:blipFill>{}</p:blipFill><p:spPr/></p:pic>"
)
SVG = '<a:extLst><a:ext uri="{{x}}"><asvg:svgBlip r:embed="{}"/></a:ext></a:extLst>'


def raster(kind="PNG", size=(30, 20), **options):
    out = io.BytesIO()
    Image.new("RGB", size).save(out, kind, **options)
    return out.getvalue()


@pytest.fixture
def picture(shape, related):
    def read(blip, name="a.png", data=None, mode="Internal"):
        parts = {} if data is None else {f"ppt/media/{name}": data}
        parts["ppt/media/drawing.svg"] = b"<svg/>"
        links = (
            related("rP", "image", name if mode == "External" else f"media/{name}", mode),
            related("rV", "image", "media/drawing.svg"),
        )
        return shape(PIC.format(blip), links=links, parts=parts)

    return read


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP"])
def test_pixels_are_told_for_every_raster_format(picture, kind):
    found = picture('<a:blip r:embed="rP"/>', data=raster(kind))
    assert (found.kind, found.picture.part) == ("picture", "ppt/media/a.png")
    assert (found.picture.pixels, found.picture.vector) == ((30, 20), False)
    assert found.picture.content_type == "image/png"


def test_a_header_behind_much_metadata_is_found(picture):
    late = raster("JPEG", icc_profile=bytes(300_000))
    assert late.index(b"\xff\xc0") > 64 * 1024
    assert picture('<a:blip r:embed="rP"/>', data=late).picture.pixels == (30, 20)


@pytest.mark.filterwarnings("error")
def test_huge_images_are_measured_and_not_unpacked(picture):
    wide = raster("BMP", (1, 1))
    wide = wide[:18] + (12_000).to_bytes(4, "little") + (9_000).to_bytes(4, "little") + wide[26:]
    assert picture('<a:blip r:embed="rP"/>', data=wide).picture.pixels == (12_000, 9_000)


@pytest.mark.parametrize(
    "data", [b"", b"no image", raster()[:20], b"\x89PNG\r\n\x1a\n" + b"\xff" * 99]
)
def test_unreadable_images_have_no_pixels(picture, data):
    found = picture('<a:blip r:embed="rP"/>', data=data)
    assert (found.picture.part, found.picture.pixels) == ("ppt/media/a.png", None)


def test_metafiles_are_vectors(picture):
    found = picture('<a:blip r:embed="rP"/>', "a.emf", b"x").picture
    assert (found.vector, found.pixels, found.content_type) == (True, None, "image/x-emf")


def test_an_svg_counts_before_the_bitmap_beside_it(picture):
    found = picture(f'<a:blip r:embed="rP">{SVG.format("rV")}</a:blip>', data=raster()).picture
    assert (found.part, found.vector, found.pixels) == ("ppt/media/drawing.svg", True, None)
    assert found.content_type == "image/svg+xml"


def test_a_missing_svg_leaves_the_bitmap(picture):
    found = picture(f'<a:blip r:embed="rP">{SVG.format("rNone")}</a:blip>', data=raster()).picture
    assert (found.part, found.vector) == ("ppt/media/a.png", False)


def test_a_linked_image_is_named_and_not_opened(picture):
    found = picture('<a:blip r:link="rP"/>', "file:///etc/passwd", mode="External").picture
    assert (found.part, found.link, found.pixels) == (None, "file:///etc/passwd", None)


def test_a_missing_image_is_a_picture_without_part_and_a_problem(deck, related):
    found = deck(PIC.format('<a:blip r:embed="rNone"/>'))
    picture = found.slides[0].shapes[0].picture
    assert (picture.part, picture.link, picture.pixels) == (None, None, None)
    assert found.problems == ("ppt/slide.xml: the image that rNone stands for is not there",)
    gone = deck(PIC.format('<a:blip r:embed="rP"/>'), links=(related("rP", "image", "NULL"),))
    assert gone.slides[0].shapes[0].picture.part is None
    assert len(gone.problems) == 1


@pytest.mark.parametrize("blip", ["", "<a:blip/>", '<a:blip r:embed=""/>'])
def test_a_picture_may_have_no_image_at_all(picture, blip):
    found = picture(blip)
    assert (found.kind, found.picture) == ("picture", None)


def test_a_picture_fill_is_told_on_any_shape(shape, sp, related):
    found = shape(
        sp('<a:blipFill><a:blip r:embed="rP"/></a:blipFill>'),
        links=(related("rP", "image", "media/a.png"),),
        parts={"ppt/media/a.png": raster()},
    )
    assert (found.kind, found.filled, found.picture.pixels) == ("shape", True, (30, 20))
