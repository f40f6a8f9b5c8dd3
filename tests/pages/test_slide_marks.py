import re
from math import atan2, degrees, hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.pages.slide_marks import CENTRE, MINIMUM_RATIO, contrast_marks, hue_wheel


def region(
    ratio: float, box: tuple[float, ...] = (100, 100, 300, 140), **rest: object
) -> dict[str, object]:
    return {"box": list(box), "ratio": ratio, "text": "words", **rest}


def test_only_regions_below_the_minimum_are_marked_lowest_first() -> None:
    regions = [region(4.4), region(9.0), region(1.2), region(MINIMUM_RATIO)]
    marks = contrast_marks({"worst": regions}, 540)
    assert [(mark.label, mark.ratio) for mark in marks] == [(1, 1.2), (2, 4.4)]


def test_a_region_of_large_text_needs_less() -> None:
    regions = [region(3.5, least_ratio=3.0), region(3.5, least_ratio=4.5)]
    assert len(contrast_marks({"worst": regions}, 540)) == 1


def test_boxes_follow_the_proportions_of_the_picture() -> None:
    (mark,) = contrast_marks({"worst": [region(2.0)]}, 720)
    assert tuple(mark.box) == pytest.approx((100, 100 * 720 / 540, 300, 140 * 720 / 540))


def test_regions_off_the_slide_are_left_out_and_others_cut_at_its_edge() -> None:
    regions = [region(2.0, (970, 10, 1100, 40)), region(2.5, (900, 10, 1100, 40))]
    (mark,) = contrast_marks({"worst": regions}, 540)
    assert mark.box == Box(900, 10, 960, 40)


def test_no_evidence_makes_no_marks() -> None:
    assert contrast_marks({}, 540) == []


BOXES = st.tuples(st.floats(0, 950), st.floats(0, 530), st.floats(8, 400), st.floats(8, 200)).map(
    lambda b: (b[0], b[1], min(960.0, b[0] + b[2]), min(540.0, b[1] + b[3]))
)


@given(st.lists(BOXES, max_size=5))
def test_numbers_stay_on_the_picture_and_apart(boxes: list[tuple[float, ...]]) -> None:
    marks = contrast_marks({"worst": [region(2.0, box) for box in boxes]}, 540)
    for i, mark in enumerate(marks):
        assert mark.tag.left >= 0
        assert mark.tag.top >= 0
        assert mark.tag.bottom <= 540
        assert mark.tag.right <= 960
        for other in marks[:i]:
            assert not mark.tag.intersection(other.tag).area


def polar(x: str, y: str) -> tuple[float, float]:
    """Angle clockwise from the top in degrees, and distance from the middle."""
    dx, dy = float(x) - CENTRE, CENTRE - float(y)
    return degrees(atan2(dx, dy)) % 360, hypot(dx, dy)


def corners(path: str) -> list[tuple[float, float]]:
    """The first three corners of a ring piece: start inside, start outside, end outside."""
    spots = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)
    end = re.search(r"A\S+ \S+ 0 [01] 1 (-?[\d.]+) (-?[\d.]+)L", path)
    assert end
    return [polar(*spots[0]), polar(*spots[1]), polar(*end.groups())]


def histogram(**shares: float) -> list[float]:
    bins = [0.0] * 72
    for name, share in shares.items():
        bins[int(name.removeprefix("bin"))] = share
    return bins


def test_a_hue_of_90_degrees_is_drawn_a_quarter_turn_clockwise_from_the_top() -> None:
    wheel = hue_wheel({"hue_histogram": histogram(bin18=1.0)})
    assert wheel is not None
    (wedge,) = wheel.wedges
    inside, outside, end = corners(wedge.path)
    assert inside[0] == pytest.approx(90, abs=0.2)
    assert end[0] == pytest.approx(95, abs=0.2)
    assert outside[1] > inside[1]
    assert wedge.hue == 92.5


def test_the_area_of_a_wedge_is_proportional_to_its_share() -> None:
    wheel = hue_wheel({"hue_histogram": histogram(bin0=0.75, bin40=0.25)})
    assert wheel is not None
    areas = []
    for wedge in wheel.wedges:
        (_, inner), (_, outer), _ = corners(wedge.path)
        areas.append(outer**2 - inner**2)
    assert areas[0] / areas[1] == pytest.approx(3, rel=0.02)


def test_a_sector_spans_its_width_around_its_centre() -> None:
    wheel = hue_wheel({"hue_histogram": histogram(bin0=1.0), "sectors": [[10, 94.0]]})
    assert wheel is not None
    start, _, end = corners(wheel.sectors[0])
    assert start[0] == pytest.approx(360 - 37, abs=0.3)
    assert end[0] == pytest.approx(57, abs=0.3)


def test_a_sector_of_half_the_circle_or_more_goes_the_long_way_round() -> None:
    evidence = {"hue_histogram": histogram(bin0=1.0), "sectors": [[0, 270], [0, 360]]}
    wheel = hue_wheel(evidence)
    assert wheel is not None
    assert all(" 0 1 1 " in sector for sector in wheel.sectors)


@pytest.mark.parametrize("evidence", [{}, {"hue_histogram": []}, {"hue_histogram": [0.0] * 72}])
def test_no_hues_make_no_wheel(evidence: dict[str, list[float]]) -> None:
    assert hue_wheel(evidence) is None
