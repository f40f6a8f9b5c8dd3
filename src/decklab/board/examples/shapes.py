"""The shapes of a slide of an example deck: what is content, and what belongs to the design."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from decklab.board.templates.places import ExampleShapes, ItemList, LayoutPlace, PageRole, PlaceKind
from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Element, Image, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.editing.finding import FOOTERS

SHORT_NUMBER = re.compile(r"\W*\d{1,3}\W{0,2}")
"""A text that is no more than the number of a slide."""
WORD = re.compile(r"[^\W\d_]{2,}")
_REPEATED_SHARE: Final = 0.4
"""Share of the slides on which the same thing at the same place belongs to the design."""
_LEAST_REPEATS: Final = 3
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

    def objects(self) -> Iterator[LayoutPlace]:
        """Charts, tables with words, and pictures that show something."""
        for chart in self.slide.charts:
            box = box_of(chart)
            if box is not None:
                yield object_place(chart, "chart", box)
        for table in self.slide.tables:
            box = box_of(table)
            if box is not None and any(cell.strip() for row in table.cells for cell in row):
                yield object_place(table, "table", box)
        for image in self.slide.images:
            box = box_of(image)
            if box is not None and self.is_content(image, box):
                yield object_place(image, "picture", box)

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


def object_place(element: Element, kind: PlaceKind, box: Box) -> LayoutPlace:
    """The place of a picture, chart or table that is replaced."""
    return LayoutPlace(kind, "", (), box, Box(0, 0, 0, 0), (), id=element.id, filled=True)


_PANEL_COST: Final = 3.0
"""Cost of a box that is seen to hold nothing. Ours."""


@dataclass(frozen=True)
class ExampleSlide:
    """One slide of an example deck, understood; in pixels of the frame."""

    slide: SlideElements
    role: PageRole
    title: LayoutPlace | None
    subtitle: LayoutPlace | None
    bodies: tuple[LayoutPlace, ...]
    lists: tuple[ItemList, ...]
    objects: tuple[LayoutPlace, ...]
    shapes: ExampleShapes
    blocks: tuple[tuple[int, Box], ...]
    """Ids and places of drawings of this slide alone, where nothing else may stand."""
    panels: int
    """Larger boxes that stay and hold nothing."""
    design: tuple[Box, ...] = ()
    """Places of drawings that stay on all slides."""

    @property
    def number(self) -> int:
        """Of the slide in its deck."""
        return self.slide.number

    @property
    def signature(self) -> tuple[object, ...]:
        """The key that near duplicates share."""
        slots = [self.title, self.subtitle, *self.bodies]
        return (
            self.role, self.slide.layout_part, self.slide.background,
            tuple(_rough(slot.box) if slot else None for slot in slots[:2]),
            len(self.bodies), tuple(found.count for found in self.lists),
            tuple((slot.kind, _rough(slot.box)) for slot in self.objects),
        )  # fmt: skip

    @property
    def clutter(self) -> float:
        """How much of it would be removed or would remain without a meaning; 0 is cleanest."""
        drawn = 0.1 * min(len(self.blocks), 20)
        return len(self.shapes.left_over) + drawn + _PANEL_COST * self.panels


def _rough(box: Box) -> tuple[int, ...]:
    return tuple(round(side / 24) for side in box)
