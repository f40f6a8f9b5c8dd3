"""Pieces of DrawingML that all native shapes have."""

from xml.sax.saxutils import quoteattr

from decklab.ooxml.xml import EMU_PER_POINT, NAMESPACES

DECLARED = " ".join(f'xmlns:{name}="{NAMESPACES[name]}"' for name in ("a", "p", "r"))
NO_STYLE = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"
"""PowerPoint's table style "No Style, No Grid"."""
DECORATIVE = (
    '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative '
    'xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/>'
    "</a:ext></a:extLst>"
)
"""Marks a drawing as one without meaning, so that screen readers pass over it."""


def emu(pixels: float) -> int:
    """Pixels of the frame, which are points here, as EMU."""
    return round(pixels * EMU_PER_POINT)


def named_xml(id: int, name: str, description: str = "", *, decorative: bool = False) -> str:
    """The name of a shape with what it shows in words."""
    words = f" descr={quoteattr(description)}" if description else ""
    inner = DECORATIVE if decorative else ""
    return f'<p:cNvPr id="{id}" name={quoteattr(name)}{words}>{inner}</p:cNvPr>'
