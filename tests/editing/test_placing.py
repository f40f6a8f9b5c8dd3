"""Shapes moved and sized, as python-pptx reads them back."""

from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Pt

from decklab.editing.finding import EditError
from decklab.editing.placing import place_shape


def with_table(width: float, height: float) -> tuple[Any, Any]:
    """A deck with a table of two columns and two rows, and the table's frame."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    frame = slide.shapes.add_table(2, 2, Pt(20), Pt(20), Pt(200), Pt(80))
    frame.table.columns[0].width, frame.table.columns[1].width = Pt(50), Pt(150)
    frame.width, frame.height = Pt(width), Pt(height)
    return deck, frame


def widths(frame: Any) -> list[float]:
    return [column.width.pt for column in frame.table.columns]


def test_columns_and_rows_grow_with_their_table() -> None:
    deck, frame = with_table(200, 80)
    assert place_shape(deck, 1, frame.shape_id, width=Pt(400), height=Pt(60))
    assert widths(frame) == [100, 300]
    assert [row.height.pt for row in frame.table.rows] == [30, 30]


def test_a_table_whose_frame_states_no_width_keeps_its_columns() -> None:
    deck, frame = with_table(0, 80)
    assert place_shape(deck, 1, frame.shape_id, width=Pt(400))
    assert (frame.width.pt, widths(frame)) == (400, [50, 150])


def test_a_shape_where_it_was_is_no_change_and_one_below_a_point_is_refused() -> None:
    deck, frame = with_table(200, 80)
    assert not place_shape(deck, 1, frame.shape_id, left=Pt(20))
    assert place_shape(deck, 1, frame.shape_id, left=Pt(30)) and frame.left.pt == 30
    with pytest.raises(EditError, match="at least one point wide"):
        place_shape(deck, 1, frame.shape_id, height=Pt(0.5))
    assert place_shape(deck, 1, frame.shape_id, height=Pt(1)) and frame.height.pt == 1
