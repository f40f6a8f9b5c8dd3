"""Shapes placed, sized, turned, flipped, aligned, spread, stacked, grouped, tied; pictures cropped.

Lengths are pixels of the 960x540 frame, also for members of groups.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from math import cos, isfinite, radians, sin
from typing import Any

from lxml.etree import SubElement
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.editing.finding import (
    SHAPES,
    EditError,
    find_shape,
    placeholder_type,
    properties,
    slide_at,
)
from decklab.editing.formatting import TextFormat
from decklab.editing.motion import remove_animations
from decklab.editing.phrasing import phrase, place_phrase
from decklab.editing.placing import (
    EmuFrame,
    PxBox,
    emu_frame,
    emu_of,
    frame_of,
    inner_maps,
    mapped,
    outline_shape,
    place_shape,
    px_sizes,
    set_xfrm,
    xfrm_of,
)
from decklab.ooxml.xml import NAMESPACES, qn, shape_id

_TURN = 60_000
"""Units of rotation in a degree (ECMA-376 Part 1, 20.1.10.3, ST_Angle)."""
_FULL = 360 * _TURN


@phrase("group {shapes} [(as|titled) {name:quoted}]",
        example="group 'Plan' and 'Do' on slide 1", changes="added",
        follows="geometry detail z-order other")  # fmt: skip
def group_shapes(
    prs: Presentation, slide: int, shapes: Sequence[str | int], name: str | None = None
) -> int:
    """Make shapes of a slide one group; return its id.

    It stands where the topmost of them stood. Placeholders and members of other groups cannot be
    grouped.

    Example: group_shapes(prs, 2, ["Rectangle 3", "Text 4"], "Callout")
    """
    tree = slide_at(prs, slide).shapes._spTree
    named = list(dict.fromkeys(shapes))
    elements = [find_shape(prs, slide, shape) for shape in named]
    if len({id(element) for element in elements}) < 2:
        raise EditError("a group has two shapes or more")
    for shape, element in zip(named, elements, strict=True):
        if placeholder_type(element) is not None:
            raise EditError(f"{shape!r} on slide {slide} is a placeholder, which no group holds")
        if element.getparent() is not tree:
            raise EditError(f"{shape!r} on slide {slide} is in a group, or of a special kind")
    frames = [frame_of(prs, slide, shape) for shape in named]
    left, top = (min(frame[axis] for frame in frames) for axis in (0, 1))
    width = max(frame[0] + frame[2] for frame in frames) - left
    height = max(frame[1] + frame[3] for frame in frames) - top
    new_id = max(int(item) for item in tree.xpath("//@id") if str(item).isdecimal()) + 1
    group = _new_group(new_id, name or f"Group {new_id}", (left, top, width, height))
    ordered = [item for item in tree if any(item is element for element in elements)]
    ordered[-1].addnext(group)
    for element in ordered:
        group.append(element)
    return new_id


def _new_group(id: int, name: str, frame: EmuFrame) -> Any:
    left, top, width, height = frame
    places = f'<a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/>'
    inner = f'<a:chOff x="{left}" y="{top}"/><a:chExt cx="{width}" cy="{height}"/>'
    group = parse_xml(
        f'<p:grpSp xmlns:p="{NAMESPACES["p"]}" xmlns:a="{NAMESPACES["a"]}"><p:nvGrpSpPr>'
        f'<p:cNvPr id="{id}" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr><a:xfrm>{places}{inner}</a:xfrm></p:grpSpPr></p:grpSp>"
    )
    properties(group).set("name", name)
    return group


@phrase("ungroup {shape:drawn}",
        example="ungroup the group 'Pair' on slide 1", changes="removed",
        follows="geometry detail z-order other animation")  # fmt: skip
def ungroup_shape(prs: Presentation, slide: int, shape: str | int) -> list[int]:
    """Dissolve a group; return the ids of its members, which stay where they were seen.

    Animations of the group as a whole go with it.

    Example: ungroup_shape(prs, 2, "Callout")
    """
    if (group := find_shape(prs, slide, shape)).tag != qn("p:grpSp"):
        raise EditError(f"{shape!r} on slide {slide} is no group")
    held = xfrm_of(group)
    head = (qn("p:nvGrpSpPr"), qn("p:grpSpPr"), qn("p:extLst"))
    members = [item for item in group if item.tag not in head]
    for item in members:
        if held is not None:
            _move_out(item, held)
        _take_fill(item, group.find(qn("p:grpSpPr")))
        group.addprevious(item)
    remove_animations(prs, slide, shape_id(group))
    group.getparent().remove(group)
    shapes = [item for item in members if item.find(f"*/{qn('p:cNvPr')}") is not None]
    return [shape_id(item) for item in shapes]


def _move_out(member: Any, held: Any) -> None:
    """Give a member of a group the place that it has around it."""
    across, down = inner_maps(held)
    is_shape = member.find(f"*/{qn('p:cNvPr')}") is not None
    for item in [member] if is_shape else [shape for branch in member for shape in branch]:
        if (own := xfrm_of(item)) is None or own.find(qn("a:off")) is None:
            continue
        set_xfrm(item, mapped(emu_of(own), across, down))
        if held.get("rot") or held.get("flipH") or held.get("flipV"):
            _turn_out(item, own, held)


def _turn_out(item: Any, own: Any, held: Any) -> None:
    """Mirror and turn a member with its group, about the group's middle."""
    group, frame = emu_of(held), emu_of(own)
    middle = (group[0] + group[2] / 2, group[1] + group[3] / 2)
    x = frame[0] + frame[2] / 2 - middle[0]
    y = frame[1] + frame[3] / 2 - middle[1]
    turn = int(own.get("rot") or 0)
    for name, axis in (("flipH", 0), ("flipV", 1)):
        if held.get(name) in ("1", "true"):
            x, y = (-x, y) if axis == 0 else (x, -y)
            turn = -turn
            own.set(name, "0" if own.get(name) in ("1", "true") else "1")
    angle = radians(int(held.get("rot") or 0) / _TURN)
    x, y = x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
    left, top = middle[0] + x - frame[2] / 2, middle[1] + y - frame[3] / 2
    set_xfrm(item, (round(left), round(top), frame[2], frame[3]))
    if turn := (turn + int(held.get("rot") or 0)) % _FULL:
        own.set("rot", str(turn))
    else:
        own.attrib.pop("rot", None)


def _take_fill(member: Any, look: Any) -> None:
    """A member that was filled as its group is, is filled so itself."""
    fills = [item for item in look if item.tag.endswith("Fill")]
    for item in list(member.iter(qn("a:grpFill"))) if fills else ():
        item.getparent().replace(item, deepcopy(fills[0]))


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
    boxes = [_end_box(prs, slide, tied) for tied in (start, end)]
    sides = _facing(*boxes)
    (x1, y1), (x2, y2) = (_side(box, side) for box, side in zip(boxes, sides, strict=True))
    native: Any = slide_at(prs, slide).shapes.add_connector(_CONNECTORS[kind], x1, y1, x2, y2)
    held = native._element.find("p:nvCxnSpPr/p:cNvCxnSpPr", NAMESPACES)
    for tag, tied, side in (("a:stCxn", start, sides[0]), ("a:endCxn", end, sides[1])):
        if not isinstance(tied, tuple):
            glued = find_shape(prs, slide, tied)
            glue = SubElement(held, qn(tag), id=str(properties(glued).get("id")))
            glue.set("idx", str(_sites(glued)[side]))
    outline_shape(prs, slide, native.shape_id, color or "text1")
    if arrow:
        outline = native._element.find("p:spPr/a:ln", NAMESPACES)
        SubElement(outline, qn("a:tailEnd"), type="triangle")
    return int(native.shape_id)


def _end_box(prs: Presentation, slide: int, end: str | int | tuple[float, float]) -> EmuFrame:
    if not isinstance(end, tuple):
        return frame_of(prs, slide, end)
    x, y, _width, _height = emu_frame(prs, (*end, 100, 100))
    return x, y, 0, 0


def _facing(first: EmuFrame, second: EmuFrame) -> tuple[int, int]:
    """Which sides of two boxes look at each other: 0 top, 1 left, 2 bottom, 3 right."""
    right = second[0] - (first[0] + first[2])
    left = first[0] - (second[0] + second[2])
    below = second[1] - (first[1] + first[3])
    above = first[1] - (second[1] + second[3])
    gaps = {(3, 1): right, (1, 3): left, (2, 0): below, (0, 2): above}
    return max(gaps, key=lambda sides: gaps[sides])


def _side(box: EmuFrame, side: int) -> tuple[Any, Any]:
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
            at = None if item is None else _site_place(prs, slide, item, int(glue.get("idx")))
            if at is not None:
                setattr(line, f"{end}_x", at[0])
                setattr(line, f"{end}_y", at[1])


def _site_place(prs: Presentation, slide: int, item: Any, site: int) -> tuple[Any, Any] | None:
    look = xfrm_of(item)
    if site not in _sites(item) or (look is not None and look.get("rot") not in (None, "0")):
        return None
    return _side(frame_of(prs, slide, shape_id(item)), _sites(item).index(site))


_EDGES = {"left": (0, 0.0), "center": (0, 0.5), "right": (0, 1.0),
          "top": (1, 0.0), "middle": (1, 0.5), "bottom": (1, 1.0)}  # fmt: skip
"""Edge to its axis, and how far along a shape it lies."""
_OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
_STACK = ("front", "back", "forward", "backward")
_BEFORE_SHAPES = (qn("p:nvGrpSpPr"), qn("p:grpSpPr"))
_FAR = 2**31
"""Beyond this many EMU no shape can stand."""


def geometry_of(prs: Presentation, slide: int, shape: str | int) -> PxBox:
    """Left, top, width and height of a shape, before it is turned.

    Example: geometry_of(prs, 2, "Picture 3")
    """
    across, down = px_sizes(prs)
    left, top, width, height = frame_of(prs, slide, shape)
    return left / across, top / down, width / across, height / down


@place_phrase("(move|shift|nudge) {shape:drawn} [to] {way=left|right|up|down} by {by:length}",
              "(move|shift|nudge) {shape:drawn} {by:length} [to] {way=left|right|up|down}",
              example="move the picture on slide 4 up by 1 cm")  # fmt: skip
@place_phrase(
    "(resize|set) {shape:drawn} to {wide:length} (wide|width) [and {high:length} (tall|height)]",
    "(resize|set) {shape:drawn} to {high:length} (tall|height)",
    "make {shape:drawn} ({wide:length} wide [and {high:length} tall]|{high:length} tall)",
    "set (<width of {shape:drawn}> to {wide:length}|<height of {shape:drawn}> to {high:length})",
    example="resize the picture on slide 4 to 2 inches wide")  # fmt: skip
@place_phrase(
    "(make|resize) {shape:drawn} ({percent} {sign=bigger|smaller}|{sign=bigger|smaller} by "
    "{percent})",
    "make {shape:drawn} {multiple=twice|half} (as|its|the) [(big|large|size)]",
    "make {shape:drawn} {times} as (big|large)",
    "resize {shape:drawn} to {scale:percent} [of its size]",
    example="make the picture on slide 4 twice as big")  # fmt: skip
@place_phrase(
    "rotate {shape:drawn} [by] {turn:degrees} [clockwise]",
    example="rotate the picture on slide 4 by 90 degrees", changes="geometry style")  # fmt: skip
def set_geometry(
    prs: Presentation,
    slide: int,
    shape: str | int,
    *,
    x: float | None = None,
    y: float | None = None,
    width: float | None = None,
    height: float | None = None,
    rotation: float | None = None,
) -> bool:
    """Move, size or turn a shape; return whether that changed anything. None stays.

    ``rotation`` is in degrees clockwise. What a group or a table holds is scaled with it, and
    connectors follow.

    Example: set_geometry(prs, 2, "Picture 3", x=480, width=420, height=300)
    """
    names, values = ("left", "top", "width", "height"), (x, y, width, height)
    wanted = zip(names, values, 2 * px_sizes(prs), strict=True)
    sides = {name: value * unit for name, value, unit in wanted if value is not None}
    if not all(isfinite(side) and abs(side) < _FAR for side in sides.values()):
        raise EditError("places and sizes are numbers of pixels in the 960x540 frame")
    moved = place_shape(prs, slide, shape, **sides)
    follow_with_connectors(prs, slide, shape)
    return (rotation is not None and _turn(prs, slide, shape, rotation)) or moved


def rotation_of(prs: Presentation, slide: int, shape: str | int) -> float:
    """Degrees clockwise by which a shape is turned."""
    held = xfrm_of(find_shape(prs, slide, shape))
    return 0.0 if held is None else int(held.get("rot") or 0) / _TURN


def _turn(prs: Presentation, slide: int, shape: str | int, degrees: float) -> bool:
    if not isfinite(degrees):
        raise EditError(f"a rotation of {degrees} degrees is none")
    if (element := find_shape(prs, slide, shape)).tag == qn("p:graphicFrame"):
        raise EditError(f"{shape!r} on slide {slide} is a table, chart or diagram: none can turn")
    if (held := xfrm_of(element)) is None:  # a placeholder takes its place from the layout
        left, top, width, height = frame_of(prs, slide, shape)
        place_shape(prs, slide, shape, left=left, top=top, width=width, height=height)
        held = xfrm_of(element)
    before, after = int(held.get("rot") or 0), round(degrees * _TURN) % (360 * _TURN)
    held.set("rot", str(after))
    return after != before


@phrase(
    "align {shapes} [(to|at|by)] {edge=left|right|top|bottom|center|middle} [(edges|edge|sides)]",
    example="align 'Plan' and 'Do' top on slide 1", changes="geometry")  # fmt: skip
@place_phrase(
    "(move|put) {shape:drawn} to {edge=left|right|top|bottom|center|middle} [(edge|side)] "
    "[of slide]",
    "center {shape:drawn} [{edge=horizontally|vertically}] [on slide]",
    "(move|put) {shape:drawn} (to|in) {edge=top|bottom} {across=left|right} [corner] [of slide]",
    example="move the picture on slide 4 to the right edge")  # fmt: skip
def align_shapes(
    prs: Presentation, slide: int, shapes: Sequence[str | int], edge: str, *, to_slide: bool = False
) -> int:
    """Line up shapes at an edge or middle; return how many moved.

    ``edge`` is "left", "center", "right", "top", "middle" or "bottom": of what all of them cover
    together, of the slide with ``to_slide`` or for one shape.

    Example: align_shapes(prs, 2, ["Text 1", "Text 2"], "left")
    """
    if edge not in _EDGES:
        raise EditError(f"{edge!r} is no edge; there are {', '.join(_EDGES)}")
    axis, share = _EDGES[edge]
    if not (spans := [_span(prs, slide, shape, axis) for shape in shapes]):
        raise EditError("name the shapes to line up")
    low, high = min(start for start, _end in spans), max(end for _start, end in spans)
    if to_slide or len(spans) == 1:
        low, high = 0.0, float((FRAME_WIDTH, FRAME_HEIGHT)[axis])
    name = ("x", "y")[axis]
    moved = 0
    for shape, (start, end) in zip(shapes, spans, strict=True):
        at = low + share * (high - low - (end - start))
        moved += set_geometry(prs, slide, shape, **{name: at})
    return moved


@phrase(
    "(distribute|space) {shapes} [evenly] {direction=horizontally|vertically}",
    example="distribute 'Plan', 'Do' and 'Check' horizontally on slide 1", changes="geometry",
)  # fmt: skip
def distribute_shapes(
    prs: Presentation, slide: int, shapes: Sequence[str | int], direction: str
) -> int:
    """Leave equal gaps between three shapes or more; return how many moved.

    ``direction`` is "horizontally" or "vertically". The first and the last stay.

    Example: distribute_shapes(prs, 2, ["Text 1", "Text 2", "Text 3"], "horizontally")
    """
    if direction not in ("horizontally", "vertically"):
        raise EditError(f"direction={direction!r} is none of 'horizontally', 'vertically'")
    if len(shapes) < 3:
        raise EditError("it takes three shapes or more to leave equal gaps between them")
    axis = int(direction == "vertically")
    lying = [(*_span(prs, slide, shape, axis), shape) for shape in dict.fromkeys(shapes)]
    spans = sorted(lying, key=lambda span: span[:2])
    free = spans[-1][0] - spans[0][1] - sum(end - start for start, end, _shape in spans[1:-1])
    gap, at = free / (len(spans) - 1), spans[0][1]
    moved = 0
    for start, end, shape in spans[1:-1]:
        at += gap
        moved += set_geometry(prs, slide, shape, **{("x", "y")[axis]: at})
        at += end - start
    return moved


def _span(prs: Presentation, slide: int, shape: str | int, axis: int) -> tuple[float, float]:
    box = geometry_of(prs, slide, shape)
    return box[axis], box[axis] + box[axis + 2]


@phrase("(bring|send|move) {shape:drawn} to {to=front|back}",
        "(bring|send|move) {shape:drawn} {to=forward|backward}",
        example="send the picture on slide 4 to the back", changes="z-order",
        follows="z-order detail")  # fmt: skip
def order_shape(prs: Presentation, slide: int, shape: str | int, to: str) -> bool:
    """Stack a shape over or under others; return whether that changed anything.

    ``to`` is "front" or "back", or "forward" or "backward" by one. A member of a group stays in it.

    Example: order_shape(prs, 2, "Picture 3", "back")
    """
    if to not in _STACK:
        raise EditError(f"to={to!r} is none of {', '.join(map(repr, _STACK))}")
    if (element := find_shape(prs, slide, shape)).getparent().tag == qn("mc:Choice"):
        element = element.getparent().getparent()
    others = [
        item for item in element.getparent() if item.tag not in (*_BEFORE_SHAPES, qn("p:extLst"))
    ]
    at, last = others.index(element), len(others) - 1
    ends = {"front": last, "back": 0, "forward": min(at + 1, last), "backward": max(at - 1, 0)}
    neighbour = others[ends[to]]
    if ends[to] != at:
        (neighbour.addnext if ends[to] > at else neighbour.addprevious)(element)
    return ends[to] != at


@place_phrase(
    "(flip|mirror) {shape:drawn} {direction=horizontally|vertically}",
    example="flip the picture on slide 4 horizontally", changes="geometry style")  # fmt: skip
def flip_shape(prs: Presentation, slide: int, shape: str | int, direction: str) -> None:
    """Mirror a shape; mirrored a second time it is as before.

    ``direction`` is "horizontally" or "vertically". Raises EditError for a table, chart or diagram.

    Example: flip_shape(prs, 2, "Picture 3", "horizontally")
    """
    if direction not in ("horizontally", "vertically"):
        raise EditError(f"direction={direction!r} is none of 'horizontally', 'vertically'")
    rotation = rotation_of(prs, slide, shape)
    _turn(prs, slide, shape, rotation)  # it gets a place of its own; raises for a table
    held = xfrm_of(find_shape(prs, slide, shape))
    name = "flipH" if direction == "horizontally" else "flipV"
    held.set(name, "0" if held.get(name) in ("1", "true") else "1")


@phrase("make {shapes} [the] same {side=size|width|height}",
        example="make 'Plan' and 'Do' the same size on slide 1", changes="geometry",
        follows="geometry table style")  # fmt: skip
def match_sizes(prs: Presentation, slide: int, shapes: Sequence[str | int], side: str) -> int:
    """Make shapes as wide or high as the first one; return how many changed.

    ``side`` is "width", "height", or "size" for both.

    Example: match_sizes(prs, 2, ["Text 1", "Text 2"], "size")
    """
    if side not in ("size", "width", "height") or len(shapes) < 2:
        raise EditError("name two shapes or more, and width, height or size")
    _x, _y, width, height = geometry_of(prs, slide, shapes[0])
    wanted = {"width": width, "height": height}
    sides = {name: value for name, value in wanted.items() if side in (name, "size")}
    return sum(set_geometry(prs, slide, shape, **sides) for shape in shapes[1:])


def crop_picture(
    prs: Presentation,
    slide: int,
    shape: str | int,
    *,
    left: float = 0,
    right: float = 0,
    top: float = 0,
    bottom: float = 0,
) -> None:
    """Show less of a picture: shares of the whole picture, from 0 to 1, cut off at each side.

    What remains stays where and as large as it is, so the frame shrinks; 0 everywhere shows all of
    it again.

    Example: crop_picture(prs, 4, "Picture 3", left=0.1, bottom=0.25)
    """
    picture = _picture(prs, slide, shape)
    wanted = (left, right, top, bottom)
    if not all(0 <= side < 1 for side in wanted) or left + right >= 1 or top + bottom >= 1:
        raise EditError("each side is cut by a share from 0 to 1, and something has to remain")
    before = (picture.crop_left, picture.crop_right, picture.crop_top, picture.crop_bottom)
    x, y, width, height = frame_of(prs, slide, shape)
    whole_width = width / (1 - before[0] - before[1])
    whole_height = height / (1 - before[2] - before[3])
    x, y = round(x - before[0] * whole_width), round(y - before[2] * whole_height)
    picture.crop_left, picture.crop_right, picture.crop_top, picture.crop_bottom = wanted
    start, end = x + left * whole_width, y + top * whole_height
    wide, high = (1 - left - right) * whole_width, (1 - top - bottom) * whole_height
    place_shape(prs, slide, shape, left=start, top=end, width=wide, height=high)


@phrase("crop {amount:percent} (off|from|at) {side=left|right|top|bottom} [side] of {shape:drawn}",
        "crop {shape:drawn} by {amount:percent} (at|on|from) {side=left|right|top|bottom} [side]",
        example="crop 20% off the left of the picture on slide 4",
        changes="picture style geometry", follows="picture style geometry detail")  # fmt: skip
def crop_more(prs: Presentation, slide: int, shape: str | int, side: str, amount: float) -> None:
    """Cut a share of what a picture shows off at one side; the other sides stay as they are.

    ``side`` is "left", "right", "top" or "bottom", ``amount`` from 0 to 1.

    Example: crop_more(prs, 4, "Picture 3", "left", 0.2)
    """
    if side not in _OPPOSITE:
        raise EditError(f"side={side!r} is none of {', '.join(map(repr, _OPPOSITE))}")
    picture = _picture(prs, slide, shape)
    cut = {name: getattr(picture, f"crop_{name}") for name in _OPPOSITE}
    cut[side] += amount * (1 - cut[side] - cut[_OPPOSITE[side]])
    crop_picture(prs, slide, shape, **cut)


def _picture(prs: Presentation, slide: int, shape: str | int) -> Any:
    element = find_shape(prs, slide, shape)
    for native in _natives(slide_at(prs, slide).shapes):
        if native._element is element and hasattr(native, "crop_left"):
            return native
    raise EditError(f"{shape!r} on slide {slide} is no picture")


def _natives(shapes: Any) -> Iterator[Any]:
    """All shapes as python-pptx sees them, members of groups too."""
    for shape in shapes:
        yield shape
        yield from _natives(getattr(shape, "shapes", ()))
