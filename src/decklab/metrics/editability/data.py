"""Gate 4, native data: charts must open their workbook and follow it (paper 002, I.4.3 step 4).

Beside charts bound to a workbook the paper names SmartArt and process flows with semantic
connectors as marks of level 4 (table 15 and I.3.3). All three count as native data graphics here;
charts drawn from shapes, pictures of charts and charts that do not follow their data count against
them, and the majority of the deck's data graphics decides. The paper does not say how many are
needed. A drawn chart is rectangles that imitate one: unequal bars on one baseline, or sectors round
one centre. All thresholds are ours.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from decklab.core.geometry import Box
from decklab.core.options import NoData
from decklab.core.results import Finding, NotScored
from decklab.deck.model.outline import DeckOutline, OutlineShape, OutlineSlide
from decklab.metrics.editability.verdict import (
    MOSTLY,
    ChartFacts,
    EditabilityGate,
    PictureFacts,
    content_shapes,
    filled_slides,
    has_text,
    percent,
)

MIN_BARS = 3
"""Least number of bars in a chart: two rectangles on a line are an illustration."""

BAR_TOLERANCE = 1.5
"""Largest difference of baselines and, besides a tenth of the width, of bar widths."""

BAR_EVENNESS = 0.15
"""Largest deviation of the distances between bars from their mean, as a share of that mean."""

SURE_BARS = 5
"""Number of bars from which spacing need not be even: clustered columns form pairs and threes."""

MIN_AXIS_LABELS = 2
"""Short texts with digits that must stand by the bars: a chart has a scale or values written on
it, while a skyline or a row of stripes has none."""

AXIS_REACH = 60
"""How far from the bars their labels may stand: an axis title and a row of category names."""

LABEL_LENGTH = 12
"""Characters up to which a text with digits is an axis or value label: ``$12,500``, ``2012 Q4``."""

MIN_SECTORS = 2
"""Sectors around one centre that make a pie: a single ring segment is a gauge or an ornament."""

MIN_PROCESS_LINES = 3
"""Boxes, and lines between them, that make a process on one slide: lines glued to boxes at both
ends make it a connected diagram, lines glued to nothing are named."""

BAR_HEIGHT_SPREAD = 1.15
"""Smallest ratio of the longest to the shortest bar: equal boxes are a row of cards."""

BAR_GEOMETRIES = frozenset(
    {"rect", "roundRect", "round2SameRect", "round1Rect", "snip2SameRect", "can", "cube"}
)
SECTOR_GEOMETRIES = frozenset({"pie", "pieWedge", "blockArc", "chord"})


@dataclass(frozen=True)
class DeadChart:
    """Shapes of one slide that draw a chart without data."""

    slide: int
    kind: str
    """The kind that it imitates: ``bar chart`` or ``pie chart``."""
    pieces: tuple[OutlineShape, ...]
    box: Box


def bars_on_one_baseline(boxes: Sequence[Box]) -> list[int]:
    """Indices of the largest set of boxes placed like columns of a chart; empty if there is none.

    Columns share their bottom edge and their width, stand apart or side by side, and differ in
    height. Three or four must also be evenly spaced.

    >>> bars_on_one_baseline([Box(0, 60, 20, 100), Box(40, 20, 60, 100), Box(80, 40, 100, 100)])
    [0, 1, 2]
    >>> bars_on_one_baseline([Box(0, 60, 20, 100), Box(40, 60, 60, 100), Box(80, 60, 100, 100)])
    []
    """
    best: list[int] = []
    solid = [n for n, box in enumerate(boxes) if min(box.width, box.height) > BAR_TOLERANCE]
    by_bottom = sorted(solid, key=lambda n: boxes[n].bottom)
    bottoms = [boxes[n].bottom for n in by_bottom]
    for first in boxes:
        near = by_bottom[
            bisect_left(bottoms, first.bottom - 2 * BAR_TOLERANCE) : bisect_right(
                bottoms, first.bottom + 2 * BAR_TOLERANCE
            )
        ]
        peers = sorted(
            n
            for n in near
            if abs(boxes[n].bottom - first.bottom) <= BAR_TOLERANCE
            and abs(boxes[n].width - first.width) <= BAR_TOLERANCE + first.width / 10
        )
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


def dead_charts(slide: OutlineSlide) -> list[DeadChart]:
    """Charts that a slide draws from plain shapes, each with values written beside it."""
    shapes = content_shapes(slide)
    labels = [shape.box for shape in shapes if shape.box is not None and _is_label(shape)]
    charts = [*_bar_charts(slide.number, shapes), *_pie_charts(slide.number, shapes)]
    return [chart for chart in charts if _labels_near(chart.box, labels) >= MIN_AXIS_LABELS]


def _is_label(shape: OutlineShape) -> bool:
    text = shape.text.text.strip() if shape.text is not None else ""
    return len(text) <= LABEL_LENGTH and any(letter.isdigit() for letter in text)


def _labels_near(box: Box, labels: Sequence[Box]) -> int:
    reach = Box(
        box.left - AXIS_REACH, box.top - AXIS_REACH, box.right + AXIS_REACH, box.bottom + AXIS_REACH
    )
    return sum(reach.intersection(label).area > 0 for label in labels)


def _bar_charts(number: int, shapes: Sequence[OutlineShape]) -> list[DeadChart]:
    bars = [
        (shape, shape.box)
        for shape in shapes
        if shape.kind == "shape" and shape.filled and shape.box is not None
        and shape.geometry in BAR_GEOMETRIES and shape.placeholder is None
        and (not has_text(shape) or _is_label(shape))
    ]  # fmt: skip
    charts = []
    for boxes in ([box for _, box in bars], [_turned(box) for _, box in bars]):
        chosen = [bars[index] for index in bars_on_one_baseline(boxes)]
        if chosen:
            charts.append(_chart(number, "bar chart", chosen))
    return charts


def _pie_charts(number: int, shapes: Sequence[OutlineShape]) -> list[DeadChart]:
    rounds: dict[tuple[int, int, int], list[tuple[OutlineShape, Box]]] = {}
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


def _chart(number: int, kind: str, pieces: Sequence[tuple[OutlineShape, Box]]) -> DeadChart:
    box = pieces[0][1]
    for _, other in pieces[1:]:
        box = box.union(other)
    return DeadChart(number, kind, tuple(shape for shape, _ in pieces), box)


CHART_FIX = "Insert a native chart with the same numbers and delete the drawing."
WORKBOOK_FIX = "Rebuild the chart from its numbers so that it carries an embedded workbook."
CELL_FIX = "Open 'Edit Data' and set the cells to the numbers that are meant to be shown."
CONNECTOR_FIX = "Glue the arrows to the boxes with connectors, or use SmartArt."
CHART_WORDS = (
    "chart", "graph of", "line graph", "bar graph", "histogram", "plot of", "scatter plot",
    "diagramm mit", "gráfico", "grafico", "graphique", "图表", "柱状图", "折线图", "饼图", "グラフ",
)  # fmt: skip


def judge_data(
    outline: DeckOutline,
    pictures: Callable[[], Sequence[PictureFacts] | NotScored],
    charts: Callable[[], Sequence[ChartFacts] | NotScored],
    no_data: NoData = "failed",
) -> EditabilityGate:
    """Gate 4: most data graphics must be native. ``charts`` is called only where needed."""
    slides = filled_slides(outline)
    native = [(slide, shape) for slide in slides for shape in content_shapes(slide)
              if shape.kind == "chart"]  # fmt: skip
    dead = [_dead(chart) for slide in slides for chart in dead_charts(slide)]
    seen = pictures()
    dead += [] if isinstance(seen, NotScored) else chart_pictures(slides, seen)
    diagrams = sum(shape.kind == "smartart" for slide in slides for shape in content_shapes(slide))
    flows = [flow for slide in slides if (flow := _flow(slide)) is not None]
    remarks = tuple(_loose_flow(flow) for flow in flows if flow.loose)
    diagrams += sum(not flow.loose for flow in flows)
    if not (dead or native or diagrams):
        return _without_data(no_data, remarks)
    wholly_dead = len(dead) > MOSTLY * (len(dead) + len(native) + diagrams)
    facts = () if wholly_dead or not native else charts()
    if isinstance(facts, NotScored):
        return EditabilityGate(
            4, "not_scored", f"The charts could not be tried: {facts.reason}", remarks
        )
    return _weighed(native, diagrams, dead, facts, remarks, probed=not wholly_dead)


def _without_data(no_data: NoData, remarks: tuple[Finding, ...]) -> EditabilityGate:
    summary = "The deck has no native data graphics."
    if no_data == "not_applicable":
        return EditabilityGate(4, "not_applicable", summary, remarks)
    return EditabilityGate(
        4, "failed", summary, remarks, "Show the deck's numbers in native charts."
    )


def _dead(chart: DeadChart) -> Finding:
    return Finding(
        rule="editability.dead-chart", severity="error",
        message=f"A {chart.kind} is drawn from {len(chart.pieces)} plain shapes; there is no data "
        "behind it.",
        slide=chart.slide, shape=chart.pieces[0].label, box=chart.box, fix=CHART_FIX,
    )  # fmt: skip


def chart_pictures(
    slides: Sequence[OutlineSlide], pictures: Sequence[PictureFacts]
) -> list[Finding]:
    """Rasters that show a chart: found by bars in the pixels, or by their alternative text."""
    shown = {slide.number: slide for slide in slides}
    issues = []
    for fact in pictures:
        if fact.kind != "graphic" or fact.slide not in shown:
            continue
        shape = shown[fact.slide].shape(fact.shape) if fact.shape is not None else None
        if fact.bars >= MIN_BARS or (shape is not None and _called_chart(shape)):
            issues.append(Finding(
                rule="editability.chart-picture", severity="error",
                message="A chart is shown as a picture; its numbers cannot be edited.",
                slide=fact.slide, shape=fact.label, box=fact.box, fix=CHART_FIX,
            ))  # fmt: skip
    return issues


def _called_chart(shape: OutlineShape) -> bool:
    text = f"{shape.alt_text} {shape.name}".lower()
    return any(word in text for word in CHART_WORDS) and "flowchart" not in text.replace(" ", "")


def _weighed(
    native: Sequence[tuple[OutlineSlide, OutlineShape]],
    diagrams: int,
    dead: Sequence[Finding],
    facts: Sequence[ChartFacts],
    remarks: tuple[Finding, ...],
    *,
    probed: bool,
) -> EditabilityGate:
    known = {(fact.slide, fact.shape): fact for fact in facts}
    seen: list[Finding] = []
    for slide, shape in native:
        fact = known.get((slide.number, shape.id))
        item = None if fact is None else _chart_evidence(slide, shape, fact)
        seen += [] if item is None else [item]
    broken = [item for item in seen if item.severity == "error"]
    bad, total = len(dead) + len(broken), len(dead) + len(native) + diagrams
    failed = bad > MOSTLY * total
    evidence = [
        item
        if failed or item.severity != "error"
        else item.model_copy(update={"severity": "warning"})
        for item in (*dead, *seen)
    ]
    fixes = dict.fromkeys(item.fix for item in (*dead, *broken))
    return EditabilityGate(
        4, "failed" if failed else "passed",
        _weighed_summary(native, diagrams, len(dead), len(broken), facts, probed=probed),
        (*evidence, *remarks), " ".join(fixes),
    )  # fmt: skip


def _weighed_summary(
    native: Sequence[tuple[OutlineSlide, OutlineShape]],
    diagrams: int,
    dead: int,
    broken: int,
    facts: Sequence[ChartFacts],
    *,
    probed: bool,
) -> str:
    total = dead + len(native) + diagrams
    good = total - dead - broken
    kinds = [
        f"{count} {noun if count == 1 else plural}"
        for count, noun, plural in (
            (len(native), "native chart", "native charts"),
            (diagrams, "SmartArt or connected diagram", "SmartArt or connected diagrams"),
            (dead, "drawing or picture of a chart", "drawings or pictures of charts"),
        )
        if count
    ]
    parts = [f"{percent(good, total)} data graphics can be edited as such: {', '.join(kinds)}"]
    if native and probed:
        tried = sum(fact.redrawn is not None for fact in facts)
        follow = "every chart follows its data" if not broken else (
            f"{broken} of {len(native)} charts do not follow their data"
        )  # fmt: skip
        parts.append(f"{follow} (checked {tried} of {len(native)} with a changed number)")
    elif native:
        parts.append("whether the charts follow their data was not tried")
    return "; ".join(parts) + "."


def _chart_evidence(slide: OutlineSlide, shape: OutlineShape, fact: ChartFacts) -> Finding | None:
    """The first thing wrong with a chart, or a remark; None if all is well."""
    rule, severity, fix = "editability.broken-workbook", "error", WORKBOOK_FIX
    if fact.workbook in ("missing", "linked", "unreadable"):
        words = {
            "missing": "The chart has no workbook",
            "linked": "The chart's workbook lies outside the deck",
            "unreadable": "The chart's workbook cannot be opened",
        }
        detail = words[fact.workbook]
    elif fact.mismatches:
        rule, fix = "editability.stale-chart", CELL_FIX
        detail = f"{len(fact.mismatches)} of {fact.compared} cells disagree with the drawn chart"
        fact_detail = fact.mismatches[0]
        return Finding(
            rule=rule, severity="error", message=f"{detail}: {fact_detail}.",
            slide=slide.number, shape=shape.label, box=shape.box, fix=fix,
        )  # fmt: skip
    elif fact.redrawn is False:
        rule, detail = "editability.frozen-chart", "The picture does not change with the number"
    elif fact.workbook == "foreign" or fact.compared == 0:
        rule, severity = "editability.unread-workbook", "info"
        detail = "The cells of the chart's workbook could not be compared with the drawing"
    else:
        return None
    tail = f": {fact.detail}" if fact.detail else ""
    return Finding(
        rule=rule, severity="error" if severity == "error" else "info", message=f"{detail}{tail}.",
        slide=slide.number, shape=shape.label, box=shape.box, fix=fix,
    )  # fmt: skip


@dataclass(frozen=True)
class _Flow:
    """A slide that draws a process: boxes with text, and lines between them."""

    slide: OutlineSlide
    lines: int
    unglued: tuple[OutlineShape, ...]
    """Lines that are glued to no box."""

    @property
    def loose(self) -> bool:
        return len(self.unglued) >= MIN_PROCESS_LINES


def _flow(slide: OutlineSlide) -> _Flow | None:
    lines = [shape for shape in content_shapes(slide) if shape.kind == "connector"]
    boxes = [shape for shape in content_shapes(slide)
             if shape.kind == "shape" and shape.filled and shape.text is not None
             and shape.text.text.strip() and shape.placeholder is None]  # fmt: skip
    if len(boxes) < MIN_PROCESS_LINES:
        return None
    unglued = tuple(line for line in lines if line.connects == (None, None))
    glued = sum(None not in line.connects for line in lines)
    if len(unglued) < MIN_PROCESS_LINES and glued < MIN_PROCESS_LINES:
        return None
    return _Flow(slide, len(lines), unglued)


def _loose_flow(flow: _Flow) -> Finding:
    first = flow.unglued[0]
    return Finding(
        rule="editability.loose-process", severity="info",
        message=f"{len(flow.unglued)} of {flow.lines} lines between boxes are glued to nothing.",
        slide=flow.slide.number, shape=first.label, box=first.box, fix=CONNECTOR_FIX,
    )  # fmt: skip
