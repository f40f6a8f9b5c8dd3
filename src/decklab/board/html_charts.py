"""Charts as SVG for HTML: the same marks, labels and colours as the native chart."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import cos, pi, sin
from typing import Final, Literal
from xml.sax.saxutils import escape, quoteattr

from decklab.board.boxes import ChartBox, Token
from decklab.board.chart_frame import TURN, frame_chart
from decklab.board.chart_looks import (
    AxisScale,
    Dash,
    chart_words,
    line_dash,
    point_colors,
    readable_on,
    series_colors,
    shown_value,
)
from decklab.board.themes import Colors
from decklab.board.typography import Face, text_width
from decklab.core.geometry import Box

_BASE: Final = 0.35
"""How far the foot of a text is below its middle, in sizes."""
_DASHED: Final = {"dash": "8 6", "sysDot": "2 2"}
"""Lengths of dashes and gaps of a line of 2 pixels, as DrawingML has them."""

Middle = Literal["start", "middle", "end"]
_Spot = tuple[float, float]


class ChartDrawing:
    """Draws one chart; the elements are in the order of drawing."""

    def __init__(self, item: ChartBox, face: Face, colors: Colors) -> None:
        self.item, self.chart, self.size = item, item.chart, item.size
        self.colors = colors
        self.face = replace(face, bold=True)
        self.width, self.height = item.box.width, item.box.height
        self.frame = frame_chart(item.chart, face, item.size, self.width, self.height)
        self.plot = self.frame.plot
        self.parts: list[str] = []

    def svg(self) -> str:
        """The chart as an ``svg`` element with its words for those who do not see it."""
        if self.chart.kind == "pie":
            self._pie()
        elif self.chart.kind == "scatter":
            self._scatter()
        else:
            self._over_categories()
        return (
            f'<svg role="img" aria-label={quoteattr(chart_words(self.chart))} '
            f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" '
            f'height="{self.height:g}" font-size="{self.size:g}">{"".join(self.parts)}</svg>'
        )

    def _over_categories(self) -> None:
        chart = self.chart
        self._legend()
        self._levels(self.frame.scales[0])
        if chart.kind in ("stacked", "share"):
            self._stacks()
        elif chart.kind == "area":
            self._areas()
        elif chart.kind != "line":
            columns = [at for at in range(len(chart.series)) if at not in chart.lines]
            self._bars(columns)
        self._names()
        zero = self.frame.along(0)
        left, top, right, bottom = self.plot
        ends = (zero, top, zero, bottom) if self.frame.lying else (left, zero, right, zero)
        self._line(ends, "muted", 1)
        for number in chart.lines or (range(len(chart.series)) if chart.kind == "line" else ()):
            self._drawn_line(number)
        if chart.kind == "combination":
            self._second_axis(self.frame.scales[1])
        self._titles()

    def _rect(self, box: Box, token: Token, edge: Token | None = None) -> None:
        left, top, *_ = box
        edge = "accent" if token == "tint" else edge
        stroke = f' stroke="{self.colors.value(edge)}"' if edge else ""
        self.parts.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" '
            f'height="{box.height:.1f}" fill="{self.colors.value(token)}"{stroke}/>'
        )

    def _label(
        self,
        x: float,
        y: float,
        text: str,
        *,
        anchor: Middle = "middle",
        token: Token = "text",
        bold: bool = False,
        turn: int = 0,
    ) -> None:
        weight = ' font-weight="bold"' if bold else ""
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}{turned} '
            f'fill="{self.colors.value(token)}">{escape(text)}</text>'
        )

    def _line(
        self, ends: tuple[float, float, float, float], token: Token, width: float,
        dash: Dash = "solid",
    ) -> None:  # fmt: skip
        x1, y1, x2, y2 = ends
        dashed = f' stroke-dasharray="{_DASHED[dash]}"' if dash != "solid" else ""
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{self.colors.value(token)}" stroke-width="{width:g}"{dashed}/>'
        )

    def _shown(self, value: float) -> str:
        return shown_value(self.chart, value)

    def _legend(self) -> None:
        """The names of several series above the plot."""
        tokens = series_colors(self.chart, self.colors)
        for row, members in enumerate(self.frame.legend):
            names = [self.chart.series[number].name for number in members]
            widths = [text_width(name, self.face, self.size) + 36 for name in names]
            x = (self.width - sum(widths) + 20) / 2
            y = self.size * (0.35 + 1.5 * row)
            for number, name, wide in zip(members, names, widths, strict=True):
                if number in self.chart.lines or self.chart.kind == "line":
                    dash = line_dash(self.chart, number)
                    self._line((x - 4, y + 5, x + 12, y + 5), tokens[number], 3, dash)
                else:
                    self._rect(Box(x, y, x + 10, y + 10), tokens[number])
                self._label(x + 16, y + 5 + self.size * _BASE, name, anchor="start")
                x += wide

    def _names(self) -> None:
        """The names of the categories beside or below the plot, in lines."""
        frame = self.frame
        for number, lines in enumerate(frame.names):
            middle = frame.middle(number)
            if frame.style == "turned":
                y = self.plot.bottom + self.size * 0.9
                for line in lines:
                    self._label(middle + self.size * TURN / 2, y, line, anchor="end", turn=-45)
                continue
            for place, line in enumerate(lines):
                if frame.lying:
                    up = self.size * (1.2 * (place - (len(lines) - 1) / 2) + _BASE)
                    self._label(self.plot.left - 8, middle + up, line.strip(), anchor="end")
                else:
                    y = self.plot.bottom + self.size * (1.3 + 1.2 * place)
                    self._label(middle, y, line.strip())

    def _levels(self, scale: AxisScale) -> None:
        """Lines across the plot with their values, where the points have none."""
        if self.frame.labelled:
            return
        left, top, right, bottom = self.plot
        for tick in scale.ticks():
            at = self.frame.along(tick, scale)
            if self.frame.lying:
                self._line((at, top, at, bottom), "line", 0.75)
                self._label(at, bottom + self.size * 1.3, scale.shown(tick))
            else:
                self._line((left, at, right, at), "line", 0.75)
                self._label(left - 6, at + self.size * _BASE, scale.shown(tick), anchor="end")

    def _second_axis(self, scale: AxisScale) -> None:
        for tick in scale.ticks():
            y = self.frame.along(tick, scale) + self.size * _BASE
            self._label(self.plot.right + 6, y, scale.shown(tick), anchor="start")

    def _titles(self) -> None:
        """Titles of two axes: left and right of a combination, below and left of a scatter."""
        if not self.frame.titles:
            return
        first, second = self.frame.titles
        middle = (self.plot.top + self.plot.bottom) / 2
        left = self.size
        if self.chart.kind == "scatter":
            across = (self.plot.left + self.plot.right) / 2
            self._label(across, self.height - self.size * 0.3, first)
            self._label(left, middle, second, turn=-90)
        else:
            self._label(left, middle, first, turn=-90)
            self._label(self.width - self.size * 0.3, middle, second, turn=-90)

    def _colors(self, series: int) -> list[Token]:
        if len(self.chart.series) == 1 and self.chart.kind in ("column", "bar", "stacked"):
            return point_colors(self.chart)
        return [series_colors(self.chart, self.colors)[series]] * len(self.chart.categories)

    def _bar(self, start: float, end: float, from_side: float, thick: float) -> Box:
        """A bar from one value to another, both along the axis of values."""
        low, high = sorted((start, end))
        if self.frame.lying:
            return Box(low, from_side, high, from_side + thick)
        return Box(from_side, low, from_side + thick, high)

    def _bars(self, columns: Sequence[int]) -> None:
        """Columns or lying bars side by side."""
        frame, size = self.frame, self.size
        for place, series in enumerate(columns):
            tokens = self._colors(series)
            for number, value in enumerate(self.chart.series[series].values):
                if value is None:
                    continue
                side = frame.middle(number) + frame.bar * (place - len(columns) / 2)
                end, zero = frame.along(value), frame.along(0)
                self._rect(self._bar(zero, end, side, frame.bar * 0.96), tokens[number])
                if not frame.labelled:
                    continue
                middle = side + frame.bar * 0.48
                if frame.lying:
                    out, anchor = (5, "start") if value >= 0 else (-5, "end")
                    y = middle + size * _BASE
                    self._label(end + out, y, self._shown(value), anchor=anchor)  # type: ignore[arg-type]
                else:
                    self._label(middle, end - 5 if value >= 0 else end + size, self._shown(value))

    def _stacks(self) -> None:
        """Columns or bars on each other; parts below 0 go the other way."""
        frame, chart = self.frame, self.chart
        for number, row in enumerate(zip(*(item.values for item in chart.series), strict=True)):
            whole = sum(value or 0.0 for value in row) if chart.kind == "share" else 1.0
            ends = {1: 0.0, -1: 0.0}
            for series, value in enumerate(row):
                if not value:
                    continue
                sign = 1 if value > 0 else -1
                start, ends[sign] = ends[sign], ends[sign] + value / whole
                side = frame.middle(number) - frame.bar / 2
                span = frame.along(start), frame.along(ends[sign])
                box = self._bar(*span, side, frame.bar)
                token = self._colors(series)[number]
                self._rect(box, token, "background")
                if frame.parts and frame.parts[series][number]:
                    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
                    ink = readable_on(token, self.colors)
                    self._label(x, y + self.size * _BASE, self._shown(value), token=ink)

    def _areas(self) -> None:
        frame, chart = self.frame, self.chart
        below = [0.0] * len(chart.categories)
        for item, token in zip(chart.series, series_colors(chart, self.colors), strict=True):
            above = [low + (value or 0.0) for low, value in zip(below, item.values, strict=True)]
            edge = [(frame.middle(at), frame.along(value)) for at, value in enumerate(above)]
            back = [(frame.middle(at), frame.along(value)) for at, value in enumerate(below)]
            spots = " ".join(f"{x:.1f},{y:.1f}" for x, y in (*edge, *reversed(back)))
            self.parts.append(
                f'<polygon points="{spots}" fill="{self.colors.value(token)}" '
                f'stroke="{self.colors.value("accent" if token == "tint" else "background")}"/>'
            )
            below = above

    def _drawn_line(self, series: int) -> None:
        """A line with its marks; it is interrupted where values are missing."""
        frame, chart = self.frame, self.chart
        item, token = chart.series[series], series_colors(chart, self.colors)[series]
        scale = frame.scales[1] if chart.lines else frame.scales[0]
        spots: list[_Spot | None] = [
            None if value is None else (frame.middle(at), frame.along(value, scale))
            for at, value in enumerate(item.values)
        ]
        for first, second in pairwise(spots):
            if first and second:
                thick = 3 if token == "accent" else 2
                self._line((*first, *second), token, thick, line_dash(chart, series))
        radius = 3.5 if token == "accent" else 2.5
        radius -= frame.step < 2 * self.size
        for spot, value in zip(spots, item.values, strict=True):
            if spot is None or value is None:
                continue
            x, y = spot
            self._dot(x, y, radius, token)
            if frame.labelled:
                self._label(x, y - 9, self._shown(value))
        if chart.kind == "line" and len(chart.series) > 1 and not frame.legend:
            at, _, name_y = frame.line_ends()[series]
            ink: Token = "accent" if token == "accent" else "muted"
            self._label(
                frame.middle(at) + 8, name_y + self.size * _BASE, item.name, anchor="start",
                token=ink, bold=token == "accent",
            )  # fmt: skip

    def _dot(self, x: float, y: float, radius: float, token: Token) -> None:
        self.parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{self.colors.value(token)}"/>'
        )

    def _scatter(self) -> None:
        across, up = self.frame.scales
        self._levels(up)
        left, top, _, bottom = self.plot
        for tick in across.ticks():
            x = left + across.share(tick) * self.plot.width
            self._line((x, top, x, bottom), "line", 0.75)
            self._label(x, bottom + self.size * 1.3, across.shown(tick))
        sides, tokens = dict(self.frame.points), point_colors(self.chart)
        for number, x_value, y_value in self.chart.points:
            x, y = left + across.share(x_value) * self.plot.width, self.frame.along(y_value, up)
            self._dot(x, y, 4.5, tokens[number])
            if number in sides:
                out, anchor = (8, "start") if sides[number] == "right" else (-8, "end")
                name = self.chart.categories[number]
                self._label(
                    x + out, y + self.size * _BASE, name, anchor=anchor,  # type: ignore[arg-type]
                    bold=number == self.chart.accent_category,
                )  # fmt: skip
        self._titles()

    def _pie(self) -> None:
        values = [value or 0.0 for value in self.chart.series[0].values]
        x, y = (self.plot.left + self.plot.right) / 2, (self.plot.top + self.plot.bottom) / 2
        turned = 0.0
        for value, name, token, place in zip(
            values, self.chart.categories, point_colors(self.chart), self.frame.slices, strict=True
        ):
            start, turned = turned, turned + value / sum(values)
            self._sector((x, y, self.plot.height / 2), start, turned, token)
            anchor: Middle = "start" if place.x >= x else "end"
            words = f"{name}; {self._shown(value)}"
            self._label(place.x, place.y + self.size * _BASE, words, anchor=anchor)

    def _sector(
        self, circle: tuple[float, float, float], start: float, end: float, token: Token
    ) -> None:
        x, y, radius = circle
        color, edge = self.colors.value(token), self.colors.value("background")
        if end - start > 1 - 1e-9:
            self.parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{color}"/>'
            )
            return
        first, last = (
            (x + radius * sin(2 * pi * turn), y - radius * cos(2 * pi * turn))
            for turn in (start, end)
        )
        far = int(end - start > 0.5)
        self.parts.append(
            f'<path d="M{x:.1f},{y:.1f} L{first[0]:.1f},{first[1]:.1f} A{radius:.1f},{radius:.1f} '
            f'0 {far} 1 {last[0]:.1f},{last[1]:.1f} Z" fill="{color}" stroke="{edge}" '
            'stroke-width="2"/>'
        )
