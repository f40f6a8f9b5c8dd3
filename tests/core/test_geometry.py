from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import Box, BoxIndex

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


@given(st.lists(boxes, max_size=12), boxes)
def test_an_index_finds_all_boxes_that_touch_a_place(held: list[Box], place: Box) -> None:
    touching = [
        number
        for number, box in enumerate(held)
        if box.left <= place.right
        and place.left <= box.right
        and box.top <= place.bottom
        and place.top <= box.bottom
    ]
    found = BoxIndex(held).near(place)
    assert found == sorted(set(found)) and set(touching) <= set(found)


def test_an_index_leaves_out_what_is_far_away() -> None:
    held = BoxIndex(Box(x, y, x + 5, y + 5) for y in range(0, 540, 10) for x in range(0, 960, 10))
    assert len(held.near(Box(500, 300, 501, 301))) < 0.01 * 54 * 96
    assert BoxIndex([]).near(Box(0, 0, 960, 540)) == []
    nowhere = Box(float("nan"), float("-inf"), float("nan"), float("inf"))
    assert BoxIndex([nowhere, Box(0, 0, 1, 1)]).near(nowhere) == [0, 1]
    turned = Box(300, 200, 100, 50)
    assert BoxIndex([turned]).near(Box(200, 100, 201, 101)) == [0]
