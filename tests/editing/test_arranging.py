"""Shapes moved, lined up, stacked, grouped: places as python-pptx reads them."""

from collections.abc import Callable
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from decklab.editing.arranging import (
    align_shapes,
    crop_more,
    crop_picture,
    distribute_shapes,
    geometry_of,
    group_shapes,
    order_shape,
    set_geometry,
    ungroup_shape,
)
from decklab.editing.finding import EditError
from decklab.editing.new_shapes import add_shape
from decklab.editing.slides import rename_section
from decklab.editing.tables import table_of

Edit = Callable[[Callable[[Any], object]], Any]
EMU_ACROSS, EMU_DOWN = 9144000 / 960, 6858000 / 540
BOXES = ((100, 100, 50, 40), (220, 160, 100, 60), (500, 300, 70, 80))


def three(prs: Any) -> list[int]:
    return [add_shape(prs, 1, box) for box in BOXES]


def boxes(prs: Any, ids: list[int]) -> list[tuple[int, ...]]:
    found = {shape.shape_id: shape for shape in prs.slides[0].shapes}
    return [
        (
            round(found[id].left / EMU_ACROSS), round(found[id].top / EMU_DOWN),
            round(found[id].width / EMU_ACROSS), round(found[id].height / EMU_DOWN),
        )
        for id in ids
    ]  # fmt: skip


def test_a_shape_goes_where_it_is_told_and_turns(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        assert set_geometry(prs, 4, "Picture 3", x=480, width=420, rotation=-90)
        assert not set_geometry(prs, 4, "Picture 3", x=480, width=420, rotation=270)

    shape = next(one for one in edited(edit).prs.slides[3].shapes if one.name == "Picture 3")
    assert (shape.left / EMU_ACROSS, shape.width / EMU_ACROSS, shape.rotation) == (480, 420, 270)


def test_a_table_fills_its_new_frame(edited: Edit) -> None:
    def edit(prs: Any) -> None:
        name = next(shape.name for shape in prs.slides[5].shapes if shape.has_table)
        set_geometry(prs, 6, name, width=800, height=150)

    table = next(one.table for one in edited(edit).prs.slides[5].shapes if one.has_table)
    assert round(sum(column.width for column in table.columns) / EMU_ACROSS) == 800
    assert round(sum(row.height for row in table.rows) / EMU_DOWN) == 150


@pytest.mark.parametrize(
    ("edge", "expected"),
    [
        ("left", [(100, 100), (100, 160), (100, 300)]),
        ("right", [(520, 100), (470, 160), (500, 300)]),
        ("center", [(310, 100), (285, 160), (300, 300)]),
        ("top", [(100, 100), (220, 100), (500, 100)]),
        ("bottom", [(100, 340), (220, 320), (500, 300)]),
        ("middle", [(100, 220), (220, 210), (500, 200)]),
    ],
)
def test_shapes_line_up(edge: str, expected: list[tuple[int, int]], edited: Edit) -> None:
    ids: list[int] = []

    def edit(prs: Any) -> None:
        ids.extend(three(prs))
        assert align_shapes(prs, 1, ids, edge) == (3 if edge in {"center", "middle"} else 2)

    assert [box[:2] for box in boxes(edited(edit).prs, ids)] == expected


def test_one_shape_lines_up_with_the_slide(deck: Any) -> None:
    ids = three(deck)
    align_shapes(deck, 1, ids[:1], "center")
    align_shapes(deck, 1, ids[1:], "bottom", to_slide=True)
    assert boxes(deck, ids) == [(455, 100, 50, 40), (220, 480, 100, 60), (500, 460, 70, 80)]


def test_gaps_become_equal(deck: Any) -> None:
    ids = three(deck)
    assert distribute_shapes(deck, 1, [ids[2], ids[0], ids[1]], "horizontally") == 1
    assert boxes(deck, ids)[1] == (275, 160, 100, 60)  # gaps of 125: 150 to 275, 375 to 500
    assert distribute_shapes(deck, 1, ids, "vertically") == 1
    assert boxes(deck, ids)[1][1] == 190  # gaps of 50: 140 to 190, 250 to 300


def test_shapes_are_stacked(deck: Any) -> None:
    ids = three(deck)

    def order() -> list[int]:
        return [shape.shape_id for shape in deck.slides[0].shapes if shape.shape_id in ids]

    for to, expected in (
        ("front", [ids[1], ids[2], ids[0]]),
        ("backward", [ids[1], ids[0], ids[2]]),
        ("backward", [ids[0], ids[1], ids[2]]),
        ("forward", [ids[1], ids[0], ids[2]]),
    ):
        order_shape(deck, 1, ids[0], to)
        assert order() == expected
    order_shape(deck, 1, ids[0], "back")
    assert not order_shape(deck, 1, ids[0], "backward")


def test_what_is_left_of_a_cropped_picture_stays_where_it_was(edited: Edit) -> None:
    before: list[tuple[float, ...]] = []

    def edit(prs: Any) -> None:
        before.append(geometry_of(prs, 4, "Picture 3"))
        crop_picture(prs, 4, "Picture 3", left=0.25, bottom=0.5)

    prs = edited(edit).prs
    picture = next(one for one in prs.slides[3].shapes if one.name == "Picture 3")
    assert (picture.crop_left, picture.crop_bottom, picture.crop_top) == (0.25, 0.5, 0)
    x, y, width, height = before[0]
    assert geometry_of(prs, 4, "Picture 3") == pytest.approx(
        (x + width / 4, y, width * 3 / 4, height / 2), abs=0.01
    )
    crop_picture(prs, 4, "Picture 3")
    assert geometry_of(prs, 4, "Picture 3") == pytest.approx(before[0], abs=0.01)


def test_a_group_holds_its_shapes_where_they_were_and_gives_them_back(edited: Edit) -> None:
    ids: list[int] = []

    def edit(prs: Any) -> None:
        ids.extend(three(prs))
        ids.append(group_shapes(prs, 1, ids[:2], "Pair"))

    prs = edited(edit).prs
    group = next(shape for shape in prs.slides[0].shapes if shape.shape_id == ids[3])
    assert [shape.shape_id for shape in group.shapes] == ids[:2]
    assert boxes(prs, ids[3:]) == [(100, 100, 220, 120)]
    assert ungroup_shape(prs, 1, "Pair") == ids[:2]
    assert boxes(prs, ids[:3]) == list(BOXES)


def test_members_of_a_scaled_group_are_seen_and_moved_on_the_slide(deck: Any) -> None:
    ids = three(deck)
    group_shapes(deck, 1, ids[:2], "Pair")
    set_geometry(deck, 1, "Pair", x=0, y=0, width=440, height=60)
    assert geometry_of(deck, 1, ids[1]) == pytest.approx((240, 30, 200, 30), abs=0.01)
    set_geometry(deck, 1, ids[1], x=300)
    assert geometry_of(deck, 1, ids[1]) == pytest.approx((300, 30, 200, 30), abs=0.01)
    ungroup_shape(deck, 1, "Pair")
    assert boxes(deck, ids[:2]) == [(0, 0, 100, 20), (300, 30, 200, 30)]


def test_a_turned_group_leaves_its_members_turned(deck: Any) -> None:
    ids = three(deck)
    group_shapes(deck, 1, ids[:2], "Pair")
    set_geometry(deck, 1, "Pair", rotation=90)
    with pytest.raises(EditError, match="turned"):
        geometry_of(deck, 1, ids[0])
    ungroup_shape(deck, 1, "Pair")
    shape = next(one for one in deck.slides[0].shapes if one.shape_id == ids[0])
    assert shape.rotation == 90
    middle = (210 * EMU_ACROSS, 160 * EMU_DOWN)
    x, y = 125 * EMU_ACROSS - middle[0], 120 * EMU_DOWN - middle[1]
    angle = radians(90)
    expected = (middle[0] + x * cos(angle) - y * sin(angle),
                middle[1] + x * sin(angle) + y * cos(angle))  # fmt: skip
    found = (shape.left + shape.width / 2, shape.top + shape.height / 2)
    assert found == pytest.approx(expected, abs=2)


def test_a_section_gets_another_name(deck: Any) -> None:
    with pytest.raises(EditError, match="it has none"):
        rename_section(deck, "Intro", "Start")


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda prs: set_geometry(prs, 4, "Picture 3", width=0), "one point"),
        (lambda prs: set_geometry(prs, 4, "Picture 3", x=float("inf")), "numbers"),
        (lambda prs: align_shapes(prs, 4, ["Picture 3"], "above"), "no edge"),
        (lambda prs: align_shapes(prs, 4, [], "left"), "name the shapes"),
        (lambda prs: distribute_shapes(prs, 4, ["Picture 3"], "vertically"), "three shapes"),
        (lambda prs: order_shape(prs, 4, "Picture 3", "top"), "none of"),
        (lambda prs: crop_picture(prs, 4, "Title 1", left=0.1), "no picture"),
        (lambda prs: crop_picture(prs, 4, "Picture 3", left=0.6, right=0.5), "has to remain"),
        (lambda prs: group_shapes(prs, 4, ["Picture 3"]), "two shapes"),
        (lambda prs: group_shapes(prs, 4, ["Picture 3", "Title 1"]), "placeholder"),
        (lambda prs: ungroup_shape(prs, 4, "Picture 3"), "no group"),
    ],
)
def test_what_cannot_be_done_is_said(edit: Callable[[Any], object], said: str, deck: Any) -> None:
    with pytest.raises(EditError, match=said):
        edit(deck)


def test_columns_keep_their_shares(deck: Any) -> None:
    table = table_of(deck, 6)
    columns = [int(one.get("w")) for one in table.iter("{*}gridCol")]
    name = next(shape.name for shape in deck.slides[5].shapes if shape.has_table)
    x, _y, width, _height = geometry_of(deck, 6, name)
    set_geometry(deck, 6, name, width=2 * width)
    assert [int(one.get("w")) for one in table.iter("{*}gridCol")] == [2 * one for one in columns]
    assert geometry_of(deck, 6, name)[0] == x


def test_a_picture_in_a_group_is_cropped(deck: Any, tmp_path: Path) -> None:
    Image.new("RGB", (40, 20), "navy").save(tmp_path / "sea.png")
    group = deck.slides[0].shapes.add_group_shape()
    picture = group.shapes.add_picture(str(tmp_path / "sea.png"), 0, 0, 4_000_000, 2_000_000)
    crop_picture(deck, 1, picture.shape_id, right=0.5)
    assert (picture.crop_right, picture.width) == (0.5, 2_000_000)


def test_what_is_cropped_further_keeps_its_other_sides_and_the_scale(deck: Any) -> None:
    crop_picture(deck, 4, "Picture 3", left=0.5, bottom=0.5)
    x, y, width, height = geometry_of(deck, 4, "Picture 3")
    crop_more(deck, 4, "Picture 3", "left", 0.2)
    picture = next(one for one in deck.slides[3].shapes if one.name == "Picture 3")
    assert (picture.crop_left, picture.crop_bottom, picture.crop_right) == (0.6, 0.5, 0)
    assert geometry_of(deck, 4, "Picture 3") == pytest.approx(
        (x + width / 5, y, width * 4 / 5, height), abs=0.01
    )
    with pytest.raises(EditError, match="'middle'"):
        crop_more(deck, 4, "Picture 3", "middle", 0.2)
