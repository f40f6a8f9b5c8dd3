"""Lists of a text: their lines added, set and taken out; numbers or bullets, levels, spacing."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.finding import EditError, body_of, paragraphs
from decklab.editing.paragraphs import set_paragraph_text
from decklab.editing.phrasing import bullet_phrase, look_phrase, phrase
from decklab.editing.texts import DEEPEST_LEVEL, level_of
from decklab.ooxml.xml import NAMESPACES, qn

_LEVEL_INDENT = 457_200
"""EMU that the lines of a level stand further in; what PowerPoint writes."""
MARKS = tuple(qn(name) for name in ("a:buAutoNum", "a:buChar", "a:buBlip"))
"""Elements that may stand before a line: a number, a character, a picture."""
_LINKS = (qn("a:hlinkClick"), qn("a:hlinkMouseOver"))
_AFTER_MARKS = {qn(name) for name in ("a:tabLst", "a:defRPr", "a:extLst")}


@bullet_phrase(
    "add bullets [points] [saying] ({text:names}|{text:unquoted}) [(to|of) {shape:box shape}] "
    "{on} [(at|to|as) [very] {end=start|end}] {on}",
    "add bullets [points] {text:names} {on} as ({place:ordinal} bullet|bullet {place:number})",
    "add bullets [points] {text:names} {on} (before {before:bullet}|(after|below) {after:bullet})",
    example="add the bullets 'Costs' and 'Gains' to slide 2")  # fmt: skip
@bullet_phrase("(set|rename|replace) [text of] {bullet} (to|with) {text:words}",
               example="set bullet 2 of slide 2 to 'Lower costs'", over=True)  # fmt: skip
def add_bullet(
    prs: Presentation,
    slide: int,
    shape: str | int,
    text: str,
    place: int | None = None,
    *,
    over: bool = False,
) -> None:
    """Add a paragraph to a shape's text as number ``place``, at the end where none is given.

    It looks as the one it stands behind, without its links; with ``over`` it takes the place of the
    one there. Raises EditError where there is no such place.

    Example: add_bullet(prs, 3, "Content Placeholder 2", "One more point")
    """
    lines = body_of(prs, slide, shape).findall(qn("a:p"))
    if len(lines) == 1 and not _text(lines[0]):
        over, place = True, 1
    at = len(lines) + 1 if place is None else place if place > 0 else len(lines) + 1 + place
    if not 1 <= at <= len(lines) + (not over):
        raise EditError(f"the text on slide {slide} has {len(lines)} bullets, no place {at}")
    if over:
        set_paragraph_text(lines[at - 1], text)
        return
    model = lines[max(at - 2, 0)]
    fresh = _without_links(deepcopy(model))
    (model.addprevious if at == 1 else model.addnext)(fresh)
    set_paragraph_text(fresh, text)


def _without_links(paragraph: Any) -> Any:
    """The paragraph, none of its words a link."""
    for link in list(paragraph.iter(*_LINKS)):
        link.getparent().remove(link)
    return paragraph


@bullet_phrase("delete {bullet}", example="delete the second bullet of slide 2")
def delete_bullet(
    prs: Presentation, slide: int, shape: str | int, place: str | int, count: int = 1
) -> None:
    """Take paragraphs out of a shape's text: ``count`` from a 1-based place on, or one by its text.

    A negative place counts from the end. Raises EditError where there is none, or none is left.

    Example: delete_bullet(prs, 3, "Content Placeholder 2", 2)
    """
    body = body_of(prs, slide, shape)
    lines = body.findall(qn("a:p"))
    first = bullet_place(prs, slide, shape, place, count)
    if count == len(lines):
        raise EditError("a text keeps one paragraph; delete the text instead")
    for line in lines[first - 1 : first - 1 + count]:
        body.remove(line)


@bullet_phrase("(move|put) {bullet} ([to] [very] {end=start|end} [of list]|{end=first|last})",
               "move {bullet} (before|above) {before:bullet}",
               "move {bullet} (after|below|behind) {after:bullet}",
               "move {bullet} ({way=up|down} [by one]|to (position|place) {to:number})",
               example="move bullet 2 of slide 2 to the start")  # fmt: skip
def move_bullet(
    prs: Presentation, slide: int, shape: str | int, place: int, to: int, *, count: int = 1
) -> bool:
    """Move ``count`` paragraphs of a shape's text from a 1-based place on to another place.

    Deeper lines that hang on the last of them have to move along (``bullet_family``); raises
    EditError where lines would come under another line.
    Return whether the lines stood elsewhere.

    Example: move_bullet(prs, 3, "Content Placeholder 2", 3, 1)
    """
    lines = list(paragraphs(body_of(prs, slide, shape)))
    moved = lines[place - 1 : place - 1 + count]
    if len(moved) != count or not 1 <= to <= len(lines) - count + 1:
        raise EditError(f"the text on slide {slide} has {len(lines)} bullets, no place {to}")
    others = [line for line in lines if line not in moved]
    behind = lines[place - 1 + count : place + count]
    if any(level_of(line) > level_of(moved[-1]) for line in behind):
        raise EditError("lines on a lower level hang on it; move them first, or name them too")
    held = [*others[: to - 1], *moved, *others[to - 1 :]]
    if any(level_of(line) > level_of(moved[-1]) for line in others[to - 1 : to]):
        raise EditError(f"place {to} is above lines that hang on another one")
    for line in lines:
        body = line.getparent()
        body.remove(line)
    for line in held:
        body.append(line)
    return bool(held != lines)


def bullet_family(
    prs: Presentation, slide: int, shape: str | int, place: int, count: int = 1
) -> int:
    """How many paragraphs of a shape's text ``count`` from a 1-based place on are, with the deeper
    ones that follow them."""
    lines = list(paragraphs(body_of(prs, slide, shape)))
    last = place - 1 + count
    while last < len(lines) and level_of(lines[last]) > level_of(lines[place - 2 + count]):
        last += 1
    return last - place + 1


def one_bullet(prs: Presentation, slide: int, shape: str | int, place: int) -> Any:
    """The paragraph of a shape's text at a 1-based place, from the end for a negative one."""
    lines = list(paragraphs(body_of(prs, slide, shape)))
    at = place - 1 if place > 0 else len(lines) + place
    if not 0 <= at < len(lines):
        raise EditError(f"the text on slide {slide} has {len(lines)} bullets, no bullet {place}")
    return lines[at]


def bullet_place(
    prs: Presentation, slide: int, shape: str | int, which: str | int, count: int = 1
) -> int:
    """The 1-based place of a paragraph of a shape's text, given by its text or a place.

    A negative place counts from the end; of ``count`` paragraphs it is the place of the first.
    Raises EditError if there is none, or several with that text.
    """
    lines = list(paragraphs(body_of(prs, slide, shape)))
    if isinstance(which, str):
        places = [number for number, line in enumerate(lines, start=1)
                  if _text(line).strip().casefold() == which.strip().casefold()]  # fmt: skip
        if len(places) != 1:
            raise EditError(f"slide {slide} has {len(places)} bullets “{which}”")
        return places[0]
    first = which if which > 0 else len(lines) + 2 + which - count
    if not 1 <= first <= first + count - 1 <= len(lines):
        raise EditError(f"the text on slide {slide} has {len(lines)} bullets, no bullet {which}")
    return first


def insert_mark(properties: Any, mark: Any) -> None:
    """Put a mark where the schema of a paragraph's properties wants it."""
    at = next((n for n, item in enumerate(properties) if item.tag in _AFTER_MARKS), None)
    properties.insert(len(properties) if at is None else at, mark)


@bullet_phrase("(delete|hide) bullet (marks|signs|points) [of {shape:writing}]",
               "no bullets",
               example="no bullets on slide 2", changes="style")  # fmt: skip
def hide_marks(prs: Presentation, slide: int, shape: str | int) -> int:
    """Let the lines of a text stand without bullets or numbers; return how many changed.

    Lines begin where the text does, those of lower levels further in (ISO/IEC 29500-1, sections
    21.1.2.4.8 and 21.1.2.2.7).

    Example: hide_marks(prs, 2, "Content Placeholder 2")
    """
    changed = 0
    for line in paragraphs(body_of(prs, slide, shape)):
        properties = line.get_or_add_pPr()
        if properties.find(qn("a:buNone")) is not None or not _text(line).strip():
            continue
        for mark in [item for item in properties if item.tag in MARKS]:
            properties.remove(mark)
        insert_mark(properties, properties.makeelement(qn("a:buNone")))
        properties.set("marL", str(_LEVEL_INDENT * int(properties.get("lvl", 0))))
        properties.set("indent", "0")
        changed += 1
    return changed


def _text(line: Any) -> str:
    return "".join(item.text or "" for item in line.iter(qn("a:t")))


_NS = f'xmlns:a="{NAMESPACES["a"]}"'
_KINDS = {
    "numbered": '<a:buAutoNum {ns} type="arabicPeriod"/>',
    "lettered": '<a:buAutoNum {ns} type="alphaLcPeriod"/>',
    "bulleted": '<a:buChar {ns} char="•"/>',
}
_HANGING = 342_900
"""EMU that the first line of a list item stands out to the left; PowerPoint's own."""
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
    if (kind := "numbered" if kind == "number" else kind) not in _KINDS:
        raise EditError(f"{kind!r} is no kind of list; there are {', '.join(_KINDS)}")
    changed = 0
    for line in paragraphs(body_of(prs, slide, shape)):
        if not _text(line).strip():
            continue
        look = line.get_or_add_pPr()
        for mark in [item for item in look if item.tag in (*MARKS, qn("a:buNone"))]:
            look.remove(mark)
        insert_mark(look, parse_xml(_KINDS[kind].format(ns=_NS)))
        level = int(look.get("lvl") or 0)
        look.set("marL", str(_HANGING + _LEVEL_INDENT * level))
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
    return sum(space_line(line, lines) for line in paragraphs(body_of(prs, slide, shape)))


def space_line(paragraph: Any, lines: float) -> bool:
    """Give a paragraph another distance of its lines; whether it had another before."""
    if not _SPACES[0] <= lines <= _SPACES[1]:
        raise EditError(f"a line spacing of {lines:g} is none: it is {_SPACES[0]} to {_SPACES[1]}")
    share = f'<a:spcPct val="{round(lines * 100_000)}"/>'
    return _put_space(paragraph, "a:lnSpc", share, ())


def _put_space(paragraph: Any, tag: str, value: str, ahead: Sequence[str]) -> bool:
    """Give a paragraph a spacing behind the elements ``ahead``; whether it had another before."""
    look = paragraph.get_or_add_pPr()
    held = look.find(qn(tag))
    before = None if held is None else held[0].get("val")
    if held is not None:
        look.remove(held)
    fresh = parse_xml(f"<{tag} {_NS}>{value}</{tag}>")
    look.insert(sum(item.tag in ahead for item in look), fresh)
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
    lines = paragraphs(body_of(prs, slide, shape))
    return sum(space_paragraph(line, side, points) for line in lines)


def space_paragraph(paragraph: Any, side: str, points: float) -> bool:
    """Leave some points free before or after a paragraph; whether there were others before."""
    if side not in _SIDES:
        raise EditError(f"side={side!r} is none of 'before', 'after'")
    if not 0 <= points <= _MOST_POINTS:
        raise EditError(f"{points:g} pt of space are none: it is up to {_MOST_POINTS} pt")
    ahead = (qn("a:lnSpc"), qn("a:spcBef")) if side == "after" else (qn("a:lnSpc"),)
    value = f'<a:spcPts val="{round(points * 100)}"/>'
    return _put_space(paragraph, _SIDES[side], value, ahead)
