"""How a deck is shown: how one slide gives way to the next, and the named sections.

Sections are an extension of ``p:presentation``, [MS-PPTX] 2.2.4.
"""

from collections.abc import Sequence
from typing import Literal
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import quoteattr

from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide

from generate.samples.markup import NAMESPACES

Transition = Literal["fade", "push", "morph"]

_PLAIN = {
    "fade": f'<p:transition {NAMESPACES} spd="med"><p:fade/></p:transition>',
    "push": f'<p:transition {NAMESPACES} spd="med"><p:push dir="u"/></p:transition>',
}

_MORPH = (
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    f"{NAMESPACES}>"
    '<mc:Choice xmlns:p159="http://schemas.microsoft.com/office/powerpoint/2015/09/main" '
    'Requires="p159"><p:transition spd="slow" p14:dur="1500" '
    'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main">'
    '<p159:morph option="byObject"/></p:transition></mc:Choice>'
    '<mc:Fallback><p:transition spd="slow"><p:fade/></p:transition></mc:Fallback>'
    "</mc:AlternateContent>"
)
"""Morph is younger than the format, so programs that do not know it get a fade."""


def set_transition(slide: Slide, kind: Transition) -> None:
    """Bring the slide in with this transition; the schema wants it before the timing."""
    element = parse_xml(_MORPH if kind == "morph" else _PLAIN[kind])
    timing = slide.element.find(qn("p:timing"))
    if timing is None:
        slide.element.append(element)
    else:
        timing.addprevious(element)


def set_sections(deck: Deck, sections: Sequence[tuple[str, int]]) -> None:
    """Divide the deck's slides; each section has a name and its number of slides."""
    ids = iter([slide.slide_id for slide in deck.slides])
    listed = ""
    for name, slides in sections:
        key = str(uuid5(NAMESPACE_URL, f"decklab:section:{name}")).upper()
        members = "".join(f'<p14:sldId id="{next(ids)}"/>' for _ in range(slides))
        listed += (
            f'<p14:section name={quoteattr(name)} id="{{{key}}}">'
            f"<p14:sldIdLst>{members}</p14:sldIdLst></p14:section>"
        )
    deck.part._element.append(
        parse_xml(
            f'<p:extLst {NAMESPACES}><p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}">'
            '<p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main">'
            f"{listed}</p14:sectionLst></p:ext></p:extLst>"
        )
    )
