from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from decklab.core.errors import DeckError, MissingPart
from decklab.editing.slide_operations import move_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries

Looker = Callable[[Path], Any]


@given(moves=st.lists(st.tuples(st.integers(1, 14), st.integers(1, 14)), max_size=6))
@examples(40)
def test_the_order_is_that_of_a_list_with_one_item_taken_out_and_put_in(
    rich: Path, moves: list[tuple[int, int]]
) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        expected = [entry.part for entry in slide_entries(draft)]
        ids = {entry.part: entry.id for entry in slide_entries(draft)}
        for slide, position in moves:
            move_slide(draft, slide, position)
            expected.insert(position - 1, expected.pop(slide - 1))
        after = slide_entries(draft)
        assert [entry.part for entry in after] == expected
        assert {entry.part: entry.id for entry in after} == ids
        listed = [int(item.get("id", "0")) for item in draft.xml(draft.main_part).iter("{*}sldId")]
        in_sections = listed[14:]
        assert in_sections == [entry.id for entry in after]


@pytest.mark.parametrize(
    ("way", "sizes"),
    [
        ((1, 2), [2, 3, 5, 3, 1]),
        ((2, 1), [2, 3, 5, 3, 1]),
        ((1, 3), [1, 4, 5, 3, 1]),
        ((3, 2), [3, 2, 5, 3, 1]),
        ((14, 1), [3, 3, 5, 3, 0]),
        ((1, 14), [1, 3, 5, 3, 2]),
        ((3, 3), [2, 3, 5, 3, 1]),
    ],
)
def test_a_slide_joins_the_section_of_its_new_neighbours(
    rich: Path, look: Looker, tmp_path: Path, way: tuple[int, int], sizes: list[int]
) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        move_slide(draft, *way)
        saved = draft.save(tmp_path / "moved.pptx")
    assert [len(one) for one in look(saved).sections()] == sizes


def test_places_and_slides_that_are_not_there_are_refused(rich: Path) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        with pytest.raises(DeckError, match="no place 15"):
            move_slide(draft, 1, 15)
        with pytest.raises(MissingPart, match="no slide 0"):
            move_slide(draft, 0, 1)


def test_a_slide_that_stays_at_its_place_stays_in_its_section(rich: Path) -> None:
    """Even if its neighbours are in another one, as after an edit by hand."""
    with Package.open(rich) as package:
        draft = Draft(package)
        _all, *sections = draft.edit(draft.main_part).iter("{*}sldIdLst")
        sections[-1].append(sections[0][0])

        def listed() -> list[list[str]]:
            _all, *lists = draft.xml(draft.main_part).iter("{*}sldIdLst")
            return [[item.get("id", "") for item in one] for one in lists]

        before = listed()
        move_slide(draft, 1, 1)
        assert listed() == before
        move_slide(draft, 1, 2)
        assert listed() != before
