"""Cells of a slide, checked against sums by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from decklab.core.geometry import FRAME, Box
from decklab.deck.model.shapes import Rect
from decklab.seen.layers import CELL, Front, Ground, certain_patch, on_slide, patch_of

EVEN_X = st.integers(0, 480).map(lambda n: n * CELL)
EVEN_Y = st.integers(0, 270).map(lambda n: n * CELL)
BOXES = st.builds(
    lambda xs, ys: Box(min(xs), min(ys), max(xs), max(ys)),
    st.tuples(EVEN_X, EVEN_X),
    st.tuples(EVEN_Y, EVEN_Y),
)


@given(BOXES)
def test_cells_of_a_box_on_the_grid_have_its_area(box: Box) -> None:
    assert patch_of(box).count * CELL**2 == box.area


@given(BOXES, BOXES)
def test_what_an_opaque_box_leaves_of_another_is_its_area_without_their_common_part(
    cover: Box, below: Box
) -> None:
    front = Front()
    front.add(patch_of(cover), 1.0)
    common = cover.intersection(below)
    left = int(front.lets_by(patch_of(below)).sum()) * CELL**2
    assert left == below.area - common.width * common.height


@given(
    st.floats(-1e9, 1e9), st.floats(-1e9, 1e9), st.floats(0, 1e9), st.floats(0, 1e9)
)  # fmt: skip
def test_no_box_leaves_the_slide_and_shares_lie_between_0_and_1(
    x: float, y: float, w: float, h: float
) -> None:
    box = Box(x, y, x + w, y + h)
    patch = patch_of(box, least=1)
    assert 0 <= patch.rows.start <= patch.rows.stop <= 270
    assert 0 <= patch.columns.start <= patch.columns.stop <= 480
    assert 0 <= on_slide(box) <= 1 + 1e-9


def shape(geometry: str, rotation: float = 0.0, path: str | None = None) -> Rect:
    return Rect(
        x=300.0, y=100.0, w=200.0, h=100.0, rx=0.0, fill=None, stroke=None, strokeWidth=0.0,
        geometry=geometry, rotation=rotation, path=path,
    )  # fmt: skip


def area(element: Rect) -> float:
    patch = certain_patch(element)
    assert patch is not None
    return patch.count * CELL**2


def test_outlines_have_the_areas_that_geometry_gives_them() -> None:
    assert area(shape("rect")) == 20_000
    assert area(shape("rect", 90.0)) == 20_000
    assert abs(area(shape("rect", 30.0)) - 20_000) < 0.03 * 20_000
    assert abs(area(shape("ellipse")) - np.pi * 100 * 50) < 0.03 * np.pi * 5_000
    triangle = "M 0 1000 L 500 0 L 1000 1000 Z"
    assert abs(area(shape("custom", path=triangle)) - 10_000) < 0.03 * 10_000
    ring = "M 0 0 L 1000 0 L 1000 1000 L 0 1000 Z M 250 250 L 750 250 L 750 750 L 250 750 Z"
    assert abs(area(shape("custom", path=ring)) - 15_000) < 0.05 * 15_000
    assert area(shape("donut")) == 0


def test_paint_that_lets_light_through_mixes_with_its_ground() -> None:
    ground = Ground("#FFFFFF")
    ground.paint(patch_of(FRAME), "#000000", 0.5)
    assert ground.only_color(patch_of(FRAME)) == (128, 128, 128)
    ground.uncertain(Box(0, 0, 10, 10))
    assert ground.only_color(patch_of(FRAME)) is None
    stands, ratio = ground.contrasts(patch_of(Box(0, 0, 10, 10)), "#808080", 1.0, large=False)
    assert stands.all() and ratio is None  # nobody knows


def test_without_a_place_there_is_no_patch() -> None:
    assert certain_patch(shape("rect").model_copy(update={"placed": False})) is None
