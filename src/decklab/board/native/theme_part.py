"""The theme of a presentation as a part, and layouts that a master gets."""

from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import quoteattr

from pptx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.parts.slide import SlideLayoutPart
from pptx.slide import SlideLayout

from decklab.board.native.markup import DECLARED
from decklab.ooxml.xml import qn

_FIRST_LAYOUT_ID = 2_147_483_660
_SCRIPTS = {
    "Jpan": "Yu Gothic", "Hang": "Malgun Gothic", "Hans": "Microsoft YaHei",
    "Hant": "Microsoft JhengHei", "Arab": "Arial", "Hebr": "Arial", "Thai": "Leelawadee UI",
    "Deva": "Nirmala UI",
}  # fmt: skip
"""Families that PowerPoint shows for scripts that the theme's font lacks."""
_SERIF = {"Cambria", "Times New Roman"}


def add_layout(master: Any, xml: str, number: int) -> SlideLayout:
    """Give a master, by its part, one more layout; ``number`` counts them from 0."""
    part = SlideLayoutPart.load(
        PackURI(f"/ppt/slideLayouts/slideLayout{number + 1}.xml"),
        CONTENT_TYPE.PML_SLIDE_LAYOUT,
        master.package,
        xml.encode(),
    )
    part.relate_to(master, RELATIONSHIP_TYPE.SLIDE_MASTER)
    link = master.relate_to(part, RELATIONSHIP_TYPE.SLIDE_LAYOUT)
    entries = master._element.get_or_add_sldLayoutIdLst()
    entries.append(
        parse_xml(f'<p:sldLayoutId {DECLARED} id="{_FIRST_LAYOUT_ID + number}" r:id="{link}"/>')
    )
    layout: SlideLayout = part.slide_layout
    return layout


def map_colors(master: Any, *, dark: bool) -> None:
    """Say which colours of the theme are ground and text: a dark deck has its text light."""
    text, ground = ("lt", "dk") if dark else ("dk", "lt")
    mapped = {"bg1": f"{ground}1", "tx1": f"{text}1", "bg2": f"{ground}2", "tx2": f"{text}2"}
    for name, value in mapped.items():
        master.find(qn("p:clrMap")).set(name, value)


def scheme_xml(title: str, slots: Mapping[str, str], heading: str, body: str) -> str:
    """The theme part with colours by slot (``dk1``, ``accent1`` ...) and two families."""
    scheme = "".join(
        f'<a:{name}><a:srgbClr val="{color[1:]}"/></a:{name}>' for name, color in slots.items()
    )
    name = quoteattr(title)
    fonts = "".join(
        f"<a:{tag}>{_font(family)}</a:{tag}>"
        for tag, family in (("majorFont", heading), ("minorFont", body))
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        f"<a:theme {DECLARED} name={name}><a:themeElements>"
        f"<a:clrScheme name={name}>{scheme}</a:clrScheme>"
        f"<a:fontScheme name={name}>{fonts}</a:fontScheme>"
        f"<a:fmtScheme name={name}>{_FORMATS}</a:fmtScheme>"
        "</a:themeElements><a:objectDefaults/><a:extraClrSchemeLst/></a:theme>"
    )


def _font(family: str) -> str:
    """A font of the scheme; its kind says what to show where the family is absent."""
    pitch = 18 if family in _SERIF else 34  # variable pitch, roman or swiss
    scripts = "".join(
        f'<a:font script="{script}" typeface="{name}"/>' for script, name in _SCRIPTS.items()
    )
    return (
        f'<a:latin typeface={quoteattr(family)} pitchFamily="{pitch}" charset="0"/>'
        f'<a:ea typeface=""/><a:cs typeface=""/>{scripts}'
    )


_PLAIN_FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
_PLAIN_LINE = f'<a:ln w="12700">{_PLAIN_FILL}</a:ln>'
_FORMATS = (
    f"<a:fillStyleLst>{_PLAIN_FILL * 3}</a:fillStyleLst>"
    f"<a:lnStyleLst>{_PLAIN_LINE * 3}</a:lnStyleLst>"
    f"<a:effectStyleLst>{'<a:effectStyle><a:effectLst/></a:effectStyle>' * 3}</a:effectStyleLst>"
    f"<a:bgFillStyleLst>{_PLAIN_FILL * 3}</a:bgFillStyleLst>"
)
TREE = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>'
    '<a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/>'
    '<a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
