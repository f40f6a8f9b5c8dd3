from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.editability.graphics import bars_on_one_baseline, dead_charts, judge_data
from decklab.metrics.editability.verdict import ChartFacts, PictureFacts, PictureKind


def no_pictures():
    return ()


def judge_chart(build, **fields):
    chart = build.chart()
    plain: dict[str, Any] = {"workbook": "readable", "compared": 2, "redrawn": True}
    fact = ChartFacts(1, chart.id, **plain | fields)
    return judge_data(build.deck(build.slide(chart)), no_pictures, lambda: [fact])


def test_a_chart_that_follows_its_workbook_passes(build):
    gate = judge_chart(build)
    assert gate.outcome == "passed" and gate.evidence == ()
    assert "checked 1 of 1" in gate.summary


@pytest.mark.parametrize(
    ("fields", "rule", "words"),
    [
        ({"workbook": "missing"}, "broken-workbook", "no workbook"),
        ({"workbook": "linked", "detail": "c:/b.xls"}, "broken-workbook", "outside the deck: c:/b"),
        ({"workbook": "unreadable", "detail": "bad zip"}, "broken-workbook", "cannot be opened"),
        ({"mismatches": ("B2 holds 1, the chart draws 2",)}, "stale-chart", "B2 holds 1"),
        ({"redrawn": False}, "frozen-chart", "does not change"),
    ],
)
def test_what_is_wrong_with_a_chart_fails_and_is_named(build, fields, rule, words):
    gate = judge_chart(build, **fields)
    assert gate.outcome == "failed" and "1 of 1" in gate.summary
    (item,) = gate.evidence
    assert item.rule == f"editability.{rule}" and words in item.message and item.fix


def test_a_workbook_of_another_format_passes_with_a_remark(build):
    gate = judge_chart(build, workbook="foreign", compared=0, redrawn=None)
    assert gate.outcome == "passed"
    assert [item.severity for item in gate.evidence] == ["info"]


def test_a_deck_without_data_fails_or_is_left_out_by_option(build, never):
    deck = build.deck(build.slide(build.title("Words only")))
    assert judge_data(deck, no_pictures, never).outcome == "failed"
    gate = judge_data(deck, no_pictures, never, "not_applicable")
    assert gate.outcome == "not_applicable"
    assert gate.summary == "The deck has no native data graphics."


def test_smartart_is_native_and_needs_no_chart(build, never):
    deck = build.deck(build.slide(build.shape(kind="smartart")))
    gate = judge_data(deck, no_pictures, never)
    assert gate.outcome == "passed" and "1 SmartArt or connected diagram" in gate.summary


def drawn_chart(build):
    bars = [build.shape((100 + 60 * n, 400 - high, 140 + 60 * n, 400))
            for n, high in enumerate((100, 220, 160))]  # fmt: skip
    values = [build.text(f"{n}0", (100 + 60 * n, 410, 140 + 60 * n, 430)) for n in range(3)]
    return build.slide(*bars, *values)


def native_charts(build, live, broken):
    charts = [build.chart() for _ in range(live + broken)]
    facts = [
        ChartFacts(n + 1, chart.id, "readable" if n < live else "missing", redrawn=True, compared=2)
        for n, chart in enumerate(charts)
    ]
    return [build.slide(chart) for chart in charts], facts


@pytest.mark.parametrize(
    ("live", "broken", "drawn", "outcome"),
    [
        (9, 0, 1, "passed"),
        (9, 1, 0, "passed"),
        (2, 1, 1, "passed"),
        (1, 1, 1, "failed"),
        (1, 2, 0, "failed"),
        (1, 0, 2, "failed"),
    ],
)
def test_what_most_data_graphics_are_decides(build, live, broken, drawn, outcome):
    slides, facts = native_charts(build, live, broken)
    deck = build.deck(*slides, *[drawn_chart(build) for _ in range(drawn)])
    gate = judge_data(deck, no_pictures, lambda: facts)
    assert gate.outcome == outcome
    total = live + broken + drawn
    if outcome == "passed" or live + broken >= drawn:
        assert f"{live} of {total} (" in gate.summary
    expected = "error" if outcome == "failed" else "warning"
    named = [item for item in gate.evidence if item.rule != "editability.unread-workbook"]
    assert {item.severity for item in named} == {expected} and gate.mend


def test_drawn_charts_that_outnumber_the_native_ones_decide_without_a_drawing(build, never):
    slides, _ = native_charts(build, 1, 0)
    gate = judge_data(
        build.deck(*slides, drawn_chart(build), drawn_chart(build)), no_pictures, never
    )
    assert gate.outcome == "failed" and "was not tried" in gate.summary
    assert gate.evidence[0].rule == "editability.dead-chart"


@pytest.mark.parametrize(
    ("bars", "alt", "found"),
    [
        (4, "", True),
        (0, "Bar chart of sales by year", True),
        (0, "Flow chart of the process", False),
        (0, "A dog", False),
    ],
)
def test_pictures_of_charts_are_told_by_bars_or_by_name(build, never, bars, alt, found):
    kind: PictureKind = "graphic"
    picture = build.picture(alt_text=alt)
    fact = PictureFacts(1, picture.id, "Picture", "a.png", Box(0, 0, 400, 300), 1.0, kind, bars)
    gate = judge_data(build.deck(build.slide(picture)), lambda: [fact], never)
    assert [item.rule for item in gate.evidence] == ["editability.chart-picture"] * found


def test_loose_arrows_between_boxes_are_remarked(build, never):
    boxes = [build.text("Step", (100 * n, 100, 100 * n + 60, 150), filled=True) for n in range(4)]
    arrows = [build.shape(kind="connector", filled=False, outlined=True) for _ in range(3)]
    gate = judge_data(build.deck(build.slide(*boxes, *arrows)), no_pictures, never)
    (item,) = gate.evidence
    assert item.rule == "editability.loose-process" and item.severity == "info"
    assert gate.outcome == "failed"
    glued = [build.shape(kind="connector", connects=(1, 2)) for _ in range(3)]
    gate = judge_data(build.deck(build.slide(*boxes, *glued)), no_pictures, never)
    assert gate.outcome == "passed" and gate.evidence == ()
    assert "1 SmartArt or connected diagram" in gate.summary


def test_two_glued_lines_are_no_process_and_half_glued_lines_hold_nothing(build, never):
    boxes = [build.text("Step", (100 * n, 100, 100 * n + 60, 150), filled=True) for n in range(4)]
    few = [build.shape(kind="connector", connects=(1, 2)) for _ in range(2)]
    half = [build.shape(kind="connector", connects=(1, None)) for _ in range(3)]
    for lines in (few, half):
        gate = judge_data(build.deck(build.slide(*boxes, *lines)), no_pictures, never)
        assert gate.outcome == "failed" and "no native data graphics" in gate.summary


def test_without_a_drawing_the_gate_is_not_scored(build):
    deck = build.deck(build.slide(build.chart()))
    gate = judge_data(deck, no_pictures, lambda: NotScored("LibreOffice is missing"))
    assert gate.outcome == "not_scored"


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
