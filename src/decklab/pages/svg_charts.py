"""Bar, line and place charts as shapes that a template draws in SVG.

matplotlib would add 35 MB, and its pictures have no links and do not follow a page's dark mode.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.pages.wording import number

_Scale = Callable[[float], float]


@dataclass(frozen=True)
class ValueSpread:
    """A value with its 95% interval; ``reason`` says why there is no value.

    >>> ValueSpread(0.5, 0.4, 0.6).known, ValueSpread(reason="no replies").known
    (True, False)
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str = ""

    @classmethod
    def of(
        cls, value: float | NotScored, interval: tuple[float, float] | NotScored | None = None
    ) -> "ValueSpread":
        """A value with its interval, or the reason why there is no value."""
        if isinstance(value, NotScored):
            return cls(reason=value.reason)
        return cls(value, *interval) if isinstance(interval, tuple) else cls(value)

    @property
    def known(self) -> bool:
        """Whether there is a value."""
        return self.value is not None


@dataclass(frozen=True)
class SvgShape:
    """One thing to draw: a ``path``, a ``rect``, a ``circle`` or a ``text``, with a CSS class."""

    kind: Literal["path", "rect", "circle", "text"]
    look: str
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    d: str = ""
    text: str = ""
    """The characters of a text; the tooltip of other shapes."""
    anchor: Literal["start", "middle", "end"] = "start"


@dataclass(frozen=True)
class SvgChart:
    """A drawing: its size in SVG units, its description in words, and its shapes."""

    title: str
    width: int
    height: int
    label: str
    shapes: tuple[SvgShape, ...]
    note: str = ""


@dataclass(frozen=True)
class Bar:
    """A judge's value of one measure, its value over parsed replies only, and coverage."""

    letter: str
    series: int
    whole: ValueSpread
    parsed: ValueSpread | None = None
    coverage: float | None = None


@dataclass(frozen=True)
class LineSeries:
    """A judge's values over the places of an axis; None if it has none."""

    name: str
    series: int
    """Below 0 if it is no judge."""
    values: tuple[tuple[float, ValueSpread], ...]
    dashed: bool = False


@dataclass(frozen=True)
class ChartPlace:
    """A judge on one scale: fidelity across, consistency up."""

    letter: str
    series: int
    """Below 0 if it is no judge."""
    scale: int
    across: ValueSpread
    up: ValueSpread


_WIDTH: Final = 320
_ROW: Final = 26
_LEFT: Final = 26
_RIGHT: Final = 250


def bar_chart(title: str, bars: Sequence[Bar], *, top: float | None, unit: str = "") -> SvgChart:
    """Horizontal bars from 0 to ``top``: filled end to end, outlined parsed only.

    Whiskers are intervals; a tick below the bar is coverage, on a scale from 0 to 1.
    """
    end = top or _round_up(max((_largest(bar) for bar in bars), default=1.0))
    room = _RIGHT - _LEFT

    def x(value: float) -> float:
        return _LEFT + max(0.0, min(1.0, value / end)) * room

    shapes = list(_bar_axis(len(bars), end))
    for row, bar in enumerate(bars):
        shapes += _bar_shapes(bar, 8 + row * _ROW, x, unit)
    description = "; ".join(f"{bar.letter} {_words(bar.whole, unit)}" for bar in bars)
    return SvgChart(title, _WIDTH, len(bars) * _ROW + 34, f"{title}: {description}", tuple(shapes))


def _bar_axis(rows: int, end: float) -> Iterator[SvgShape]:
    bottom = rows * _ROW + 10
    for share in (0.0, 0.5, 1.0):
        x = _LEFT + share * (_RIGHT - _LEFT)
        yield SvgShape("path", "grid", d=f"M{x:.1f} 4V{bottom}")
        yield SvgShape("text", "", x, bottom + 16, text=f"{share * end:g}", anchor="middle")


def _bar_shapes(bar: Bar, y: float, x: _Scale, unit: str) -> Iterator[SvgShape]:
    look = f"s{bar.series}"
    yield SvgShape("text", f"letter {look}", 4, y + 13, text=bar.letter)
    if (value := bar.whole.value) is None:
        yield SvgShape("text", "why", _LEFT + 4, y + 13, text="not scored")
        return
    start = x(0)
    if bar.parsed is not None and bar.parsed.value is not None:
        tooltip = f"parsed only {number(bar.parsed.value)}{unit}"
        width = x(bar.parsed.value) - start
        yield SvgShape("rect", f"outline {look}", start, y + 2, width, 14, text=tooltip)
    words = _words(bar.whole, unit)
    yield SvgShape("rect", f"fill {look}", start, y + 4, max(0.5, x(value) - start), 10, text=words)
    if bar.whole.low is not None and bar.whole.high is not None:
        yield SvgShape(
            "path", "whisker", d=f"M{x(bar.whole.low):.1f} {y + 9}H{x(bar.whole.high):.1f}"
        )
    if bar.coverage is not None:
        at = _LEFT + bar.coverage * (_RIGHT - _LEFT)
        tooltip = f"coverage {number(bar.coverage)}"
        yield SvgShape("path", "coverage", d=f"M{at:.1f} {y + 17}l-3.5 5h7z", text=tooltip)
    yield SvgShape("text", "strong", _WIDTH, y + 13, text=f"{number(value)}{unit}", anchor="end")


_PLOT_WIDTH: Final = 340
_PLOT_HEIGHT: Final = 230
_PLOT: Final = (36, 12, 328, 190)
_STEPS: Final = ((0.1, 0.5), (0.25, 1.25), (0.5, 9.0))
"""Between grid lines, for ranges up to so wide."""


def line_chart(
    title: str,
    lines: Sequence[LineSeries],
    *,
    ticks: Sequence[tuple[float, str]],
    low: float = 0.0,
    across: str = "",
    identity: bool = False,
) -> SvgChart:
    """Lines over ``ticks`` (place, label), values from ``low`` to 1, with whiskers.

    With ``identity`` the line on which value and place are equal is drawn, too.
    """
    left, top, right, bottom = _PLOT
    first, last = ticks[0][0], ticks[-1][0]

    def x(tick: float) -> float:
        share = 0.5 if first == last else (tick - first) / (last - first)
        return left + 10 + share * (right - left - 20)

    def y(value: float) -> float:
        return bottom - (max(low, min(1.0, value)) - low) / (1 - low) * (bottom - top)

    shapes = list(_grid(low, y))
    for tick, label in ticks:
        shapes.append(SvgShape("text", "", x(tick), bottom + 17, text=label, anchor="middle"))
    if across:
        shapes.append(SvgShape("text", "", right, bottom + 34, text=across, anchor="end"))
    if identity:
        shapes.append(
            SvgShape("path", "identity", d=f"M{x(0):.1f} {y(0):.1f}L{x(1):.1f} {y(1):.1f}")
        )
    for line in lines:
        shapes += _line_shapes(line, x, y)
    description = "; ".join(
        f"{line.name} " + ", ".join(number(v.value) for _, v in line.values if v.value is not None)
        for line in lines
    )
    return SvgChart(title, _PLOT_WIDTH, _PLOT_HEIGHT, f"{title}: {description}", tuple(shapes))


def _line_shapes(line: LineSeries, x: _Scale, y: _Scale) -> Iterator[SvgShape]:
    look = f"{_color(line.series)}{' dashed' if line.dashed else ''}"
    known = [(x(at), y(v.value), v) for at, v in line.values if v.value is not None]
    if not known:
        return
    yield SvgShape(
        "path", f"line {look}", d="M" + "L".join(f"{a:.1f} {b:.1f}" for a, b, _ in known)
    )
    for at, up, spread in known:
        if spread.low is not None and spread.high is not None:
            d = f"M{at:.1f} {y(spread.low):.1f}V{y(spread.high):.1f}"
            yield SvgShape("path", f"error {look}", d=d)
        tooltip = f"{line.name}: {_words(spread, '')}"
        yield SvgShape("circle", f"fill {look}", at, up, width=3, text=tooltip)


def place_chart(title: str, places: Sequence[ChartPlace], *, across: str, up: str) -> SvgChart:
    """Judges by fidelity (across, from 0 or lower) and consistency (up); scales joined by a line.

    Circles are the 5-point scale, squares the 100-point one.
    """
    left, top, right, bottom = _PLOT
    low_x = _floor(min([0.0, *(p.across.value for p in places if p.across.value is not None)]))
    low_y = _floor(min([0.5, *(p.up.value for p in places if p.up.value is not None)]))

    def x(value: float) -> float:
        return left + (max(low_x, min(1.0, value)) - low_x) / (1 - low_x) * (right - left)

    def y(value: float) -> float:
        return bottom - (max(low_y, min(1.0, value)) - low_y) / (1 - low_y) * (bottom - top)

    shapes = list(_grid(low_y, y))
    for share in (0.0, 0.5, 1.0):
        value = low_x + share * (1 - low_x)
        label = number(value).rstrip("0").rstrip(".")
        shapes.append(SvgShape("text", "", x(value), bottom + 17, text=label, anchor="middle"))
    shapes.append(SvgShape("text", "", right, bottom + 34, text=across, anchor="end"))
    shapes.append(SvgShape("text", "", left, bottom + 34, text=f"up: {up}"))
    for series in dict.fromkeys(point.series for point in places):
        mine = [point for point in places if point.series == series]
        shapes += _place_shapes(mine, x, y)
    shapes += _place_letters(places, x, y)
    description = "; ".join(
        f"{p.letter} on {p.scale} points: {_words(p.across, '')} across, {_words(p.up, '')} up"
        for p in places
    )
    return SvgChart(title, _PLOT_WIDTH, _PLOT_HEIGHT, f"{title}: {description}", tuple(shapes))


def _place_shapes(places: Sequence[ChartPlace], x: _Scale, y: _Scale) -> Iterator[SvgShape]:
    known = [
        (x(p.across.value), y(p.up.value), p)
        for p in sorted(places, key=lambda point: point.scale)
        if p.across.value is not None and p.up.value is not None
    ]
    if not known:
        return
    look = _color(known[0][2].series)
    for at, up, p in known:
        if p.across.low is not None and p.across.high is not None:
            d = f"M{x(p.across.low):.1f} {up:.1f}H{x(p.across.high):.1f}"
            yield SvgShape("path", f"error {look}", d=d)
        if p.up.low is not None and p.up.high is not None:
            d = f"M{at:.1f} {y(p.up.low):.1f}V{y(p.up.high):.1f}"
            yield SvgShape("path", f"error {look}", d=d)
    yield SvgShape(
        "path", f"line {look}", d="M" + "L".join(f"{a:.1f} {b:.1f}" for a, b, _ in known)
    )
    for at, up, p in known:
        tooltip = f"{p.letter}, {p.scale} points: {_words(p.across, '')}; {_words(p.up, '')}"
        if p.scale == 5:
            yield SvgShape("circle", f"fill {look}", at, up, width=5, text=tooltip)
        else:
            yield SvgShape("rect", f"fill {look}", at - 4.5, up - 4.5, 9, 9, text=tooltip)


def _place_letters(places: Sequence[ChartPlace], x: _Scale, y: _Scale) -> Iterator[SvgShape]:
    """The letter of each mark at the first free place around it, so that no letter hides a mark or
    another letter."""
    known = [
        (x(p.across.value), y(p.up.value), p)
        for p in places
        if p.across.value is not None and p.up.value is not None
    ]
    taken = [Box(at, up, at, up).grown(_MARK / 2) for at, up, _p in known]
    for at, up, p in known:
        spots = [Box(at + dx, up + dy, at + dx, up + dy).grown(_LETTER / 2) for dx, dy in _AROUND]
        free = (s for s in spots if not any(s.intersection(other).area for other in taken))
        spot = next(free, spots[0])
        taken.append(spot)
        look = f"letter halo-text {_color(p.series)}"
        middle = (spot.left + spot.right) / 2
        yield SvgShape("text", look, middle, spot.bottom, text=p.letter, anchor="middle")


_MARK, _LETTER = 10.0, 10.0
_AROUND = ((13, -11), (-13, -11), (13, 11), (-13, 11), (0, -15), (0, 15), (17, 0), (-17, 0),
           (22, -20), (-22, -20), (22, 20), (-22, 20))  # fmt: skip
"""Sides of a mark and of a letter, and where letters may stand around a mark; in user units."""


def _color(series: int) -> str:
    """The CSS class of a judge's colour; other things have a number below 0."""
    return "damage" if series < 0 else f"s{series}"


def _grid(low: float, y: _Scale) -> Iterator[SvgShape]:
    left, _, right, bottom = _PLOT
    step = next(step for step, most in _STEPS if 1 - low <= most)
    for count in range(round((1 - low) / step) + 1):
        value = low + count * step
        yield SvgShape("path", "grid", d=f"M{left} {y(value):.1f}H{right}")
        label = number(value).rstrip("0").rstrip(".")
        yield SvgShape("text", "", left - 7, y(value) + 4, text=label, anchor="end")
    yield SvgShape("path", "axis", d=f"M{left} {bottom}H{right}")


def _words(spread: ValueSpread, unit: str) -> str:
    if spread.value is None:
        return "not scored"
    if spread.low is None or spread.high is None:
        return f"{number(spread.value)}{unit}"
    return f"{number(spread.value)}{unit} ({number(spread.low)} to {number(spread.high)})"


def _largest(bar: Bar) -> float:
    both = (bar.whole, bar.parsed) if bar.parsed else (bar.whole,)
    return max((v for item in both for v in (item.value, item.high) if v is not None), default=0.0)


def _round_up(value: float) -> float:
    """The next of 1, 2 or 5 times a power of ten.

    >>> _round_up(3.2), _round_up(0.04), _round_up(0.0)
    (5.0, 0.05, 1.0)
    """
    steps = [step * 10.0**power for power in range(-3, 6) for step in (1, 2, 5)]
    return 1.0 if value <= 0 else next((s for s in steps if s >= value), value)


def _floor(value: float) -> float:
    """Down to a quarter."""
    return value // 0.25 * 0.25
