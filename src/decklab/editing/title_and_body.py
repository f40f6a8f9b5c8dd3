"""The title of a slide, and the paragraphs of its body on their levels."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from pptx.presentation import Presentation

from decklab.editing.finding import (
    BODIES,
    TITLES,
    EditError,
    find_shape,
    placeholder_type,
    shape_id,
    shapes,
    slide_at,
)
from decklab.editing.phrasing import phrase
from decklab.editing.texts import set_body_text, set_paragraph_text
from decklab.ooxml.xml import qn

DEEPEST_LEVEL = 8
"""Levels of text count from 0 to this (ECMA-376 Part 1, 21.1.2.2.7, lvl)."""


@phrase("set <title {on}> to {text:words}",
        "(rename|call) ({slides}|{slides:titled}) [to] {text:words}",
        "(give {slides} title {text:words}|add title {text:quoted} {on})",
        "<title {on}> should (read|be|say) {text:words}",
        example="set the title of slide 2 to 'What we found'", changes="text added",
        follows="style:font")  # fmt: skip
def set_title(prs: Presentation, slide: int, text: str) -> int:
    """Give a slide a title, in the looks of the old one; return the id of its shape.

    A slide without its title gets the one of its layout back. Raises EditError where the layout
    has none.

    Example: set_title(prs, 3, "Sales grew by 12 %")
    """
    held = slide_at(prs, slide)
    found = next((one for one in shapes(held) if placeholder_type(one) in TITLES), None)
    if found is None:
        models: Any = held.slide_layout.placeholders
        model = next((one for one in models if placeholder_type(one._element) in TITLES), None)
        if model is None:
            name = held.slide_layout.name
            raise EditError(f"the layout {name!r} of slide {slide} has no title; apply another one")
        held.shapes.clone_placeholder(model)
        found = next(one for one in shapes(held) if placeholder_type(one) in TITLES)
    set_body_text(found.find(qn("p:txBody")), text)
    return shape_id(found)


def set_body(
    prs: Presentation,
    slide: int,
    lines: Sequence[str | tuple[int, str]],
    *,
    shape: str | int | None = None,
) -> int:
    """Give a slide's body new paragraphs; return the id of its shape.

    Each line is a text, or (level, text) with levels from 0 to 8. A paragraph looks as the first
    one of its level did, else as the design wants that level. ``shape`` may be left out where the
    slide has one body placeholder.

    Example: set_body(prs, 3, ["Costs fell", (1, "by 8 % in the north"), "Prices stayed"])
    """
    element = _body(prs, slide) if shape is None else find_shape(prs, slide, shape)
    body = element.find(qn("p:txBody"))
    if body is None:
        raise EditError(f"{shape!r} on slide {slide} holds no text")
    wanted = [(0, line) if isinstance(line, str) else line for line in lines] or [(0, "")]
    for level, text in wanted:
        if not 0 <= level <= DEEPEST_LEVEL:
            raise EditError(f"{text!r} has level {level}; levels are 0 to {DEEPEST_LEVEL}")
        if "\n" in text:
            raise EditError(f"{text!r} has several lines; give each its own")
    old = body.findall(qn("a:p"))
    models: dict[int, Any] = {}
    for paragraph in old:
        models.setdefault(_level(paragraph), paragraph)
    for level, text in wanted:
        body.append(_paragraph(models.get(level), body, level, text))
    for paragraph in old:
        body.remove(paragraph)
    return shape_id(element)


def _body(prs: Presentation, slide: int) -> Any:
    found = [
        one
        for one in shapes(slide_at(prs, slide))
        if placeholder_type(one) in BODIES and one.tag == qn("p:sp")
    ]
    if len(found) != 1:
        count = f"{len(found)} body placeholders; say which by name or id"
        raise EditError(f"slide {slide} has {count if found else 'no body placeholder'}")
    return found[0]


def _level(paragraph: Any) -> int:
    look = paragraph.find(qn("a:pPr"))
    return 0 if look is None else int(look.get("lvl") or 0)


def _paragraph(model: Any, body: Any, level: int, text: str) -> Any:
    if model is not None:
        paragraph = deepcopy(model)
    else:
        paragraph = body.makeelement(qn("a:p"))
        if level:
            paragraph.append(body.makeelement(qn("a:pPr"), {"lvl": str(level)}))
    set_paragraph_text(paragraph, text)
    return paragraph
