"""A report of fifteen lines reaches the slides whole, by what python-pptx reads and LibreOffice
draws."""

import re
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.enum.chart import XL_CHART_TYPE
from pptx.presentation import Presentation as Deck

import decklab

REPORT = """# Service centre, 2025

## Summary

The centre took 6 % more calls than a year before and moved more freight.
The mean wait fell from 9.4 to 6.1 hours.

## Calls and freight

| Quarter | Calls | Tonnage (t) |
| --- | --- | --- |
| Q1 | 4,812 | 310 |
| Q2 | 4,905 | 342 |
| Q3 | 5,033 | 371 |
| Q4 | 5,102 | 395 |

Calls are counted once, however often they are put through.

## Costs

Running the centre cost $1.4 million, of which $310,000 was spent on night shifts.

## Next steps

- Open the second desk by 1 March 2026.
- Hire 12 people for the night shift.
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    (folder / "centre.md").write_text(REPORT)
    options = decklab.WriteOptions(slides=8)
    written = decklab.write([folder / "centre.md"], folder / "centre.pptx", options=options)
    assert not written.unfounded
    return folder / "centre.pptx"


@pytest.fixture(scope="module")
def deck(path: Path) -> Deck:
    return Presentation(str(path))


def texts(deck: Deck) -> list[list[str]]:
    """The texts of each slide, those in groups too."""
    shown = []
    for slide in deck.slides:
        shapes = [each for shape in slide.shapes for each in getattr(shape, "shapes", [shape])]
        shown.append([shape.text_frame.text for shape in shapes if shape.has_text_frame])
    return shown


def test_every_section_and_every_number_of_the_text_is_on_a_slide(deck: Deck) -> None:
    said = " ".join(text for slide in texts(deck) for text in slide)
    prose = re.sub(r"^\|.*\n", "", REPORT, flags=re.MULTILINE)
    numbers = re.findall(r"\$?\d[\d.,]*\d|\d+", prose)
    assert numbers == ["2025", "6", "9.4", "6.1", "$1.4", "$310,000", "1", "2026", "12"]
    assert [number for number in numbers if number not in said] == []
    sections = ("more freight", "counted once", "Running the centre", "Open the second desk")
    assert [words for words in sections if words not in said] == []


def test_both_columns_of_the_table_are_one_chart(deck: Deck) -> None:
    (chart,) = [shape.chart for slide in deck.slides for shape in slide.shapes if shape.has_chart]
    series = {one.name: (plot, one) for plot in chart.plots for one in plot.series}
    assert list(chart.plots[0].categories) == ["Q1", "Q2", "Q3", "Q4"]
    assert list(series["Calls"][1].values) == [4812, 4905, 5033, 5102]
    assert list(series["Tonnage"][1].values) == [310, 342, 371, 395]
    assert chart.chart_type == XL_CHART_TYPE.COLUMN_CLUSTERED
    assert series["Calls"][0] is not series["Tonnage"][0]  # two units: each has an axis


def test_the_fall_is_shown_as_before_and_after(deck: Deck) -> None:
    (slide,) = [own for own in texts(deck) if any(text.endswith("before") for text in own)]
    said = " ".join(slide)
    assert re.search(r"9\.4 hours\s+before.*−35 %.*6\.1 hours\s+after", said, re.DOTALL)
    assert slide[0] == "The mean wait fell from 9.4 to 6.1 hours"


@pytest.mark.office
def test_its_deck_can_be_edited_down_to_the_data(path: Path, tmp_path: Path) -> None:
    (scored,) = decklab.score([path], tmp_path / "results", jobs=1).results()
    assert scored.value("editability.level") >= 4
