"""Painted boxes and diamonds that hold one block of text: shapes with text inside, as people draw
cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from decklab.board.native.paints import edge_fill
from decklab.board.native.scale import Scale, overlap
from decklab.board.native.shapes import DrawnShape, is_diamond
from decklab.board.native.texts import NativeText, baseline_depth, box_of
from decklab.deck.model.shapes import Body
from decklab.rendering.measured import BoxItem, Item, PathItem, Rectangle, TextItem

_LARGEST = 0.7
"""Ours: of the slide; what is larger is a ground."""
_SLACK = 1.2
_LEAST_PITCH, _MOST_PITCH = 0.5, 2.5
_NARROW = 0.92


@dataclass(frozen=True)
class Fitted:
    """How text stands in a shape; ``height`` is that of its only line, if it has one."""

    body: Body
    height: float | None


def container_of(
    block: NativeText, items: Sequence[Item], page: Rectangle
) -> BoxItem | PathItem | None:
    """The smallest painted box around a block; None if that is as good as the slide."""
    ink = block.ink
    around = [
        item
        for item in items
        if (isinstance(item, BoxItem) or is_diamond(item))
        and item.turns == block.turns
        and item.paint < block.paint
        and (item.fill is not None or any(map(edge_fill, getattr(item, "borders", ()))))
        and _contains(item.box, ink)
    ]
    if not around:
        return None
    box = min(around, key=lambda item: item.box[2] * item.box[3])
    return box if box.box[2] * box.box[3] < _LARGEST * page[2] * page[3] else None


def carriers(
    blocks: Sequence[NativeText], items: Sequence[Item], page: Rectangle
) -> dict[int, BoxItem | PathItem]:
    """The boxes that hold nothing but one block, by the block's reading order."""
    found: dict[int, BoxItem | PathItem] = {}
    for block in blocks:
        box = container_of(block, items, page)
        if box is None or box.fill is None or block.items[0].group is not None:
            continue
        others = [
            item for item in items
            if item is not box and not isinstance(item, TextItem) and not _is_line(item)
            and overlap(item.box, box.box) and not (
                item.paint < box.paint and _contains(item.box, box.box)
            )
        ]  # fmt: skip
        texts = [other for other in blocks if other is not block and overlap(other.ink, box.box)]
        if not others and not texts and box.order not in {one.order for one in found.values()}:
            found[block.order] = box
    return found


def _is_line(item: Item) -> bool:
    """Whether an item is a line: its box says little of where it is."""
    return isinstance(item, PathItem) and item.fill is None


def _contains(outer: Rectangle, inner: Rectangle) -> bool:
    return (
        outer[0] <= inner[0] + 1
        and outer[1] <= inner[1] + inner[3] * 0.3
        and outer[0] + outer[2] >= inner[0] + inner[2] - 1
        and outer[1] + outer[3] >= inner[1] + inner[3] * 0.7
    )


def fitted(block: NativeText, shape: DrawnShape, scale: Scale) -> Fitted | None:
    """Insets by which a block stands in a shape as it stood on the page; None if none do."""
    assert shape.box is not None, "only areas carry text"
    left, top, width, height = shape.box
    across, down = shape.text_inset
    points = scale.points
    autofit: Literal["shrink", "none"] = "shrink" if _whole_points(block, scale) else "none"
    line = block.items[0].lines[0]
    single = len(block.items) == 1 and len(block.items[0].lines) == 1
    middle = abs(left + width / 2 - (line.left + line.right) / 2) <= _SLACK
    if single and middle and block.measures[0].align == "center":
        pitch = 2 * (line.base - top - height / 2 + baseline_depth(line))
        if _LEAST_PITCH * line.size <= pitch <= _MOST_PITCH * line.size:
            wraps = line.right - line.left < _NARROW * (width - 2 * across)
            body = Body(
                autofit=autofit if wraps else "none", anchor="middle", wraps=wraps,
                inset_left=0.0, inset_top=0.0, inset_right=0.0, inset_bottom=0.0,
            )  # fmt: skip
            return Fitted(body, pitch)
    text = box_of(block)
    start, end = block.sides
    insets = (
        start - left - across, text[1] - top - down, left + width - across - end,
    )  # fmt: skip
    if insets[0] < 0 or insets[1] < 0 or insets[2] < -_SLACK:
        return None
    body = Body(
        autofit=autofit, inset_left=points(insets[0]), inset_top=points(insets[1]),
        inset_right=points(max(insets[2], 0.0)), inset_bottom=0.0,
    )  # fmt: skip
    return Fitted(body, None)


def _whole_points(block: NativeText, scale: Scale) -> bool:
    """Whether all sizes of a block are whole points: LibreOffice 7.4 rounds those of text that may
    shrink, so that others would break in other places."""
    sizes = (scale.points(run.size) for item in block.items for run in item.runs)
    return all(abs(size - round(size)) < 0.01 for size in sizes)
