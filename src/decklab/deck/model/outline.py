"""From which objects slides, layouts and masters are built, and how these hang together.

Frames are in place, with group transforms and inherited positions resolved. Enough to judge how
editable a deck is; there are no effective styles.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from decklab.core.geometry import Box
from decklab.core.naming import shape_label
from decklab.deck.model.shapes import Series

ShapeKind = Literal[
    "shape", "picture", "connector", "group", "chart", "table", "smartart", "media", "ole",
    "unknown",
]  # fmt: skip
"""Kinds of objects in an editor. A text box is a ``shape`` with text and no fill or line."""

Autofit = Literal["none", "shrink", "grow"]
"""How a text body fits too much text: not at all, by smaller text, or by a taller shape."""

WorkbookState = Literal["readable", "missing", "linked", "unreadable", "foreign"]
"""State of a chart's workbook. ``foreign``: a format other than .xlsx or .xlsm, which its
application opens but decklab does not."""


@dataclass(frozen=True)
class TextBody:
    """The text of a shape. ``paragraphs`` holds each paragraph's plain text, empty ones too.

    A line break inside a paragraph is a vertical tab.
    """

    paragraphs: tuple[str, ...]
    wraps: bool
    """False if lines run on past the shape's edge (``wrap="none"``)."""
    autofit: Autofit
    vertical: bool
    size_pt: float | None
    """Largest font size a run of this body declares itself, in points; None if all inherit."""

    @property
    def text(self) -> str:
        """All paragraphs, one a line."""
        return "\n".join(self.paragraphs)


@dataclass(frozen=True)
class OutlinePicture:
    """The image behind a picture shape or a picture fill."""

    part: str | None
    """Name of the image part; None if it is missing or linked from outside."""
    link: str | None
    """Target of a linked image, never followed."""
    content_type: str | None
    vector: bool
    """True for SVG, EMF and WMF: sharp at every zoom."""
    pixels: tuple[int, int] | None
    """Width and height of a raster in pixels; None for vectors and unreadable files."""


@dataclass(frozen=True)
class OutlineChart:
    """A native chart."""

    part: str | None
    """Name of the chart part; None if the relationship leads nowhere."""
    kinds: tuple[str, ...]
    """Plot element names such as ``barChart``, in order; for the newer kinds of Office 2016 their
    layout names, such as ``waterfall``."""
    series: tuple[Series, ...]
    """As the chart draws them: cached values, and the cells they came from."""
    workbook: str | None
    """Name of the embedded workbook part; None if missing or linked."""
    workbook_link: str | None
    """Target of a linked workbook, never followed."""


@dataclass(frozen=True)
class OutlineMedia:
    """Video or sound on a slide."""

    kind: Literal["video", "audio"]
    part: str | None
    """Name of the embedded part; None if the medium is linked or missing."""
    link: str | None
    """Target of linked media, never followed."""


@dataclass(frozen=True)
class OutlineShape:
    """One object on a slide, layout or master, groups included (before their members)."""

    id: int
    name: str
    kind: ShapeKind
    box: Box | None
    """Upright bounds in the 960x540 frame after groups and inheritance, before rotation; None
    if neither the shape nor its placeholders give a position."""
    rotation: float
    """Degrees clockwise, groups included."""
    z: int
    """Drawing order on the slide, 0 at the back, over all nesting levels."""
    groups: tuple[int, ...]
    """Ids of the enclosing groups, outermost first."""
    placeholder: str | None
    """Placeholder type (``title``, ``body``, ``pic`` ...); None if it is no placeholder."""
    placeholder_idx: int | None
    geometry: str | None
    """Preset name (``rect``, ``chevron`` ...) or ``custom`` for a freeform; None without one."""
    filled: bool
    """True if the shape paints its area (own or style-matrix fill other than none)."""
    outlined: bool
    fill_color: str | None
    """``#RRGGBB`` of an own solid RGB or theme fill, brightness changes left out; else None."""
    text: TextBody | None
    picture: OutlinePicture | None
    """The image of a picture, of a picture fill, or a medium's poster frame."""
    chart: OutlineChart | None
    media: OutlineMedia | None
    connects: tuple[int | None, int | None]
    """Ids of the shapes a connector is glued to at its start and end."""
    hidden: bool
    """Hidden itself, or by a group around it."""
    alt_text: str

    @property
    def label(self) -> str:
        """How findings name the shape: ``Title 1 (id 2)``."""
        return shape_label(self.name, self.id)


@dataclass(frozen=True)
class Background:
    """The background a slide, layout or master sets itself."""

    kind: Literal["solid", "gradient", "picture", "pattern", "theme"]
    picture: OutlinePicture | None


@dataclass(frozen=True)
class OutlineLayout:
    """A slide layout or a slide master."""

    part: str
    name: str
    master: str | None
    """Part name of a layout's master; None for a master."""
    shapes: tuple[OutlineShape, ...]
    background: Background | None


@dataclass(frozen=True)
class OutlineSlide:
    """One slide, in the order of the show."""

    number: int
    """1-based position, hidden slides counted."""
    part: str
    """Part name; empty if the deck lists a slide that is not there."""
    id: int
    hidden: bool
    layout: str | None
    """Part name of the layout; None if the relationship is missing or broken."""
    shapes: tuple[OutlineShape, ...]
    """All shapes in drawing order, members of a group right after the group."""
    background: Background | None
    transition: str | None
    """Transition element name such as ``fade`` or ``morph``; None without one."""
    advances_after_ms: int | None
    """Set where the slide advances by itself."""
    animated: tuple[int, ...]
    """Ids of the shapes that animation effects target, in order of play, once each."""

    def shape(self, id: int) -> OutlineShape | None:
        """The shape of that id; None if the slide has none."""
        return next((shape for shape in self.shapes if shape.id == id), None)


@dataclass(frozen=True)
class DeckOutline:
    """A whole deck."""

    path: Path
    size_emu: tuple[int, int]
    slides: tuple[OutlineSlide, ...]
    layouts: tuple[OutlineLayout, ...]
    masters: tuple[OutlineLayout, ...]
    problems: tuple[str, ...]
    """Problems met in reading, for which something was left out; one line each, naming the part."""

    def layout(self, part: str | None) -> OutlineLayout | None:
        """The layout or master of that part name; None if the deck has none."""
        return next((item for item in (*self.layouts, *self.masters) if item.part == part), None)
