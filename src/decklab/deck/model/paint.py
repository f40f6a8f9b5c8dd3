"""Paints of areas, lines and glyphs."""

from typing import Annotated, Literal

from pydantic import Field

from decklab.deck.model.base import NOWHERE, Hex, Many, Model, Sha256, Share, Sources


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
