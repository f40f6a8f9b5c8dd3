"""Places for more or fewer items than an example has, on the grid of the others."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from decklab.board.examples.slots import Item, ItemList, ItemPart
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
    across = _gap([box for box in boxes if _same_row(box, boxes[0])], source.columns)
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
        number for number in range(2, source.columns + 2)
        if ceil(count / number) <= source.rows
    ] or [source.columns]  # fmt: skip
    return min(options, key=lambda number: (-count % number, abs(number - source.columns)))


def _same_row(first: Box, second: Box) -> bool:
    return abs(first.top - second.top) < 14


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
