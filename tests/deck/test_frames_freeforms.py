import pytest
from pptx.util import Pt

from decklab.deck.frames import Frame, path_of, read_guides
from decklab.ooxml.xml import parse_xml

A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
SQUARE = Frame(0, 0, 1000, 1000)


def geometry(paths: str, guides: str = ""):
    text = f"<a:custGeom {A}><a:gdLst>{guides}</a:gdLst><a:pathLst>{paths}</a:pathLst></a:custGeom>"
    return parse_xml(text.encode(), path="x", part=None)


def guide(name: str, formula: str) -> str:
    return f'<a:gd name="{name}" fmla="{formula}"/>'


def point(x, y) -> str:
    return f'<a:pt x="{x}" y="{y}"/>'


def test_a_path_counts_in_a_box_of_1000():
    path = (
        f'<a:path w="20" h="10"><a:moveTo>{point(0, 0)}</a:moveTo><a:lnTo>{point(20, 5)}</a:lnTo>'
        f"<a:cubicBezTo>{point(1, 1)}{point(2, 2)}{point(3, 3)}</a:cubicBezTo><a:close/></a:path>"
    )
    found = path_of(geometry(path), SQUARE)
    assert found == "M 0 0 L 1000 500 C 50 100 100 200 150 300 Z"


def test_a_quarter_of_a_circle_ends_a_quarter_on():
    """From the top of a circle of radius 500 about (500, 500), clockwise to its right."""
    path = (
        f"<a:path><a:moveTo>{point(500, 0)}</a:moveTo>"
        '<a:arcTo wR="500" hR="500" stAng="16200000" swAng="5400000"/></a:path>'
    )
    assert path_of(geometry(path), SQUARE) == "M 500 0 A 500 500 0 0 1 1000 500"


def test_a_full_turn_is_drawn_in_two_halves():
    path = (
        f"<a:path><a:moveTo>{point(0, 500)}</a:moveTo>"
        '<a:arcTo wR="500" hR="500" stAng="10800000" swAng="21600000"/></a:path>'
    )
    found = path_of(geometry(path), SQUARE)
    assert found == "M 0 500 A 500 500 0 0 1 1000 500 A 500 500 0 0 1 0 500"


def test_guides_follow_the_formulas_of_the_standard():
    shape = geometry(
        "",
        guide("a", "*/ w 3 4")
        + guide("b", "+- a 10 5")
        + guide("c", "+/ a b 5")
        + guide("d", "?: c 1 2")
        + guide("e", "pin 0 a 100")
        + guide("f", "mod 3 4 12")
        + guide("g", "sin 100 5400000")
        + guide("h", "at2 1 1")
        + guide("i", "sqrt 49")
        + guide("bad", "*/ w 1 0")
        + guide("worse", "val nowhere"),
    )
    found = read_guides(shape, 400, 200)
    assert [found[name] for name in "abcdef"] == [300, 305, 121, 1, 100, 13]
    assert found["g"] == pytest.approx(100)
    assert found["h"] == pytest.approx(45 * 60_000)
    assert (found["i"], found["hd2"], found["ss"]) == (7, 100, 200)
    assert "bad" not in found
    assert "worse" not in found


def test_points_that_cannot_be_worked_out_are_left_out():
    path = (
        f"<a:path><a:moveTo>{point('l', 't')}</a:moveTo><a:lnTo>{point('nowhere', 1)}</a:lnTo>"
        f"<a:lnTo>{point('hc', 'b')}</a:lnTo></a:path>"
    )
    assert path_of(geometry(path), SQUARE) == "M 0 0 L 500 1000"


def test_a_freeform_of_python_pptx_is_where_it_was_drawn(presentation, saved):
    page = presentation.slides.add_slide(presentation.slide_layouts[6])
    pencil = page.shapes.build_freeform(Pt(100), Pt(50))
    pencil.add_line_segments([(Pt(300), Pt(50)), (Pt(200), Pt(150))])
    pencil.convert_to_shape()
    (rect,) = saved(presentation).slides[0].rects
    assert rect.geometry == "custom"
    assert rect.path == "M 0 0 L 1000 0 L 500 1000 Z"


def test_a_preset_has_no_path(presentation, saved):
    page = presentation.slides.add_slide(presentation.slide_layouts[6])
    page.shapes.add_shape(1, 0, 0, Pt(10), Pt(10))
    (rect,) = saved(presentation).slides[0].rects
    assert rect.path is None


def test_several_paths_curves_and_arcs_are_spelled_in_one():
    paths = (
        f'<a:path w="10" h="10"><a:moveTo>{point(0, 5)}</a:moveTo><a:quadBezTo>{point(5, 0)}'
        f"{point(10, 5)}</a:quadBezTo></a:path>"
        f'<a:path w="20" h="20"><a:moveTo>{point(0, 10)}</a:moveTo>'
        '<a:arcTo wR="10" hR="10" stAng="10800000" swAng="10800000"/></a:path>'
    )
    path = path_of(geometry(paths), SQUARE)
    assert path == "M 0 500 Q 500 0 1000 500 M 0 500 A 500 500 0 0 1 1000 500"
