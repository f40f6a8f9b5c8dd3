"""Objects of one kind that stand in uneven rows and columns."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final

from decklab.core.geometry import Box
from decklab.deck.model.shapes import Element
from decklab.linting.rules.limits import DRIFT_LEAST_PX
from decklab.linting.rules.page import DrawnSlide
from decklab.linting.rules.placement import Placed, peer_groups
from decklab.linting.rules.rule import Rule, called
from decklab.metrics.findings import Occurrence, grouped

GAP_PX: Final = 5.0
GAP_SHARE: Final = 0.25
GAP_MOST: Final = 2.5
LEAST_SIDE: Final = 24.0
"""Ours: gaps in a row are uneven from this difference on, in px and as a share of the larger one;
a gap that is so many times another, or wider than the objects, parts two groups. Smaller objects
are marks in a drawing."""

OFF_LEAST_PX: Final = 2.5
OFF_MOST: Final = 0.25
"""Ours: px by which one object of a grid stands beside the one above it, and the share of their
width up to which they belong to one column."""

LAYOUT_GAPS = Rule(
    "layout.gaps",
    "UnevenGaps",
    "The gaps in a row or column differ.",
    source="decklab",
    severity="warning",
    threshold=f"{GAP_PX:g} px and {GAP_SHARE:.0%} between the gaps of three like objects or more",
    fix="Distribute the objects evenly.",
    scored=False,
)

LAYOUT_GRID = Rule(
    "layout.grid",
    "UnevenGrid",
    "Objects of a grid miss each other's edges.",
    source="decklab",
    severity="warning",
    threshold=f"{OFF_LEAST_PX:g} px between left edges, middles and right edges of two like objects"
    " above one another, each of which has one beside it",
    fix="Align the objects of each column, or of each row.",
    scored=False,
)


def uneven_gaps(view: DrawnSlide) -> Iterator[Occurrence]:
    """Rows and columns of three like objects or more whose gaps differ by a little; a much wider
    gap parts groups. Connected objects and steps of a flow count as others do.
    """
    for peers in peer_groups(view, least=3):
        for flat in (True, False):
            for line in grouped(peers, _is_level if flat else _is_plumb):
                box = line[0][1]
                gaps = _gaps([item[1] for item in line], flat)
                large = min(box.width, box.height) >= LEAST_SIDE
                if len(gaps) > 1 and large and _is_uneven(gaps, box.width if flat else box.height):
                    yield _told_gaps(line, gaps, flat, view)


def _is_level(one: Placed, other: Placed) -> bool:
    return abs(one[1].top - other[1].top) <= DRIFT_LEAST_PX


def _is_plumb(one: Placed, other: Placed) -> bool:
    return abs(one[1].left - other[1].left) <= DRIFT_LEAST_PX


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
    columns whose rows are; staggered rows, off by more, are meant to be, and circles and arrows are
    placed by other rules.
    """
    for peers in peer_groups(view, least=4, alike=0.12):
        if getattr(peers[0][0], "geometry", "rect") not in ("rect", "roundRect"):
            continue  # circles and arrows are placed around something
        for flat in (True, False):
            pair = _off_pair(peers, flat)
            if pair is not None:
                one, other, px = pair
                side = "beside" if flat else "below"
                finding = LAYOUT_GRID.finding(
                    f"{called(other[0], start=True)} stands {px:.0f} px {side} the line of"
                    f" {called(one[0])}, and no edge or middle of the two agrees.",
                    view.slide.number,
                    other[0],
                    box=_around((one, other)),
                    measured=round(px, 1),
                    threshold=OFF_LEAST_PX,
                )
                yield Occurrence(finding, (other[0].name, flat))


def _off_pair(peers: Sequence[Placed], flat: bool) -> tuple[Placed, Placed, float] | None:
    """Two objects above one another (beside, unless ``flat``) that are most off each other."""
    pairs = []
    held = [item for item in peers if _has_neighbour(item, peers, flat)]
    for one, other in combinations(held, 2):
        a, b = _span(one[1], flat), _span(other[1], flat)
        shared = min(a[1], b[1]) - max(a[0], b[0])
        apart = abs(_edge(one[1], flat) - _edge(other[1], flat)) > DRIFT_LEAST_PX
        off = min(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(sum(a) - sum(b)) / 2)
        if apart and shared >= (1 - OFF_MOST) * (a[1] - a[0]) and off >= OFF_LEAST_PX:
            pairs.append((one, other, off))
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
