"""Texts that become titles or are joined, languages, forms, and lines that come in one by one."""

from typing import Any

import pytest
from pptx.enum.shapes import MSO_SHAPE

from decklab.editing.every_text import every_text, set_texts
from decklab.editing.finding import EditError
from decklab.editing.formatting import set_language
from decklab.editing.links import format_words
from decklab.editing.mending import join_texts, make_title
from decklab.editing.motion import add_animation, remove_animations
from decklab.editing.new_shapes import add_shape, add_text_box, change_shape
from decklab.editing.slides import add_slide
from decklab.ooxml.xml import qn


def _with_boxes(prs: Any) -> tuple[int, int, int]:
    """A new slide without a title, and the ids of two texts on it."""
    number = add_slide(prs, layout="Blank")
    first = add_text_box(prs, number, (60, 40, 400, 60), "What we found", size=30)
    return number, first, add_text_box(prs, number, (60, 120, 600, 80), "One\nTwo")


def test_a_text_becomes_the_title_where_it_stands_and_as_it_looks(edited: Any) -> None:
    done = edited(lambda prs: make_title(prs, *_with_boxes(prs)[:2]))
    slide = done.prs.slides[-1]
    title = slide.shapes.title
    assert title is not None and title.text_frame.text == "What we found"
    assert title.text_frame.paragraphs[0].runs[0].font.size.pt == 30
    width = done.prs.slide_width / 960
    assert (round(title.left / width), round(title.width / width)) == (60, 400)


def test_an_empty_title_goes_and_one_with_words_stays(deck: Any) -> None:
    number = add_slide(deck, layout="Title Only")
    box = add_text_box(deck, number, (60, 40, 400, 60), "What we found")
    make_title(deck, number, box)
    assert [
        s.text_frame.text for s in deck.slides[-1].placeholders if s.placeholder_format.idx == 0
    ] == ["What we found"]
    other = add_text_box(deck, number, (60, 140, 400, 60), "Another")
    with pytest.raises(EditError, match="has a title: 'What we found'"):
        make_title(deck, number, other)
    with pytest.raises(EditError, match="has no text"):
        make_title(deck, _with_boxes(deck)[0], add_shape(deck, len(deck.slides), (1, 1, 90, 90)))


def test_texts_are_joined_in_the_place_of_all_and_keep_their_sizes(edited: Any) -> None:
    def join(prs: Any) -> None:
        number, first, second = _with_boxes(prs)
        join_texts(prs, number, [first, second])

    done = edited(join)
    (shape,) = done.prs.slides[-1].shapes
    lines = shape.text_frame.paragraphs
    assert [line.text for line in lines] == ["What we found", "One", "Two"]
    assert [line.runs[0].font.size.pt for line in lines] == [30, 18, 18]
    px = done.prs.slide_width / 960, done.prs.slide_height / 540
    box = (shape.left / px[0], shape.top / px[1], shape.width / px[0], shape.height / px[1])
    assert tuple(map(round, box)) == (60, 40, 600, 160)


def test_one_text_or_the_same_twice_cannot_be_joined(deck: Any) -> None:
    number, first, _second = _with_boxes(deck)
    with pytest.raises(EditError, match="two texts or more"):
        join_texts(deck, number, [first])
    with pytest.raises(EditError, match="with itself"):
        join_texts(deck, number, [first, first])


def test_a_shape_takes_another_form_and_keeps_its_text(deck: Any) -> None:
    number = add_slide(deck, layout="Blank")
    shape = add_shape(deck, number, (60, 60, 200, 90), "rounded rectangle", text="Plan")
    change_shape(deck, number, shape, "diamond")
    native = deck.slides[-1].shapes[0]
    assert (native.auto_shape_type, native.text_frame.text) == (MSO_SHAPE.DIAMOND, "Plan")
    assert len(native.adjustments) == 0
    with pytest.raises(EditError, match="no kind of shape"):
        change_shape(deck, number, shape, "blob")


def test_words_are_formatted_where_they_stand_whole(deck: Any) -> None:
    number, first, second = _with_boxes(deck)
    add_text_box(deck, number, (60, 220, 200, 60), "Once One")
    assert format_words(deck, number, "One", bold=True, color="#C00000") == 2
    bold = {run.text for shape in deck.slides[-1].shapes for line in shape.text_frame.paragraphs
            for run in line.runs if run.font.bold}  # fmt: skip
    assert bold == {"One"}
    assert format_words(deck, number, "One", shape=second, italic=True) == 1
    with pytest.raises(EditError, match="'Nine' does not stand on slide"):
        format_words(deck, number, "Nine", shape=first, bold=True)


def test_translated_texts_have_their_language_and_others_keep_theirs(deck: Any) -> None:
    number, _first, _second = _with_boxes(deck)
    ids = [place.id for place in every_text(deck, slides=[number])]
    assert set_texts(deck, {ids[0]: "Befund", ids[1]: "Eins"}, {ids[0]: "de-DE"}) == 2
    tags = {
        run.findtext(qn("a:t")): (run.find(qn("a:rPr")).attrib if len(run) > 1 else {}).get("lang")
        for run in deck.slides[-1]._element.iter(qn("a:r"))
    }
    assert tags == {"Befund": "de-DE", "Eins": None, "Two": None}


def test_a_language_is_set_on_slides_with_their_notes(deck: Any) -> None:
    deck.slides[1].notes_slide.notes_text_frame.text = "Begin."
    assert set_language(deck, "fr-FR", slides=[2]) > 1
    pages = (deck.slides[1]._element, deck.slides[1].notes_slide.notes_text_frame._txBody)
    assert {
        run.find(qn("a:rPr")).get("lang") for page in pages for run in page.iter(qn("a:r"))
    } == {"fr-FR"}
    assert set_language(deck, "fr-FR", slides=[2]) == 0
    with pytest.raises(EditError, match="no tag of a language"):
        set_language(deck, "French!", slides=[2])


def test_lines_come_one_by_one_with_their_sub_points(edited: Any) -> None:
    def animate(prs: Any) -> None:
        number = add_slide(prs, title="Points", layout="Title and Content")
        frame = prs.slides[number - 1].placeholders[1].text_frame
        frame.text = "One\nbelow\n\nTwo"
        frame.paragraphs[1].level = 1
        add_animation(prs, number, 3, "wipe", by="paragraph")

    root = edited(animate).prs.slides[-1]._element
    effects = [item for item in root.iter(qn("p:cTn")) if item.get("presetID")]
    assert [item.get("nodeType") for item in effects] == [
        "clickEffect",
        "withEffect",
        "clickEffect",
    ]
    shown = [next(item.iter(qn("p:pRg"))).get("st") for item in effects]
    assert shown == ["0", "1", "3"]
    assert [build.get("build") for build in root.iter(qn("p:bldP"))] == ["p"]


def test_effects_of_lines_are_taken_off_with_their_build(deck: Any) -> None:
    number, _first, lines = _with_boxes(deck)
    add_animation(deck, number, lines, by="paragraph")
    assert remove_animations(deck, number, lines) == 2
    assert deck.slides[-1]._element.find(qn("p:timing")) is None
    empty = add_text_box(deck, number, (60, 220, 100, 40), "")
    with pytest.raises(EditError, match="no line of text"):
        add_animation(deck, number, empty, by="paragraph")
