"""Charts as shapes: each number stands where its scale puts it, and each has words."""

import re
from itertools import pairwise

import pytest

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.pages.svg_charts import (
    Bar,
    ChartPlace,
    LineSeries,
    SvgChart,
    SvgShape,
    ValueSpread,
    bar_chart,
    line_chart,
    place_chart,
)

LEFT, RIGHT = 26, 250  # of the bars; below those of lines and places
PLOT = (36, 12, 328, 190)


def shapes(chart: SvgChart, kind: str, look: str = "") -> list[SvgShape]:
    return [one for one in chart.shapes if one.kind == kind and one.look.startswith(look)]


def texts(chart: SvgChart, look: str = "") -> list[str]:
    return [one.text for one in chart.shapes if one.kind == "text" and one.look == look]


def numbers(path: str) -> list[float]:
    return [float(one) for one in re.findall(r"-?\d+\.?\d*", path)]


def test_a_value_knows_its_interval_or_why_there_is_none() -> None:
    assert ValueSpread.of(0.5, (0.4, 0.6)) == ValueSpread(0.5, 0.4, 0.6)
    assert ValueSpread.of(0.5, NotScored("one deck")) == ValueSpread.of(0.5) == ValueSpread(0.5)
    assert ValueSpread.of(NotScored("no replies"), (0, 1)) == ValueSpread(reason="no replies")


def test_bars_are_as_long_as_their_values() -> None:
    bars = [Bar("a", 0, ValueSpread(0.25)), Bar("b", 1, ValueSpread(1.0)),
            Bar("c", 2, ValueSpread(0.0)), Bar("d", 3, ValueSpread(-0.5))]  # fmt: skip
    chart = bar_chart("Recall", bars, top=1.0)
    filled = shapes(chart, "rect", "fill")
    assert [bar.width for bar in filled] == [0.25 * (RIGHT - LEFT), RIGHT - LEFT, 0.5, 0.5]
    assert {bar.x for bar in filled} == {LEFT}
    assert [bar.look for bar in filled] == ["fill s0", "fill s1", "fill s2", "fill s3"]
    steps = {round(b.y - a.y, 6) for a, b in pairwise(filled)}
    assert steps == {26} and chart.height == 4 * 26 + 34
    assert chart.label == "Recall: a 0.25; b 1.00; c 0.00; d −0.50"
    assert texts(chart, "strong") == ["0.25", "1.00", "0.00", "−0.50"]


@pytest.mark.parametrize(
    ("bar", "end"),
    [
        (Bar("a", 0, ValueSpread(3.2)), 5),
        (Bar("a", 0, ValueSpread(3.2, 1.0, 6.0)), 10),
        (Bar("a", 0, ValueSpread(3.2), parsed=ValueSpread(12.0)), 20),
        (Bar("a", 0, ValueSpread(0.0)), 1),
        (Bar("a", 0, ValueSpread(reason="none"), parsed=ValueSpread(reason="none")), 1),
    ],
)
def test_without_an_end_the_scale_holds_the_largest_number(bar: Bar, end: float) -> None:
    chart = bar_chart("Cost", [bar], top=None, unit=" $")
    axis = [shape.text for shape in chart.shapes if shape.kind == "text" and not shape.look]
    assert axis == ["0", f"{end / 2:g}", f"{end:g}"]


def test_a_bar_has_an_outline_for_parsed_replies_a_whisker_and_its_coverage() -> None:
    bar = Bar("a", 4, ValueSpread(0.5, 0.25, 0.75), parsed=ValueSpread(0.8), coverage=0.9)
    chart = bar_chart("F1", [bar], top=1.0, unit=" %")
    (outline,) = shapes(chart, "rect", "outline")
    assert (outline.look, outline.text) == ("outline s4", "parsed only 0.80 %")
    assert outline.width == pytest.approx(0.8 * (RIGHT - LEFT))
    (filled,) = shapes(chart, "rect", "fill")
    assert filled.text == "0.50 % (0.25 to 0.75)"
    assert outline.y < filled.y < filled.y + filled.height < outline.y + outline.height
    (whisker,) = shapes(chart, "path", "whisker")
    assert numbers(whisker.d) == [LEFT + 0.25 * 224, filled.y + 5, LEFT + 0.75 * 224]
    (tick,) = shapes(chart, "path", "coverage")
    assert numbers(tick.d)[0] == pytest.approx(LEFT + 0.9 * 224, abs=0.05)
    assert tick.text == "coverage 0.90"


def test_a_bar_without_a_value_says_so_and_draws_nothing() -> None:
    bar = Bar("a", 0, ValueSpread(reason="no replies"), parsed=ValueSpread(0.5), coverage=0.5)
    chart = bar_chart("F1", [bar], top=1.0)
    assert texts(chart, "why") == ["not scored"] and chart.label == "F1: a not scored"
    assert shapes(chart, "rect") == [] and shapes(chart, "path", "coverage") == []


def test_a_bar_without_parsed_replies_or_interval_has_neither_outline_nor_whisker() -> None:
    bars = [Bar("a", 0, ValueSpread(0.5)), Bar("b", 0, ValueSpread(0.5), ValueSpread(reason="x"))]
    chart = bar_chart("F1", bars, top=1.0)
    assert len(shapes(chart, "rect", "fill")) == 2
    for kind, look in (("rect", "outline"), ("path", "whisker"), ("path", "coverage")):
        assert shapes(chart, kind, look) == []


TICKS = [(0.0, "0"), (0.5, "half"), (1.0, "1")]


def lines(*values: tuple[float, float | None], series: int = 0, **fields: bool) -> LineSeries:
    spreads = tuple((at, ValueSpread(value)) for at, value in values)
    return LineSeries("judge", series, spreads, **fields)


def test_a_line_goes_through_its_values() -> None:
    chart = line_chart("Curve", [lines((0.0, 0.0), (0.5, 1.0), (1.0, 0.25))], ticks=TICKS)
    left, top, right, bottom = PLOT
    dots = [(dot.x, dot.y) for dot in shapes(chart, "circle")]
    middle = (left + right) / 2
    assert dots == [
        (left + 10, bottom), (middle, top), (right - 10, bottom - 0.25 * (bottom - top)),
    ]  # fmt: skip
    (line,) = shapes(chart, "path", "line")
    assert numbers(line.d) == pytest.approx([part for dot in dots for part in dot])
    names = {shape.text: shape.x for shape in chart.shapes if shape.kind == "text"}
    assert (names["half"], names["1"]) == (middle, right - 10)
    assert chart.label == "Curve: judge 0.00, 1.00, 0.25"


def test_values_that_are_missing_break_no_line_and_are_not_drawn() -> None:
    chart = line_chart("Curve", [lines((0.0, 0.2), (0.5, None), (1.0, 0.4))], ticks=TICKS)
    assert len(shapes(chart, "circle")) == 2
    assert chart.label == "Curve: judge 0.20, 0.40"
    nothing = line_chart("Curve", [lines((0.0, None))], ticks=TICKS)
    assert shapes(nothing, "circle") == shapes(nothing, "path", "line") == []


def test_intervals_are_drawn_where_both_ends_are_known() -> None:
    whole = LineSeries("a", 1, ((0.5, ValueSpread(0.5, 0.25, 0.75)),))
    half = LineSeries("b", 2, ((0.5, ValueSpread(0.5, 0.25, None)),))
    chart = line_chart("Curve", [whole, half], ticks=TICKS)
    (error,) = shapes(chart, "path", "error")
    assert error.look == "error s1"
    _, top, _, bottom = PLOT
    high = bottom - top
    assert numbers(error.d)[1:] == [bottom - 0.25 * high, bottom - 0.75 * high]
    assert [dot.text for dot in shapes(chart, "circle")] == ["a: 0.50 (0.25 to 0.75)", "b: 0.50"]


def test_a_line_of_no_judge_and_a_dashed_one_look_so() -> None:
    one, other = lines((0.0, 0.5), series=-1), lines((0.0, 0.5), series=3, dashed=True)
    chart = line_chart("Curve", [one, other], ticks=TICKS)
    assert [line.look for line in shapes(chart, "path", "line")] == [
        "line damage", "line s3 dashed",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("low", "labels"),
    [
        (0.0, ["0", "0.25", "0.5", "0.75", "1"]),
        (0.5, ["0.5", "0.6", "0.7", "0.8", "0.9", "1"]),
        (-0.25, ["−0.25", "0", "0.25", "0.5", "0.75", "1"]),
        (-1.0, ["−1", "−0.5", "0", "0.5", "1"]),
    ],
)
def test_the_grid_has_round_steps_from_its_lowest_value_to_one(
    low: float, labels: list[str]
) -> None:
    chart = line_chart("Curve", [lines((0.0, -9.0), (1.0, 9.0))], ticks=TICKS, low=low)
    told = [shape for shape in chart.shapes if shape.kind == "text" and shape.anchor == "end"]
    assert [shape.text for shape in told] == labels
    _, top, _, bottom = PLOT
    assert (told[0].y - 4, told[-1].y - 4) == pytest.approx((bottom, top))
    assert [dot.y for dot in shapes(chart, "circle")] == pytest.approx([bottom, top])


def test_the_line_of_equals_and_the_name_of_the_axis_are_drawn_where_asked() -> None:
    chart = line_chart("Curve", [], ticks=TICKS, across="severity", identity=True)
    left, top, right, bottom = PLOT
    (equal,) = shapes(chart, "path", "identity")
    assert numbers(equal.d) == [left + 10, bottom, right - 10, top]
    assert "severity" in texts(chart)
    bare = line_chart("Curve", [], ticks=TICKS)
    assert shapes(bare, "path", "identity") == [] and "severity" not in texts(bare)


def test_one_tick_stands_in_the_middle() -> None:
    chart = line_chart("Curve", [lines((5.0, 0.5))], ticks=[(5.0, "5")])
    assert shapes(chart, "circle")[0].x == (PLOT[0] + PLOT[2]) / 2


def place(
    letter: str, across: float | None, up: float | None, *, scale: int = 5, series: int = 0
) -> ChartPlace:
    return ChartPlace(letter, series, scale, ValueSpread(across), ValueSpread(up))


def places(*found: ChartPlace) -> SvgChart:
    return place_chart("Frontier", found, across="fidelity", up="consistency")


def test_a_place_is_a_circle_or_a_square_by_its_scale() -> None:
    chart = places(place("a", 1.0, 1.0), place("a", 0.0, 0.5, scale=100))
    left, top, right, bottom = PLOT
    (circle,), (square,) = shapes(chart, "circle"), shapes(chart, "rect")
    assert (circle.x, circle.y) == (right, top)
    assert (square.x + square.width / 2, square.y + square.height / 2) == (left, bottom)
    (line,) = shapes(chart, "path", "line")
    assert numbers(line.d) == [right, top, left, bottom]
    assert circle.text == "a, 5 points: 1.00; 1.00"
    assert {"fidelity", "up: consistency", "0", "0.5", "1"} <= set(texts(chart))
    assert chart.label == (
        "Frontier: a on 5 points: 1.00 across, 1.00 up; a on 100 points: 0.00 across, 0.50 up"
    )


def test_the_scales_of_places_go_down_to_the_quarter_below_the_lowest() -> None:
    chart = places(place("a", -0.3, 0.3), place("b", 0.5, 0.9, series=1))
    left, top, right, bottom = PLOT
    a, b = shapes(chart, "circle")
    # from -0.5 across, and from 0.25 up
    assert a.x == pytest.approx(left + 0.2 / 1.5 * (right - left))
    assert a.y == pytest.approx(bottom - 0.05 / 0.75 * (bottom - top))
    assert b.x == pytest.approx(left + 1.0 / 1.5 * (right - left))
    assert {"−0.5", "0.25", "1"} <= set(texts(chart))


def test_intervals_of_places_are_drawn_each_way_where_they_are_known() -> None:
    across, up = ValueSpread(0.5, 0.25, 0.75), ValueSpread(0.75, 0.5, 1.0)
    left, top, right, bottom = PLOT
    mid_x, mid_y = (left + right) / 2, (top + bottom) / 2
    chart = places(ChartPlace("a", 0, 5, across, up))
    level, upright = shapes(chart, "path", "error")
    quarter = (right - left) / 4
    assert numbers(level.d) == [mid_x - quarter, mid_y, mid_x + quarter]
    assert numbers(upright.d) == [mid_x, bottom, top]
    for half in (ValueSpread(0.75, 0.5, None), ValueSpread(0.75, None, 1.0), ValueSpread(0.75)):
        (only,) = shapes(places(ChartPlace("a", 0, 5, across, half)), "path", "error")
        assert "H" in only.d
        (only,) = shapes(places(ChartPlace("a", 0, 5, half, up)), "path", "error")
        assert "V" in only.d


@pytest.mark.parametrize(("across", "up"), [(None, 0.9), (0.5, None), (None, None)])
def test_a_place_that_is_not_known_is_told_but_not_drawn(
    across: float | None, up: float | None
) -> None:
    chart = places(place("a", across, up), place("b", 0.5, 0.9, series=1))
    assert [dot.look for dot in shapes(chart, "circle")] == ["fill s1"]
    assert [shape.text for shape in shapes(chart, "text", "letter")] == ["b"]
    assert "a on 5 points: " in chart.label and "not scored" in chart.label


def test_letters_hide_no_mark_and_no_other_letter() -> None:
    marks = [(0.5, 0.9), (0.54, 0.9), (0.5, 0.93), (0.54, 0.93), (0.52, 0.87), (0.9, 0.6)]
    found = [place("abcdef"[n], *spot, series=n) for n, spot in enumerate(marks)]
    chart = places(*found)
    dots = [Box(dot.x, dot.y, dot.x, dot.y).grown(5) for dot in shapes(chart, "circle")]
    letters = [
        Box(one.x - 5, one.y - 10, one.x + 5, one.y) for one in shapes(chart, "text", "letter")
    ]
    assert len(letters) == len(marks)
    for n, letter in enumerate(letters):
        others = [*dots, *letters[:n]]
        assert not any(letter.intersection(other).area for other in others)


def test_a_letter_with_nothing_around_stands_up_and_to_the_right_of_its_mark() -> None:
    chart = places(place("a", 0.5, 0.75))
    (dot,), (letter,) = shapes(chart, "circle"), shapes(chart, "text", "letter")
    assert letter.x > dot.x and letter.y < dot.y


def test_what_is_no_judge_has_a_colour_of_its_own() -> None:
    chart = places(place("x", 0.5, 0.9, series=-1))
    assert [dot.look for dot in shapes(chart, "circle")] == ["fill damage"]


@pytest.mark.parametrize(("low", "high"), [(0.25, None), (None, 0.75)])
def test_half_an_interval_is_not_drawn(low: float | None, high: float | None) -> None:
    chart = bar_chart("F1", [Bar("a", 0, ValueSpread(0.5, low, high))], top=1.0)
    assert shapes(chart, "path", "whisker") == [] and texts(chart, "strong") == ["0.50"]
    curve = line_chart(
        "Curve", [LineSeries("a", 1, ((0.5, ValueSpread(0.5, low, high)),))], ticks=TICKS
    )
    assert shapes(curve, "path", "error") == [] and len(shapes(curve, "circle")) == 1
