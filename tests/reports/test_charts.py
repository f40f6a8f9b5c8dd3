from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.reports.charts import NARROW, WIDE, Frame, line_chart, slide_ticks, step_chart

HALVES = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
BANDS = (("low", 0.0, 0.25), ("high", 0.25, 1.0))


@pytest.mark.parametrize("frame", [WIDE, NARROW])
@given(values=st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=1, max_size=300))
def test_every_value_is_drawn_inside_the_plot(frame: Frame, values: list[float | None]) -> None:
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
