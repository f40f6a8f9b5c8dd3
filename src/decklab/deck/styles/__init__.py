"""Effective styles: what every text, area, line and background looks like, and who says so.

``read_styles`` resolves a whole deck; ``Sheets`` with ``read_styled_shape`` one shape at a time,
for readers that walk the shapes themselves. Everything handed out is a frozen dataclass of plain
values; ``Effective`` pairs each value with the place that states it.
"""

from decklab.deck.colors import Color
from decklab.deck.styles.bodies import BodyStyle
from decklab.deck.styles.effective import Effective, Origin
from decklab.deck.styles.fills import (
    Fill,
    GradientFill,
    GradientStop,
    NoFill,
    PatternFill,
    PictureFill,
    SolidFill,
)
from decklab.deck.styles.lines import LineEnd, LineStyle
from decklab.deck.styles.paragraphs import (
    Bullet,
    CharacterBullet,
    Length,
    NoBullet,
    NumberBullet,
    ParagraphStyle,
    PictureBullet,
)
from decklab.deck.styles.reading import DeckStyles, SheetStyles, read_styles, shown_shapes
from decklab.deck.styles.runs import RunStyle
from decklab.deck.styles.shapes import StyledShape, read_styled_shape, read_styled_shapes
from decklab.deck.styles.sheets import Sheet, Sheets
from decklab.deck.styles.tables import StyledCell, StyledTable
from decklab.deck.styles.text import StyledParagraph, StyledRun, StyledText

__all__ = [
    "BodyStyle",
    "Bullet",
    "CharacterBullet",
    "Color",
    "DeckStyles",
    "Effective",
    "Fill",
    "GradientFill",
    "GradientStop",
    "Length",
    "LineEnd",
    "LineStyle",
    "NoBullet",
    "NoFill",
    "NumberBullet",
    "Origin",
    "ParagraphStyle",
    "PatternFill",
    "PictureBullet",
    "PictureFill",
    "RunStyle",
    "Sheet",
    "SheetStyles",
    "Sheets",
    "SolidFill",
    "StyledCell",
    "StyledParagraph",
    "StyledRun",
    "StyledShape",
    "StyledTable",
    "StyledText",
    "read_styled_shape",
    "read_styled_shapes",
    "read_styles",
    "shown_shapes",
]
