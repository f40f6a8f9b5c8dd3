from pathlib import Path

from pptx import Presentation
from pptx.util import Inches

from decklab.board.blueprint import DeckPlan, Point, SlidePlan
from decklab.board.pages.writing import write_deck
from decklab.documents.computed import Computed, computed_note
from decklab.documents.reading import read_documents
from decklab.writer.grounding import numbers_on_slides

SOURCE = """# Calls

At night 1,930 of 4,812 calls came in.

| Region | Sales (million EUR) |
|---|---|
| North | (3.5) |
| South | 4.25 |
"""


def unfounded(tmp_path: Path, text: str, notes: str = "") -> list[tuple[float, ...]]:
    source = tmp_path / "report.md"
    source.write_text(SOURCE)
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, Inches(4), Inches(1)).text_frame.text = text
    slide.notes_slide.notes_text_frame.text = notes
    path = tmp_path / "deck.pptx"
    deck.save(str(path))
    sources = read_documents([source])
    return [item.values for item in numbers_on_slides(path, sources) if not item.found]


def test_a_computed_number_is_founded_by_the_note_that_proves_it(tmp_path: Path) -> None:
    share = Computed("40 %", "1,930 / 4,812", "report.md", "“1,930 of 4,812 calls”")
    assert unfounded(tmp_path, "Night calls are 40 % of 4,812") == [(40,)]
    assert unfounded(tmp_path, "Night calls are 40 % of 4,812", computed_note(share, "en")) == []
    wrong = Computed("41 %", "1,930 / 4,812", "report.md", "“1,930 of 4,812 calls”")
    assert unfounded(tmp_path, "Night calls are 41 %", computed_note(wrong, "en")) == [(41,)]
    strange = Computed("40 %", "2 / 5", "report.md", "nowhere")
    assert unfounded(tmp_path, "Night calls are 40 %", computed_note(strange, "en")) == [(40,)]
    other = Computed("40 %", "1,930 / 4,812", "other.md", "“1,930 of 4,812 calls”")
    assert unfounded(tmp_path, "Night calls are 40 %", computed_note(other, "en")) == [(40,)]


def test_numbers_of_tables_count_in_the_unit_of_their_heading(tmp_path: Path) -> None:
    assert unfounded(tmp_path, "South sold for EUR 4.25 million, North lost -3.5") == []
    assert unfounded(tmp_path, "South sold for EUR 4.25 billion") == [(4.25e9,)]


def test_numbers_of_a_list_are_no_statements(tmp_path: Path, harbour: Path) -> None:
    """Badges that count from 1 to 7; 6 and 7 stand in no source, and 77 ships neither."""
    points = tuple(Point(text=f"Chapter {letter}") for letter in "abcdefg")
    slides = (
        SlidePlan(layout="contents", title="Contents", body=points),
        SlidePlan(layout="body", title="77 ships", body=points),
    )
    out = tmp_path / "deck.pptx"
    write_deck(DeckPlan(title="T", slides=slides), "light", out)
    stated = numbers_on_slides(out, read_documents([harbour]))
    assert [(item.slide, item.values) for item in stated if not item.found] == [(2, (77.0,))]
