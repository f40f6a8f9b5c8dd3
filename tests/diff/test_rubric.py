"""The object that rubrics expect, seen as their leaves see it: with python-pptx beside it."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from tests.diff.edits import EFFECT, parsed

from decklab.diff import AnimationEffect, PowerPointDiff, Slide, SlideTransition, ppt_diff
from decklab.ooxml.names import qn


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
    assert names(PowerPointDiff) == [
        f"{what}_{of}" for of in ("animations", "transitions", "slides")
        for what in ("added", "removed", "modified")
    ]  # fmt: skip


def test_nothing_differs_in_a_resaved_deck(talk: Path, tmp_path: Path) -> None:
    again = saved(Presentation(str(talk)), tmp_path / "again.pptx")
    assert ppt_diff(talk, again) == PowerPointDiff()


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
        str(slide.slide_id), str(slide.shapes[1].shape_id), "fade", "on_click", 0.0, 0.5, 0,
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
    assert (old.effect_type, old.trigger) == ("fade", "on_click")
    assert (new.effect_type, new.trigger) == ("fly_in_from_left", "with_previous")
    ((was, now),) = found.modified_transitions
    assert (was.direction, now.direction) == ("u", "l")
    assert not found.added_animations and not found.removed_animations


def test_the_object_becomes_plain_json(talk: Path, animated: Path) -> None:
    plain = json.loads(json.dumps(ppt_diff(talk, animated).to_dict()))
    assert plain["added_animations"][0]["effect_type"] == "fade"
    assert set(plain["modified_slides"][0][0]) == set(names(Slide))


def test_effects_on_paragraphs_tell_their_text(talk: Path, tmp_path: Path) -> None:
    deck = Presentation(str(talk))
    slide = deck.slides[0]
    body = slide.placeholders[1].shape_id
    text = EFFECT.format(id=body).replace(
        f'<p:spTgt spid="{body}"/>',
        f'<p:spTgt spid="{body}"><p:txEl><p:pRg st="1" end="1"/></p:txEl></p:spTgt>',
    )
    slide._element.append(_parsed(text))
    (effect,) = ppt_diff(talk, saved(deck, tmp_path / "edited.pptx")).added_animations
    assert (effect.element_text, effect.element_type) == ("The second point of 1", "text")
