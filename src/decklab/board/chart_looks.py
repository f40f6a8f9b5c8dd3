"""Colours and labels of charts, the same in PowerPoint and in HTML."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, cycle
from math import ceil, floor, log10
from typing import Literal

from decklab.board.blueprint import ChartPlan, TablePlan
from decklab.board.boxes import Token
from decklab.board.themes import Colors
from decklab.core.colors import color_difference, lab

_GREYS: tuple[Token, ...] = ("grey3", "grey1", "grey2")
_OTHERS: tuple[Token, ...] = (*_GREYS, "text", "pale", "deep", "tint")
"""Beside the accent, those that are liked better first; areas of ``tint`` have an edge."""
Dash = Literal["solid", "dash", "sysDot"]
_DASHES: tuple[Dash, ...] = ("solid", "dash", "sysDot")
_DIFFERENT, _LIGHTER = 25.0, 10.0
"""Least CIEDE2000 of two series, and of their lightness: they differ in grey, too. Ours."""
_LINES: tuple[Token, ...] = ("text", "grey1", "accent", "grey2", "deep")
_COLUMNS: tuple[Token, ...] = ("grey3", "grey2", "grey1", "muted", "text")
_MOST_LABELS = 16
_LABEL_ROOM = 0.12
_WIDE, _GAP = 10_000, "\u00a0"
"""Numbers from which on thousands stand apart, and what parts them."""
_LONGEST_ALT = 240
_STACKED = frozenset({"stacked", "share", "area"})


def series_colors(chart: ChartPlan, colors: Colors) -> list[Token]:
    """The accent colour for the series that stands out, and colours well apart for the others."""
    if chart.kind == "combination":
        return _combined_colors(chart)
    others = list(_apart(colors, len(chart.series) - 1, chart.kind == "line"))
    return [*others[: chart.accent], "accent", *others[chart.accent :]]


@cache
def _apart(colors: Colors, count: int, lines: bool) -> tuple[Token, ...]:
    """The first colours that differ from the accent and each other, else those that differ most;
    of more than three lines dashes tell the last."""
    offered = _OTHERS[:-1] if lines else _OTHERS
    tried = list(combinations(offered, min(count, 2) if lines else count))
    apart = [_least_difference(colors, ("accent", *others)) for others in tried]
    best = next((at for at, least in enumerate(apart) if least >= 1), apart.index(max(apart)))
    more = [token for token in offered if token not in tried[best]]
    return (*tried[best], *more)[:count]


def _least_difference(colors: Colors, tokens: Sequence[Token]) -> float:
    """Of two of these colours, in shares of what is asked; an edge tells areas of ``tint`` too."""
    pairs = list(combinations([colors.value(token) for token in tokens if token != "tint"], 2))
    if not pairs:
        return 1.0
    first, second = zip(*pairs, strict=True)
    lighter = abs(lab(first)[:, 0] - lab(second)[:, 0]) / _LIGHTER
    return float(min((color_difference(first, second) / _DIFFERENT).min(), lighter.min()))


def line_dash(chart: ChartPlan, series: int) -> Dash:
    """Of a line: those after the first two are dashed, that they differ in grey too."""
    lines = [at for at in chart.lines or range(len(chart.series)) if at != chart.accent]
    return "solid" if series not in lines else _DASHES[lines.index(series) % len(_DASHES)]


def _combined_colors(chart: ChartPlan) -> list[Token]:
    """Pale columns and greys, and lines dark enough to be seen across them."""
    lines, columns = iter(_LINES), iter(_COLUMNS)
    return [
        ("deep" if number == chart.accent else next(lines)) if number in chart.lines
        else "pale" if number == chart.accent else next(columns)
        for number in range(len(chart.series))
    ]  # fmt: skip


def point_colors(chart: ChartPlan) -> list[Token]:
    """The colours of the points of a chart of one series, or of a scatter."""
    if chart.kind == "pie":
        first, others = chart.accent_category or 0, cycle(_GREYS)
        return ["accent" if at == first else next(others) for at in range(len(chart.categories))]
    if chart.accent_category is None:
        return ["accent"] * len(chart.categories)
    return [
        "accent" if number == chart.accent_category else "grey3"
        for number in range(len(chart.categories))
    ]


def readable_on(token: Token, colors: Colors) -> Token:
    """The colour for words on a colour: that of the background or of text."""
    grounds: tuple[Token, Token] = ("background", "text")
    return max(grounds, key=lambda ink: colors.contrast(ink, token))


def labels_all(chart: ChartPlan) -> bool:
    """Whether every point may have its value written on it, so that no axis is needed."""
    if chart.kind == "line":
        return len(chart.series) == 1 and len(chart.categories) <= 12
    if chart.kind not in ("column", "bar", "pie"):
        return False
    return len(chart.series) * len(chart.categories) <= _MOST_LABELS


def labels_parts(chart: ChartPlan) -> bool:
    """Whether the parts of stacks have their values written in them: shares only where the values
    are per cent already, as values beside an axis of shares would be read as shares."""
    if chart.kind == "stacked":
        return True
    wholes = (sum(filter(None, row)) for row in zip(*(s.values for s in chart.series), strict=True))
    return chart.kind == "share" and all(abs(whole - 100) <= _ROUNDED for whole in wholes)


_ROUNDED = 1.5
"""How far the sum of rounded shares may be from 100 %."""


@dataclass(frozen=True)
class AxisScale:
    """The value axis of a chart: its ends, the distance of its marks, and how numbers are shown.

    ``places`` are decimal places; ``percent`` is for shares from 0 to 1.
    """

    low: float
    high: float
    step: float
    places: int = 0
    percent: bool = False

    def ticks(self) -> list[float]:
        """The values at which the axis has marks."""
        count = round((self.high - self.low) / self.step)
        return [self.low + number * self.step for number in range(count + 1)]

    def shown(self, value: float) -> str:
        """A value as the chart shows it."""
        return f"{value:.0%}" if self.percent else shown_number(value, self.places, self.is_wide)

    @property
    def is_wide(self) -> bool:
        """Whether its numbers are so long that their thousands stand apart."""
        return _are_wide((self.low, self.high))

    def share(self, value: float) -> float:
        """How far a value is up the axis, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    @property
    def number_format(self) -> str:
        """The number format of the axis as spreadsheets spell it."""
        return "0%" if self.percent else number_format(self.places, self.is_wide)


def axis_scales(chart: ChartPlan, *, labelled: bool) -> tuple[AxisScale, ...]:
    """The value axes: across and up of a scatter, of columns and lines of a combination, else one.

    They end around all values and 0, those of a scatter around its values: with room for labels if
    every point is ``labelled``, or at round numbers.
    """
    if chart.kind == "share":
        return (AxisScale(0, 1, 0.2, percent=True),)
    if chart.kind == "scatter":
        points = chart.points
        return _round([x for _, x, _ in points]), _round([y for _, _, y in points])
    if chart.kind == "combination":
        lines = chart.lines
        columns = [at for at in range(len(chart.series)) if at not in lines]
        return _aligned(_values(chart, columns), _values(chart, lines))
    values = [*_values(chart, range(len(chart.series))), *chart.reach]
    if chart.kind in _STACKED:
        values += [end for row in _rows(chart) for end in (_total(row, 1), _total(row, -1))]
    low, high = min(*values, 0.0, 0.0), max(*values, 0.0, 0.0)
    if not labelled:
        return (_round([low, high], values),)
    high = high if low < high else 1.0
    room = (high - low) * _LABEL_ROOM
    low, top = low - room if low < 0 else 0.0, high + room
    return (AxisScale(low, top, (high - min(low, 0.0)) / 5, decimals(values)),)


def _values(chart: ChartPlan, series: Iterable[int]) -> list[float]:
    return [value for at in series for value in chart.series[at].values if value is not None]


def _rows(chart: ChartPlan) -> list[tuple[float | None, ...]]:
    return list(zip(*(item.values for item in chart.series), strict=True))


def _total(row: Sequence[float | None], sign: int) -> float:
    """The sum of the values of one sign: where a stack ends."""
    return sum(value for value in row if value is not None and value * sign > 0)


def _step(rough: float) -> float:
    """The least of 1, 2 or 5 times a power of 10 that is at least as large."""
    power = 10.0 ** floor(log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def _round(ends: Sequence[float], values: Sequence[float] = ()) -> AxisScale:
    """Round ends around values, with marks about five steps apart."""
    low, high = min(ends), max(ends)
    if low == high:
        low, high = (0.0, 1.0) if low == 0 else (min(low, 0.0), max(high, 0.0))
    step = _step((high - low) / 5)
    low, high = floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step
    scale = AxisScale(low, high, step)
    return replace(scale, places=decimals([*values, *scale.ticks()]))


def _aligned(first: Sequence[float], second: Sequence[float]) -> tuple[AxisScale, AxisScale]:
    """Two axes whose marks and zeros are at the same heights."""
    rough = [_round([min(*values, 0.0, 0.0), max(*values, 0.0, 0.0)]) for values in (first, second)]
    below = max(round(-scale.low / scale.step) for scale in rough)
    above = max(round(scale.high / scale.step) for scale in rough)
    made = []
    for values in (first, second):
        needed = max(
            max(*values, 0.0, 0.0) / above if above else 0.0,
            -min(*values, 0.0, 0.0) / below if below else 0.0,
        )
        step = _step(needed or 1.0)
        ticks = [number * step for number in range(-below, above + 1)]
        made.append(AxisScale(ticks[0], ticks[-1], step, decimals(ticks)))
    return made[0], made[1]


def decimals(values: Sequence[float]) -> int:
    """Decimal places that values need: at most 2, more for values that are all below 0.1."""
    largest = max(map(abs, values), default=0.0)
    most = 2 if largest >= _SMALL or not largest else 1 - floor(log10(largest))
    return next((places for places in range(most) if _exact(values, places)), most)


_SMALL = 0.1


def _exact(values: Sequence[float], places: int) -> bool:
    return all(abs(value - round(value, places)) < 1e-9 for value in values)


def value_decimals(chart: ChartPlan) -> int:
    """Decimal places that all values of a chart need."""
    return decimals(_values(chart, range(len(chart.series))))


def value_format(chart: ChartPlan) -> str:
    """The number format of all values of a chart as spreadsheets spell it."""
    return number_format(value_decimals(chart), _are_wide(_values(chart, range(len(chart.series)))))


def shown_value(chart: ChartPlan, value: float) -> str:
    """A value as the chart shows it at its point."""
    return shown_number(
        value, value_decimals(chart), _are_wide(_values(chart, range(len(chart.series))))
    )


def _are_wide(values: Sequence[float]) -> bool:
    return min(values, default=0.0) >= 0 and max(values, default=0.0) >= _WIDE


def number_format(places: int, apart: bool) -> str:
    """The number format of values as spreadsheets spell it, as ``shown_number`` shows them.

    >>> number_format(1, False), len(number_format(0, True).split(";"))
    ('0.0', 3)
    """
    end = "." + "0" * places if places else ""
    if not apart:
        return f"0{end}"
    gap = f"\\{_GAP}"
    return f"[>=1000000]#{gap}###{gap}##0{end};[>={_WIDE}]##{gap}##0{end};0{end}"


def shown_number(value: float, places: int, apart: bool) -> str:
    """A number; with ``apart`` spaces part the thousands of those of five digits on.

    Spaces, for a comma or point would be that of one language (ISO 80000-1, 7.3.1).

    >>> shown_number(1234.5, 1, True), shown_number(320571, 0, True).replace("\u00a0", "_")
    ('1234.5', '320_571')
    """
    marked = apart and abs(value) >= _WIDE
    return f"{value:,.{places}f}".replace(",", _GAP) if marked else f"{value:.{places}f}"


def chart_words(chart: ChartPlan) -> str:
    """The chart in words, for those who do not see it: its unit and first values by series."""
    several = len(chart.units) > 1
    parts = []
    for item in chart.series:
        places = decimals([value for value in item.values if value is not None])
        values = ", ".join(
            f"{name} {value:.{places}f}"
            for name, value in zip(chart.categories, item.values, strict=True)
            if value is not None
        )
        unit = item.unit or chart.unit
        parts.append(f"{item.name}{f' ({unit})' if several and unit else ''}: {values}")
    unit = f"{chart.units[0]}. " if chart.units[0] and not several else ""
    words = f"{unit}{'; '.join(parts)}"
    return words if len(words) <= _LONGEST_ALT else words[: _LONGEST_ALT - 1].rstrip() + "…"


def chart_table(chart: ChartPlan) -> TablePlan:
    """The numbers of a chart as a table: a row for each category, a column for each series."""
    names = (f"{item.name} ({item.unit})" if item.unit else item.name for item in chart.series)
    rows = zip(chart.categories, *(map(_cell, item.values) for item in chart.series), strict=True)
    return TablePlan(header=(chart.unit or "", *names), rows=tuple(rows))


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:,.10g}"
