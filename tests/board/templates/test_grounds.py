"""Colours behind text on pictures, sampled; the text that is written there can be read."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from tests.board.templates.conftest import made
from tests.board.templates.test_templates import written

from decklab.board.templates.grounds import GroundPictures
from decklab.board.templates.places import crosses
from decklab.board.templates.reading import read_template
from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Crop

NAVY, WHITE = (0, 0, 64), (255, 255, 255)


def halves(mode: str = "RGB") -> bytes:
    """A picture whose left half is navy and whose right half is white."""
    image = Image.new(mode, (200, 100), WHITE if mode == "RGB" else (*WHITE, 0))
    image.paste(NAVY if mode == "RGB" else (*NAVY, 255), (0, 0, 100, 100))
    data = BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


@pytest.fixture
def pictures() -> GroundPictures:
    return GroundPictures({"a": halves(), "clear": halves("RGBA"), "no": b"<svg/>"}.get)


@pytest.mark.parametrize(
    ("crop", "box", "color"),
    [
        (Crop(), Box(50, 50, 400, 500), "#000040"),
        (Crop(), Box(500, 50, 900, 500), "#FFFFFF"),
        (Crop(), Box(300, 50, 700, 500), None),
        (Crop(left=0.5), Box(50, 50, 400, 500), "#FFFFFF"),
        (Crop(right=0.5), Box(500, 50, 900, 500), "#000040"),
        (Crop(), Box(1000, 50, 1100, 500), None),
    ],
)
def test_the_part_behind_a_box_counts(pictures, crop, box, color):
    assert pictures.color("a", crop, FRAME, box) == color


def test_a_picture_that_is_smaller_than_the_slide(pictures):
    place = Box(480, 0, 960, 540)  # its navy half is the third quarter of the slide
    assert pictures.color("a", Crop(), place, Box(500, 10, 700, 500)) == "#000040"


@pytest.mark.parametrize("digest", ["clear", "no", "unknown", None])
def test_what_cannot_be_sampled_has_no_colour(pictures, digest):
    assert pictures.color(digest, Crop(), FRAME, Box(50, 50, 400, 500)) is None


@pytest.mark.parametrize(("top", "expected"), [(90, 486), (100, None)])
def test_a_band_at_the_foot_of_a_picture_begins_where_its_colour_changes(top, expected):
    image = Image.new("RGB", (200, 100), WHITE)
    image.paste((255, 128, 0), (0, top, 200, 100))
    data = BytesIO()
    image.save(data, "PNG")
    lower = Box(0, 432, 960, 540)
    band = GroundPictures({"a": data.getvalue()}.get).band("a", Crop(), FRAME, lower)
    assert band == (None if expected is None else pytest.approx(expected, abs=12))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (Box(0, 50, 200, 50), True),
        (Box(100, 0, 102, 100), True),
        (Box(0, 1, 200, 1), False),
        (Box(0, 120, 200, 120), False),
        (Box(90, 50, 110, 50), False),
        (Box(0, 20, 200, 80), False),
    ],
)
def test_a_line_crosses_a_place_where_it_is_seen_inside(line, expected):
    assert crosses(line, Box(0, 0, 200, 100)) is expected


def white_titles_on_white(deck: Any) -> None:
    """All titles are white, on a background that is a white picture."""
    white = BytesIO()
    Image.new("RGB", (40, 30), WHITE).save(white, "PNG")
    for layout in deck.slide_layouts:
        _, link = layout.part.get_or_add_image_part(white)
        layout._element.cSld.insert(0, parse_xml(
            f'<p:bg {nsdecls("p", "a", "r")}><p:bgPr><a:blipFill><a:blip r:embed="{link}"/>'
            "<a:stretch><a:fillRect/></a:stretch></a:blipFill><a:effectLst/></p:bgPr></p:bg>"
        ))  # fmt: skip
    style = deck.slide_master._element.xpath(".//p:titleStyle/a:lvl1pPr/a:defRPr/a:solidFill")[0]
    style[0].getparent().replace(style[0], parse_xml(f'<a:srgbClr {nsdecls("a")} val="FFFFFF"/>'))


def test_a_white_title_on_a_white_picture_gets_the_colour_of_text(tmp_path: Path) -> None:
    template = made(tmp_path / "white.pptx", white_titles_on_white, slides=0)
    layout = next(one for one in read_template(template).layouts if one.title)
    assert layout.title is not None
    assert (layout.ground, layout.title.ground) == ("#FFFFFF", "#FFFFFF")
    text = {"layout": "body", "title": "Text", "body": [{"text": x} for x in "ABCD"]}
    deck = written(template, tmp_path / "deck.pptx", text)
    [slide] = deck.slides
    font = slide.shapes.title.text_frame.paragraphs[0].runs[0].font
    assert font.color.theme_color is not None and font.color.theme_color.name == "TEXT_1"
    body = next(one for one in slide.placeholders if one.placeholder_format.idx == 1)
    assert body.text_frame.paragraphs[0].runs[0].font.color.type is None  # it reads as it is
