"""Lines that end at shapes, glued to them: they follow when a shape is moved."""

from collections.abc import Iterator
from typing import Any, Final

from pptx.oxml import parse_xml

from decklab.board.native.scale import Scale
from decklab.deck.frames import Frame, Point, ends_of, read_frame
from decklab.ooxml.xml import NAMESPACES, qn

_REACH: Final = 2.0
"""Ours: pixels from the middle of a side within which a line holds on to it."""
_SIDES: Final = ((0.5, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 0.5))
_NEAR, _FAR = 0.5 - 0.125**0.5, 0.5 + 0.125**0.5
_SITES: Final[dict[str, tuple[Point, ...]]] = {
    "rect": _SIDES,
    "roundRect": _SIDES,
    "diamond": _SIDES,
    "ellipse": ((0.5, 0.0), (_NEAR, _NEAR), (0.0, 0.5), (_NEAR, _FAR), (0.5, 1.0), (_FAR, _FAR),
                (1.0, 0.5), (_FAR, _NEAR)),
}  # fmt: skip
"""Connection sites of presets in their order, as shares of width and height (ECMA-376 Part 1,
presetShapeDefinitions.xml)."""

_Site = tuple[str, int, Point]


def glue_lines(tree: Any, scale: Scale) -> None:
    """Glue the lines of a slide to the shapes at whose connection sites they end.

    A drawing of glued lines only is no group any more. Changes the shapes of the slide.
    """
    lines = list(tree.iter(qn("p:cxnSp")))
    sites = list(_sites(tree)) if lines else []
    glued = {line for line in lines if _glue(line, sites, _REACH * scale.factor)}
    for group in list(tree.findall(qn("p:grpSp"))):
        held = list(group)[2:]
        if held and glued.issuperset(held):
            for line in held:
                group.addprevious(line)
            tree.remove(group)


def _sites(tree: Any) -> Iterator[_Site]:
    """The connection sites of the shapes of a slide: their ids, numbers and places."""
    for shape in tree.findall(qn("p:sp")):
        own = shape.find(qn("p:nvSpPr"))
        look = shape.find(qn("p:spPr"))
        preset = look.find(qn("a:prstGeom"))
        frame = read_frame(look.find(qn("a:xfrm")))
        if preset is None or frame is None or own.find(qn("p:cNvSpPr")).get("txBox"):
            continue
        for number, share in enumerate(_SITES.get(preset.get("prst"), ())):
            yield own.find(qn("p:cNvPr")).get("id"), number, _spot(frame, share)


def _spot(frame: Frame, share: Point) -> Point:
    return frame.left + share[0] * frame.width, frame.top + share[1] * frame.height


def _glue(line: Any, sites: list[_Site], reach: float) -> bool:
    """Whether both ends of a line are glued now."""
    frame = read_frame(line.find(f"{qn('p:spPr')}/{qn('a:xfrm')}"))
    if frame is None:
        return False
    held = line.find(f"{qn('p:nvCxnSpPr')}/{qn('p:cNvCxnSpPr')}")
    for tag, (x, y) in zip(("stCxn", "endCxn"), ends_of(frame), strict=True):
        near = [site for site in sites if max(abs(site[2][0] - x), abs(site[2][1] - y)) <= reach]
        if near:
            id, number, _ = near[-1]  # the uppermost
            held.append(
                parse_xml(f'<a:{tag} xmlns:a="{NAMESPACES["a"]}" id="{id}" idx="{number}"/>')
            )
    return len(held) == 2
