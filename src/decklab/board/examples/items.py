"""Shapes alike in geometry and format, as lists of items: cards, columns, steps, numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from decklab.board.templates.places import ItemList, LayoutPlace, around
from decklab.core.geometry import Box

_NEAR: Final = 14.0
"""Pixels that places may differ by and still be the same row, column or distance."""
_MOST_ITEMS: Final = 8


@dataclass(frozen=True)
class Leaf:
    """A shape that may be part of an item."""

    id: int
    box: Box
    kind: str
    text: LayoutPlace | None = None


def item_lists(leaves: Sequence[Leaf]) -> list[ItemList]:
    """The lists of items among shapes.

    Shapes of one kind and size that stand in a row, a column or a grid are a family; families of
    as many members at a constant distance are the parts of the items.
    """
    families = [_ordered(family) for family in _families(leaves)]
    free = [family for family in families if family]
    found: list[ItemList] = []
    while True:
        leads = [family for family in free if family[0].text is not None and _is_list(family)]
        if not leads:
            return found
        lead = max(leads, key=lambda family: (len(family), -_spread(family)))
        joined = [lead] + [other for other in free if other is not lead and _goes_with(lead, other)]
        free = [family for family in free if not any(family is one for one in joined)]
        leaves = [leaf for family in joined for leaf in family]
        box = around(leaf.box for leaf in leaves)
        found.append(ItemList(len(lead), box, frozenset(leaf.id for leaf in leaves)))


def _spread(family: Sequence[Leaf]) -> float:
    return max(leaf.box.height for leaf in family) - min(leaf.box.height for leaf in family)


def _families(leaves: Sequence[Leaf]) -> Iterator[list[Leaf]]:
    """Leaves alike, 2 to 8 of them; more of a kind in several rows are told apart by their rows."""
    groups: list[list[Leaf]] = []
    for leaf in leaves:
        for group in groups:
            if _alike(group[0], leaf):
                group.append(leaf)
                break
        else:
            groups.append([leaf])
    for group in groups:
        if 2 <= len(group) <= _MOST_ITEMS:
            yield group


def _alike(first: Leaf, second: Leaf) -> bool:
    if first.kind != second.kind or (first.text is None) != (second.text is None):
        return False
    if first.text is not None and second.text is not None:
        one, other = first.text, second.text
        if abs(one.size - other.size) > 0.6 or one.levels[0].bold != other.levels[0].bold:
            return False
        if one.filled != other.filled or one.placeholder != other.placeholder:
            return False
        if one.filled and not _same_length(first.box.height, second.box.height):
            return False
        wide = max(first.box.width, second.box.width)
        loose = 0.0 if one.filled else 0.25 * wide  # boxes may follow their words
        return abs(first.box.width - second.box.width) <= max(8.0, 0.06 * wide, loose)
    return _same_length(first.box.height, second.box.height) and (
        first.kind == "picture" or _same_length(first.box.width, second.box.width)
    )


def _same_length(first: float, second: float) -> bool:
    return abs(first - second) <= max(8.0, 0.06 * max(first, second))


def _ordered(family: list[Leaf]) -> list[Leaf]:
    """In reading order: row by row, or from left to right where there are no rows."""
    rows, _columns = _grid([leaf.box for leaf in family])
    if not rows:
        return sorted(family, key=lambda leaf: (leaf.box.left, leaf.box.top))
    tops = _levels([leaf.box.top for leaf in family])
    return sorted(family, key=lambda leaf: (_place(leaf.box.top, tops), leaf.box.left))


def _levels(values: Sequence[float]) -> list[float]:
    levels: list[float] = []
    for value in sorted(values):
        if not levels or value - levels[-1] > _NEAR:
            levels.append(value)
    return levels


def _place(value: float, levels: Sequence[float]) -> int:
    return max(place for place, level in enumerate(levels) if value >= level - 1)


def _grid(boxes: Sequence[Box]) -> tuple[int, int]:
    """Rows and columns of boxes that fill a grid without gaps, else 0 and 0."""
    tops, lefts = _levels([box.top for box in boxes]), _levels([box.left for box in boxes])
    if len(tops) * len(lefts) != len(boxes):
        return 0, 0
    return len(tops), len(lefts)


def _is_list(family: Sequence[Leaf]) -> bool:
    """Whether texts alike are items: two below one another are only so where they are cards."""
    rows, columns = _grid([leaf.box for leaf in family])
    boxes = [leaf.box for leaf in family]
    if any(_overlap(first, second) for place, first in enumerate(boxes)
           for second in boxes[place + 1 :]):  # fmt: skip
        return False
    if len(family) == 2:
        filled = family[0].text is not None and family[0].text.filled
        return rows == 1 or (columns == 1 and filled)
    return bool(rows) or _regular([box.left for box in boxes])


def _regular(values: Sequence[float]) -> bool:
    """Whether places follow one another at about the same distance."""
    steps = [second - first for first, second in pairwise(values)]
    return min(steps) > _NEAR and max(steps) < 1.6 * min(steps)


def _overlap(first: Box, second: Box) -> bool:
    return first.intersection(second).area > 0.15 * min(first.area, second.area)


def _goes_with(lead: Sequence[Leaf], other: Sequence[Leaf]) -> bool:
    """Whether the members of two families stand at a constant distance, one by one."""
    if len(lead) != len(other):
        return False
    pairs = list(zip(lead, other, strict=True))
    across = [
        [b.box.left - a.box.left for a, b in pairs],
        [(b.box.left + b.box.right - a.box.left - a.box.right) / 2 for a, b in pairs],
        [b.box.right - a.box.right for a, b in pairs],
    ]
    down = [
        [b.box.top - a.box.top for a, b in pairs],
        [(b.box.top + b.box.bottom - a.box.top - a.box.bottom) / 2 for a, b in pairs],
        [b.box.bottom - a.box.bottom for a, b in pairs],
    ]
    return _constant(across) and _constant(down)


def _constant(measures: Sequence[Sequence[float]]) -> bool:
    return any(max(values) - min(values) <= _NEAR for values in measures)
