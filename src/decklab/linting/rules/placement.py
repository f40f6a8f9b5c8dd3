"""Objects and text that are off their place: off the slide, at its edge, or just off a line."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Final

from decklab.core.geometry import FRAME, Box
from decklab.core.naming import shape_label
from decklab.core.results import Finding, Occurrence, first_names, grouped, quoted
from decklab.deck.model.shapes import (
    Chart,
    Element,
    Group,
    Image,
    Line,
    Media,
    Other,
    Rect,
    Table,
    Text,
    box_of,
)
from decklab.linting.rules.legibility import role_of
from decklab.linting.rules.page import (
    CUT_OFF_PX,
    DrawnSlide,
    DrawnText,
    FontNote,
    distance,
    ink_of,
    is_wordy,
    share_inside,
    visible,
)
from decklab.linting.rules.rule import DRIFT_LEAST_PX, POWER_PPTX, Rule, called
from decklab.linting.rules.titles import is_title

OFF_SLIDE_PX: Final = 2.0
"""Ours: an object this far outside shows nothing on the slide, not even a thick outline."""

SPECK_PX: Final = 24.0
"""Ours: an object smaller both ways shows nothing that anybody would miss."""

CUT_SHARE: Final = 0.05
CUT_PX: Final = 12.0
"""Ours: tables and charts cut off by more than both lose content; less is margin."""

CARD_LEFT: Final = 0.5
"""Ours: share of a card that is still on the slide; of less, most was meant to be beyond it."""

ALIGNED_PX: Final = 0.5
"""Ours: edges this near are the same; programs round positions by less."""

DRIFT_MOST_PX: Final = 6.0
"""Ours: an object that is off a line by more may be meant to be."""

DRIFT_SEEN_PX: Final = 3.0
"""Ours: an object that is off by less is rarely noticed."""

DRIFT_PEERS: Final = 3
"""Ours: so many objects of one kind and size make an alignment."""

ALIKE_PX: Final = 1.0
"""Ours: widths and heights of objects that belong to one row or column differ by no more."""

MARGIN_PX: Final = 6.0
MARGIN_SEEN_PX: Final = 10.0
MARGIN_USUAL_PX: Final = 18.0
"""Ours: text nearer to the edge than the first (in reports of scores), or the second (to the eye),
in a deck whose slides keep the third (a quarter of an inch, what printers keep clear)."""

EDGE_PX: Final = 3.0
"""Ours: text that near to the edge looks cut, whatever the deck's margins; projectors and printers
do cut it."""

NEAR_EDGE_PX: Final = 8.0
SPANNING: Final = 0.8
"""Ours: an object nearer to the edge than the first looks as if it slipped there; one that takes
the second of the slide's width or height is a band or a ground."""

SIDES_PX: Final = 20.0
"""Ours: 1/48 of the slide's width; a line that leaves less on both sides looks squeezed."""

MARGIN_SLIDES: Final = 4
"""Ours: slides with text before a deck has a usual margin."""

SHAPE_OFF_SLIDE = Rule(
    "shape.off-slide",
    "OffSlide",
    "An object lies off the slide.",
    source=POWER_PPTX,
    threshold=f"all of it {OFF_SLIDE_PX:g} px outside, {CUT_PX:g} px of a table or chart cut off,"
    f" or {OFF_SLIDE_PX:g} px of a card of which others stand on the slide",
    fix="Move it onto the slide, or delete it; keep remarks in the notes.",
    why="Objects beside the slide are not shown, but go along in the file, in outlines and to "
    "screen readers.",
)


def off_slide(view: DrawnSlide) -> Iterator[Occurrence]:
    """Objects wholly off the slide, in one finding; tables and charts that its edge cuts.

    Cards that the edge cuts while others like them stand on the slide are found, too. Not found are
    objects that are animated, sounds and videos (placed outside to play unseen), titles (placed
    outside for screen readers only), diagrams that are cut (their frames hold much empty room), and
    pictures and areas that run over the edge, as a bleed does.
    """
    if lost := _lost(view):
        yield Occurrence(_parked(lost, view), tuple(sorted(item.name for item in lost)))
    frames: list[Element] = [*view.slide.tables, *view.slide.charts]
    frames += _cards(view) if view.strict else ()
    for item in visible(frames):
        if (past := _cut(item)) and item.id not in view.animated and item not in lost:
            yield Occurrence(_cut_off(item, past, view), item.id)


def _lost(view: DrawnSlide) -> list[Element]:
    """Elements of which nothing shows on the slide; of a group only its first."""
    inside = {drawn.element.id for drawn in view.texts if not _is_out(drawn.ink)}
    lost: dict[int, list[Element]] = {}
    on_slide: set[int] = set()
    for item in visible(view.slide.elements()):
        if (box := box_of(item)) is None or isinstance(item, Group) or not _shows(item):
            continue
        unit = item.groups[0] if item.groups else item.id
        if not _is_out(box) or item.id in inside or item.id in view.animated or _may_be_out(item):
            on_slide.add(unit)
        else:
            lost.setdefault(unit, []).append(item)
    return [items[0] for unit, items in lost.items() if unit not in on_slide]


def _is_out(box: Box) -> bool:
    return distance(FRAME, box) > OFF_SLIDE_PX


def _shows(item: Element) -> bool:
    if isinstance(item, Text):
        return bool(item.text.strip())
    if isinstance(item, Rect):
        return item.paint.kind != "none" or item.stroke is not None
    return not (isinstance(item, Line) and item.stroke is None)


def _may_be_out(item: Element) -> bool:
    return is_title(item) or isinstance(item, Media)


def _parked(lost: Sequence[Element], view: DrawnSlide) -> Finding:
    names = first_names(
        [shape_label(called(item, start=at == 0), item.id) for at, item in enumerate(lost)]
    )
    box = box_of(lost[0])
    return SHAPE_OFF_SLIDE.finding(
        f"{names} {'lie' if len(lost) > 1 else 'lies'} off the slide and"
        f" {'are' if len(lost) > 1 else 'is'} never shown.",
        view.slide.number,
        lost[0],
        severity="warning" if any(map(_matters, lost)) else "info",
        measured=None if box is None else round(distance(box, FRAME), 1),
        threshold=OFF_SLIDE_PX,
    )


def _matters(item: Element) -> bool:
    """Whether it says or shows something: specks and strokes of ink off the slide do not."""
    box = box_of(item)
    speck = box is None or max(box.width, box.height) < SPECK_PX
    ink = isinstance(item, Other) and item.what == "contentPart"
    return isinstance(item, Text) or not (speck or ink)


def _cards(view: DrawnSlide) -> list[Rect]:
    """Painted rectangles of which another one as large stands on the slide as a whole."""
    cards = [
        (rect, box)
        for rect in visible(view.slide.rects)
        if rect.geometry in ("rect", "roundRect")
        and (rect.fill is not None or rect.stroke is not None)
        and not rect.rotation
        and (box := box_of(rect)) is not None
        and min(box.width, box.height) >= SPECK_PX
    ]
    whole = [box for _rect, box in cards if share_inside(box, FRAME) == 1]

    def is_as_large(box: Box, other: Box) -> bool:
        apart = abs(box.width - other.width), abs(box.height - other.height)
        return max(apart) <= ALIKE_PX

    return [rect for rect, box in cards if any(is_as_large(box, other) for other in whole)]


def _cut(item: Element) -> float:
    """Px of a frame or card that the slide's edge cuts off; 0 where little or none."""
    if (box := box_of(item)) is None or not isinstance(item, Table | Chart | Rect):
        return 0.0
    past = max(-box.left, -box.top, box.right - FRAME.right, box.bottom - FRAME.bottom)
    if isinstance(item, Rect):
        return past if past > OFF_SLIDE_PX and share_inside(box, FRAME) >= CARD_LEFT else 0.0
    return past if past > CUT_PX and 1 - share_inside(box, FRAME) > CUT_SHARE else 0.0


def _cut_off(item: Element, past: float, view: DrawnSlide) -> Finding:
    return SHAPE_OFF_SLIDE.finding(
        f"The edge of the slide cuts {past:.0f} px off {called(item)}.",
        view.slide.number,
        item,
        measured=round(past, 1),
        threshold=OFF_SLIDE_PX if isinstance(item, Rect) else CUT_PX,
        fix="Move it onto the slide or make it smaller.",
    )


@dataclass(frozen=True)
class EdgeText:
    """The text of a slide that comes nearest to its edge."""

    slide: int
    drawn: DrawnText
    px: float
    """Between its ink and the edge; negative where it crosses the edge."""
    font: FontNote = field(default_factory=FontNote)
    """Whether it would clear the edge in its own font."""
    small: bool = False
    """Whether it is small print, such as the number of the slide."""
    least: float = MARGIN_PX
    """Px from the edge from which on it keeps a margin."""


def edge_texts(view: DrawnSlide) -> Iterator[EdgeText]:
    """The running text of a slide or table on it that is nearest to an edge of the slide, and the
    small print that stands against one.

    Turned text and what is animated are left out.
    """
    tables = [item for item in view.contents if view.strict and isinstance(item.element, Table)]
    kinds = [(_running((*view.texts, *tables), view), False)]
    if view.strict:
        kinds.append((_running(view.texts, view, small=True), True))
    least = MARGIN_SEEN_PX if view.strict else MARGIN_PX
    for texts, small in kinds:
        near = [
            EdgeText(view.slide.number, item, _gap(item.ink), _note(item, view), small, least)
            for item in texts
        ]
        nearest = min(near, key=lambda item: item.px, default=None)
        if nearest is not None and not (small and nearest.px >= EDGE_PX):
            yield nearest


def _running(
    texts: Sequence[DrawnText], view: DrawnSlide, *, small: bool = False
) -> list[DrawnText]:
    """Texts that are read with the slide, upright and not animated: no small print, or only it."""
    return [
        drawn
        for drawn in texts
        if drawn.is_whole
        and (role_of(drawn.element) == "small print") == small
        and not drawn.element.rotation
        and drawn.element.id not in view.moving
        and _is_read(drawn.element, small)
    ]


def _is_read(element: Element, small: bool) -> bool:
    """Whether it is text that runs level; of small print a figure is enough."""
    if isinstance(element, Table):
        return True
    words = isinstance(element, Text) and (small or is_wordy(element.text))
    return isinstance(element, Text) and words and element.body.direction == "horz"


def _note(drawn: DrawnText, view: DrawnSlide) -> FontNote:
    least = EDGE_PX if _gap(drawn.ink) < EDGE_PX else MARGIN_SEEN_PX
    return view.font_note(drawn, _gap(view.own_ink(drawn)) >= least)


def _gap(ink: Box) -> float:
    return min(ink.left, ink.top, FRAME.right - ink.right, FRAME.bottom - ink.bottom)


TEXT_MARGIN = Rule(
    "text.margin",
    "MarginTooNarrow",
    "Text stands against the slide's edge.",
    threshold=f"under {EDGE_PX:g} px, or {MARGIN_SEEN_PX:g} px where the deck's slides keep"
    f" {MARGIN_USUAL_PX:g} px",
    fix="Move it inside the margin of the slide.",
    why="Text at the very edge looks cramped, and projectors and printers cut it off.",
    drawn=True,
)


def narrow_margins(nearest: Sequence[EdgeText]) -> Iterator[Occurrence]:
    """Texts at an edge of the slide, or near it in a deck that mostly keeps clear of its edges."""
    read = [item.px for item in nearest if not item.small]
    usual = median(read) if len(read) >= MARGIN_SLIDES else 0.0
    for item in nearest:
        touches = -CUT_OFF_PX <= item.px < EDGE_PX
        if touches or (usual >= MARGIN_USUAL_PX and 0 <= item.px < item.least):
            yield Occurrence(_near_edge(item, usual), item.drawn.element.name)


def _near_edge(item: EdgeText, usual: float) -> Finding:
    element = item.drawn.element
    words = quoted(element.text) if isinstance(element, Text) else called(element, start=True)
    touches = item.px < EDGE_PX
    others = f"; text on this deck's slides usually keeps {usual:.0f} px" if usual > 0 else ""
    return TEXT_MARGIN.finding(
        f"{words} stands {max(item.px, 0):.0f} px from the edge of the slide{others}."
        f"{item.font.text}",
        item.slide,
        element,
        severity=item.font.cap("warning"),
        box=item.drawn.ink,
        measured=round(item.px, 1),
        threshold=EDGE_PX if touches else item.least,
    )


LAYOUT_MARGINS = Rule(
    "layout.margins",
    "TextFromEdgeToEdge",
    "Text runs from one edge of the slide to the other.",
    threshold=f"under {SIDES_PX:g} px left and right of a line",
    fix="Make the text smaller, or break its lines, so that margins are left on both sides.",
    why="Text from edge to edge has no air, and projectors that cut the edge cut its letters.",
    drawn=True,
    scored=False,
)


def narrow_sides(view: DrawnSlide) -> Iterator[Occurrence]:
    """Texts with a line that leaves next to nothing free both at its left and at its right; small
    print, turned text and what is animated are not judged."""
    for drawn in _running((*view.texts, *view.template), view):
        wide = max((ink_of(row) for row in drawn.lines), key=lambda ink: ink.width)
        gaps = wide.left, FRAME.right - wide.right
        if min(gaps) >= 0 and max(gaps) < SIDES_PX:
            element = drawn.element
            words = element.text if isinstance(element, Text) else element.name
            font = view.font_note(drawn, view.own_ink(drawn).width < FRAME.width - 2 * SIDES_PX)
            finding = LAYOUT_MARGINS.finding(
                f"A line of {quoted(words)} leaves {gaps[0]:.0f} px at its left and"
                f" {gaps[1]:.0f} px at its right.{font.text}",
                view.slide.number,
                element,
                severity=font.cap("warning"),
                box=wide,
                measured=round(max(gaps), 1),
                threshold=SIDES_PX,
            )
            yield Occurrence(finding, element.name)


SHAPE_MARGIN = Rule(
    "shape.margin",
    "ObjectNearEdge",
    "A picture or shape stands just inside the slide's edge.",
    threshold=f"{OFF_SLIDE_PX:g} to {NEAR_EDGE_PX:g} px from the edge; an arrow also against it",
    fix="Let it run over the edge, or move it inside the margin.",
    why="It is neither inside the margin nor a bleed, and projectors and printers may cut it.",
    scored=False,
)


def near_edge(view: DrawnSlide) -> Iterator[Occurrence]:
    """Pictures, charts, tables and painted shapes that nearly touch the edge of the slide: neither
    a bleed, which reaches it, nor inside the margin. Arrows that end at it count, too. Bands across
    the slide, small marks and what is animated are not judged.
    """
    items: list[Element] = [*view.slide.images, *view.slide.charts, *view.slide.tables]
    items += [rect for rect in view.slide.rects if rect.fill is not None or rect.stroke is not None]
    for item in visible(items):
        box = box_of(item)
        if box is None or item.id in view.moving or item.rotation or _spans_slide(box):
            continue
        gap = _gap(box)
        arrow = isinstance(item, Rect) and "Arrow" in item.geometry
        if (-OFF_SLIDE_PX if arrow else OFF_SLIDE_PX) <= gap < NEAR_EDGE_PX:
            finding = SHAPE_MARGIN.finding(
                f"{called(item, start=True)} stands {max(gap, 0):.0f} px from the edge of the"
                " slide.",
                view.slide.number,
                item,
                measured=round(gap, 1),
                threshold=NEAR_EDGE_PX,
            )
            yield Occurrence(finding, (item.name, "edge"))


def _spans_slide(box: Box) -> bool:
    """Whether an object is a band or frame of the slide, or only a mark."""
    wide, high = box.width / FRAME.width, box.height / FRAME.height
    return max(wide, high) > SPANNING or min(box.width, box.height) < SPECK_PX


Placed = tuple[Element, Box]
"""An object and where it stands."""

SHAPE_DRIFT = Rule(
    "shape.drift",
    "OffGridDrift",
    "An object just misses an alignment.",
    source=POWER_PPTX,
    severity="info",
    threshold=f"{DRIFT_LEAST_PX:g} to {DRIFT_MOST_PX:g} px off a line on which {DRIFT_PEERS} like"
    " it stand",
    fix="Align it with the others of its row or column.",
    why="A row in which one object is a few pixels off looks careless, and people see it without "
    "knowing what is wrong.",
)


def drift(view: DrawnSlide) -> Iterator[Occurrence]:
    """Objects a little off a line on which three others of their kind and size stand exactly.

    Only objects that look alike are compared, and only within one group: what differs in size is
    aligned by other edges, or by eye. One finding for a row or column.
    """
    for item, axis, px, count in _strays(view):
        yield Occurrence(_drifted(item, axis, px, count, view), (item[0].name, axis))


def drifting(view: DrawnSlide) -> Iterator[tuple[Element, str, float]]:
    """The findings of ``drift``: object, ``top`` or ``left``, and by how many px it is too far down
    or to the right; negative the other way."""
    yield from ((item[0], axis, px) for item, axis, px, _count in _strays(view))


def _strays(view: DrawnSlide) -> Iterator[tuple[Placed, str, float, int]]:
    for peers in peer_groups(view):
        for axis in ("top", "left"):
            if (stray := _off_line(peers, axis, view.limits.drift_px)) is not None:
                item, px, count = stray
                yield item, axis, px, count


def peer_groups(
    view: DrawnSlide, least: int = DRIFT_PEERS + 1, alike: float = 0.0
) -> list[list[Placed]]:
    """Objects of one kind, group and size together, from ``least`` on; those shown only by their
    text by its box. Widths may differ by a share ``alike``."""
    placed: list[Placed] = []
    painted = {item.z for item in view.slide.rects}
    items: list[Element] = [*view.slide.rects, *view.slide.images, *view.slide.texts]
    for item in visible(items):
        box = box_of(item)
        if box is None or item.rotation or item.id in view.animated or not _is_seen(item, painted):
            continue
        if share_inside(box, FRAME) < 1:
            continue
        placed.append((item, box))
    groups = grouped(placed, lambda first, second: _looks_like(first, second, alike))
    return [peers for peers in groups if len(peers) >= least]


def _is_seen(item: Element, painted: set[int | None]) -> bool:
    if isinstance(item, Rect):
        return item.fill is not None or item.stroke is not None or item.paint.kind != "none"
    if isinstance(item, Text):
        return bool(item.text.strip()) and item.z not in painted and item.placeholder is None
    return isinstance(item, Image)


def _looks_like(item: Placed, other: Placed, alike: float) -> bool:
    (a, first), (b, second) = item, other
    same_kind = type(a) is type(b) and a.groups == b.groups
    same_look = getattr(a, "geometry", None) == getattr(b, "geometry", None)
    wide = abs(first.width - second.width) <= max(ALIKE_PX, alike * first.width)
    return same_kind and same_look and wide and abs(first.height - second.height) <= ALIKE_PX


def _off_line(peers: Sequence[Placed], axis: str, least: float) -> tuple[Placed, float, int] | None:
    """The object just off a line of the others, by how much, and how many stand on it."""
    edges = [float(getattr(box, axis)) for _item, box in peers]
    ordered = sorted(edges)
    for edge in dict.fromkeys(edges):
        reach = DRIFT_MOST_PX + ALIGNED_PX  # a little more than what is asked for below
        around = ordered[bisect_left(ordered, edge - reach) : bisect_right(ordered, edge + reach)]
        on_line = [at for at in around if abs(at - edge) <= ALIGNED_PX]
        near = [at for at in around if ALIGNED_PX < abs(at - edge) <= DRIFT_MOST_PX]
        if len(on_line) < DRIFT_PEERS or len(near) != 1:
            continue
        px = near[0] - edge
        if abs(px) >= least and _apart(peers, axis, edge, near[0]):
            return peers[edges.index(near[0])], px, len(on_line)
    return None


def _apart(peers: Sequence[Placed], axis: str, edge: float, stray: float) -> bool:
    """Whether the objects of the line stand side by side, not on top of one another."""
    row = [box for _item, box in peers if getattr(box, axis) == stray]
    row += [box for _item, box in peers if abs(getattr(box, axis) - edge) <= ALIGNED_PX]
    ends = sorted((box.left, box.right) if axis == "top" else (box.top, box.bottom) for box in row)
    return all(a[1] <= b[0] + ALIKE_PX for a, b in pairwise(ends))


def _drifted(item: Placed, axis: str, px: float, count: int, view: DrawnSlide) -> Finding:
    element = item[0]
    way = {("top", True): "lower", ("top", False): "higher", ("left", True): "farther right"}
    where = way.get((axis, px > 0), "farther left")
    line = "row" if axis == "top" else "column"
    return SHAPE_DRIFT.finding(
        f"{called(element, start=True)} stands {abs(px):.1f} px {where} than the {count} objects"
        f" like it in its {line}.",
        view.slide.number,
        element,
        severity="warning" if view.strict and abs(px) >= DRIFT_SEEN_PX else "info",
        measured=round(abs(px), 1),
        threshold=view.limits.drift_px,
        fix=f"Align it with the others of the {line}.",
    )
