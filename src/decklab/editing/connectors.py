"""Lines that connect shapes, and stay connected when these move."""

from typing import Any

from pptx.enum.shapes import MSO_CONNECTOR
from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.finding import SHAPES, EditError, find_shape, properties, shape_id, slide_at
from decklab.editing.formatting import TextFormat
from decklab.editing.frames import emu_frame, frame_of, xfrm_of
from decklab.editing.phrasing import phrase
from decklab.editing.placing import outline_shape
from decklab.ooxml.xml import NAMESPACES, qn

_CONNECTORS = {"straight": MSO_CONNECTOR.STRAIGHT, "elbow": MSO_CONNECTOR.ELBOW,
               "curved": MSO_CONNECTOR.CURVE}  # fmt: skip
_SITES = {"ellipse": (0, 2, 4, 6), "flowChartConnector": (0, 2, 4, 6), "triangle": (0, 1, 3, 5),
          "parallelogram": (1, 2, 4, 5), "trapezoid": (0, 1, 2, 3), "octagon": (7, 5, 3, 1),
          "hexagon": (5, 3, 2, 0)}  # fmt: skip
"""Numbers of the connection sites at top, left, bottom and right, if these are not 0 to 3
(ECMA-376 Part 1, presetShapeDefinitions.xml)."""


@phrase("(connect|add (line|connector) (between|from)) {start:name} (with|to|and) {end:name} {on} "
        "[(by|with) {kind=straight|elbow|curved} line]",
        example="connect 'Plan' to 'Do' on slide 1", changes="added")  # fmt: skip
def add_connector(
    prs: Presentation,
    slide: int,
    start: str | int | tuple[float, float],
    end: str | int | tuple[float, float],
    *,
    kind: str = "straight",
    arrow: bool = True,
    color: str | None = None,
) -> int:
    """Connect two shapes by a line that follows them in ``set_geometry``; return its id.

    ``start`` and ``end`` are shapes by name or id, or points (x, y) in pixels. ``kind`` is
    "straight", "elbow" or "curved"; ``arrow`` puts a head at the end.

    Example: add_connector(prs, 2, "Rectangle 3", "Oval 4", kind="elbow")
    """
    if kind not in _CONNECTORS:
        raise EditError(f"{kind!r} is no kind of connector; there are {', '.join(_CONNECTORS)}")
    TextFormat(color=color).check()
    boxes = [_end_box(prs, slide, one) for one in (start, end)]
    sides = _facing(*boxes)
    (x1, y1), (x2, y2) = (_side(box, side) for box, side in zip(boxes, sides, strict=True))
    native: Any = slide_at(prs, slide).shapes.add_connector(_CONNECTORS[kind], x1, y1, x2, y2)
    held = native._element.find(f"{qn('p:nvCxnSpPr')}/{qn('p:cNvCxnSpPr')}")
    for tag, one, side in (("a:stCxn", start, sides[0]), ("a:endCxn", end, sides[1])):
        if not isinstance(one, tuple):
            glued = find_shape(prs, slide, one)
            glue = parse_xml(f'<{tag} xmlns:a="{NAMESPACES["a"]}" id="" idx=""/>')
            glue.set("id", str(properties(glued).get("id")))
            glue.set("idx", str(_sites(glued)[side]))
            held.append(glue)
    outline_shape(prs, slide, native.shape_id, color or "text1")
    if arrow:
        native._element.find(f"{qn('p:spPr')}/{qn('a:ln')}").append(
            parse_xml(f'<a:tailEnd xmlns:a="{NAMESPACES["a"]}" type="triangle"/>')
        )
    return int(native.shape_id)


def _end_box(
    prs: Presentation, slide: int, one: str | int | tuple[float, float]
) -> tuple[int, int, int, int]:
    if not isinstance(one, tuple):
        return frame_of(prs, slide, one)
    x, y, _width, _height = emu_frame(prs, (*one, 100, 100))
    return x, y, 0, 0


def _facing(first: tuple[int, int, int, int], second: tuple[int, int, int, int]) -> tuple[int, int]:
    """Which sides of two boxes look at each other: 0 top, 1 left, 2 bottom, 3 right."""
    right = second[0] - (first[0] + first[2])
    left = first[0] - (second[0] + second[2])
    below = second[1] - (first[1] + first[3])
    above = first[1] - (second[1] + second[3])
    gaps = {(3, 1): right, (1, 3): left, (2, 0): below, (0, 2): above}
    return max(gaps, key=lambda sides: gaps[sides])


def _side(box: tuple[int, int, int, int], side: int) -> tuple[Any, Any]:
    """The middle of one side of a box."""
    left, top, width, height = box
    across = (0.5, 0.0, 0.5, 1.0)[side]
    down = (0.0, 0.5, 1.0, 0.5)[side]
    return round(left + across * width), round(top + down * height)


def _sites(shape: Any) -> tuple[int, int, int, int]:
    """The numbers of a shape's connection sites at top, left, bottom and right."""
    preset = shape.find(f"{qn('p:spPr')}/{qn('a:prstGeom')}")
    return _SITES.get("" if preset is None else preset.get("prst"), (0, 1, 2, 3))


def follow_with_connectors(prs: Presentation, slide: int, shape: str | int) -> None:
    """Lead connectors that hold on to the sides of a shape, or of a group's members, there again.

    Those in groups, and those that hold on to a turned shape or another site, stay.
    """
    moved = find_shape(prs, slide, shape)
    held = {shape_id(item): item for item in moved.iter(*SHAPES)}
    for native in slide_at(prs, slide).shapes:
        if native._element.tag != qn("p:cxnSp"):
            continue
        line: Any = native
        for tag, end in (("a:stCxn", "begin"), ("a:endCxn", "end")):
            glue: Any = next(line._element.iter(qn(tag)), None)
            item = None if glue is None else held.get(int(glue.get("id")))
            place = None if item is None else _site_place(prs, slide, item, int(glue.get("idx")))
            if place is not None:
                setattr(line, f"{end}_x", place[0])
                setattr(line, f"{end}_y", place[1])


def _site_place(prs: Presentation, slide: int, item: Any, site: int) -> tuple[Any, Any] | None:
    look = xfrm_of(item)
    if site not in _sites(item) or (look is not None and look.get("rot") not in (None, "0")):
        return None
    return _side(frame_of(prs, slide, shape_id(item)), _sites(item).index(site))
