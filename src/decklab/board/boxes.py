"""What a composed slide is made of: absolute boxes with text, drawings, pictures, charts, tables.

All places are in pixels of the 960x540 frame; for these slides one pixel is one point. Colours are
names of tokens of the theme, never values.
"""

from dataclasses import dataclass, field
from typing import Literal

from decklab.board.blueprint import ChartPlan, PicturePlan, SlidePlan, TablePlan
from decklab.board.library import LayoutName, Role
from decklab.core.geometry import Box

Token = Literal[
    "background", "surface", "text", "muted", "accent", "grey1", "grey2", "grey3", "line", "tint",
    "pale", "deep",
]  # fmt: skip
"""Colours by what they are for; see ``themes.Colors``."""

Align = Literal["start", "center", "end"]
"""``start`` is left, and right in languages written from right to left."""
Anchor = Literal["top", "middle", "bottom"]
Geometry = Literal["rect", "roundRect", "ellipse", "homePlate", "chevron"]
SlotKind = Literal["title", "subtitle", "body", "picture", "chart", "table", "footer", "number"]

BULLET_INDENT = 18.0
"""Pixels from a bullet to its text, and from level to level."""


@dataclass(frozen=True)
class Slot:
    """The placeholder of the slide layout that a box fills. ``idx`` is its number in the layout."""

    kind: SlotKind
    idx: int


@dataclass(frozen=True)
class TextStyle:
    """How the text of a box is set. ``size`` is in points; ``spacing`` is space after paragraphs.

    ``marks`` are bullets or numbers before the paragraphs.
    """

    size: float
    color: Token = "text"
    heading: bool = False
    bold: bool = False
    italic: bool = False
    align: Align = "start"
    anchor: Anchor = "top"
    marks: Literal["none", "bullet", "number"] = "none"
    spacing: float = 0.0
    code: bool = False
    """Whether it is set in letters of one width, as code is."""
    first: int = 1
    """Number of the first paragraph, where the marks are numbers."""


@dataclass(frozen=True)
class BoxParagraph:
    """One paragraph; size, colour and weight are those of the box where they are None."""

    text: str
    level: int = 0
    size: float | None = None
    color: Token | None = None
    bold: bool | None = None
    heading: bool | None = None
    marked: bool = True
    """Whether it has the bullet or number of the box."""


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


@dataclass(frozen=True)
class TextBox:
    """Text in a box, with or without an area drawn behind it. ``inset`` is on all four sides."""

    name: str
    box: Box
    paragraphs: tuple[BoxParagraph, ...]
    style: TextStyle
    slot: Slot | None = None
    fill: Token | None = None
    line: Token | None = None
    geometry: Geometry = "rect"
    inset: float = 0.0
    prompt: str = "Text"
    """What an empty placeholder of the layout asks for."""

    @property
    def inner(self) -> Box:
        """The box without its inset: where text may stand."""
        left, top, right, bottom = self.box
        return Box(left + self.inset, top + self.inset, right - self.inset, bottom - self.inset)


@dataclass(frozen=True)
class PictureBox:
    """A picture in its place: ``box`` is where it is shown, ``crop`` what is cut off each side.

    ``crop`` is left, top, right, bottom, as shares of the picture. ``room`` is the place of the
    placeholder in the layout.
    """

    name: str
    box: Box
    picture: PicturePlan
    crop: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    slot: Slot | None = None
    room: Box | None = None


@dataclass(frozen=True)
class ChartBox:
    """A chart; ``size`` is that of its labels in points."""

    name: str
    box: Box
    chart: ChartPlan
    size: float
    slot: Slot | None = None


@dataclass(frozen=True)
class TableBox:
    """A table with the widths of its columns and heights of its rows, in pixels."""

    name: str
    box: Box
    table: TablePlan
    size: float
    widths: tuple[float, ...]
    heights: tuple[float, ...]
    numeric: tuple[bool, ...]
    """Columns that hold numbers, which stand at the end of their cells."""
    slot: Slot | None = None


def row_fill(row: int) -> Token | None:
    """What is behind a row of a table: the accent colour behind the headings, row 0, then every
    other row a surface; None for the rows between."""
    if row == 0:
        return "accent"
    return "surface" if row % 2 == 0 else None


@dataclass(frozen=True)
class Connector:
    """A line glued to two shapes by their names, from the far side of one to the near of another.

    ``x1`` to ``y2`` are its ends, beside or below each other; ``arrow`` draws a head at the second.
    """

    name: str
    start: str
    end: str
    x1: float
    y1: float
    x2: float
    y2: float
    arrow: bool = True

    @property
    def upright(self) -> bool:
        """Whether it goes down."""
        return self.x1 == self.x2 and self.y1 != self.y2


@dataclass(frozen=True)
class GroupBox:
    """Shapes that move as one."""

    name: str
    items: "tuple[Shape | TextBox, ...]"

    @property
    def box(self) -> Box:
        """Around all its members."""
        found = Box.around(item.box for item in self.items)
        assert found is not None, "a group has members"
        return found


Item = Shape | TextBox | PictureBox | ChartBox | TableBox | Connector | GroupBox


@dataclass(frozen=True)
class ComposedSlide:
    """One slide with everything in its place, in drawing order, which is also reading order."""

    layout: LayoutName
    role: Role
    ground: Token
    """The colour of the background."""
    decor: tuple[Shape, ...]
    """Drawn by the layout, behind what is on the slide."""
    items: tuple[Item, ...]
    plan: SlidePlan = field(repr=False)
