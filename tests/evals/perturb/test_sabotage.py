"""Edits made worthless on purpose."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from decklab.deck.deck import write_samples
from decklab.evals.perturb.sabotage import SABOTAGES, EditedDeck, sabotage, slides_before


def test_there_are_ways_to_hide_work_and_ways_to_harm_the_rest() -> None:
    kinds = list(SABOTAGES.values())
    assert kinds.count("unseen") >= 12 and kinds.count("harmful") >= 8


@pytest.fixture
def edited(tmp_path: Path) -> Any:
    """The plain sample with another title on its first slide, and what that edit is about."""
    deck = Presentation(str(write_samples(tmp_path)[0]))
    before = slides_before(deck)
    deck.slides[0].shapes.title.text_frame.text = "Something else"
    name = deck.slides[0].shapes.title.name
    return EditedDeck(deck, before, [{"slide": 1, "shapes": [name]}])


def test_hidden_work_stays_in_the_file(edited: EditedDeck) -> None:
    assert sabotage("off_the_slide", edited)
    title = edited.deck.slides[0].shapes.title
    assert title.text_frame.text == "Something else"
    assert title.left > edited.deck.slide_width


def test_harm_leaves_the_work_as_it_is(edited: EditedDeck) -> None:
    assert sabotage("other_slide_emptied", edited)
    assert edited.deck.slides[0].shapes.title.text_frame.text == "Something else"
    texts = [one.text_frame.text for one in edited.others[0].shapes if one.has_text_frame]
    assert texts and not any(texts)


def test_what_does_not_fit_is_said(edited: EditedDeck) -> None:
    assert not sabotage("unpainted_series", edited)
    with pytest.raises(KeyError):
        sabotage("no such", edited)


def grid(*, named: str) -> EditedDeck:
    """A slide with a title and a table, of which the shapes with a name were edited."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text_frame.text = "Staff"
    table = slide.shapes.add_table(2, 1, 0, 0, 914_400, 914_400)
    table.name = "Table"
    table.table.cell(0, 0).text = "Crane"
    return EditedDeck(deck, slides_before(deck), [{"slide": 1, "shapes": [named]}])


def test_text_is_set_apart_in_frames_and_tables_and_turned_over_in_frames_alone() -> None:
    title = grid(named="Title*")
    assert sabotage("upside_down", title) and sabotage("far_apart", title)
    frame, table = title.deck.slides[0].shapes
    assert frame.rotation == 180
    # spc is in hundredths of a point (ECMA-376 Part 1, 21.1.2.3.9)
    assert frame.text_frame.paragraphs[0].runs[0]._r.rPr.get("spc") == "400000"
    run = table.table.cell(0, 0).text_frame.paragraphs[0].runs[0]
    assert run._r.rPr is None or run._r.rPr.get("spc") is None

    cells = grid(named="Table")
    assert not sabotage("upside_down", cells) and sabotage("far_apart", cells)
    run = cells.deck.slides[0].shapes[1].table.cell(0, 0).text_frame.paragraphs[0].runs[0]
    assert run._r.rPr.get("spc") == "400000"
    nothing = grid(named="no such shape")
    assert not sabotage("far_apart", nothing) and not sabotage("upside_down", nothing)
