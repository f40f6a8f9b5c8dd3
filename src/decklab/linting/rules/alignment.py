"""Neighbours that nearly share an edge or a height, like ones of which one is set otherwise, and
uneven rows and columns."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Final, TypeVar

from decklab.core.geometry import FRAME, Box
from decklab.core.results import Occurrence, grouped
from decklab.deck.model.shapes import Element, Group, Image, Line, Rect, Text, box_of
from decklab.linting.rules.legibility import role_of
from decklab.linting.rules.page import DrawnSlide, DrawnText, is_wordy, share_inside, visible
from decklab.linting.rules.placement import DRIFT_MOST_PX, DRIFT_PEERS, Placed, peer_groups
from decklab.linting.rules.rule import DRIFT_LEAST_PX, Rule, called
from decklab.linting.rules.titles import is_title

_T = TypeVar("_T", bound=tuple[Any, Box])

GAP_PX: Final = 5.0
GAP_SHARE: Final = 0.25
GAP_MOST: Final = 2.5
"""Ours: gaps in a row are uneven from this difference on, in px and as a share of the larger one;
a gap that is so many times another, or wider than the objects, parts two groups."""

OFF_LEAST_PX: Final = 2.5
OFF_MOST: Final = 0.25
"""Ours: px by which one object of a grid stands beside the one above it, and the share of their
width up to which they belong to one column."""

LAYOUT_GAPS = Rule(
    "layout.gaps",
    "UnevenGaps",
    "The gaps in a row or column differ.",
    threshold=f"{GAP_PX:g} px and {GAP_SHARE:.0%} between the gaps of three like objects or more",
    fix="Distribute the objects evenly.",
    why="Uneven gaps look careless, and suggest groups that are not meant.",
    scored=False,
)

LAYOUT_GRID = Rule(
    "layout.grid",
    "UnevenGrid",
    "Objects of a grid miss each other's edges.",
    threshold=f"{OFF_LEAST_PX:g} px between left edges, middles and right edges of two like objects"
    " above one another, each of which has one beside it",
    fix="Align the objects of each column, or of each row.",
    why="Boxes that all but line up look careless: the eye sees the step before it reads the "
    "words.",
    scored=False,
)


def uneven_gaps(view: DrawnSlide) -> Iterator[Occurrence]:
    """Rows and columns of three like objects or more whose gaps differ by a little; a much wider
    gap parts groups. Connected objects and steps of a flow count as others do.
    """
    for peers in peer_groups(view, least=3):
        for flat in (True, False):
            for line in _lines(peers, flat, DRIFT_LEAST_PX):
                box = line[0][1]
                gaps = _gaps([item[1] for item in line], flat)
                large = min(box.width, box.height) >= LEAST_SIDE
                if len(gaps) > 1 and large and _is_uneven(gaps, box.width if flat else box.height):
                    yield _told_gaps(line, gaps, flat, view)


def _lines(items: Sequence[_T], flat: bool, within: float) -> list[list[_T]]:
    """Items, each with its box, in rows (``flat``) or columns."""
    return grouped(items, lambda a, b: abs(_edge(a[1], flat) - _edge(b[1], flat)) <= within)


def _edge(box: Box, flat: bool) -> float:
    return box.top if flat else box.left


def _gaps(boxes: Sequence[Box], flat: bool) -> list[float]:
    """The gaps between neighbours in a row (``flat``) or column."""
    ends = sorted((b.left, b.right) if flat else (b.top, b.bottom) for b in boxes)
    return [after[0] - before[1] for before, after in pairwise(ends)]


def _is_uneven(gaps: Sequence[float], width: float) -> bool:
    """Whether gaps between objects of a width (height, in a column) differ by a little."""
    least, most = min(gaps), max(gaps)
    uneven = most - least >= max(GAP_PX, GAP_SHARE * most)
    return least >= 0 and uneven and most <= min(width, GAP_MOST * max(least, 4))


def _told_gaps(
    line: Sequence[Placed], gaps: Sequence[float], flat: bool, view: DrawnSlide
) -> Occurrence:
    first = min(line, key=lambda item: (item[1].left, item[1].top))[0]
    kind = "row" if flat else "column"
    finding = LAYOUT_GAPS.finding(
        f"The {len(line)} objects in the {kind} of {called(first)} are {min(gaps):.0f} to"
        f" {max(gaps):.0f} px apart.",
        view.slide.number,
        first,
        box=_around(line),
        measured=round(max(gaps) - min(gaps), 1),
        threshold=GAP_PX,
    )
    return Occurrence(finding, (first.name, kind))


def uneven_grids(view: DrawnSlide) -> Iterator[Occurrence]:
    """Four like objects or more in exact rows whose columns are off by a little, or in exact
    columns whose rows are; staggered rows, off by more, are meant to be so. Circles and arrows are
    not judged: they are placed around something.
    """
    for peers in peer_groups(view, least=4, alike=0.12):
        if getattr(peers[0][0], "geometry", "rect") not in ("rect", "roundRect"):
            continue  # circles and arrows are placed around something
        for flat in (True, False):
            if (pair := _off_pair(peers, flat)) is not None:
                item, other, px = pair
                side = "beside" if flat else "below"
                name, line = called(other[0], start=True), f"the line of {called(item[0])}"
                finding = LAYOUT_GRID.finding(
                    f"{name} stands {px:.0f} px {side} {line}, and no edge or middle of the two"
                    " agrees.",
                    view.slide.number,
                    other[0],
                    box=_around((item, other)),
                    measured=round(px, 1),
                    threshold=OFF_LEAST_PX,
                )
                yield Occurrence(finding, (other[0].name, flat))


def _off_pair(peers: Sequence[Placed], flat: bool) -> tuple[Placed, Placed, float] | None:
    """Two objects above one another (beside, unless ``flat``) that are most off each other."""
    pairs = []
    held = [item for item in peers if _has_neighbour(item, peers, flat)]
    for first, second in combinations(held, 2):
        a, b = _span(first[1], flat), _span(second[1], flat)
        shared = min(a[1], b[1]) - max(a[0], b[0])
        apart = abs(_edge(first[1], flat) - _edge(second[1], flat)) > DRIFT_LEAST_PX
        off = min(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(sum(a) - sum(b)) / 2)
        if apart and shared >= (1 - OFF_MOST) * (a[1] - a[0]) and off >= OFF_LEAST_PX:
            pairs.append((first, second, off))
    return max(pairs, key=lambda pair: pair[2], default=None)


def _has_neighbour(item: Placed, peers: Sequence[Placed], flat: bool) -> bool:
    """Whether another object stands in the same exact row (column, unless ``flat``)."""
    return any(
        other is not item and abs(_edge(other[1], flat) - _edge(item[1], flat)) <= DRIFT_LEAST_PX
        for other in peers
    )


def _span(box: Box, flat: bool) -> tuple[float, float]:
    return (box.left, box.right) if flat else (box.top, box.bottom)


def _around(items: Sequence[tuple[Element, Box]]) -> Box | None:
    return Box.around(box for _item, box in items)


ROW_LEAST_PX: Final = 3.0
ROW_MOST_PX: Final = 40.0
PAIR_LEAST_PX: Final = 4.0
PAIR_MOST_PX: Final = 10.0
"""Ours: heights of like objects side by side that differ by the first are seen to differ, by more
than the second they are meant to; the others are the same for only two objects."""

TEXT_MOST_PX: Final = 14.0
"""Ours: the same for boxes that show only their words, which need not be alike."""

ALIKE_SHARE: Final = 0.12
"""Ours: share by which the sides of like objects differ at the most."""

LEAST_SIDE: Final = 24.0
"""Ours: smaller objects are marks in a drawing."""

LEAST_RULE: Final = 60.0
"""Ours: length from which on a line is a rule of the layout."""

EDGE_LEAST_PX: Final = 5.0
EDGE_MOST_PX: Final = 12.0
"""Ours: left edges of texts that differ by less look the same, by more are an indent."""

LEAST_PEERS: Final = 3
SIZE_APART: Final = 0.12
"""Ours: texts of which one can be the odd one, and the share by which its size differs then."""

LAYOUT_ROW = Rule(
    "layout.row",
    "UnevenRow",
    "Like objects side by side stand at different heights.",
    threshold=f"{ROW_LEAST_PX:g} px between upper edges, middles and lower edges of like objects,"
    f" up to {ROW_MOST_PX:g} px, of two up to {PAIR_MOST_PX:g} px",
    fix="Align their upper edges, or their middles.",
    why="The eye compares things side by side. A small step between them looks like a slip, and "
    "suggests a difference that is not meant.",
    scored=False,
)

LAYOUT_EDGE = Rule(
    "layout.edge",
    "NearlyEqualEdges",
    "Texts under one another begin at nearly the same edge.",
    threshold=f"{EDGE_LEAST_PX:g} to {EDGE_MOST_PX:g} px between the left edges of their words",
    fix="Give both the same left edge, or indent one clearly.",
    why="An edge that is nearly the same reads as a mistake: neither one line nor an indent.",
    drawn=True,
    scored=False,
)

STYLE_PEERS = Rule(
    "style.peers",
    "OddOneOut",
    "One of several like texts is set in another size or alignment.",
    threshold=f"three like shapes in a row or column or more, and one that is {SIZE_APART:.0%}"
    " larger or smaller, or aligned otherwise",
    fix="Set it as the others are set; shorten its words if they do not fit.",
    why="Things that are alike should look alike: another size or alignment says that one of them "
    "matters more, or is of another kind.",
    drawn=True,
    scored=False,
)


@dataclass(frozen=True)
class _Item:
    """An object of a row, with what an eye takes for its place."""

    element: Element
    kind: str
    box: Box


def uneven_rows(view: DrawnSlide) -> Iterator[Occurrence]:
    """Like objects side by side of which neither the upper edges nor the middles nor the lower
    edges are level: areas, pictures, groups, rules, and boxes that show only their words.

    Steps that all go up or all go down, objects that take turns at two heights, and a middle one
    that stands out by more than a little are meant to be so.
    """
    reported: set[int] = set()
    for row in _rows(view):
        apart = _unlevel([item.box for item in row])
        if apart and reported.isdisjoint(item.element.id for item in row):
            reported.update(item.element.id for item in row)
            first = row[0].element
            finding = LAYOUT_ROW.finding(
                f"The {len(row)} objects in the row of {called(first)} stand up to {apart:.0f} px"
                " higher or lower than one another.",
                view.slide.number,
                first,
                box=Box.around(item.box for item in row),
                measured=round(apart, 1),
                threshold=ROW_LEAST_PX,
            )
            yield Occurrence(finding, (first.name, "row"))


def _rows(view: DrawnSlide) -> Iterator[list[_Item]]:
    """Like objects, those side by side together; from the left."""
    for peers in grouped(_items(view), _is_like):
        for row in grouped(peers, _is_beside):
            ordered = sorted(row, key=lambda item: item.box.left)
            if len(ordered) > 1 and all(
                a.box.right <= b.box.left + 1 for a, b in pairwise(ordered)
            ):
                yield ordered


def _items(view: DrawnSlide) -> list[_Item]:
    """The objects that rows are made of: not turned, animated, cut off or a mark."""
    painted = {rect.z for rect in view.slide.rects}
    boxes = (box_of(picture) for picture in view.slide.images)
    pictures = [box for box in boxes if box is not None]
    items: list[_Item] = []
    for element in visible(view.slide.elements()):
        if (box := box_of(element)) is None or element.rotation or element.id in view.animated:
            continue
        if share_inside(box, FRAME) < 1 or _is_mark(element, box, pictures):
            continue
        kind = _kind(element, box)
        if isinstance(element, Text):
            drawn = view.drawn(element)
            if element.z in painted or element.placeholder is not None or drawn is None:
                continue
            if not drawn.is_whole or not is_wordy(element.text):
                continue
            top = element.y + element.body.inset_top * view.px_per_pt
            if element.body.anchor != "top" or drawn.ink.top < top - drawn.pitch:
                continue
            kind = f"text {round(drawn.size_pt)}"
            box = Box(drawn.ink.left, top, drawn.ink.right, top + drawn.ink.height)
        if kind:
            items.append(_Item(element, kind, box))
    return items


def _is_mark(element: Element, box: Box, pictures: Sequence[Box]) -> bool:
    """Whether an object points at something in a picture that is no ground of the whole slide."""
    return not isinstance(element, Image) and any(
        share_inside(box, picture) == 1 and picture.area < FRAME.area / 2 for picture in pictures
    )


def _kind(element: Element, box: Box) -> str:
    """The key that an object shares with objects like it; empty for one that is in no row."""
    if isinstance(element, Line):
        level = element.y1 == element.y2 and box.width >= LEAST_RULE and element.stroke
        return "line" if level and element.geometry in ("line", "straightConnector1") else ""
    if min(box.width, box.height) < LEAST_SIDE:
        return ""
    if isinstance(element, Rect):
        shown = element.paint.kind != "none" or element.stroke is not None
        return element.geometry if shown and element.geometry in ("rect", "roundRect") else ""
    return type(element).__name__ if isinstance(element, Image | Group) else ""


def _is_like(item: _Item, other: _Item) -> bool:
    if item.kind != other.kind:
        return False
    if item.kind.startswith("text"):
        return True  # as wide, and set in one size
    first, second = item.box, other.box
    wide = abs(first.width - second.width) <= ALIKE_SHARE * first.width
    return wide and abs(first.height - second.height) <= ALIKE_SHARE * first.height


def _is_beside(item: _Item, other: _Item) -> bool:
    """Whether two objects stand in one row: at nearly the same height, and not above each other."""
    first, second = item.box, other.box
    apart = first.right <= second.left + 1 or second.right <= first.left + 1
    most = ROW_MOST_PX if item.kind == "line" else min(ROW_MOST_PX, first.height / 2)
    if item.kind.startswith("text"):
        most = TEXT_MOST_PX
    return apart and abs(first.top - second.top) <= most


def _unlevel(boxes: Sequence[Box]) -> float:
    """By how many px like objects are off one another's height; 0 if that is meant."""
    tops, bottoms = [box.top for box in boxes], [box.bottom for box in boxes]
    middles = [(box.top + box.bottom) / 2 for box in boxes]
    apart = min(max(level) - min(level) for level in (tops, middles, bottoms))
    if apart < ROW_LEAST_PX:
        return 0.0
    if len(boxes) == 2:
        return apart if PAIR_LEAST_PX <= apart <= PAIR_MOST_PX else 0.0
    steps = [b - a for a, b in pairwise(tops)]
    if all(step >= ROW_LEAST_PX for step in steps) or all(step <= -ROW_LEAST_PX for step in steps):
        return 0.0  # stairs
    counts = Counter(round(top) for top in tops)
    if max(counts.values()) >= DRIFT_PEERS and apart <= DRIFT_MOST_PX:
        return 0.0  # shape.drift tells the one that is off
    if min(counts.values()) > 1:
        return 0.0  # two heights in turn
    arch = all(abs(a - b) < ROW_LEAST_PX for a, b in zip(tops, reversed(tops), strict=True))
    return 0.0 if arch and apart > PAIR_MOST_PX else apart


def near_edges(view: DrawnSlide) -> Iterator[Occurrence]:
    """Texts under one another whose words begin a few px apart: a title and the text below it, or
    two texts of a column. Only text that is aligned left and stands upright is judged; centred
    shapes, lists of other levels and what is animated are not.
    """
    texts = [drawn for drawn in view.texts if _starts_left(drawn, view)]
    for upper, lower in combinations(sorted(texts, key=lambda item: item.ink.top), 2):
        off = _start(lower) - _start(upper)
        seen = lower.ink.left - upper.ink.left
        stacked = upper.ink.bottom <= lower.ink.top + 2
        if not stacked or not EDGE_LEAST_PX <= abs(off) <= EDGE_MOST_PX or off * seen <= 0:
            continue
        if abs(seen) < EDGE_LEAST_PX or abs(seen) > EDGE_MOST_PX or _between(upper, lower, texts):
            continue
        titled = is_title(upper.element) or is_title(lower.element)
        if titled and not (upper.element.placeholder and lower.element.placeholder):
            continue
        side = "right" if off > 0 else "left"
        finding = LAYOUT_EDGE.finding(
            f"{called(lower.element, start=True)} begins {abs(off):.0f} px farther {side} than"
            f" {called(upper.element)} above it.",
            view.slide.number,
            lower.element,
            severity="info" if titled or _is_list(lower) else "warning",
            box=lower.ink,
            measured=round(abs(off), 1),
            threshold=EDGE_LEAST_PX,
        )
        yield Occurrence(finding, (upper.element.name, lower.element.name))


def _starts_left(drawn: DrawnText, view: DrawnSlide) -> bool:
    text = drawn.element
    if not isinstance(text, Text) or not drawn.is_whole:
        return False
    if text.rotation or text.id in view.animated:
        return False
    if text.body.direction != "horz" or role_of(text) == "small print" or text.groups:
        return False
    if text.z in view.rects_by_z or not is_wordy(text.text):
        return False
    return all(p.align == "left" and not p.right_to_left for p in text.paragraphs if p.text)


def _is_list(drawn: DrawnText) -> bool:
    """Whether a text begins with a bullet or number, which a small indent may set off."""
    text = drawn.element
    return isinstance(text, Text) and any(p.bullet is not None for p in text.paragraphs[:1])


def _start(drawn: DrawnText) -> float:
    """Px from the left at which the first paragraph of a text begins, its bullet included."""
    text = drawn.element
    assert isinstance(text, Text)
    first = next((paragraph for paragraph in text.paragraphs if paragraph.text.strip()), None)
    indent = first.margin_left + first.indent if first else 0.0
    return text.x + (text.body.inset_left + indent) * drawn.px_per_pt


def _between(a: DrawnText, b: DrawnText, texts: Sequence[DrawnText]) -> bool:
    """Whether another text stands between two."""
    gap = Box(a.ink.left, a.ink.bottom, max(a.ink.right, b.ink.right), b.ink.top)
    return any(
        item is not a and item is not b and item.ink.intersection(gap).area for item in texts
    )


def odd_peers(view: DrawnSlide) -> Iterator[Occurrence]:
    """Like shapes in a row or column whose texts have one size and one alignment, except for one of
    them. Sizes are those drawn. A word in a larger shape, and a heading above the others, are not
    judged.
    """
    items = []
    for drawn in view.texts:
        text = drawn.element
        box = box_of(text)
        if not isinstance(text, Text) or box is None or not drawn.is_whole:
            continue
        if text.rotation or is_title(text) or role_of(text) == "small print":
            continue
        if is_wordy(text.text) and text.id not in view.animated:
            items.append((drawn, box))
    for peers in grouped(items, _is_shaped_alike):
        for flat in (True, False):
            for line in _lines(peers, flat, 1):
                if (odd := _odd_one([drawn for drawn, _box in line])) is not None:
                    drawn, says = odd
                    finding = STYLE_PEERS.finding(
                        f"{called(drawn.element, start=True)} is {says} the {len(line) - 1} others"
                        f" like it in its {'row' if flat else 'column'}.",
                        view.slide.number,
                        drawn.element,
                        box=drawn.ink,
                    )
                    yield Occurrence(finding, (drawn.element.name, says))


_Boxed = tuple[DrawnText, Box]


def _is_shaped_alike(item: _Boxed, other: _Boxed) -> bool:
    (a, first), (b, second) = item, other
    z = (a.element.z, b.element.z)
    same = getattr(a.element, "placeholder", None) == getattr(b.element, "placeholder", None)
    wide = abs(first.width - second.width) <= 1
    return z[0] != z[1] and same and wide and abs(first.height - second.height) <= 1


def _odd_one(texts: Sequence[DrawnText]) -> tuple[DrawnText, str] | None:
    """The one text that differs from all others, which agree, and in what."""
    if len(texts) < LEAST_PEERS:
        return None
    sizes = [round(item.size_pt * 2) / 2 for item in texts]
    aligns = [item.element.align for item in texts if isinstance(item.element, Text)]
    usual, count = Counter(sizes).most_common(1)[0]
    if count == len(texts) - 1:
        at = next(n for n, size in enumerate(sizes) if size != usual)
        if abs(sizes[at] / usual - 1) >= SIZE_APART:
            return texts[at], f"set in {sizes[at]:g} pt, unlike the {usual:g} pt of"
    way, count = Counter(aligns).most_common(1)[0]
    if count == len(texts) - 1 and len(aligns) == len(texts):
        at = next(n for n, align in enumerate(aligns) if align != way)
        return texts[at], f"aligned {aligns[at]}, unlike"
    return None
