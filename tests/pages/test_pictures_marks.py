import re
from math import atan2, degrees, hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box
from decklab.pages.pictures import CENTRE, MINIMUM_RATIO, contrast_marks, hue_wheel, tag_beside


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


def test_a_mark_says_what_its_region_says() -> None:
    told = region(2.0, figure="#888888", ground="#FFFFFF")
    (mark,) = contrast_marks({"worst": [told]}, 540)
    assert (mark.text, mark.figure, mark.ground) == ("words", "#888888", "#FFFFFF")
    (bare,) = contrast_marks({"worst": [{"box": [100, 100, 300, 140], "ratio": 2.0}]}, 540)
    assert (bare.text, bare.figure, bare.ground) == ("", "", "")


def test_a_number_stands_left_of_its_box_or_above_it_where_asked() -> None:
    box = Box(100, 100, 300, 140)
    assert tag_beside(box, [box], [], 540) == Box(62, 100, 100, 134)
    assert tag_beside(box, [box], [], 540, above=True) == Box(100, 66, 138, 100)
    at_the_edge = Box(0, 100, 300, 140)
    assert tag_beside(at_the_edge, [at_the_edge], [], 540) == Box(0, 66, 38, 100)
    just_fits = Box(38, 100, 300, 140)
    assert tag_beside(just_fits, [just_fits], [], 540) == Box(0, 100, 38, 134)


def test_numbers_of_many_equal_boxes_go_on_in_the_next_line() -> None:
    whole = Box(0, 0, 960, 540)
    tags: list[Box] = []
    for _ in range(60):
        tags.append(tag_beside(whole, [whole], tags, 540))
    assert tags[0] == Box(0, 0, 38, 34)
    # 24 numbers, each 38 units wide with 2 between, fit a line of 960
    assert tags[23] == Box(920, 0, 958, 34)
    assert tags[24] == Box(0, 34, 38, 68)
    assert len(set(tags)) == 60
    assert all(tag.intersection(whole) == tag for tag in tags)


def test_the_angle_of_a_wheel_is_within_one_turn() -> None:
    evidence = {"hue_histogram": histogram(bin0=1.0), "template": "V", "angle_deg": 725}
    wheel = hue_wheel(evidence)
    assert wheel is not None
    assert (wheel.template, wheel.angle_deg, wheel.chromatic_share) == ("V", 5, None)


def test_hues_too_rare_to_be_seen_have_no_wedge() -> None:
    wheel = hue_wheel({"hue_histogram": histogram(bin0=1.0, bin9=0.003, bin10=0.0029)})
    assert wheel is not None
    assert [wedge.hue for wedge in wheel.wedges] == [2.5, 47.5]
