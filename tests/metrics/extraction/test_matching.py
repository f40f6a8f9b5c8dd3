from itertools import permutations
from math import hypot

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.core.results import NotScored
from decklab.metrics.element_matching import (
    FAMILIES,
    TAU,
    WEIGHTS,
    Terms,
    Weights,
    accepted,
    blend,
    boxes,
    geometry_terms,
    headline_by_weights,
    match_slide,
)

SIDES = st.floats(1, 900)
PLACES = st.tuples(st.floats(-100, 960), st.floats(-100, 540), SIDES, SIDES)


def test_everything_matches_itself_at_no_cost(draw) -> None:
    truth = draw.full()
    for family, matching in match_slide(truth, truth).items():
        count = len(getattr(truth, family))
        assert [(m.truth, m.prediction) for m in matching.matches] == [(i, i) for i in range(count)]
        assert all(m.cost == m.iou_error == m.center_error == 0 for m in matching.matches)
        assert matching.missed == matching.extra == ()


def test_a_blank_slide_matches_a_blank_slide(draw) -> None:
    assert set(match_slide(draw.slide(), draw.slide())) == set(FAMILIES)


@given(PLACES, PLACES)
def test_the_terms_are_those_of_algorithm_1(a: tuple[float, ...], b: tuple[float, ...]) -> None:
    first = Box(a[0], a[1], a[0] + a[2], a[1] + a[3])
    second = Box(b[0], b[1], b[0] + b[2], b[1] + b[3])
    common = first.intersection(second).area
    iou, center, size = geometry_terms(np.array([a]), np.array([b]))
    apart = hypot(a[0] + a[2] / 2 - b[0] - b[2] / 2, a[1] + a[3] / 2 - b[1] - b[3] / 2)
    drift = (abs(a[2] - b[2]) / a[2] + abs(a[3] - b[3]) / a[3]) / 2
    union = a[2] * a[3] + b[2] * b[3] - common
    assert iou[0, 0] == pytest.approx(1 - common / union, abs=1e-6)
    assert center[0, 0] == pytest.approx(min(apart / 1101.4535850412, 1))
    assert size[0, 0] == pytest.approx(min(drift, 1))


def test_a_shifted_picture_costs_what_the_formula_says(draw) -> None:
    truth = draw.slide(images=[draw.image(100, 100, 200, 100)])
    moved = draw.slide(images=[draw.image(130, 140, 200, 100)])
    (match,) = match_slide(truth, moved)["images"].matches
    common = 170 * 60
    assert match.iou_error == pytest.approx(1 - common / (40_000 - common))
    assert match.center_error == pytest.approx(50 / hypot(960, 540))
    assert match.size_error == 0
    geometry = 0.35 * match.iou_error + 0.15 * match.center_error
    assert match.cost == pytest.approx(geometry / 0.60)
    assert match.similarity is None


def test_a_text_costs_its_words_too(draw) -> None:
    truth = draw.slide(texts=[draw.text(0, 0, 100, 50, "abcd")])
    read = draw.slide(texts=[draw.text(0, 0, 100, 50, "abcx")])
    (match,) = match_slide(truth, read)["texts"].matches
    assert match.similarity == 0.75
    assert match.cost == pytest.approx(0.40 * 0.25)


@given(
    st.integers(1, 4).flatmap(
        lambda m: st.integers(1, 4).flatmap(
            lambda n: st.lists(
                st.lists(st.integers(0, 100), min_size=n, max_size=n), min_size=m, max_size=m
            )
        )
    )
)
def test_no_other_assignment_costs_less(rows: list[list[int]]) -> None:
    cost = np.array(rows, float)
    wide = cost if cost.shape[0] <= cost.shape[1] else cost.T
    m, n = wide.shape
    least = min(
        sum(wide[i, j] for i, j in enumerate(columns)) for columns in permutations(range(n), m)
    )
    assert sum(cost[pair] for pair in accepted(cost, tau=100)) == least


def test_words_tell_look_alike_boxes_apart(draw) -> None:
    truth = draw.slide(
        texts=[draw.text(0, 0, 100, 40, "alpha"), draw.text(0, 50, 100, 40, "omega")]
    )
    swapped = draw.slide(
        texts=[draw.text(0, 8, 100, 40, "omega"), draw.text(0, 44, 100, 40, "alpha")]
    )
    pairs = match_slide(truth, swapped)["texts"].matches
    assert [(m.truth, m.prediction) for m in pairs] == [(0, 1), (1, 0)]


def test_the_gate_lets_a_text_read_right_be_elsewhere_and_a_picture_not(draw) -> None:
    truth = draw.slide(
        texts=[draw.text(0, 0, 100, 40, "alpha")], images=[draw.image(0, 0, 100, 40)]
    )
    far = draw.slide(
        texts=[draw.text(700, 400, 100, 40, "alpha")], images=[draw.image(700, 400, 100, 40)]
    )
    found = match_slide(truth, far)
    assert len(found["texts"].matches) == 1
    assert (found["images"].missed, found["images"].extra) == ((0,), (0,))


def test_a_pair_exactly_at_the_gate_is_accepted() -> None:
    assert accepted(np.array([[TAU]])) == [(0, 0)]
    assert accepted(np.array([[np.nextafter(TAU, 1)]])) == []


def test_families_are_never_mixed(draw) -> None:
    truth = draw.slide(rects=[draw.rect(0, 0, 100, 100)])
    read = draw.slide(images=[draw.image(0, 0, 100, 100)])
    found = match_slide(truth, read)
    assert found["rects"].missed == found["images"].extra == (0,)


def test_level_lines_have_boxes_with_an_area(draw) -> None:
    truth = draw.slide(lines=[draw.line(100, 200, 500, 200)])
    assert boxes(truth, "lines").tolist() == [[100, 188, 400, 24]]
    near = draw.slide(lines=[draw.line(500, 206, 100, 206)])
    (match,) = match_slide(truth, near)["lines"].matches
    assert match.iou_error == pytest.approx(1 - 18 / 30)
    far = draw.slide(lines=[draw.line(100, 230, 500, 230)])
    assert match_slide(truth, far)["lines"].missed == (0,)


def test_boxes_without_area_match_themselves(draw) -> None:
    flat = draw.slide(images=[draw.image(10, 10, 0, 0)], rects=[draw.rect(5, 5, 100, 0)])
    found = match_slide(flat, flat)
    assert found["images"].matches[0].cost == found["rects"].matches[0].cost == 0


def test_weights_are_shares_whatever_their_sum() -> None:
    terms = Terms(*(np.array([[value]]) for value in (0.8, 0.2, 0.4, 0.5)))
    assert sum(WEIGHTS) == pytest.approx(1)
    doubled = Weights(*(2 * weight for weight in WEIGHTS))
    assert blend(terms)[0, 0] == pytest.approx(0.35 * 0.8 + 0.15 * 0.2 + 0.1 * 0.4 + 0.4 * 0.5)
    assert blend(terms, doubled)[0, 0] == pytest.approx(blend(terms)[0, 0])


def f1(pairs, **changed) -> float:
    hits = elements = 0
    for truth, prediction in pairs:
        for matching in match_slide(truth, prediction, **changed).values():
            hits += len(matching.matches)
            elements += 2 * len(matching.matches) + len(matching.missed) + len(matching.extra)
    return 2 * hits / elements


def blurred(draw):
    truth = draw.full()
    read = draw.slide(
        texts=[draw.text(90 + 60 * i, 60 + 80 * i, 300, 60, "Qarterly costs") for i in range(4)],
        rects=[draw.rect(560, 180, 200, 100)],
        lines=[draw.line(60, 118, 800, 118)],
        images=[draw.image(560, 300, 240, 180)],
        tables=[draw.table(340, 340, 180, 120, ("Year", "Total"))],
    )
    return [(truth, read), (truth, truth)]


def test_each_row_is_the_f1_with_that_number_changed(draw) -> None:
    pairs = blurred(draw)
    rows = {(row.changed, row.factor): row for row in headline_by_weights(pairs)}
    assert len(rows) == 11
    assert rows["", 1.0].f1 == pytest.approx(f1(pairs))
    halved = WEIGHTS._replace(content=WEIGHTS.content / 2)
    assert rows["content", 0.5].f1 == pytest.approx(f1(pairs, weights=halved))
    assert rows["tau", 2.0].f1 == pytest.approx(f1(pairs, tau=1.0))
    for row in rows.values():
        assert row.shift == pytest.approx(row.f1 - rows["", 1.0].f1)
    assert any(row.shift for row in rows.values())


def test_nothing_moves_a_perfect_reading_but_lost_replies_count(draw) -> None:
    truth = draw.full()
    assert {row.f1 for row in headline_by_weights([(truth, truth)])} == {1.0}
    rows = headline_by_weights([(truth, truth), (truth, None)])
    assert {row.f1 for row in rows} == {2 / 3}


def test_blank_slides_have_no_headline(draw) -> None:
    (first, *_) = headline_by_weights([(draw.slide(), draw.slide())])
    assert isinstance(first.f1, NotScored) and isinstance(first.shift, NotScored)


def test_tables_in_one_place_are_told_apart_by_their_cells(draw) -> None:
    first, second = (draw.table(100, 100, 300, 80, cells) for cells in (("a", "b"), ("c", "d")))
    truth = draw.slide(tables=[first, second])
    turned = draw.slide(tables=[second, first])
    found = match_slide(truth, turned)["tables"]
    assert [(match.truth, match.prediction) for match in found.matches] == [(0, 1), (1, 0)]


def test_each_text_is_matched_with_the_one_that_has_its_words(draw) -> None:
    words = ("alpha", "beta", "gamma")
    truth = draw.slide(texts=[draw.text(0, 0, 100, 40, word) for word in words])
    turned = draw.slide(texts=[draw.text(0, 0, 100, 40, words[n - 1]) for n in range(3)])
    pairs = match_slide(truth, turned)["texts"].matches
    assert [(m.truth, m.prediction, m.similarity) for m in pairs] == [
        (0, 1, 1),
        (1, 2, 1),
        (2, 0, 1),
    ]


def test_one_of_two_texts_is_matched_and_the_other_is_extra(draw) -> None:
    truth = draw.slide(texts=[draw.text(0, 0, 100, 40, "alpha")])
    read = draw.slide(texts=[draw.text(0, 0, 100, 40, word) for word in ("omega", "alpha")])
    found = match_slide(truth, read)["texts"]
    assert [(m.truth, m.prediction) for m in found.matches] == [(0, 1)]
    assert (found.missed, found.extra) == ((), (0,))
    back = match_slide(read, truth)["texts"]
    assert ([m.truth for m in back.matches], back.missed, back.extra) == ([1], (0,), ())


def test_tables_are_matched_by_their_cells_in_both_directions(draw) -> None:
    cells = (("a", "b"), ("c", "d"), ("e", "f"))
    tables = [draw.table(100, 100, 300, 80, row) for row in cells]
    truth = draw.slide(tables=tables)
    turned = draw.slide(tables=[tables[2], tables[0], tables[1]])
    pairs = match_slide(truth, turned)["tables"].matches
    assert [(m.truth, m.prediction) for m in pairs] == [(0, 1), (1, 2), (2, 0)]
    more = match_slide(draw.slide(tables=tables[1:2]), turned)["tables"]
    assert [(m.truth, m.prediction) for m in more.matches] == [(0, 2)]
    assert more.extra == (0, 1)
