"""Entrances become the tree of time nodes that PowerPoint writes."""

from generate.samples.timing import Step, animate
from pptx import Presentation
from pptx.shapes.autoshape import Shape
from pptx.slide import Slide
from pptx.util import Pt


def _slide() -> tuple[Slide, list[Shape]]:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    return slide, [slide.shapes.add_textbox(Pt(0), Pt(0), Pt(9), Pt(9)) for _ in range(3)]


def _clicks(slide: Slide) -> list[int]:
    """Number of effects that each click of the main sequence sets off."""
    main = slide.element.xpath(".//p:cTn[@nodeType='mainSeq']/p:childTnLst/p:par")
    return [sum(e.get("presetClass") is not None for e in click.iter("{*}cTn")) for click in main]


def test_each_click_starts_one_group_of_effects() -> None:
    slide, (a, b, c) = _slide()
    animate(slide, [Step(a), Step(b, start="with"), Step(c)])
    assert _clicks(slide) == [2, 1]


def test_effects_after_one_another_wait_for_the_longest_before() -> None:
    slide, (a, b, c) = _slide()
    animate(slide, [Step(a, duration_ms=300), Step(b, start="with", duration_ms=700),
                    Step(c, start="after")])  # fmt: skip
    waves = slide.element.xpath(
        ".//p:cTn[@nodeType='mainSeq']/p:childTnLst/p:par/p:cTn/p:childTnLst/p:par/p:cTn"
    )
    delays = [wave.find("{*}stCondLst/{*}cond").get("delay") for wave in waves]
    assert delays == ["0", "700"]


def test_a_first_effect_without_a_click_starts_by_itself() -> None:
    slide, (a, _, _) = _slide()
    animate(slide, [Step(a, start="after")])
    assert slide.element.xpath(".//p:cond[@evt='onBegin']/p:tn/@val") == ["2"]


def test_paragraphs_of_one_shape_share_one_build_entry() -> None:
    slide, (a, _, _) = _slide()
    animate(slide, [Step(a, paragraph=0), Step(a, paragraph=1)])
    (build,) = slide.element.xpath(".//p:bldP")
    assert dict(build.attrib) == {"spid": str(a.shape_id), "grpId": "0", "build": "p"}


def test_no_steps_make_an_empty_sequence() -> None:
    slide, _ = _slide()
    animate(slide, [])
    assert _clicks(slide) == []
    assert slide.element.xpath(".//p:bldLst") == []
