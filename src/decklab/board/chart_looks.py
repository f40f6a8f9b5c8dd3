"""What charts show beside their data, the same in PowerPoint and in HTML: colours and labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from decklab.board.blueprint import ChartPlan
from decklab.board.boxes import Token

GREYS: tuple[Token, Token, Token] = ("grey1", "grey2", "grey3")
_MOST_LABELS = 16
_LABEL_ROOM = 0.12
_LONGEST_ALT = 240


def series_colors(chart: ChartPlan) -> list[Token]:
    """The accent colour for the series that stands out, greys for the others."""
    greys = iter(GREYS)
    return [
        "accent" if number == chart.accent else next(greys) for number in range(len(chart.series))
    ]


def point_colors(chart: ChartPlan) -> list[Token]:
    """The colours of the points of a chart of one series."""
    if chart.kind == "pie":
        first = chart.accent_category or 0
        others = [number for number in range(len(chart.categories)) if number != first]
        colors: list[Token] = ["accent"] * len(chart.categories)
        for place, number in enumerate(others):
            colors[number] = GREYS[place % len(GREYS)]
        return colors
    if chart.accent_category is None:
        return ["accent"] * len(chart.categories)
    return [
        "accent" if number == chart.accent_category else "grey3"
        for number in range(len(chart.categories))
    ]


def labels_all(chart: ChartPlan) -> bool:
    """Whether every point has its value written on it, so that no axis is needed."""
    if chart.kind == "line":
        return len(chart.series) == 1 and len(chart.categories) <= 12
    return len(chart.series) * len(chart.categories) <= _MOST_LABELS


@dataclass(frozen=True)
class AxisScale:
    """The value axis of a chart: its ends and the distance of its marks."""

    low: float
    high: float
    step: float

    def ticks(self) -> list[float]:
        """The values at which the axis has marks."""
        count = round((self.high - self.low) / self.step)
        return [self.low + number * self.step for number in range(count + 1)]


def value_scale(chart: ChartPlan) -> AxisScale:
    """Ends around all values and 0: room for labels, or round ones where the axis is shown.

    Marks are about five steps apart, each 1, 2 or 5 times a power of 10.
    """
    values = [value for item in chart.series for value in item.values if value is not None]
    low, high = min(*values, 0.0, 0.0), max(*values, 0.0, 0.0)
    if low == high:
        high = 1.0
    if labels_all(chart):
        room = (high - low) * _LABEL_ROOM
        return AxisScale(low - room if low < 0 else 0.0, high + room, (high - low) / 5)
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    return AxisScale(floor(low / step) * step, ceil(high / step - 1e-9) * step, step)


def decimals(chart: ChartPlan) -> int:
    """Decimal places that the values need, at most 2."""
    values = [value for item in chart.series for value in item.values if value is not None]
    if not labels_all(chart):
        values += value_scale(chart).ticks()
    return next((places for places in (0, 1) if _exact(values, places)), 2)


def _exact(values: Sequence[float], places: int) -> bool:
    return all(abs(value - round(value, places)) < 1e-9 for value in values)


def number_format(chart: ChartPlan) -> str:
    """The number format of values as spreadsheets spell it.

    Thousands have no mark between them: programs would each put that of their own language.
    """
    places = decimals(chart)
    return "0" + ("." + "0" * places if places else "")


def shown(value: float, chart: ChartPlan) -> str:
    """A value as the chart shows it."""
    return f"{value:.{decimals(chart)}f}"


def chart_words(chart: ChartPlan) -> str:
    """The chart in words, for those who do not see it: its unit and first values by series."""
    parts = [
        f"{item.name}: "
        + ", ".join(
            f"{name} {shown(value, chart)}"
            for name, value in zip(chart.categories, item.values, strict=True)
            if value is not None
        )
        for item in chart.series
    ]
    unit = f"{chart.unit}. " if chart.unit else ""
    words = f"{unit}{'; '.join(parts)}"
    return words if len(words) <= _LONGEST_ALT else words[: _LONGEST_ALT - 1].rstrip() + "…"
