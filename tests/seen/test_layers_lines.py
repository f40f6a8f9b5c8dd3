"""Where lines of text lie, by sums on paper: a slide of 960 by 540 points, 1 point to a pixel."""

import pytest

from decklab.core.geometry import Box
from decklab.deck.model.shapes import Body, Paragraph, Run, RunFont
from decklab.seen.layers import paragraph_boxes

PLAIN = Body(inset_left=0.0, inset_top=0.0, inset_right=0.0, inset_bottom=0.0)
SLIDE = (960.0, 540.0)


def paragraph(text: str, size: float = 20.0, **fields: object) -> Paragraph:
    font = RunFont(name="Carlito", size=size, style=(), color="#000000")
    return Paragraph(runs=(Run(text=text, font=font),)).model_copy(update=fields)


def boxes(body: Body, box: Box, *paragraphs: Paragraph) -> list[Box]:
    return list(paragraph_boxes(paragraphs, body, box, SLIDE))


def test_lines_follow_each_other_from_the_top() -> None:
    first, second = boxes(PLAIN, Box(0, 0, 400, 300), paragraph("x" * 10), paragraph("x" * 10))
    assert first == pytest.approx(Box(0, 0, 80, 23))  # 10 letters of 8 px, a line of 23 px
    assert second == pytest.approx(Box(0, 23, 80, 46))


def test_a_long_line_wraps_in_its_box_and_not_without_wrapping() -> None:
    text = paragraph("x" * 100)  # 800 px
    assert boxes(PLAIN, Box(0, 0, 400, 300), text)[0] == pytest.approx(Box(0, 0, 400, 46))
    unwrapped = PLAIN.model_copy(update={"wraps": False})
    assert boxes(unwrapped, Box(0, 0, 400, 300), text)[0] == pytest.approx(Box(0, 0, 800, 23))


@pytest.mark.parametrize(("anchor", "top"), [("top", 0), ("middle", 138.5), ("bottom", 277)])
def test_text_stands_where_it_is_anchored(anchor: str, top: float) -> None:
    body = PLAIN.model_copy(update={"anchor": anchor})
    assert boxes(body, Box(0, 0, 400, 300), paragraph("x"))[0].top == pytest.approx(top)


@pytest.mark.parametrize(("align", "left"), [("left", 0), ("center", 160), ("right", 320)])
def test_text_stands_where_it_is_aligned(align: str, left: float) -> None:
    text = paragraph("x" * 10, align=align)
    assert boxes(PLAIN, Box(0, 0, 400, 300), text)[0].left == pytest.approx(left)


def test_text_stays_in_a_shape_that_fits_it_and_leaves_one_that_does_not() -> None:
    lines = [paragraph("x")] * 10  # 230 px
    for autofit, height, end in (("grow", 200, 200), ("shrink", 50, 50), ("none", 200, 230)):
        body = PLAIN.model_copy(update={"autofit": autofit})
        assert boxes(body, Box(0, 0, 400, height), *lines)[-1].bottom == pytest.approx(end)
    grown = PLAIN.model_copy(update={"autofit": "grow", "anchor": "bottom"})
    assert boxes(grown, Box(0, 0, 400, 0), *lines)[-1].bottom == pytest.approx(230)


def test_an_empty_paragraph_is_a_line_without_letters() -> None:
    empty, after = boxes(PLAIN, Box(0, 0, 400, 300), Paragraph(), paragraph("x"))
    assert empty.width < 1 and after.top == pytest.approx(18 * 1.15)
