"""Lines between the parts of a page, such as those of a tree, from boxes that the browser laid out.

A line joins the middles of two sides, so that it can be glued to both shapes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, product

from decklab.board.blueprint import LaneStep, SlidePlan
from decklab.board.flowchart import FlowPlan, flow_grid
from decklab.core.geometry import Box

Spot = tuple[float, float]

_STRAIGHT = 1.0
"""Pixels by which two ends may differ for a straight line."""
_DIAGONAL = 0.5**0.5


@dataclass(frozen=True)
class LinkLine:
    """A line through points; ``arrow`` says whether it has a head at its end.

    ``label`` is a text in the middle of which is ``spot``.
    """

    points: tuple[Spot, ...]
    arrow: bool
    label: str = ""
    spot: Spot = (0.0, 0.0)
    dashed: bool = False

    @property
    def svg_points(self) -> str:
        """The points as a polyline has them."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.points)


def linked_parts(slide: SlidePlan) -> list[tuple[int, int]]:
    """The parts of a slide that lines join, by their numbers from 0 in reading order."""
    match slide.layout:
        case "tree":
            return _to_parents([point.level for point in slide.body])
        case "org_chart":
            return _to_parents([person.level for person in slide.people])
        case "problem_solution" | "before_after":
            count = 1 if slide.layout == "before_after" else len(slide.columns[0].points)
            return [(2 * number, 2 * number + 1) for number in range(count)]
        case "cycle":
            count = len(slide.steps)
            return [(number, (number + 1) % count) for number in range(count)]
        case "flowchart" if slide.flow is not None:
            return [(link.first, link.second) for link in slide.flow.links]
        case "process":
            return list(pairwise(range(len(slide.steps))))
        case "swimlanes":
            return _between_lanes([step for lane in slide.lanes for step in lane.steps])
    return []


def _to_parents(levels: Sequence[int]) -> list[tuple[int, int]]:
    above: dict[int, int] = {}
    links = []
    for number, level in enumerate(levels):
        if level:
            links.append((above[level - 1], number))
        above[level] = number
    return links


def _between_lanes(steps: Sequence[LaneStep]) -> list[tuple[int, int]]:
    """From each step to those that come next, in whatever lane they are."""
    order = sorted(range(len(steps)), key=lambda number: steps[number].at)
    times = [list(group) for _, group in groupby(order, key=lambda number: steps[number].at)]
    return [pair for now, then in pairwise(times) for pair in product(now, then)]


def link_lines(slide: SlidePlan, boxes: Sequence[Box]) -> Iterator[LinkLine]:
    """The lines of a slide whose parts stand in boxes; none before these were laid out."""
    if slide.flow is not None:
        yield from flow_lines(slide.flow, boxes)
        return
    for first, second in linked_parts(slide) if boxes else ():
        here, there = boxes[first], boxes[second]
        way = {"cycle": _between_discs, "org_chart": _downward}.get(slide.layout, _across)
        yield LinkLine(way(here, there), arrow=slide.layout not in ("org_chart", "tree"))


def _middle(box: Box) -> Spot:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def _downward(here: Box, there: Box) -> tuple[Spot, ...]:
    (x1, _), (x2, _) = _middle(here), _middle(there)
    if abs(x1 - x2) <= _STRAIGHT:
        return (x1, here.bottom), (x1, there.top)
    between = (here.bottom + there.top) / 2
    return (x1, here.bottom), (x1, between), (x2, between), (x2, there.top)


def _across(here: Box, there: Box) -> tuple[Spot, ...]:
    (_, y1), (_, y2) = _middle(here), _middle(there)
    x1, x2 = (here.right, there.left) if there.left > here.left else (here.left, there.right)
    if abs(y1 - y2) <= _STRAIGHT:
        return (x1, y1), (x2, y1)
    between = (x1 + x2) / 2
    return (x1, y1), (between, y1), (between, y2), (x2, y2)


def _between_discs(here: Box, there: Box) -> tuple[Spot, ...]:
    """The shortest line between the eight points at which lines are glued to an ellipse."""
    return min(
        product(_around(here), _around(there)),
        key=lambda ends: (ends[0][0] - ends[1][0]) ** 2 + (ends[0][1] - ends[1][1]) ** 2,
    )


def _around(box: Box) -> list[Spot]:
    x, y = _middle(box)
    across, down = box.width / 2, box.height / 2
    turns = ((0, -1), (1, 0), (0, 1), (-1, 0), *product((-_DIAGONAL, _DIAGONAL), repeat=2))
    return [(x + right * across, y + below * down) for right, below in turns]


_ROUND = 14.0
"""Pixels outside the steps of a flowchart at which links lead back."""


def flow_lines(plan: FlowPlan, boxes: Sequence[Box]) -> Iterator[LinkLine]:
    """The links of a flowchart whose steps and bends stand in boxes; before these were laid out,
    the texts of its links alone."""
    if not boxes:
        yield from (LinkLine((), link.arrow, link.label or "") for link in plan.links)
        return
    outer = max(box.bottom if plan.across else box.right for box in boxes)
    backward = 0
    for link, path in zip(plan.links, flow_grid(plan).paths, strict=True):
        if path:
            hops = [
                (_across if plan.across else _downward)(boxes[first], boxes[second])
                for first, second in pairwise(path)
            ]
            points, spot = _one_line(hops), _middle_of(hops[-1])
        else:
            backward += 1
            outside = outer + _ROUND * backward
            points = _around_steps(boxes[link.first], boxes[link.second], outside, plan.across)
            spot = _middle_of(points)
        yield LinkLine(points, link.arrow, link.label or "", spot, link.dashed)


def _one_line(hops: Sequence[tuple[Spot, ...]]) -> tuple[Spot, ...]:
    """Lines that go on from each other as one, without points in the middle of a straight part."""
    points = [point for hop in hops for point in hop]
    kept = [
        point for before, point, after in zip(points, points[1:], points[2:], strict=False)
        if not (_aligned(before, point, after, 0) or _aligned(before, point, after, 1))
    ]  # fmt: skip
    return (points[0], *kept, points[-1])


def _aligned(first: Spot, second: Spot, third: Spot, side: int) -> bool:
    return max(abs(first[side] - second[side]), abs(third[side] - second[side])) <= _STRAIGHT


def _middle_of(points: Sequence[Spot]) -> Spot:
    """The middle of a line that is straight or turns twice."""
    (x1, y1), (x2, y2) = points[len(points) // 2 - 1 : len(points) // 2 + 1]
    return (x1 + x2) / 2, (y1 + y2) / 2


def _around_steps(here: Box, there: Box, outside: float, across: bool) -> tuple[Spot, ...]:
    """A line that leaves and comes in at the same side, outside of all steps."""
    (x1, y1), (x2, y2) = _middle(here), _middle(there)
    if across:
        return (x1, here.bottom), (x1, outside), (x2, outside), (x2, there.bottom)
    return (here.right, y1), (outside, y1), (outside, y2), (there.right, y2)
