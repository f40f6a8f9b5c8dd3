from hypothesis import given
from hypothesis import strategies as st

from decklab.geometry import Box

edges = st.floats(-2000, 2000)
boxes = st.builds(
    lambda x, y, w, h: Box(x, y, x + w, y + h), edges, edges, st.floats(0, 2000), st.floats(0, 2000)
)


@given(boxes, boxes)
def test_the_common_part_lies_in_both_and_the_union_holds_both(one: Box, other: Box) -> None:
    common, union = one.intersection(other), one.union(other)
    assert common == other.intersection(one)
    assert common.area <= min(one.area, other.area)
    assert union.left <= min(one.left, other.left)
    assert union.bottom >= max(one.bottom, other.bottom)
    assert union.intersection(one) == one


def test_boxes_that_do_not_meet_have_no_common_area() -> None:
    assert Box(0, 0, 10, 10).intersection(Box(20, 0, 30, 10)).area == 0
    assert Box(0, 0, 10, 10).intersection(Box(10, 0, 30, 10)).area == 0
