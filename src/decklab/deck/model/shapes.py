"""Shapes as elements, with their paints and their text: texts, areas, lines, images, tables,
charts, diagrams, media, groups."""

from math import cos, radians, sin
from typing import Annotated, Literal

from pydantic import Field

from decklab.core.geometry import Box
from decklab.deck.model.base import (
    NOWHERE,
    Action,
    Align,
    Boxed,
    Font,
    Hex,
    Many,
    Model,
    PlainImage,
    PlainLine,
    PlainRect,
    PlainTable,
    PlainText,
    Sha256,
    Share,
    Sources,
)


class NoPaint(Model):
    """Nothing is painted."""

    kind: Literal["none"]


class Tint(Model):
    """A colour and how it came to be."""

    color: Hex
    alpha: Share = 1.0
    """1 is opaque."""
    slot: str | None = None
    """Name by which the file refers to the theme, such as ``accent1``."""


class Solid(Tint):
    """One colour."""

    kind: Literal["solid"]


class Stop(Tint):
    """A colour of a gradient."""

    position: Share


class Gradient(Model):
    """Colours that run into each other."""

    kind: Literal["gradient"]
    stops: Many[Stop]
    angle: float | None = None
    """Degrees clockwise from left to right; null if it follows a path."""
    path: str | None = None
    """``circle``, ``rect`` or ``shape``; null if it is linear."""


class Pattern(Model):
    """A two-coloured pattern."""

    kind: Literal["pattern"]
    preset: str
    foreground: Hex
    ground: Hex


class Crop(Model):
    """How much of an image is cut off at each edge, as a share; negative adds room."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


class PictureFill(Model):
    """A picture, stretched or tiled."""

    kind: Literal["picture"]
    sha256: Sha256 | None = None
    """Of the image; null if it is missing or linked."""
    link: str | None = None
    """Where a linked image is; never followed."""
    tiled: bool = False
    alpha: Share = 1.0
    crop: Crop = Crop()
    """Of the image; in a fill that is stretched, what lies outside the area is cut off too."""


Paint = Annotated[NoPaint | Solid | Gradient | Pattern | PictureFill, Field(discriminator="kind")]
"""Paint of an area, a line or text; ``kind`` tells which."""

NO_PAINT = NoPaint(kind="none")


def opacity(paint: Paint) -> float:
    """How little a paint lets through where it lets through most, from 0 to 1 (opaque).

    >>> opacity(NO_PAINT), opacity(Solid(kind="solid", color="#FFFFFF", alpha=0.5))
    (0.0, 0.5)
    """
    match paint:
        case NoPaint():
            return 0.0
        case Solid() | PictureFill():
            return paint.alpha
        case Gradient():
            return min((stop.alpha for stop in paint.stops), default=1.0)
        case _:
            return 1.0


class Ending(Model):
    """End of a line, such as an arrow head."""

    shape: str
    """``triangle``, ``stealth``, ``diamond``, ``oval`` or ``arrow``."""
    width: str = "med"
    length: str = "med"


class Pen(Model):
    """How a line is drawn, beyond its colour and width."""

    paint: Paint = NO_PAINT
    dash: str = "solid"
    """Preset name such as ``dash`` or ``sysDot``; ``custom`` for a pattern of its own."""
    cap: str = "flat"
    compound: str = "sng"
    join: str = "round"
    head: Ending | None = None
    """Where the line begins; null for a plain end."""
    tail: Ending | None = None
    """Where it ends."""
    sources: Sources = NOWHERE


class Border(Model):
    """One side of a table cell."""

    stroke: Hex | None = None
    """Null if it is not drawn."""
    strokeWidth: float = Field(default=0.0, ge=0)  # noqa: N815 - as in the plain schema
    pen: Pen = Pen()


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


class Series(Model):
    """One series of a chart, by its cached values."""

    name: str | None = None
    values: Many[float | None] = ()
    """Null if a cell is blank or holds no number."""
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
    """Null if the chart's style gives it."""
    values_ref: str | None = None
    """The cells the values came from."""
    categories_ref: str | None = None


class Axis(Model):
    """One axis of a chart."""

    kind: Literal["category", "value", "date", "series"]
    title: str | None = None
    minimum: float | None = None
    """Null if it follows the data."""
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


PATH_BOX = 1000
"""Width and height that paths count in, so that they stay as they are when a shape is moved or
resized."""


class Placeholder(Model):
    """A shape's place in the template."""

    type: str
    """Such as ``title``, ``body`` or ``ftr``; ``obj`` if none is stated."""
    idx: int = 0


class Element(Model):
    """Fields that every element has. Elements of one shape, such as a filled box and the text in
    it, share ``id`` and ``z``."""

    id: int = 0
    """Of the shape, unique on its slide in a sound file; 0 if there is none."""
    name: str = ""
    z: int | None = None
    """Drawing order on the slide, 0 at the back, over all groups; null for elements that come
    from no file."""
    creation_id: str | None = None
    """The id that PowerPoint keeps when shapes are copied between slides."""
    alt_text: str = ""
    alt_title: str = ""
    decorative: bool = False
    hidden: bool = False
    rotation: float = Field(default=0.0, ge=0, lt=360)
    """Degrees clockwise about the centre, groups included; flips come first."""
    flip_h: bool = False
    flip_v: bool = False
    groups: Many[int] = ()
    """Ids of the enclosing groups, outermost first."""
    placeholder: Placeholder | None = None
    click: Action | None = None
    hover: Action | None = None
    effects: Many[str] = ()
    """Shadows, glows and their like, as the standard names them."""
    theme_style: dict[str, str] = Field(default={})
    """Styles that it takes from the theme: for ``line``, ``fill``, ``effect`` and ``font`` the
    number or name of the theme's style, then the colour it hands over, such as ``2 accent1``."""
    placed: bool = True
    """False if the file gives no position; the geometry is zero then."""
    sources: Sources = NOWHERE
    """Of this element's own fields; ``paragraphs``, ``body`` and ``pen`` carry theirs."""


class Tight(Boxed):
    """Around the ink of a text as it was drawn; may reach past the slide."""


class Drawn(Model):
    """A text as it was laid out."""

    box: Tight
    size: float = Field(gt=0)
    """Of most of its characters, as drawn, pt."""
    color: Hex | None = None
    """Of most of its characters; null if it is not known."""
    matched: Share
    """Share of its characters that were found on the page."""


class Text(PlainText, Element):
    """The text of a shape."""

    paragraphs: Many[Paragraph] = ()
    body: Body = Body()
    drawn: Drawn | None = None
    """Null if the layout is not known or the text was not found in it."""


class Rect(PlainRect, Element):
    """A shape that has an area: rectangles, all other presets, freeforms."""

    geometry: str = "rect"
    """Preset name (``rect``, ``roundRect``, ``ellipse``, ``chevron`` ...) or ``custom``."""
    adjustments: dict[str, int] = Field(default={})
    """Of the preset, by the names of its guides."""
    path: str | None = None
    """A freeform's outline as SVG path data in a box of 1000 by 1000 that is stretched over the
    element, before rotation and flips."""
    paint: Paint = NO_PAINT
    pen: Pen = Pen()


class Line(PlainLine, Element):
    """A line or connector. Ends are where they are drawn, after flips, rotation and groups."""

    geometry: str = "line"
    """Preset name such as ``straightConnector1`` or ``bentConnector3``."""
    adjustments: dict[str, int] = Field(default={})
    pen: Pen = Pen()
    start: int | None = None
    """Id of the shape it is glued to where it begins."""
    start_site: int | None = None
    """Which of that shape's connection sites."""
    end: int | None = None
    end_site: int | None = None


class Picture(Model):
    """An image as a file holds it."""

    sha256: Sha256 | None = None
    """Of its bytes; null if it is missing or linked."""
    content_type: str | None = None
    pixels: Many[int] = ()
    """Width and height of a raster; empty for vectors and unreadable files."""
    link: str | None = None
    """Where a linked image is; never followed."""


class Image(PlainImage, Picture, Element):
    """A picture shape."""

    crop: Crop = Crop()
    alpha: Share = 1.0
    geometry: str = "rect"
    """Shape that it is cut out by."""
    adjustments: dict[str, int] = Field(default={})
    path: str | None = None
    stroke: Hex | None = None
    strokeWidth: float = Field(default=0.0, ge=0)  # noqa: N815 - as in the plain schema
    paint: Paint = NO_PAINT
    """Behind the image, if it lets light through."""
    pen: Pen = Pen()


class Table(PlainTable, Element):
    """A table."""

    columns: Many[float] = ()
    """Widths, px."""
    heights: Many[float] = ()
    """Least heights of the rows, px."""
    rows: Many[Many[Cell]] = ()
    style_id: str | None = None
    first_row: bool = False
    last_row: bool = False
    first_column: bool = False
    last_column: bool = False
    row_bands: bool = False
    column_bands: bool = False


class Chart(Boxed, Element):
    """A native chart."""

    type: str
    """Such as ``column``, ``bar``, ``line``, ``pie`` or ``waterfall``; ``unknown`` if the
    chart cannot be read."""
    grouping: str | None = None
    """``clustered``, ``stacked``, ``percentStacked`` or ``standard``."""
    plots: Many[str] = ()
    """The types of all its plots; more than one in a combined chart."""
    title: str | None = None
    series: Many[Series] = ()
    axes: Many[Axis] = ()
    legend: str | None = None
    """Where the legend stands (``r``, ``b`` ...); null without one."""
    labels: bool = False
    """Whether any data labels are shown."""
    workbook: Sha256 | None = None
    """Of the embedded workbook."""
    workbook_link: str | None = None
    """Where a linked workbook is; never followed."""


class Diagram(Boxed, Element):
    """A SmartArt diagram."""

    layout: str = ""
    """Name of its layout, such as ``default`` or ``hierarchy1``."""
    nodes: Many[Node] = ()
    """Its texts in order, each before what hangs on it."""


class Media(Boxed, Picture, Element):
    """Video or sound. The inherited image is its poster."""

    medium: Literal["video", "audio"]
    media_sha256: Sha256 | None = None
    media_type: str | None = None
    media_link: str | None = None
    """Where a linked medium is; never followed."""
    crop: Crop = Crop()


class Group(Boxed, Element):
    """A group; its members name it."""


class Other(Boxed, Element):
    """Something that is none of the above: kept and named."""

    what: str
    """``ole``, ``control``, or the name of the XML element or of the graphic's namespace."""
    detail: str = ""
    """The program of an OLE object, such as ``Excel.Sheet.12``, or the class of a control."""
    sha256: Sha256 | None = None
    """Of an embedded object."""
    link: str | None = None
    text: str = ""
    """Any text found inside."""


def box_of(element: Element) -> Box | None:
    """The upright rectangle around an element, turned as it is; None if it has no place."""
    if not element.placed:
        return None
    if isinstance(element, Line):
        xs, ys = sorted((element.x1, element.x2)), sorted((element.y1, element.y2))
        return Box(xs[0], ys[0], xs[1], ys[1])
    x, y, w, h = (float(getattr(element, name)) for name in ("x", "y", "w", "h"))
    turn = radians(element.rotation)
    width = abs(w * cos(turn)) + abs(h * sin(turn))
    height = abs(w * sin(turn)) + abs(h * cos(turn))
    middle, centre = x + w / 2, y + h / 2
    return Box(middle - width / 2, centre - height / 2, middle + width / 2, centre + height / 2)
