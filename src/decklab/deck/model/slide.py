"""Slides with all that is on them, the layouts and masters behind them, and a whole deck."""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from decklab.core.results import Tabular
from decklab.deck.model.base import (
    FRAME_SIZE,
    NOWHERE,
    Hex,
    Many,
    Model,
    Pair,
    Size,
    Sources,
    Statements,
)
from decklab.deck.model.shapes import (
    NO_PAINT,
    Chart,
    Diagram,
    Element,
    Group,
    Image,
    Line,
    Media,
    Other,
    Paint,
    Rect,
    Table,
    Text,
    box_of,
)


class Reply(Model):
    """An answer in a thread of comments."""

    id: str
    author: str
    initials: str = ""
    created: str = ""
    """Date and time as the file has it (ISO 8601)."""
    text: str


class Comment(Reply):
    """A comment on a slide."""

    kind: Literal["classic", "modern"]
    x: float | None = None
    """Where it stands, px; null if it is bound to no place."""
    y: float | None = None
    shape: int | None = None
    """Id of the shape it is about."""
    status: str = ""
    """``active``, ``resolved`` or ``closed``; empty for classic comments."""
    replies: Many[Reply] = ()


class Transition(Model):
    """How a slide appears, and when it goes."""

    name: str = ""
    """Effect such as ``fade`` or ``morph``; empty if only the advance is stated."""
    duration_ms: int | None = None
    speed: str = "fast"
    """``slow``, ``med`` or ``fast``, for programs that know no duration."""
    options: dict[str, str] = Field(default={})
    """The effect's own settings, such as ``dir``."""
    advance_on_click: bool = True
    advance_after_ms: int | None = None
    sound: str | None = None
    """Name of the sound it plays."""


class Animation(Model):
    """One effect of a slide's timeline."""

    order: int
    """Counts from 0 over all sequences of the slide."""
    effect: str
    """Such as ``fly_in``; ``entr_99`` for presets without a name, ``custom`` if none is stated."""
    kind: Literal["entrance", "exit", "emphasis", "motion", "media", "verb", "unknown"]
    trigger: Literal["on_click", "with_previous", "after_previous", "on_shape_click", "unknown"]
    delay_ms: int = 0
    duration_ms: int | None = None
    """Null if it lasts as long as a medium, or until something ends it."""
    shape: int | None = None
    """Id of the shape it plays on."""
    paragraphs: Many[int] = ()
    """First and last paragraph it plays on, counted from 0; empty for the whole shape."""
    characters: Many[int] = ()
    """First and last character it plays on."""
    part: str = ""
    """Part of the shape it plays on: ``background``, or a piece of a chart or diagram."""
    trigger_shape: int | None = None
    """Id of the shape whose click starts it."""
    subtype: int | None = None
    """Variant of the preset, such as a direction."""
    repeat: str = ""
    """How often, as the file spells it: thousandths, or ``indefinite``."""
    by: str = ""
    """``wd`` or ``lt`` where text comes word by word or letter by letter."""


class Contents(Model):
    """Contents of a slide, layout or master."""

    size: Size = FRAME_SIZE
    background: Hex
    """The background's colour, half way through a gradient; white under a picture."""
    background_paint: Paint = NO_PAINT
    texts: Many[Text] = ()
    rects: Many[Rect] = ()
    lines: Many[Line] = ()
    images: Many[Image] = ()
    tables: Many[Table] = ()
    charts: Many[Chart] = ()
    diagrams: Many[Diagram] = ()
    media: Many[Media] = ()
    groups: Many[Group] = ()
    others: Many[Other] = ()
    size_pt: Pair = (960.0, 540.0)
    """Width and height of the slide itself, pt."""
    color_map: dict[str, str] = Field(default={})
    """Theme colours by the names that its shapes use, if it maps them itself, as masters do."""
    sources: Sources = NOWHERE

    def elements(self) -> tuple[Element, ...]:
        """All elements in drawing order, a shape's area before its text; those without a place
        in the order come last, kind by kind."""
        items: list[Element] = [
            item for kind in KINDS for item in getattr(self, kind) if isinstance(item, Element)
        ]
        return tuple(sorted(items, key=lambda item: (item.z is None, item.z or 0)))


KINDS = (
    "groups", "rects", "images", "tables", "charts", "diagrams", "media", "others", "lines",
    "texts",
)  # fmt: skip
"""Names of the lists of elements. Texts come last, so that a shape's text follows its area."""


class TemplateElements(Contents):
    """A slide layout or slide master."""

    kind: Literal["layout", "master"]
    name: str
    part: str
    type: str = ""
    """Of a layout, such as ``title`` or ``twoObj``."""
    parent: str | None = None
    """Part name of a layout's master; null for a master."""
    theme: str = ""
    """Name of the theme."""
    shows_master: bool = True
    text_styles: dict[str, Statements] = Field(default={})
    """Of a master: what its text styles state, such as ``title style, level 1``."""
    list_styles: dict[str, dict[str, Statements]] = Field(default={})
    """Values that its placeholders' own list styles state, by shape id, then by level."""
    used: bool = True
    """Whether slides show it. Of a layout that no slide uses only names are read, not contents."""


class SlideElements(Contents):
    """One slide. JSON of the plain schema is valid input."""

    number: int = 1
    """1-based position, hidden slides counted."""
    id: int = 0
    """The id that stays with the slide wherever it moves; 0 if there is none."""
    creation_id: str | None = None
    part: str = ""
    name: str = ""
    title: str | None = None
    """Text of the title placeholder; null without one."""
    hidden: bool = False
    layout: str = ""
    """Name of the layout."""
    layout_part: str = ""
    master: str = ""
    """Name of the master, which is its theme's."""
    theme: str = ""
    section: str | None = None
    shows_master: bool = True
    """Whether shapes of layout and master show behind its own."""
    notes: str | None = None
    """Speaker notes; null if there is no notes page."""
    comments: Many[Comment] = ()
    transition: Transition | None = None
    animations: Many[Animation] = ()
    header: str | None = None
    footer: str | None = None
    date: str | None = None
    slide_number: str | None = None
    """Texts of those placeholders; null if the slide does not show them."""


class ThemeElements(Model):
    """Colours and fonts of a theme."""

    part: str
    name: str
    colors: dict[str, Hex]
    """By slot: ``dk1``, ``lt1``, ``accent1`` ..."""
    major: str
    """Latin typeface of headings."""
    minor: str
    """Latin typeface of the body."""
    major_east_asian: str = ""
    minor_east_asian: str = ""
    major_complex_script: str = ""
    minor_complex_script: str = ""
    formats: dict[str, Statements] = Field(default={})
    """Its fill, line, effect and background styles, such as ``line style 2``."""


class Section(Model):
    """A named run of slides."""

    id: str
    name: str
    slides: Many[int]
    """Slide ids."""


class CustomShow(Model):
    """A named selection of slides."""

    id: int
    name: str
    slides: Many[int]
    """Slide ids; a slide may occur more than once."""


class MediaPart(Model):
    """An image, sound or video of the deck."""

    sha256: str
    content_type: str
    size: int
    """In bytes."""
    parts: Many[str]
    """Names of the parts with these bytes."""


class DeckElements(Model, Tabular):
    """All that decklab reads of a deck."""

    size_pt: Pair
    slides: Many[SlideElements]
    layouts: Many[TemplateElements]
    masters: Many[TemplateElements]
    themes: Many[ThemeElements]
    sections: Many[Section] = ()
    shows: Many[CustomShow] = ()
    media: Many[MediaPart] = ()
    properties: dict[str, str] = Field(default={})
    """Title, author, dates and their like, by the names of their XML elements."""
    default_text: dict[str, Statements] = Field(default={})
    """Values that the default text style states, by level; the last that texts inherit from."""
    table_styles: dict[str, dict[str, Statements]] = Field(default={})
    """The table styles that the deck defines, by id, then by part of a table."""
    problems: Many[str] = ()
    """Problems met in reading, for which something was left out; one line each, naming the part."""
    converted: str = Field(default="", exclude=True)
    """The kind of file that LibreOffice converted for reading, such as "an OpenDocument
    presentation"; empty for PowerPoint files."""

    def records(self) -> Iterator[dict[str, Any]]:
        """One row an element, slide by slide in drawing order; places in px of the frame."""
        for slide in self.slides:
            for element in slide.elements():
                box = box_of(element)
                placed = None if box is None else [round(edge, 2) for edge in box]
                yield {
                    "slide": slide.number, "id": element.id, "name": element.name,
                    "kind": type(element).__name__.lower(), "box": placed,
                    "text": getattr(element, "text", None), "hidden": element.hidden,
                }  # fmt: skip
