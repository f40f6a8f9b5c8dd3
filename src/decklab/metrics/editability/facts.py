"""The results of the probes: plain facts about pictures, text, layouts, charts and web pages.

The probes change a copy of the deck and look at the result; the gates judge it. A probe that fails
returns NotScored with the cause.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.deck.model.outline import WorkbookState

PictureKind = Literal["vector", "photo", "wash", "graphic", "unreadable"]
"""``vector`` is sharp at every zoom; a ``photo`` is content in its own right; a ``wash`` is a
colour gradient or a blur, with no edges to lose; a ``graphic`` is a raster with flat areas and
hard edges: an icon, a diagram, a chart, a screenshot, text."""


@dataclass(frozen=True)
class PictureFacts:
    """One picture as placed on one slide."""

    slide: int
    shape: int | None
    """Shape id; None for the slide's own background."""
    label: str
    """Its name in findings."""
    part: str | None
    box: Box
    """Where it stands, clipped to the 960x540 frame."""
    density: float | None
    """Pixels of the raster per frame pixel, the smaller of the two directions; None for vectors
    and unreadable files."""
    kind: PictureKind
    bars: int = 0
    """Solid bars of unequal length on one baseline seen in the raster; 0 where there are none."""


@dataclass(frozen=True)
class ReflowFacts:
    """The layout of a shape's text after its longest paragraph was doubled."""

    slide: int
    shape: int
    container: Box
    """The shape's box before the change."""
    ink: Box | None
    """Extent of the whole text as laid out; None where it could not be found."""
    lines: int
    """Lines the text was laid out on; 0 where it could not be found."""


@dataclass(frozen=True)
class InheritanceFacts:
    """Whether a shape added to a slide's layout is seen on the slide."""

    slide: int
    layout: str
    """Part name of the layout."""
    appeared: bool


@dataclass(frozen=True)
class ChartFacts:
    """One native chart: the state of its workbook and the effect of a changed number."""

    slide: int
    shape: int
    workbook: WorkbookState
    detail: str = ""
    """The fault of the workbook, in a few words; empty where there is none."""
    compared: int = 0
    """Values compared between workbook and chart."""
    mismatches: tuple[str, ...] = ()
    """Cells that disagree with what is drawn, such as ``Sheet1!B3 holds 4, the chart draws 5``."""
    redrawn: bool | None = None
    """Whether the picture of the chart changed with the number; None where it was not tried."""


@dataclass(frozen=True)
class WebFacts:
    """What a browser shows of a web deck."""

    slides: int
    text_blocks: int
    """Blocks of selectable text."""
    reflowing: int
    """Blocks whose box stays in place and takes more lines when their text is doubled."""
    fragments: int
    """Blocks that hold one line of a paragraph broken over several."""
    vectors: int
    """Graphics that stay sharp: SVG, and rasters with pixels to spare."""
    rasters: int
    """Icons, diagrams and canvases that pixelate at 400 %; photographs are not counted."""
    raster_slides: int
    """Slides that are one picture without selectable text."""
    unselectable: int = 0
    """Blocks of text that cannot be selected."""


class Probes(Protocol):
    """The probes that a judge may call, each only when the gates before it are passed."""

    def pictures(self) -> "Sequence[PictureFacts] | NotScored":
        """Every picture of the deck."""
        ...

    def reflow(self) -> "Sequence[ReflowFacts] | NotScored":
        """The longest paragraph of each text shape, doubled and laid out anew."""
        ...

    def inheritance(self) -> "Sequence[InheritanceFacts] | NotScored":
        """For slides with a layout, whether a shape added to the layout appears."""
        ...

    def charts(self) -> "Sequence[ChartFacts] | NotScored":
        """Every native chart."""
        ...


@dataclass(frozen=True)
class RecordedProbes:
    """Probes with recorded results: from a file, or from a test."""

    picture_facts: Sequence[PictureFacts] | NotScored = ()
    reflow_facts: Sequence[ReflowFacts] | NotScored = ()
    inheritance_facts: Sequence[InheritanceFacts] | NotScored = ()
    chart_facts: Sequence[ChartFacts] | NotScored = ()

    def pictures(self) -> Sequence[PictureFacts] | NotScored:
        """The recorded pictures."""
        return self.picture_facts

    def reflow(self) -> Sequence[ReflowFacts] | NotScored:
        """The recorded doublings."""
        return self.reflow_facts

    def inheritance(self) -> Sequence[InheritanceFacts] | NotScored:
        """The recorded layout changes."""
        return self.inheritance_facts

    def charts(self) -> Sequence[ChartFacts] | NotScored:
        """The recorded charts."""
        return self.chart_facts
