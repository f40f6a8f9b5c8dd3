"""Edited decks held against the original and a plan; changes tried together until those that are
left hold.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from pptx import Presentation
from pptx.util import Pt
from tests.drawing import SharedOffice

from decklab.editing.formatting import set_theme_fonts
from decklab.editing.plan import ExpectedChange, Plan
from decklab.editing.slides import clone_slide, delete_slide
from decklab.editing.verify import (
    CannotMake,
    Complaint,
    OriginalDeck,
    Settled,
    Verification,
    settle,
    verify,
)
from decklab.linting.drawn import drawn_findings
from decklab.rendering.renderer import Cache, Renderer

Editor = Callable[[Callable[[Any], object]], Path]
TITLE = ExpectedChange("the title of slide 2 becomes New", ("text",), (2,), new=("New",))


@pytest.fixture
def copy(deck_file: Path, tmp_path: Path) -> Editor:
    def edit(change: Callable[[Any], object]) -> Path:
        deck = Presentation(str(deck_file))
        change(deck)
        deck.save(str(tmp_path / "edited.pptx"))
        return tmp_path / "edited.pptx"

    return edit


def rename(number: int, text: str = "New") -> Callable[[Any], None]:
    def edit(deck: Any) -> None:
        deck.slides[number - 1].shapes.title.text_frame.paragraphs[0].runs[0].text = text

    return edit


def seen(deck: Path, edited: Path, *planned: ExpectedChange) -> Verification:
    return verify(OriginalDeck(deck), edited, Plan(planned), draw=False)


def test_what_was_planned_and_nothing_else_passes(deck_file: Path, copy: Editor) -> None:
    found = seen(deck_file, copy(rename(2)), TITLE)
    assert found.passed
    assert found.messages == ()


def test_an_edit_on_the_wrong_slide_is_missing_and_collateral(
    deck_file: Path, copy: Editor
) -> None:
    found = seen(deck_file, copy(rename(3)), TITLE)
    assert found.missing == ("the title of slide 2 becomes New (slide 2)",)
    assert [change.slide for change in found.unplanned] == [3]
    assert len(found.messages) == 2
    assert not found.passed


def test_another_value_than_planned_is_not_the_plan(deck_file: Path, copy: Editor) -> None:
    found = seen(deck_file, copy(rename(2, "Old")), TITLE)
    assert found.missing and found.unplanned


def test_nothing_done_is_missing(deck_file: Path) -> None:
    found = seen(deck_file, deck_file, TITLE)
    assert (len(found.missing), found.unplanned) == (1, ())


def test_without_a_plan_everything_is_allowed(deck_file: Path, copy: Editor) -> None:
    found = verify(OriginalDeck(deck_file), copy(rename(3)), draw=False)
    assert found.passed
    assert len(found.diff.edits) == 1


def test_optional_changes_need_not_come(deck_file: Path, copy: Editor) -> None:
    also = ExpectedChange("its size", ("style",), (2,), ("font",), required=False)
    assert seen(deck_file, copy(rename(2)), TITLE, also).passed


def test_a_damaged_result_is_told_not_raised(deck_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "edited.pptx"
    path.write_bytes(deck_file.read_bytes()[:2000])
    found = seen(deck_file, path, TITLE)
    assert found.unreadable and not found.sound
    assert found.messages[0].startswith("The edited deck cannot be opened")


def test_a_new_error_of_validity_is_one_that_was_not_there(deck_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "edited.pptx"
    with ZipFile(deck_file) as old, ZipFile(path, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "ppt/slides/slide1.xml":
                data = data.replace(b"<a:bodyPr/>", b"<a:bodyPr/><a:nonsense/>", 1)
            new.writestr(name, data)
    found = seen(deck_file, path)
    assert not found.sound and "Invalid" in found.messages[0]
    assert seen(path, path).sound  # the deck was so before


def test_better_versions_rank_higher(deck_file: Path, copy: Editor, tmp_path: Path) -> None:
    def astray(deck: Any) -> None:
        rename(2)(deck)
        rename(3)(deck)

    ranks = [seen(deck_file, copy(edit), TITLE).rank for edit in (rename(2), astray, rename(3))]
    (tmp_path / "edited.pptx").write_bytes(b"")
    ranks.append(seen(deck_file, tmp_path / "edited.pptx", TITLE).rank)
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == 4


def test_a_copy_of_a_slide_may_have_its_errors(deck_file: Path, tmp_path: Path) -> None:
    flawed, path = tmp_path / "flawed.pptx", tmp_path / "edited.pptx"
    with ZipFile(deck_file) as old, ZipFile(flawed, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "ppt/slides/slide1.xml":
                data = data.replace(b"<a:bodyPr/>", b"<a:bodyPr/><a:nonsense/>", 1)
            new.writestr(name, data)
    deck = Presentation(str(flawed))
    clone_slide(deck, 1)
    deck.save(str(path))
    added = ExpectedChange("a copy", ("slide",), (2,), ("added",))
    assert OriginalDeck(flawed).problems
    assert seen(flawed, path, added).passed


@pytest.mark.office
def test_only_changed_slides_are_drawn(
    deck_file: Path, copy: Editor, office: SharedOffice, tmp_path: Path
) -> None:
    def edit(deck: Any) -> None:
        rename(2)(deck)
        deck.slides[2].notes_slide.notes_text_frame.text = "Unseen"
        delete_slide(deck, 6)

    found = verify(
        OriginalDeck(deck_file), copy(edit), renderer=Renderer(office, Cache(tmp_path / "cache"))
    )
    assert [(one.before_number, one.number) for one in found.drawn] == [(2, 2), (6, None)]
    first, gone = found.drawn
    assert first.before is not None and first.after is not None
    assert not np.array_equal(first.before, first.after)
    assert gone.pngs[0] is not None and gone.pngs[0].startswith(b"\x89PNG")
    assert gone.pngs[1] is None


@pytest.mark.office
def test_a_theme_draws_the_slides_that_follow_it(
    deck_file: Path, copy: Editor, office: SharedOffice, tmp_path: Path
) -> None:
    edited = copy(lambda deck: set_theme_fonts(deck, headings="Georgia"))
    found = verify(
        OriginalDeck(deck_file), edited, renderer=Renderer(office, Cache(tmp_path / "cache"))
    )
    assert [one.number for one in found.drawn] == [1, 2, 3, 4, 5, 6]


@pytest.mark.office
def test_a_fault_that_the_edit_made_is_told_and_an_old_one_is_not(
    deck_file: Path, copy: Editor, office: SharedOffice, tmp_path: Path
) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text_frame.paragraphs[0].runs[0].font.size = Pt(120)
        clone_slide(deck, 4)  # with all that is wrong with it

    found = verify(
        OriginalDeck(deck_file, drawn_findings), copy(edit),
        renderer=Renderer(office, Cache(tmp_path / "cache")),
    )  # fmt: skip
    assert found.faults
    assert {fault.slide for fault in found.faults} == {2}
    assert any("slide 2" in message for message in found.messages)
    assert not found.passed and found.sound


def test_where_nothing_can_be_drawn_it_says_why(
    deck_file: Path, copy: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = verify(
        OriginalDeck(deck_file),
        copy(rename(2)),
        Plan((TITLE,)),
        renderer=Renderer(cache=Cache(tmp_path)),
    )
    assert found.undrawn and found.drawn == ()
    assert found.passed


def about(item: str, reason: str) -> Complaint[str]:
    """A complaint for which one item is to blame."""
    return Complaint(reason, [lambda known: known == item])


def test_what_fails_is_left_out_and_the_others_are_tried_again() -> None:
    tried: list[set[str]] = []

    def trial(way: Mapping[str, int]) -> list[Complaint[str]]:
        tried.append(set(way))
        return [about("b", "it broke")] if "b" in way else []

    found = settle(dict.fromkeys("abc", 1), trial, rounds=4)
    assert found == Settled({"a": 0, "c": 0}, {"b": "it broke"})
    assert tried == [{"a", "b", "c"}, {"a", "c"}]


def test_the_next_way_is_tried_before_a_change_is_left_out() -> None:
    def trial(way: Mapping[str, int]) -> list[Complaint[str]]:
        return [] if way.get("a") == 2 else [about("a", f"not by {way['a']}")]

    assert settle({"a": 3}, trial, rounds=9) == Settled({"a": 2}, {})
    assert settle({"a": 2}, trial, rounds=9) == Settled({}, {"a": "not by 1"})


def test_rounds_end_with_nothing_kept_and_no_other_way_tried_at_the_end() -> None:
    ways: list[int] = []

    def trial(way: Mapping[str, int]) -> list[Complaint[str]]:
        ways.append(way["a"])
        return [about("a", "no")]

    assert settle({"a": 9}, trial, rounds=3) == Settled({}, {"a": "no"})
    assert ways == [0, 1]
    assert settle(dict.fromkeys("ab", 1), lambda way: [about(min(way), "no")], rounds=1).kept == {}


def test_what_cannot_be_made_costs_no_round() -> None:
    def trial(way: Mapping[int, int]) -> list[Complaint[int]]:
        if min(way) < 5:
            raise CannotMake(min(way), "no such shape")
        return []

    found = settle(dict.fromkeys(range(7), 1), trial, rounds=1)
    assert (set(found.kept), set(found.undone)) == ({5, 6}, {0, 1, 2, 3, 4})
    assert settle({}, trial, rounds=1) == Settled({}, {})


@pytest.mark.parametrize(("suspect", "at_fault"), [(2, [2]), (9, [4]), (20, [1, 2, 4])])
def test_the_first_suspicion_about_any_change_counts(suspect: int, at_fault: list[int]) -> None:
    suspicions = (lambda one: one == suspect, lambda one: one == suspect - 5)
    assert Complaint("no", suspicions).blamed([1, 2, 4]) == at_fault
