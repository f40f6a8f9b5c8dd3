"""Where shapes stand: frames in EMU on the slide, through groups; boxes in the 960x540 frame."""

from math import isfinite
from typing import Any, NamedTuple

from pptx.presentation import Presentation
from pptx.util import Emu

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.editing.finding import EditError, find_shape, slide_at
from decklab.ooxml.xml import qn

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
            found = (native.left, native.top, native.width, native.height)
            if None in found:
                raise EditError(f"{shape!r} on slide {slide} has no place of its own")
            left, top, width, height = map(int, found)
            return left, top, width, height
    return mapped(_stated(element, f"{shape!r} on slide {slide}"), *group_maps(element))


def mapped(frame: EmuFrame, across: AxisMap, down: AxisMap) -> EmuFrame:
    """A frame inside of a group as one around it."""
    left, top, width, height = frame
    return (
        round(across.out(left)),
        round(down.out(top)),
        round(across.scale * width),
        round(down.scale * height),
    )


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
    set_xfrm(
        element,
        (
            round(across.back(left)),
            round(down.back(top)),
            round(width / across.scale),
            round(height / down.scale),
        ),
    )


def xfrm_of(element: Any) -> Any:
    """The element with a shape's offset and extent; None if it has none."""
    for path in (
        f"{qn('p:spPr')}/{qn('a:xfrm')}",
        qn("p:xfrm"),
        f"{qn('p:grpSpPr')}/{qn('a:xfrm')}",
    ):
        found = element.find(path)
        if found is not None:
            return found
    return None


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
    return (
        int(offset.get("x")),
        int(offset.get("y")),
        int(extent.get("cx")),
        int(extent.get("cy")),
    )


def group_maps(element: Any) -> tuple[AxisMap, AxisMap]:
    """How places in the groups around a shape become places on the slide, across and down."""
    across, down = AxisMap(), AxisMap()
    for group in element.iterancestors(qn("p:grpSp")):
        held = xfrm_of(group)
        if held is None:
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
    for inner, size, place in (("x", "cx", "x"), ("y", "cy", "y")):
        names = (("a:off", place), ("a:ext", size), ("a:chOff", inner), ("a:chExt", size))
        found = [held.find(qn(tag)) for tag, _name in names]
        if None in found:
            maps.append(AxisMap())
            continue
        offset, extent, child_offset, child_extent = (
            int(item.get(name)) for item, (_tag, name) in zip(found, names, strict=True)
        )
        scale = extent / child_extent if child_extent and extent else 1.0
        maps.append(AxisMap(scale, offset - scale * child_offset))
    return maps[0], maps[1]
