"""A slide to degrade."""

from decklab.deck.model.base import (
    FRAME_SIZE,
    Font,
    PlainImage,
    PlainLine,
    PlainRect,
    PlainSlide,
    PlainTable,
    PlainText,
)

FONT = Font(name="Calibri", size=24.0, style=("bold",), color="#336699")
WORDS = "Half of the 120 boilers are due by 2030\nand none of them was bought in 3.5 years"


def plain(texts: int = 3) -> PlainSlide:
    """A slide with something of every kind, well inside the frame."""
    return PlainSlide(
        size=FRAME_SIZE,
        background="#F0F0E8",
        texts=tuple(
            PlainText(
                x=300.0, y=150.0 + 60 * i, w=240.0, h=50.0, text=WORDS, font=FONT, align="left"
            )
            for i in range(texts)
        ),
        rects=(
            PlainRect(
                x=380.0, y=220.0, w=200.0, h=100.0,
                rx=4.0, fill="#FFFFFF", stroke=None, strokeWidth=0.0,
            ),
        ),
        lines=(PlainLine(x1=0.0, y1=0.0, x2=50.0, y2=50.0, stroke="#000000", strokeWidth=1.0),),
        images=(PlainImage(x=400.0, y=200.0, w=120.0, h=120.0),),
        tables=(PlainTable(x=350.0, y=210.0, w=200.0, h=90.0, cells=(("a", "b"), ("1", "2"))),),
    )  # fmt: skip
