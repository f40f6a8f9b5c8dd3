from collections.abc import Callable
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.results import DeckResult, Measurement
from decklab.metrics.aesthetics.rhythm import RMSSD_USUAL
from decklab.scoring.reports.slide_charts import (
    NARROW,
    RMSSD_BANDS,
    WIDE,
    PlotArea,
    colour_pacing,
    line_chart,
    rhythm,
    slide_ticks,
    step_chart,
)

HALVES = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
BANDS = (("low", 0.0, 0.25), ("high", 0.25, 1.0))


@pytest.mark.parametrize("frame", [WIDE, NARROW])
@given(values=st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=300))
def test_every_value_is_drawn_inside_the_plot(frame: PlotArea, values: list[float | None]) -> None:
    numbered = list(enumerate(values, 1))
    chart = line_chart(numbered, frame, slides=len(values), y_max=1, y_labels=HALVES)
    assert [(m.slide, m.value) for m in chart.marks] == [p for p in numbered if p[1] is not None]
    assert len(chart.missing) == values.count(None)
    for mark in chart.marks:
        assert frame.left <= mark.x <= frame.right
        assert mark.y == pytest.approx(frame.bottom - mark.value * (frame.bottom - frame.top))


def test_a_missing_slide_breaks_the_line() -> None:
    values = [(1, 0.2), (2, 0.4), (3, None), (4, 0.3)]
    chart = line_chart(values, WIDE, slides=4, y_max=1, y_labels=HALVES)
    assert [[m.slide for m in run] for run in chart.runs] == [[1, 2], [4]]


def test_one_slide_stands_in_the_middle() -> None:
    chart = line_chart([(1, 0.5)], WIDE, slides=1, y_max=1, y_labels=HALVES)
    assert chart.marks[0].x == (WIDE.left + WIDE.right) / 2


def test_mean_and_deviation_are_on_the_scale_of_the_values() -> None:
    chart = line_chart(
        [(1, 20.0), (2, 60.0)], WIDE, slides=2, y_max=100, y_labels=(), mean=40, deviation=20
    )
    assert chart.level == pytest.approx((chart.marks[0].y + chart.marks[1].y) / 2)
    assert chart.spread is not None
    assert (chart.spread.top, chart.spread.bottom) == (chart.marks[1].y, chart.marks[0].y)


def test_steps_are_absolute_changes_on_a_root_scale() -> None:
    chart = step_chart([(1, 0.1), (2, 0.35), (4, 0.26)], WIDE, slides=4, bands=BANDS, rmssd=0.25)
    assert [(s.before, s.after) for s in chart.steps] == [(1, 2), (2, 4)]
    assert [s.size for s in chart.steps] == pytest.approx([0.25, 0.09])
    heights = [(WIDE.bottom - s.y) / WIDE.plot_height for s in chart.steps]
    assert heights == pytest.approx([sqrt(0.25), sqrt(0.09)])
    assert chart.level == pytest.approx(chart.steps[0].y)


def test_bands_cover_the_plot_without_a_gap() -> None:
    chart = step_chart([], WIDE, slides=0, bands=BANDS, rmssd=None)
    assert chart.bands[0].bottom == WIDE.bottom
    assert chart.bands[0].top == chart.bands[1].bottom
    assert chart.bands[1].top == WIDE.top


@given(st.integers(0, 5000), st.integers(4, 30))
def test_ticks_are_slides_of_the_deck_and_not_too_many(slides: int, most: int) -> None:
    ticks = slide_ticks(slides, most)
    assert all(1 <= tick <= slides for tick in ticks)
    assert ticks == sorted(set(ticks))
    assert len(ticks) <= most + 1
    assert (ticks[:1] == [1]) == (slides > 0)


ResultMaker = Callable[..., DeckResult]


def test_the_bands_drawn_are_those_that_the_metric_decides_by() -> None:
    assert tuple(low for _, low, _ in RMSSD_BANDS[1:]) == RMSSD_USUAL


def test_the_line_shows_the_slide_scores_and_leaves_gaps(scored: ResultMaker) -> None:
    result = scored(slides=15)
    shown = rhythm(result)
    assert shown is not None
    row = result.row("rhythm.score")
    assert row is not None
    drawn = [[mark.slide, mark.value] for mark in shown.lines[0].marks]
    assert drawn == row.evidence["slide_scores"]
    assert [tick.label for tick in shown.lines[0].missing] == ["7", "14"]
    assert (shown.mean, shown.rmssd, shown.word) == (0.6, 0.05, "even")


def test_slide_scores_are_enough_where_the_deck_has_no_score() -> None:
    rows = [
        Measurement.of("rhythm.subband_entropy", 3.0, slide=s, evidence={"slide_score": s / 10})
        for s in (1, 2)
    ]
    shown = rhythm(DeckResult(deck="a", status="scored", slides=2, measurements=tuple(rows)))
    assert shown is not None
    assert [mark.value for mark in shown.lines[1].marks] == [0.1, 0.2]
    assert shown.steps[0].steps[0].size == pytest.approx(0.1)
    assert (shown.rmssd, shown.word) == (None, "")


def test_the_scale_of_colourfulness_holds_the_most_colourful_slide() -> None:
    rows = [
        Measurement.of("engagement.colorfulness", value, slide=slide)
        for slide, value in ((1, 12.0), (2, 133.0))
    ]
    shown = colour_pacing(DeckResult(deck="a", status="scored", slides=2, measurements=tuple(rows)))
    assert shown is not None
    assert shown.lines[0].y_ticks[-1].label == "150"
    assert shown.lines[0].marks[1].y > shown.lines[0].frame.top


def test_no_slide_scores_make_no_charts(without_slides: DeckResult) -> None:
    assert rhythm(without_slides) is None
    assert colour_pacing(without_slides) is None


def scored_slides(*scores: tuple[int, float], slides: int) -> DeckResult:
    rows = [
        Measurement.of("rhythm.subband_entropy", 3.0, slide=slide, evidence={"slide_score": score})
        for slide, score in scores
    ]
    return DeckResult(deck="a", status="scored", slides=slides, measurements=tuple(rows))


def test_slides_without_a_score_at_the_end_are_gaps_of_the_line() -> None:
    shown = rhythm(scored_slides((1, 0.1), (2, 0.3), slides=4))
    assert shown is not None
    assert [tick.label for tick in shown.lines[0].missing] == ["3", "4"]
    assert shown.lines[0].marks[0].x < shown.lines[0].marks[1].x < WIDE.right


def test_slide_scores_are_drawn_in_the_order_of_slides() -> None:
    shown = rhythm(scored_slides((3, 0.9), (1, 0.1), (2, 0.3), slides=3))
    assert shown is not None
    assert [(step.before, step.after) for step in shown.steps[0].steps] == [(1, 2), (2, 3)]
    assert [step.size for step in shown.steps[0].steps] == pytest.approx([0.2, 0.6])


@pytest.mark.parametrize(
    ("slides", "most", "ticks"),
    [
        (0, 6, []),
        (1, 6, [1]),
        (6, 6, [1, 2, 3, 4, 5, 6]),
        (7, 6, [1, 3, 5, 7]),
        (30, 6, [1, 5, 10, 15, 20, 25, 30]),
        (31, 6, [1, 10, 20, 30]),
    ],
)
def test_ticks_stand_at_round_slides(slides: int, most: int, ticks: list[int]) -> None:
    assert slide_ticks(slides, most) == ticks
