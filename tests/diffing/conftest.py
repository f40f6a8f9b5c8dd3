"""Decks that python-pptx makes and edits, and the edit library that the benchmark uses too."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt

from decklab.deck.deck import write_samples
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.changes import DeckDiff
from decklab.diffing.snapshots import diff
from decklab.ooxml.package import Package

sys.path.insert(
    0, str(Path(__file__).parents[2])
)  # for tests.diffing.edits, wherever pytest starts


def taken(path: Path) -> Snapshot:
    with Package.open(path) as package:
        return snapshot(package)


@pytest.fixture(scope="session")
def sample_decks(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_samples(tmp_path_factory.mktemp("samples"))


@pytest.fixture(scope="session")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six slides: titles and bullets, a table, a chart, boxes, a picture of nothing, a blank."""
    deck = Presentation()
    for number in range(1, 4):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Topic {number}"
        slide.placeholders[1].text = f"The first point of {number}\nThe second point of {number}"
    slide.notes_slide.notes_text_frame.text = "Say this slowly"
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Figures"
    _add_table(slide)
    _add_chart(slide)
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for number in range(5):
        box = slide.shapes.add_textbox(Inches(0.5 + number), Inches(1), Inches(0.9), Inches(0.5))
        box.text_frame.text = f"Box {number}"
        box.text_frame.paragraphs[0].runs[0].font.size = Pt(12)
    deck.slides.add_slide(deck.slide_layouts[6])
    path = tmp_path_factory.mktemp("talk") / "talk.pptx"
    deck.save(str(path))
    return path


def _add_table(slide: Any) -> None:
    rows = [["City", "People"], ["Oslo", "700"], ["Rome", "2800"], ["Lima", "9700"]]
    frame = slide.shapes.add_table(4, 2, Inches(1), Inches(2), Inches(4), Inches(2))
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            frame.table.cell(r, c).text = text


def _add_chart(slide: Any) -> None:
    data = CategoryChartData()
    data.categories = ["a", "b", "c"]
    data.add_series("North", (1.0, 2.0, 3.0))
    data.add_series("South", (4.0, 5.0, 6.0))
    slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(5.5), Inches(2), Inches(4), Inches(3), data
    )


Editing = Callable[[Callable[[Any], None]], DeckDiff]


@pytest.fixture
def edited(talk: Path, tmp_path: Path) -> Editing:
    """The diff of the talk and what an edit with python-pptx makes of it."""

    def run(edit: Callable[[Any], None]) -> DeckDiff:
        deck = Presentation(str(talk))
        edit(deck)
        path = tmp_path / "edited.pptx"
        deck.save(str(path))
        return diff(taken(talk), taken(path))

    return run
