"""New texts, cells, notes, alternative texts, footers and links."""

from typing import Any

import pytest
from pptx.oxml.ns import qn

from decklab.editing.finding import EditError
from decklab.editing.links import remove_links, set_link
from decklab.editing.lists import hide_marks
from decklab.editing.texts import (
    add_notes,
    get_notes,
    set_alt_text,
    set_cell,
    set_footer,
    set_notes,
    set_text,
    show_slide_numbers,
)


def test_a_new_text_keeps_the_looks_line_by_line(edited: Any) -> None:
    done = edited(lambda prs: set_text(prs, 2, "Content Placeholder 2", "One\nTwo\nThree"))
    frame = done.prs.slides[1].placeholders[1].text_frame
    assert [paragraph.text for paragraph in frame.paragraphs] == ["One", "Two", "Three"]
    assert {(slide, kind) for slide, kind, _ in done.seen} == {(2, "text")}


def test_fewer_lines_leave_no_paragraph_behind(edited: Any) -> None:
    done = edited(lambda prs: set_text(prs, 2, "Content Placeholder 2", "One"))
    assert [p.text for p in done.prs.slides[1].placeholders[1].text_frame.paragraphs] == ["One"]


def test_a_cell_is_one_change(edited: Any) -> None:
    done = edited(lambda prs: set_cell(prs, 6, 2, 3, "17 %"))
    assert done.seen == {(6, "table", "cell text")}
    with pytest.raises(EditError, match="2 rows and 3 columns"):
        edited(lambda prs: set_cell(prs, 6, 3, 1, "x"))
    with pytest.raises(EditError, match="slide 1 has no table"):
        edited(lambda prs: set_cell(prs, 1, 1, 1, "x"))


def test_notes_are_set_added_to_and_read(edited: Any) -> None:
    def edit(prs: Any) -> None:
        set_notes(prs, 1, "Hello")
        add_notes(prs, 1, "Bye")

    done = edited(edit)
    assert get_notes(done.prs, 1) == "Hello\nBye"
    assert done.seen == {(1, "notes", "text")}


def test_added_notes_leave_what_was_there(edited: Any) -> None:
    def annotate(prs: Any) -> None:
        (paragraph,) = prs.slides[2].notes_slide.notes_text_frame.paragraphs
        paragraph.add_line_break()
        paragraph.add_run().text = "Twice."
        add_notes(prs, 3, "One\nTwo")

    frame = edited(annotate).prs.slides[2].notes_slide.notes_text_frame
    assert [one.text for one in frame.paragraphs] == ["Say teh word.\vTwice.", "One", "Two"]


def test_reading_notes_makes_none(deck: Any) -> None:
    assert get_notes(deck, 1) == ""
    set_notes(deck, 1, "")
    assert not deck.slides[0].has_notes_slide


def test_alternative_texts_come_and_go(edited: Any) -> None:
    done = edited(lambda prs: set_alt_text(prs, 4, "Picture 3", "A red field"))
    assert done.seen == {(4, "alt text", "description")}
    gone = edited(lambda prs: set_alt_text(prs, 4, "Picture 3", ""))
    assert gone.seen == {(4, "alt text", "description")}


def test_a_shape_that_is_not_there_is_told_with_those_that_are(deck: Any) -> None:
    with pytest.raises(
        EditError, match=r"no shape 'Logo'; it has 'Title 1' \(id 2, title “Agenda”\)"
    ):
        set_alt_text(deck, 1, "Logo", "x")


def test_slide_numbers_come_and_go(edited: Any) -> None:
    done = edited(lambda prs: show_slide_numbers(prs, slides=[2, 3]))
    assert done.seen == {(2, "added", "shape"), (3, "added", "shape")}
    kinds = [shape.placeholder_format.type for shape in done.prs.slides[1].placeholders]
    assert "SLIDE_NUMBER (13)" in map(str, kinds)

    def both(prs: Any) -> None:
        assert show_slide_numbers(prs) == 6
        assert show_slide_numbers(prs) == 0
        assert show_slide_numbers(prs, on=False) == 6

    assert edited(both).seen == set()


def test_footers_are_set_changed_and_taken_off(edited: Any) -> None:
    def edit(prs: Any) -> None:
        assert set_footer(prs, "Draft", slides=[1, 2]) == 2
        assert set_footer(prs, "Final", slides=[2]) == 1
        assert set_footer(prs, None, slides=[1]) == 1

    done = edited(edit)
    assert done.seen == {(2, "added", "shape")}
    assert "Final" in [shape.text_frame.text for shape in done.prs.slides[1].placeholders]


def test_words_are_linked_and_the_rest_of_the_run_is_not(edited: Any) -> None:
    done = edited(lambda prs: set_link(prs, 2, "https://example.org", text="study"))
    runs = done.prs.slides[1].placeholders[1].text_frame.paragraphs[0].runs
    assert [(run.text, run.hyperlink.address) for run in runs] == [
        ("The ", None), ("st", "https://example.org"), ("udy", "https://example.org"),
        (" of art in Q3", None),
    ]  # fmt: skip
    assert {(slide, kind) for slide, kind, _ in done.seen} == {(2, "link")}


def test_shapes_link_to_slides(edited: Any) -> None:
    done = edited(lambda prs: set_link(prs, 4, 1, shape="Picture 3"))
    picture = next(shape for shape in done.prs.slides[3].shapes if shape.name == "Picture 3")
    assert picture.click_action.target_slide.slide_id == done.prs.slides[0].slide_id
    assert {(slide, kind) for slide, kind, _ in done.seen} == {(4, "link")}


def test_links_are_taken_off_and_their_words_stay(edited: Any) -> None:
    done = edited(lambda prs: remove_links(prs, 5))
    assert done.prs.slides[4].placeholders[1].text_frame.text == "See our site"
    assert {(slide, kind) for slide, kind, _ in done.seen} == {(5, "link")}
    assert not [link for link in done.prs.slides[4].part.rels.values() if link.is_external]


@pytest.mark.parametrize("target", ["example", "javascript alert", ""])
def test_an_address_has_to_be_whole(deck: Any, target: str) -> None:
    with pytest.raises(EditError, match="no address"):
        set_link(deck, 2, target, text="study")


def test_words_that_are_nowhere_are_told(deck: Any) -> None:
    with pytest.raises(EditError, match="no text 'nowhere'"):
        set_link(deck, 2, "https://example.org", text="nowhere")


def test_a_new_text_looks_as_most_of_the_old_did(edited: Any) -> None:
    def retitle(prs: Any) -> None:
        paragraph = prs.slides[0].shapes.title.text_frame.paragraphs[0]
        paragraph.runs[0].text = "A"
        paragraph.runs[0].font.bold = True
        rest = paragraph.add_run()
        rest.text, rest.font.italic = "genda of today", True
        set_text(prs, 1, "Title 1", "Results")

    (run,) = edited(retitle).prs.slides[0].shapes.title.text_frame.paragraphs[0].runs
    assert (run.text, run.font.bold, run.font.italic) == ("Results", None, True)


def test_lines_without_bullets_keep_their_words_and_order_of_elements(edited: Any) -> None:
    def edit(prs: Any) -> None:
        line = prs.slides[1].placeholders[1].text_frame.paragraphs[0]._p
        properties = line.get_or_add_pPr()
        for name in ("a:buChar", "a:tabLst"):
            properties.append(properties.makeelement(qn(name)))
        properties.find(qn("a:buChar")).set("char", "-")
        assert hide_marks(prs, 2, "Content Placeholder 2") == 2
        assert hide_marks(prs, 2, "Content Placeholder 2") == 0

    done = edited(edit)
    frame = done.prs.slides[1].placeholders[1].text_frame
    assert frame.text == "The study of art in Q3\nparty"
    marks = [[child.tag.split("}")[1] for child in p._p.pPr] for p in frame.paragraphs]
    assert marks == [["buNone", "tabLst"], ["buNone"]]
    assert [(p._p.pPr.get("marL"), p._p.pPr.get("indent")) for p in frame.paragraphs] == [
        ("0", "0"),
        ("0", "0"),
    ]
