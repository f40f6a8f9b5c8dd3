"""What a deck of many shapes costs to read, counted by hand."""

from pathlib import Path

from pptx import Presentation
from pptx.util import Pt

from decklab.deck.reading import open_reading
from decklab.deck.views.outline import OutlineShapes
from decklab.ooxml.package import Package


def test_shapes_count_once_for_each_group_around_them_each_time_they_are_asked_for(
    tmp_path: Path,
) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(Pt(9), Pt(9), Pt(90), Pt(20))
    outer = slide.shapes.add_group_shape()
    outer.shapes.add_group_shape().shapes.add_textbox(Pt(9), Pt(9), Pt(90), Pt(20))
    deck.save(str(tmp_path / "groups.pptx"))
    shapes = OutlineShapes()
    with Package.open(tmp_path / "groups.pptx") as package, open_reading(package) as reading:
        sheet = reading.sheet(reading.slides[0].part, "slide")
        first = shapes.of(sheet)
        # the box 1, the outer group 1, the inner one 2, its box 3
        assert (len(first), reading.log.effort) == (4, 7)
        assert shapes.of(sheet) == first
        assert reading.log.effort == 14
