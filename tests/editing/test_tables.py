"""Rows, columns and cells of tables: moved, sized, filled, divided, summed up."""

from typing import Any

import pytest
from pptx import Presentation

from decklab.editing.finding import EditError
from decklab.editing.formatting import set_theme_color
from decklab.editing.tables import (
    add_table,
    add_total_row,
    fill_cells,
    merge_cells,
    move_column,
    move_row,
    set_column_width,
    set_row_height,
    sort_rows,
    split_cell,
)

ROWS = (("Month", "Days", "Km"), ("May", "5", "1,200.5"), ("June", "4", "7.5"), ("July", "x", "1"))


@pytest.fixture
def deck() -> Any:
    """A slide with one table."""
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    add_table(deck, 1, (60, 60, 600, 200), ROWS)
    return deck


def table(deck: Any) -> Any:
    """The table as python-pptx sees it."""
    return deck.slides[0].shapes[0].table


def first_cells(deck: Any) -> list[str]:
    """The first cell of each row."""
    return [row.cells[0].text for row in table(deck).rows]


@pytest.mark.parametrize(("row", "place", "months"), [
    (2, 4, ["Month", "June", "July", "May"]), (4, 2, ["Month", "July", "May", "June"]),
    (3, 3, ["Month", "May", "June", "July"]),
])  # fmt: skip
def test_a_row_moves_and_the_others_keep_their_order(
    deck: Any, row: int, place: int, months: list[str]
) -> None:
    assert move_row(deck, 1, row, place) == (row != place)
    assert first_cells(deck) == months


def test_a_column_moves_with_its_width(deck: Any) -> None:
    set_column_width(deck, 1, 3, 1_000_000)
    move_column(deck, 1, 3, 1)
    assert first_cells(deck) == ["Km", "1,200.5", "7.5", "1"]
    assert table(deck).columns[0].width == 1_000_000


def test_a_table_is_as_large_as_its_rows_and_columns(deck: Any) -> None:
    set_column_width(deck, 1, 1, 900_000)
    set_row_height(deck, 1, 2, 800_000)
    frame = deck.slides[0].shapes[0]
    assert frame.width == sum(column.width for column in table(deck).columns)
    assert abs(frame.height - sum(row.height for row in table(deck).rows)) < 10
    assert not set_row_height(deck, 1, 2, 800_000)


def test_sums_are_of_columns_of_numbers_and_written_like_them(deck: Any) -> None:
    add_total_row(deck, 1, label="Sum")
    assert [cell.text for cell in table(deck).rows[4].cells] == ["Sum", "", "1,209.0"]
    with pytest.raises(EditError, match="already"):
        add_total_row(deck, 1, label="Sum")


def test_cells_are_filled_and_emptied(deck: Any) -> None:
    assert fill_cells(deck, 1, [(1, 1), (1, 2)], "#112233")
    assert not fill_cells(deck, 1, [(1, 1), (1, 2)], "#112233")
    colors = [str(cell.fill.fore_color.rgb) for cell in list(table(deck).rows[0].cells)[:2]]
    assert colors == ["112233", "112233"]
    assert fill_cells(deck, 1, [(1, 1)], None)
    assert "BACKGROUND" in str(table(deck).cell(0, 0).fill.type)


def test_merged_cells_are_divided_and_stop_what_would_tear_them(deck: Any) -> None:
    with pytest.raises(EditError, match="not merged"):
        split_cell(deck, 1, 2, 1)
    merge_cells(deck, 1, (2, 1), (3, 1))
    with pytest.raises(EditError, match="merged"):
        move_row(deck, 1, 3, 4)
    split_cell(deck, 1, 2, 1)
    assert move_row(deck, 1, 3, 4)


@pytest.mark.parametrize("edit", [
    lambda deck: move_row(deck, 1, 9, 1), lambda deck: move_column(deck, 1, 1, 4),
    lambda deck: set_column_width(deck, 1, 1, 10), lambda deck: set_row_height(deck, 1, 0, 90_000),
    lambda deck: fill_cells(deck, 1, [(1, 9)], "red"), lambda deck: split_cell(deck, 1, 9, 1),
])  # fmt: skip
def test_what_is_not_there_is_told(deck: Any, edit: Any) -> None:
    with pytest.raises(EditError):
        edit(deck)


def test_a_total_stays_the_last_row_when_a_table_is_sorted(deck: Any) -> None:
    table(deck).last_row = True
    table(deck).cell(3, 1).text = "9"
    sort_rows(deck, 1, 2, descending=True)
    assert first_cells(deck) == ["Month", "May", "June", "July"]
    sort_rows(deck, 1, 2)
    assert first_cells(deck) == ["Month", "June", "May", "July"]


def test_months_are_sorted_as_they_follow_each_other(deck: Any) -> None:
    sort_rows(deck, 1, 1, descending=True)
    assert first_cells(deck) == ["Month", "July", "June", "May"]
    sort_rows(deck, 1, 1)
    assert first_cells(deck) == ["Month", "May", "June", "July"]


def _themed(accents: list[str]) -> Any:
    """A deck whose theme has these first accents."""
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    for number, color in enumerate(accents, 1):
        set_theme_color(deck, f"accent{number}", color)
    return deck


@pytest.mark.parametrize(("accents", "style"), [
    (["#1F4E79"], "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"),
    (["#FFC000", "#7030A0"], "{21E4AEA4-8DFA-4A89-87EB-49C32662AFE0}"),
    (["#FFC000"] * 6, "{073A0DAA-6AF3-43AB-8588-CEC1D06C72B9}"),
])  # fmt: skip
def test_the_header_of_a_new_table_has_an_accent_on_which_white_can_be_read(
    accents: list[str], style: str
) -> None:
    deck = _themed(accents)
    add_table(deck, 1, (60, 60, 600, 200), ROWS)
    assert table(deck)._tbl.tblPr.findtext("{*}tableStyleId") == style


def test_many_rows_get_smaller_words_so_that_they_fit_the_box() -> None:
    deck = _themed(["#1F4E79"])
    add_table(deck, 1, (60, 60, 600, 200), [["Month", "Days"], *([["May", "5"]] * 11)])
    sizes = {run.font.size for row in table(deck).rows for cell in row.cells
             for run in cell.text_frame.paragraphs[0].runs}  # fmt: skip
    points = next(iter(sizes)).pt
    assert len(sizes) == 1 and 10 <= points < 18
    # 200 px of 540 are 200 pt of a slide 7.5 inches high: twelve lines and their insets.
    assert 12 * (points * 1.2 + 7.2) <= 200 or points == 10
