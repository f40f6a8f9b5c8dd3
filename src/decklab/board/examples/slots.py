"""What stands on a slide of an example deck: the places for texts, items and objects."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from decklab.board.typography import Face, lines_height, wrap
from decklab.core.geometry import Box
from decklab.deck.model.shapes import Chart, Table
from decklab.deck.model.text import Body, Paragraph, Spacing

ExampleRole = Literal["opening", "contents", "section", "body", "ending"]
ExampleKind = Literal[
    "title", "bullets", "items", "picture", "chart", "table", "quote", "timeline", "numbers",
]  # fmt: skip
"""What the largest part of a slide's content is; ``title`` for a slide that has none."""

NOWHERE = -1
"""The id of no shape: what is attached to it always goes."""

TextLine = tuple[str, int]
"""A paragraph and its level, 0 for the outermost."""

LEAST_POINTS = 12.0
"""No text is set smaller, on slides of 540 points or less in height; on larger ones in proportion."""  # noqa: E501
_SMALLER = 0.95


@dataclass(frozen=True)
class SlideScale:
    """Points of the slide in a pixel of the 960x540 frame, across and down."""

    across: float
    down: float
    language: str = "en"

    @property
    def least(self) -> float:
        """The smallest size of text on slides of this size, in points."""
        return LEAST_POINTS * max(1.0, self.down)


@dataclass(frozen=True)
class Look:
    """How a paragraph of an example is set, and its place among the paragraphs of its text."""

    paragraph: Paragraph
    index: int

    @property
    def size(self) -> float:
        """Of its first run, in points."""
        return self.paragraph.runs[0].font.size

    @property
    def bold(self) -> bool:
        """Whether its first run is bold."""
        return "bold" in self.paragraph.runs[0].font.style


@dataclass(frozen=True)
class TextSlot:
    """A shape whose text is replaced. ``room`` is where new text may stand, its box at least.

    ``looks`` are those of its levels, the outermost first; in an item, of label and text.
    """

    id: int
    box: Box
    room: Box
    looks: tuple[Look, ...]
    body: Body
    text: str
    filled: bool = False
    placeholder: str | None = None

    @property
    def size(self) -> float:
        """Of its first paragraph, in points."""
        return self.looks[0].size

    def look(self, level: int) -> Look:
        """The look of a level, the deepest there is for those below it."""
        return self.looks[min(level, len(self.looks) - 1)]

    def height(self, lines: Sequence[TextLine], scale: SlideScale, factor: float) -> float:
        """Height that text needs at a share of the example's sizes, with its insets, in points."""
        body = self.body
        wide = self.room.width * scale.across - body.inset_left - body.inset_right
        total = body.inset_top + body.inset_bottom
        for place, (text, level) in enumerate(lines):
            look = self.look(level).paragraph
            font = look.runs[0].font
            size = self.sized(level, scale, factor)
            face = Face(font.name, "bold" in font.style, scale.language)
            shown = text.upper() if font.caps == "all" else text
            room = wide - look.margin_left - look.margin_right - max(look.indent, 0.0)
            room /= 1 + max(font.spacing, 0.0) / (0.5 * size)
            set_lines = wrap(shown, face, size, max(room, size))
            total += _leading(
                look.line_spacing, lines_height(set_lines, face, size), len(set_lines)
            )
            total += _distance(look.space_after, size)
            total += _distance(look.space_before, size) if place else 0.0
        return total

    def sized(self, level: int, scale: SlideScale, factor: float) -> float:
        """Size of a level at a share of the example's, not below the least, in half points."""
        return max(round(self.look(level).size * factor * 2) / 2, scale.least)

    def factor(
        self, lines: Sequence[TextLine], scale: SlideScale, least: float = 0.0
    ) -> float | None:
        """The largest share of the example's sizes at which text fits; None where none does.

        ``least`` is a size in points below which the outermost level does not go.
        """
        room = self.room.height * scale.down
        floor = max(scale.least, least)
        factor = 1.0
        while True:
            if self.height(lines, scale, factor) <= room + 1:
                return factor
            if self.size * factor <= floor:
                return None
            factor *= _SMALLER

    def moved(self, box: Box) -> "TextSlot":
        """The slot at another place."""
        return replace(self, box=box, room=box)


def _leading(spacing: Spacing, natural: float, lines: int) -> float:
    return natural * spacing.value if spacing.unit == "share" else spacing.value * lines


def _distance(spacing: Spacing, size: float) -> float:
    return spacing.value * size if spacing.unit == "share" else spacing.value


@dataclass(frozen=True)
class ItemPart:
    """One shape of an item; ``text`` is set where it has words."""

    id: int
    box: Box
    text: TextSlot | None = None


@dataclass(frozen=True)
class Item:
    """One card, column, step or number among several alike."""

    parts: tuple[ItemPart, ...]

    @property
    def box(self) -> Box:
        """Around all its parts."""
        found = Box.around(part.box for part in self.parts)
        assert found is not None, "an item has parts"
        return found


@dataclass(frozen=True)
class ItemList:
    """Items alike in geometry and format, in reading order.

    ``rows`` and ``columns`` are those of their grid, 0 where they stand in none; ``rigid`` lists
    are used with just as many items, as drawings between them are made for that.
    """

    items: tuple[Item, ...]
    rows: int
    columns: int
    rigid: bool = False

    @property
    def box(self) -> Box:
        """Around all items."""
        found = Box.around(item.box for item in self.items)
        assert found is not None, "a list has items"
        return found


@dataclass(frozen=True)
class ObjectSlot:
    """A picture, chart or table that is replaced."""

    id: int
    box: Box
    kind: Literal["picture", "chart", "table"]
    shown: Chart | Table | None = None


@dataclass(frozen=True)
class ExampleSlide:
    """One slide of an example deck, understood."""

    number: int
    role: ExampleRole
    kind: ExampleKind
    layout: str
    """Part name of its layout."""
    layout_name: str
    background: str
    title: TextSlot | None
    subtitle: TextSlot | None = None
    bodies: tuple[TextSlot, ...] = ()
    lists: tuple[ItemList, ...] = ()
    objects: tuple[ObjectSlot, ...] = ()
    left_over: tuple[int, ...] = ()
    """Ids of shapes with words that are no place for content: they are removed."""
    footers: tuple[int, ...] = ()
    """Ids of footers that are the slide's own, not repeated ones."""
    numbers: tuple[int, ...] = ()
    """Ids of text boxes that hold the slide's number."""
    dates: tuple[int, ...] = ()
    stays: tuple[str, ...] = ()
    """Words that repeat on most slides and stay."""
    drawings: int = 0
    """Drawn shapes and pictures that stay and are on no other slide."""
    of_layout: bool = False
    """Whether it is no slide of the deck but an empty one of a layout."""
    blocks: tuple[tuple[int, Box], ...] = ()
    """Ids and places of drawings of this slide alone, where nothing else may stand."""
    areas: tuple[tuple[Box, str], ...] = ()
    """The background and larger filled areas, from the back to the front, with their colours."""
    foot: float = 508.0
    """Pixels from the top of the slide to footers and bands at its foot."""
    attached: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Ids of drawings that go where the texts that they belong to go: panels and icons."""

    @property
    def signature(self) -> tuple[object, ...]:
        """What near duplicates have in common."""
        slots = [self.title, self.subtitle, *self.bodies]
        return (
            self.role, self.kind, self.layout, self.background,
            tuple(_rough(slot.box) if slot else None for slot in slots[:2]),
            len(self.bodies), tuple(len(found.items) for found in self.lists),
            tuple((slot.kind, _rough(slot.box)) for slot in self.objects),
        )  # fmt: skip

    @property
    def clutter(self) -> float:
        """How much of it would be removed or would remain without a meaning; 0 is cleanest."""
        return len(self.left_over) + 0.1 * min(self.drawings, 20)


def _rough(box: Box) -> tuple[int, ...]:
    return tuple(round(side / 24) for side in box)
