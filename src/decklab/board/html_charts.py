"""Charts as SVG for HTML: the same marks, labels and colours as the native chart."""

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from decklab.board.boxes import ChartBox, Token
from decklab.board.chart_looks import (
    chart_words,
    labels_all,
    point_colors,
    series_colors,
    shown,
    value_scale,
)
from decklab.board.fitting import Fitter, category_lines
from decklab.board.typography import Face, text_width
from decklab.core.geometry import Box

_BAR_SHARE = 1 / 1.6
"""Share of a category that its bars take: a gap of 60 % of a bar, as the native chart has."""

Middle = Literal["start", "middle", "end"]


class ChartDrawing:
    """Draws one chart; the elements are in the order of drawing."""

    def __init__(self, item: ChartBox, fitter: Fitter) -> None:
        self.item, self.chart, self.size = item, item.chart, item.size
        self.colors = fitter.theme.colors
        self.face = Face(fitter.theme.fonts.body, True, fitter.language)
        self.width, self.height = item.box.width, item.box.height
        self.names = category_lines(item.chart, fitter, item.size, item.box.width)
        self.parts: list[str] = []

    def svg(self) -> str:
        """The chart as an ``svg`` element with its words for those who do not see it."""
        draw = {"column": self._columns, "bar": self._bars, "line": self._lines, "pie": self._pie}
        draw[self.chart.kind]()
        return (
            f'<svg role="img" aria-label={quoteattr(chart_words(self.chart))} '
            f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" '
            f'height="{self.height:g}" font-size="{self.size:g}">{"".join(self.parts)}</svg>'
        )

    def _rect(self, box: Box, token: Token) -> None:
        left, top, *_ = box
        self.parts.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" '
            f'height="{box.height:.1f}" fill="{self.colors.value(token)}"/>'
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
    ) -> None:
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight} '
            f'fill="{self.colors.value(token)}">{escape(text)}</text>'
        )

    def _line(self, ends: tuple[float, float, float, float], token: Token, width: float) -> None:
        x1, y1, x2, y2 = ends
        self.parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{self.colors.value(token)}" stroke-width="{width:g}"/>'
        )

    def _wide(self, texts: Sequence[str]) -> float:
        return max(text_width(text, self.face, self.size) for text in texts)

    def _legend(self) -> float:
        """The names of several series above the plot; gives the height it takes."""
        if len(self.chart.series) == 1:
            return 0.0
        names = [item.name for item in self.chart.series]
        total = sum(self._wide([name]) + 36 for name in names)
        x = (self.width - total) / 2
        for name, token in zip(names, series_colors(self.chart), strict=True):
            self._rect(Box(x, self.size * 0.35, x + 10, self.size * 0.35 + 10), token)
            self._label(x + 16, self.size * 1.15, name, anchor="start")
            x += self._wide([name]) + 36
        return self.size * 2

    def _plot(self, *, right: float = 8.0, top: float) -> Box:
        """Where marks are drawn: axis labels stand left of it and below."""
        left = 8.0
        if not labels_all(self.chart):
            ticks = [shown(tick, self.chart) for tick in value_scale(self.chart).ticks()]
            left = self._wide(ticks) + 12
        foot = self.size * (0.5 + 1.3 * max(map(len, self.names)))
        return Box(left, top + self.size * 1.4, self.width - right, self.height - foot)

    def _names(self, plot: Box, step: float) -> None:
        """The names of the categories below the plot, in lines."""
        for number, lines in enumerate(self.names):
            for place, line in enumerate(lines):
                y = plot.bottom + self.size * (1.3 + 1.2 * place)
                self._label(plot.left + step * (number + 0.5), y, line.strip())

    def _levels(self, plot: Box) -> None:
        """Lines across the plot with their values, where the points have none."""
        if labels_all(self.chart):
            return
        for tick in value_scale(self.chart).ticks():
            y = self._y(plot, tick)
            self._line((plot.left, y, plot.right, y), "line", 0.75)
            self._label(plot.left - 6, y + self.size * 0.35, shown(tick, self.chart), anchor="end")

    def _y(self, plot: Box, value: float) -> float:
        scale = value_scale(self.chart)
        return plot.bottom - (value - scale.low) / (scale.high - scale.low) * plot.height

    def _colors(self, series: int) -> list[Token]:
        if len(self.chart.series) == 1:
            return point_colors(self.chart)
        return [series_colors(self.chart)[series]] * len(self.chart.categories)

    def _columns(self) -> None:
        plot = self._plot(top=self._legend())
        self._levels(plot)
        step = plot.width / len(self.chart.categories)
        wide = step * _BAR_SHARE / len(self.chart.series)
        for place, item in enumerate(self.chart.series):
            tokens = self._colors(place)
            for number, value in enumerate(item.values):
                if value is None:
                    continue
                left = plot.left + step * number + step * (1 - _BAR_SHARE) / 2 + wide * place
                ends = sorted((self._y(plot, value), self._y(plot, 0)))
                self._rect(Box(left, ends[0], left + wide * 0.96, ends[1]), tokens[number])
                if labels_all(self.chart):
                    above = ends[0] - 5 if value >= 0 else ends[1] + self.size
                    self._label(left + wide * 0.48, above, shown(value, self.chart))
        self._names(plot, step)
        zero = self._y(plot, 0)
        self._line((plot.left, zero, plot.right, zero), "muted", 1)

    def _bars(self) -> None:
        chart, legend = self.chart, self._legend()
        values = [value for item in chart.series for value in item.values if value is not None]
        left = self._wide(list(chart.categories)) + 12
        right = self.width - self._wide([shown(value, chart) for value in values]) - 12
        foot = 0.0 if labels_all(chart) else self.size * 1.6
        plot = Box(left, legend, right, self.height - foot)
        scale = value_scale(chart)

        def across(value: float) -> float:
            return plot.left + (value - scale.low) / (scale.high - scale.low) * plot.width

        for tick in [] if labels_all(chart) else scale.ticks():
            self._line((across(tick), plot.top, across(tick), plot.bottom), "line", 0.75)
            self._label(across(tick), self.height - 2, shown(tick, chart))
        step = plot.height / len(chart.categories)
        high = step * _BAR_SHARE / len(chart.series)
        for place, item in enumerate(chart.series):
            tokens = self._colors(place)
            for number, value in enumerate(item.values):
                if value is None:
                    continue
                top = plot.top + step * number + step * (1 - _BAR_SHARE) / 2 + high * place
                ends = sorted((across(value), across(0)))
                self._rect(Box(ends[0], top, ends[1], top + high * 0.96), tokens[number])
                if labels_all(chart):
                    self._label(
                        ends[1] + 5,
                        top + high / 2 + self.size * 0.35,
                        shown(value, chart),
                        anchor="start",
                    )
        for number, name in enumerate(chart.categories):
            middle = plot.top + step * (number + 0.5) + self.size * 0.35
            self._label(plot.left - 8, middle, name, anchor="end")
        self._line((across(0), plot.top, across(0), plot.bottom), "muted", 1)

    def _lines(self) -> None:
        chart = self.chart
        several = len(chart.series) > 1
        names = self._wide([item.name for item in chart.series]) + 20 if several else 8.0
        plot = self._plot(right=names, top=0)
        self._levels(plot)
        step = plot.width / len(chart.categories)
        for item, token in zip(chart.series, series_colors(chart), strict=True):
            points = [
                (plot.left + step * (number + 0.5), self._y(plot, value), value)
                for number, value in enumerate(item.values)
                if value is not None
            ]
            for (place, first), (_, second) in pairwise(enumerate(item.values)):
                if first is not None and second is not None:
                    x = plot.left + step * (place + 0.5)
                    ends = (x, self._y(plot, first), x + step, self._y(plot, second))
                    self._line(ends, token, 3 if token == "accent" else 2)
            for x, y, value in points:
                radius = 3.5 if token == "accent" else 2.5
                color = self.colors.value(token)
                self.parts.append(
                    f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{color}"/>'
                )
                if labels_all(chart):
                    self._label(x, y - 8, shown(value, chart))
            if several and points:
                ink: Token = token if token == "accent" else "muted"
                self._label(
                    points[-1][0] + 8,
                    points[-1][1] + self.size * 0.35,
                    item.name,
                    anchor="start",
                    token=ink,
                    bold=token == "accent",
                )
        self._names(plot, step)
        zero = self._y(plot, 0)
        self._line((plot.left, zero, plot.right, zero), "muted", 1)

    def _pie(self) -> None:
        values = [value or 0.0 for value in self.chart.series[0].values]
        radius = min(self.height / 2 - self.size * 2, self.width / 4)
        x, y, turned = self.width / 2, self.height / 2, 0.0
        for value, name, token in zip(
            values, self.chart.categories, point_colors(self.chart), strict=True
        ):
            start, turned = turned, turned + value / sum(values)
            self._sector((x, y, radius), start, turned, token)
            angle = pi * (start + turned)
            out = (x + (radius + 10) * sin(angle), y - (radius + 10) * cos(angle))
            anchor: Middle = "start" if sin(angle) >= 0 else "end"
            self._label(*out, f"{name}; {shown(value, self.chart)}", anchor=anchor)

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
