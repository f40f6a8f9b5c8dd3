"""The order of shapes on a slide: that of reading, unless one would cover what is above it."""

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

from decklab.board.native.scale import overlap
from decklab.board.native.texts import NativeText
from decklab.rendering.measured import BoxItem, Item, PathItem, Rectangle

Entry = Item | NativeText


def reading_order(
    items: Sequence[Item], blocks: Sequence[NativeText], carriers: Mapping[int, BoxItem | PathItem]
) -> list[Entry]:
    """Items and text boxes in reading order; of two that overlap the lower one comes first.

    ``carriers`` are boxes by the order of the only text in them; the two are one entry.
    """
    carried = {box.order for box in carriers.values()}
    free_items = [item for item in items if item.order not in carried]
    entries: list[Entry] = sorted([*free_items, *blocks], key=lambda entry: entry.order)
    boxes = [
        _box(carriers[entry.order])
        if isinstance(entry, NativeText) and entry.order in carriers
        else _box(entry)
        for entry in entries
    ]
    waiting = [0] * len(entries)
    above: list[list[int]] = [[] for _ in entries]
    for first in range(len(entries)):
        for second in range(first + 1, len(entries)):
            if not overlap(boxes[first], boxes[second], 0.1):
                continue
            low, high = first, second
            if entries[first].paint > entries[second].paint:
                low, high = second, first
            above[low].append(high)
            waiting[high] += 1
    free = [number for number, count in enumerate(waiting) if not count]
    heapify(free)
    ordered = []
    while free:
        number = heappop(free)
        ordered.append(entries[number])
        for other in above[number]:
            waiting[other] -= 1
            if not waiting[other]:
                heappush(free, other)
    return ordered


def _box(entry: Entry) -> Rectangle:
    if isinstance(entry, NativeText):
        return entry.ink
    left, top, width, height = entry.box
    if not entry.turns:
        return left, top, max(width, 1.0), max(height, 1.0)
    reach = (width**2 + height**2) ** 0.5 / 2
    x, y = entry.turns[-1].to
    return x - reach, y - reach, 2 * reach, 2 * reach
