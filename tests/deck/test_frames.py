import subprocess
from itertools import product
from math import cos, hypot, isclose, radians, sin

import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches

from decklab.deck.frames import Frame, GroupTransform, to_frame
from decklab.deck.reading import read_outline
from decklab.ooxml.package import Package

lengths = st.floats(-1e7, 1e7)
sizes = st.floats(1e3, 1e7)
angles = st.floats(0, 359.99)
frames = st.builds(Frame, lengths, lengths, sizes, sizes, angles, st.booleans(), st.booleans())
upright = st.builds(Frame, lengths, lengths, sizes, sizes)
factors = st.floats(0.05, 20)


def matrix(frame):
    """What draws the unit square as the frame shows it, written down from ISO/IEC 29500-1."""
    turn = radians(frame.rotation)
    move = np.array(
        [[1, 0, frame.left + frame.width / 2], [0, 1, frame.top + frame.height / 2], [0, 0, 1]]
    )
    rotate = np.array([[cos(turn), -sin(turn), 0], [sin(turn), cos(turn), 0], [0, 0, 1]])
    flip = np.diag([-1 if frame.flip_h else 1, -1 if frame.flip_v else 1, 1])
    return move @ rotate @ flip @ np.diag([frame.width, frame.height, 1])


def group_matrix(group):
    """From the coordinates members count in, over the unit square, to the parent's."""
    centre_x = group.child_left + group.child_width / 2
    centre_y = group.child_top + group.child_height / 2
    shrink = np.diag([1 / group.child_width, 1 / group.child_height, 1])
    return (
        matrix(group.frame) @ shrink @ np.array([[1, 0, -centre_x], [0, 1, -centre_y], [0, 0, 1]])
    )


def uniform_group(frame, left, top, factor):
    return GroupTransform(frame, left, top, frame.width / factor, frame.height / factor)


def same(one, two, scale):
    return np.allclose(one, two, atol=1e-6 * scale)


def inverse(group):
    """A group that undoes another whose scale is uniform."""
    frame = group.frame
    swapped = frame.rotation if frame.flip_h != frame.flip_v else -frame.rotation
    child = Frame(
        group.child_left, group.child_top, group.child_width, group.child_height,
        swapped % 360, frame.flip_h, frame.flip_v,
    )  # fmt: skip
    return GroupTransform(child, frame.left, frame.top, frame.width, frame.height)


@given(frames, frames, lengths, lengths, factors)
def test_a_group_of_uniform_scale_draws_its_member_as_the_matrices_do(
    member, outer, left, top, factor
):
    group = uniform_group(outer, left, top, factor)
    expected = group_matrix(group) @ matrix(member)
    assert same(matrix(group.outward(member)), expected, 1e7 * factor)


@given(upright, frames, upright)
def test_an_upright_member_is_drawn_so_under_any_scale(member, outer, child):
    group = GroupTransform(outer, child.left, child.top, child.width, child.height)
    expected = group_matrix(group) @ matrix(member)
    scale = 1e8 * max(1, outer.width / child.width, outer.height / child.height)
    assert same(matrix(group.outward(member)), expected, scale)


@given(frames, frames, frames, lengths, factors)
def test_groups_in_groups_compose(member, inner, outer, corner, factor):
    groups = [uniform_group(inner, corner, 0, factor), uniform_group(outer, 0, corner, 1)]
    expected = group_matrix(groups[1]) @ group_matrix(groups[0]) @ matrix(member)
    placed = groups[1].outward(groups[0].outward(member))
    assert same(matrix(placed), expected, 1e8 * factor)


@given(frames, frames, lengths, lengths, factors)
def test_a_group_can_be_undone(member, outer, left, top, factor):
    group = uniform_group(outer, left, top, factor)
    back = inverse(group).outward(group.outward(member))
    assert same(matrix(back), matrix(member), 1e8 * max(factor, 1 / factor))
    assert (back.flip_h, back.flip_v) == (member.flip_h, member.flip_v)


@given(frames, frames)
def test_a_group_that_scales_nothing_keeps_sizes_and_distances(member, outer):
    group = GroupTransform(outer, outer.left, outer.top, outer.width, outer.height)
    placed = group.outward(member)
    assert isclose(placed.width, member.width, abs_tol=1e-3)
    assert isclose(placed.height, member.height, abs_tol=1e-3)

    def distance(frame):
        dx = frame.left + frame.width / 2 - outer.left - outer.width / 2
        dy = frame.top + frame.height / 2 - outer.top - outer.height / 2
        return hypot(dx, dy)

    assert isclose(distance(placed), distance(member), abs_tol=1)


def test_a_stretched_group_stretches_a_lying_member_along_its_drawn_sides():
    group = GroupTransform(Frame(0, 0, 400, 100), 0, 0, 200, 100)
    placed = group.outward(Frame(90, 30, 20, 40, rotation=90))
    assert (placed.left + placed.width / 2, placed.top + placed.height / 2) == (200, 50)
    assert (placed.width, placed.height, placed.rotation) == (20, 80, 90)


def test_a_group_without_extent_does_not_scale():
    placed = GroupTransform(Frame(10, 10, 0, 0), 0, 0, 0, 0).outward(Frame(1, 2, 3, 4))
    assert placed == Frame(11, 12, 3, 4)


def test_a_quarter_turn_moves_a_member_round_the_groups_centre(shape, sp, xfrm):
    """Worked by hand: 100x100 group at (100, 100), its member in the top left corner."""
    member = sp(xfrm=xfrm(0, 0, 20, 10))
    turned = xfrm(100, 100, 100, 100, 'rot="5400000"', child=(0, 0, 100, 100))
    text = f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr>{turned}</p:grpSpPr>{member}</p:grpSp>"
    found = shape(text, 1)
    assert found.box == pytest.approx((185, 105, 205, 115))
    assert found.rotation == 90


def test_a_flipped_group_mirrors_places_and_turns(shape, sp, xfrm):
    """Worked by hand: mirrored left to right, 30 degrees clockwise become 330."""
    member = sp(xfrm=xfrm(10, 0, 20, 10, 'rot="1800000"'))
    flipped = xfrm(100, 100, 200, 100, 'flipH="1"', child=(0, 0, 100, 50))
    text = f"<p:grpSp><p:nvGrpSpPr/><p:grpSpPr>{flipped}</p:grpSpPr>{member}</p:grpSp>"
    found = shape(text, 1)
    assert found.box == pytest.approx((240, 100, 280, 120))
    assert found.rotation == 330


def test_groups_in_groups_by_hand(shape, sp, xfrm):
    """The inner group doubles and shifts by 10, the outer one doubles again and shifts by 100."""
    member = sp(xfrm=xfrm(5, 5, 10, 10), id=9)
    inner = xfrm(10, 10, 40, 40, child=(0, 0, 20, 20))
    outer = xfrm(100, 100, 200, 200, child=(0, 0, 100, 100))
    text = member
    for id, placed in ((8, inner), (7, outer)):
        names = f'<p:nvGrpSpPr><p:cNvPr id="{id}" name="Group {id}"/></p:nvGrpSpPr>'
        text = f"<p:grpSp>{names}<p:grpSpPr>{placed}</p:grpSpPr>{text}</p:grpSp>"
    assert shape(text, 0).box == pytest.approx((100, 100, 300, 300))
    assert shape(text, 1).box == pytest.approx((120, 120, 200, 200))
    found = shape(text, 2)
    assert found.box == pytest.approx((140, 140, 180, 180))
    assert (found.groups, found.z) == ((7, 8), 2)


def test_slides_of_any_shape_are_scaled_to_the_frame_per_axis():
    assert to_frame(Frame(0, 0, 720, 540), (720, 540)) == (0, 0, 960, 540)
    assert to_frame(Frame(-10, 5, 10, 10), (100, 100)) == pytest.approx((-96, 27, 0, 81))


CASES = tuple(product((0, 60, 200), (0, 40), ((0, 0), (1, 0), (0, 1), (1, 1)), (1, 2)))


def grouped_deck(path):
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(10), Inches(5.625)
    for turn, group_turn, (flip_h, flip_v), stretch in CASES:
        group = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_group_shape()
        member = group.shapes.add_shape(1, Inches(1), Inches(1), Inches(1.2), Inches(0.5))
        member.rotation = turn
        member.fill.solid()
        member.fill.fore_color.rgb = RGBColor(255, 0, 0)
        member.line.fill.background()
        frame = group._element.grpSpPr.get_or_add_xfrm()
        frame.chOff.x = frame.chOff.y = Inches(0.5)
        frame.chExt.cx = frame.chExt.cy = frame.ext.cy = Inches(2)
        frame.off.x, frame.off.y, frame.ext.cx = Inches(3), Inches(1.5), Inches(2 * stretch)
        frame.rot = group_turn
        frame.flipH, frame.flipV = bool(flip_h), bool(flip_v)
    deck.save(path)


def drawn_bounds(shape):
    """Upright bounds of the turned box, in pixels of the slide frame."""
    turn, box = radians(shape.rotation), shape.box
    width = abs(box.width * cos(turn)) + abs(box.height * sin(turn))
    height = abs(box.width * sin(turn)) + abs(box.height * cos(turn))
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


@pytest.mark.long
@pytest.mark.office
def test_libreoffice_draws_members_where_we_say(tmp_path):
    path = tmp_path / "groups.pptx"
    grouped_deck(path)
    profile = f"-env:UserInstallation=file://{tmp_path}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir"]
    subprocess.run([*command, tmp_path, path], check=True, capture_output=True, timeout=120)
    with Package.open(path) as package:
        slides = read_outline(package).slides
    pdf = pypdfium2.PdfDocument(tmp_path / "groups.pdf")
    assert len(pdf) == len(slides) == len(CASES)
    for case, slide, page in zip(CASES, slides, pdf, strict=True):
        picture = page.render(scale=960 / page.get_width(), rev_byteorder=True).to_numpy()
        rows, columns = np.where((picture[..., 0] > 150) & (picture[..., 1] < 100))
        seen = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
        assert drawn_bounds(slide.shapes[1]) == pytest.approx(seen, abs=2), case
    pdf.close()
