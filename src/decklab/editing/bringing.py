"""Slides of another presentation brought into an open one."""

from pptx.presentation import Presentation

from decklab.core.errors import DeckError
from decklab.editing.finding import EditError, slide_at
from decklab.editing.open_parts import parts_of
from decklab.editing.phrasing import phrase
from decklab.editing.slide_import import import_slide


@phrase(
    "add (slide|slides) {numbers} (of|from) [deck] {deck:quoted} [{place}]",
    "add (slide|slides) {numbers} (of|from) [deck] {deck:quoted} in design of this deck [{place}]",
    example="add slides 2-3 of 'other.pptx' after slide 1", changes="slide:added",
    follows="section show layout master theme media detail")  # fmt: skip
@phrase(
    "add (slide|slides) {numbers} (of|from) [deck] {deck:quoted} with (its|their) design [{place}]",
    example="add slide 2 of 'other.pptx' with its design at the end", changes="slide:added",
    follows="section show layout master theme media detail", keep_design=True)  # fmt: skip
def bring_slide(
    prs: Presentation,
    source: Presentation,
    slide: int,
    position: int | None = None,
    *,
    keep_design: bool = False,
) -> int:
    """Bring a slide of another presentation in; return its number.

    It gets the layout of this deck that fits best, or with ``keep_design`` its own, with master
    and theme. Raises EditError where there is no such slide or place.

    Example: bring_slide(prs, Presentation("other.pptx"), 2, 1)
    """
    slide_at(source, slide)
    place = len(prs.slides) + 1 if position is None else position
    with parts_of(prs) as parts, parts_of(source) as others:
        try:
            import_slide(parts, others, slide, place, keep_design=keep_design)
        except DeckError as error:
            raise EditError(error.detail) from error
    return place
