"""Cards, steps, numbers and columns of a plan in the list of items that an example's slide has.

Places for more or fewer items than the example has, on the grid of the others; then ordinals,
labels and what is below them in the parts of each item.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from decklab.board.blueprint import SlidePlan
from decklab.board.slots.measuring import PlaceLine, PlaceText, fitted
from decklab.board.templates.places import Item, ItemList, ItemPart, LayoutPlace
from decklab.core.geometry import Box

_LEAST_WIDTH: Final = 110.0
_MOST_ITEMS: Final = 8
_WIDE: Final = 0.55
"""Share of an item's width from which on a part is as wide as the item allows. Ours."""
_MIDDLE: Final = 10.0


def places_of_items(source: ItemList, count: int, unit: float) -> list[Box] | None:
    """A box for each of ``count`` items within the area of a list; None where that cannot be.

    As many as there are keep their places. Others stand in rows as full as can be, at the same
    gaps; the items become wider or narrower, rows further apart or nearer. ``unit`` is a pixel of
    slides of 960 by 540, in points.
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
    across = _gap(
        [box for box in boxes if abs(box.top - boxes[0].top) < 14 * unit], source.columns, unit
    )
    width = (area.width - across * (columns - 1)) / columns
    height = max(box.height for box in boxes)
    down = area.height - height * source.rows
    pitch = height + (down / (source.rows - 1) if source.rows > 1 else 16.0 * unit)
    if rows != source.rows:
        pitch = (area.height + 16.0 * unit) / rows if rows > source.rows else pitch
    if width < _LEAST_WIDTH * unit:
        return None
    return [
        Box(
            area.left + (place % columns) * (width + across),
            area.top + (place // columns) * pitch,
            area.left + (place % columns) * (width + across) + width,
            area.top + (place // columns) * pitch + min(height, pitch - 6 * unit),
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


def _gap(row: Sequence[Box], columns: int, unit: float) -> float:
    if columns < 2 or len(row) < 2:
        return 24.0 * unit
    ordered = sorted(row, key=lambda box: box.left)
    return max(ordered[1].left - ordered[0].right, 8.0 * unit)


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
    lines: tuple[PlaceLine, ...] = ()


def items_of(plan: SlidePlan) -> tuple[ContentItem, ...]:
    """The items that all of a slide's content beside its title is; none where it is not."""
    other = plan.body or plan.quote or plan.chart or plan.table or plan.all_pictures or plan.flow
    return () if other or plan.shown_source else tuple(_items(plan))


def _items(plan: SlidePlan) -> Iterator[ContentItem]:
    for column in plan.columns:
        several = len(column.points) > 1
        lines = tuple(PlaceLine(point.ticked_text, point.level, marked=several)
                      for point in column.points)  # fmt: skip
        if column.heading is None:
            yield ContentItem(lines[0].text, lines[1:])
        else:
            yield ContentItem(column.heading, lines)
    for at, number in enumerate(plan.numbers):
        change = (PlaceLine(plan.change),) if plan.change and at else ()
        yield ContentItem(number.value, (PlaceLine(number.label), *change))
    for step in (*plan.steps, *plan.cards):
        yield ContentItem(step.label, (PlaceLine(step.text),) if step.text else ())


_LABEL_SHARE: Final = 0.75
"""Labels of items are set in the example's looks for labels down to this share of their size."""
_LABEL_CHARACTERS: Final = 60
_MANY_LINES: Final = 99
"""As many lines as a text may have, with no word broken."""


@dataclass(frozen=True)
class FilledItems:
    """A list with new items: for each the box of its place, and the texts of its parts."""

    source: ItemList
    boxes: tuple[Box, ...]
    texts: tuple[dict[int, PlaceText], ...]
    """For each item, by the place of a part among the parts."""

    @property
    def factor(self) -> float:
        """The smallest share of the example's sizes that a text has."""
        return min((text.factor for texts in self.texts for text in texts.values()), default=1.0)


_Texts = dict[int, PlaceText]


def fill_items(
    source: ItemList, items: Sequence[ContentItem], language: str, unit: float
) -> FilledItems | None:
    """Items in the parts of a list, each kind of part at one size; None where they do not fit.

    Where items have a label only, it stands in the example's labels if it fits there well, else in
    the place of its texts.
    """
    boxes = places_of_items(source, len(items), unit)
    if boxes is None:
        return None
    bare = all(not item.lines for item in items)
    best: FilledItems | None = None
    long = max(len(item.label) for item in items) > _LABEL_CHARACTERS
    for small in ((True, False) if long else (False, True)) if bare else (False,):
        made: list[_Texts] = []
        for place, (item, box) in enumerate(zip(items, boxes, strict=True)):
            model = source.items[min(place, len(source.items) - 1)]
            texts = _item_texts(_moved_slots(model, box), item, place, small=small)
            if texts is not None:
                made.append(texts)
        fits = _at_one_size(made, language) if len(made) == len(items) else None
        if fits is not None and (best is None or best.factor < _LABEL_SHARE):
            best = FilledItems(source, tuple(boxes), tuple(fits))
    return best


def _moved_slots(model: Item, box: Box) -> dict[int, LayoutPlace]:
    """The texts of an item as they stand where the item has another box."""
    return {
        at: replace(part.text, box=new, room=_room_of(part.text, part.box, new))
        for at, (part, new) in enumerate(zip(model.parts, respaced(model, box), strict=True))
        if part.text is not None
    }


def _at_one_size(made: Sequence[_Texts], language: str) -> list[_Texts] | None:
    factors: dict[int, float] = {}
    for texts in made:
        for at, text in texts.items():
            tried, fits = fitted(text, language, most_lines=_MANY_LINES)
            if not fits:
                return None
            factors[at] = min(tried.factor, factors.get(at, 1.0))
    return [{at: replace(text, factor=factors[at]) for at, text in texts.items()}
            for texts in made]  # fmt: skip


def _room_of(slot: LayoutPlace, old: Box, new: Box) -> Box:
    """The room of a text that was moved: as far around its box as before, in proportion."""
    room = slot.room or old
    share = min(1.0, new.height / max(old.height, 1))
    return new._replace(
        right=new.right + min(room.right - old.right, 0.0),
        bottom=new.bottom + (room.bottom - old.bottom) * share,
    )


def _item_texts(
    slots: dict[int, LayoutPlace], item: ContentItem, place: int, *, small: bool
) -> _Texts | None:
    """Which part of an item holds what: ordinals, its label, its text.

    With ``small`` a label without a text stands where the example has its texts, from the top of
    its labels on.
    """
    words = {at: slot for at, slot in slots.items() if not is_ordinal(slot.prompt)}
    found = {at: _text(slot, PlaceLine(ordinal(slot.prompt, place)))
             for at, slot in slots.items() if at not in words}  # fmt: skip
    if not words:
        return None
    order = sorted(words, key=lambda at: (-words[at].size, words[at].box.top))
    first, second = words[order[0]], words[order[1]] if len(order) > 1 else None
    label = PlaceLine(item.label)
    if second is None:
        if small:
            return None
        below = (replace(line, level=line.level + 1) for line in item.lines)
        found[order[0]] = _text(first, label, *below)
    elif item.lines:
        found[order[0]] = _text(first, label)
        found[order[1]] = _text(second, *item.lines)
    elif small:
        found[order[1]] = _text(_joined(second, first), label)
    else:
        found[order[0]] = _text(_joined(first, second), label)
    return found


def _text(place: LayoutPlace, *lines: PlaceLine) -> PlaceText:
    """Words of an item, in all the room that they have."""
    return PlaceText("Item", place, lines, box=place.box if place.filled else place.room)


def _joined(slot: LayoutPlace, other: LayoutPlace) -> LayoutPlace:
    """A text that has the place of another one too, where that is right above or below it."""
    if slot.filled or abs(slot.box.left - other.box.left) > 24 or slot.placeholder is not None:
        return slot
    room, other_room = slot.room or slot.box, other.room or other.box
    top, bottom = min(slot.box.top, other.box.top), max(room.bottom, other_room.bottom)
    box = slot.box._replace(top=top, bottom=top + slot.box.height)
    return replace(slot, box=box, room=room._replace(top=top, bottom=bottom))


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
