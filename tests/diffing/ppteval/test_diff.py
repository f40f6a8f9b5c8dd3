"""The object that rubrics expect, seen as their leaves see it: with python-pptx beside it."""

import json
from copy import deepcopy
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from tests.diffing.edits import EFFECT, parsed

from decklab.deck.slide_facts import effect_name
from decklab.diffing.ppteval_diff import PptEvalSlide, effect_type, ppt_diff, slide_facts
from decklab.diffing.ppteval_records import (
    AnimationEffect,
    PowerPointDiff,
    Slide,
    SlideTransition,
    Template,
)
from decklab.ooxml.package import Package
from decklab.ooxml.xml import qn


def names(kind: Any) -> list[str]:
    return [one.name for one in fields(kind)]


def saved(deck: Any, path: Path) -> Path:
    deck.save(str(path))
    return path


def test_fields_are_exactly_those_of_the_paper() -> None:
    assert names(AnimationEffect) == [
        "slide_id", "element_id", "effect_type", "trigger", "delay", "duration", "order",
        "element_text", "element_type",
    ]  # fmt: skip
    assert names(SlideTransition) == ["slide_id", "transition_type", "duration", "direction"]
    assert names(Slide) == [
        "slide_id", "slide_number", "title", "layout_type", "element_count", "notes",
        "content_hash",
    ]  # fmt: skip
    assert names(PowerPointDiff)[:9] == [
        f"{what}_{of}" for of in ("animations", "transitions", "slides")
        for what in ("added", "removed", "modified")
    ]  # fmt: skip


def test_what_is_behind_the_slides_has_fields_beside_the_papers() -> None:
    assert names(PowerPointDiff)[9:] == [
        "added_templates", "removed_templates", "modified_templates", "modified_slide_size",
    ]  # fmt: skip


def test_nothing_differs_in_a_resaved_deck(talk: Path, tmp_path: Path) -> None:
    again = saved(Presentation(str(talk)), tmp_path / "again.pptx")
    assert ppt_diff(talk, again) == PowerPointDiff()


def test_a_layout_that_went_or_came_is_a_template(talk: Path, tmp_path: Path) -> None:
    deck = Presentation(str(talk))
    used = {slide.slide_layout.name for slide in deck.slides}
    gone = next(one for one in deck.slide_layouts if one.name not in used)
    name = gone.name
    deck.slide_layouts.remove(gone)
    without = saved(deck, tmp_path / "without.pptx")
    assert ppt_diff(talk, without).removed_templates == [Template("layout", name)]
    assert ppt_diff(without, talk).added_templates == [Template("layout", name)]
    assert ppt_diff(without, talk).modified_slides == []


def test_a_modified_slide_comes_as_a_pair_with_python_pptx_ids(talk: Path, tmp_path: Path) -> None:
    deck = Presentation(str(talk))
    deck.slides[0].shapes.title.text = "Theme 1"
    deck.slides[2].notes_slide.notes_text_frame.text = "Say nothing"
    found = ppt_diff(talk, saved(deck, tmp_path / "edited.pptx"))
    assert [(was.title, now.title) for was, now in found.modified_slides] == [
        ("Topic 1", "Theme 1"), ("Topic 3", "Topic 3"),
    ]  # fmt: skip
    was, now = found.modified_slides[0]
    assert was.slide_id == now.slide_id == str(deck.slides[0].slide_id)
    assert (now.slide_number, now.layout_type) == (1, deck.slides[0].slide_layout.name)
    assert now.element_count == len(deck.slides[0].shapes)
    assert was.content_hash != now.content_hash
    assert found.modified_slides[1][1].notes == "Say nothing"
    assert not found.added_slides and not found.removed_slides


def test_added_and_removed_slides_leave_the_others_unmodified(talk: Path, tmp_path: Path) -> None:
    deck = Presentation(str(talk))
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "The end"
    listed = deck.slides._sldIdLst
    deck.part.drop_rel(listed[0].rId)
    listed.remove(listed[0])
    found = ppt_diff(talk, saved(deck, tmp_path / "edited.pptx"))
    assert [slide.title for slide in found.removed_slides] == ["Topic 1"]
    assert [(slide.title, slide.slide_number) for slide in found.added_slides] == [("The end", 6)]
    assert found.modified_slides == []


@pytest.fixture
def animated(talk: Path, tmp_path: Path) -> Path:
    deck = Presentation(str(talk))
    slide = deck.slides[4]
    transition = '<p:transition spd="slow"><p:push dir="u"/></p:transition>'
    slide._element.append(_parsed(transition))
    slide._element.append(_parsed(EFFECT.format(id=slide.shapes[1].shape_id)))
    return saved(deck, tmp_path / "animated.pptx")


def _parsed(text: str) -> Any:
    from pptx.oxml import parse_xml

    return parse_xml(etree.tostring(parsed(text)))


def test_animations_and_transitions_that_came(talk: Path, animated: Path) -> None:
    found = ppt_diff(talk, animated)
    (effect,), (transition,) = found.added_animations, found.added_transitions
    slide = Presentation(str(animated)).slides[4]
    assert effect == AnimationEffect(
        str(slide.slide_id), str(slide.shapes[1].shape_id), "fade_in", "click", 0.0, 0.5, 0,
        "Box 1", "shape",
    )  # fmt: skip
    assert transition == SlideTransition(str(slide.slide_id), "push", 0.75, "u")
    assert [now.slide_number for _was, now in found.modified_slides] == [5]
    backwards = ppt_diff(animated, talk)
    assert backwards.removed_animations == [effect]
    assert backwards.removed_transitions == [transition]


def test_animations_and_transitions_that_changed(animated: Path, tmp_path: Path) -> None:
    deck = Presentation(str(animated))
    root = deck.slides[4]._element
    for node in root.iter(qn("p:cTn")):
        if node.get("presetID"):
            node.set("presetID", "2")
            node.set("presetSubtype", "8")
            node.set("nodeType", "withEffect")
    root.find(f".//{qn('p:push')}").set("dir", "l")
    found = ppt_diff(animated, saved(deck, tmp_path / "edited.pptx"))
    ((old, new),) = found.modified_animations
    assert (old.effect_type, old.trigger) == ("fade_in", "click")
    assert (new.effect_type, new.trigger) == ("fly_in_from_left", "with_previous")
    ((was, now),) = found.modified_transitions
    assert (was.direction, now.direction) == ("u", "l")
    assert not found.added_animations and not found.removed_animations


def test_another_effect_of_a_shape_with_another_id_is_a_changed_one(
    animated: Path, tmp_path: Path
) -> None:
    deck = Presentation(str(animated))
    root = deck.slides[4]._element
    [about] = deck.slides[4].shapes[1]._element.xpath(".//p:cNvPr")
    old = about.get("id")
    about.set("id", "77")
    for one in root.iter(qn("p:spTgt")):
        if one.get("spid") == old:
            one.set("spid", "77")
    renumbered = ppt_diff(animated, saved(deck, tmp_path / "renumbered.pptx"))
    assert not renumbered.added_animations and not renumbered.removed_animations
    assert not renumbered.modified_animations
    for node in root.iter(qn("p:cTn")):
        if node.get("presetID"):
            node.set("presetID", "2")
            node.set("presetSubtype", "8")
            node.set("nodeType", "withEffect")
    found = ppt_diff(animated, saved(deck, tmp_path / "edited.pptx"))
    ((was, now),) = found.modified_animations
    assert (was.effect_type, now.effect_type) == ("fade_in", "fly_in_from_left")
    assert (was.element_id, now.element_id) == (old, "77")
    assert not found.added_animations and not found.removed_animations


def test_the_object_becomes_plain_json(talk: Path, animated: Path) -> None:
    plain = json.loads(json.dumps(ppt_diff(talk, animated).to_dict()))
    assert plain["added_animations"][0]["effect_type"] == "fade_in"
    assert set(plain["modified_slides"][0][0]) == set(names(Slide))


def test_effects_on_paragraphs_tell_the_text_of_the_shape(talk: Path, tmp_path: Path) -> None:
    (effect,) = ppt_diff(talk, built(talk, tmp_path, 1)).added_animations
    assert (effect.element_text, effect.element_type) == (
        "The first point of 1The second point of 1", "text",
    )  # fmt: skip


def built(talk: Path, folder: Path, *paragraphs: int, trigger: str = "clickEffect") -> Path:
    """The first slide's body comes paragraph by paragraph; the last one as ``trigger`` says."""
    deck = Presentation(str(talk))
    slide = deck.slides[0]
    body = slide.placeholders[1].shape_id
    timing = parsed(EFFECT.format(id=body))
    (effect,) = (
        node
        for node in timing.iter(qn("p:par"))
        if node.find(f"{qn('p:cTn')}[@presetID]") is not None
    )
    for place in paragraphs:
        one = deepcopy(effect)
        target = one.find(f".//{qn('p:spTgt')}")
        target.append(parsed(f'<p:txEl><p:pRg st="{place}" end="{place}"/></p:txEl>'))
        one[0].set("nodeType", trigger if place == paragraphs[-1] else "clickEffect")
        effect.addprevious(one)
    effect.getparent().remove(effect)
    slide._element.append(_parsed_element(timing))
    return saved(deck, folder / f"built-{len(paragraphs)}-{trigger}.pptx")


def _parsed_element(element: Any) -> Any:
    from pptx.oxml import parse_xml

    return parse_xml(etree.tostring(element))


def test_a_text_that_comes_by_paragraph_is_one_animation(talk: Path, tmp_path: Path) -> None:
    found = ppt_diff(talk, built(talk, tmp_path, 0, 1))
    assert len(found.added_animations) == 1
    assert not found.removed_animations and not found.modified_animations


def test_another_trigger_of_one_paragraph_is_told(talk: Path, tmp_path: Path) -> None:
    both = built(talk, tmp_path, 0, 1), built(talk, tmp_path, 0, 1, trigger="afterEffect")
    assert len(ppt_diff(*both).modified_animations) == 1


def test_an_effect_taken_from_one_paragraph_is_told(talk: Path, tmp_path: Path) -> None:
    found = ppt_diff(built(talk, tmp_path, 0, 1), built(talk, tmp_path, 0))
    assert len(found.modified_animations) == 1 and not found.removed_animations


def test_an_animated_text_that_got_a_paragraph_plays_as_before(talk: Path, tmp_path: Path) -> None:
    """PowerPoint gives the new paragraph the effect of its neighbours by itself."""
    deck = Presentation(str(built(talk, tmp_path, 0, 1, 2)))
    deck.slides[0].placeholders[1].text_frame.add_paragraph().text = "The third point"
    found = ppt_diff(built(talk, tmp_path, 0, 1), saved(deck, tmp_path / "longer.pptx"))
    assert found.modified_animations == [] and len(found.modified_slides) == 1


def test_an_empty_deck_and_one_full_of_slides(talk: Path, tmp_path: Path) -> None:
    empty = saved(Presentation(), tmp_path / "empty.pptx")
    assert ppt_diff(empty, empty) == PowerPointDiff()
    assert len(ppt_diff(empty, talk).added_slides) == len(Presentation(str(talk)).slides)


def test_a_slide_that_cannot_be_read_has_no_facts(talk: Path) -> None:
    with Package.open(talk) as package:
        assert slide_facts(package, "ppt/slides/none.xml") == PptEvalSlide()


@pytest.mark.parametrize(
    ("kind", "effect", "subtype", "name"),
    [
        ("entrance", "wipe", 4, "wipe_from_bottom"),
        ("entrance", "blinds", 10, "blinds_horizontal"),
        ("entrance", "faded_zoom", 528, "zoom_in_from_screen_center"),
        ("entrance", "strips", 9, "strips_left_up"),
        ("entrance", "wheel", 1, "wheel"),
        ("exit", "appear", 0, "disappear"),
        ("exit", "fly_out", 4, "fly_out_to_bottom"),
        ("exit", "split", 21, "split_vertical_out"),
        ("exit", "blinds", 5, "blinds_vertical_out"),
        ("exit", "zoom", 32, "zoom_out"),
        ("emphasis", "flash_bulb", 0, "pulse"),
        ("media", "play", 0, "play"),
    ],
)  # fmt: skip
def test_effects_have_the_evaluators_names(kind: str, effect: str, subtype: int, name: str) -> None:
    assert effect_type({"kind": kind, "effect": effect, "subtype": subtype}) == name


def test_no_entrance_shares_its_name_with_an_exit() -> None:
    def told(kind: str, preset_class: str) -> set[str]:
        effects = {effect_name(preset_class, preset) for preset in range(1, 60)}
        return {effect_type({"kind": kind, "effect": effect}) for effect in effects}

    assert not told("entrance", "entr") & told("exit", "exit")
