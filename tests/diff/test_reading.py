"""Slides that need no reading, and that leaving them out changes nothing."""

from collections.abc import Callable
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from tests.diff.conftest import taken

from decklab.diff import DeckDiff, diff, diff_packages
from decklab.diff.unchanged import unchanged_slides
from decklab.ooxml.package import Package

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
        return {id - 255 for id in unchanged_slides(old, new).ids}


def compared(before: Path, after: Path) -> DeckDiff:
    """The changes between two files, which are those between their snapshots."""
    with Package.open(before) as old, Package.open(after) as new:
        found = diff_packages(old, new)
    assert found == diff(taken(before), taken(after))
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
    assert [change.slide for change in compared(talk, after).edits] == [1, 3]


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
