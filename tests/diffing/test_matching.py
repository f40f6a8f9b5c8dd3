"""Which slides are the same, where several look alike."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from decklab.deck.views.snapshot import snapshot
from decklab.diffing.decks import diff_packages
from decklab.diffing.matching import match_slides
from decklab.diffing.snapshots import diff
from decklab.editing.slide_operations import clone_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries


def quiz(path: Path) -> Path:
    """Four slides of which the second and third hold the same words."""
    deck = Presentation()
    for title in ("Start", "Question", "Question", "End"):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "Which of these is a quokka?"
        slide.notes_slide.notes_text_frame.text = "Ask."
    deck.save(str(path))
    return path


def new_notes(slide: Any) -> None:
    slide.notes_slide.notes_text_frame.text = "Wait a minute."


def new_word(slide: Any) -> None:
    slide.placeholders[1].text = "Which of these is a wombat?"


@pytest.mark.parametrize("edit", [new_notes, new_word])
def test_an_edited_slide_is_not_taken_for_gone_where_its_like_was_copied(
    edit: Callable[[Any], None], tmp_path: Path
) -> None:
    before = quiz(tmp_path / "before.pptx")
    with Package.open(before) as package:
        draft = Draft(package)
        clone_slide(draft, slide_entries(draft)[1].part)
        draft.save(tmp_path / "copied.pptx")
    deck = Presentation(str(tmp_path / "copied.pptx"))
    ids = [slide.slide_id for slide in Presentation(str(before)).slides]
    copy = next(n for n, slide in enumerate(deck.slides, 1) if slide.slide_id not in ids)
    edited = next(n for n, slide in enumerate(deck.slides, 1) if slide.slide_id == ids[2])
    edit(deck.slides[edited - 1])
    deck.save(str(tmp_path / "after.pptx"))
    with Package.open(before) as old, Package.open(tmp_path / "after.pptx") as new:
        for found in (diff_packages(old, new), diff(snapshot(old), snapshot(new))):
            assert found.slides.added == (copy,)
            assert {one.slide for one in found.edits if one.kind in ("notes", "text")} == {edited}


def slides_of(path: Path, *slides: tuple[str, str]) -> list[dict[str, Any]]:
    """The slides of a snapshot of a deck with these titles and points."""
    deck = Presentation()
    for title, points in slides:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = points
    deck.save(str(path))
    with Package.open(path) as package:
        found: list[dict[str, Any]] = snapshot(package)["slides"]
    return found


def test_between_the_same_neighbours_a_slide_may_be_another_if_ids_say_nothing(
    tmp_path: Path,
) -> None:
    start, end = ("Start", "We begin"), ("End", "We stop")
    before = slides_of(tmp_path / "a.pptx", start, ("Quays", "Two quays were built"), end)
    rewritten = ("Quays", "Nobody counted any")  # alike in title, layout and places
    after = slides_of(tmp_path / "b.pptx", start, rewritten, end)
    assert (1, 1) in match_slides(before, after, numbered_anew=True)
    elsewhere = slides_of(tmp_path / "c.pptx", rewritten, start, end)
    assert sorted(match_slides(before, elsewhere, numbered_anew=True)) == [(0, 1), (2, 2)]


def test_a_new_slide_among_marked_ones_does_not_take_the_place_of_a_removed_one(
    tmp_path: Path,
) -> None:
    start = ("Start", "We begin")
    before = slides_of(tmp_path / "a.pptx", start, ("Quays", "Two quays were built"))
    after = slides_of(tmp_path / "b.pptx", start, ("Moles", "Nobody counted any"))
    for slides in (before, after):
        for number, slide in enumerate(slides):
            slide["id"] = 700 + 3 * number
    assert match_slides(before, after) == [(0, 0), (1, 1)]
    before[0]["creation_id"] = after[0]["creation_id"] = 11
    before[1]["creation_id"] = 12  # the newer slide has the id of the removed one, and no mark
    assert match_slides(before, after) == [(0, 0)]
