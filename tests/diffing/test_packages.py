"""Slides that need no reading, and that leaving them out changes nothing."""

import re
from collections.abc import Callable
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_CONNECTOR
from tests.diffing.conftest import taken
from tests.diffing.edits import parsed
from tests.diffing.exactness import of_snapshots

from decklab.diffing.changes import DeckDiff
from decklab.diffing.decks import diff_packages
from decklab.diffing.same_parts import PackagePair, unchanged_slides
from decklab.diffing.snapshots import diff
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package

THEME = "ppt/theme/theme1.xml"
SLIDE = "ppt/slides/slide{}.xml"

Saved = Callable[[Callable[[Any], None]], Path]


@pytest.fixture
def saved(talk: Path, tmp_path: Path) -> Saved:
    def save(edit: Callable[[Any], None]) -> Path:
        deck = Presentation(str(talk))
        edit(deck)
        path = tmp_path / f"edited{len(list(tmp_path.iterdir()))}.pptx"
        deck.save(str(path))
        return path

    return save


def unchanged(before: Path, after: Path) -> set[int]:
    with Package.open(before) as old, Package.open(after) as new:
        return {id - 255 for id in unchanged_slides(PackagePair(old, new)).ids}


def kept(before: Path, after: Path) -> dict[int, set[int]]:
    """Ids of the shapes that need no reading, by the number of their slide in the talk."""
    with Package.open(before) as old, Package.open(after) as new:
        found = unchanged_slides(PackagePair(old, new)).same_shapes
    return {id - 255: set(one.shapes) for id, one in found.items()}


def rewritten(path: Path, part: str, old: str, new: str) -> Path:
    """A copy of a deck in which one part has other words."""
    out = path.with_name(f"rewritten {path.name}")
    with Package.open(path) as package:
        draft = Draft(package)
        text = package.read(part).decode()
        assert old in text
        draft.replace(part, text.replace(old, new).encode())
        return draft.save(out)


def compared(before: Path, after: Path) -> DeckDiff:
    """The changes between two files, among which are those between their snapshots."""
    with Package.open(before) as old, Package.open(after) as new:
        found = diff_packages(old, new)
    assert of_snapshots(found) == of_snapshots(diff(taken(before), taken(after)))
    return found


def test_all_slides_of_a_deck_are_unchanged_beside_itself(talk: Path, saved: Saved) -> None:
    assert unchanged(talk, talk) == {1, 2, 3, 4, 5, 6}
    assert unchanged(talk, saved(lambda deck: None)) == {1, 2, 3, 4, 5, 6}


def test_an_edited_slide_is_changed_and_so_is_one_with_other_notes_or_another_chart(
    talk: Path, saved: Saved
) -> None:
    def edit(deck: Any) -> None:
        deck.slides[0].shapes.title.text = "Theme 1"
        deck.slides[2].notes_slide.notes_text_frame.text = "Say this fast"
        deck.slides[3].shapes[2].chart.plots[0].gap_width = 33

    after = saved(edit)
    assert unchanged(talk, after) == {2, 5, 6}
    assert [change.slide for change in compared(talk, after).edits] == [1, 3, 4]


def test_a_picture_exchanged_under_its_name_changes_its_slide(saved: Saved) -> None:
    def put(color: str) -> Callable[[Any], None]:
        def edit(deck: Any) -> None:
            buffer = BytesIO()
            Image.new("RGB", (4, 4), color).save(buffer, "PNG")
            deck.slides[1].shapes.add_picture(buffer, 0, 0)

        return edit

    red, blue = saved(put("red")), saved(put("blue"))
    (change,) = compared(red, blue).edits
    assert (change.slide, change.kind, change.property) == (2, "picture", "image")


def test_nothing_is_unchanged_on_another_master(talk: Path, saved: Saved) -> None:
    def edit(deck: Any) -> None:
        deck.slide_master.shapes[0].left += 99_999

    after = saved(edit)
    assert unchanged(talk, after) == set()
    assert compared(talk, after).edits


def test_moved_added_and_removed_slides_are_found_among_unread_ones(
    talk: Path, saved: Saved
) -> None:
    def edit(deck: Any) -> None:
        deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "The end"
        listed = deck.slides._sldIdLst
        deck.part.drop_rel(listed[1].rId)
        listed.remove(listed[1])
        listed.insert(0, listed[3])

    found = compared(talk, saved(edit)).slides
    assert (found.added, found.removed) == ((6,), (2,))
    assert [(move.before, move.after) for move in found.moved] == [(5, 1)]


def test_a_copy_of_an_unread_slide_under_the_id_of_a_removed_one_is_no_edit_of_that(
    talk: Path, saved: Saved
) -> None:
    def edit(deck: Any) -> None:
        copy = deck.slides.add_slide(deck.slide_layouts[1])
        tree = copy.shapes._spTree
        for shape in list(copy.shapes):
            tree.remove(shape._element)
        for shape in deck.slides[0].shapes:
            tree.append(deepcopy(shape._element))
        listed = deck.slides._sldIdLst
        old = listed[4]
        deck.part.drop_rel(old.rId)
        listed.remove(old)
        listed[-1].set("id", old.get("id"))

    found = compared(talk, saved(edit)).slides
    assert (found.added, found.removed) == ((6,), (5,))


def test_another_layout_is_told_though_no_other_slide_is_read(talk: Path, saved: Saved) -> None:
    def edit(deck: Any) -> None:
        for link in deck.slides[5].part.rels.values():
            if link.reltype.endswith("/slideLayout"):
                link._target = deck.slide_layouts[0].part

    (change,) = compared(talk, saved(edit)).edits
    assert (change.slide, change.kind, change.old, change.new) == (
        6, "layout", "Blank", "Title Slide",
    )  # fmt: skip


def test_ids_that_are_not_unique_tell_nothing(talk: Path, saved: Saved) -> None:
    def edit(deck: Any) -> None:
        deck.slides._sldIdLst[1].set("id", "256")

    twice = saved(edit)
    assert 1 not in unchanged(twice, twice)
    assert compared(twice, twice) == DeckDiff()


def test_empty_decks(talk: Path, tmp_path: Path) -> None:
    Presentation().save(str(tmp_path / "empty.pptx"))
    assert unchanged(tmp_path / "empty.pptx", talk) == set()
    assert compared(tmp_path / "empty.pptx", talk).slides.added == (1, 2, 3, 4, 5, 6)


def test_theme_colors_and_fonts_are_told_once_without_reading_a_slide(saved: Saved) -> None:
    plain = saved(lambda deck: None)
    for old, new, told in (
        ('<a:accent1><a:srgbClr val="4F81BD"/>', '<a:accent1><a:srgbClr val="A312B5"/>', "accent1"),
        ('<a:minorFont><a:latin typeface="Calibri"/>',
         '<a:minorFont><a:latin typeface="Wombat"/>', "minor"),
        ('<a:minorFont><a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/>',
         '<a:minorFont><a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface="Wombat"/>',
         "minor_complex_script"),
    ):  # fmt: skip
        after = rewritten(plain, THEME, old, new)
        assert unchanged(plain, after) == {1, 2, 3, 4, 5, 6}
        (change,) = compared(plain, after).edits
        assert change.kind == "theme" and told in change.property


def test_a_bullet_in_a_font_of_the_theme_changes_with_it(saved: Saved) -> None:
    def edit(deck: Any) -> None:
        paragraph = deck.slides[0].placeholders[1].text_frame.paragraphs[0]
        properties = paragraph._p.get_or_add_pPr()
        properties.append(parsed('<a:buFont typeface="+mj-lt"/>'))
        properties.append(parsed('<a:buChar char="o"/>'))

    before = saved(edit)
    fonts = '<a:majorFont><a:latin typeface="{}"/>'
    after = rewritten(before, THEME, fonts.format("Calibri"), fonts.format("Wombat"))
    assert [change.kind for change in compared(before, after).edits] == ["theme"]


def test_other_fill_styles_of_a_theme_are_looked_for_on_every_slide(saved: Saved) -> None:
    plain = saved(lambda deck: None)
    after = rewritten(plain, THEME, '<a:fillStyleLst><a:solidFill><a:schemeClr val="phClr"/>',
                      '<a:fillStyleLst><a:solidFill><a:schemeClr val="accent2"/>')  # fmt: skip
    assert unchanged(plain, after) == set()
    compared(plain, after)


def test_a_theme_that_lost_a_color_is_looked_for_on_every_slide(saved: Saved) -> None:
    plain = saved(lambda deck: None)
    after = rewritten(plain, THEME, '<a:sysClr val="windowText" lastClr="000000"/>', "")
    assert unchanged(plain, after) == set()
    compared(plain, after)


def test_shapes_beside_an_edited_one_are_not_read(talk: Path, saved: Saved) -> None:
    def edit(deck: Any) -> None:
        deck.slides[4].shapes[2].left += 99_999
        deck.slides[4].shapes[3].text_frame.paragraphs[0].runs[0].text = "Lid 3"

    after = saved(edit)
    ids = [shape.shape_id for shape in Presentation(str(talk)).slides[4].shapes]
    assert kept(talk, after) == {5: {ids[0], ids[1], ids[4]}}
    found = [(change.slide, change.element and change.element.id, change.kind)
             for change in compared(talk, after).edits]  # fmt: skip
    assert found == [(5, ids[2], "geometry"), (5, ids[3], "text")]


def test_shapes_added_removed_and_restacked_are_found_among_unread_ones(
    talk: Path, saved: Saved
) -> None:
    def edit(deck: Any) -> None:
        shapes = deck.slides[4].shapes
        tree, first, second = shapes._spTree, shapes[0]._element, shapes[1]._element
        tree.remove(second)
        tree.append(first)
        shapes.add_textbox(0, 0, 99_999, 99_999).text_frame.text = "New"

    found = compared(talk, saved(edit)).edits
    assert sorted(change.kind for change in found) == ["added", "removed", "z-order"]


def test_notes_that_changed_cost_no_shape(talk: Path, saved: Saved) -> None:
    def edit(deck: Any) -> None:
        deck.slides[2].notes_slide.notes_text_frame.text = "Say this fast"

    after = saved(edit)
    assert kept(talk, after) == {3: {2, 3}}
    (change,) = compared(talk, after).edits
    assert (change.slide, change.kind) == (3, "notes")


def test_a_shape_filled_with_the_background_is_read_when_that_changes(saved: Saved) -> None:
    def fill(deck: Any) -> None:
        deck.slides[4].shapes[1]._element.set("useBgFill", "1")

    def paint(deck: Any) -> None:
        fill(deck)
        deck.slides[4].background.fill.solid()
        deck.slides[4].background.fill.fore_color.rgb = RGBColor(1, 2, 3)

    before, after = saved(fill), saved(paint)
    filled = Presentation(str(before)).slides[4].shapes[1].shape_id
    assert filled not in kept(before, after)[5]
    (change,) = compared(before, after).edits
    assert (change.slide, change.property) == (5, "background")


def test_shapes_whose_ids_do_not_tell_them_apart_are_read(saved: Saved) -> None:
    def twice(deck: Any) -> None:
        shapes = deck.slides[4].shapes
        shapes[1]._element.nvSpPr.cNvPr.set("id", str(shapes[0].shape_id))

    def edit(deck: Any) -> None:
        twice(deck)
        deck.slides[4].shapes[2].left += 99_999

    before, after = saved(twice), saved(edit)
    assert kept(before, after) == {}
    assert [change.kind for change in compared(before, after).edits] == ["geometry"]


def test_a_connector_tells_that_its_shape_was_exchanged_though_it_is_not_read(saved: Saved) -> None:
    def connect(deck: Any) -> None:
        shapes = deck.slides[4].shapes
        line = shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 99_999, 99_999)
        line.begin_connect(shapes[0], 0)

    def renumber(deck: Any) -> None:
        connect(deck)
        deck.slides[4].shapes[0]._element.nvSpPr.cNvPr.set("id", "77")

    before, after = saved(connect), saved(renumber)
    assert len(kept(before, after)[5]) == 5
    (change,) = compared(before, after).edits
    assert (change.kind, change.property) == ("geometry", "connected start")


def test_parts_may_have_other_names(talk: Path, tmp_path: Path) -> None:
    """As where a program counts slides anew: the part of one holds another."""
    after = tmp_path / "renamed.pptx"
    with ZipFile(talk) as old, ZipFile(after, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.endswith(".rels") or name == "[Content_Types].xml":
                data = re.sub(rb"/slide(\d)\.xml", rb"/page\1.xml", data)
            new.writestr(re.sub(r"/slide(\d)\.xml", r"/page\1.xml", name), data)
    assert unchanged(talk, after) == {1, 2, 3, 4, 5, 6}
    assert compared(talk, after) == DeckDiff()


@pytest.mark.long
def test_unrelated_decks(talk: Path, sample_decks: list[Path]) -> None:
    for deck in sample_decks:
        if deck.stem != "bad":
            assert compared(talk, deck).slides.removed
            compared(deck, talk)
