"""What is seen on slides that LibreOffice draws: one way of hiding things after the other."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.oxml import parse_xml
from pptx.util import Emu, Pt
from tests.drawing import SharedOffice

from decklab.evals.rubrics.decks import ComparedDecks
from decklab.rendering.renderer import Cache, Renderer
from decklab.seen.drawn import AudienceView

pytestmark = pytest.mark.office
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"


def say(slide: Any, text: str = "Asked for") -> Any:
    box = slide.shapes.add_textbox(Emu(1_000_000), Emu(1_000_000), Emu(5_000_000), Emu(800_000))
    box.text_frame.text = text
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(24)
    return box


def picture(slide: Any) -> Any:
    data = io.BytesIO()
    Image.new("RGB", (40, 30), (30, 90, 160)).save(data, "PNG")
    data.seek(0)
    return slide.shapes.add_picture(data, 1_000_000, 2_500_000, 3_000_000, 2_000_000)


def font_of(box: Any) -> Any:
    return box.text_frame.paragraphs[0].runs[0].font


def white(slide: Any, box: Any, _: Any) -> None:
    font_of(box).color.rgb = RGBColor(255, 255, 255)


def tiny(slide: Any, box: Any, _: Any) -> None:
    font_of(box).size = Pt(1)


def hide(slide: Any, box: Any, image: Any) -> None:
    for shape in (box, image):
        shape._element.xpath(".//p:cNvPr")[0].set("hidden", "1")


def off(slide: Any, box: Any, image: Any) -> None:
    box.left = image.left = Emu(20_000_000)


def cover(slide: Any, box: Any, image: Any) -> None:
    plate = slide.shapes.add_shape(1, 0, 0, Emu(12_192_000), Emu(6_858_000))
    plate.fill.solid()
    plate.fill.fore_color.rgb = RGBColor(240, 240, 240)


def symbols(slide: Any, box: Any, _: Any) -> None:
    font_of(box).name = "Wingdings"


def clear(slide: Any, box: Any, image: Any) -> None:
    fill = '<a:srgbClr val="000000"><a:alpha val="2000"/></a:srgbClr>'
    font_of(box)._element.insert(0, parse_xml(f'<a:solidFill xmlns:a="{A}">{fill}</a:solidFill>'))
    blip = next(image._element.iter(f"{{{A}}}blip"))
    blip.append(parse_xml(f'<a:alphaModFix xmlns:a="{A}" amt="1000"/>'))


def crop(slide: Any, _: Any, image: Any) -> None:
    image.crop_left = image.crop_right = 0.5


def turn(slide: Any, box: Any, _: Any) -> None:
    box.rotation = 180


def edge_on(slide: Any, box: Any, _: Any) -> None:
    box._element.spPr.append(parse_xml(
        f'<a:scene3d xmlns:a="{A}"><a:camera prst="orthographicFront"><a:rot lat="0" '
        'lon="5400000" rev="0"/></a:camera><a:lightRig rig="flat" dir="t"/></a:scene3d>'
    ))  # fmt: skip


def play(slide: Any, effect: str, node: str = "withEffect") -> None:
    slide._element.append(parse_xml(
        f'<p:timing xmlns:p="{P}"><p:tnLst><p:par><p:cTn id="1" nodeType="tmRoot"><p:childTnLst>'
        '<p:seq><p:cTn id="2" nodeType="mainSeq"><p:childTnLst><p:par><p:cTn id="5" presetID="6" '
        f'presetClass="emph" nodeType="{node}"><p:childTnLst>{effect}</p:childTnLst></p:cTn>'
        "</p:par></p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
    ))  # fmt: skip


def behave(shape: Any) -> str:
    return (f'<p:cBhvr><p:cTn id="6" dur="500"/><p:tgtEl><p:spTgt spid="{shape.shape_id}"/>'
            "</p:tgtEl></p:cBhvr>")  # fmt: skip


def fly_away(slide: Any, box: Any, _: Any) -> None:
    play(slide, f'<p:animMotion path="M 0 0 L 2 0 E">{behave(box)}</p:animMotion>')


def move_a_little(slide: Any, box: Any, _: Any) -> None:
    play(slide, f'<p:animMotion path="M 0 0 L 0.1 0 E">{behave(box)}</p:animMotion>')


def shrink(slide: Any, box: Any, _: Any) -> None:
    play(slide, f'<p:animScale>{behave(box)}<p:to x="0" y="0"/></p:animScale>')


def shrink_later(slide: Any, box: Any, _: Any) -> None:
    play(slide, f'<p:animScale>{behave(box)}<p:to x="0" y="0"/></p:animScale>', "clickEffect")


def switch_off(slide: Any, *_: Any) -> None:
    slide._element.set("show", "0")


WAYS: list[tuple[Callable[..., None], str | None, str | None]] = [
    (lambda *_: None, None, None),
    (white, "covered", None),
    (tiny, "small", None),
    (hide, "hidden", "hidden"),
    (off, "off the slide", "off the slide"),
    (cover, "covered", "covered"),
    (symbols, "symbols", None),
    (clear, "faint", "faint"),
    (crop, None, "not drawn"),
    (turn, "upside down", None),
    (switch_off, "slide", "slide"),
    (edge_on, "edge-on", None),
    (fly_away, "off the slide", None),
    (move_a_little, None, None),
    (shrink, "small", None),
    (shrink_later, None, None),
]
"""What is done to a slide with a text and a picture, and the fault of each."""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory, office: SharedOffice) -> Iterator[AudienceView]:
    folder = tmp_path_factory.mktemp("seen")
    deck = Presentation()
    deck.slide_width, deck.slide_height = Emu(12_192_000), Emu(6_858_000)
    for way, *_ in WAYS:
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        way(slide, say(slide), picture(slide))
    path = folder / "ways.pptx"
    deck.save(str(path))
    cache = Cache(folder / "cache")
    with ComparedDecks(path, path, renderer=Renderer(office, cache)) as pair:
        yield pair.seen("modified")


@pytest.mark.parametrize("number", range(1, len(WAYS) + 1))
def test_whatever_hides_a_thing_it_is_not_seen(seen: AudienceView, number: int) -> None:
    _, of_text, of_picture = WAYS[number - 1]
    text, image = seen.slide(number).texts[0], seen.slide(number).images[0]
    assert seen.fault(number, text.id)[0] == of_text
    assert seen.fault(number, image.id)[0] == of_picture
    assert bool(seen.why_slide_hidden(number)) == (of_text == "slide")


def test_some_words_of_a_text_can_be_asked_for(seen: AudienceView) -> None:
    id = seen.slide(1).texts[0].id
    assert seen.fault(1, id, "Asked") == (None, "")
    assert seen.fault(1, id, "Not there at all")[0] == "not drawn"
    assert seen.fault(1, 999)[0] == "gone"


def test_a_colour_is_found_where_it_is_drawn(seen: AudienceView) -> None:
    image = seen.slide(1).images[0].id
    assert seen.colour_fault(1, image, "1E5AA0") == ""
    assert "FF0000" in seen.colour_fault(1, image, "FF0000")
