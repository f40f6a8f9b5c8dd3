"""Slides cloned, deleted, moved and hidden."""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pptx import Presentation

from decklab.editing.charts import set_chart_title
from decklab.editing.finding import EditError
from decklab.editing.links import set_link
from decklab.editing.slides import clone_slide, delete_slide, hide_slide, move_slide


def titles(prs: Any) -> list[str]:
    return [slide.shapes.title.text_frame.text for slide in prs.slides]


def test_a_clone_stands_after_its_original_and_nothing_else_changes(edited: Any) -> None:
    done = edited(lambda prs: clone_slide(prs, 3))
    assert titles(done.prs)[2:4] == ["The cat again", "The cat again"]
    assert done.seen == {(4, "slide", "added")}
    assert done.prs.slides[3].notes_slide.notes_text_frame.text == "Say teh word."
    assert done.prs.slides[3].notes_slide.part is not done.prs.slides[2].notes_slide.part


def test_the_chart_of_a_clone_is_its_own(edited: Any) -> None:
    def edit(prs: Any) -> None:
        clone_slide(prs, 6, 1)
        set_chart_title(prs, 1, "Mine")

    done = edited(edit)
    charts = [
        next(shape.chart for shape in done.prs.slides[i].shapes if shape.has_chart) for i in (0, 6)
    ]
    assert [chart.has_title for chart in charts] == [True, False]
    assert charts[0].part.chart_workbook.xlsx_part is not charts[1].part.chart_workbook.xlsx_part


def test_a_deleted_slide_takes_its_parts_and_the_links_to_it_along(
    edited: Any, tmp_path: Path
) -> None:
    def edit(prs: Any) -> None:
        set_link(prs, 1, 6, text="Agenda of today")
        delete_slide(prs, 6)

    done = edited(edit)
    assert titles(done.prs) == ["Agenda", "A cat and what we found", "The cat again", "A picture",
                                "Links"]  # fmt: skip
    assert done.seen == {(6, "slide", "removed")}
    done.prs.save(str(tmp_path / "again.pptx"))
    names = ZipFile(tmp_path / "again.pptx").namelist()
    assert not [name for name in names if "chart" in name or "embedding" in name]
    assert (
        "hlinkClick" not in ZipFile(tmp_path / "again.pptx").read("ppt/slides/slide1.xml").decode()
    )


def test_a_moved_slide_is_one_change(edited: Any) -> None:
    done = edited(lambda prs: move_slide(prs, 5, 2))
    assert titles(done.prs)[1] == "Links"
    assert done.seen == {(2, "slide", "moved")}


@pytest.mark.parametrize(("slide", "position"), [(1, 6), (6, 1), (3, 4), (4, 3), (2, 2)])
def test_moving_is_taking_out_and_putting_in(deck: Any, slide: int, position: int) -> None:
    expected = titles(deck)
    expected.insert(position - 1, expected.pop(slide - 1))
    move_slide(deck, slide, position)
    assert titles(deck) == expected


def test_a_hidden_slide_is_shown_again(edited: Any) -> None:
    assert edited(lambda prs: hide_slide(prs, 2)).seen == {(2, "slide", "hidden")}

    def both(prs: Any) -> None:
        hide_slide(prs, 2)
        hide_slide(prs, 2, hidden=False)

    assert edited(both).seen == set()


@pytest.mark.parametrize("edit", [clone_slide, delete_slide, hide_slide])
@pytest.mark.parametrize("number", [0, 7, -1])
def test_a_slide_that_is_not_there_is_told(deck: Any, edit: Any, number: int) -> None:
    with pytest.raises(EditError, match="the deck has 6"):
        edit(deck, number)


def test_the_only_slide_stays() -> None:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    with pytest.raises(EditError, match="only slide"):
        delete_slide(deck, 1)
    assert len(deck.slides) == 1


def test_there_are_no_places_beyond_the_end(deck: Any) -> None:
    with pytest.raises(EditError, match="no place 7"):
        move_slide(deck, 1, 7)
    with pytest.raises(EditError, match="no place 8"):
        clone_slide(deck, 1, 8)
