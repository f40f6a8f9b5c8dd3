"""Charts whose labels cannot be read, and charts with too much in them."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from decklab.core.colors import contrast_ratio, parse_color
from decklab.core.geometry import FRAME, Box
from decklab.core.results import Occurrence, quoted
from decklab.deck.model.shapes import Chart
from decklab.deck.views.drawn import Span
from decklab.linting.rules.overlaps import OVERLAP_HEIGHT_SHARE, OVERLAP_WIDTH_EM
from decklab.linting.rules.page import CUT_OFF_PX, DrawnSlide, DrawnText, share_inside, visible
from decklab.linting.rules.rule import Rule, called
from decklab.metrics.contrast import CONTRAST_NORMAL_TEXT
from decklab.seen.drawn import pixels_of

MOST_SLICES: Final = 7
MOST_SERIES: Final = 7
"""Ours: slices of a pie, and lines or colours of another chart, that an eye keeps apart; Cleveland
and McGill's and later work puts what is told by hue alone at five to eight."""

HALVES_APART: Final = 60.0
"""Ours: difference of a channel that makes two grounds of what is behind the ends of a label."""

CHART_LABELS = Rule(
    "chart.labels",
    "ChartLabelsCollide",
    "Labels of a chart are drawn over each other or over its marks.",
    threshold=f"{OVERLAP_HEIGHT_SHARE:.0%} of a label's height on another one, a label half on a"
    f" mark and half beside it under {CONTRAST_NORMAL_TEXT:g}:1, or one that the slide cuts off",
    fix="Label fewer points, move the labels, or make the chart larger.",
    drawn=True,
    scored=False,
)

CHART_CROWDED = Rule(
    "chart.crowded",
    "CrowdedChart",
    "A chart has more slices or series than an eye keeps apart.",
    threshold=f"more than {MOST_SLICES} slices of a pie, or {MOST_SERIES} series",
    fix="Sum up the small ones, or show fewer and name the rest.",
    scored=False,
)

CHART_LEGEND = Rule(
    "chart.legend",
    "LegendOfOneSeries",
    "A legend names the only series.",
    severity="info",
    threshold="a legend and one series, in a chart that is no pie",
    fix="Delete the legend; say in the title what is shown.",
    scored=False,
)

_ROUND: Final = frozenset(("pie", "pie3D", "doughnut", "ofPie"))


def chart_contents(view: DrawnSlide) -> Iterator[Occurrence]:
    """Charts with many slices or series, and legends of one series."""
    slide = view.slide
    for chart in visible(slide.charts):
        pie = chart.type in _ROUND
        count = max((len(line.values) for line in chart.series), default=0) if pie else 0
        series = len({line.name or number for number, line in enumerate(chart.series)})
        many = (count, "slices", MOST_SLICES) if pie else (series, "series", MOST_SERIES)
        if many[0] > many[2]:
            finding = CHART_CROWDED.finding(
                f"{called(chart, start=True)} has {many[0]} {many[1]}.", slide.number, chart,
                measured=float(many[0]), threshold=float(many[2]),
            )  # fmt: skip
            yield Occurrence(finding, (chart.name, many[0]))
        if chart.legend and len(chart.series) == 1 and not pie:
            finding = CHART_LEGEND.finding(
                f"The legend of {called(chart)} names its only series.", slide.number, chart
            )
            yield Occurrence(finding, chart.name)


def chart_labels(view: DrawnSlide) -> Iterator[Occurrence]:
    """Labels of charts that are drawn over each other, that are hard to read because the edge of a
    bar or area runs through them, or that the edge of the slide cuts; one finding for a chart.

    Turned labels are judged by their extent only where they leave the slide.
    """
    for drawn in view.contents:
        chart = drawn.element
        if not isinstance(chart, Chart) or chart.id in view.moving:
            continue
        fault = _collision(drawn, view) or _cut(drawn.spans) or _divided(drawn, view)
        if fault is not None:
            says, box = fault
            finding = CHART_LABELS.finding(
                f"{says} in {called(chart)}.", view.slide.number, chart, box=box
            )
            yield Occurrence(finding, (chart.name, says.split()[-1]))


_Fault = tuple[str, Box]


def _collision(drawn: DrawnText, view: DrawnSlide) -> _Fault | None:
    clashes = []
    spans = [span for span in drawn.level_spans if any(map(str.isalnum, span.text))]
    for first, second in combinations(spans, 2):
        part = first.box.intersection(second.box)
        low = min(first.box.height, second.box.height)
        em = min(first.size_pt, second.size_pt) * view.px_per_pt
        wide = part.width >= min(OVERLAP_WIDTH_EM * em, first.box.width / 2, second.box.width / 2)
        if part.area and wide and part.height >= OVERLAP_HEIGHT_SHARE * low:
            clashes.append((part.area, first, second))
    if not clashes:
        return None
    _area, first, second = max(clashes, key=lambda clash: clash[0])
    more = f" (and {len(clashes) - 1} more)" if len(clashes) > 1 else ""
    says = f"{quoted(first.text)} and {quoted(second.text)}{more} are drawn over each other"
    return says, first.box.union(second.box)


def _cut(spans: Sequence[Span]) -> _Fault | None:
    for span in spans:
        if share_inside(span.box, FRAME) and share_inside(span.box, FRAME.grown(CUT_OFF_PX)) < 1:
            return f"{quoted(span.text)} runs past the edge of the slide", span.box
    return None


def _divided(drawn: DrawnText, view: DrawnSlide) -> _Fault | None:
    """A label of which one end stands on a mark that hides it and the other beside the mark."""
    if view.image is None:
        return None
    for span in drawn.level_spans:
        if not span.color or not any(map(str.isalnum, span.text)):
            continue
        if any(_is_parted(view, span, *ends) for ends in _ends(span.box)):
            return f"{quoted(span.text)} stands half on a mark and half beside it", span.box
    return None


def _is_parted(view: DrawnSlide, span: Span, box: Box, other: Box) -> bool:
    """Whether two ends of a label have two grounds, one of which hides its ink."""
    first, second = _ground(view, box, span), _ground(view, other, span)
    if first is None or second is None:
        return False
    apart = max(abs(a - b) for a, b in zip(first, second, strict=True))
    weakest = min(contrast_ratio(ground, parse_color(span.color)) for ground in (first, second))
    return apart >= HALVES_APART and weakest < CONTRAST_NORMAL_TEXT


def _ends(box: Box) -> Iterator[tuple[Box, Box]]:
    """The left and right third of a box, and the upper and lower one."""
    across, down = box.width / 3, box.height / 3
    yield (
        Box(box.left, box.top, box.left + across, box.bottom),
        Box(box.right - across, box.top, box.right, box.bottom),
    )
    yield (
        Box(box.left, box.top, box.right, box.top + down),
        Box(box.left, box.bottom - down, box.right, box.bottom),
    )


def _ground(view: DrawnSlide, box: Box, span: Span) -> tuple[int, int, int] | None:
    """The colour behind a piece of a label: of most of the pixels that are not its ink."""
    assert view.image is not None
    pixels = pixels_of(view.image, box).reshape(-1, 3).astype(np.float32)
    if len(pixels) < 12:
        return None
    ink = np.array(parse_color(span.color), np.float32)
    away = np.linalg.norm(pixels - ink, axis=1)
    red, green, blue = np.median(pixels[away >= np.percentile(away, 50)], axis=0)
    return int(red), int(green), int(blue)
