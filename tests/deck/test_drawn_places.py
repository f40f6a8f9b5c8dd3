"""Where lines run and how pictures are cut, against what LibreOffice draws."""

import io
import subprocess

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from decklab.deck.reading import read_elements
from decklab.ooxml.package import Package

RED = '<a:ln w="63500"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:ln>'
TURNS = (
    "", 'flipH="1"', 'flipV="1"', 'flipH="1" flipV="1"', 'rot="5400000"',
    'rot="2700000" flipV="1"', 'rot="16200000" flipH="1"',
)  # fmt: skip
CUT = '<a:srcRect l="25000"/><a:stretch><a:fillRect/></a:stretch>'
STRETCHED = '<a:stretch><a:fillRect l="-50000"/></a:stretch>'
"""LibreOffice 7.4 cuts pictures only in this way, and areas only in that."""
REACH = 3  # px around an end that its thick stroke colours
MOST_PIXELS_OFF = 4


@pytest.fixture
def drawn(tmp_path, pack):
    """The elements of a deck's slide, and its picture as LibreOffice draws it, 960 px wide."""

    def draw(parts):
        path = tmp_path / "deck.pptx"
        path.write_bytes(pack(parts))
        command = ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless"]
        command += ["--convert-to", "pdf", "--outdir", str(tmp_path), str(path)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        with pypdfium2.PdfDocument(tmp_path / "deck.pdf") as pdf:
            page = pdf[0]
            picture = page.render(scale=960 / page.get_width(), rev_byteorder=True).to_numpy()
        with Package.open(path) as package:
            return read_elements(package).slides[0], picture

    return draw


def line(id, place):
    return (
        f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="{id}" name="L{id}"/><p:cNvCxnSpPr/><p:nvPr/>'
        f'</p:nvCxnSpPr><p:spPr>{place}<a:prstGeom prst="line"/>{RED}</p:spPr></p:cxnSp>'
    )


def is_red(picture, x, y):
    around = picture[int(y) - REACH : int(y) + REACH, int(x) - REACH : int(x) + REACH]
    return bool(((around[..., 0] > 150) & (around[..., 1] < 100)).any())


@pytest.mark.office
def test_lines_begin_and_end_where_they_are_drawn(drawn, parts, xfrm):
    shapes = "".join(
        line(10 + n, xfrm(30 + 130 * n, 60, 90, 50, turn)) for n, turn in enumerate(TURNS)
    )
    for n, turn in enumerate(TURNS[:6]):
        place = xfrm(30 + 150 * n, 300, 100, 100, turn, child=(0, 0, 100, 100))
        inner = line(40 + n, xfrm(10, 30, 80, 40, 'flipV="1"'))
        shapes += (
            f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{30 + n}" name="G"/><p:cNvGrpSpPr/><p:nvPr/>'
            f"</p:nvGrpSpPr><p:grpSpPr>{place}</p:grpSpPr>{inner}</p:grpSp>"
        )
    slide, picture = drawn(parts(shapes))
    assert len(slide.lines) == len(TURNS) + 6
    for one in slide.lines:
        middle = (one.x1 + one.x2) / 2, (one.y1 + one.y2) / 2
        across = one.x2 - one.x1, one.y2 - one.y1
        for share in (-0.48, 0, 0.48):
            where = middle[0] + share * across[0], middle[1] + share * across[1]
            assert is_red(picture, *where), (one.name, where)


@pytest.mark.long
@pytest.mark.office
def test_pictures_are_cut_where_they_are_drawn(drawn, parts, xfrm, related, sp):
    data = io.BytesIO()
    halves = np.zeros((40, 80, 3), np.uint8)
    halves[:, :40] = 255, 0, 0
    halves[:, 40:] = 0, 0, 255
    Image.fromarray(halves).save(data, "PNG")
    blip = '<a:blip r:embed="rP"/>'
    picture_shape = (
        '<p:pic><p:nvPicPr><p:cNvPr id="5" name="P"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        f"<p:blipFill>{blip}{CUT}</p:blipFill><p:spPr>{xfrm(20, 100, 200, 100)}"
        '<a:prstGeom prst="rect"/></p:spPr></p:pic>'
    )
    area = f'<a:prstGeom prst="rect"/><a:blipFill>{blip}{STRETCHED}</a:blipFill>'
    links = (related("rP", "image", "media/a.png"),)
    shapes = picture_shape + sp(area, xfrm=xfrm(320, 100, 200, 100))
    slide, picture = drawn(parts(shapes, links=links, parts={"ppt/media/a.png": data.getvalue()}))
    (image,), (rect,) = slide.images, slide.rects
    for one, crop in ((image, image.crop), (rect, rect.paint.crop)):
        row = picture[int(one.y + one.h / 2), int(one.x) + 2 : int(one.x + one.w) - 2]
        red = int((row[:, 0] > row[:, 2]).sum()) + 2
        shown = (0.5 - crop.left) / (1 - crop.left - crop.right) * one.w
        assert red == pytest.approx(shown, abs=MOST_PIXELS_OFF), one.name
