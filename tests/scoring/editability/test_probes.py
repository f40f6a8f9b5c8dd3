"""The whole ladder on decks made here, and on the real decks."""

from pathlib import Path
from typing import Any

import pytest
from pptx.oxml import parse_xml
from tests.drawing import RecordedOffice

from decklab.core.results import NotScored
from decklab.deck.reading import read_outline
from decklab.metrics.editability.judge import judge_pptx
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Renderer
from decklab.scoring.trial_edits import DeckProbes

LONG = "A paragraph that is long enough to need a second line once it has been doubled"
FADE = (
    '<p:transition xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">'
    "<p:fade/></p:transition>"
)
BUILD = (
    '<p:timing xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:tnLst>'
    '<p:par><p:cTn id="1" presetID="10" presetClass="entr" nodeType="clickEffect"><p:childTnLst>'
    '<p:animEffect><p:cBhvr><p:cTn id="2" dur="500"/><p:tgtEl><p:spTgt spid="{id}"/></p:tgtEl>'
    "</p:cBhvr></p:animEffect></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
)
REAL_LEVELS = {
    "full_azure-functions_slides": 3,
    "full_build-resume-website_slides": 1,
    "full_django-get-started_slides": 3,
    "full_intro-git-github-version-control_slides": 3,
    "full_intro-react_slides": 3,
    "long_slides_11": 2,
    "long_slides_29": 1,
    "long_slides_43": 2,
    "presentation": 2,
    "test-data_integration_stress021": 3,
    "test-data_slideshow_2411-Performance_Up": 3,
    "test-data_slideshow_aptia": 3,
}
"""What a person would say of each, having looked at its slides."""


def judged(opened: Any, office: Any, **options: Any) -> Any:
    package, outline = opened
    return judge_pptx(outline, DeckProbes(package, outline, renderer=Renderer(office)), **options)


def titled(draft, count=4, fade=True):
    slides = []
    for n in range(count):
        slide = draft.slide(1)
        slide.shapes.title.text = f"What we found in part {n + 1}"
        slide.placeholders[1].text = LONG
        if fade:
            slide._element.cSld.addnext(parse_xml(FADE))
        slides.append(slide)
    return slides


@pytest.mark.office
def test_native_text_charts_and_motion_are_cinematic(draft, opened, office):
    slides = titled(draft, 3)
    chart_slide = draft.slide(5)
    chart_slide.shapes.title.text = "Sales by quarter"
    draft.chart(chart_slide)
    chart_slide._element.cSld.addnext(parse_xml(FADE))
    for slide in slides:
        slide._element.append(parse_xml(BUILD.format(id=slide.placeholders[1].shape_id)))
    verdict = judged(opened(draft), office)
    assert verdict.level == 5, [gate.summary for gate in verdict.gates]


@pytest.mark.office
def test_words_in_placeholders_are_structural(draft, opened, office):
    titled(draft, fade=False)
    package, outline = opened(draft)
    assert judged((package, outline), office).level == 3
    assert judged((package, outline), office, no_data="not_applicable").level == 4


@pytest.mark.office
def test_loose_boxes_on_blank_layouts_are_vector(draft, opened, office):
    for _ in range(4):
        draft.text(draft.slide(), LONG, (100, 100, 800, 300))
    assert judged(opened(draft), office).level == 2


@pytest.mark.office
def test_a_picture_pasted_on_titled_slides_hides_the_master(draft, opened, office, noise):
    for slide in titled(draft, 5):
        picture = draft.picture(slide, noise, (0, 0, 960, 540))
        slide.shapes._spTree.insert(2, picture._element)
    verdict = judged(opened(draft), office)
    assert verdict.level == 2
    assert "pasted" in verdict.gates[2].summary


@pytest.mark.office
def test_words_over_baked_drawings_are_patchwork(draft, opened, office, flat):
    for n in range(4):
        slide = draft.slide()
        draft.picture(slide, flat + bytes(n + 1), (0, 0, 960, 540))
        draft.text(slide, LONG, (100, 100, 800, 300))
    assert judged(opened(draft), office).level == 1


@pytest.mark.office
def test_lines_that_do_not_wrap_are_patchwork(draft, opened, office):
    for slide in (draft.slide() for _ in range(3)):
        draft.text(slide, LONG, (100, 100, 800, 150), wraps=False)
    verdict = judged(opened(draft), office)
    assert verdict.level == 1 and "does not wrap" in verdict.gates[0].evidence[0].message


def test_slides_of_pictures_are_static_and_nothing_is_drawn(draft, opened, flat):
    for n in range(3):
        draft.picture(draft.slide(), flat + bytes(n + 1), (0, 0, 960, 540))
    office = RecordedOffice({})
    assert judged(opened(draft), office).level == 0
    assert office.asked == []


def test_without_a_renderer_the_level_is_not_scored_but_structure_is_told(draft, opened):
    for _ in range(4):
        draft.text(draft.slide(), LONG, (100, 100, 800, 300))
    verdict = judged(opened(draft), RecordedOffice({}))
    assert isinstance(verdict.level, NotScored)
    assert "no PDF was recorded" in verdict.level.reason
    assert verdict.gates[2].evidence[0].rule == "editability.hardcoded-layout"


@pytest.mark.long
@pytest.mark.office
@pytest.mark.shared
@pytest.mark.parametrize("name", sorted(REAL_LEVELS))
def test_real_decks_get_the_level_a_person_would_give(shared: Path, name, office):
    with Package.open(shared / "decks" / "real" / f"{name}.pptx") as package:
        verdict = judged((package, read_outline(package)), office)
    assert verdict.level == REAL_LEVELS[name], [gate.summary for gate in verdict.gates]
    assert [gate.level for gate in verdict.gates] == [1, 2, 3, 4, 5]
