"""An icon as a native freeform shape (DrawingML custGeom, ECMA-376 part 1, 20.1.9.8)."""

from typing import Final

from decklab.board.boxes import IconBox
from decklab.board.icons.library import SIDE, STROKE, Icon
from decklab.board.pptx_text import DECLARED, named_xml, place_xml, stroke_xml

_SCALE: Final = 1_000
"""Units of the path for one unit of the outline: coordinates of a path are whole numbers."""
_TAGS: Final = {"M": "moveTo", "L": "lnTo", "C": "cubicBezTo", "Q": "quadBezTo", "Z": "close"}
_ROUND: Final = "<a:round/>"


def icon_xml(item: IconBox, id: int) -> str:
    """The shape of an icon: lines in a colour of the theme, marked as decorative."""
    side = round(SIDE * _SCALE)
    width = STROKE * item.box.width / SIDE
    stroke = stroke_xml(item.color, width, _ROUND).replace("<a:ln ", '<a:ln cap="rnd" ')
    return (
        f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, item.name, decorative=True)}<p:cNvSpPr/>"
        f"<p:nvPr/></p:nvSpPr><p:spPr>{place_xml(item.box)}<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/>"
        f'<a:cxnLst/><a:rect l="0" t="0" r="r" b="b"/><a:pathLst><a:path w="{side}" h="{side}" '
        f'fill="none">{_steps(item.path)}</a:path></a:pathLst></a:custGeom><a:noFill/>{stroke}'
        "</p:spPr></p:sp>"
    )


def _steps(path: str) -> str:
    parts = []
    for command, numbers in Icon("", path).steps:
        whole = [round(number * _SCALE) for number in numbers]
        points = zip(whole[::2], whole[1::2], strict=True)
        inner = "".join(f'<a:pt x="{x}" y="{y}"/>' for x, y in points)
        parts.append(f"<a:{_TAGS[command]}>{inner}</a:{_TAGS[command]}>")
    return "".join(parts)
