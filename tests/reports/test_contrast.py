import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.geometry import Box
from decklab.reports.contrast import MINIMUM_RATIO, contrast_marks


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
