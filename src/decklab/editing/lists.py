"""Lists of a text: numbers or bullets before its lines, their levels, the space between them."""

from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.bullets import MARKS, insert_mark, one_bullet
from decklab.editing.finding import EditError, find_shape, paragraphs
from decklab.editing.phrasing import bullet_phrase, look_phrase, phrase
from decklab.editing.title_and_body import DEEPEST_LEVEL
from decklab.ooxml.xml import NAMESPACES, qn

_NS = f'xmlns:a="{NAMESPACES["a"]}"'
_KINDS = {
    "numbered": '<a:buAutoNum {ns} type="arabicPeriod"/>',
    "lettered": '<a:buAutoNum {ns} type="alphaLcPeriod"/>',
    "bulleted": '<a:buChar {ns} char="•"/>',
}
_HANGING = 342_900
"""EMU that the first line of a list item stands out to the left; PowerPoint's own."""
_LEVEL = 457_200
_SPACES = (0.1, 10.0)
"""The least and the largest spacing, in lines. Ours."""
_SIDES = {"before": "a:spcBef", "after": "a:spcAft"}
_MOST_POINTS = 1584
"""Points of space before or after a paragraph (ECMA-376 Part 1, 20.1.10.72)."""


@phrase(
    "(make|turn) {shape:writing} [(a|into|to)] {kind=numbered|lettered|bulleted} list",
    example="make the body text of slide 2 a numbered list", changes="style", shape="body",
)  # fmt: skip
@phrase(
    "number bullets",
    example="number the bullets on slide 2", changes="style", shape="body", kind="numbered",
)  # fmt: skip
def set_list(prs: Presentation, slide: int, shape: str | int, kind: str) -> int:
    """Put numbers, letters or bullets before the lines of a text; return how many changed.

    ``kind`` is "numbered", "lettered" or "bulleted". Empty lines stay without.

    Example: set_list(prs, 2, "Content Placeholder 2", "numbered")
    """
    kind = "numbered" if kind == "number" else kind
    if kind not in _KINDS:
        raise EditError(f"{kind!r} is no kind of list; there are {', '.join(_KINDS)}")
    changed = 0
    for line in _lines(prs, slide, shape):
        if not "".join(item.text or "" for item in line.iter(qn("a:t"))).strip():
            continue
        look = line.get_or_add_pPr()
        for mark in [item for item in look if item.tag in (*MARKS, qn("a:buNone"))]:
            look.remove(mark)
        insert_mark(look, parse_xml(_KINDS[kind].format(ns=_NS)))
        level = int(look.get("lvl") or 0)
        look.set("marL", str(_HANGING + _LEVEL * level))
        look.set("indent", str(-_HANGING))
        changed += 1
    return changed


@bullet_phrase("(indent|demote) {bullet}",
               "make {bullet} (sub-bullet|subbullet|sub bullet|sub-point|subpoint) [point]",
               example="indent bullet 2 of slide 1", changes="style text", by=1)  # fmt: skip
@bullet_phrase("(outdent|unindent|promote) {bullet}",
               "make {bullet} (main|top-level|first-level) bullet [point]",
               example="outdent bullet 2 of slide 1", changes="style text", by=-1)  # fmt: skip
def indent_bullet(
    prs: Presentation, slide: int, shape: str | int, place: int, *, by: int = 1, count: int = 1
) -> None:
    """Put ``count`` lines of a text from a 1-based place on ``by`` levels deeper, or less deep.

    Raises EditError for a line that would be above the first level or below the ninth.

    Example: indent_bullet(prs, 3, "Content Placeholder 2", 2)
    """
    for number in range(place, place + count):
        look = one_bullet(prs, slide, shape, number).get_or_add_pPr()
        level = int(look.get("lvl") or 0) + by
        if not 0 <= level <= DEEPEST_LEVEL:
            raise EditError(f"bullet {number} would be on level {level + 1}; there are 1 to 9")
        look.set("lvl", str(level))
        for name in ("marL", "indent"):
            look.attrib.pop(name, None)


@look_phrase("set <line spacing of {shape:texts}> to {lines:value} [lines]",
             "set (line spacing|spacing between lines) {on} to {lines:value} [lines]",
             example="set the line spacing of the body text on slide 2 to 1.5")  # fmt: skip
def set_line_spacing(prs: Presentation, slide: int, shape: str | int, lines: float) -> int:
    """Give the lines of a text another distance, 1 for single spaced; return how many changed.

    Example: set_line_spacing(prs, 2, "Content Placeholder 2", 1.5)
    """
    return sum(space_line(line, lines) for line in _lines(prs, slide, shape))


def space_line(paragraph: Any, lines: float) -> bool:
    """Give a paragraph another distance of its lines; whether it had another before."""
    if not _SPACES[0] <= lines <= _SPACES[1]:
        raise EditError(f"a line spacing of {lines:g} is none: it is {_SPACES[0]} to {_SPACES[1]}")
    look = paragraph.get_or_add_pPr()
    held = look.find(qn("a:lnSpc"))
    fresh = parse_xml(f'<a:lnSpc {_NS}><a:spcPct val="{round(lines * 100_000)}"/></a:lnSpc>')
    before = None if held is None else held[0].get("val")
    if held is not None:
        look.remove(held)
    look.insert(0, fresh)
    return bool(before != fresh[0].get("val"))


@look_phrase(
    "set [paragraph] space {side=before|after} [(each|every|all)] {shape:texts} to {points}",
    "add {points} [of] [space] {side=before|after} [(each|every|all)] {shape:texts}",
    "set [paragraph] (space|spacing) {side=before|after} [paragraphs] {on} to {points}",
    "add {points} [of] [space] {side=before|after} [(each|every|all)] (paragraph|paragraphs) {on}",
    example="set the space after the body text on slide 2 to 6 pt")  # fmt: skip
def set_paragraph_space(
    prs: Presentation, slide: int, shape: str | int, side: str, points: float
) -> int:
    """Leave some points free before or after each paragraph of a text; return how many changed.

    ``side`` is "before" or "after".

    Example: set_paragraph_space(prs, 2, "Content Placeholder 2", "after", 6)
    """
    return sum(space_paragraph(line, side, points) for line in _lines(prs, slide, shape))


def space_paragraph(paragraph: Any, side: str, points: float) -> bool:
    """Leave some points free before or after a paragraph; whether there were others before."""
    if side not in _SIDES:
        raise EditError(f"side={side!r} is none of 'before', 'after'")
    if not 0 <= points <= _MOST_POINTS:
        raise EditError(f"{points:g} pt of space are none: it is up to {_MOST_POINTS} pt")
    look = paragraph.get_or_add_pPr()
    name = qn(_SIDES[side])
    held = look.find(name)
    before = None if held is None else held[0].get("val")
    if held is not None:
        look.remove(held)
    fresh = parse_xml(
        f'<{_SIDES[side]} {_NS}><a:spcPts val="{round(points * 100)}"/></{_SIDES[side]}>'
    )
    ahead = (qn("a:lnSpc"), qn("a:spcBef")) if side == "after" else (qn("a:lnSpc"),)
    look.insert(sum(item.tag in ahead for item in look), fresh)
    return bool(before != fresh[0].get("val"))


def _lines(prs: Presentation, slide: int, shape: str | int) -> list[Any]:
    body = find_shape(prs, slide, shape).find(qn("p:txBody"))
    if body is None:
        raise EditError(f"{shape!r} on slide {slide} holds no text")
    return list(paragraphs(body))
