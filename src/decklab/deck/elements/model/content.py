"""What charts, diagrams and tables hold."""

from typing import Literal

from pydantic import Field

from decklab.deck.elements.model.base import NOWHERE, Hex, Many, Model, Sources
from decklab.deck.elements.model.paint import NO_PAINT, Border, Paint
from decklab.deck.elements.model.text import Body, Paragraph

__all__ = ["Axis", "Cell", "Node", "Series"]


class Series(Model):
    """One series of a chart, by its cached values."""

    name: str | None = None
    values: Many[float | None] = ()
    """Null where a cell is blank or holds no number."""
    categories: Many[str] = ()
    """Of each value; for scatter and bubble charts the x values."""
    category_levels: Many[Many[str]] = ()
    """Labels above the categories, the outermost level first; a label repeated for each category
    that it spans. Empty where categories have one level."""
    sizes: Many[float | None] = ()
    """Of a bubble chart's bubbles."""
    plot: str = ""
    """Which of the chart's plots shows it."""
    color: Hex | None = None
    """Null where the chart's style gives it."""
    values_ref: str | None = None
    """The cells the values came from."""
    categories_ref: str | None = None


class Axis(Model):
    """One axis of a chart."""

    kind: Literal["category", "value", "date", "series"]
    title: str | None = None
    minimum: float | None = None
    """Null where it follows the data."""
    maximum: float | None = None
    hidden: bool = False


class Node(Model):
    """One text of a SmartArt diagram."""

    text: str
    depth: int = Field(ge=0)
    """0 for the outermost."""
    assistant: bool = False


class Cell(Model):
    """One cell of a table's grid, covered ones included."""

    text: str = ""
    paragraphs: Many[Paragraph] = ()
    body: Body = Body()
    fill: Hex | None = None
    paint: Paint = NO_PAINT
    left: Border = Border()
    top: Border = Border()
    right: Border = Border()
    bottom: Border = Border()
    row_span: int = Field(default=1, ge=1)
    column_span: int = Field(default=1, ge=1)
    covered: bool = False
    """Whether a merged cell to the left or above covers it."""
    sources: Sources = NOWHERE
