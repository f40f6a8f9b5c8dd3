"""Members that go with their group, for any group and any change of its box."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.diffing.changes import Difference
from decklab.diffing.compare.geometry import GroupFrame, geometry_differences, sized_once

NUMBER = st.floats(-500, 1000).map(lambda value: round(value, 2))
LENGTH = st.floats(20, 600).map(lambda value: round(value, 2))


def box(x: float, y: float, w: float, h: float, **others: Any) -> dict[str, Any]:
    return {"x": x, "y": y, "w": w, "h": h, **others}


@given(NUMBER, NUMBER, LENGTH, NUMBER, NUMBER)
def test_a_member_carried_along_by_its_group_did_not_change(
    x: float, y: float, size: float, across: float, down: float
) -> None:
    old = box(0, 0, 100, 50)
    frame = GroupFrame(old, box(across, down, 100, 50))
    member, moved = box(x, y, size, size), box(x + across, y + down, size, size)
    assert [one for one in geometry_differences(member, moved, frame) if not one.noise] == []


@given(NUMBER, NUMBER, LENGTH, LENGTH)
def test_a_member_scaled_with_its_group_did_not_change(
    x: float, y: float, w: float, h: float
) -> None:
    frame = GroupFrame(box(10, 20, 100, 50), box(10, 20, 200, 25))
    scaled = box(10 + (x - 10) * 2, 20 + (y - 20) / 2, w * 2, h / 2)
    found = geometry_differences(box(x, y, w, h), scaled, frame)
    assert [one for one in found if not one.noise] == []


def test_a_member_that_moves_inside_a_moving_group_is_told() -> None:
    frame = GroupFrame(box(0, 0, 100, 50), box(30, 0, 100, 50))
    found = list(geometry_differences(box(5, 5, 9, 9), box(50, 5, 9, 9), frame))
    assert [(one.property, one.old, one.new) for one in found] == [("position", [5, 5], [50, 5])]


def test_rounding_is_noise() -> None:
    found = list(geometry_differences(box(5, 5, 9, 9), box(5.03, 5, 9, 9.02), None))
    assert [(one.property, one.noise) for one in found] == [("position", True), ("size", True)]


def test_mirrored_both_ways_is_turned_by_half() -> None:
    turned, mirrored = box(0, 0, 9, 9, rotation=180.0), box(0, 0, 9, 9, flip_h=True, flip_v=True)
    assert list(geometry_differences(turned, mirrored, None)) == []


def test_a_line_is_told_by_its_ends() -> None:
    old, new = {"x1": 0.0, "x2": 9.0}, {"x1": 0.0, "x2": 9.0, "y2": 40.0, "rotation": 90.0}
    found = list(geometry_differences(old, new, None))
    assert [(one.property, one.old, one.new) for one in found] == [("end", [9, 0], [9, 40])]


@pytest.mark.parametrize(
    ("before", "after", "noise"),
    [(359.98, 0.01, True), (0.01, 359.98, True), (30.0, 60.1, False), (30.0, 60.0, False)],
)
def test_a_turn_is_measured_the_short_way_round(before: float, after: float, noise: bool) -> None:
    old, new = (box(0, 0, 9, 9, rotation=degrees) for degrees in (before, after))
    (found,) = geometry_differences(old, new, None)
    assert (found.property, found.old, found.new, found.noise) == (
        "rotation", before, after, noise,
    )  # fmt: skip


def test_columns_that_swap_their_widths_change_though_the_table_does_not() -> None:
    old, new = (
        {**box(0, 0, 300, 50), "table": {"columns": widths, "heights": [50]}}
        for widths in ([100, 200], [200, 100])
    )
    widths = Difference("table", "column width", [100, 200], [200, 100])
    assert list(sized_once(old, new, [widths])) == [widths]


def test_a_shape_that_gets_a_place_of_its_own_is_told_once() -> None:
    old, new = box(0, 0, 0, 0, placed=False), box(10, 20, 30, 40, placed=True)
    assert [(one.property, one.old, one.new) for one in geometry_differences(old, new, None)] == [
        ("placed", False, True)
    ]
