"""Frames of shapes, and shapes placed, sized, filled and taken away; the free room and backgrounds
of slides.
"""

from collections.abc import Iterable
from math import isfinite
from typing import Any, NamedTuple

from lxml import etree
from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.util import Emu

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.editing.finding import (
    SHAPES,
    EditError,
    find_shape,
    properties,
    shapes,
    slide_at,
    slides_of,
)
from decklab.editing.formatting import THEME_COLORS, rgb
from decklab.editing.motion import remove_animations
from decklab.editing.phrasing import phrase
from decklab.ooxml.xml import NAMESPACES, qn, shape_id

PxBox = tuple[float, float, float, float]
"""Left, top, width and height in pixels of the 960x540 frame, whatever the slide's size."""
EmuFrame = tuple[int, int, int, int]
"""Left, top, width and height in EMU, as they are on the slide before rotation."""

LEAST_SIDE = 12_700
"""EMU that a shape is at least wide and high: one point. Ours."""


class AxisMap(NamedTuple):
    """How lengths inside of a group become lengths on the slide, along one axis."""

    scale: float = 1
    shift: float = 0

    def out(self, value: float) -> float:
        """A place inside as one on the slide."""
        return self.scale * value + self.shift

    def back(self, value: float) -> float:
        """A place on the slide as one inside."""
        return (value - self.shift) / self.scale


def emu_frame(prs: Presentation, box: PxBox) -> EmuFrame:
    """A box in EMU; raises EditError if it is none, or narrower or lower than a point."""
    try:
        x, y, width, height = (float(value) for value in box)
    except (TypeError, ValueError):
        raise EditError(f"{box!r} is no box of (x, y, width, height)") from None
    if not all(isfinite(value) and abs(value) < 1e6 for value in (x, y, width, height)):
        raise EditError(f"{box!r} is no box in the 960x540 frame")
    across, down = px_sizes(prs)
    frame = (round(x * across), round(y * down), round(width * across), round(height * down))
    if min(frame[2:]) < LEAST_SIDE:
        raise EditError(f"{box!r} is too small: a shape is at least one point wide and high")
    return frame


def emu_lengths(prs: Presentation, box: PxBox) -> tuple[Emu, Emu, Emu, Emu]:
    """``emu_frame`` as python-pptx takes it."""
    left, top, width, height = emu_frame(prs, box)
    return Emu(left), Emu(top), Emu(width), Emu(height)


def px_sizes(prs: Presentation) -> tuple[float, float]:
    """EMU of a pixel of the frame, across and down."""
    return int(prs.slide_width or 0) / FRAME_WIDTH, int(prs.slide_height or 0) / FRAME_HEIGHT


def frame_of(prs: Presentation, slide: int, shape: str | int) -> EmuFrame:
    """The frame of a shape on the slide, that of its layout if it has none.

    Raises EditError for a shape without a place, or in a group that is turned or mirrored.
    """
    element = find_shape(prs, slide, shape)
    for native in slide_at(prs, slide).shapes:
        if native._element is element:
            sides = (native.left, native.top, native.width, native.height)
            if None in sides:
                raise EditError(f"{shape!r} on slide {slide} has no place of its own")
            left, top, width, height = map(int, sides)
            return left, top, width, height
    return mapped(_stated(element, f"{shape!r} on slide {slide}"), *group_maps(element))


def mapped(frame: EmuFrame, across: AxisMap, down: AxisMap) -> EmuFrame:
    """A frame inside of a group as one around it."""
    left, top, width, height = frame
    corner = round(across.out(left)), round(down.out(top))
    return (*corner, round(across.scale * width), round(down.scale * height))


def put_frame(prs: Presentation, slide: int, shape: str | int, frame: EmuFrame) -> None:
    """Move and size a shape; raises EditError as ``frame_of`` does."""
    element = find_shape(prs, slide, shape)
    for native in slide_at(prs, slide).shapes:
        if native._element is element:
            sides = (Emu(side) for side in frame)
            native.left, native.top, native.width, native.height = sides
            return
    across, down = group_maps(element)
    _stated(element, f"{shape!r} on slide {slide}")
    left, top, width, height = frame
    corner = round(across.back(left)), round(down.back(top))
    set_xfrm(element, (*corner, round(width / across.scale), round(height / down.scale)))


def xfrm_of(element: Any) -> Any:
    """The element with a shape's offset and extent; None if it has none."""
    paths = (f"{qn('p:spPr')}/{qn('a:xfrm')}", qn("p:xfrm"), f"{qn('p:grpSpPr')}/{qn('a:xfrm')}")
    return next((xfrm for path in paths if (xfrm := element.find(path)) is not None), None)


def set_xfrm(element: Any, frame: EmuFrame) -> None:
    """Write offset and extent of a shape that has them."""
    held = xfrm_of(element)
    for tag, names, values in (
        ("a:off", ("x", "y"), frame[:2]),
        ("a:ext", ("cx", "cy"), frame[2:]),
    ):
        for name, value in zip(names, values, strict=True):
            held.find(qn(tag)).set(name, str(value))


def _stated(element: Any, what: str) -> EmuFrame:
    held = xfrm_of(element)
    if held is None or held.find(qn("a:off")) is None or held.find(qn("a:ext")) is None:
        raise EditError(f"{what} has no place of its own")
    return emu_of(held)


def emu_of(held: Any) -> EmuFrame:
    """The frame that an ``a:xfrm`` with offset and extent states."""
    offset, extent = held.find(qn("a:off")), held.find(qn("a:ext"))
    corner = int(offset.get("x")), int(offset.get("y"))
    return (*corner, int(extent.get("cx")), int(extent.get("cy")))


def group_maps(element: Any) -> tuple[AxisMap, AxisMap]:
    """How places in the groups around a shape become places on the slide, across and down."""
    across, down = AxisMap(), AxisMap()
    for group in element.iterancestors(qn("p:grpSp")):
        if (held := xfrm_of(group)) is None:
            continue
        if held.get("rot") not in (None, "0") or "1" in (held.get("flipH"), held.get("flipV")):
            raise EditError("the group around it is turned or mirrored; ungroup it first")
        mine_across, mine_down = inner_maps(held)
        across = AxisMap(across.scale * mine_across.scale, across.out(mine_across.shift))
        down = AxisMap(down.scale * mine_down.scale, down.out(mine_down.shift))
    return across, down


def inner_maps(held: Any) -> tuple[AxisMap, AxisMap]:
    """How places inside of one group become places around it, from its ``a:xfrm``."""
    maps = []
    for inner, size, at in (("x", "cx", "x"), ("y", "cy", "y")):
        names = (("a:off", at), ("a:ext", size), ("a:chOff", inner), ("a:chExt", size))
        corners = [held.find(qn(tag)) for tag, _name in names]
        if None in corners:
            maps.append(AxisMap())
            continue
        offset, extent, child_offset, child_extent = (
            int(item.get(name)) for item, (_tag, name) in zip(corners, names, strict=True)
        )
        scale = extent / child_extent if child_extent and extent else 1.0
        maps.append(AxisMap(scale, offset - scale * child_offset))
    return maps[0], maps[1]


_STEP = 20
_MARGIN = 40
_GAP = 10
_LEAST = (120, 40)
"""Pixels of the frame: step of the search, margin of the slide, gap to other shapes, least room.
Ours."""


def free_box(prs: Presentation, slide: int) -> PxBox:
    """The largest room of a slide without any shape, in pixels of the 960x540 frame.

    Raises EditError if there is no room for anything.
    """
    columns = range(_MARGIN, int(FRAME_WIDTH) - _MARGIN, _STEP)
    rows = range(_MARGIN, int(FRAME_HEIGHT) - _MARGIN, _STEP)
    taken = _taken(prs, slide)

    def is_in(x: int, y: int, box: tuple[float, float, float, float]) -> bool:
        left, top, right, bottom = box
        return x < right and x + _STEP > left and y < bottom and y + _STEP > top

    free = [[not any(is_in(x, y, box) for box in taken) for x in columns] for y in rows]
    heights, best = [0] * len(columns), (0, 0, 0, 0, 0)
    for row, cells in enumerate(free):
        heights = [height + 1 if cell else 0 for height, cell in zip(heights, cells, strict=True)]
        for start in range(len(columns)):
            low = heights[start]
            for end in range(start, len(columns)):
                if not (low := min(low, heights[end])):
                    break
                best = max(best, (low * (end - start + 1), -row, start, end, low))
    _area, row, start, end, tall = best
    width, height = (end - start + 1) * _STEP, tall * _STEP
    if not tall or width < _LEAST[0] or height < _LEAST[1]:
        raise EditError(
            f"slide {slide} has no free room; say where: … at 60, 420, 400 by 60 "
            "(left, top, width, height on a slide of 960 by 540)"
        )
    return (columns[start], rows[-row] - height + _STEP, width, height)


def _taken(prs: Presentation, slide: int) -> list[tuple[float, float, float, float]]:
    across, down = px_sizes(prs)
    boxes = []
    for shape in shapes(slide_at(prs, slide)):
        left, top, width, height = frame_of(prs, slide, shape_id(shape))
        corner = left / across - _GAP, top / down - _GAP
        boxes.append((*corner, (left + width) / across + _GAP, (top + height) / down + _GAP))
    return boxes


_FILLS = ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")
_WIDEST_LINE = 1584
"""Points; ECMA-376 Part 1, 20.1.10.35, ST_LineWidth."""
_SCHEME = {"text": "tx", "background": "bg", "accent": "accent"}
_NS = f'xmlns:a="{NAMESPACES["a"]}" xmlns:p="{NAMESPACES["p"]}"'


def place_shape(
    prs: Presentation,
    slide: int,
    shape: str | int,
    *,
    left: float | None = None,
    top: float | None = None,
    width: float | None = None,
    height: float | None = None,
) -> bool:
    """Move or size a shape; return whether that changed anything. All are EMU; None stays.

    Columns and rows of a table are scaled with it. Raises EditError for a size below one point, or
    a shape in a group that is turned or mirrored.
    """
    before = frame_of(prs, slide, shape)
    wanted = zip(before, (left, top, width, height), strict=True)
    x, y, wide, high = (old if new is None else round(new) for old, new in wanted)
    fresh = (x, y, wide, high)
    if min(fresh[2:]) < LEAST_SIDE and fresh[2:] != before[2:]:
        raise EditError("a shape is at least one point wide and high")
    put_frame(prs, slide, shape, fresh)
    _scale_table(find_shape(prs, slide, shape), before, fresh)
    return fresh != before


def _scale_table(frame: Any, old: EmuFrame, new: EmuFrame) -> None:
    """Let the columns and rows of a table fill its frame."""
    for tag, name, before, after in (
        ("a:gridCol", "w", old[2], new[2]),
        ("a:tr", "h", old[3], new[3]),
    ):
        for item in frame.iter(qn(tag)) if before and before != after else ():
            item.set(name, str(round(int(item.get(name) or 0) * after / before)))


@phrase("fill {shape:drawn} [(with|in)] {color}",
        "set <[fill] color of {shape:drawn}> to {color}",
        "(make|turn|color) {shape:drawn} {color}",
        "give {shape:drawn} {color} fill",
        example="fill the rectangle 'Plan' on slide 1 with accent2",
        changes="style detail picture")  # fmt: skip
@phrase("delete <fill of {shape:drawn}>",
        example="remove the fill of the rectangle 'Plan' on slide 1",
        changes="style detail picture", color=None)  # fmt: skip
def fill_shape(prs: Presentation, slide: int, shape: str | int, color: str | None) -> None:
    """Fill a shape with a colour (as in ``format_text``); None takes its fill away.

    Example: fill_shape(prs, 2, "Rectangle 3", "accent2")
    """
    if (look := find_shape(prs, slide, shape).find(qn("p:spPr"))) is None:
        raise EditError(f"{shape!r} on slide {slide} cannot be filled")
    for item in list(look):
        if item.tag in [qn(f"a:{name}") for name in _FILLS]:
            look.remove(item)
    fresh = parse_xml(f"<a:noFill {_NS}/>") if color is None else _solid(color)
    _after_geometry(look, fresh)


@phrase(
    "set <outline [color] of {shape:drawn}> to {color} [and {width:points}]",
    "add [{width:points}] {color} outline (to|around) {shape:drawn}",
    "give {shape:drawn} [{width:points}] {color} outline [of {width:points}]",
    example="add a 2 pt red border to the picture on slide 4", changes="style detail picture",
)  # fmt: skip
@phrase("delete <outline of {shape:drawn}>",
        example="remove the border of the picture on slide 4", changes="style detail picture",
        color=None)  # fmt: skip
def outline_shape(
    prs: Presentation, slide: int, shape: str | int, color: str | None, width: float | None = None
) -> None:
    """Draw the line around a shape in a colour, ``width`` points wide; None takes the line away.

    Example: outline_shape(prs, 2, "Rectangle 3", "#1F4E79")
    """
    if (look := find_shape(prs, slide, shape).find(qn("p:spPr"))) is None:
        raise EditError(f"{shape!r} on slide {slide} has no outline")
    if (line := look.find(qn("a:ln"))) is None:
        line = etree.Element(qn("a:ln"))
        _after_geometry(look, line, after_fill=True)
    for item in list(line):
        if item.tag in [qn(f"a:{name}") for name in _FILLS]:
            line.remove(item)
    line.insert(0, parse_xml(f"<a:noFill {_NS}/>") if color is None else _solid(color))
    if width is not None:
        if not 0 < width <= _WIDEST_LINE:
            raise EditError(f"a line of {width:g} pt is none: it has up to {_WIDEST_LINE} pt")
        line.set("w", str(round(width * 12_700)))


def put_fill(look: Any, color: str | None) -> bool:
    """Give the properties of a table cell a fill, None for none; whether it had another before."""
    names = [qn(f"a:{name}") for name in _FILLS]
    old = [item for item in look if item.tag in names]
    fresh = parse_xml(f"<a:noFill {_NS}/>") if color is None else _solid(color)
    was = [etree.tostring(item, method="c14n") for item in old]
    for item in old:
        look.remove(item)
    after = [qn("a:headers"), qn("a:extLst")]
    look.insert(sum(item.tag not in after for item in look), fresh)
    return was != [etree.tostring(fresh, method="c14n")]


def _after_geometry(look: Any, fresh: Any, *, after_fill: bool = False) -> None:
    """Put an element where the schema of shape properties wants it."""
    before = ["xfrm", "custGeom", "prstGeom", *(_FILLS if after_fill else ())]
    at = sum(item.tag in [qn(f"a:{name}") for name in before] for item in look)
    look.insert(at, fresh)


def _solid(color: str) -> Any:
    if color in THEME_COLORS:
        word = next(word for word in _SCHEME if color.startswith(word))
        name = _SCHEME[word] + color.removeprefix(word)
        held = f'<a:schemeClr val="{name}"/>'
    else:
        held = f'<a:srgbClr val="{rgb(color)}"/>'
    return parse_xml(f"<a:solidFill {_NS}>{held}</a:solidFill>")


@phrase(
    "set <background [color] {on}> to {color}",
    "give {slides} {color} background",
    "(make|turn|color) <background {on}> {color}",
    example="set the background of slides 2-3 to light grey", changes="style slide detail",
)  # fmt: skip
@phrase(
    "delete <background {on}>",
    example="remove the background of slide 1", changes="style slide detail", color=None,
)  # fmt: skip
def set_background(
    prs: Presentation, color: str | None, *, slides: Iterable[int] | None = None
) -> int:
    """Give slides a plain background, None that of the layout; return how many changed.

    Example: set_background(prs, "#F4F1EA", slides=[1])
    """
    count = 0
    for _number, slide in slides_of(prs, slides):
        content = slide._element.cSld
        held = content.find(qn("p:bg"))
        before = None if held is None else etree.tostring(held, method="c14n")
        if held is not None:
            content.remove(held)
        if color is not None:
            held = parse_xml(f"<p:bg {_NS}><p:bgPr><a:effectLst/></p:bgPr></p:bg>")
            held[0].insert(0, _solid(color))
            content.insert(0, held)
            count += etree.tostring(held, method="c14n") != before
        else:
            count += before is not None
    return count


@phrase("delete {shape:drawn}",
        "take {shape:drawn} off {slides}",
        example="remove the picture on slide 4", changes="removed",
        follows="animation link media detail")  # fmt: skip
def delete_shape(prs: Presentation, slide: int, shape: str | int) -> None:
    """Take a shape off a slide, with the pictures and parts that only it needs.

    Its animations and the connectors' hold on it go along.

    Example: delete_shape(prs, 2, "Picture 3")
    """
    held = slide_at(prs, slide)
    element = find_shape(prs, slide, shape)
    ids = {properties(item).get("id") for item in (element, *element.iterdescendants(*SHAPES))}
    for id in ids:
        remove_animations(prs, slide, int(id))
    links = {value for item in element.iter() for value in _link_ids(item)}
    container = element.getparent()
    if container.getparent() is not None and container.tag == qn("mc:Choice"):
        container = container.getparent()
        container.getparent().remove(container)
    else:
        container.remove(element)
    for item in held._element.xpath(".//a:stCxn | .//a:endCxn"):
        if item.get("id") in ids:
            item.getparent().remove(item)
    still = {value for item in held._element.iter() for value in _link_ids(item)}
    for id in links - still:
        if id in held.part.rels:
            held.part.rels.pop(id)


def _link_ids(item: Any) -> list[str]:
    space = f"{{{NAMESPACES['r']}}}"
    return [str(value) for name, value in item.attrib.items() if str(name).startswith(space)]
