"""Colours by what they are for, and what is placed on a page with them: drawn areas and charts.

All places are in pixels of the 960x540 frame; for these slides one pixel is one point.
"""

from dataclasses import dataclass
from typing import Literal

from decklab.board.blueprint import ChartPlan
from decklab.core.geometry import Box

Token = Literal[
    "background", "surface", "text", "muted", "accent", "grey1", "grey2", "grey3", "line", "tint",
    "pale", "deep",
]  # fmt: skip
"""Colours by what they are for; see ``themes.Colors``."""

Align = Literal["start", "center", "end"]
"""``start`` is left, and right in languages written from right to left."""
Geometry = Literal["rect", "ellipse"]


@dataclass(frozen=True)
class Shape:
    """A drawn area without text."""

    name: str
    box: Box
    fill: Token | None = None
    line: Token | None = None
    geometry: Geometry = "rect"
    stroke: float = 1.0
    """Width of the line in points."""
    points: tuple[tuple[float, float], ...] = ()
    """Of a polygon its corners."""


@dataclass(frozen=True)
class ChartBox:
    """A chart; ``size`` is that of its labels in points."""

    name: str
    box: Box
    chart: ChartPlan
    size: float
