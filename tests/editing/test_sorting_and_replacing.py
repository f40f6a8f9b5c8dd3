"""Rows sorted, pictures replaced, sections, slides of other decks, free room: the hard cases."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Emu

from decklab.editing.chart_parts import color_point, set_axis_title, set_legend
from decklab.editing.finding import EditError
from decklab.editing.new_shapes import add_picture, replace_picture
from decklab.editing.placing import free_box
from decklab.editing.slide_import import bring_slide
from decklab.editing.slides import add_section, delete_section
from decklab.editing.tables import sort_rows


def table_deck(*texts: str, header: bool = True) -> Any:
    """A deck with a table of two columns: the row's number, and a text."""
    prs = Presentation()
    slide = prs.slides.add_slide(prs.slide_layouts[6])
    frame = slide.shapes.add_table(len(texts), 2, Emu(0), Emu(0), Emu(914400), Emu(914400))
    frame.table.first_row = header
    for row, text in enumerate(texts):
        frame.table.cell(row, 0).text = str(row)
        frame.table.cell(row, 1).text = text
    return prs


def order(prs: Any) -> str:
    """The old numbers of the rows, in their new order."""
    return "".join(row.cells[0].text for row in prs.slides[0].shapes[0].table.rows)


@pytest.mark.parametrize(
    ("texts", "rising", "falling"),
    [
        (("Sales", "10", "9", "100"), "0213", "0312"),
        (("Sales", "€ 1,200", "€ 900", "− 5 %".replace("− ", "−")), "0321", "0123"),
        (("Sales", "b", "A", "c"), "0213", "0312"),
        (("Sales", "2", "", "1"), "0312", "0132"),
        (("Sales", "10", "x9", "y1 2"), "0123", "0321"),
        (("Sales", "5", "5", "4"), "0312", "0123"),
    ],
)
def test_rows_are_sorted_below_the_header(
    texts: tuple[str, ...], rising: str, falling: str
) -> None:
    for descending, wanted in ((False, rising), (True, falling)):
        prs = table_deck(*texts)
        changed = sort_rows(prs, 1, 2, descending=descending)
        assert order(prs) == wanted
        assert changed == (wanted != "0123")


def test_a_table_without_a_header_is_sorted_as_a_whole() -> None:
    prs = table_deck("3", "1", "2", header=False)
    sort_rows(prs, 1, 2)
    assert order(prs) == "120"


def test_rows_that_hang_together_are_not_sorted() -> None:
    prs = table_deck("Sales", "2", "1")
    table = prs.slides[0].shapes[0].table
    table.cell(1, 0).merge(table.cell(2, 0))
    with pytest.raises(EditError, match="merged cells"):
        sort_rows(prs, 1, 2)
    with pytest.raises(EditError, match="has 2 columns, no 3"):
        sort_rows(table_deck("a", "b"), 1, 3)


def png(width: int, height: int) -> bytes:
    """A picture of one colour."""
    held = BytesIO()
    Image.new("RGB", (width, height), (width % 256, 9, 9)).save(held, "PNG")
    return held.getvalue()


def test_a_replaced_picture_keeps_its_frame_and_fills_it_without_distortion() -> None:
    prs = Presentation()
    prs.slides.add_slide(prs.slide_layouts[6])
    id = add_picture(prs, 1, (100, 100, 200, 100), png(200, 100), alt="Old")
    before = [(one.left, one.top, one.width, one.height) for one in prs.slides[0].shapes]
    replace_picture(prs, 1, id, png(100, 100))
    held = BytesIO()
    prs.save(held)
    [picture] = Presentation(held).slides[0].shapes
    assert [(picture.left, picture.top, picture.width, picture.height)] == before
    assert picture.image.size == (100, 100)
    assert (picture.crop_top, picture.crop_bottom) == (0.25, 0.25)
    assert len(picture.part.rels) == 2  # its layout, and one picture


def test_only_pictures_are_replaced_by_pictures() -> None:
    prs = table_deck("a", "b")
    with pytest.raises(EditError, match="is no picture"):
        replace_picture(prs, 1, prs.slides[0].shapes[0].shape_id, png(9, 9))
    id = add_picture(prs, 1, (0, 0, 20, 20), png(9, 9))
    with pytest.raises(EditError, match="none of PNG"):
        replace_picture(prs, 1, id, b"no picture")


def test_the_only_section_is_dissolved_with_the_list() -> None:
    prs = Presentation()
    for _slide in range(2):
        prs.slides.add_slide(prs.slide_layouts[6])
    add_section(prs, "All", 1)
    with pytest.raises(EditError, match="begins at slide 1"):
        add_section(prs, "Again", 1)
    delete_section(prs, "all")
    assert b"sectionLst" not in prs.part.blob
    with pytest.raises(EditError, match="no section"):
        delete_section(prs, "All")


def test_a_slide_of_another_deck_leaves_that_deck_as_it_is() -> None:
    prs, other = Presentation(), table_deck("a", "b")
    prs.slides.add_slide(prs.slide_layouts[6])
    assert bring_slide(prs, other, 1, 1) == 1
    assert len(prs.slides) == 2 and len(other.slides) == 1
    assert prs.slides[0].shapes[0].table.cell(1, 1).text == "b"
    for slide, place in ((2, 1), (1, 9)):
        with pytest.raises(EditError):
            bring_slide(prs, other, slide, place)


def test_the_free_room_touches_no_shape() -> None:
    prs: Any = Presentation()
    slide = prs.slides.add_slide(prs.slide_layouts[6])
    assert free_box(prs, 1) == (40, 40, 880, 460)
    half = slide.shapes.add_shape(1, 0, 0, prs.slide_width // 2, prs.slide_height)
    left, _top, width, _height = free_box(prs, 1)
    assert left >= 480 and left + width <= 920
    half.width = prs.slide_width
    with pytest.raises(EditError, match="no free room"):
        free_box(prs, 1)


def test_charts_say_what_they_do_not_have(deck: Any) -> None:
    with pytest.raises(EditError, match="no place for a legend"):
        set_legend(deck, 6, "middle")
    with pytest.raises(EditError, match="no category 'West'"):
        color_point(deck, 6, ("West", None), "red")
    assert set_axis_title(deck, 6, "horizontal", "Region")
    assert not set_axis_title(deck, 6, "category", "Region")
    assert not set_axis_title(deck, 6, "value", None)
    assert set_legend(deck, 6, "top") and not set_legend(deck, 6, "top")
