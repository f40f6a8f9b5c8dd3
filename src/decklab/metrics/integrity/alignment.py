"""Objects that just miss the row or column they belong to."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from decklab.deck.model.shapes import Element, Image, Rect, Text, box_of
from decklab.geometry import Box
from decklab.metrics.findings import Occurrence
from decklab.metrics.integrity.page import PageView, shown
from decklab.metrics.integrity.places import FRAME, label, share_inside
from decklab.metrics.integrity.thresholds import (
    ALIGNED_PX,
    ALIKE_PX,
    DRIFT_LEAST_PX,
    DRIFT_MOST_PX,
    DRIFT_PEERS,
)
from decklab.results import Finding

_Placed = tuple[Element, Box]


def drift(view: PageView) -> Iterator[Occurrence]:
    """Objects a little off a line on which three others of their kind and size stand exactly.

    Only objects that look alike are compared, and only within one group: what differs in size is
    aligned by other edges, or by eye. One finding for a row or column.
    """
    for peers in _alike(view):
        for axis in ("top", "left"):
            found = _off_line(peers, axis)
            if found is not None:
                item, px, count = found
                yield Occurrence(_finding(item, axis, px, count, view), (item[0].name, axis))


def _alike(view: PageView) -> list[list[_Placed]]:
    """Objects of one kind, group and size together; those shown only by their text by its box."""
    sets: list[list[_Placed]] = []
    painted = {item.z for item in view.slide.rects}
    items: list[Element] = [*view.slide.rects, *view.slide.images, *view.slide.texts]
    for item in shown(items):
        box = box_of(item)
        if box is None or item.rotation or item.id in view.animated or not _is_seen(item, painted):
            continue
        if share_inside(box, FRAME) < 1:
            continue
        for peers in sets:
            if _looks_like((item, box), peers[0]):
                peers.append((item, box))
                break
        else:
            sets.append([(item, box)])
    return [peers for peers in sets if len(peers) > DRIFT_PEERS]


def _is_seen(item: Element, painted: set[int | None]) -> bool:
    if isinstance(item, Rect):
        return item.fill is not None or item.stroke is not None or item.paint.kind != "none"
    if isinstance(item, Text):
        return bool(item.text.strip()) and item.z not in painted and item.placeholder is None
    return isinstance(item, Image)


def _looks_like(one: _Placed, other: _Placed) -> bool:
    (a, first), (b, second) = one, other
    same_kind = type(a) is type(b) and a.groups == b.groups
    same_look = getattr(a, "geometry", None) == getattr(b, "geometry", None)
    wide = abs(first.width - second.width) <= ALIKE_PX
    return same_kind and same_look and wide and abs(first.height - second.height) <= ALIKE_PX


def _off_line(peers: Sequence[_Placed], axis: str) -> tuple[_Placed, float, int] | None:
    """The object just off a line of the others, by how much, and how many stand on it."""
    edges = [float(getattr(box, axis)) for _item, box in peers]
    for edge in edges:
        on_line = [at for at in edges if abs(at - edge) <= ALIGNED_PX]
        near = [at for at in edges if ALIGNED_PX < abs(at - edge) <= DRIFT_MOST_PX]
        if len(on_line) < DRIFT_PEERS or len(near) != 1:
            continue
        px = near[0] - edge
        if abs(px) >= DRIFT_LEAST_PX and _apart(peers, axis, edge, near[0]):
            return peers[edges.index(near[0])], px, len(on_line)
    return None


def _apart(peers: Sequence[_Placed], axis: str, edge: float, stray: float) -> bool:
    """Whether the objects of the line stand side by side, not on top of one another."""
    row = [box for _item, box in peers if getattr(box, axis) == stray]
    row += [box for _item, box in peers if abs(getattr(box, axis) - edge) <= ALIGNED_PX]
    ends = sorted((box.left, box.right) if axis == "top" else (box.top, box.bottom) for box in row)
    return all(a[1] <= b[0] + ALIKE_PX for a, b in pairwise(ends))


def _finding(item: _Placed, axis: str, px: float, count: int, view: PageView) -> Finding:
    element, box = item
    way = {("top", True): "lower", ("top", False): "higher", ("left", True): "farther right"}
    where = way.get((axis, px > 0), "farther left")
    line = "row" if axis == "top" else "column"
    return Finding(
        rule="shape.drift",
        severity="info",
        message=f"{element.name} stands {abs(px):.1f} px {where} than the {count} objects like it"
        f" in its {line}.",
        slide=view.slide.number,
        shape=label(element),
        box=box,
        measured=round(abs(px), 1),
        threshold=DRIFT_LEAST_PX,
        fix=f"Align it with the others of the {line}.",
    )
