"""Looks of whole texts, as python-pptx reads them back."""

from typing import Any

import pytest
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.text import PP_ALIGN
from pptx.util import Pt

from decklab.editing.finding import EditError
from decklab.editing.formatting import format_text, normalise_fonts


def title_font(prs: Any, number: int) -> Any:
    return prs.slides[number - 1].shapes.title.text_frame.paragraphs[0].runs[0].font


def test_titles_become_what_is_asked_and_bodies_stay(edited: Any) -> None:
    done = edited(
        lambda prs: format_text(
            prs, slides=[2], where="title", font="Georgia", size=32, color="#1f4e79", bold=True,
            italic=True, underline=True, align="right",
        )
    )  # fmt: skip
    font = title_font(done.prs, 2)
    assert (font.name, font.size, font.bold, font.italic, font.underline) == (
        "Georgia", Pt(32), True, True, True,
    )  # fmt: skip
    assert font.color.rgb == RGBColor(0x1F, 0x4E, 0x79)
    paragraph = done.prs.slides[1].shapes.title.text_frame.paragraphs[0]
    assert paragraph.alignment == PP_ALIGN.RIGHT
    assert {(slide, kind) for slide, kind, _property in done.seen} == {(2, "style")}
    assert {change.element.name for change in done.changes} == {"Title 1"}


def test_a_theme_colour_stays_one(edited: Any) -> None:
    done = edited(lambda prs: format_text(prs, where="title", color="accent2"))
    assert title_font(done.prs, 1).color.theme_color == MSO_THEME_COLOR.ACCENT_2


def test_bodies_leave_titles_and_tables_alone(edited: Any) -> None:
    done = edited(lambda prs: format_text(prs, slides=[6], where="body", bold=True))
    assert {change.element.name for change in done.changes} == {"Content Placeholder 2"}


def test_all_text_has_table_cells_in_it(edited: Any) -> None:
    done = edited(lambda prs: format_text(prs, slides=[6], size=9))
    table = next(shape.table for shape in done.prs.slides[5].shapes if shape.has_table)
    assert table.cell(1, 2).text_frame.paragraphs[0].runs[0].font.size == Pt(9)


def test_one_shape_may_be_named(edited: Any) -> None:
    done = edited(lambda prs: format_text(prs, slides=[1], shape="title 1", size=12))
    assert {(c.slide, c.element.name, c.property) for c in done.changes} == {
        (1, "Title 1", "font.size")
    }


def test_the_end_of_an_empty_paragraph_is_set_too(deck: Any) -> None:
    deck.slides[0].shapes.title.text_frame.text = ""
    format_text(deck, slides=[1], where="title", size=20)
    end = deck.slides[0].shapes.title.text_frame.paragraphs[0]._p.find("{*}endParaRPr")
    assert end.get("sz") == "2000"


def test_fonts_come_from_the_theme_again(edited: Any) -> None:
    done = edited(normalise_fonts)
    run = done.prs.slides[2].placeholders[1].text_frame.paragraphs[0].runs[0]
    assert (run.font.name, run.font.size, run.font.italic) == (None, Pt(12), True)
    assert {change.property for change in done.changes} == {"font.name"}
    assert {change.slide for change in done.changes} == {3}


@pytest.mark.parametrize(
    "look",
    [{"size": 0}, {"size": 5000}, {"color": "mauve-ish"}, {"color": "#12345"}, {"align": "up"}],
)
def test_values_that_mean_nothing_change_nothing(deck: Any, look: dict[str, Any]) -> None:
    with pytest.raises(EditError):
        format_text(deck, **look)
    assert title_font(deck, 1).size is None


def test_a_role_that_is_none_is_told(deck: Any) -> None:
    with pytest.raises(EditError, match="'all', 'title', 'body', 'footer'"):
        format_text(deck, where="caption", size=10)
