"""Base of all models: how strict they are, actions, and where a value is stated."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH

T_co = TypeVar("T_co", covariant=True)

Origin = Literal[
    "run", "paragraph", "shape", "group", "slide", "layout", "master", "theme", "presentation",
    "table_style", "default",
]  # fmt: skip
"""Where a value is stated.

``run`` and ``paragraph`` are its own properties, ``shape`` anything else the shape (or table cell,
or its own reference to a theme style) says, ``group`` a fill taken from the enclosing group,
``slide`` the slide's own background, ``layout`` and ``master`` the placeholder or text styles it
inherits from, ``theme`` the theme's format scheme, ``presentation`` the deck's default text
style, ``table_style`` the table's style, ``default`` what the standard or PowerPoint takes if
nothing is stated. A theme colour or theme font named by a run is stated by the run.
"""


@dataclass(frozen=True, slots=True)
class Effective(Generic[T_co]):
    """One effective value and where it is stated."""

    value: T_co
    source: Origin


T = TypeVar("T")

Hex = Annotated[str, StringConstraints(pattern=r"^#[0-9A-F]{6}$")]
"""An opaque colour, ``#RRGGBB`` in capitals."""

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 of a part's bytes."""

Share = Annotated[float, Field(ge=0, le=1)]
"""A share of one."""

Many = Annotated[tuple[T, ...], Field(strict=False)]
"""Several of a kind, in order; a JSON array, also if it was parsed to a list before."""

Pair = Annotated[tuple[float, float], Field(strict=False)]
"""Two numbers."""

Sources = dict[str, Origin]
"""Field name to the place that states its value; fields that nothing states are not in it, and
hold what the standard or PowerPoint takes by default."""


def effective_values(source: Origin, **values: Any) -> dict[str, Effective[Any]]:
    """Values by name, all of them stated at one place."""
    return {name: Effective(value, source) for name, value in values.items()}


def stated_values(source: Origin, **values: Any) -> dict[str, Effective[Any]]:
    """Those of some values that one place states: all that are not None."""
    return {name: Effective(value, source) for name, value in values.items() if value is not None}


def places_of(values: Mapping[str, Effective[Any]]) -> Sources:
    """Where each value is stated, defaults left out."""
    return {name: item.source for name, item in values.items() if item.source != "default"}


Statements = dict[str, JsonValue]
"""The values that one part or element states, by their names."""

NOWHERE: Sources = {}
"""Sources of a record that states nothing: every value is a default."""


class Model(BaseModel):
    """A strict, frozen record: no unknown fields, no conversions, no infinities."""

    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        defer_build=True,
    )


ActionKind = Literal[
    "url", "slide", "jump", "file", "program", "macro", "media", "show", "ole", "none", "unknown"
]
"""``jump`` is relative to the show (next slide, last slide viewed ...), ``none`` does nothing
though it may play a sound or have a tooltip."""


class Action(Model):
    """An action on a click, or when the pointer comes over."""

    kind: ActionKind
    target: str = ""
    """Address, file, program or macro; for ``jump`` its name, such as ``nextslide``; the id of a
    slide or custom show."""
    tooltip: str = ""
    action: str = ""
    """The action as the file spells it, if the kind does not say all."""


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
