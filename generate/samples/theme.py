"""A theme: twelve colours, two fonts, and the plain format scheme that every theme needs."""

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

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
