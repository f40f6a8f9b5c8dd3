from math import cos, isclose, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.deck.frames import Frame, GroupTransform, path_of
from decklab.deck.model.shapes import Line
from decklab.editing.building.drawing import FrameSize, freeform_xml, inside, rounded_adjustment
from decklab.ooxml.xml import parse_xml

A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
PAPER = FrameSize.of_points((960.0, 540.0))


def parsed(path: str):
    text = freeform_xml(path).replace("<a:custGeom>", f"<a:custGeom {A}>")
    return parse_xml(text.encode(), path="x", part=None)


def numbers(path: str):
    return [float(word) for word in path.split() if not word.isalpha()]


def commands(path: str):
    return [word for word in path.split() if word.isalpha()]


@pytest.mark.parametrize(
    "path",
    [
        "M 0 0 L 1000 500 C 50 100 100 200 150 300 Z",
        "M 0 0 Q 500 1000 1000 0 Z M 100 100 L 200.25 300.75",
        "M 500 0 A 500 500 0 0 1 1000 500",
        "M 500 0 A 500 500 0 1 1 0 500",
        "M 500 0 A 500 500 0 0 0 0 500",
        "M 0 500 A 500 250 0 0 1 1000 500 A 500 250 0 0 1 0 500 Z",
    ],
)
def test_a_path_written_and_read_is_the_same(path):
    found = path_of(parsed(path), Frame(0, 0, 1000, 1000))
    assert commands(found) == commands(path)
    assert numbers(found) == pytest.approx(numbers(path), abs=0.1)


starts, sweeps = st.floats(0, 359), st.floats(5, 355)


@given(st.floats(50, 400), st.floats(50, 400), starts, sweeps, st.booleans())
def test_any_arc_ends_where_it_did(across, down, start, sweep, clockwise):
    signed = sweep if clockwise else -sweep
    ends = [
        (500 + across * cos(radians(angle)), 500 + down * sin(radians(angle)))
        for angle in (start, start + signed)
    ]
    (x, y), (u, v) = ends
    large, turn = int(sweep > 180), int(clockwise)
    path = f"M {x:.2f} {y:.2f} A {across:.2f} {down:.2f} 0 {large} {turn} {u:.2f} {v:.2f}"
    found = path_of(parsed(path), Frame(0, 0, 1000, 1000))
    assert numbers(found)[7:] == pytest.approx([u, v], abs=0.5)
    if abs(sweep - 180) > 5:
        assert [int(flag) for flag in numbers(found)[5:7]] == [large, turn]


def test_a_corner_radius_becomes_a_share_of_the_shorter_side():
    assert rounded_adjustment(10, 1.0, 200, 50) == 20_000
    assert rounded_adjustment(1000, 1.0, 200, 50) == 50_000
    assert rounded_adjustment(1, 1.0, 0, 0) == 0


frames = st.builds(
    Frame,
    st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(1, 1e6), st.floats(1, 1e6),
    st.floats(0, 359.9), st.booleans(), st.booleans(),
)  # fmt: skip


@given(frames, frames)
def test_a_frame_put_inside_a_group_comes_out_where_it_was(frame, group):
    again = GroupTransform(group, group.left, group.top, group.width, group.height).outward(
        inside(frame, group)
    )
    for name in ("left", "top", "width", "height"):
        assert isclose(getattr(again, name), getattr(frame, name), abs_tol=1e-2)
    turn = (again.rotation - frame.rotation) % 360
    assert isclose(min(turn, 360 - turn), 0, abs_tol=1e-6)
    assert (again.flip_h, again.flip_v) == (frame.flip_h, frame.flip_v)


@pytest.mark.parametrize("rotation", [0.0, 30.0, 90.0, 200.0])
def test_the_frame_of_a_line_has_its_ends_at_its_corners(rotation):
    line = Line(x1=100, y1=50, x2=40, y2=300, stroke="#000000", strokeWidth=1, rotation=rotation)
    frame = PAPER.frame(line)
    dx = -frame.width / 2 if frame.flip_h else frame.width / 2
    dy = -frame.height / 2 if frame.flip_v else frame.height / 2
    turn = radians(rotation)
    x = frame.left + frame.width / 2 + dx * cos(turn) - dy * sin(turn)
    y = frame.top + frame.height / 2 + dx * sin(turn) + dy * cos(turn)
    assert (x / 12700, y / 12700) == pytest.approx((40, 300), abs=1e-3)
