"""Charts over the slides of a deck, as coordinates that a template draws in SVG."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import ceil, sqrt
from typing import Final

from decklab.core.results import DeckResult


@dataclass(frozen=True)
class PlotArea:
    """A drawing's size and the edges of its plotting area, in SVG user units."""

    width: int
    height: int
    left: int
    top: int
    right: int
    bottom: int

    @property
    def plot_width(self) -> int:
        """Width of the plotting area."""
        return self.right - self.left

    @property
    def plot_height(self) -> int:
        """Height of the plotting area."""
        return self.bottom - self.top


WIDE = PlotArea(960, 220, 44, 14, 850, 186)
"""A chart for a wide screen: the margin at the right holds the names of bands and levels."""

NARROW = PlotArea(340, 200, 32, 14, 334, 166)
"""The same chart for a phone, with text of the same size."""

NARROW_BANDS = PlotArea(340, 200, 32, 14, 256, 166)
"""A chart for a phone whose margin at the right holds the names of bands."""


@dataclass(frozen=True)
class Tick:
    """A mark on an axis: its place and its label."""

    at: float
    label: str


@dataclass(frozen=True)
class Band:
    """A named range of values, as the vertical edges of its strip."""

    name: str
    top: float
    bottom: float

    @property
    def middle(self) -> float:
        """The place of its name."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True)
class ChartMark:
    """The value of one slide."""

    slide: int
    value: float
    x: float
    y: float


@dataclass(frozen=True)
class LineChart:
    """A line over slides. ``missing`` holds the slides without a value, and their places."""

    frame: PlotArea
    runs: tuple[tuple[ChartMark, ...], ...]
    missing: tuple[Tick, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    level: float | None
    """The place of the line of the mean."""
    spread: Band | None
    """One standard deviation to either side of the mean."""

    @property
    def marks(self) -> list[ChartMark]:
        """All values, in order."""
        return [mark for run in self.runs for mark in run]

    @property
    def radius(self) -> float:
        """Size of a value's dot; smaller if there are many."""
        room = self.frame.plot_width / max(1, len(self.marks))
        return min(4.0, max(1.5, room / 4))


def slide_ticks(slides: int, most: int) -> list[int]:
    """About ``most`` slide numbers at most, to print under an axis, in round steps, with 1.

    >>> slide_ticks(9, 6), slide_ticks(40, 12)
    ([1, 3, 5, 7, 9], [1, 5, 10, 15, 20, 25, 30, 35, 40])
    """
    steps = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
    if (step := next((s for s in steps if slides / s <= most), slides)) <= 2:
        return list(range(1, slides + 1, step))
    return [1, *range(step, slides + 1, step)] if slides else []


def line_chart(
    values: Sequence[tuple[int, float | None]],
    frame: PlotArea,
    *,
    slides: int,
    y_max: float,
    y_labels: Iterable[tuple[float, str]],
    mean: float | None = None,
    deviation: float | None = None,
) -> LineChart:
    """A line through ``values`` (slide, value) over the ``slides`` of a deck, from 0 to ``y_max``.

    Slides without a value break the line.
    """
    x = _places(frame, slides)

    def y(value: float) -> float:
        return frame.bottom - min(1.0, max(0.0, value / y_max)) * frame.plot_height

    runs = tuple(
        tuple(ChartMark(s, v, x(s), y(v)) for s, v in run if v is not None)
        for has_value, run in groupby(values, lambda pair: pair[1] is not None)
        if has_value
    )
    spread = None
    if mean is not None and deviation is not None:
        spread = Band("one standard deviation", y(mean + deviation), y(mean - deviation))
    return LineChart(
        frame=frame,
        runs=runs,
        missing=tuple(Tick(x(s), str(s)) for s, v in values if v is None),
        x_ticks=_x_ticks(frame, slides),
        y_ticks=tuple(Tick(y(value), label) for value, label in y_labels),
        level=None if mean is None else y(mean),
        spread=spread,
    )


def _places(frame: PlotArea, slides: int) -> Callable[[int], float]:
    inset = 14
    room = frame.plot_width - 2 * inset

    def place(slide: int) -> float:
        share = 0.5 if slides < 2 else (slide - 1) / (slides - 1)
        return frame.left + inset + share * room

    return place


def _x_ticks(frame: PlotArea, slides: int) -> tuple[Tick, ...]:
    x = _places(frame, slides)
    return tuple(Tick(x(s), str(s)) for s in slide_ticks(slides, frame.plot_width // 34))


@dataclass(frozen=True)
class SlideChange:
    """The change from one slide to the next one that has a value."""

    before: int
    after: int
    size: float
    x: float
    y: float


@dataclass(frozen=True)
class StepChart:
    """Changes from slide to slide over named bands, their root mean square as a level."""

    frame: PlotArea
    steps: tuple[SlideChange, ...]
    bands: tuple[Band, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    level: float | None


def step_chart(
    values: Sequence[tuple[int, float]],
    frame: PlotArea,
    *,
    slides: int,
    bands: Sequence[tuple[str, float, float]],
    rmssd: float | None,
) -> StepChart:
    """The absolute changes of ``values`` (slide, value in 0 to 1) between neighbours.

    ``bands`` are (name, from, to). The scale is a square root, since the bands of interest are
    of very different widths close to 0.
    """
    x = _places(frame, slides)

    def y(value: float) -> float:
        return frame.bottom - sqrt(min(1.0, max(0.0, value))) * frame.plot_height

    steps = []
    for (before, a), (after, b) in pairwise(values):
        size = abs(b - a)
        steps.append(SlideChange(before, after, size, (x(before) + x(after)) / 2, y(size)))
    edges = sorted({edge for _, low, high in bands for edge in (low, high)})
    return StepChart(
        frame=frame,
        steps=tuple(steps),
        bands=tuple(Band(name, y(high), y(low)) for name, low, high in bands),
        x_ticks=_x_ticks(frame, slides),
        y_ticks=tuple(Tick(y(edge), f"{edge:g}") for edge in edges),
        level=None if rmssd is None else y(rmssd),
    )


RMSSD_BANDS: Final = (("even", 0.0, 0.09), ("usual", 0.09, 0.54), ("abrupt", 0.54, 1.0))
"""Name and limits of bands of the typical change: the usual one is that of the middle 95 % of
professional decks (``RMSSD_USUAL`` of the metric), only for drawing and words."""


@dataclass(frozen=True)
class Rhythm:
    """The slide scores as a line, and their changes over the bands; each wide and narrow."""

    lines: tuple[LineChart, LineChart]
    steps: tuple[StepChart, StepChart]
    mean: float | None
    rmssd: float | None

    @property
    def word(self) -> str:
        """The band of the typical change; empty if that is not known."""
        if self.rmssd is None:
            return ""
        return next(name for name, _, high in RMSSD_BANDS if self.rmssd <= high)


def rhythm(result: DeckResult) -> Rhythm | None:
    """The charts of ``rhythm.score``; None if no slide has a rhythm score."""
    row = result.row("rhythm.score")
    evidence = row.evidence if row else {}
    scores = [(int(slide), float(score)) for slide, score in evidence.get("slide_scores", ())]
    if not scores:
        scores = [
            (m.slide, float(m.evidence["slide_score"]))
            for m in result.measurements
            if m.metric == "rhythm.subband_entropy" and m.slide and "slide_score" in m.evidence
        ]
    if not scores:
        return None
    scores.sort()
    known = dict(scores)
    slides = max(result.slides, scores[-1][0])
    mean, rmssd = evidence.get("mean_slide_score"), evidence.get("rmssd")
    values = [(slide, known.get(slide)) for slide in range(1, slides + 1)]
    ticks = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
    wide, narrow = (
        line_chart(values, frame, slides=slides, y_max=1.0, y_labels=ticks, mean=mean)
        for frame in (WIDE, NARROW)
    )
    wide_steps, narrow_steps = (
        step_chart(scores, frame, slides=slides, bands=RMSSD_BANDS, rmssd=rmssd)
        for frame in (WIDE, NARROW_BANDS)
    )
    return Rhythm((wide, narrow), (wide_steps, narrow_steps), mean, rmssd)


@dataclass(frozen=True)
class ColourPacing:
    """Colourfulness as a line, wide and narrow, with its mean and standard deviation."""

    lines: tuple[LineChart, LineChart]
    mean: float | None
    deviation: float | None
    level: float | None
    pacing: float | None


def colour_pacing(result: DeckResult) -> ColourPacing | None:
    """The chart of ``engagement.colorfulness``; None if no slide has a value."""
    known = {
        m.slide: m.value
        for m in result.measurements
        if m.metric == "engagement.colorfulness" and m.slide is not None and m.value is not None
    }
    if not known:
        return None
    row = result.row("engagement.score")
    evidence = row.evidence if row else {}
    mean, deviation = evidence.get("mean"), evidence.get("std")
    slides = max(result.slides, *known)
    y_max = max(100.0, 50.0 * ceil(max(known.values()) / 50))
    ticks = [(50.0 * i, f"{50 * i}") for i in range(int(y_max // 50) + 1)]
    wide, narrow = (
        line_chart(
            [(slide, known.get(slide)) for slide in range(1, slides + 1)],
            frame, slides=slides, y_max=y_max, y_labels=ticks, mean=mean, deviation=deviation,
        )
        for frame in (WIDE, NARROW)
    )  # fmt: skip
    return ColourPacing(
        (wide, narrow), mean, deviation, evidence.get("level"), evidence.get("pacing")
    )
