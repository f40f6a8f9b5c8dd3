"""Places for texts, items and objects on a slide of an example deck.

The shapes of a slide of an example deck: what is content, and what belongs to the design.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Literal

from decklab.board.slots.measuring import PlaceLine, PlaceText, fitted, look_of, measured, set_size
from decklab.board.templates.places import LayoutPlace
from decklab.board.templates.reading import look_of_paragraph
from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Body, Chart, Element, Image, Paragraph, Table, Text, box_of
from decklab.deck.model.slide import Contents, SlideElements
from decklab.editing.finding import FOOTERS

ExampleRole = Literal["opening", "contents", "section", "body", "ending"]
ExampleKind = Literal[
    "title", "bullets", "items", "picture", "chart", "table", "quote", "timeline", "numbers"
]
"""The kind of the largest part of a slide's content; ``title`` for a slide that has none."""

NOWHERE = -1
"""The id of no shape: what is attached to it always goes."""

TextLine = tuple[str, int]
"""A paragraph and its level, 0 for the outermost."""

LEAST_POINTS = 12.0
"""No text is set smaller, on slides of 540 points or less in height; on larger ones in proportion."""  # noqa: E501
_MANY_LINES: Final = 99
"""As many lines as a text may have."""
_PANEL_COST: Final = 3.0
"""Cost of a box that is seen to hold nothing. Ours."""


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
class SlotLook:
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
    looks: tuple[SlotLook, ...]
    body: Body
    text: str
    filled: bool = False
    placeholder: str | None = None

    @property
    def size(self) -> float:
        """Of its first paragraph, in points."""
        return self.looks[0].size

    def look(self, level: int) -> SlotLook:
        """The look of a level, the deepest there is for those below it."""
        return self.looks[min(level, len(self.looks) - 1)]

    def placed(
        self, lines: Sequence[TextLine], scale: SlideScale, factor: float = 1.0
    ) -> PlaceText:
        """New text in its room, in points, at a share of the example's sizes."""
        body = self.body
        insets = Box(body.inset_left, body.inset_top, body.inset_right, body.inset_bottom)
        place = LayoutPlace(
            "other", "", (), self.room.scaled(scale.across, scale.down), insets,
            tuple(look_of_paragraph(look.paragraph, scale.least) for look in self.looks),
        )  # fmt: skip
        return PlaceText("", place, tuple(PlaceLine(*line) for line in lines), factor)

    def height(self, lines: Sequence[TextLine], scale: SlideScale, factor: float) -> float:
        """Height that text needs at a share of the example's sizes, with its insets, in points."""
        high, _counts = measured(self.placed(lines, scale, factor), scale.language)
        return high + self.body.inset_top + self.body.inset_bottom

    def sized(self, level: int, scale: SlideScale, factor: float) -> float:
        """Size of a level at a share of the example's, not below the least, in points."""
        return set_size(look_of(self.placed((), scale).place, level), factor)

    def factor(
        self,
        lines: Sequence[TextLine],
        scale: SlideScale,
        least: float = 0.0,
        most_lines: int = _MANY_LINES,
    ) -> float | None:
        """The largest share of the example's sizes at which text fits, in so many lines at most
        and with no word broken; None where none does.

        ``least`` is a size in points below which the outermost level does not go.
        """
        text, fits = fitted(
            self.placed(lines, scale), scale.language, least=least, most_lines=most_lines
        )
        return text.factor if fits else None


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
    panels: int = 0
    """Larger boxes that stay and hold nothing."""
    drawings: int = 0
    """Drawn shapes and pictures that stay and are on no other slide."""
    blocks: tuple[tuple[int, Box], ...] = ()
    """Ids and places of drawings of this slide alone, where nothing else may stand."""
    areas: tuple[tuple[Box, str], ...] = ()
    """The background and larger filled areas, from the back to the front, with their colours."""
    rounds: tuple[Box, ...] = ()
    """The largest boxes in the large ellipses that slide, layout and master draw."""
    foot: float = 508.0
    """Pixels from the top of the slide to footers and bands at its foot."""
    attached: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Ids of drawings that go where the texts that they belong to go: panels and icons."""

    @property
    def key(self) -> str:
        """By which it is known among all that slides may stand on."""
        return f"slide {self.number}"

    @property
    def signature(self) -> tuple[object, ...]:
        """The key that near duplicates share."""
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
        return len(self.left_over) + 0.1 * min(self.drawings, 20) + _PANEL_COST * self.panels


def _rough(box: Box) -> tuple[int, ...]:
    return tuple(round(side / 24) for side in box)


SHORT_NUMBER = re.compile(r"\W*\d{1,3}\W{0,2}")
"""A text that is no more than the number of a slide."""
WORD = re.compile(r"[^\W\d_]{2,}")
_REPEATED_SHARE: Final = 0.4
"""Share of the slides on which the same thing at the same place belongs to the design."""
_LEAST_REPEATS: Final = 3
_LEAST_ROUND: Final = 0.15
"""Share of the slide from which on an ellipse is the ground of its content. Ours."""
_LEAST_PICTURE: Final = 0.006
"""Share of the slide from which on a photograph or figure is content. Ours."""

RepeatKey = tuple[object, ...]
"""By which an element is found again on other slides."""


def repeated_keys(slides: Sequence[SlideElements]) -> set[RepeatKey]:
    """The keys of what stands at the same place on many slides."""
    counts = Counter(
        key for slide in slides for key in {repeat_key(element) for element in slide.elements()}
    )
    least = max(_LEAST_REPEATS, _REPEATED_SHARE * len(slides))
    common = {key for key, count in counts.items() if count >= least}
    pictures = {
        key for key, count in counts.items()
        if key[0] in ("Image", "Rect", "Line", "Group") and count >= _LEAST_REPEATS
    }  # fmt: skip
    return common | pictures


def rounds_of(sheets: Iterable[Contents]) -> tuple[Box, ...]:
    """The largest boxes in the large filled ellipses of a slide and of what is behind it."""
    ellipses = [
        box for sheet in sheets for rect in sheet.rects
        if rect.geometry == "ellipse" and rect.paint.kind != "none"
        and (box := box_of(rect)) is not None and box.area > _LEAST_ROUND * FRAME.area
    ]  # fmt: skip
    share = (1 - sqrt(0.5)) / 2
    return tuple(
        Box(
            box.left + share * box.width, box.top + share * box.height,
            box.right - share * box.width, box.bottom - share * box.height,
        )
        for box in ellipses
    )  # fmt: skip


def repeat_key(element: Element) -> RepeatKey:
    """Kind, rough place and words or picture of an element: equal for what repeats."""
    box = box_of(element)
    place = None if box is None else tuple(round(side / 3) for side in box)
    words: object = getattr(element, "sha256", None)
    if isinstance(element, Text):
        words = "number" if SHORT_NUMBER.fullmatch(element.text) else " ".join(element.text.split())
    return type(element).__name__, place, words


@dataclass(frozen=True)
class SlideParts:
    """The shapes of one slide, sorted into content and design."""

    slide: SlideElements
    repeated: Collection[RepeatKey]
    """Keys of what repeats in its deck."""
    illustrations: Collection[str]
    """SHA-256 of pictures that belong to the design wherever they stand."""

    def repeats(self, element: Element) -> bool:
        """Whether the same stands at the same place on many slides."""
        return repeat_key(element) in self.repeated

    def drawn(self, *, lines: bool = True) -> list[Element]:
        """Drawn shapes and pictures, with or without lines."""
        slide = self.slide
        return [*slide.rects, *slide.images, *(slide.lines if lines else ())]

    def is_design(self, element: Element) -> bool:
        """Whether an element belongs to the design: it repeats, or fills the slide's width."""
        box = box_of(element)
        if box is None or self.repeats(element):
            return True
        shown = box.intersection(FRAME)
        return (
            shown.area < 0.5 * box.area
            or shown.width > 0.9 * FRAME.width
            or (shown.height > 0.9 * FRAME.height)
        )

    def is_content(self, image: Image, box: Box) -> bool:
        """Whether a picture shows something: no logo, background or piece of a drawing."""
        strip = min(box.width, box.height) < 100 and max(box.width, box.height) > 300
        return (
            not self.is_design(image) and _LEAST_PICTURE * FRAME.area < box.area < 0.8 * FRAME.area
            and len(image.groups) < 2 and image.sha256 is not None
            and image.sha256 not in self.illustrations and not strip
        )  # fmt: skip

    def objects(self) -> Iterator[ObjectSlot]:
        """Charts, tables with words, and pictures that show something."""
        for chart in self.slide.charts:
            box = box_of(chart)
            if box is not None:
                yield ObjectSlot(chart.id, box, "chart", chart)
        for table in self.slide.tables:
            box = box_of(table)
            if box is not None and any(cell.strip() for row in table.cells for cell in row):
                yield ObjectSlot(table.id, box, "table", table)
        for image in self.slide.images:
            box = box_of(image)
            if box is not None and self.is_content(image, box):
                yield ObjectSlot(image.id, box, "picture")

    def loose(self) -> dict[int, Box]:
        """Drawings and pictures of this slide alone, by their ids."""
        boxes = {
            element.id: box_of(element) for element in self.drawn(lines=False)
            if not self.is_design(element)
        }  # fmt: skip
        texts = {text.id for text in self.slide.texts if text.text.strip()}
        return {id: box for id, box in boxes.items() if box is not None and id not in texts}

    def lines(self) -> list[Box]:
        """Lines, and tables without words: grids that are drawn for a number of items."""
        boxes = [box_of(line) for line in self.slide.lines if not self.repeats(line)]
        boxes += [
            box_of(table) for table in self.slide.tables
            if not any(cell.strip() for row in table.cells for cell in row)
        ]  # fmt: skip
        return [box for box in boxes if box is not None]

    def panels(self) -> list[Box]:
        """Areas and frames that are drawn on the slide, those of the design too."""
        boxes = [
            box_of(rect) for rect in self.slide.rects
            if rect.paint.kind != "none" or rect.stroke is not None
        ]  # fmt: skip
        return [box for box in boxes if box is not None and box.height < 0.97 * FRAME.height]

    def feet(self) -> list[Box]:
        """Footers, numbers and dates, and texts that repeat."""
        boxes = [
            box_of(text) for text in self.slide.texts
            if self.repeats(text)
            or (text.placeholder is not None and text.placeholder.type in FOOTERS)
        ]  # fmt: skip
        return [box for box in boxes if box is not None]

    def bands(self) -> list[Box]:
        """Pictures and areas at the foot of the slide that belong to the design."""
        foot, high = 0.9 * FRAME.height, 0.3 * FRAME.height
        boxes = [box_of(element) for element in self.drawn(lines=False)]
        return [box for box in boxes if box is not None and box.height < high and box.bottom > foot]
