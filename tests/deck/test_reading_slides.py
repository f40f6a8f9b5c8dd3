"""Some slides of a deck, and what an empty text or a picture with alternatives keeps."""

import io

import pytest

from decklab.core.errors import DeckError
from decklab.deck.reading import read_elements, read_slides
from decklab.ooxml.package import Package


def opened(presentation):
    out = io.BytesIO()
    presentation.save(out)
    return Package.from_bytes(out.getvalue(), "talk.pptx")


def test_the_slides_asked_for_are_those_of_the_whole_deck(presentation):
    for number in range(4):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = f"Slide {number}"
    with opened(presentation) as package:
        whole = read_elements(package).slides
        assert read_slides(package, [4, 2]) == (whole[1], whole[3])
        assert read_slides(package, []) == ()


def test_a_number_without_a_slide_is_named(presentation):
    with (
        opened(presentation) as package,
        pytest.raises(DeckError, match=r"talk\.pptx: there is no slide 1; the deck has 0"),
    ):
        read_slides(package, [1])


def test_an_empty_text_has_the_style_of_its_paragraphs_end(slide_of):
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
        '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="100" cy="100"/></a:xfrm></p:spPr>'
        '<p:txBody><a:bodyPr/><a:p><a:endParaRPr sz="3300" b="1"><a:latin typeface="Gill Sans"/>'
        "</a:endParaRPr></a:p></p:txBody></p:sp>"
    )
    (text,) = slide_of(shape).texts
    assert (text.font.name, text.font.size, text.font.style) == ("Gill Sans", 33.0, ("bold",))
    assert text.sources["font.size"] == "run"


@pytest.mark.parametrize("branch", ["Choice", "Fallback"])
def test_a_picture_in_alternative_content_has_its_image(slide_of, related, branch):
    def fill(id):
        return f'<p:blipFill><a:blip r:embed="{id}"/></p:blipFill>'

    known = branch == "Choice"
    requires = "a14" if known else "pdf"
    shape = (
        '<p:pic><p:nvPicPr><p:cNvPr id="2" name="Pic"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        f'<mc:AlternateContent xmlns:pdf="urn:pdf"><mc:Choice Requires="{requires}">'
        f'{fill("r8" if known else "rNone")}</mc:Choice><mc:Fallback>'
        f'{fill("rNone" if known else "r8")}</mc:Fallback></mc:AlternateContent>'
        '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="100" cy="100"/></a:xfrm></p:spPr></p:pic>'
    )  # fmt: skip
    links = (related("r8", "image", "media/a.png"),)
    (image,) = slide_of(shape, links=links, parts={"ppt/media/a.png": b"bytes"}).images
    assert image.sha256 is not None and image.content_type == "image/png"
