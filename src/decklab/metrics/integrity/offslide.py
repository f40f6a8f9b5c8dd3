"""Objects that lie off the slide, or are cut off by its edge."""

from collections.abc import Iterator, Sequence

from decklab.deck.model.shapes import (
    Chart,
    Element,
    Group,
    Line,
    Media,
    Other,
    Rect,
    Table,
    Text,
    box_of,
)
from decklab.geometry import Box
from decklab.metrics.findings import Occurrence
from decklab.metrics.integrity.page import PageView, shown
from decklab.metrics.integrity.places import FRAME, distance, label, share_inside
from decklab.metrics.integrity.thresholds import CUT_PX, CUT_SHARE, OFF_SLIDE_PX, SPECK_PX
from decklab.results import Finding

_NAMED = 3


def off_slide(view: PageView) -> Iterator[Occurrence]:
    """Objects wholly off the slide, together; tables and charts that its edge cuts.

    Left alone are objects that are animated, sounds and videos (kept outside so that they play
    unseen), titles (kept outside so that only screen readers find them), diagrams that are cut
    (their frames hold much empty room), and pictures and areas that run over the edge, as a
    bleed does.
    """
    lost = _lost(view)
    if lost:
        yield Occurrence(_parked(lost, view), tuple(sorted(item.name for item in lost)))
    frames: list[Element] = [*view.slide.tables, *view.slide.charts]
    for item in shown(frames):
        past = _cut(item)
        if past and item.id not in view.animated and item not in lost:
            yield Occurrence(_cut_off(item, past, view), item.id)


def _lost(view: PageView) -> list[Element]:
    """Elements that show nothing of themselves on the slide; of a group the first stands for it."""
    inside = {drawn.element.id for drawn in view.texts if not _is_out(drawn.ink)}
    found: dict[int, list[Element]] = {}
    visible: set[int] = set()
    for item in shown(view.slide.elements()):
        box = box_of(item)
        if box is None or isinstance(item, Group) or not _shows(item):
            continue
        unit = item.groups[0] if item.groups else item.id
        if not _is_out(box) or item.id in inside or item.id in view.animated or _may_be_out(item):
            visible.add(unit)
        else:
            found.setdefault(unit, []).append(item)
    return [items[0] for unit, items in found.items() if unit not in visible]


def _is_out(box: Box) -> bool:
    return distance(FRAME, box) > OFF_SLIDE_PX


def _shows(item: Element) -> bool:
    if isinstance(item, Text):
        return bool(item.text.strip())
    if isinstance(item, Rect):
        return item.paint.kind != "none" or item.stroke is not None
    return not (isinstance(item, Line) and item.stroke is None)


def _may_be_out(item: Element) -> bool:
    title = item.placeholder is not None and item.placeholder.type in ("title", "ctrTitle")
    return title or isinstance(item, Media)


def _parked(lost: Sequence[Element], view: PageView) -> Finding:
    names = ", ".join(label(item) for item in lost[:_NAMED])
    more = f" and {len(lost) - _NAMED} more" if len(lost) > _NAMED else ""
    box = box_of(lost[0])
    return Finding(
        rule="shape.off-slide",
        severity="warning" if any(map(_matters, lost)) else "info",
        message=f"{names}{more} {'lie' if len(lost) > 1 else 'lies'} off the slide and"
        f" {'are' if len(lost) > 1 else 'is'} never shown.",
        slide=view.slide.number,
        shape=label(lost[0]),
        box=box,
        measured=None if box is None else round(distance(box, FRAME), 1),
        threshold=OFF_SLIDE_PX,
        fix="Move it onto the slide, or delete it; keep remarks in the notes.",
    )


def _matters(item: Element) -> bool:
    """Whether it says or shows something: specks and strokes of ink off the slide do not."""
    box = box_of(item)
    speck = box is None or max(box.width, box.height) < SPECK_PX
    ink = isinstance(item, Other) and item.what == "contentPart"
    return isinstance(item, Text) or not (speck or ink)


def _cut(item: Element) -> float:
    """Px of a frame that the slide's edge cuts off; 0 where little or none."""
    box = box_of(item)
    if box is None or not isinstance(item, Table | Chart):
        return 0.0
    past = max(-box.left, -box.top, box.right - FRAME.right, box.bottom - FRAME.bottom)
    return past if past > CUT_PX and 1 - share_inside(box, FRAME) > CUT_SHARE else 0.0


def _cut_off(item: Element, past: float, view: PageView) -> Finding:
    return Finding(
        rule="shape.off-slide",
        severity="warning",
        message=f"The edge of the slide cuts {past:.0f} px off {item.name}.",
        slide=view.slide.number,
        shape=label(item),
        box=box_of(item),
        measured=round(past, 1),
        threshold=CUT_PX,
        fix="Move it onto the slide or make it smaller.",
    )
