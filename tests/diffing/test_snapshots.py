"""Edits made by another program, python-pptx: kinds, places, old and new values."""

import hashlib
import json
import subprocess
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.util import Inches, Pt
from tests.diffing.conftest import Editing, taken

from decklab.diffing.changes import Change, DeckDiff
from decklab.diffing.snapshots import diff


def told(found: DeckDiff) -> list[tuple[Any, ...]]:
    return [
        (c.slide, c.element.id if c.element else None, c.kind, c.property, c.old, c.new)
        for c in found.edits
    ]


def only(found: DeckDiff) -> Change:
    assert len(found.edits) == 1, told(found)
    return found.edits[0]


def test_a_deck_does_not_differ_from_itself(talk: Path) -> None:
    assert diff(taken(talk), taken(talk)) == DeckDiff()


def test_a_resave_by_python_pptx_changes_nothing(talk: Path, edited: Editing) -> None:
    assert edited(lambda deck: None) == DeckDiff()


def test_comparing_changes_neither_snapshots_nor_file(talk: Path, sample_decks: list[Path]) -> None:
    before, after = taken(talk), taken(sample_decks[1])
    spelled, digest = json.dumps([before, after]), hashlib.sha256(talk.read_bytes()).digest()
    diff(before, after)
    assert json.dumps([before, after]) == spelled
    assert hashlib.sha256(talk.read_bytes()).digest() == digest


def test_the_json_has_the_keys_that_the_command_prints(edited: Editing) -> None:
    found = edited(lambda deck: setattr(deck.slides[0].shapes.title, "text", "Theme 1")).as_json()
    (change,) = found["changes"]
    assert set(found) == {"changes", "slides"}
    assert set(found["slides"]) == {"added", "removed", "moved"}
    assert set(change) == {"slide", "element", "kind", "property", "old", "new", "noise"}
    assert json.loads(json.dumps(found)) == found


def test_text_names_slide_and_element_and_keeps_both_states(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].placeholders[1].text_frame.paragraphs[1].runs[0].text = "Another point of 2"

    change = only(edited(edit))
    assert change.element is not None and change.element.name == "Content Placeholder 2"
    assert (change.slide, change.kind, change.property) == (2, "text", "text")
    assert (change.old, change.new) == (
        "The first point of 2\nThe second point of 2",
        "The first point of 2\nAnother point of 2",
    )


def test_a_run_made_bold_in_the_middle_of_a_text_is_a_style(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        paragraph = deck.slides[0].placeholders[1].text_frame.paragraphs[0]
        paragraph.runs[0].text = "The first "
        run = paragraph.add_run()
        run.text, run.font.bold = "point of 1", True

    change = only(edited(edit))
    assert (change.kind, change.property, change.old, change.new) == (
        "style", "font.bold", False, True,
    )  # fmt: skip
    assert change.element is not None and change.element.part == "paragraph 1"


def test_replaced_words_in_another_size_are_text_and_style(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        run = deck.slides[4].shapes[0].text_frame.paragraphs[0].runs[0]
        run.text, run.font.size = "Crate 0", Pt(20)

    assert [one[2:] for one in told(edited(edit))] == [
        ("text", "text", "Box 0", "Crate 0"),
        ("style", "font.size", 12.0, 20.0),
    ]


def test_a_moved_and_filled_box_is_geometry_and_style(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        box = deck.slides[4].shapes[2]
        box.left, box.width = Inches(3), Inches(2)
        box.fill.solid()
        box.fill.fore_color.rgb = RGBColor(1, 2, 3)

    assert [one[2:] for one in told(edited(edit))] == [
        ("geometry", "position", [240.0, 72.0], [288.0, 72.0]),
        ("geometry", "size", [86.4, 36.0], [192.0, 36.0]),
        ("style", "fill", None, "#010203"),
    ]


def test_a_shape_sent_to_the_back_is_the_only_one_that_changed(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        tree = deck.slides[4].shapes._spTree
        tree.insert(2, deck.slides[4].shapes[4]._element)

    change = only(edited(edit))
    assert change.element is not None and change.element.name == "TextBox 5"
    assert (change.kind, change.old, change.new) == ("z-order", 5, 1)


def test_a_picture_added_and_a_box_removed(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        buffer = BytesIO()
        Image.new("RGB", (4, 4), "red").save(buffer, "PNG")
        deck.slides[5].shapes.add_picture(buffer, 0, 0, Inches(1), Inches(1))
        box = deck.slides[4].shapes[1]._element
        box.getparent().remove(box)

    removed, added = edited(edit).edits
    assert (removed.slide, removed.kind, removed.property) == (5, "removed", "shape")
    assert removed.old["text"] == "Box 1" and removed.new is None
    assert (added.slide, added.kind, added.property, added.old) == (6, "added", "image", None)


def test_a_table_tells_cells_and_rows(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        table = deck.slides[3].shapes[1].table
        table.cell(1, 1).text = "709"
        row = table._tbl.tr_lst[2]
        table._tbl.remove(row)
        new = deepcopy(table._tbl.tr_lst[2])
        table._tbl.append(new)
        for cell, text in zip(new.tc_lst, ("Cairo", "9500"), strict=True):
            cell.txBody.p_lst[0].r_lst[0].text = text

    assert [(one[3], one[4], one[5]) for one in told(edited(edit))] == [
        ("row removed", ["Rome", "2800"], None),
        ("row added", None, ["Cairo", "9500"]),
        ("cell text", "700", "709"),
    ]


def test_a_chart_tells_its_data_once(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        data = CategoryChartData()
        data.categories = ["a", "b", "d"]
        data.add_series("North", (1.0, 2.5, 3.0))
        data.add_series("South", (4.0, 5.0, 6.0))
        deck.slides[3].shapes[2].chart.replace_data(data)

    assert [one[2:] for one in told(edited(edit))] == [
        ("chart", "values", [1.0, 2.0, 3.0], [1.0, 2.5, 3.0]),
        ("chart", "categories", ["a", "b", "c"], ["a", "b", "d"]),
    ]


def test_notes_links_and_hidden_slides(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        deck.slides[2].notes_slide.notes_text_frame.text = "Say this fast"
        deck.slides[4].shapes[0].click_action.hyperlink.address = "https://example.org"
        deck.slides[5]._element.set("show", "0")

    found = told(edited(edit))
    assert found[0] == (3, None, "notes", "text", "Say this slowly", "Say this fast")
    assert found[1][2:4] == ("link", "click")
    assert found[1][5] == {"kind": "url", "target": "https://example.org"}
    assert found[2] == (6, None, "slide", "hidden", False, True)


def test_a_slide_moved_to_the_front_moves_alone(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        listed = deck.slides._sldIdLst
        listed.insert(0, listed[4])

    found = edited(edit)
    assert told(found) == [(1, None, "slide", "moved", 5, 1)]
    assert [(move.before, move.after) for move in found.slides.moved] == [(5, 1)]


def test_a_removed_slide_is_told_by_its_old_number(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        listed = deck.slides._sldIdLst
        deck.part.drop_rel(listed[1].rId)
        listed.remove(listed[1])

    found = edited(edit)
    assert told(found) == [(2, None, "slide", "removed", "Topic 2", None)]
    assert found.slides.removed == (2,) and not found.slides.added and not found.slides.moved


def test_a_new_slide_with_the_id_of_a_removed_one_is_another_slide(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = "Epilogue"
        slide.placeholders[1].text = "Nothing of this was said before"
        listed = deck.slides._sldIdLst
        old = listed[4]
        deck.part.drop_rel(old.rId)
        listed.remove(old)
        listed[-1].set("id", old.get("id"))

    found = edited(edit)
    assert found.slides.removed == (5,) and found.slides.added == (6,)


def test_a_link_to_a_slide_survives_new_slide_ids(talk: Path, tmp_path: Path) -> None:
    deck = Presentation(str(talk))
    deck.slides[0].shapes.title.click_action.target_slide = deck.slides[3]
    deck.save(str(tmp_path / "linked.pptx"))
    for number, entry in enumerate(deck.slides._sldIdLst):
        entry.set("id", str(900 - number))
    deck.save(str(tmp_path / "renumbered.pptx"))
    found = diff(taken(tmp_path / "linked.pptx"), taken(tmp_path / "renumbered.pptx"))
    assert found.edits == () and not found.slides.moved


def test_new_ids_and_names_of_shapes_are_noise(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        for number, shape in enumerate(deck.slides[4].shapes):
            shape._element._nvXxPr.cNvPr.set("id", str(40 - number))
            shape.name = f"Renamed {number}"

    found = edited(edit)
    assert found.edits == ()
    assert {(change.kind, change.property) for change in found.changes} == {
        ("name", "id"), ("name", "name"),
    }  # fmt: skip


def test_ids_that_shapes_exchanged_do_not_exchange_the_shapes(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        first, second = deck.slides[4].shapes[0], deck.slides[4].shapes[3]
        for shape, id in ((first, second.shape_id), (second, first.shape_id)):
            shape._element._nvXxPr.cNvPr.set("id", str(id))

    assert edited(edit).edits == ()


def test_dates_and_counts_that_programs_write_are_noise(edited: Editing) -> None:
    def edit(deck: Any) -> None:
        deck.core_properties.revision = 77
        deck.core_properties.last_modified_by = "somebody"
        deck.core_properties.subject = "Cities"

    found = edited(edit)
    assert told(found) == [(None, None, "properties", "subject", None, "Cities")]
    assert {change.property for change in found.changes if change.noise} == {
        "revision", "lastModifiedBy",
    }  # fmt: skip


def test_two_decks_that_share_nothing_are_slides_removed_and_added(
    talk: Path, tmp_path: Path
) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[0])
    slide.shapes.title.text = "Something else altogether"
    deck.save(str(tmp_path / "other.pptx"))
    found = diff(taken(talk), taken(tmp_path / "other.pptx"))
    assert found.slides.added == (1,) and found.slides.removed == (1, 2, 3, 4, 5, 6)


def test_empty_decks_and_blank_slides(talk: Path, tmp_path: Path) -> None:
    deck = Presentation()
    deck.save(str(tmp_path / "empty.pptx"))
    deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(str(tmp_path / "blank.pptx"))
    empty, blank, full = (
        taken(tmp_path / "empty.pptx"), taken(tmp_path / "blank.pptx"), taken(talk),
    )  # fmt: skip
    assert diff(empty, empty) == diff(blank, blank) == DeckDiff()
    assert diff(empty, blank).slides.added == (1,)
    assert diff(full, empty).slides.removed == (1, 2, 3, 4, 5, 6)
    assert diff(empty, full).slides.added == (1, 2, 3, 4, 5, 6)


def test_a_layout_that_could_not_be_read_is_the_same_by_its_part(talk: Path) -> None:
    before, after, other = taken(talk), taken(talk), taken(talk)
    for side in (before, after, other):
        side["layouts"] = []
    after["slides"][0]["content"] = "as if a shape of it had changed"
    other["slides"][0]["layout_part"] = "ppt/slideLayouts/slideLayout7.xml"
    assert diff(before, after) == DeckDiff()
    assert [(one.slide, one.kind) for one in diff(before, other).edits] == [(1, "layout")]


@pytest.mark.parametrize("slides", [1, 3])
def test_what_is_drawn_on_a_blank_slide_is_added_to_it(tmp_path: Path, slides: int) -> None:
    deck = Presentation()
    for _ in range(slides):
        deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(str(tmp_path / "blank.pptx"))
    for slide in deck.slides:
        for at in (1, 3):
            box = slide.shapes.add_textbox(Inches(at), Inches(1), Inches(1), Inches(1))
            box.text_frame.text = f"Drawn at {at}"
    deck.save(str(tmp_path / "drawn.pptx"))
    found = diff(taken(tmp_path / "blank.pptx"), taken(tmp_path / "drawn.pptx"))
    assert [(one.slide, one.kind) for one in found.edits] == [
        (number, "added") for number in range(1, slides + 1) for _ in range(2)
    ]


@pytest.mark.shared
def test_a_translated_talk_is_the_same_slides_with_other_words(shared: Path) -> None:
    name = "full_regression-aml-designer_{}RegressionAMLDesigner.pptx"
    english, portuguese = (
        taken(shared / "decks" / "real" / name.format(tongue))
        for tongue in ("", "translations_pt-br_")
    )
    found = diff(english, portuguese)
    same = len(english["slides"]) - len(found.slides.removed)
    assert same >= 0.9 * len(english["slides"])
    texts = sum(change.kind == "text" for change in found.edits)
    assert texts > same  # more than one on each


@pytest.mark.long
@pytest.mark.office
def test_a_resave_by_libreoffice_is_nearly_all_noise(talk: Path, tmp_path: Path) -> None:
    deck = Presentation(str(talk))
    deck.slides[1].shapes.title.text = "Theme 2"
    deck.slides[4].shapes[2].left = Inches(6)
    path = tmp_path / "edited.pptx"
    deck.save(str(path))
    subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless",
         "--convert-to", "pptx", "--outdir", str(tmp_path / "out"), str(path)],
        check=True, capture_output=True,
    )  # fmt: skip
    found = diff(taken(talk), taken(tmp_path / "out" / "edited.pptx"))
    kinds = [(one[0], *one[2:4]) for one in told(found)]
    assert (2, "text", "text") in kinds and (5, "geometry", "position") in kinds
    assert len(kinds) <= 4, kinds
    assert len(found.changes) > 50
    assert (found.slides.moved, found.slides.added, found.slides.removed) == ((), (), ())
