"""Paragraphs, runs, and how a text stands in its shape."""

from typing import Literal

from pydantic import Field

from decklab.deck.model.base import NOWHERE, Action, Hex, Many, Model, Sha256, Share, Sources
from decklab.deck.model.paint import Paint
from decklab.deck.model.plain import Align, Font


class RunFont(Font):
    """Font, colour and further looks of a run."""

    alpha: Share = 1.0
    """Opacity of the colour."""
    slot: str | None = None
    """Name by which the file refers to the theme's colour."""
    paint: Paint | None = None
    """Paint of the glyphs if it is no single colour."""
    outline: Paint | None = None
    """Paint of the edges of the glyphs; null for nothing."""
    east_asian: str = ""
    complex_script: str = ""
    symbol: str = ""
    underline: str = "none"
    """Kind of line, as the standard names it (``sng``, ``dbl``, ``wavy`` ...)."""
    strike: Literal["none", "single", "double"] = "none"
    caps: Literal["none", "small", "all"] = "none"
    baseline: float = 0.0
    """How far the text is raised, as a share of its size; negative where lowered."""
    spacing: float = 0.0
    """Added between characters, pt."""
    highlight: Hex | None = None
    language: str | None = None


class Run(Model):
    """Characters of one style."""

    text: str
    kind: Literal["run", "field", "break", "math"] = "run"
    field: str | None = None
    """Kind of a field, such as ``slidenum``."""
    font: RunFont
    click: Action | None = None
    hover: Action | None = None
    sources: Sources = NOWHERE


class Spacing(Model):
    """A distance in points, or as a share of a line or of the text's size."""

    value: float
    unit: Literal["points", "share"]


class Bullet(Model):
    """The bullet or number before a paragraph."""

    kind: Literal["character", "number", "picture"]
    character: str = ""
    scheme: str = ""
    """Of a number, such as ``arabicPeriod``."""
    start: int = 1
    sha256: Sha256 | None = None
    """Of a picture."""
    font: str | None = None
    """Null if it follows the text, as for the next two."""
    color: Hex | None = None
    size: Spacing | None = None


LINE = Spacing(value=1.0, unit="share")
NOTHING = Spacing(value=0.0, unit="points")


class Paragraph(Model):
    """A paragraph; an empty one has no runs."""

    runs: Many[Run] = ()
    align: Align = "left"
    level: int = Field(default=0, ge=0, le=8)
    bullet: Bullet | None = None
    margin_left: float = 0.0
    """Points, as the next two."""
    margin_right: float = 0.0
    indent: float = 0.0
    """Of the first line against the margin; negative if it hangs."""
    line_spacing: Spacing = LINE
    space_before: Spacing = NOTHING
    space_after: Spacing = NOTHING
    right_to_left: bool = False
    sources: Sources = NOWHERE

    @property
    def text(self) -> str:
        """Its plain text."""
        return "".join(run.text for run in self.runs)


class Body(Model):
    """How text stands in its shape or table cell."""

    anchor: Literal["top", "middle", "bottom", "justify", "distribute"] = "top"
    anchor_center: bool = False
    """Whether the text as a block stands in the middle, left to right."""
    wraps: bool = True
    autofit: Literal["none", "shrink", "grow"] = "none"
    font_scale: float = 1.0
    """The factor by which autofit scaled sizes when the deck was saved; runs have the product."""
    line_reduction: float = 0.0
    """The share of a line that autofit took off line spacing; paragraphs have the rest."""
    direction: str = "horz"
    columns: int = 1
    inset_left: float = 7.2
    """Points, as the next three."""
    inset_top: float = 3.6
    inset_right: float = 7.2
    inset_bottom: float = 3.6
    sources: Sources = NOWHERE
