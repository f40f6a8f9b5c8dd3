"""Blank slides that stand for slides left out of a copy."""

from collections.abc import Collection
from dataclasses import dataclass

from decklab.ooxml.names import NAMESPACES
from decklab.rendering.incremental.keys import SlideKeys

__all__ = ["Blank", "blank_slide", "blanks"]

_TEXT = (
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="text"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
    '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="457200"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
    "<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>text</a:t></a:r></a:p></p:txBody></p:sp>"
)
_SLIDE = (
    '<p:sld xmlns:a="{a}" xmlns:p="{p}" showMasterSp="0"><p:cSld><p:bg><p:bgPr><a:solidFill>'
    '<a:srgbClr val="FFFFFF"/></a:solidFill><a:effectLst/></p:bgPr></p:bg><p:spTree><p:nvGrpSpPr>'
    '<p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{shapes}'
    "</p:spTree></p:cSld></p:sld>"
)


@dataclass(frozen=True)
class Blank:
    """A blank slide: the layout it is on, and whether it bears text that is never shrunk."""

    layout: str
    plain: bool


def blanks(keys: SlideKeys, numbers: Collection[int]) -> dict[int, Blank]:
    """The blank slides to draw along with the slides ``numbers``, by the number they stand for.

    Slides whose text may shrink get a first slide on their layout, one with plain text, and the
    slide just before them, where the deck has such (see ``precedents``); slides that show their
    number get all that come before.
    """
    precedents = keys.precedents
    wanted, plain = set[int](), set[int]()
    last_numbered = max((n for n in numbers if keys.fields(n).numbered), default=0)
    for number in numbers:
        if precedents.shrinks(number):
            wanted |= {precedents.first_alike(number), max(1, number - 1)}
            if precedents.first_plain < number:
                plain.add(precedents.first_plain)
    fillers = set(range(1, last_numbered))
    found: dict[int, Blank] = {}
    layout = ""
    for number in sorted(wanted | plain | fillers | set(numbers)):
        if number in wanted or number in numbers or not layout:
            layout = precedents.layouts[number - 1]
        if number not in numbers:
            found[number] = Blank(layout, number in plain)
    return found


def blank_slide(plain: bool) -> bytes:
    """The part of a slide that shows nothing but, where ``plain``, a word."""
    shapes = _TEXT if plain else ""
    return _SLIDE.format(a=NAMESPACES["a"], p=NAMESPACES["p"], shapes=shapes).encode()
