"""Edits that do what was asked and spoil the slide are told as such."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from decklab.editor.edit import edit_with_commands


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """A slide with bullets of two levels, a box, and a chart of two series with a legend."""
    prs: Any = Presentation()
    slide = prs.slides.add_slide(prs.slide_layouts[1])
    slide.shapes.title.text = "Costs"
    body = slide.placeholders[1].text_frame
    body.text = "North\nOslo\nSouth\nRome"
    body.paragraphs[1].level = body.paragraphs[3].level = 1
    box = slide.shapes.add_shape(1, Inches(7), Inches(0.2), Inches(2), Inches(1))
    box.name, box.text_frame.text = "Stamp", "Draft"
    box.fill.solid()
    box.fill.fore_color.rgb = RGBColor(0x10, 0x20, 0x60)
    box.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(255, 255, 255)
    data = CategoryChartData()
    data.categories = ["Q1", "Q2"]
    data.add_series("2024", (1, 2))
    data.add_series("2025", (3, 4))
    frame = Inches(5), Inches(4), Inches(4), Inches(3)
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *frame, data).chart
    chart.has_legend = True
    prs.save(str(tmp_path / "talk.pptx"))
    return tmp_path / "talk.pptx"


@pytest.mark.parametrize(
    ("request_", "line"),
    [
        ("make the title white", "“Costs” can no longer be read"),
        ("set the background to black", "“Costs” can no longer be read"),
        ("make the text of the box 'Stamp' navy", "“Draft” can no longer be read"),
        ("fill the box 'Stamp' with white", "“Draft” can no longer be read"),
        (
            "set the text size of the box 'Stamp' to 3",
            "“Draft” can no longer be read: it is too small",
        ),
        ("remove the legend of the chart", "has no legend and no labels"),
        ("delete bullet 3", "“Rome” belonged to “South” and stands under “North” now"),
        ("delete bullet 1", "“Oslo” has lost the line that it belonged to, “North”"),
    ],
)
def test_what_is_spoiled_comes_first(request_: str, line: str, deck: Path) -> None:
    result = edit_with_commands(deck, request_, draw=False)
    assert result.outcome == "partly"
    assert line in result.undone[0] and result.undone[0].startswith("slide 1: ")
    assert result.output is not None and result.output.exists()


@pytest.mark.by_day(3)
@pytest.mark.parametrize(
    "request_",
    ["make the title dark blue", "set the background to light yellow", "delete bullet 4",
     "set bullet 3 to 'West'", "show data labels in the chart; remove the legend of the chart",
     "make the text of the box 'Stamp' yellow", "fill the box 'Stamp' with black",
     "delete the last two bullets", "set the title of the chart to 'Sales'"],
)  # fmt: skip
def test_what_spoils_nothing_is_done(request_: str, deck: Path) -> None:
    result = edit_with_commands(deck, request_, draw=False)
    assert (result.outcome, result.undone) == ("done", ())


def test_what_was_spoiled_before_is_no_fault_of_the_edit(deck: Path, tmp_path: Path) -> None:
    white = edit_with_commands(deck, "make the title white", draw=False).output
    assert white is not None
    again = edit_with_commands(white, "hide slide 1; make the title bold", draw=False)
    assert (again.outcome, again.undone) == ("done", ())
