"""Slides added from a layout, given another layout, and put into another order."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.presentation import Presentation
from pptx.slide import Slide, SlideLayout

from decklab.editing.finding import (
    BODIES,
    TITLES,
    EditError,
    placeholder_type,
    shapes,
    slide_at,
    slide_ids,
)
from decklab.editing.open_parts import redirect
from decklab.editing.phrasing import order_phrase, phrase
from decklab.editing.slides import move_slide
from decklab.editing.texts import set_body_text
from decklab.ooxml.xml import qn

_USUAL = ("obj", "tx")
"""Types of layouts with a title and one text (ECMA-376 Part 1, 19.7.15, ST_SlideLayoutType)."""


@phrase(
    "add [new] slide [titled {title:words}] [(with|in|using) layout {layout}] [{place}]",
    "add [new] slide [{place}] [titled {title:words}] [(with|in|using) layout {layout}]",
    "add [new] slide {title:quoted} [{place}]",
    "add [new] {layout:layout name} slide [titled {title:words}] [{place}] [titled {title:words}]",
    example="add a slide titled 'Thank you' at the end", changes="slide:added",
    follows="section show")  # fmt: skip
@phrase(
    "add [new] slide [{place}] [titled {title:words}] with {kind:chart kind} chart (of|with) "
    "{named:numbered} [{place}]",
    "add [new] slide [{place}] [titled {title:words}] with table with ({row_count:number} rows and "
    "{column_count:number} columns|(columns|headings) {texts:list}) [{place}]",
    "add [new] slide [{place}] [titled {title:words}] with picture {picture:file} [{place}]",
    example="add a slide titled 'Share' with a pie chart of 'North' 4, 'South' 6 at the end",
    changes="slide:added", follows="section show detail media other")  # fmt: skip
def add_slide(
    prs: Presentation,
    position: int | None = None,
    *,
    title: str = "",
    body: str = "",
    layout: str | None = None,
) -> int:
    """Add a slide at a 1-based place, at the end where none is given; return its number.

    ``layout`` is the name of a layout; without one it is that of a title with text. Placeholders
    without a text stay empty. Raises EditError where there is no such layout or place, or the
    layout has no title for the title.

    Example: add_slide(prs, 3, title="Next steps", body="Hire\\nTrain", layout="Title and Content")
    """
    total = len(prs.slides) + 1
    place = total if position is None else position
    if not 1 <= place <= total:
        raise EditError(f"there is no place {place}; the deck has {total - 1} slides")
    slide = prs.slides.add_slide(find_layout(prs, layout))
    for text, kinds in ((title, TITLES), (body, BODIES)):
        if not text:
            continue
        held = next((one for one in shapes(slide) if placeholder_type(one) in kinds), None)
        if held is None:
            raise EditError(f"the layout {slide.slide_layout.name!r} has no place for “{text}”")
        set_body_text(held.find(qn("p:txBody")), text)
    if place != total:
        move_slide(prs, total, place)
    return place


def find_layout(prs: Presentation, name: str | None) -> SlideLayout:
    """The layout of a name, case aside, or that of a title with one text; raises EditError."""
    layouts = [layout for master in prs.slide_masters for layout in master.slide_layouts]
    if name is None:
        usual = [one for one in layouts if one._element.get("type") in _USUAL]
        titled = [one for one in layouts if _has_title(one)]
        found = [*usual, *titled, *layouts]
    else:
        wanted = (name.casefold(), name.casefold().removesuffix(" layout"))
        found = [one for word in wanted for one in layouts if one.name.casefold() == word]
    if not found:
        names = ", ".join(repr(one.name) for one in layouts)
        raise EditError(f"there is no layout {name!r}; there are {names}")
    layout: SlideLayout = found[0]
    return layout


def _has_title(layout: SlideLayout) -> bool:
    return any(placeholder_type(one) in TITLES for one in shapes(layout))


@phrase("(apply|give|use) {name:layout} (to|for|on) {slides}",
        "set <layout {on}> to {name:layout}",
        example="apply the layout 'Title Only' to slide 6", changes="slide layout",
        follows="style geometry text removed layout detail slide other")  # fmt: skip
def apply_layout(prs: Presentation, slide: int, name: str) -> bool:
    """Give a slide another layout; return whether it had another one before.

    Placeholders follow the new layout's of their kind; what it has no place for stays where it
    is, empty placeholders go.

    Example: apply_layout(prs, 3, "Two Content")
    """
    held = slide_at(prs, slide)
    layout = find_layout(prs, name)
    if held.slide_layout.part is layout.part:
        return False
    free = [one.xpath("./*/p:nvPr/p:ph")[0] for one in shapes(layout) if placeholder_type(one)]
    for shape in [one for one in shapes(held) if placeholder_type(one)]:
        mark = shape.xpath("./*/p:nvPr/p:ph")[0]
        match = _match(mark, free)
        if match is not None:
            free.remove(match)
            for key in ("type", "idx", "orient", "sz"):
                mark.attrib.pop(key, None)
            mark.attrib.update(dict(match.attrib.items()))
        elif _is_empty(shape):
            shape.getparent().remove(shape)
        else:
            _fix_place(held, shape)
    for id, link in list(held.part.rels.items()):
        if link.reltype == RELATIONSHIP_TYPE.SLIDE_LAYOUT:
            redirect(held.part, id, layout.part)
    return True


def _match(mark: Any, free: list[Any]) -> Any:
    """The placeholder of a layout for one of a slide, by its kind, then by its index."""
    kind = _family(mark.get("type"))
    same = [one for one in free if _family(one.get("type")) == kind]
    by_index = [one for one in same if one.get("idx") == mark.get("idx")]
    return next(iter([*by_index, *same]), None)


def _family(kind: str | None) -> str:
    return "title" if kind in TITLES else "body" if kind in (None, *BODIES) else str(kind)


def _is_empty(shape: Any) -> bool:
    is_text = shape.tag == qn("p:sp")
    return is_text and not any(item.text for item in shape.iter(qn("a:t")))


def _fix_place(slide: Slide, element: Any) -> None:
    """Write down the place that a shape takes over from its layout."""
    for shape in slide.shapes:
        if shape._element is element and None not in (shape.left, shape.top, shape.width):
            frame = shape.left, shape.top, shape.width, shape.height
            shape.left, shape.top, shape.width, shape.height = frame


@order_phrase("swap {slides}",
              "swap slide {number} (with|and|for) [slide] {other:number}",
              example="swap slides 3 and 5", how="swap")  # fmt: skip
@order_phrase("reverse [order of] ({slides}|slides)",
              example="reverse the order of the slides", how="reverse")  # fmt: skip
def order_slides(prs: Presentation, order: Sequence[int]) -> None:
    """Put the slides into an order, given by their numbers; sections follow as in ``move_slide``.

    Example: order_slides(prs, [3, 1, 2])
    """
    if sorted(order) != list(range(1, len(prs.slides) + 1)):
        raise EditError("the order has to name every slide once")
    ids = slide_ids(prs)
    for place, number in enumerate(deepcopy(list(order)), start=1):
        now = slide_ids(prs).index(ids[number - 1]) + 1
        if now != place:
            move_slide(prs, now, place)
