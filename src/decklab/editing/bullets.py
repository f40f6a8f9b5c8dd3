"""Paragraphs of a shape's text added, set and taken out, one by one."""

from copy import deepcopy
from typing import Any

from pptx.presentation import Presentation

from decklab.editing.finding import EditError, find_shape
from decklab.editing.texts import set_paragraph_text
from decklab.ooxml.xml import qn


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

    It looks as the one it stands behind; with ``over`` it takes the place of the one there.
    Raises EditError where there is no such place.

    Example: add_bullet(prs, 3, "Content Placeholder 2", "One more point")
    """
    body = _body(prs, slide, shape)
    lines = body.findall(qn("a:p"))
    if len(lines) == 1 and not _text(lines[0]):
        over, place = True, 1
    at = len(lines) + 1 if place is None else place if place > 0 else len(lines) + 1 + place
    if not 1 <= at <= len(lines) + (not over):
        raise EditError(f"the text on slide {slide} has {len(lines)} bullets, no place {at}")
    if over:
        set_paragraph_text(lines[at - 1], text)
        return
    model = lines[max(at - 2, 0)]
    fresh = deepcopy(model)
    if at == 1:
        model.addprevious(fresh)
    else:
        model.addnext(fresh)
    set_paragraph_text(fresh, text)


def delete_bullet(
    prs: Presentation, slide: int, shape: str | int, which: str | int, count: int = 1
) -> None:
    """Take paragraphs out of a shape's text: ``count`` from a 1-based place on, or one by its text.

    A negative place counts from the end. Raises EditError where there is none, or none is left.

    Example: delete_bullet(prs, 3, "Content Placeholder 2", 2)
    """
    body = _body(prs, slide, shape)
    lines = body.findall(qn("a:p"))
    if isinstance(which, str):
        found = [line for line in lines if _text(line).casefold() == which.casefold()]
        if len(found) != 1:
            raise EditError(f"slide {slide} has {len(found)} bullets “{which}”")
    else:
        start = which - 1 if which > 0 else len(lines) + which - (count - 1)
        found = lines[start : start + count] if start >= 0 else []
        if len(found) < count:
            raise EditError(
                f"the text on slide {slide} has {len(lines)} bullets, no bullet {which}"
            )
    if len(found) == len(lines):
        raise EditError("a text keeps one paragraph; delete the text instead")
    for line in found:
        body.remove(line)


def one_bullet(prs: Presentation, slide: int, shape: str | int, place: int) -> Any:
    """The paragraph of a shape's text at a 1-based place, from the end for a negative one."""
    lines = _body(prs, slide, shape).findall(qn("a:p"))
    at = place - 1 if place > 0 else len(lines) + place
    if not 0 <= at < len(lines):
        raise EditError(f"the text on slide {slide} has {len(lines)} bullets, no bullet {place}")
    return lines[at]


def _body(prs: Presentation, slide: int, shape: str | int) -> Any:
    body = find_shape(prs, slide, shape).find(qn("p:txBody"))
    if body is None:
        raise EditError(f"{shape!r} on slide {slide} holds no text")
    return body


def _text(line: Any) -> str:
    return "".join(item.text or "" for item in line.iter(qn("a:t")))
