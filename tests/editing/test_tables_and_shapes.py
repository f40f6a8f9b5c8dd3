"""Rows, columns, shapes and slides changed in place: what python-pptx finds afterwards."""

from collections.abc import Callable
from typing import Any

import pytest

from decklab.editing.chart_names import rename_in_chart
from decklab.editing.charts import set_chart_value
from decklab.editing.finding import EditError, paragraphs, slide_at, text_bodies
from decklab.editing.formatting import set_letter_case
from decklab.editing.lists import add_bullet, delete_bullet
from decklab.editing.placing import delete_shape, fill_shape, place_shape, set_background
from decklab.editing.slides import add_slide, apply_layout, order_slides
from decklab.editing.tables import add_column, add_row, delete_column, delete_row, table_texts
from decklab.editing.texts import resize_text

Edit = Callable[[Callable[[Any], object]], Any]


def body(prs: Any, slide: int) -> int:
    return int(prs.slides[slide - 1].placeholders[1].shape_id)


def test_rows_and_columns_come_and_go(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        add_row(prs, 6, ["a", "b", "c"])
        add_column(prs, 6, ["x"], after=0)
        delete_row(prs, 6, 1)
        delete_column(prs, 6, 4)

    assert table_texts(edited(edit).prs, 6) == [["", "", ""], ["", "a", "b"]]


def test_the_only_row_stays(deck: Any) -> None:
    delete_row(deck, 6, 1)
    with pytest.raises(EditError, match="only row"):
        delete_row(deck, 6, 1)


def test_a_deleted_picture_takes_its_file_along(edited: Edit) -> None:
    done = edited(lambda prs: delete_shape(prs, 4, "Picture 3"))
    assert [name for name in map(str, _parts(done.prs)) if "media" in name] == []
    assert (4, "removed", "removed") in done.seen or any(
        kind == "removed" for _s, kind, _p in done.seen
    )


def _parts(prs: Any) -> list[str]:
    return [str(part.partname) for part in prs.part.package.iter_parts()]


def test_shapes_are_placed_and_filled(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        place_shape(prs, 4, "Picture 3", left=914400, width=1828800)
        fill_shape(prs, 4, "Title 1", "accent2")
        set_background(prs, "#FFEEDD", slides=[1])

    prs = edited(edit).prs
    picture = next(one for one in prs.slides[3].shapes if one.name == "Picture 3")
    assert (picture.left, picture.width) == (914400, 1828800)
    assert str(prs.slides[0].background.fill.fore_color.rgb) == "FFEEDD"


def test_sizes_start_from_what_each_run_has(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        lines = [line for one in text_bodies(slide_at(prs, 3), "body") for line in paragraphs(one)]
        resize_text(prs, 3, lines, points=2)
        titles = [
            line for one in text_bodies(slide_at(prs, 3), "title") for line in paragraphs(one)
        ]
        resize_text(prs, 3, titles, factor=0.5)

    slide = edited(edit).prs.slides[2]
    assert slide.placeholders[1].text_frame.paragraphs[0].runs[0].font.size.pt == 14
    assert slide.shapes.title.text_frame.paragraphs[0].runs[0].font.size.pt == 22


def test_bullets_are_added_and_taken_out(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        add_bullet(prs, 1, body(prs, 1), "Last")
        add_bullet(prs, 1, body(prs, 1), "First", 1)
        delete_bullet(prs, 1, body(prs, 1), "DRAFT")

    text = edited(edit).prs.slides[0].placeholders[1].text_frame.text
    assert text == "First\nAgenda of today\nLast"


def test_chart_values_and_names_change_with_the_workbook(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        set_chart_value(prs, 6, ("South", "2025"), 7)
        rename_in_chart(prs, 6, "North", "Nord")

    chart = next(one.chart for one in edited(edit).prs.slides[5].shapes if one.has_chart)
    assert list(chart.plots[0].categories) == ["Nord", "South"]
    assert list(chart.plots[0].series[0].values) == [3, 7]


@pytest.mark.parametrize(
    ("case", "text"),
    [("upper", "A CAT AND WHAT WE FOUND"), ("title", "A Cat and What We Found"),
     ("sentence", "A cat and what we found"), ("lower", "a cat and what we found")],
)  # fmt: skip
def test_letters_change_their_case(case: str, text: str, deck: Any) -> None:
    set_letter_case(text_bodies(slide_at(deck, 2), "title"), case)
    assert deck.slides[1].shapes.title.text_frame.text == text


def test_a_paragraph_without_words_stays_in_title_case(deck: Any) -> None:
    deck.slides[1].shapes.title.text_frame.text = "one\n\nof them"
    set_letter_case(text_bodies(slide_at(deck, 2), "title"), "title")
    assert deck.slides[1].shapes.title.text_frame.text == "One\n\nOf Them"


def test_a_new_layout_counts_at_once_and_is_found_by_its_whole_name(deck: Any) -> None:
    layout = deck.slide_layouts.get_by_name("Two Content")
    layout.name = "Wide Layout"
    assert apply_layout(deck, 1, "wide layout")
    assert deck.slides[0].slide_layout.name == "Wide Layout"
    assert not apply_layout(deck, 1, "Wide Layout")


def test_slides_are_added_ordered_and_laid_out(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        add_slide(prs, 2, title="New", layout="Title Only")
        order_slides(prs, [7, 1, 2, 3, 4, 5, 6])
        assert apply_layout(prs, 3, "Title and Content")

    titles = [slide.shapes.title.text_frame.text for slide in edited(edit).prs.slides]
    assert titles[:3] == ["Numbers", "Agenda", "New"]


def test_no_layout_of_that_name(deck: Any) -> None:
    with pytest.raises(EditError, match="there is no layout 'None'; there are 'Title Slide'"):
        add_slide(deck, layout="None")


def test_more_texts_than_cells_are_refused_and_nothing_is_added(deck: Any) -> None:
    before = table_texts(deck, 6)
    with pytest.raises(EditError, match="has 4 texts; the table has 3 columns"):
        add_row(deck, 6, ["a", "b", "c", "d"])
    with pytest.raises(EditError, match="has 9 texts; the table has 2 rows"):
        add_column(deck, 6, list("123456789"))
    assert table_texts(deck, 6) == before


@pytest.mark.parametrize("after", [-1, 99])
def test_a_row_behind_one_that_is_not_there_is_refused(deck: Any, after: int) -> None:
    before = table_texts(deck, 6)
    with pytest.raises(EditError, match=f"has 2 rows, no row {after}"):
        add_row(deck, 6, ["a"], after=after)
    with pytest.raises(EditError, match=f"has 3 columns, no column {after}"):
        add_column(deck, 6, ["a"], after=after)
    assert table_texts(deck, 6) == before


def test_missing_texts_leave_cells_empty(edited: Edit) -> None:
    made = edited(lambda prs: add_row(prs, 6, ["only"], after=1)).prs
    assert table_texts(made, 6)[1] == ["only", "", ""]


def test_a_new_bullet_behind_a_link_is_no_link(deck: Any) -> None:
    run = deck.slides[0].placeholders[1].text_frame.paragraphs[-1].add_run()
    run.text, run.hyperlink.address = "our site", "https://example.org"
    add_bullet(deck, 1, body(deck, 1), "Last")
    last = deck.slides[0].placeholders[1].text_frame.paragraphs[-1]
    assert last.text == "Last"
    assert [run.hyperlink.address for run in last.runs] == [None]
    assert run.hyperlink.address == "https://example.org"
