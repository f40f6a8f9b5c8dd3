"""One cause is one change, told where it was made: what follows from it is not told again."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Emu, Inches, Pt
from tests.diffing.conftest import Editing, taken

from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.snapshots import diff
from decklab.ooxml.xml import qn


def told(found: DeckDiff) -> list[tuple[int | None, str, str]]:
    return [(one.slide, one.kind, one.property) for one in found.edits]


def only(found: DeckDiff) -> Change:
    assert len(found.edits) == 1, told(found)
    return found.edits[0]


def style_of(deck: Any, name: str, level: int = 1) -> Any:
    """The text properties of a level of one of the master's text styles."""
    master = deck.slide_masters[0].element
    return master.find(f"{qn('p:txStyles')}/{qn(name)}/{qn(f'a:lvl{level}pPr')}/{qn('a:defRPr')}")


def theme_edited(deck: Any, edit: Callable[[Any], None]) -> None:
    """Change the theme, which python-pptx keeps as bytes."""
    part = next(
        link.target_part
        for link in deck.slide_masters[0].part.rels.values()
        if link.reltype.endswith("/theme")
    )
    root = etree.fromstring(part.blob)
    edit(root)
    part._blob = etree.tostring(root)


def test_a_masters_title_style_is_told_once_and_on_the_master(edited: Editing) -> None:
    change = only(edited(lambda deck: style_of(deck, "p:titleStyle").set("sz", "3700")))
    assert (change.slide, change.kind, change.property) == (None, "master", "font.size")
    assert (change.old, change.new) == (44.0, 37.0)
    assert change.element is not None and change.element.part == "title style, level 1"


def test_a_level_of_a_master_that_shows_nowhere_is_told_too(edited: Editing) -> None:
    change = only(edited(lambda deck: style_of(deck, "p:bodyStyle", 7).set("b", "1")))
    assert change.element is not None and change.element.part == "body style, level 7"
    assert (change.kind, change.property, change.new) == ("master", "font.bold", True)


def test_a_slide_that_changed_itself_is_told_beside_its_master(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        style_of(deck, "p:titleStyle").set("sz", "3700")
        deck.slides[1].shapes.title.text_frame.paragraphs[0].runs[0].font.size = Pt(20)

    assert told(edited(edit)) == [(None, "master", "font.size"), (2, "style", "font.size")]


def test_a_list_style_of_a_layout_is_told_on_the_layout(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        body = deck.slides[0].slide_layout.placeholders[1]._element.find(qn("p:txBody"))
        styles = body.find(qn("a:lstStyle"))
        level = etree.SubElement(styles, qn("a:lvl1pPr"))
        etree.SubElement(level, qn("a:defRPr")).set("sz", "2600")

    assert told(edited(edit)) == [(None, "layout", "font.size")]


def test_the_default_text_style_is_told_once(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        style = deck.element.find(f"{qn('p:defaultTextStyle')}/{qn('a:lvl1pPr')}/{qn('a:defRPr')}")
        style.set("i", "1")

    change = only(edited(edit))
    assert (change.slide, change.property, change.new) == (None, "font.italic", True)
    assert change.element is not None and change.element.part == "default text style, level 1"


def test_a_background_of_the_master_is_told_once(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        deck.slide_masters[0].background.fill.solid()
        deck.slide_masters[0].background.fill.fore_color.rgb = RGBColor(0x12, 0x34, 0x56)

    assert told(edited(edit)) == [(None, "master", "background")]


def test_a_colour_map_is_told_once(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        mapping = deck.slide_masters[0].element.find(qn("p:clrMap"))
        mapping.set("bg1", "dk1")
        mapping.set("tx1", "lt1")

    change = only(edited(edit))
    assert (change.kind, change.property) == ("master", "color map")
    assert change.new == {"bg1": "dk1", "tx1": "lt1"}


def test_a_line_style_of_the_theme_is_told_once(edited: Editing) -> None:
    def thicken(root: Any) -> None:
        root.find(f".//{qn('a:lnStyleLst')}/{qn('a:ln')}").set("w", "50000")

    change = only(edited(lambda deck: theme_edited(deck, thicken)))
    assert (change.kind, change.property, change.new) == ("theme", "line style 1", {"width": 3.937})


def test_what_a_paragraph_takes_from_its_level_is_not_told(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        deck.slides[0].placeholders[1].text_frame.paragraphs[1].level = 2

    assert told(edited(edit)) == [(1, "style", "paragraph.level")]


def test_what_a_paragraph_states_itself_beside_its_level_is_told(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        paragraph = deck.slides[0].placeholders[1].text_frame.paragraphs[1]
        paragraph.level = 2
        paragraph.runs[0].font.size = Pt(11)

    assert told(edited(edit)) == [(1, "style", "paragraph.level"), (1, "style", "font.size")]


def _stretched(deck: Any, by: float, shift: tuple[float, float] = (0.0, 0.0)) -> None:
    """Scale all that has a place, as PowerPoint does when the slide size changes."""
    layouts = [one.element for one in deck.slide_masters[0].slide_layouts]
    for root in (*(one.element for one in deck.slides), deck.slide_masters[0].element, *layouts):
        for place in root.iter(qn("a:off")):
            for key, away in zip("xy", shift, strict=True):
                place.set(key, str(round(int(place.get(key)) * by + away)))
        for extent in root.iter(qn("a:ext")):
            for key in ("cx", "cy") if extent.get("cx") else ():
                extent.set(key, str(round(int(extent.get(key)) * by)))
        for lengths, key in ((root.iter(qn("a:gridCol")), "w"), (root.iter(qn("a:tr")), "h")):
            for one in lengths:
                one.set(key, str(round(int(one.get(key)) * by)))


def _left_in_place(deck: Any) -> None:
    deck.slide_width = Emu(deck.slide_width * 4 // 3)


def _fitted(deck: Any) -> None:
    """Narrower slides: all is scaled down, and stands in the middle."""
    old = deck.slide_height
    _stretched(deck, 0.75, (0.0, old * 0.125))
    deck.slide_width = Emu(deck.slide_width * 3 // 4)


def _shrunk(deck: Any) -> None:
    _stretched(deck, 0.75)
    deck.slide_width = Emu(deck.slide_width * 3 // 4)
    deck.slide_height = Emu(deck.slide_height * 3 // 4)


@pytest.mark.parametrize("resize", [_left_in_place, _fitted, _shrunk])
def test_a_slide_size_is_one_change_however_the_contents_follow(
    edited: Editing, resize: Callable[[Any], None]
) -> None:
    assert told(edited(resize)) == [(None, "properties", "slide size")]


@pytest.mark.parametrize("resize", [_left_in_place, _fitted, _shrunk])
def test_a_shape_moved_while_the_slides_were_resized_is_told_alone(
    edited: Editing, resize: Callable[[Any], None]
) -> None:
    def edit(deck: Any) -> None:
        resize(deck)
        deck.slides[4].shapes[2].top += Inches(1)

    assert told(edited(edit)) == [(None, "properties", "slide size"), (5, "geometry", "position")]


def test_a_row_put_in_a_table_that_grew_by_it_is_one_change(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        frame = deck.slides[3].shapes[1]
        row = frame.table._tbl.tr_lst[2]
        new = deepcopy(row)
        row.addnext(new)
        for cell, text in zip(new.tc_lst, ("Cairo", "9500"), strict=True):
            cell.txBody.p_lst[0].r_lst[0].text = text
        frame.height += row.h

    assert told(edited(edit)) == [(4, "table", "row added")]


def test_a_table_drawn_wider_is_one_change(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        for column in deck.slides[3].shapes[1].table.columns:
            column.width = Emu(column.width * 5 // 4)  # the frame's width follows

    assert told(edited(edit)) == [(4, "geometry", "size")]


def test_a_category_put_in_a_chart_is_one_change(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        data = CategoryChartData()
        data.categories = ["a", "new", "b", "c"]
        data.add_series("North", (1.0, 9.0, 2.0, 3.0))
        data.add_series("South", (4.0, 8.0, 5.0, 6.0))
        deck.slides[3].shapes[2].chart.replace_data(data)

    change = only(edited(edit))
    assert (change.kind, change.property) == ("chart", "category added")
    assert change.new == {"North": 9.0, "South": 8.0}


def test_numbers_that_changed_beside_a_new_category_are_told(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        data = CategoryChartData()
        data.categories = ["a", "b", "c", "new"]
        data.add_series("North", (1.0, 2.0, 3.0, 9.0))
        data.add_series("South", (4.0, 5.5, 6.0, 8.0))
        deck.slides[3].shapes[2].chart.replace_data(data)

    assert told(edited(edit)) == [(4, "chart", "category added"), (4, "chart", "values")]


@pytest.fixture
def drawn(tmp_path: Path) -> Path:
    """Two boxes, a connector that is glued to both, and a shape of the theme's style."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    boxes = [
        slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(x), Inches(1), Inches(1), Inches(1))
        for x in (1, 5)
    ]
    line = slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 0, 0)
    line.begin_connect(boxes[0], 3)
    line.end_connect(boxes[1], 1)
    deck.save(str(tmp_path / "drawn.pptx"))
    return tmp_path / "drawn.pptx"


def _compared(path: Path, edit: Callable[[Any], None]) -> DeckDiff:
    deck = Presentation(str(path))
    edit(deck.slides[0].shapes)
    out = path.with_name("edited.pptx")
    deck.save(str(out))
    return diff(taken(path), taken(out))


def test_a_connector_that_follows_its_shape_is_not_told(drawn: Path) -> None:
    def edit(shapes: Any) -> None:
        shapes[1].top += Inches(1)
        shapes[2].end_connect(shapes[1], 1)

    assert told(_compared(drawn, edit)) == [(1, "geometry", "position")]


def test_another_fill_of_the_theme_is_told_by_what_it_changes(drawn: Path) -> None:
    def edit(shapes: Any) -> None:
        shapes[0]._element.find(f".//{qn('a:fillRef')}").set("idx", "1")

    assert told(_compared(drawn, edit)) == [(1, "style", "fill")]


def test_another_style_of_the_theme_is_one_change(drawn: Path) -> None:
    def edit(shapes: Any) -> None:
        style = shapes[0]._element.find(qn("p:style"))
        for color in style.iter(qn("a:schemeClr")):
            color.set("val", "accent5")

    assert told(_compared(drawn, edit)) == [(1, "other", "theme_style")]


def test_another_language_of_all_texts_is_one_change(talk: Path, tmp_path: Path) -> None:
    paths = []
    for language in ("en-US", "de-DE"):
        deck = Presentation(str(talk))
        for slide in deck.slides:
            for run in slide.element.iter(qn("a:r")):
                run.get_or_add_rPr().set("lang", language)
        paths.append(tmp_path / f"{language}.pptx")
        deck.save(str(paths[-1]))
    change = only(diff(taken(paths[0]), taken(paths[1])))
    assert (change.slide, change.property, change.new) == (None, "font.language", "de-DE")
