"""Slide numbers, footers and dates: placeholders that a slide copies from its layout."""

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation
from pptx.slide import Slide

from decklab.editing.finding import placeholder_type, properties, shapes, slides_of
from decklab.editing.phrasing import phrase
from decklab.editing.texts import set_body_text
from decklab.ooxml.xml import NAMESPACES, qn


@phrase("(show|add|turn on|switch on) (slide|page) numbers",
        "number slides",
        example="show slide numbers on slides 2-4", changes="added")  # fmt: skip
@phrase("(delete|hide|turn off|switch off|no) (slide|page) numbers",
        example="remove slide numbers on slide 1", changes="removed", on=False)  # fmt: skip
def show_slide_numbers(
    prs: Presentation, on: bool = True, *, slides: Iterable[int] | None = None
) -> int:
    """Put slide numbers on slides, or take them off; return the number of slides changed.

    They appear where the slide's layout has its slide number; slides whose layout has none are
    left alone.

    Example: show_slide_numbers(prs, slides=[2, 3, 4])
    """
    count = 0
    for number, slide in slides_of(prs, slides):
        present = _placeholders(slide, "sldNum")
        if on and not present:
            placeholder = _from_layout(slide, "sldNum")
            if placeholder is not None:
                placeholder.find(qn("p:txBody")).append(_number_field(number))
                count += 1
        elif not on and present:
            _take_out(present)
            count += 1
    return count


@phrase("set <footer [text] {on}> to {text:words}",
        "add footer [saying] {text:quoted}",
        example="set the footer on slides 2-3 to Draft", changes="added text")  # fmt: skip
@phrase("(delete|no|hide) <footer {on}>",
        example="remove the footer on slide 1", changes="removed", text=None)  # fmt: skip
def set_footer(prs: Presentation, text: str | None, *, slides: Iterable[int] | None = None) -> int:
    """Give slides this footer, None takes footers off; return the number of slides changed.

    Slides whose layout has no place for a footer are left alone.

    Example: set_footer(prs, "Internal")
    """
    count = 0
    for _number, slide in slides_of(prs, slides):
        present = _placeholders(slide, "ftr")
        if not text:
            _take_out(present)
            count += bool(present)
            continue
        placeholder = present[0] if present else _from_layout(slide, "ftr")
        if placeholder is not None:
            body = placeholder.find(qn("p:txBody"))
            if not present:
                body.append(parse_xml(f'<a:p xmlns:a="{NAMESPACES["a"]}"/>'))
            set_body_text(body, text)
            count += 1
    return count


def _placeholders(slide: Slide, kind: str) -> list[Any]:
    return [item for item in shapes(slide) if placeholder_type(item) == kind]


def _take_out(elements: list[Any]) -> None:
    for item in elements:
        item.getparent().remove(item)


def _from_layout(slide: Slide, kind: str) -> Any:
    """The layout's placeholder, copied to the slide without text; None if it has none."""
    models = [item for item in shapes(slide.slide_layout) if placeholder_type(item) == kind]
    if not models:
        return None
    tree = slide.shapes._spTree
    id = max((int(properties(item).get("id") or 0) for item in shapes(slide)), default=1) + 1
    shape = parse_xml(
        f'<p:sp xmlns:p="{NAMESPACES["p"]}" xmlns:a="{NAMESPACES["a"]}"><p:nvSpPr>'
        f'<p:cNvPr id="{id}" name=""/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        "<p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/></p:txBody></p:sp>"
    )
    properties(shape).set("name", properties(models[0]).get("name") or kind)
    shape.find(f"{qn('p:nvSpPr')}/{qn('p:nvPr')}").append(
        deepcopy(models[0].xpath("./*/p:nvPr/p:ph")[0])
    )
    tree.insert_element_before(shape, "p:extLst")
    return shape


def _number_field(number: int) -> Any:
    guid = "{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}"  # any will do; PowerPoint's own for this field
    return parse_xml(
        f'<a:p xmlns:a="{NAMESPACES["a"]}"><a:fld id="{guid}" type="slidenum">'
        f"<a:rPr/><a:t>{number}</a:t></a:fld></a:p>"
    )
