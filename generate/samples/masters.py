"""An empty deck with a theme, a master and layouts of its own, and the XML of these parts."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import quoteattr

from pptx import Presentation
from pptx.opc.constants import CONTENT_TYPE as CT
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.parts.slide import SlideLayoutPart, SlideMasterPart
from pptx.presentation import Presentation as Deck
from pptx.util import Pt

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from generate.samples.markup import NAMESPACES, solid

_TREE = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>'
    '<a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/>'
    '<a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
_COLOR_MAP = (
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" '
    'accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" '
    'folHlink="folHlink"/>'
)
_MASTER_ID = 2147483648
"""Smallest id ECMA-376 allows for a master (part 1, section 19.7.15); layouts count on from it."""


def _common(name: str, shapes: str, background: str | None) -> str:
    paint = f"<p:bg><p:bgPr>{background}<a:effectLst/></p:bgPr></p:bg>" if background else ""
    return f"<p:cSld{name}>{paint}<p:spTree>{_TREE}{shapes}</p:spTree></p:cSld>"


def master_xml(shapes: str, *, titles: str, bodies: str, others: str, layouts: int) -> str:
    """A slide master; the text styles are ``text_style`` levels."""
    ids = "".join(
        f'<p:sldLayoutId id="{_MASTER_ID + n}" r:id="rId{n}"/>' for n in range(1, layouts + 1)
    )
    return (
        f"<p:sldMaster {NAMESPACES}>{_common('', shapes, solid('bg1'))}{_COLOR_MAP}"
        f"<p:sldLayoutIdLst>{ids}</p:sldLayoutIdLst><p:txStyles>"
        f"<p:titleStyle>{titles}</p:titleStyle><p:bodyStyle>{bodies}</p:bodyStyle>"
        f"<p:otherStyle>{others}</p:otherStyle></p:txStyles></p:sldMaster>"
    )


def layout_xml(
    name: str,
    shapes: str,
    *,
    kind: str | None = None,
    background: str | None = None,
    master_shapes: bool = True,
) -> str:
    """A slide layout; ``kind`` is its ``type``, ``background`` a fill instead of the master's.

    Without ``master_shapes`` the master's decoration does not show.
    """
    marks = "" if kind is None else f' type="{kind}"'
    marks += "" if master_shapes else ' showMasterSp="0"'
    return (
        f'<p:sldLayout {NAMESPACES}{marks} preserve="1">'
        f"{_common(f' name={quoteattr(name)}', shapes, background)}"
        "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
    )


def blank_deck(theme: bytes, master: str, layouts: Sequence[str]) -> Deck:
    """A 16:9 deck without slides on this theme, master and these layouts, in their order."""
    deck = Presentation()
    deck.slide_width, deck.slide_height = Pt(FRAME_WIDTH), Pt(FRAME_HEIGHT)
    deck.element.sldSz.attrib.pop("type", None)  # python-pptx keeps its template's screen4x3
    root = deck.part
    package = root.package
    for rid, relationship in list(root.rels.items()):
        if relationship.reltype in (RT.SLIDE_MASTER, RT.THEME, RT.PRINTER_SETTINGS):
            root.rels.pop(rid)
    for rid, relationship in list(package._rels.items()):
        if relationship.reltype == RT.THUMBNAIL:
            package._rels.pop(rid)

    theme_part = Part(PackURI("/ppt/theme/theme1.xml"), CT.OFC_THEME, package, theme)
    master_part = SlideMasterPart(
        PackURI("/ppt/slideMasters/slideMaster1.xml"),
        CT.PML_SLIDE_MASTER,
        package,
        parse_xml(master),
    )
    for number, layout in enumerate(layouts, start=1):
        name = PackURI(f"/ppt/slideLayouts/slideLayout{number}.xml")
        part = SlideLayoutPart(name, CT.PML_SLIDE_LAYOUT, package, parse_xml(layout))
        part.relate_to(master_part, RT.SLIDE_MASTER)
        master_part.relate_to(part, RT.SLIDE_LAYOUT)
    master_part.relate_to(theme_part, RT.THEME)
    root.relate_to(theme_part, RT.THEME)
    (entry,) = root._element.xpath("./p:sldMasterIdLst/p:sldMasterId")
    entry.rId = root.relate_to(master_part, RT.SLIDE_MASTER)
    return deck


_FILLS = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>' * 3
_LINES = "".join(
    f'<a:ln w="{width}" cap="flat" cmpd="sng" algn="ctr"><a:solidFill><a:schemeClr val="phClr"/>'
    '</a:solidFill><a:prstDash val="solid"/><a:miter lim="800000"/></a:ln>'
    for width in (6350, 12700, 19050)
)
_EFFECTS = "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3

_SLOTS = (
    "dk1", "lt1", "dk2", "lt2",
    "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
    "hlink", "folHlink",
)  # fmt: skip


def theme_xml(name: str, colors: Mapping[str, str], heading: str, body: str) -> bytes:
    """The theme part.

    ``colors`` gives ``#RRGGBB`` for each of dk1, lt1, dk2, lt2, accent1 to accent6, hlink and
    folHlink (ECMA-376 part 1, section 20.1.6.2); ``heading`` and ``body`` are the font names.
    """
    slots = "".join(
        f'<a:{slot}><a:srgbClr val="{colors[slot].lstrip("#")}"/></a:{slot}>' for slot in _SLOTS
    )
    fonts = "".join(
        f"<a:{slot}><a:latin typeface={quoteattr(font)}/>"
        f'<a:ea typeface=""/><a:cs typeface=""/></a:{slot}>'
        for slot, font in (("majorFont", heading), ("minorFont", body))
    )
    title = quoteattr(name)
    text = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
        f"name={title}><a:themeElements>"
        f"<a:clrScheme name={title}>{slots}</a:clrScheme>"
        f"<a:fontScheme name={title}>{fonts}</a:fontScheme>"
        f"<a:fmtScheme name={title}><a:fillStyleLst>{_FILLS}</a:fillStyleLst>"
        f"<a:lnStyleLst>{_LINES}</a:lnStyleLst><a:effectStyleLst>{_EFFECTS}</a:effectStyleLst>"
        f"<a:bgFillStyleLst>{_FILLS}</a:bgFillStyleLst></a:fmtScheme></a:themeElements>"
        "<a:objectDefaults/><a:extraClrSchemeLst/></a:theme>"
    )
    return text.encode()
