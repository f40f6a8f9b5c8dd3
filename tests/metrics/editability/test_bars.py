import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.geometry import Box
from decklab.metrics.editability.bars import bars_on_one_baseline, dead_charts


def columns(heights, width=40, step=60, baseline=400):
    return [Box(100 + step * n, baseline - high, 100 + step * n + width, baseline)
            for n, high in enumerate(heights)]  # fmt: skip


@given(st.lists(st.integers(20, 300), min_size=5, max_size=12).filter(lambda h: len(set(h)) > 3
       and max(h) > 1.3 * min(h)), st.floats(-200, 200), st.randoms())  # fmt: skip
def test_columns_are_found_wherever_they_stand_and_in_any_order(heights, shift, random):
    boxes = [Box(b.left + shift, b.top, b.right + shift, b.bottom) for b in columns(heights)]
    random.shuffle(boxes)
    assert sorted(bars_on_one_baseline(boxes)) == list(range(len(heights)))


@pytest.mark.parametrize(
    "boxes",
    [
        columns([100, 100, 100, 100]),
        columns([100, 200]),
        [Box(0, 50, 200, 100), Box(300, 20, 320, 100), Box(700, 40, 800, 100)],
        [Box(0, 50, 40, 100), Box(60, 20, 100, 90), Box(120, 40, 160, 120)],
        columns([50, 100, 150], step=20),
        [],
    ],
    ids=["equal cards", "two", "unlike widths", "no baseline", "overlapping", "none"],
)
def test_other_rectangles_are_no_columns(boxes):
    assert bars_on_one_baseline(boxes) == []


def bar_shapes(build, boxes, **fields):
    return [build.shape(box, **fields) for box in boxes]


def labels(build, *texts, top=410, left=100):
    return [build.text(words, (left + 60 * n, top, left + 50 + 60 * n, top + 16))
            for n, words in enumerate(texts)]  # fmt: skip


def test_bars_with_values_beside_them_are_a_dead_chart(build):
    bars = bar_shapes(build, columns([100, 220, 160]))
    (chart,) = dead_charts(build.slide(*bars, *labels(build, "2021", "2022", "2023")))
    assert chart.kind == "bar chart"
    assert [piece.id for piece in chart.pieces] == [bar.id for bar in bars]
    assert chart.box == (100, 180, 260, 400)


def test_bars_from_the_left_edge_are_found_too(build):
    boxes = [
        Box(100, 100 + 40 * n, 100 + long, 120 + 40 * n) for n, long in enumerate((300, 120, 200))
    ]
    values = labels(build, "30 %", "12 %", "20 %", top=80)
    (chart,) = dead_charts(build.slide(*bar_shapes(build, boxes), *values))
    assert len(chart.pieces) == 3


def test_without_values_they_are_an_ornament(build):
    bars = bar_shapes(build, columns([100, 220, 160]))
    assert dead_charts(build.slide(*bars, *labels(build, "North", "South", "East"))) == []


def test_cards_with_sentences_are_no_bars(build):
    cards = [build.text(f"We sold {n} of them, more than ever", box, filled=True)
             for n, box in enumerate(columns([100, 220, 160]))]  # fmt: skip
    assert dead_charts(build.slide(*cards, *labels(build, "2021", "2022"))) == []


def test_sectors_round_one_centre_are_a_dead_pie(build):
    sectors = bar_shapes(build, [Box(300, 100, 500, 300)] * 3, geometry="pie")
    values = labels(build, "40 %", "35 %", "25 %", top=310, left=310)
    (chart,) = dead_charts(build.slide(*sectors, *values))
    assert chart.kind == "pie chart"
    assert dead_charts(build.slide(sectors[0], *values)) == []


def test_an_empty_slide_draws_no_chart(build):
    assert dead_charts(build.slide()) == []
