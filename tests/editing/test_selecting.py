"""Ids and names of shapes as python-pptx writes them, and of shapes that have none."""

from pptx import Presentation
from pptx.util import Pt

from decklab.ooxml.xml import shape_id, shape_name


def test_a_shape_without_id_and_name_has_the_id_zero_and_an_empty_name() -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    boxes = [slide.shapes.add_textbox(Pt(9), Pt(9), Pt(90), Pt(20)) for _ in range(2)]
    assert [shape_id(box._element) for box in boxes] == [2, 3]  # 1 is the tree's own
    assert shape_name(boxes[0]._element) == "TextBox 1"
    [about] = boxes[0]._element.xpath(".//p:cNvPr")
    del about.attrib["id"], about.attrib["name"]
    assert (shape_id(boxes[0]._element), shape_name(boxes[0]._element)) == (0, "")
