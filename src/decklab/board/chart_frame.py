"""Where the parts of a chart stand in its box, the same in PowerPoint and in HTML."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, cos, pi, sin, sqrt
from typing import Final, Literal

from decklab.board.blueprint import ChartPlan
from decklab.board.chart_looks import AxisScale, axis_scales, labels_all, labels_parts, shown_value
from decklab.board.typography import SAFETY, Face, text_width, widest_word, wrap
from decklab.core.geometry import Box

NameStyle = Literal["straight", "turned", "none"]
"""Names of categories stand below the plot or rise to it at 45 degrees; a pie and a scatter have
none."""
Side = Literal["left", "right"]

BAR_SHARE: Final = 1 / 1.6
"""Share of a category that its bars take: a gap of 60 % of a bar."""
TURN: Final = 0.7072
"""Height of a text at 45 degrees as a share of its width."""

_EDGE: Final = 8.0
_MOST_NAMES: Final = 0.4
"""Share of the width beside bars, or of the height below columns, that names may take."""
_MOST_TURNED: Final = 0.3
"""Of names that could stand beside bars instead."""
_MOST_LINE_NAMES: Final = 0.3
_MOST_NAME_LINES: Final = 3
_NAME_GAP: Final = 0.6
_TURNED_PITCH: Final = 1.65
"""Distance of names at 45 degrees, in sizes."""
_LEAST_COLUMN: Final = 4.0
_THICKEST_COLUMN: Final = 120.0
_THICKEST_BAR: Final = 44.0
_WIDEST_GAP: Final = 500
_LEAST_PLOT: Final = 0.35
_MOST_LEGEND_ROWS: Final = 2
_PITCH: Final = 1.2
_ROW: Final = 1.5
"""Of text lines and legend rows, in sizes."""


@dataclass(frozen=True)
class SliceName:
    """Where the name of a slice stands, the near end of its middle line, and where it would stand
    if the others left it room."""

    x: float
    y: float
    edge_x: float
    edge_y: float


@dataclass(frozen=True)
class ChartFrame:
    """The measures of a chart in a box, in pixels from the box's corner.

    ``scales`` are those of ``axis_scales``; ``lying`` bars go from left to right. ``names`` are the
    lines of each category's name, empty for one that is left out; ``every`` is the distance of
    those that are shown. ``labelled`` says that every point has its value. ``legend`` are rows of
    series; without one several lines have their names at their ends. ``parts`` says for each series
    of a stack which of its parts hold their value; ``points`` are the categories of a scatter whose
    names stand beside their points. ``titles`` are those of two axes, ``slices`` where the names of
    a pie's slices stand. ``problem`` says what does not fit.
    """

    chart: ChartPlan
    size: float
    box: Box
    plot: Box
    scales: tuple[AxisScale, ...]
    lying: bool = False
    style: NameStyle = "straight"
    names: tuple[tuple[str, ...], ...] = ()
    every: int = 1
    labelled: bool = False
    legend: tuple[tuple[int, ...], ...] = ()
    parts: tuple[tuple[bool, ...], ...] = ()
    points: tuple[tuple[int, Side], ...] = ()
    titles: tuple[str, ...] = ()
    slices: tuple[SliceName, ...] = ()
    problem: str | None = None

    @property
    def step(self) -> float:
        """Room for one category along its axis; areas go from edge to edge."""
        side = self.plot.height if self.lying else self.plot.width
        return side / (len(self.chart.categories) - (self.chart.kind == "area"))

    def middle(self, category: int) -> float:
        """Where a category is along its axis."""
        start = self.plot.top if self.lying else self.plot.left
        return start + self.step * (category + (0.0 if self.chart.kind == "area" else 0.5))

    @property
    def bar(self) -> float:
        """Thickness of one bar, or of a stack."""
        most = _THICKEST_BAR if self.lying else _THICKEST_COLUMN
        return min(self.step * BAR_SHARE / self._abreast, most)

    @property
    def gap(self) -> int:
        """Distance of the bars of two categories, in per cent of the thickness of one bar."""
        return min(round((self.step / self.bar - self._abreast) * 100), _WIDEST_GAP)

    @property
    def _abreast(self) -> int:
        """How many bars a category has side by side."""
        if self.chart.kind in ("stacked", "share"):
            return 1
        return len(self.chart.series) - len(self.chart.lines)

    def along(self, value: float, scale: AxisScale | None = None) -> float:
        """Where a value is: from the top, or for lying bars from the left."""
        share = (scale or self.scales[0]).share(value)
        if self.lying:
            return self.plot.left + share * self.plot.width
        return self.plot.bottom - share * self.plot.height

    def line_ends(self) -> list[tuple[int, float, float]]:
        """For each of several lines the category of its last value, where that is from the top,
        and where its name stands: names keep the distance of lines of text."""
        ends = []
        for item in self.chart.series:
            known = [(at, value) for at, value in enumerate(item.values) if value is not None]
            at, value = known[-1] if known else (0, 0.0)
            ends.append((at, self.along(value)))
        heights = _apart([y for _, y in ends], self.size * _PITCH, self.plot)
        return [(at, y, name) for (at, y), name in zip(ends, heights, strict=True)]


def _apart(heights: Sequence[float], pitch: float, area: Box) -> list[float]:
    """Heights moved so that each is a pitch from the next, in an area, in their order."""
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    moved = list(heights)
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + pitch)
    limit = area.bottom
    for at in reversed(order):
        moved[at] = min(moved[at], limit)
        limit = moved[at] - pitch
    return moved


def frame_chart(
    chart: ChartPlan, face: Face, size: float, width: float, height: float
) -> ChartFrame:
    """The first way to lay out a chart in which all fits; else the first one, with its problem.

    ``face`` is that of its names; values are in its bold.
    """
    tried = list(_Framing(chart, face, size, Box(0, 0, width, height)).tried())
    return next((frame for frame in tried if frame.problem is None), tried[0])


@dataclass(frozen=True)
class _Framing:
    chart: ChartPlan
    face: Face
    size: float
    box: Box

    def tried(self) -> Iterator[ChartFrame]:
        kind = self.chart.kind
        if kind == "pie":
            yield self._pie()
        elif kind == "scatter":
            yield self._scatter()
        else:
            several: tuple[bool, ...] = (True, False) if labels_all(self.chart) else (False,)
            for lying, style in _WAYS[kind]:
                for labelled in several:
                    frame = self._lying(labelled) if lying else self._upright(labelled, style)
                    if frame is not None:
                        yield frame

    @property
    def _bold(self) -> Face:
        return replace(self.face, bold=True)

    def _wide(self, texts: Sequence[str]) -> float:
        face = self._bold
        return max((text_width(text, face, self.size) for text in texts), default=0.0)

    def _shown_values(self) -> list[str]:
        return [
            shown_value(self.chart, value)
            for item in self.chart.series
            for value in item.values
            if value is not None
        ]

    def _legend(self, *, direct: bool) -> tuple[tuple[tuple[int, ...], ...], float]:
        """Rows of series and their height; none for one series and for lines with names."""
        if len(self.chart.series) == 1 or direct:
            return (), 0.0
        rows: list[list[int]] = [[]]
        used = 0.0
        for number, item in enumerate(self.chart.series):
            wide = self._wide([item.name]) + 36
            if rows[-1] and used + wide > self.box.width:
                rows.append([])
                used = 0.0
            rows[-1].append(number)
            used += wide
        return tuple(map(tuple, rows)), len(rows) * self.size * _ROW + self.size / 2

    def _pie(self) -> ChartFrame:
        values = [value or 0.0 for value in self.chart.series[0].values]
        radius = min(self.box.height / 2 - self.size * 1.5, self.box.width / 4)
        x, y = self.box.width / 2, self.box.height / 2
        plot = Box(x - radius, y - radius, x + radius, y + radius)
        middles = [
            2 * pi * (sum(values[:at]) + value / 2) / sum(values) for at, value in enumerate(values)
        ]
        edges = [(x + (radius + 8) * sin(turn), y - (radius + 8) * cos(turn)) for turn in middles]
        places = list(edges)
        for side in (1, -1):
            held = [at for at, turn in enumerate(middles) if (sin(turn) >= 0) == (side > 0)]
            heights = _apart([edges[at][1] for at in held], self.size * _PITCH, self.box)
            for at, height in zip(held, heights, strict=True):
                beside = sqrt(max((radius + 8) ** 2 - (height - y) ** 2, 0.0))
                clear = side * max(side * (edges[at][0] - x), beside)
                places[at] = (x + clear, height)
        slices = tuple(SliceName(*place, *edge) for place, edge in zip(places, edges, strict=True))
        return ChartFrame(
            self.chart, self.size, self.box, plot, (), style="none", labelled=True, slices=slices
        )

    def _scatter(self) -> ChartFrame:
        scales = axis_scales(self.chart, labelled=False)
        title = self.size * _ROW
        left = title + self._wide([scales[1].shown(tick) for tick in scales[1].ticks()]) + 14
        ends = self._wide([scales[0].shown(scales[0].high)]) / 2
        plot = Box(
            left, self.size * 0.8, self.box.width - max(_EDGE, ends),
            self.box.height - title - self.size * _ROW,
        )  # fmt: skip
        titles = tuple(
            f"{item.name} ({unit})" if (unit := item.unit or self.chart.unit) else item.name
            for item in self.chart.series
        )
        frame = ChartFrame(
            self.chart, self.size, self.box, plot, scales, style="none", titles=titles
        )
        return replace(frame, points=tuple(self._point_names(frame)))

    def _point_names(self, frame: ChartFrame) -> Iterator[tuple[int, Side]]:
        """Names beside points, that of the point that stands out first; none covers another."""
        spots = {
            number: (frame.plot.left + frame.scales[0].share(x) * frame.plot.width,
                     frame.plot.bottom - frame.scales[1].share(y) * frame.plot.height)
            for number, x, y in self.chart.points
        }  # fmt: skip
        taken = [Box(x - 5, y - 5, x + 5, y + 5) for x, y in spots.values()]
        high = self.size * _PITCH / 2
        for number in sorted(spots, key=lambda at: at != self.chart.accent_category):
            x, y = spots[number]
            wide = self._wide([self.chart.categories[number]])
            sides: tuple[tuple[Side, float], ...] = (("right", x + 8), ("left", x - 8 - wide))
            for side, left in sides:
                room = Box(left, y - high, left + wide, y + high)
                inside = frame.plot.left <= left and room.right <= self.box.width
                if inside and not any(room.intersection(other).area for other in taken):
                    taken.append(room)
                    yield number, side
                    break

    def _upright(self, labelled: bool, style: NameStyle) -> ChartFrame | None:
        """Columns, lines and areas; None where labels of values do not fit."""
        chart, size = self.chart, self.size
        scales = axis_scales(chart, labelled=labelled)
        widths = [self._wide([scale.shown(tick) for tick in scale.ticks()]) + 14
                  for scale in scales]  # fmt: skip
        left = _EDGE if labelled else widths[0]
        right = _EDGE
        names = self._wide([item.name for item in chart.series]) + 20
        direct = (
            chart.kind == "line"
            and len(chart.series) > 1
            and names <= self.box.width * _MOST_LINE_NAMES
        )
        if direct:
            right = names
        if chart.kind == "combination":
            left, right = left + size * _ROW, widths[1] + size * _ROW
        legend, high = self._legend(direct=direct)
        top = high + size * 0.8
        room = Box(left, top, self.box.width - right, self.box.height)
        titles = tuple(filter(None, chart.units)) if chart.kind == "combination" else ()
        frame = ChartFrame(
            chart, size, self.box, room, scales, style=style, labelled=labelled, legend=legend,
            titles=titles,
        )  # fmt: skip
        frame = self._named(frame)
        if labelled and not self._holds_labels(frame):
            return None
        return self._finished(frame)

    def _finished(self, frame: ChartFrame) -> ChartFrame:
        parts = self._parts(frame) if labels_parts(self.chart) else ()
        problem = self._too_thin(frame) or frame.problem or self._crowded(frame)
        return replace(frame, parts=parts, problem=problem)

    def _parts(self, frame: ChartFrame) -> tuple[tuple[bool, ...], ...]:
        """For each series which of its parts are large enough for their value."""
        face = self._bold
        wholes = [sum(filter(None, row)) for row in zip(*(s.values for s in self.chart.series),
                                                        strict=True)]  # fmt: skip
        length = frame.plot.width if frame.lying else frame.plot.height
        spread = frame.scales[0].high - frame.scales[0].low

        def holds(value: float | None, whole: float) -> bool:
            if not value:
                return False
            long = abs(value) / (whole if self.chart.kind == "share" else spread) * length
            wide = text_width(shown_value(self.chart, value), face, self.size) + 4
            sides = (long, frame.bar) if frame.lying else (frame.bar, long)
            return wide <= sides[0] and self.size * _PITCH <= sides[1]

        return tuple(
            tuple(holds(*pair) for pair in zip(item.values, wholes, strict=True))
            for item in self.chart.series
        )

    def _holds_labels(self, frame: ChartFrame) -> bool:
        room = frame.step if frame.chart.kind == "line" else frame.bar * 1.2
        return self._wide(self._shown_values()) <= room

    def _named(self, frame: ChartFrame) -> ChartFrame:
        """The frame with names below its plot."""
        size, face, kind = self.size, self.face, self.chart.kind
        names = self.chart.categories
        fits, every, left = True, 1, frame.plot.left
        if frame.style == "turned":
            needed = size * _TURNED_PITCH
            if kind in ("line", "area"):
                every = max(ceil(needed / frame.step), 1)
            wide = [text_width(name, face, size) * TURN for name in names]
            lines: list[tuple[str, ...]] = [
                (name,) if not at % every else () for at, name in enumerate(names)
            ]
            left = max(left, wide[0] - frame.step / 2 + 2)
            foot = max(wide) + size * 1.8
            most = _MOST_TURNED if kind in ("column", "stacked") else _MOST_NAMES
            fits = foot <= self.box.height * most and frame.step * every >= needed
        else:
            room = max(frame.step - size * _NAME_GAP, 1.0)
            lines = [tuple(wrap(name, face, size, room)) for name in names]
            widest = max(widest_word(name, face, size) for name in names)
            fits = widest <= room * SAFETY and max(map(len, lines)) <= _MOST_NAME_LINES
            foot = size * (0.5 + 1.3 * max(map(len, lines)))
        _, top, right, bottom = frame.plot
        if kind == "area" and frame.style != "turned":
            half = max(self._wide(line) for line in lines) / 2
            left, right = max(left, half), min(right, self.box.width - half)
        problem = None
        if not fits:
            hint = " (a chart of kind 'bar' has more room)" if kind == "line" else ""
            problem = f"the names of its categories do not fit{hint}"
        return replace(
            frame, plot=Box(left, top, right, bottom - foot), names=tuple(lines), every=every,
            problem=problem,
        )  # fmt: skip

    def _lying(self, labelled: bool) -> ChartFrame | None:
        """Bars from left to right; None where labels of values do not fit."""
        chart, size, face = self.chart, self.size, self.face
        scales = axis_scales(chart, labelled=labelled)
        legend, top = self._legend(direct=False)
        foot = _EDGE / 2 if labelled else size * _ROW
        right = _EDGE + (0 if labelled else self._wide([scales[0].shown(scales[0].high)]) / 2)
        labels = self._wide(self._shown_values()) + 6 if labelled else 0.0
        bottom = self.box.height - foot
        step = (bottom - top) / len(chart.categories)
        most_lines = max(int(step / (size * _PITCH)), 1)
        room = self.box.width * _MOST_NAMES
        lines = tuple(tuple(wrap(name, face, size, room)) for name in chart.categories)
        widest = max(text_width(line, face, size) for name in lines for line in name)
        beyond = 0.1 * (self.box.width - widest - 12)
        plot = Box(widest + 12, top, self.box.width - max(right, labels - beyond), bottom)
        problem = None
        if max(map(len, lines)) > min(most_lines, 2):
            problem = "the names of its categories do not fit"
        if step < size * 1.1:
            problem = f"its {len(chart.categories)} bars do not fit (columns have more room)"
        frame = ChartFrame(
            chart, size, self.box, plot, scales, lying=True, names=lines, labelled=labelled,
            legend=legend, problem=problem,
        )  # fmt: skip
        if labelled and (frame.bar < size * 0.9 or labels > plot.width * _MOST_LINE_NAMES):
            return None
        return self._finished(frame)

    def _too_thin(self, frame: ChartFrame) -> str | None:
        """Which bars cannot be told apart; None for those that can, and for other kinds."""
        if self.chart.kind in ("line", "area") or frame.bar >= _LEAST_COLUMN:
            return None
        count = len(self.chart.series) * len(self.chart.categories)
        return f"its {count} bars are too thin (a line has more room)"

    def _crowded(self, frame: ChartFrame) -> str | None:
        """The problem beside the names of categories, if there is one."""
        if len(frame.legend) > _MOST_LEGEND_ROWS:
            return "the names of its series do not fit"
        if frame.plot.height < self.box.height * _LEAST_PLOT:
            return "it has too little room"
        return None


_WAYS: Final[dict[str, tuple[tuple[bool, NameStyle], ...]]] = {
    "column": ((False, "straight"), (False, "turned"), (True, "straight")),
    "stacked": ((False, "straight"), (False, "turned"), (True, "straight")),
    "combination": ((False, "straight"), (False, "turned")),
    "line": ((False, "straight"), (False, "turned")),
    "area": ((False, "straight"), (False, "turned")),
    "share": ((False, "straight"), (True, "straight"), (False, "turned")),
    "bar": ((True, "straight"),),
}
"""How kinds of charts are laid out, the best first: lying or not, and how names stand."""
