"""Gate 2, vector graphics: at 400 % zoom drawings must stay sharp (paper 002, I.4.3 step 2); and
gate 4, native data: charts must open their workbook and follow it (I.4.3 step 4).

Photographs are content and never count against a deck. Rasters count that stand in for
drawings: icons, diagrams, charts, screenshots, and slides baked into one picture.

Beside charts bound to a workbook the paper names SmartArt and process flows with semantic
connectors as marks of level 4 (table 15 and I.3.3). All three count as native data graphics here;
charts drawn from shapes, pictures of charts and charts that do not follow their data count against
them, and the majority of the deck's data graphics decides. The paper does not say how many are
needed. A drawn chart is rectangles that imitate one: unequal bars on one baseline, or sectors round
one centre. All thresholds are ours.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from decklab.core.geometry import FRAME, Box
from decklab.core.options import NoData
from decklab.core.results import Finding, NotScored
from decklab.deck.model.outline import DeckOutline, OutlineShape, OutlineSlide
from decklab.metrics.editability.verdict import (
    FULL_SLIDE,
    MIN_PASTED_SLIDES,
    MOSTLY,
    PASTED_SHARE,
    ChartFacts,
    EditabilityGate,
    PictureFacts,
    content_shapes,
    coverage,
    filled_slides,
    has_text,
    on_frame,
    paints,
    percent,
)

SHARP_AT_400 = 4 * 1280 / 960
"""Pixels a raster needs per frame pixel to stay sharp at 400 % zoom (paper 002, I.4.3 step 2). A
16:9 slide is 13.33 inches wide, 1280 pixels at the 96 dpi that editors call 100 %."""

BLUR_AREA = 0.02
"""Share of the slide that blurred graphics must cover before the slide counts as pixelated: three
icons of 8 % of the slide's width do, one logo does not."""

LOGO_AREA = 0.05
"""Largest share of the slide for a picture that, standing at one place on several slides, is
taken for a logo or a mark: it is a brand asset, not a graphic of the slide."""

VECTOR_FIX = "Replace the picture by native shapes, an SVG, or a native chart or table."
BAKED_FIX = "Rebuild the slide's drawing from shapes; keep only a photograph as picture."
MIN_LOGO_SLIDES = 3


def is_blurred(fact: PictureFacts) -> bool:
    """True for a raster drawing with fewer pixels than 400 % zoom shows."""
    return fact.kind == "graphic" and fact.density is not None and fact.density < SHARP_AT_400


def logos(pictures: Sequence[PictureFacts]) -> set[str]:
    """Parts that are small, and at one place, on several slides: marks, not graphics."""
    places: dict[tuple[str, tuple[int, int]], set[int]] = defaultdict(set)
    for fact in pictures:
        if fact.part and fact.box.area <= LOGO_AREA * FRAME.area:
            corner = (round(fact.box.left / 4), round(fact.box.top / 4))
            places[fact.part, corner].add(fact.slide)
    return {part for (part, _), slides in places.items() if len(slides) >= MIN_LOGO_SLIDES}


@dataclass(frozen=True)
class _Look:
    """The graphics of one slide under zoom."""

    slide: OutlineSlide
    blurred: tuple[PictureFacts, ...]
    baked: tuple[PictureFacts, ...]
    raster: bool


def judge_vector(
    outline: DeckOutline, pictures: Callable[[], Sequence[PictureFacts] | NotScored]
) -> EditabilityGate:
    """Gate 2: most slides must draw their graphics natively or sharply."""
    slides = filled_slides(outline)
    facts = pictures()
    if isinstance(facts, NotScored):
        return EditabilityGate(
            2, "not_scored", f"The pictures could not be looked at: {facts.reason}"
        )
    drawn = any(paints(shape) for slide in slides for shape in content_shapes(slide))
    if not drawn and not facts:
        return EditabilityGate(2, "not_applicable", "The deck has no graphics, only text.")
    looks = _looks(slides, facts)
    bad = [look for look in looks if look.raster]
    if failed := len(bad) > MOSTLY * len(looks):
        summary = (
            f"Graphics are pixels on {percent(len(bad), len(slides))} slides: screenshots and "
            "rasters stand in for drawings."
        )
    elif bad:
        summary = (
            f"Graphics are native or photographs on most slides; rasters stand in for drawings "
            f"on {percent(len(bad), len(slides))}."
        )
    else:
        summary = "Graphics are native shapes, vectors or photographs."
    evidence = tuple(item for look in looks for item in _evidence(look, failed=failed))
    return EditabilityGate(
        2, "failed" if failed else "passed", summary, evidence, VECTOR_FIX if evidence else ""
    )


def _looks(slides: Sequence[OutlineSlide], facts: Sequence[PictureFacts]) -> list[_Look]:
    marks = logos(facts)
    shared = _shared_backgrounds(slides, facts)
    by_slide: dict[int, list[PictureFacts]] = defaultdict(list)
    for fact in facts:
        if fact.part not in marks and fact.part not in shared:
            by_slide[fact.slide].append(fact)
    return [_look(slide, by_slide[slide.number]) for slide in slides]


def _shared_backgrounds(slides: Sequence[OutlineSlide], facts: Sequence[PictureFacts]) -> set[str]:
    """Full-slide pictures that most slides share: a pasted background, which gate 3 judges."""
    seen: dict[str, set[int]] = defaultdict(set)
    for fact in facts:
        if fact.part and coverage([fact.box]) >= FULL_SLIDE:
            seen[fact.part].add(fact.slide)
    least = max(MIN_PASTED_SLIDES, PASTED_SHARE * len(slides))
    return {part for part, numbers in seen.items() if len(numbers) >= least}


def _look(slide: OutlineSlide, facts: Sequence[PictureFacts]) -> _Look:
    baked = tuple(
        fact for fact in facts if fact.kind == "graphic" and coverage([fact.box]) >= FULL_SLIDE
    )
    blurred = tuple(fact for fact in facts if is_blurred(fact) and fact not in baked)
    area = coverage(fact.box for fact in blurred)
    raster = bool(baked) or (area >= BLUR_AREA and area > _native_area(slide))
    return _Look(slide, blurred, baked, raster)


def _native_area(slide: OutlineSlide) -> float:
    """Share of the slide that native graphics cover, without full panels in the background."""
    boxes: list[Box] = []
    for shape in content_shapes(slide):
        drawn = shape.kind in ("chart", "table", "smartart", "connector") or (
            shape.kind == "shape" and paints(shape) and shape.picture is None
        )
        vector = shape.picture is not None and shape.picture.vector
        empty_placeholder = shape.placeholder is not None and not has_text(shape)
        if (drawn or vector) and shape.box and not empty_placeholder:
            boxes.append(on_frame(shape.box))
    return coverage(box for box in boxes if box.area < FULL_SLIDE * FRAME.area)


def _evidence(look: _Look, *, failed: bool) -> list[Finding]:
    evidence = []
    for fact in look.baked:
        evidence.append(_item(
            fact, "editability.baked-slide",
            "A full-slide raster holds the slide's drawing; only what lies over it can be edited.",
            BAKED_FIX, failing=failed,
        ))  # fmt: skip
    for fact in look.blurred:
        need = SHARP_AT_400 / fact.density if fact.density else 0.0
        evidence.append(_item(
            fact, "editability.raster-graphic",
            f"A raster stands in for a drawing and blurs at 400 % zoom "
            f"({need:.1f} times too few pixels).",
            VECTOR_FIX, failing=failed and look.raster,
        ))  # fmt: skip
    return evidence


def _item(fact: PictureFacts, rule: str, detail: str, fix: str, *, failing: bool) -> Finding:
    return Finding(
        rule=rule, severity="error" if failing else "warning", message=detail,
        slide=fact.slide, shape=fact.label, box=fact.box, fix=fix,
    )  # fmt: skip


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
        if chosen := [bars[index] for index in bars_on_one_baseline(boxes)]:
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
    box = reduce(Box.union, (box for _, box in pieces))
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
