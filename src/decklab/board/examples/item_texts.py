"""The texts of new items in the parts of the example's: ordinals, labels, what is below them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from decklab.board.examples.content import ContentItem
from decklab.board.examples.slots import Item, ItemList, SlideScale, TextLine, TextSlot
from decklab.board.examples.spacing import respaced
from decklab.core.geometry import Box

_LABEL_SHARE: Final = 0.75
"""Labels of items are set in the example's looks for labels down to this share of their size."""
_LABEL_CHARACTERS: Final = 60


@dataclass(frozen=True)
class FilledText:
    """A text slot with its new text; ``factor`` is the share of the example's sizes."""

    slot: TextSlot
    lines: tuple[TextLine, ...]
    factor: float


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
