"""What charts show beside their data, the same in PowerPoint and in HTML: colours and labels."""

from collections.abc import Sequence

from decklab.composing.blueprint import ChartPlan
from decklab.composing.boxes import Token

GREYS: tuple[Token, Token, Token] = ("grey1", "grey2", "grey3")
_MOST_LABELS = 16
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


def decimals(chart: ChartPlan) -> int:
    """Decimal places that the values need, at most 2."""
    values = [value for item in chart.series for value in item.values if value is not None]
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
    words = f"{chart.unit}. {'; '.join(parts)}"
    return words if len(words) <= _LONGEST_ALT else words[: _LONGEST_ALT - 1].rstrip() + "…"
