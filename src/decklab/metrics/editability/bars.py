"""Rectangles that imitate a chart: unequal bars on one baseline, sectors round one centre."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from decklab.deck.model.outline import Shape, Slide
from decklab.geometry import Box
from decklab.metrics.editability.content import content_shapes, has_text
from decklab.metrics.editability.thresholds import (
    AXIS_REACH,
    BAR_EVENNESS,
    BAR_HEIGHT_SPREAD,
    BAR_TOLERANCE,
    LABEL_LENGTH,
    MIN_AXIS_LABELS,
    MIN_BARS,
    MIN_SECTORS,
    SURE_BARS,
)

BAR_GEOMETRIES = frozenset(
    {"rect", "roundRect", "round2SameRect", "round1Rect", "snip2SameRect", "can", "cube"}
)
SECTOR_GEOMETRIES = frozenset({"pie", "pieWedge", "blockArc", "chord"})


@dataclass(frozen=True)
class DeadChart:
    """Shapes of one slide that draw a chart without data."""

    slide: int
    kind: str
    """What it imitates: ``bar chart`` or ``pie chart``."""
    pieces: tuple[Shape, ...]
    box: Box


def bars_on_one_baseline(boxes: Sequence[Box]) -> list[int]:
    """Indices of the largest set of boxes that stand like columns of a chart; empty if none do.

    Columns share their bottom edge and their width, stand apart or side by side, and differ in
    height. Three or four must also be evenly spaced.

    >>> bars_on_one_baseline([Box(0, 60, 20, 100), Box(40, 20, 60, 100), Box(80, 40, 100, 100)])
    [0, 1, 2]
    >>> bars_on_one_baseline([Box(0, 60, 20, 100), Box(40, 60, 60, 100), Box(80, 60, 100, 100)])
    []
    """
    best: list[int] = []
    for first in boxes:
        peers = [
            index
            for index, box in enumerate(boxes)
            if abs(box.bottom - first.bottom) <= BAR_TOLERANCE
            and abs(box.width - first.width) <= BAR_TOLERANCE + first.width / 10
            and min(box.width, box.height) > BAR_TOLERANCE
        ]
        if len(peers) > len(best) and _like_columns([boxes[index] for index in peers]):
            best = peers
    return best


def _like_columns(boxes: list[Box]) -> bool:
    if len(boxes) < MIN_BARS:
        return False
    ordered = sorted(boxes)
    overlap = any(left.right > right.left + BAR_TOLERANCE for left, right in pairwise(ordered))
    heights = {round(box.height / BAR_TOLERANCE) for box in boxes}
    tallest, shortest = max(box.height for box in boxes), min(box.height for box in boxes)
    varied = len(heights) >= MIN_BARS - 1 and tallest >= BAR_HEIGHT_SPREAD * shortest
    if overlap or not varied:
        return False
    steps = [right.left - left.left for left, right in pairwise(ordered)]
    mean = sum(steps) / len(steps)
    even = all(abs(step - mean) <= BAR_EVENNESS * mean for step in steps)
    return even or len(boxes) >= SURE_BARS


def _turned(box: Box) -> Box:
    """The box with its axes exchanged, so that bars from the left edge stand on the bottom."""
    return Box(box.top, -box.right, box.bottom, -box.left)


def dead_charts(slide: Slide) -> list[DeadChart]:
    """Charts that a slide draws from plain shapes, each with values written beside it."""
    shapes = content_shapes(slide)
    labels = [shape.box for shape in shapes if shape.box is not None and _is_label(shape)]
    found = [*_bar_charts(slide.number, shapes), *_pie_charts(slide.number, shapes)]
    return [chart for chart in found if _labels_near(chart.box, labels) >= MIN_AXIS_LABELS]


def _is_label(shape: Shape) -> bool:
    text = shape.text.text.strip() if shape.text is not None else ""
    return len(text) <= LABEL_LENGTH and any(letter.isdigit() for letter in text)


def _labels_near(box: Box, labels: Sequence[Box]) -> int:
    reach = Box(
        box.left - AXIS_REACH, box.top - AXIS_REACH,
        box.right + AXIS_REACH, box.bottom + AXIS_REACH,
    )  # fmt: skip
    return sum(reach.intersection(label).area > 0 for label in labels)


def _bar_charts(number: int, shapes: Sequence[Shape]) -> list[DeadChart]:
    bars = [
        (shape, shape.box)
        for shape in shapes
        if shape.kind == "shape" and shape.filled and shape.box is not None
        and shape.geometry in BAR_GEOMETRIES and shape.placeholder is None
        and (not has_text(shape) or _is_label(shape))
    ]  # fmt: skip
    found = []
    for boxes in ([box for _, box in bars], [_turned(box) for _, box in bars]):
        chosen = [bars[index] for index in bars_on_one_baseline(boxes)]
        if chosen:
            found.append(_chart(number, "bar chart", chosen))
    return found


def _pie_charts(number: int, shapes: Sequence[Shape]) -> list[DeadChart]:
    rounds: dict[tuple[int, int, int], list[tuple[Shape, Box]]] = {}
    for shape in shapes:
        if shape.geometry in SECTOR_GEOMETRIES and shape.filled and shape.box is not None:
            box = shape.box
            centre = ((box.left + box.right) / 2, (box.top + box.bottom) / 2, box.width)
            x, y, width = (round(value / 6) for value in centre)
            rounds.setdefault((x, y, width), []).append((shape, box))
    return [
        _chart(number, "pie chart", sectors)
        for sectors in rounds.values()
        if len(sectors) >= MIN_SECTORS
    ]


def _chart(number: int, kind: str, pieces: Sequence[tuple[Shape, Box]]) -> DeadChart:
    box = pieces[0][1]
    for _, other in pieces[1:]:
        box = box.union(other)
    return DeadChart(number, kind, tuple(shape for shape, _ in pieces), box)
