"""How one slide gives way to the next."""

from typing import Literal

from pptx.oxml import parse_xml
from pptx.oxml.ns import qn
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
