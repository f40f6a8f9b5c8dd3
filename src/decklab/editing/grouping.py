"""Shapes made one group, and groups dissolved, without anything moving."""

from collections.abc import Sequence
from copy import deepcopy
from math import cos, radians, sin
from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.finding import (
    EditError,
    find_shape,
    placeholder_type,
    properties,
    shape_id,
    slide_at,
)
from decklab.editing.frames import EmuFrame, emu_of, frame_of, inner_maps, mapped, set_xfrm, xfrm_of
from decklab.editing.motion import remove_animations
from decklab.editing.phrasing import phrase
from decklab.ooxml.xml import NAMESPACES, qn

_TURN = 60_000
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
    elements = [find_shape(prs, slide, shape) for shape in dict.fromkeys(shapes)]
    if len({id(element) for element in elements}) < 2:
        raise EditError("a group has two shapes or more")
    for shape, element in zip(dict.fromkeys(shapes), elements, strict=True):
        if placeholder_type(element) is not None:
            raise EditError(f"{shape!r} on slide {slide} is a placeholder, which no group holds")
        if element.getparent() is not tree:
            raise EditError(f"{shape!r} on slide {slide} is in a group, or of a special kind")
    frames = [frame_of(prs, slide, shape) for shape in dict.fromkeys(shapes)]
    left, top = min(frame[0] for frame in frames), min(frame[1] for frame in frames)
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
    group = find_shape(prs, slide, shape)
    if group.tag != qn("p:grpSp"):
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
        own = xfrm_of(item)
        if own is None or own.find(qn("a:off")) is None:
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
    turn = (turn + int(held.get("rot") or 0)) % _FULL
    if turn:
        own.set("rot", str(turn))
    else:
        own.attrib.pop("rot", None)


def _take_fill(member: Any, look: Any) -> None:
    """A member that was filled as its group is, is filled so itself."""
    fills = [item for item in look if item.tag.endswith("Fill")]
    for item in list(member.iter(qn("a:grpFill"))) if fills else ():
        item.getparent().replace(item, deepcopy(fills[0]))
