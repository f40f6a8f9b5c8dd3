"""The texts of new items in the parts of the example's: ordinals, labels, what is below them.

The content of a planned slide in the terms of examples: points, items, or one object.

Places for more or fewer items than an example has, on the grid of the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final, Literal

from decklab.board.blueprint import ChartPlan, PicturePlan, Point, SlidePlan, TablePlan
from decklab.board.examples.slots import Item, ItemList, ItemPart, SlideScale, TextLine, TextSlot
from decklab.core.geometry import Box

_LEAST_WIDTH: Final = 110.0
_MOST_ITEMS: Final = 8
_WIDE: Final = 0.55
"""Share of an item's width from which on a part is as wide as the item allows. Ours."""
_MIDDLE: Final = 10.0


def places_of_items(source: ItemList, count: int) -> list[Box] | None:
    """A box for each of ``count`` items within the area of a list; None where that cannot be.

    As many as there are keep their places. Others stand in rows as full as can be, at the same
    gaps; the items become wider or narrower, rows further apart or nearer.
    """
    boxes = [item.box for item in source.items]
    if count == len(boxes):
        return boxes
    if source.rigid or not 2 <= count <= _MOST_ITEMS:
        return None
    columns = _columns(source, count)
    rows = ceil(count / columns)
    if rows > max(source.rows, 1) + 1 and source.rows > 0 and source.columns > 1:
        return None
    area = source.box
    across = _gap([box for box in boxes if abs(box.top - boxes[0].top) < 14], source.columns)
    width = (area.width - across * (columns - 1)) / columns
    height = max(box.height for box in boxes)
    down = area.height - height * source.rows
    pitch = height + (down / (source.rows - 1) if source.rows > 1 else 16.0)
    if rows != source.rows:
        pitch = (area.height + 16.0) / rows if rows > source.rows else pitch
    if width < _LEAST_WIDTH:
        return None
    return [
        Box(
            area.left + (place % columns) * (width + across),
            area.top + (place // columns) * pitch,
            area.left + (place % columns) * (width + across) + width,
            area.top + (place // columns) * pitch + min(height, pitch - 6),
        )
        for place in range(count)
    ]


def _columns(source: ItemList, count: int) -> int:
    """Columns for so many items: full rows, as near as can be to the grid there is."""
    if source.columns == 1:
        return 1
    if source.rows == 1 and count <= source.columns + 1:
        return count
    options = [
        number for number in range(2, source.columns + 2) if ceil(count / number) <= source.rows
    ] or [source.columns]
    return min(options, key=lambda number: (-count % number, abs(number - source.columns)))


def _gap(row: Sequence[Box], columns: int) -> float:
    if columns < 2 or len(row) < 2:
        return 24.0
    ordered = sorted(row, key=lambda box: box.left)
    return max(ordered[1].left - ordered[0].right, 8.0)


def respaced(item: Item, box: Box) -> list[Box]:
    """The parts of an item as they stand where the item has another box.

    Wide parts become as much wider as the item; small ones keep their size and their place at the
    left, in the middle or at the right.
    """
    old = item.box
    if old == box:
        return [part.box for part in item.parts]
    wider, lower = box.width - old.width, box.height - old.height
    return [
        _moved(part.box, old, box, wider, lower, stretches=_is_wide(part, old))
        for part in item.parts
    ]


def _is_wide(part: ItemPart, item: Box) -> bool:
    return part.text is not None and part.box.width > 0.35 * item.width


def _moved(part: Box, old: Box, new: Box, wider: float, lower: float, *, stretches: bool) -> Box:
    grows = stretches or part.width > _WIDE * old.width
    tall = part.height > 0.7 * old.height
    before, after = (part.left - old.left, old.right - part.right)
    left, more = _along(before, after, wider, grows=grows)
    above, below = (part.top - old.top, old.bottom - part.bottom)
    top, higher = _along(above, below, lower, grows=tall)
    return Box(
        new.left + left, new.top + top, new.left + left + part.width + more,
        new.top + top + part.height + higher,
    )  # fmt: skip


def _along(before: float, after: float, more: float, *, grows: bool) -> tuple[float, float]:
    """Where a part begins in an item that becomes longer by ``more``, and how much it grows.

    ``before`` and ``after`` are its distances from the item's ends.
    """
    if grows:
        return before, more
    if abs(before - after) < _MIDDLE:
        return before + more / 2, 0.0
    return before + (more if before > after else 0.0), 0.0


@dataclass(frozen=True)
class ContentItem:
    """A card, column, step or number: what stands out, and the text below it."""

    label: str
    lines: tuple[TextLine, ...] = ()

    def as_lines(self, levels: int = 2) -> tuple[TextLine, ...]:
        """Both as paragraphs, the text one level below; as one paragraph where there is only one
        level to tell them apart by, and the text is one too."""
        if levels < 2 and len(self.lines) == 1:
            return ((f"{self.label.rstrip(':')}: {self.lines[0][0]}", 0),)
        return ((self.label, 0), *((text, level + 1) for text, level in self.lines))


@dataclass(frozen=True)
class Content:
    """The content of a slide beside its title."""

    title: str
    subtitle: str | None
    points: tuple[TextLine, ...] = ()
    items: tuple[ContentItem, ...] = ()
    shown: ChartPlan | TablePlan | PicturePlan | None = None
    ordered: bool = False
    """Whether the items are steps in time."""
    numbers: bool = False
    """Whether the labels of items are numbers to be seen from afar."""
    drawn: bool = False
    """Whether it is something that no example has, such as a schedule: it is drawn."""

    def as_drawing(self) -> "Content":
        """The same, if all but the title is drawn."""
        return replace(self, points=(), items=(), shown=None, drawn=True)

    @property
    def kind(self) -> Literal["picture", "chart", "table", "drawing"] | None:
        """The kind of its object."""
        if self.drawn:
            return "drawing"
        if self.shown is None:
            return None
        if isinstance(self.shown, ChartPlan):
            return "chart"
        return "table" if isinstance(self.shown, TablePlan) else "picture"


_DRAWN: Final = (
    "code", "pictures", "labels", "charts", "axes", "remarks", "formula", "options", "people",
    "schedule", "lanes", "actions", "flow", "html",
)  # fmt: skip
"""Fields of a plan whose content is drawn as a whole."""


def content_of(plan: SlidePlan) -> Content:
    """The content of a planned slide."""
    if (
        any(getattr(plan, name) for name in _DRAWN)
        or (plan.picture and plan.quote)
        or (plan.chart and plan.table)
    ):
        return Content(plan.title, plan.subtitle, drawn=True)
    points = tuple((point.ticked_text, point.level) for point in plan.body)
    if plan.quote is not None:
        by = ((f"— {plan.quote.by}", 0),) if plan.quote.by else ()
        points = ((f"“{plan.quote.text}”", 0), *by)
    subtitle = " · ".join(text for text in (plan.subtitle, plan.byline) if text) or None
    return Content(
        plan.title, subtitle, points, tuple(_items(plan)),
        plan.chart or plan.table or plan.picture,
        ordered=bool(plan.steps), numbers=bool(plan.numbers),
    )  # fmt: skip


def _items(plan: SlidePlan) -> Iterator[ContentItem]:
    for column in plan.columns:
        lines = _lines(column.points)
        if column.heading is None:
            yield ContentItem(lines[0][0], lines[1:])
        else:
            yield ContentItem(column.heading, lines)
    for at, number in enumerate(plan.numbers):
        change = ((plan.change, 0),) if plan.change and at else ()
        yield ContentItem(number.value, ((number.label, 0), *change))
    for step in (*plan.steps, *plan.cards):
        yield ContentItem(step.label, ((step.text, 0),) if step.text else ())


def _lines(points: tuple[Point, ...]) -> tuple[TextLine, ...]:
    return tuple((point.ticked_text, point.level) for point in points)


_LABEL_SHARE: Final = 0.75
"""Labels of items are set in the example's looks for labels down to this share of their size."""
_LABEL_CHARACTERS: Final = 60


@dataclass(frozen=True)
class FilledText:
    """A text slot with its new text; ``factor`` is the share of the example's sizes."""

    slot: TextSlot
    lines: tuple[TextLine, ...]
    factor: float
    air: float = 0.0
    """Points added between its outermost paragraphs."""

    def height(self, scale: SlideScale) -> float:
        """The room that it needs on its slide, with its insets, in points."""
        gaps = max(sum(not level for _text, level in self.lines) - 1, 0)
        return self.slot.height(self.lines, scale, self.factor) + gaps * self.air


@dataclass(frozen=True)
class FilledItems:
    """A list with new items: for each the box of its place, and the texts of its parts."""

    source: ItemList
    boxes: tuple[Box, ...]
    texts: tuple[dict[int, FilledText], ...]
    """For each item, by the place of a part among the parts."""


def fill_items(
    source: ItemList, boxes: Sequence[Box], items: Sequence[ContentItem], scale: SlideScale
) -> tuple[list[dict[int, FilledText]], float, float] | None:
    """The texts of items in their parts at one size each, and the smallest factor with its size.

    Where items have a label only, it stands in the example's labels if it fits there well, else in
    the place of its texts.
    """
    bare = all(not item.lines for item in items)
    best: tuple[list[dict[int, FilledText]], float, float] | None = None
    long = max(len(item.label) for item in items) > _LABEL_CHARACTERS
    for small in ((True, False) if long else (False, True)) if bare else (False,):
        made: list[dict[int, tuple[TextSlot, tuple[TextLine, ...]]]] = []
        for place, (item, box) in enumerate(zip(items, boxes, strict=True)):
            model = source.items[min(place, len(source.items) - 1)]
            texts = _item_texts(_moved_slots(model, box), item, place, small=small)
            if texts is not None:
                made.append(texts)
        fitted = _at_one_size(made, scale) if len(made) == len(items) else None
        if fitted is not None and (best is None or best[1] < _LABEL_SHARE):
            best = fitted
    return best


def _moved_slots(model: Item, box: Box) -> dict[int, TextSlot]:
    """The texts of an item as they stand where the item has another box."""
    return {
        at: replace(part.text, box=new, room=_room_of(part.text, part.box, new))
        for at, (part, new) in enumerate(zip(model.parts, respaced(model, box), strict=True))
        if part.text is not None
    }


def _at_one_size(
    made: Sequence[dict[int, tuple[TextSlot, tuple[TextLine, ...]]]], scale: SlideScale
) -> tuple[list[dict[int, FilledText]], float, float] | None:
    factors: dict[int, float] = {}
    for at in {at for texts in made for at in texts}:
        fits = [texts[at][0].factor(texts[at][1], scale) for texts in made if at in texts]
        if None in fits:
            return None
        factors[at] = min(fit for fit in fits if fit is not None)
    filled = [
        {at: FilledText(slot, lines, factors[at]) for at, (slot, lines) in texts.items()}
        for texts in made
    ]
    worst = min(factors, key=lambda at: factors[at])
    return filled, factors[worst], min(texts[worst][0].size for texts in made if worst in texts)


def _room_of(slot: TextSlot, old: Box, new: Box) -> Box:
    """The room of a text that was moved: as far around its box as before, in proportion."""
    below = slot.room.bottom - old.bottom
    share = min(1.0, new.height / max(old.height, 1))
    return new._replace(
        right=new.right + min(slot.room.right - old.right, 0.0), bottom=new.bottom + below * share
    )


def _item_texts(
    slots: dict[int, TextSlot], item: ContentItem, place: int, *, small: bool
) -> dict[int, tuple[TextSlot, tuple[TextLine, ...]]] | None:
    """Which part of an item holds what: ordinals, its label, its text.

    With ``small`` a label without a text stands where the example has its texts, from the top of
    its labels on.
    """
    ordinals = {at: slot for at, slot in slots.items() if is_ordinal(slot.text)}
    words = {at: slot for at, slot in slots.items() if at not in ordinals}
    found: dict[int, tuple[TextSlot, tuple[TextLine, ...]]] = {
        at: (slot, ((ordinal(slot.text, place), 0),)) for at, slot in ordinals.items()
    }
    if not words:
        return None
    order = sorted(words, key=lambda at: (-words[at].size, words[at].box.top))
    first, second = words[order[0]], words[order[1]] if len(order) > 1 else None
    below = tuple((text, 1 + level) for text, level in item.lines)
    if second is None:
        if small:
            return None
        found[order[0]] = (first, ((item.label, 0), *below))
    elif item.lines:
        found[order[0]] = (first, ((item.label, 0),))
        found[order[1]] = (second, item.lines)
    elif small:
        found[order[1]] = (_joined(second, first), ((item.label, 0),))
    else:
        found[order[0]] = (_joined(first, second), ((item.label, 0),))
    return found


def _joined(slot: TextSlot, other: TextSlot) -> TextSlot:
    """A text that has the place of another one too, where that is right above or below it."""
    if slot.filled or abs(slot.box.left - other.box.left) > 24 or slot.placeholder is not None:
        return slot
    top, bottom = min(slot.box.top, other.box.top), max(slot.room.bottom, other.room.bottom)
    box = slot.box._replace(top=top, bottom=top + slot.box.height)
    return replace(slot, box=box, room=slot.room._replace(top=top, bottom=bottom))


def is_ordinal(text: str) -> bool:
    """Whether a text is only the number of its item, such as ``01`` or ``2.``."""
    plain = text.strip().rstrip(".)")
    return plain.isdecimal() and len(plain) <= 2


def ordinal(pattern: str, place: int) -> str:
    """The number of an item, 0 for the first, written as another one.

    >>> ordinal("01", 2), ordinal("1.", 2)
    ('03', '3.')
    """
    digits = pattern.strip().rstrip(".)")
    number = str(place + 1)
    written = number.zfill(2) if digits.startswith("0") else number
    return pattern.strip().replace(digits, written, 1)
