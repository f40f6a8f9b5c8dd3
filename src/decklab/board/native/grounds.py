"""Backgrounds of measured slides, and decoration that repeats."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from decklab.board.native.paints import two_stops
from decklab.board.native.placeholders import FOOT, HEAD
from decklab.board.native.scale import cut, overlap
from decklab.rendering.measured import (
    BoxItem,
    Fill,
    Item,
    LinearFill,
    MeasuredPage,
    PathItem,
    PictureItem,
    Rectangle,
    Rgba,
    SolidFill,
    TextItem,
)

_EDGE = 1.5
_MOST_TEXTLESS = 40
_PANEL = 0.5
"""Ours: share of a slide from which on an area is the ground of all that it shows."""


@dataclass(frozen=True)
class SlideGround:
    """A slide's background, the decoration that it shares with others, and the rest."""

    fill: Fill | None
    decoration: tuple[str, ...]
    """Keys of what repeats, in the order of painting."""
    shared: dict[str, Item]
    items: tuple[Item, ...]
    """All else, in reading order."""


def grounds_of(slides: Sequence[MeasuredPage]) -> list[SlideGround]:
    """The ground of each slide."""
    bare = [_without_background(slide) for slide in slides]
    counts: Counter[str] = Counter()
    for _, items in bare:
        counts.update({_key(item) for item in items if _may_repeat(item)})
    return [
        _ground(fill, items, counts, slide)
        for slide, (fill, items) in zip(slides, bare, strict=True)
    ]


def on_ground(color: Rgba, item: Item, items: Sequence[Item], fill: Fill | None) -> Rgba:
    """A colour as it looks on what is painted below an item; ``fill`` is the background."""
    below = [
        other.fill
        for other in sorted(items, key=lambda other: other.paint)
        if isinstance(other, BoxItem) and other.fill is not None
        and other.paint < item.paint and cut(item.box, other.box) == item.box
    ]  # fmt: skip
    ground: Rgba = (255, 255, 255, 1.0)
    for layer in [fill, *below]:
        if layer is not None:
            ground = _mixed(_average(layer), ground)
    return _mixed(color, ground)


def _average(fill: Fill) -> Rgba:
    if isinstance(fill, SolidFill):
        return fill.color
    count = len(fill.stops)
    red, green, blue, alpha = (
        sum(stop.color[at] for stop in fill.stops) / count for at in range(4)
    )
    return round(red), round(green), round(blue), alpha


def _mixed(color: Rgba, ground: Rgba) -> Rgba:
    red, green, blue = (
        round(b + (a - b) * color[3]) for a, b in zip(color[:3], ground[:3], strict=True)
    )
    return red, green, blue, 1.0


def _may_repeat(item: Item) -> bool:
    return isinstance(item, BoxItem | PictureItem | PathItem) and not item.turns


def _is_decor(item: Item) -> bool:
    """Whether the page says that an item is decoration: its element is of the class ``decor``."""
    return "decor" in item.element.split(".")[1:]


def _key(item: Item) -> str:
    """The same for what looks the same at the same place."""
    return item.model_copy(update={"order": 0, "paint": 0, "group": None}).model_dump_json(
        exclude={"element", "label", "alone"}
    )


def _holds_words(item: Item, items: Sequence[Item], slide: MeasuredPage) -> bool:
    """Whether an item is the area of some text, such as a card: more than a band for the title or
    the foot, less than a panel for the whole slide."""
    if item.box[2] * item.box[3] > slide.width * slide.height * _PANEL:
        return False
    return any(
        isinstance(other, TextItem) and other.tag not in ("h1", "h2")
        and slide.height * HEAD < other.box[1] < slide.height * FOOT
        and _middle_inside(other.box, item.box)
        for other in items
    )  # fmt: skip


def _middle_inside(inner: Rectangle, outer: Rectangle) -> bool:
    return all(
        outer[side] <= inner[side] + inner[side + 2] / 2 <= outer[side] + outer[side + 2]
        for side in (0, 1)
    )


def _ground(
    fill: Fill | None, items: list[Item], counts: Counter[str], slide: MeasuredPage
) -> SlideGround:
    painted = sorted(items, key=lambda item: item.paint)
    shared: dict[str, Item] = {}
    kept: list[Item] = []
    for item in painted:
        repeats = _may_repeat(item) and (
            _is_decor(item)
            or (item.group is None and counts[_key(item)] > 1
                and not _holds_words(item, items, slide))
        )  # fmt: skip
        free = not any(overlap(item.box, other.box) for other in kept)
        if repeats and free and len(shared) < _MOST_TEXTLESS:
            shared[_key(item)] = item
        else:
            kept.append(item)
    rest = tuple(item for item in items if item in kept)
    return SlideGround(fill, tuple(shared), shared, rest)


def _without_background(slide: MeasuredPage) -> tuple[Fill | None, list[Item]]:
    """The opaque fill that covers a slide, and the items that it does not hide."""
    page: Rectangle = (0.0, 0.0, slide.width, slide.height)
    fill: Fill | None = None
    hidden: set[int] = set()
    for item in sorted(slide.items, key=lambda item: item.paint):
        if not isinstance(item, BoxItem) or not _covers(item, page):
            break
        if item.fill is None or not _opaque(item.fill):
            break
        fill = item.fill
        hidden.add(item.order)
        last = item
    items: list[Item] = [item for item in slide.items if item.order not in hidden]
    if fill is None:
        return None, items
    lower, *upper = two_stops(fill)
    layers: list[Item] = [last.model_copy(update={"fill": layer}) for layer in upper]
    return lower, [*layers, *items]


def _covers(item: BoxItem, page: Rectangle) -> bool:
    left, top, width, height = cut(item.box, item.clip)
    if item.turns or any(x > 0 for x, _ in item.radii) or any(e.width > 0 for e in item.borders):
        return False
    whole = (
        left <= _EDGE and top <= _EDGE
        and left + width >= page[2] - _EDGE and top + height >= page[3] - _EDGE
    )  # fmt: skip
    if isinstance(item.fill, SolidFill):
        return whole
    return whole and abs(width - page[2]) < 2 * _EDGE and abs(height - page[3]) < 2 * _EDGE


def _opaque(fill: Fill) -> bool:
    if isinstance(fill, SolidFill):
        return fill.color[3] >= 0.999
    return isinstance(fill, LinearFill) and all(stop.color[3] >= 0.999 for stop in fill.stops)
