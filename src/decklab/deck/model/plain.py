"""The schema of paper 000: a vision model fills it in, and ground truth is compared by it.

Field names are the paper's where it prints them (appendix A, table 1; appendix B; the font object
of appendix D). The paper does not print the names of a text's content, a table's cells and a
rectangle's colours: ``text``, ``cells``, ``fill`` and ``stroke`` are ours, the last two after SVG,
from which the paper takes ``rx``, ``x1`` and its like.
"""

from typing import Literal

from pydantic import Field

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.deck.model.base import Hex, Many, Model

Align = Literal["left", "center", "right", "justify", "distributed"]
FontStyle = Literal["bold", "italic", "underscore"]


class Size(Model):
    """The slide's size: always that of the frame."""

    w: float
    """Width, px; always 960."""
    h: float
    """Height, px; always 540."""


FRAME_SIZE = Size(w=float(FRAME_WIDTH), h=float(FRAME_HEIGHT))


class Boxed(Model):
    """A rectangle by its top-left corner, upright before any rotation."""

    x: float
    """Left edge, px."""
    y: float
    """Top edge, px."""
    w: float = Field(ge=0)
    """Width, px."""
    h: float = Field(ge=0)
    """Height, px."""


class Font(Model):
    """The font of a text."""

    name: str
    """Typeface of Latin text; empty where the program chooses."""
    size: float = Field(gt=0)
    """Absolute size, pt."""
    style: Many[FontStyle]
    """Which of bold, italic and underscore hold; empty for regular text."""
    color: Hex


class PlainText(Boxed):
    """A text box."""

    text: str
    """Paragraphs end with a newline between them; a line break inside one is a vertical tab."""
    font: Font
    """Of most of its characters."""
    align: Align
    """Of most of its characters."""


class PlainRect(Boxed):
    """An area with or without an outline."""

    rx: float = Field(ge=0)
    """Corner radius, px; 0 for sharp corners."""
    fill: Hex | None
    """Null where the area is not painted."""
    stroke: Hex | None
    """Colour of the outline; null without one."""
    strokeWidth: float = Field(ge=0)  # noqa: N815 - the paper's name
    """Width of the outline, pt; 0 without one."""


class PlainLine(Model):
    """A line or connector from one end to the other."""

    x1: float
    """Where it begins, px."""
    y1: float
    x2: float
    """Where it ends, px."""
    y2: float
    stroke: Hex | None
    """Null where the line is not painted."""
    strokeWidth: float = Field(ge=0)  # noqa: N815 - the paper's name
    """Width, pt."""


class PlainImage(Boxed):
    """A picture."""


class PlainTable(Boxed):
    """A table."""

    cells: Many[Many[str]]
    """Text by row and column; cells that a merged one covers are empty."""


class PlainSlide(Model):
    """One slide as the paper's schema has it."""

    size: Size
    background: Hex
    """The background's colour, or the one that comes nearest to it."""
    texts: Many[PlainText]
    rects: Many[PlainRect]
    lines: Many[PlainLine]
    images: Many[PlainImage]
    tables: Many[PlainTable]
